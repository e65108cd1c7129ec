/* SPDX-License-Identifier: Apache-2.0
 * CSRs by the rules of section 2 and of Zicsr, through csr instructions put together by hand.
 */
#include "tests/hart.h"

enum { RW = 1, RS = 2, RC = 3, RWI = 5, RSI = 6, RCI = 7 };

/* Section 2, row by row; the stride registers follow from their formula. */
static const struct {
    unsigned address;
    uint32_t reset, writable;
    bool in_revision_1;
} table[] = {
    {0x800, 0, 0x00ffffff, true},  {0x801, 0xe4, 0x000000ff, true}, {0x802, 0, 0, true},
    {0x803, 0, 0x000007ff, true},  {0x804, 0, 0x00000fff, false},   {0x810, 0, 0xffffffff, true},
    {0x811, 0, 0xffffffff, true},  {0x812, 0, 0xffffffff, true},    {0x813, 0, 0xffffffff, true},
    {0x814, 0, 0xffffffff, false}, {0x815, 0, 0xffffffff, false},   {0x816, 0, 0xffffffff, false},
};
enum { ROWS = sizeof table / sizeof table[0] };

static bool exists(unsigned revision, unsigned address, uint32_t *reset, uint32_t *writable)
{
    if (revision == 2 && address >= 0x840 && address < 0x880) {
        *reset = address & 0x1f;
        *writable = UINT32_MAX;
        return true;
    }
    for (unsigned i = 0; i < ROWS; i++)
        if (table[i].address == address && (revision == 2 || table[i].in_revision_1)) {
            *reset = table[i].reset;
            *writable = table[i].writable;
            return true;
        }
    return false;
}

static uint64_t run_csr(uint32_t word)
{
    uint64_t rd = 0xdead;
    ztl_result r = ztl_csr_execute(&hart, word, x, &rd);
    assert_int_equal(r.status, ZTL_OK);
    return rd;
}

static void run_no_csr(uint32_t word)
{
    static ztl_state before;
    memcpy(&before, &hart, sizeof before);
    uint64_t rd = 0xdead;
    ztl_result r = ztl_csr_execute(&hart, word, x, &rd);
    assert_int_equal(r.status, ZTL_TRAP);
    assert_int_equal(r.cause, 2);
    assert_int_equal(r.tval, word);
    assert_int_equal(r.reason, NONE);
    assert_int_equal(rd, 0xdead);
    assert_memory_equal(&before, &hart, sizeof before);
}

/* Which of all 4096 addresses exist, with reset values and writable bits. */
static void every_address(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++)
        for (unsigned xlen = 32; xlen <= 64; xlen += 32)
            for (unsigned address = 0; address < 4096; address++) {
                uint32_t reset, writable;
                uint64_t value;
                if (address % 64 == 0)
                    start_hart(revision, xlen);
                x[5] = UINT64_MAX;
                x[6] = 0x0123456789abcdef;
                if (!exists(revision, address, &reset, &writable)) {
                    run_no_csr(word_csr(RW, 1, address, 5));
                    run_no_csr(word_csr(RS, 1, address, 0));
                    assert_int_equal(ztl_csr_read(&hart, address, &value), ZTL_TRAP);
                    assert_int_equal(ztl_csr_write(&hart, address, 1), ZTL_TRAP);
                    continue;
                }
                start_hart(revision, xlen);
                x[5] = UINT64_MAX;
                x[6] = 0x0123456789abcdef;
                assert_int_equal(run_csr(word_csr(RW, 1, address, 5)), reset);
                assert_int_equal(run_csr(word_csr(RW, 1, address, 6)), writable);
                assert_int_equal(run_csr(word_csr(RS, 1, address, 0)), 0x89abcdef & writable);
                assert_int_equal(get_csr(address), 0x89abcdef & writable);
            }
}

/* What csrrs and csrrc make of a value, with registers and with immediates. */
static void set_and_clear(void **state)
{
    (void)state;
    start_hart(2, 64);
    x[5] = 0xff00ff00ff;
    x[7] = 0x0f0f;
    set_csr(CSR_LOAD_WIDTH, 0x12340000);
    assert_int_equal(run_csr(word_csr(RS, 1, CSR_LOAD_WIDTH, 5)), 0x12340000);
    assert_int_equal(run_csr(word_csr(RC, 1, CSR_LOAD_WIDTH, 7)), 0x123400ff | 0x00ff0000);
    assert_int_equal(run_csr(word_csr(RSI, 1, CSR_LOAD_WIDTH, 21)), 0x12ff00f0);
    assert_int_equal(run_csr(word_csr(RCI, 1, CSR_LOAD_WIDTH, 16)), 0x12ff00f5);
    assert_int_equal(run_csr(word_csr(RWI, 1, CSR_LOAD_WIDTH, 31)), 0x12ff00e5);
    assert_int_equal(run_csr(word_csr(RW, 0, CSR_LOAD_WIDTH, 0)), 31);
    assert_int_equal(get_csr(CSR_LOAD_WIDTH), 0);
    x[0] = 99; /* x0 reads zero whatever the array says */
    run_csr(word_csr(RW, 0, CSR_LOAD_WIDTH, 0));
    assert_int_equal(get_csr(CSR_LOAD_WIDTH), 0);
}

static bool finds_mask(uint32_t word)
{
    return (unsigned)run_word(word).reason != MASK_UNINITIALISED;
}

static bool load_mask_initialised(void)
{
    set_csr(CSR_TSHAPE, shape3(1, 1, 2));
    return finds_mask(word_mload(1, 0, 0));
}

static bool store_mask_initialised(void)
{
    set_csr(CSR_TSHAPE, shape3(1, 1, 2));
    return finds_mask(word_mstore(1, 0, 0));
}

static bool mask_1_initialised(void)
{
    set_csr(CSR_TSHAPE, shape3(1, 1, 2));
    return finds_mask(word_merge(0, 1, 1, 1));
}

static bool mask_2_initialised(void)
{
    set_csr(CSR_MASK1, 0);
    set_csr(CSR_TSHAPE, shape3(1, 1, 2));
    return finds_mask(word_concat(0, 1, 1, 1));
}

/* The six instructions, with a source of zero or not: which write by the rules of Zicsr. */
static void initialised_by(void **state)
{
    (void)state;
    static const struct {
        unsigned address;
        bool (*initialised)(void);
    } masks[] = {{CSR_MASK1, mask_1_initialised},        {CSR_MASK2, mask_2_initialised},
                 {CSR_LOAD_MASK, load_mask_initialised}, {CSR_STORE_MASK, store_mask_initialised},
                 {CSR_MASK_LS, load_mask_initialised},   {CSR_MASK_LS, store_mask_initialised}};
    for (unsigned m = 0; m < 6; m++)
        for (unsigned funct3 = 1; funct3 < 8; funct3++)
            for (unsigned source = 0; source < 2; source++) {
                if (funct3 == 4)
                    continue;
                start_hart(2, 64); /* x1 holds 0: csrrs with it writes the value there is */
                run_csr(word_csr(funct3, 0, masks[m].address, source));
                bool writes = funct3 % 4 == RW || source != 0;
                assert_int_equal(masks[m].initialised(), writes);
            }
    start_hart(2, 64);
    set_csr(CSR_LOAD_MASK, 0);
    assert_false(store_mask_initialised());
    set_csr(CSR_MASK1, 0);
    assert_false(store_mask_initialised());
    assert_int_equal(ztl_reset(&hart), ZTL_OK);
    assert_false(load_mask_initialised());
}

/* tmask_ls: reads the load mask, writes both. */
static void view_of_both_masks(void **state)
{
    (void)state;
    start_hart(2, 64);
    set_csr(CSR_LOAD_MASK, 0x0f);
    set_csr(CSR_STORE_MASK, 0xf000);
    assert_int_equal(get_csr(CSR_MASK_LS), 0x0f);
    assert_int_equal(run_csr(word_csr(RS, 1, CSR_MASK_LS, 0)), 0x0f);
    assert_int_equal(get_csr(CSR_STORE_MASK), 0xf000);
    assert_int_equal(run_csr(word_csr(RSI, 1, CSR_MASK_LS, 16)), 0x0f);
    assert_int_equal(get_csr(CSR_LOAD_MASK), 0x1f);
    assert_int_equal(get_csr(CSR_STORE_MASK), 0x1f);
    set_csr(CSR_STORE_MASK, 0xffff);
    assert_int_equal(run_csr(word_csr(RCI, 1, CSR_MASK_LS, 1)), 0x1f);
    assert_int_equal(get_csr(CSR_LOAD_MASK), 0x1e);
    assert_int_equal(get_csr(CSR_STORE_MASK), 0x1e);
    set_csr(CSR_MASK_LS, 0xabcdef0123456789);
    assert_int_equal(get_csr(CSR_LOAD_MASK), 0x23456789);
    assert_int_equal(get_csr(CSR_STORE_MASK), 0x23456789);
}

static void not_csr_instructions(void **state)
{
    (void)state;
    start_hart(2, 64);
    run_no_csr(word_csr(0, 1, CSR_TSHAPE, 1));         /* ecall's funct3 */
    run_no_csr(word_csr(4, 1, CSR_TSHAPE, 1));         /* no instruction */
    run_no_csr(word_csr(RW, 1, CSR_TSHAPE, 1) ^ 0x40); /* another opcode */
}

/* A hart without Ztl has no CSR; one with any sub-extension has all of its revision. */
static void subsets(void **state)
{
    (void)state;
    uint64_t value;
    for (unsigned subset = 0; subset < 0x20; subset++) {
        ztl_config config = {.revision = 2, .xlen = 64, .subsets = subset};
        assert_int_equal(ztl_init(&hart, &config), ZTL_OK);
        enum ztl_status expected = subset ? ZTL_OK : ZTL_TRAP;
        assert_int_equal(ztl_csr_read(&hart, CSR_TTYPE, &value), expected);
        assert_int_equal(ztl_csr_write(&hart, CSR_LOAD_STRIDE + 31, 1), expected);
        if (!subset)
            run_no_csr(word_csr(RS, 1, CSR_TSHAPE, 0));
    }
}

static void wrong_calls(void **state)
{
    (void)state;
    uint64_t value;
    start_hart(2, 64);
    ztl_state *askew = (ztl_state *)((uintptr_t)&hart + 4);
    uint32_t word = word_csr(RS, 1, CSR_TSHAPE, 0);
    assert_int_equal(ztl_csr_read(NULL, CSR_TSHAPE, &value), ZTL_MISUSE);
    assert_int_equal(ztl_csr_read(askew, CSR_TSHAPE, &value), ZTL_MISUSE);
    assert_int_equal(ztl_csr_read(&hart, CSR_TSHAPE, NULL), ZTL_MISUSE);
    assert_int_equal(ztl_csr_write(NULL, CSR_TSHAPE, 0), ZTL_MISUSE);
    assert_int_equal(ztl_csr_write(askew, CSR_TSHAPE, 0), ZTL_MISUSE);
    assert_int_equal(ztl_csr_execute(NULL, word, x, &value).status, ZTL_MISUSE);
    assert_int_equal(ztl_csr_execute(askew, word, x, &value).status, ZTL_MISUSE);
    assert_int_equal(ztl_csr_execute(&hart, word, NULL, &value).status, ZTL_MISUSE);
    assert_int_equal(ztl_csr_execute(&hart, word, x, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_csr_read(&hart, 0xffffffff, &value), ZTL_TRAP);
    assert_int_equal(ztl_csr_write(&hart, 0x10800, 0), ZTL_TRAP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address),        cmocka_unit_test(set_and_clear),
        cmocka_unit_test(initialised_by),       cmocka_unit_test(view_of_both_masks),
        cmocka_unit_test(not_csr_instructions), cmocka_unit_test(subsets),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
