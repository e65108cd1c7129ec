/* SPDX-License-Identifier: Apache-2.0
 * What a load or store does, byte by byte as section 5 says, and the check of one through
 * callbacks, by pointer, and both.
 */
#ifndef ZTL_TEST_ACCESS_H
#define ZTL_TEST_ACCESS_H

#include "tests/hart.h"

/* Guest memory: at the bottom, in the middle in two adjoining pieces, and at the top. */
enum { REGION = 0x1000, MIDDLE = 0x10000, REGIONS = 4 };
static ztl_ram regions[REGIONS];
static uint8_t bytes[REGIONS][REGION];

/* The same as pages, in a table that has room for all of them, and in one that has not: there the
 * region at the bottom has the place of another. */
enum { PAGE_BITS = 12, ALL_PAGES = 32, SOME_PAGES = 8 };
static ztl_ram all_pages[ALL_PAGES], some_pages[SOME_PAGES];

static inline void map_regions(unsigned xlen)
{
    uint64_t end = xlen == 32 ? UINT64_C(0x100000000) : 0;
    const uint64_t bases[REGIONS] = {0, MIDDLE, MIDDLE + REGION, end - REGION};
    for (unsigned i = 0; i < REGIONS; i++) {
        regions[i] = (ztl_ram){bases[i], REGION, bytes[i]};
        all_pages[(bases[i] >> PAGE_BITS) % ALL_PAGES] = regions[i];
        some_pages[(bases[i] >> PAGE_BITS) % SOME_PAGES] = regions[i];
    }
}

static inline uint8_t *byte_at(uint64_t address)
{
    for (unsigned i = 0; i < REGIONS; i++)
        if (address >= regions[i].base && address - regions[i].base < REGION)
            return &bytes[i][address - regions[i].base];
    return NULL;
}

/* One load or store, as the contract describes it. */
typedef struct access {
    bool is_store, masked;
    unsigned count, width, align;
    uint32_t mask;
    uint64_t slice[32];
    ztl_window window;
    unsigned tl;
    uint32_t word;
} access;

typedef struct outcome {
    unsigned cause; /* 0: none */
    uint64_t tval;
    uint8_t tl[ZTL_REG_BYTES];
    uint8_t memory[REGIONS][REGION];
} outcome;

static inline uint64_t wrap(uint64_t address)
{
    return hart.config.xlen == 32 ? address & 0xffffffff : address;
}

static inline bool accessed(const access *a, unsigned i)
{
    return !a->masked || a->mask & UINT32_C(1) << i;
}

static inline bool in_window(const ztl_window *window, uint64_t address)
{
    return window->size == 0 || (address >= window->base && address - window->base < window->size);
}

static inline void expect_trap(outcome *out, unsigned cause, uint64_t tval)
{
    if (out->cause == 0) {
        out->cause = cause;
        out->tval = tval;
    }
}

static inline void reference(const access *a, outcome *out)
{
    out->cause = 0;
    memcpy(out->tl, ztl_get_register(&hart, a->tl), sizeof out->tl);
    memcpy(out->memory, bytes, sizeof bytes);
    for (unsigned i = 0; i < a->count; i++)
        if (accessed(a, i) && a->slice[i] % a->align)
            expect_trap(out, a->is_store ? 6 : 4, a->slice[i]);
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < a->width; k++) {
            uint64_t address = wrap(a->slice[i] + k);
            uint8_t *here = byte_at(address);
            uint8_t *in_tl = &out->tl[i * a->width + k];
            if (!accessed(a, i)) {
                if (!a->is_store)
                    *in_tl = 0;
            } else if (!here || !in_window(&a->window, address)) {
                expect_trap(out, a->is_store ? 7 : 5, address);
            } else if (a->is_store) {
                ((uint8_t *)out->memory)[here - (uint8_t *)bytes] = *in_tl;
            } else {
                *in_tl = *here;
            }
        }
}

/* Callbacks over the same regions, which notice a call outside the slices that are accessed. */
static const access *current;
static unsigned calls;

static inline size_t reach(uint64_t address, size_t size)
{
    size_t n = 0;
    while (n < size && byte_at(address + n))
        n++;
    bool allowed = false;
    for (unsigned i = 0; i < current->count; i++)
        allowed |= accessed(current, i) && wrap(address - current->slice[i]) < current->width;
    assert_true(allowed);
    assert_true(wrap(address + size - 1) >= address); /* never around the end */
    calls++;
    return n;
}

static inline size_t load(void *context, uint64_t address, void *to, size_t size)
{
    assert_ptr_equal(context, regions);
    size_t n = reach(address, size);
    for (size_t k = 0; to && n == size && k < n; k++)
        ((uint8_t *)to)[k] = *byte_at(address + k);
    return n;
}

static inline size_t store(void *context, uint64_t address, const void *from, size_t size)
{
    assert_ptr_equal(context, regions);
    size_t n = reach(address, size);
    for (size_t k = 0; from && n == size && k < n; k++)
        *byte_at(address + k) = ((const uint8_t *)from)[k];
    return n;
}

static const ztl_memory memories[] = {
    {.load = load, .store = store, .context = regions},
    {.ram = regions, .ram_count = REGIONS},
    {.load = load, .store = store, .context = regions, .ram = regions + 1, .ram_count = 1},
    {.ram = all_pages, .ram_count = ALL_PAGES, .page_bits = PAGE_BITS},
    {load, store, regions, some_pages, SOME_PAGES, PAGE_BITS},
};
enum { MEMORIES = sizeof memories / sizeof memories[0] };

static unsigned traps, successes;

/* Runs one access through every kind of memory, from the same start, to the same end. */
static inline void check(const access *a)
{
    static outcome expected;
    static ztl_state start;
    static uint8_t start_bytes[REGIONS][REGION];
    static const uint8_t zero[ZTL_REG_BYTES];
    current = a;
    reference(a, &expected);
    memcpy(&start, &hart, sizeof start);
    memcpy(start_bytes, bytes, sizeof bytes);
    for (unsigned m = 0; m < MEMORIES; m++) {
        memcpy(&hart, &start, sizeof start);
        memcpy(bytes, start_bytes, sizeof bytes);
        hart_memory = &memories[m];
        if (expected.cause) {
            run_fault(a->word, expected.cause, expected.tval);
            assert_memory_equal(bytes, start_bytes, sizeof bytes);
            continue;
        }
        run_ok(a->word);
        expect_register(a->tl, a->tl ? expected.tl : zero);
        assert_memory_equal(bytes, expected.memory, sizeof bytes);
        memcpy(hart.tl[a->tl], start.tl[a->tl], ZTL_REG_BYTES);
        assert_memory_equal(&hart, &start, sizeof hart); /* nothing else changed */
    }
    traps += expected.cause != 0;
    successes += expected.cause == 0;
}

static inline void start(unsigned revision, unsigned xlen, ztl_window l1m, ztl_window l0m)
{
    ztl_config config = {revision, xlen, revision == 2 ? 0x1f : 0xf, l1m, l0m};
    assert_int_equal(ztl_init(&hart, &config), ZTL_OK);
    choose_bodies(&hart);
    map_regions(xlen);
    random_bytes((uint8_t *)bytes, sizeof bytes);
    fill_registers();
    traps = successes = 0;
}

static inline void start_flat(unsigned revision, unsigned xlen)
{
    start(revision, xlen, (ztl_window){0}, (ztl_window){0});
}

#endif
