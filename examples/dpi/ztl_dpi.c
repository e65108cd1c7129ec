/* SPDX-License-Identifier: Apache-2.0 */
#include "ztl_dpi.h"

#include <stdio.h>
#include <string.h>

#include <ztl/hart.h>

void *ztl_dpi_create(const char *isa, long long base, long long size)
{
    char error[200];
    ztl_window ram = {(uint64_t)base, (uint64_t)size};
    ztl_hart_config config = ztl_hart_default_config();
    config.isa = isa;
    config.ram = &ram;
    config.ram_count = 1;
    config.reset_pc = ram.base;
    config.trap_policy = ZTL_TRAP_STOP_ALWAYS;
    ztl_hart *hart = ztl_hart_create(&config, error, sizeof error);
    if (!hart)
        fprintf(stderr, "ztl_dpi_create: %s\n", error);
    return hart;
}

void ztl_dpi_destroy(void *hart)
{
    ztl_hart_destroy(hart);
}

void ztl_dpi_reset(void *hart)
{
    ztl_hart_reset(hart);
}

long long ztl_dpi_x(void *hart, int index)
{
    return (long long)ztl_hart_x(hart, (unsigned)index);
}

void ztl_dpi_set_x(void *hart, int index, long long value)
{
    ztl_hart_set_x(hart, (unsigned)index, (uint64_t)value);
}

long long ztl_dpi_csr(void *hart, int address)
{
    uint64_t value = 0;
    ztl_hart_csr_read(hart, (unsigned)address, &value);
    return (long long)value;
}

int ztl_dpi_set_csr(void *hart, int address, long long value)
{
    return !ztl_hart_csr_write(hart, (unsigned)address, (uint64_t)value);
}

long long ztl_dpi_pc(void *hart)
{
    return (long long)ztl_hart_pc(hart);
}

long long ztl_dpi_tl(void *hart, int index, int word)
{
    long long value = 0;
    const uint8_t *bytes = ztl_get_register(ztl_hart_ztl(hart), (unsigned)index);
    if (bytes && word >= 0 && word < ZTL_REG_BYTES / 8)
        memcpy(&value, bytes + 8 * word, sizeof value);
    return value;
}

void ztl_dpi_set_tl(void *hart, int index, int word, long long value)
{
    uint8_t block[ZTL_REG_BYTES];
    const uint8_t *bytes = ztl_get_register(ztl_hart_ztl(hart), (unsigned)index);
    if (!bytes || word < 0 || word >= ZTL_REG_BYTES / 8)
        return;
    memcpy(block, bytes, sizeof block);
    memcpy(block + 8 * word, &value, sizeof value);
    ztl_set_register(ztl_hart_ztl(hart), (unsigned)index, block);
}

int ztl_dpi_peek(void *hart, long long address)
{
    uint8_t byte;
    return ztl_hart_read_memory(hart, (uint64_t)address, &byte, 1) ? byte : -1;
}

void ztl_dpi_poke(void *hart, long long address, int value)
{
    uint8_t byte = (uint8_t)value;
    ztl_hart_write_memory(hart, (uint64_t)address, &byte, 1);
}

int ztl_dpi_execute(void *hart, int word)
{
    if (ztl_hart_execute(hart, (uint32_t)word) != ZTL_STOP_TRAP)
        return 0;
    return (int)ztl_hart_last_trap(hart)->cause + 1;
}

long long ztl_dpi_tval(void *hart)
{
    const ztl_trap *trap = ztl_hart_last_trap(hart);
    return trap ? (long long)trap->tval : 0;
}

int ztl_dpi_reason(void *hart)
{
    const ztl_trap *trap = ztl_hart_last_trap(hart);
    return trap ? (int)trap->ztl.reason : 0;
}
