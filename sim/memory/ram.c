/* SPDX-License-Identifier: Apache-2.0
 * RAM of the host, mapped lazily.
 */
#define _GNU_SOURCE
#include "sim/memory/memory.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/error.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "guest memory is little-endian, and so must the host be"
#endif

static uint64_t granules(const region *piece)
{
    return (piece->ram.size >> GRANULE_SHIFT) + 1;
}

static uint64_t code_bytes(const region *piece)
{
    return (piece->ram.size >> CODE_BYTE_SHIFT) + 1;
}

/* Host memory that costs nothing until it is touched. */
static void *reserve(uint64_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    void *bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static void release(void *bytes, uint64_t size)
{
    if (bytes)
        munmap(bytes, (size_t)size);
}

static bool check_window(const ztl_hart *hart, const ztl_window *ram, ztl_error *error)
{
    uint64_t last = ztl_hart_wrap(hart, UINT64_MAX);
    if (ram->size == 0)
        return ztl_fail(error, "RAM at 0x%" PRIx64 " has no bytes", ram->base);
    if (ram->base > last || ram->size - 1 > last - ram->base)
        return ztl_fail(
            error, "RAM at 0x%" PRIx64 " of 0x%" PRIx64 " bytes leaves the %u-bit address space",
            ram->base, ram->size, hart->isa.xlen);
    for (size_t i = 0; i < hart->region_count; i++) {
        const ztl_ram *other = &hart->regions[i].ram;
        if (ram->base - other->base < other->size || other->base - ram->base < ram->size)
            return ztl_fail(error, "RAM at 0x%" PRIx64 " overlaps RAM at 0x%" PRIx64, ram->base,
                            other->base);
    }
    return true;
}

static bool add_region(ztl_hart *hart, const ztl_window *ram, ztl_error *error)
{
    if (!check_window(hart, ram, error))
        return false;
    region *piece = &hart->regions[hart->region_count++];
    *piece = (region){.ram = {ram->base, ram->size, reserve(ram->size)}, .code_low = UINT64_MAX};
    piece->flags = reserve(granules(piece));
    piece->code = reserve(code_bytes(piece));
    if (!piece->ram.bytes || !piece->flags || !piece->code)
        return ztl_fail(error, "the host cannot map RAM of 0x%" PRIx64 " bytes at 0x%" PRIx64,
                        ram->size, ram->base);
    return true;
}

bool ztl_memory_create(ztl_hart *hart, const ztl_hart_config *config, ztl_error *error)
{
    if (config->ram_count < 1 || config->ram_count > ZTL_HART_MAX_RAM)
        return ztl_fail(error, "%zu pieces of RAM; 1 to %d are possible", config->ram_count,
                        ZTL_HART_MAX_RAM);
    for (size_t i = 0; i < config->ram_count; i++)
        if (!add_region(hart, &config->ram[i], error))
            return false;
    ztl_memory_set_hot(hart, &hart->regions[0], hart->regions[0].ram.base);
    ztl_memory_serve_model(hart);
    return true;
}

void ztl_memory_destroy(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        region *piece = &hart->regions[i];
        release(piece->flags, granules(piece));
        release(piece->code, code_bytes(piece));
        release(piece->ram.bytes, piece->ram.size);
    }
}

void ztl_memory_unmark(region *piece)
{
    madvise(piece->flags, (size_t)granules(piece), MADV_DONTNEED);
    madvise(piece->code, (size_t)code_bytes(piece), MADV_DONTNEED);
    piece->code_low = UINT64_MAX;
    piece->code_high = 0;
}

void ztl_memory_clear(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++)
        madvise(hart->regions[i].ram.bytes, (size_t)hart->regions[i].ram.size, MADV_DONTNEED);
    hart->code_changed = true;
}

static void zero_bytes(uint8_t *bytes, uint64_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)bytes;
    uint64_t before = -start & (page - 1);
    if (before >= size || size - before < page) {
        memset(bytes, 0, size);
        return;
    }
    uint64_t whole = (size - before) & ~(uint64_t)(page - 1);
    memset(bytes, 0, before);
    madvise(bytes + before, whole, MADV_DONTNEED);
    memset(bytes + before + whole, 0, size - before - whole);
}

void ztl_memory_zero(ztl_hart *hart, uint64_t address, uint64_t size)
{
    for (uint64_t done = 0; done < size;) {
        region *piece;
        uint64_t count = ztl_memory_span(hart, address + done, size - done, &piece);
        if (!count)
            return;
        hart->code_changed |=
            ztl_memory_touches_code(piece, address + done - piece->ram.base, count);
        zero_bytes(piece->ram.bytes + (address + done - piece->ram.base), count);
        done += count;
    }
}
