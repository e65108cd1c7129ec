/* SPDX-License-Identifier: Apache-2.0
 * C and C++ alike: Verilator compiles what ends in .c as C++.
 */
#include "ztl_dpi.h"

#include <stdio.h>

#include <ztl/hart.h>

static ztl_hart *hart_of(void *handle)
{
    return (ztl_hart *)handle;
}

void *ztl_dpi_create(const char *isa, long long base, long long size)
{
    ztl_error error;
    ztl_window ram = {(uint64_t)base, (uint64_t)size};
    ztl_hart_config config = ztl_hart_default_config();
    config.isa = isa;
    config.ram = &ram;
    config.ram_count = 1;
    config.reset_pc = ram.base;
    config.trap_policy = ZTL_TRAP_STOP_ALWAYS;
    ztl_hart *hart = ztl_hart_create(&config, &error);
    if (!hart)
        fprintf(stderr, "ztl_dpi_create: %s\n", error.text);
    return hart;
}

void ztl_dpi_destroy(void *hart)
{
    ztl_hart_destroy(hart_of(hart));
}

void ztl_dpi_reset(void *hart)
{
    ztl_hart_reset(hart_of(hart));
}

long long ztl_dpi_x(void *hart, int index)
{
    return (long long)ztl_hart_x(hart_of(hart), (unsigned)index);
}

void ztl_dpi_set_x(void *hart, int index, long long value)
{
    ztl_hart_set_x(hart_of(hart), (unsigned)index, (uint64_t)value);
}

long long ztl_dpi_csr(void *hart, int address)
{
    uint64_t value = 0;
    ztl_hart_csr_read(hart_of(hart), (unsigned)address, &value);
    return (long long)value;
}

int ztl_dpi_set_csr(void *hart, int address, long long value)
{
    return !ztl_hart_csr_write(hart_of(hart), (unsigned)address, (uint64_t)value);
}

long long ztl_dpi_pc(void *hart)
{
    return (long long)ztl_hart_pc(hart_of(hart));
}

void ztl_dpi_set_pc(void *hart, long long pc)
{
    ztl_hart_set_pc(hart_of(hart), (uint64_t)pc);
}

static void pack(const uint8_t *bytes, uint32_t *block)
{
    for (int i = 0; i < ZTL_DPI_WORDS; i++, bytes += 4)
        block[i] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                   (uint32_t)bytes[3] << 24;
}

static void unpack(const uint32_t *block, uint8_t *bytes)
{
    for (int i = 0; i < ZTL_REG_BYTES; i++)
        bytes[i] = (uint8_t)(block[i / 4] >> 8 * (i % 4));
}

int ztl_dpi_tl(void *hart, int index, uint32_t *block)
{
    const uint8_t *bytes = ztl_get_register(ztl_hart_ztl(hart_of(hart)), (unsigned)index);
    if (bytes)
        pack(bytes, block);
    return !bytes;
}

int ztl_dpi_set_tl(void *hart, int index, const uint32_t *block)
{
    uint8_t bytes[ZTL_REG_BYTES];
    unpack(block, bytes);
    return ztl_set_register(ztl_hart_ztl(hart_of(hart)), (unsigned)index, bytes) != ZTL_OK;
}

static bool read_block(void *hart, long long address, uint8_t *bytes)
{
    return ztl_hart_read_memory(hart_of(hart), (uint64_t)address, bytes, ZTL_REG_BYTES) ==
           ZTL_REG_BYTES;
}

int ztl_dpi_memory(void *hart, long long address, uint32_t *block)
{
    uint8_t bytes[ZTL_REG_BYTES];
    bool there = read_block(hart, address, bytes);
    if (there)
        pack(bytes, block);
    return !there;
}

int ztl_dpi_set_memory(void *hart, long long address, const uint32_t *block)
{
    uint8_t bytes[ZTL_REG_BYTES];
    bool there = read_block(hart, address, bytes);
    unpack(block, bytes);
    if (there)
        ztl_hart_write_memory(hart_of(hart), (uint64_t)address, bytes, sizeof bytes);
    return !there;
}

int ztl_dpi_execute(void *hart, int word)
{
    if (ztl_hart_execute(hart_of(hart), (uint32_t)word) != ZTL_STOP_TRAP)
        return 0;
    return (int)ztl_hart_last_trap(hart_of(hart))->cause + 1;
}

long long ztl_dpi_tval(void *hart)
{
    const ztl_trap *trap = ztl_hart_last_trap(hart_of(hart));
    return trap ? (long long)trap->tval : 0;
}

int ztl_dpi_reason(void *hart)
{
    const ztl_trap *trap = ztl_hart_last_trap(hart_of(hart));
    return trap ? (int)trap->ztl.reason : 0;
}

int ztl_dpi_step(void *handle)
{
    ztl_hart *hart = hart_of(handle);
    uint64_t retired = ztl_hart_retired(hart);
    ztl_hart_set_trap_policy(hart, ZTL_TRAP_STOP_NEVER);
    ztl_hart_step(hart);
    ztl_hart_set_trap_policy(hart, ZTL_TRAP_STOP_ALWAYS);
    return ztl_hart_retired(hart) > retired ? 0 : (int)ztl_hart_last_trap(hart)->cause + 1;
}

const char *ztl_dpi_text(void *hart, long long pc, int word)
{
    static char text[80]; /* a simulator runs in one thread */
    ztl_hart_disassemble(ztl_hart_isa_of(hart_of(hart)), (uint64_t)pc, (uint32_t)word, text,
                         sizeof text);
    return text;
}
