/* SPDX-License-Identifier: Apache-2.0
 * The model on the registers and the memory of the program that it is linked into.
 */
#include "adapters/qemu/emulate.h"

#include "adapters/qemu/guard.h"

/* No system protects memory in smaller pieces. */
enum { PAGE = 4096 };

enum { OPCODE_SYSTEM = 0x73 };

typedef struct traffic {
    const ztl_window *reach;
    uint64_t loaded, stored;
} traffic;

/* The piece that an address is in; NULL if it is in none. */
static const ztl_window *piece_of(const ztl_window *reach, uint64_t address)
{
    for (; reach->size; reach++)
        if (address - reach->base < reach->size)
            return reach;
    return NULL;
}

size_t ztl_within_reach(const ztl_window *reach, uint64_t address, size_t size)
{
    const ztl_window *piece;
    size_t done = 0;
    if (!reach)
        return size;
    while (done < size && (piece = piece_of(reach, address + done))) {
        uint64_t left = piece->size - (address + done - piece->base);
        done += left < size - done ? (size_t)left : size - done;
    }
    return done;
}

/* How many bytes from `address` on pass the probe, one a page. */
static size_t probe(ztl_guarded (*access)(uintptr_t), uintptr_t address, size_t size)
{
    for (size_t done = 0; done < size; done += PAGE - (address + done) % PAGE)
        if (access(address + done).fault)
            return done;
    return size;
}

static size_t load(void *context, uint64_t address, void *bytes, size_t size)
{
    traffic *moved = context;
    uintptr_t from = (uintptr_t)address;
    size_t allowed = ztl_within_reach(moved->reach, address, size);
    if (allowed < size)
        return allowed;
    if (!bytes)
        return probe(ztl_guard_read, from, size);
    ztl_guarded copy = ztl_guard_copy(bytes, (const void *)from, size);
    if (copy.fault)
        return copy.address > from ? copy.address - from : 0;
    moved->loaded += size;
    return size;
}

static size_t store(void *context, uint64_t address, const void *bytes, size_t size)
{
    traffic *moved = context;
    uintptr_t to = (uintptr_t)address;
    size_t allowed = ztl_within_reach(moved->reach, address, size);
    if (allowed < size)
        return allowed;
    size_t good = probe(ztl_guard_write, to, size);
    if (!bytes || good < size)
        return good;
    ztl_guarded copy = ztl_guard_copy((void *)to, bytes, size);
    if (copy.fault)
        return copy.address > to ? copy.address - to : 0;
    moved->stored += size;
    return size;
}

static void add(uint64_t *counter, uint64_t count)
{
#if __riscv_xlen == 64
    __atomic_fetch_add(counter, count, __ATOMIC_RELAXED);
#else
    *counter += count;
#endif
}

static enum ztl_emulated emulate_csr(ztl_state *state, uint32_t word, uint64_t x[32],
                                     ztl_statistics *statistics, ztl_result *result)
{
    uint64_t old;
    *result = ztl_csr_execute(state, word, x, &old);
    if (result->status != ZTL_OK)
        return ZTL_NOT_OURS;
    unsigned rd = word >> 7 & 0x1f;
    if (rd)
        x[rd] = old;
    add(&statistics->csr, 1);
    return ZTL_EMULATED;
}

enum ztl_emulated ztl_emulate(ztl_state *state, uint32_t word, uint64_t x[32],
                              const ztl_window *reach, ztl_statistics *statistics,
                              ztl_result *result)
{
    if ((word & ZTL_OPCODE_MASK) == OPCODE_SYSTEM)
        return emulate_csr(state, word, x, statistics, result);
    if ((word & ZTL_OPCODE_MASK) != ZTL_OPCODE || state->config.subsets == 0)
        return ZTL_NOT_OURS;
    traffic moved = {.reach = reach};
    ztl_memory memory = {.load = load, .store = store, .context = &moved};
    *result = ztl_execute(state, word, x, &memory);
    if (result->status != ZTL_OK) {
        add(&statistics->traps, 1);
        return ZTL_TRAPPED;
    }
    add(&statistics->count[ztl_isa_lookup(state->config.revision, word)->id], 1);
    add(&statistics->bytes_loaded, moved.loaded);
    add(&statistics->bytes_stored, moved.stored);
    return ZTL_EMULATED;
}
