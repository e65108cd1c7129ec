/* SPDX-License-Identifier: Apache-2.0
 * A hart to test on: one state, its integer registers, and what every test asks of a trap.
 */
#ifndef ZTL_TEST_HART_H
#define ZTL_TEST_HART_H

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "tests/words.h"

/* Long exhaustive loops take every one of their steps, or a few of them where code runs slowly. */
#ifdef ZTL_SAMPLED
enum { SAMPLED = 1 };
#else
enum { SAMPLED = 0 };
#endif

/* CSRs by address, from section 2. */
enum {
    CSR_TSHAPE = 0x800,
    CSR_PERM = 0x801,
    CSR_CONFIG = 0x802,
    CSR_STATUS = 0x803,
    CSR_TTYPE = 0x804,
    CSR_MASK1 = 0x810,
    CSR_MASK2 = 0x811,
    CSR_LOAD_MASK = 0x812,
    CSR_STORE_MASK = 0x813,
    CSR_MASK_LS = 0x814,
    CSR_LOAD_WIDTH = 0x815,
    CSR_STORE_WIDTH = 0x816,
    CSR_LOAD_STRIDE = 0x840,
    CSR_STORE_STRIDE = 0x860,
};

/* Reasons by number, from section 7. */
enum { NONE, ENCODING, TYPE, SHAPE, WIDTH, MASK_UNINITIALISED, MASK_COUNT };

/* Values of ttype with the bits of their elements, from section 2. */
static const struct test_type {
    uint32_t ttype;
    unsigned bits;
} test_types[] = {{0x000, 8}, {0x001, 4}, {0x002, 8}, {0x004, 16}, {0x008, 32}, {0x010, 4},
                  {0x040, 8}, {0x080, 8}, {0x0c0, 8}, {0x100, 16}, {0x200, 16}, {0x400, 32}};
enum { TEST_TYPES = sizeof test_types / sizeof test_types[0] };

static ztl_state hart;
static uint64_t x[32];
static const ztl_memory *hart_memory;

static uint64_t random_seed = 0x9e3779b97f4a7c15;

/* xorshift64*: the same numbers in every run. */
static inline uint64_t random_bits(void)
{
    random_seed ^= random_seed >> 12;
    random_seed ^= random_seed << 25;
    random_seed ^= random_seed >> 27;
    return random_seed * 0x2545f4914f6cdd1d;
}

static inline unsigned random_below(unsigned limit)
{
    return (unsigned)(random_bits() >> 33) % limit;
}

static inline void random_bytes(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(random_bits() >> 40);
}

/* ZTL_BODIES=plain runs a test on the bodies that are the meaning, instead of this machine's. */
static inline void choose_bodies(ztl_state *state)
{
    static void *memory;
    if (!memory)
        assert_non_null(memory = malloc(ztl_accelerator_size()));
    assert_int_equal(ztl_attach_accelerator(state, memory, getenv("ZTL_BODIES")), ZTL_OK);
}

static inline void start_hart(unsigned revision, unsigned xlen)
{
    ztl_config config = {.revision = revision, .xlen = xlen, .subsets = revision == 2 ? 0x1f : 0xf};
    assert_int_equal(ztl_init(&hart, &config), ZTL_OK);
    choose_bodies(&hart);
    memset(x, 0, sizeof x);
    hart_memory = NULL;
}

/* Every register but tl0 full of noise. */
static inline void fill_registers(void)
{
    uint8_t noise[ZTL_REG_BYTES];
    for (unsigned i = 1; i < ZTL_REGISTERS; i++) {
        random_bytes(noise, sizeof noise);
        assert_int_equal(ztl_set_register(&hart, i, noise), ZTL_OK);
    }
}

static inline void set_csr(unsigned address, uint64_t value)
{
    assert_int_equal(ztl_csr_write(&hart, address, value), ZTL_OK);
}

static inline uint64_t get_csr(unsigned address)
{
    uint64_t value;
    assert_int_equal(ztl_csr_read(&hart, address, &value), ZTL_OK);
    return value;
}

static inline uint32_t shape3(unsigned d0, unsigned d1, unsigned d2)
{
    return d0 << 16 | d1 << 8 | d2;
}

static inline uint32_t shape4(unsigned d0, unsigned d1, unsigned d2, unsigned d3)
{
    return d0 | d1 << 8 | d2 << 16 | (uint32_t)d3 << 24;
}

static inline ztl_result run_word(uint32_t word)
{
    return ztl_execute(&hart, word, x, hart_memory);
}

static inline void run_ok(uint32_t word)
{
    ztl_result r = run_word(word);
    assert_int_equal(r.status, ZTL_OK);
}

/* Nothing but tl_xpose_status may differ from what was. */
static inline void expect_unchanged(const ztl_state *before, uint32_t status)
{
    static ztl_state now;
    memcpy(&now, &hart, sizeof now);
    assert_int_equal(now.csr[ZTL_SLOT_STATUS], status);
    now.csr[ZTL_SLOT_STATUS] = before->csr[ZTL_SLOT_STATUS];
    assert_memory_equal(&now, before, sizeof now);
}

/* The word is an illegal instruction for this reason, says so in tl_xpose_status, and does nothing
 * else. */
static inline void run_illegal(uint32_t word, unsigned reason)
{
    static ztl_state before;
    memcpy(&before, &hart, sizeof before);
    ztl_result r = run_word(word);
    assert_int_equal(r.status, ZTL_TRAP);
    assert_int_equal(r.cause, 2);
    assert_int_equal(r.tval, word);
    assert_int_equal(r.reason, reason);
    expect_unchanged(&before, reason | (word >> 12 & 7) << 8);
}

/* The word raises an exception of memory, which tl_xpose_status does not see. */
static inline void run_fault(uint32_t word, unsigned cause, uint64_t tval)
{
    static ztl_state before;
    memcpy(&before, &hart, sizeof before);
    ztl_result r = run_word(word);
    assert_int_equal(r.status, ZTL_TRAP);
    assert_int_equal(r.cause, cause);
    assert_int_equal(r.tval, tval);
    assert_int_equal(r.reason, NONE);
    expect_unchanged(&before, before.csr[ZTL_SLOT_STATUS]);
}

static inline void expect_register(unsigned index, const uint8_t *bytes)
{
    assert_memory_equal(ztl_get_register(&hart, index), bytes, ZTL_REG_BYTES);
}

/* Element n of a block by section 2: little-endian, the even one of two nibbles is the low one. */
static inline uint64_t get_element(const uint8_t *block, unsigned bits, size_t n)
{
    if (bits == 4)
        return n & 1 ? block[n / 2] >> 4 : block[n / 2] & 15;
    uint64_t value = 0;
    memcpy(&value, block + n * (bits / 8), bits / 8);
    return value;
}

static inline void put_element(uint8_t *block, unsigned bits, size_t n, uint64_t value)
{
    uint8_t *byte = block + n / 2;
    if (bits == 4 && n & 1)
        *byte = (uint8_t)((*byte & 0x0f) | value << 4);
    else if (bits == 4)
        *byte = (uint8_t)((*byte & 0xf0) | value);
    else
        memcpy(block + n * (bits / 8), &value, bits / 8);
}

#endif
