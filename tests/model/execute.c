/* SPDX-License-Identifier: Apache-2.0
 * From a word to an instruction or a trap: every reason, the order of section 7 for every set of
 * conditions that hold at once, absent sub-extensions, harts without Ztl, calls that are wrong.
 */
#include "tests/hart.h"

/* Conditions, in the order of section 7. */
enum {
    LACKS_SUBSET = 1,
    BAD_TYPE = 2,
    BAD_SHAPE = 4,
    BAD_WIDTH = 8,
    MASK_UNSET = 16,
    TOO_MANY = 32,
    MISALIGNED = 64,
    UNMAPPED = 128,
};

enum { BASE = 0x1000 };

static uint8_t guest[4096];
static const ztl_ram ram = {BASE, sizeof guest, guest};
static const ztl_memory memory = {.ram = &ram, .ram_count = 1};

static void start_with(unsigned revision, unsigned subsets)
{
    ztl_config config = {.revision = revision, .xlen = 64, .subsets = subsets};
    assert_int_equal(ztl_init(&hart, &config), ZTL_OK);
    choose_bodies(&hart);
    memset(x, 0, sizeof x);
    hart_memory = &memory;
    fill_registers();
}

/* Sets the hart up so that exactly the given conditions hold for any instruction. */
static void arrange(unsigned revision, unsigned lacking, unsigned conditions)
{
    unsigned all = revision == 2 ? 0x1f : 0xf;
    start_with(revision, conditions & LACKS_SUBSET ? all & ~lacking : all);
    bool shape_ok = !(conditions & BAD_SHAPE);
    if (revision == 2) {
        set_csr(CSR_TTYPE, conditions & BAD_TYPE ? 0x003 : 0x004); /* int16 */
        set_csr(CSR_TSHAPE, shape_ok ? shape3(8, 8, 8) : shape3(0, 8, 8));
        x[10] = shape_ok ? shape4(8, 8, 8, 2) : shape4(8, 8, 8, 1);
        set_csr(CSR_PERM, shape_ok ? 0xe4 : 0xe5);
        set_csr(CSR_LOAD_WIDTH, conditions & BAD_WIDTH ? 1024 : 0);
        set_csr(CSR_STORE_WIDTH, conditions & BAD_WIDTH ? 1024 : 0);
    } else {
        set_csr(CSR_TSHAPE, shape_ok ? shape3(8, 16, 8) : shape3(8, 8, 8));
        x[10] = shape_ok ? shape4(8, 16, 16, 1) : shape4(8, 16, 0, 1);
        x[12] = shape_ok ? shape4(8, 16, 8, 1) : shape4(8, 16, 16, 1);
    }
    if (!(conditions & MASK_UNSET)) {
        set_csr(CSR_MASK1, 0x1f);
        set_csr(CSR_MASK2, conditions & TOO_MANY ? 0x0f : 0x07);
        set_csr(CSR_LOAD_MASK, 0x10);
        set_csr(CSR_STORE_MASK, 0x10);
    }
    x[11] = BASE + (conditions & MISALIGNED ? 1 : 0);
    if (conditions & UNMAPPED)
        hart_memory = NULL;
}

/* Runs a word under every set of the conditions that can hold for it. */
static void check_order(unsigned revision, uint32_t word, unsigned subset, unsigned possible,
                        bool is_store)
{
    static const unsigned reasons[] = {ENCODING,           TYPE,      SHAPE, WIDTH,
                                       MASK_UNINITIALISED, MASK_COUNT};
    bool skips_first = (word >> 28 & 1) || revision == 1; /* masked: slice 4 is the only one */
    for (unsigned set = 0; set < 256; set++) {
        if (set & ~possible)
            continue;
        arrange(revision, subset, set);
        unsigned first = 0;
        while (first < 8 && !(set >> first & 1))
            first++;
        if (set == 0)
            run_ok(word);
        else if (first < 6)
            run_illegal(word, reasons[first]);
        else
            run_fault(word, (first == 6 ? 4 : 5) + (is_store ? 2 : 0),
                      x[11] + (skips_first ? 4 * 128 : 0));
    }
}

static void order_of_checks(void **state)
{
    (void)state;
    unsigned memory_2 = LACKS_SUBSET | BAD_TYPE | BAD_SHAPE | BAD_WIDTH | MISALIGNED | UNMAPPED;
    unsigned memory_1 = LACKS_SUBSET | BAD_SHAPE | MASK_UNSET | UNMAPPED;
    unsigned move = LACKS_SUBSET | BAD_TYPE | BAD_SHAPE | MASK_UNSET;
    check_order(2, word_load(1, 0, 11), ZTL_SUBSET_M, memory_2, false);
    check_order(2, word_mload(1, 0, 11), ZTL_SUBSET_M, memory_2 | MASK_UNSET, false);
    check_order(2, word_store(1, 0, 11), ZTL_SUBSET_M, memory_2, true);
    check_order(2, word_mstore(1, 0, 11), ZTL_SUBSET_M, memory_2 | MASK_UNSET, true);
    check_order(2, word_mstore(1, 0, 11) | 2 << 12, ZTL_SUBSET_M, memory_2 | MASK_UNSET, true);
    check_order(2, word_concat(0, 1, 2, 3), ZTL_SUBSET_C, move | TOO_MANY, false);
    check_order(2, word_merge(0, 1, 2, 3), ZTL_SUBSET_C, move, false);
    check_order(2, word_addi(1, 2, 3), ZTL_SUBSET_A, LACKS_SUBSET | BAD_TYPE, false);
    check_order(2, word_xpose(1, 1, 2, 10), ZTL_SUBSET_X, LACKS_SUBSET | BAD_TYPE | BAD_SHAPE,
                false);
    check_order(1, word1_mload(1, 12, 11), ZTL_SUBSET_M, memory_1, false);
    check_order(1, word1_mstore(1, 11, 12), ZTL_SUBSET_M, memory_1, true);
    check_order(1, word1_concat(0, 1, 2, 3), ZTL_SUBSET_C,
                LACKS_SUBSET | BAD_SHAPE | MASK_UNSET | TOO_MANY, false);
    check_order(1, word1_addi(1, 2, 3), ZTL_SUBSET_A, LACKS_SUBSET, false);
    check_order(1, word1_xpose(1, 1, 2, 10), ZTL_SUBSET_X, LACKS_SUBSET | BAD_SHAPE, false);
}

/* PERMUTE asks nothing of ttype: a bad one changes nothing. */
static void order_of_permute(void **state)
{
    (void)state;
    for (unsigned set = 0; set < 8; set++) {
        arrange(2, ZTL_SUBSET_P, set);
        if (set & LACKS_SUBSET)
            run_illegal(word_permute(16, 1, 2, 10), ENCODING);
        else if (set & BAD_SHAPE)
            run_illegal(word_permute(16, 1, 2, 10), SHAPE);
        else
            run_ok(word_permute(16, 1, 2, 10));
    }
}

/* An unmapped slice before a misaligned one: misalignment is looked for in all slices first. */
static void misaligned_before_any_fault(void **state)
{
    (void)state;
    for (unsigned st = 0; st < 2; st++) {
        arrange(2, 0, 0);
        set_csr(st ? CSR_STORE_WIDTH : CSR_LOAD_WIDTH, 1);
        set_csr((st ? CSR_STORE_STRIDE : CSR_LOAD_STRIDE) + 0, 0x100000);
        set_csr((st ? CSR_STORE_STRIDE : CSR_LOAD_STRIDE) + 1, 4);
        set_csr((st ? CSR_STORE_STRIDE : CSR_LOAD_STRIDE) + 2, 9);
        set_csr((st ? CSR_STORE_STRIDE : CSR_LOAD_STRIDE) + 3, 11);
        run_fault(word_ls(st, 0, 1, 0, 11), st ? 6 : 4, BASE + 9);
        set_csr(CSR_TTYPE, 0);
        run_fault(word_ls(st, 0, 1, 0, 11), st ? 7 : 5, BASE + 0x100000);
    }
}

/* What is no encoding, on a hart that has everything. */
static void encodings(void **state)
{
    (void)state;
    const uint32_t illegal_2[] = {
        r_type(3, 3, 2, 1, 1),                              /* concat.3 */
        r_type(7, 3, 2, 1, 1),                              /* merge.3 */
        r_type(0xb, 3, 2, 1, 1),                            /* merge.3, second encoding */
        r_type(0xc, 3, 2, 1, 1),                            /* no funct5 */
        r_type(0x10, 3, 2, 1, 1), r_type(0x08, 3, 2, 2, 1), /* funct2 01 of ADDI */
        r_type(0x10, 3, 2, 3, 1), r_type(0x15, 3, 2, 3, 1), r_type(0x1f, 3, 2, 3, 1),
        r_type(0x51, 3, 2, 4, 1), r_type(0, 3, 2, 5, 1),    r_type(0, 3, 2, 6, 1),
        r_type(0, 3, 2, 7, 1),
    };
    const uint32_t illegal_1[] = {
        r_type(0x43, 3, 2, 1, 1), r_type(0x2f, 3, 2, 0, 1), r_type(0x40, 3, 2, 0, 1),
        r_type(0x00, 3, 2, 1, 1), r_type(0x51, 3, 2, 3, 1), r_type(0x50, 3, 2, 4, 1),
        r_type(0, 3, 2, 5, 1),    r_type(0, 3, 2, 6, 1),    r_type(0, 3, 2, 7, 1),
    };
    start_with(2, 0x1f);
    for (size_t i = 0; i < sizeof illegal_2 / sizeof illegal_2[0]; i++)
        for (uint32_t engine = 0; engine < 4; engine++)
            run_illegal((illegal_2[i] & 0x3fffffff) | engine << 30, ENCODING);
    start_with(1, 0xf);
    for (size_t i = 0; i < sizeof illegal_1 / sizeof illegal_1[0]; i++)
        run_illegal(illegal_1[i], ENCODING);
}

/* With one sub-extension present, its instructions work and all others are illegal. */
static void each_subset_alone(void **state)
{
    (void)state;
    const struct {
        uint32_t word;
        unsigned subset;
    } words[] = {
        {word_load(1, 0, 11), ZTL_SUBSET_M},        {word_mload(1, 0, 11), ZTL_SUBSET_M},
        {word_store(1, 0, 11), ZTL_SUBSET_M},       {word_mstore(1, 0, 11), ZTL_SUBSET_M},
        {word_concat(1, 1, 2, 3), ZTL_SUBSET_C},    {word_merge(2, 1, 2, 3), ZTL_SUBSET_C},
        {word_addi(1, 2, 3), ZTL_SUBSET_A},         {word_xpose(1, 1, 2, 10), ZTL_SUBSET_X},
        {word_permute(16, 1, 2, 10), ZTL_SUBSET_P},
    };
    for (unsigned present = 1; present < 0x20; present++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            arrange(2, 0x1f & ~present, LACKS_SUBSET);
            if (present & words[i].subset)
                run_ok(words[i].word);
            else
                run_illegal(words[i].word, ENCODING);
        }
}

/* Without Ztl, or outside the opcode: illegal, and tl_xpose_status does not know of it. */
static void not_ours(void **state)
{
    (void)state;
    static ztl_state before;
    for (unsigned revision = 1; revision <= 2; revision++)
        for (unsigned outside = 0; outside < 2; outside++) {
            start_with(revision, outside ? 1 : 0);
            uint32_t word = word_addi(1, 2, 3) ^ (outside ? 0x20 : 0);
            memcpy(&before, &hart, sizeof before);
            ztl_result r = run_word(word);
            assert_int_equal(r.status, ZTL_TRAP);
            assert_int_equal(r.cause, 2);
            assert_int_equal(r.tval, word);
            assert_int_equal(r.reason, NONE);
            assert_memory_equal(&before, &hart, sizeof before);
        }
}

/* The status keeps its value over success and faults of memory, and takes each new reason. */
static void status_stays(void **state)
{
    (void)state;
    arrange(2, 0, 0);
    run_illegal(r_type(0, 3, 2, 7, 1), ENCODING);
    assert_int_equal(get_csr(CSR_STATUS), 0x701);
    run_ok(word_addi(1, 2, 3));
    assert_int_equal(get_csr(CSR_STATUS), 0x701);
    x[11] = 0x999999990;
    run_fault(word_load(1, 0, 11), 5, 0x999999990);
    assert_int_equal(get_csr(CSR_STATUS), 0x701);
    set_csr(CSR_STATUS, 0xffffffff);
    assert_int_equal(get_csr(CSR_STATUS), 0x7ff);
    run_illegal(word_xpose(1, 1, 2, 0), SHAPE);
    assert_int_equal(get_csr(CSR_STATUS), 0x303);
}

/* A state that was never initialised is a hart without Ztl. */
static void zeroed_state(void **state)
{
    (void)state;
    static ztl_state nothing;
    ztl_result r = ztl_execute(&nothing, word_addi(1, 2, 3), x, NULL);
    assert_int_equal(r.status, ZTL_TRAP);
    assert_int_equal(r.reason, NONE);
}

/* Any word on any state either completes or changes nothing but tl_xpose_status. */
static void random_words(void **state)
{
    (void)state;
    static ztl_state before;
    static uint8_t guest_before[sizeof guest];
    unsigned completed = 0, trapped = 0;
    for (unsigned n = 0; n < (SAMPLED ? 20000 : 30000); n++) {
        if (n % 64 == 0)
            arrange(1 + n / 64 % 2, random_below(15), n / 128 % 3 ? 0 : random_below(256));
        unsigned address = 0x800 + random_below(128);
        if (random_below(4) == 0)
            (void)ztl_csr_write(&hart, address, random_bits() >> random_below(64));
        x[random_below(32)] = random_below(2) ? BASE + random_below(sizeof guest) : random_bits();
        memcpy(&before, &hart, sizeof before);
        memcpy(guest_before, guest, sizeof guest);
        uint32_t word = ((uint32_t)random_bits() & 0xffffcf80) | random_below(5) << 12 | 0x5b;
        ztl_result r = run_word(word);
        completed += r.status == ZTL_OK;
        if (r.status == ZTL_OK)
            continue;
        trapped++;
        assert_int_equal(r.status, ZTL_TRAP);
        if (r.cause == ZTL_CAUSE_ILLEGAL)
            expect_unchanged(&before, (uint32_t)r.reason | (word >> 12 & 7) << 8);
        else
            expect_unchanged(&before, before.csr[ZTL_SLOT_STATUS]);
        assert_memory_equal(guest, guest_before, sizeof guest);
    }
    assert_true(completed > 1000 && trapped > 1000);
}

static void decoded_words(void **state)
{
    (void)state;
    ztl_insn insn;
    uint8_t expected[ZTL_REG_BYTES];
    memset(expected, 5, sizeof expected);
    start_with(2, 0x1f);
    assert_true(ztl_decode(2, word_addi(1, 0, 5), &insn));
    assert_int_equal(ztl_execute_decoded(&hart, &insn, x, NULL).status, ZTL_OK);
    expect_register(1, expected);
    set_csr(CSR_TTYPE, 3);
    ztl_result r = ztl_execute_decoded(&hart, &insn, x, NULL);
    assert_int_equal(r.reason, TYPE);
    assert_int_equal(r.tval, word_addi(1, 0, 5));
    assert_int_equal(get_csr(CSR_STATUS), 0x202);

    assert_true(ztl_decode(1, word1_addi(1, 0, 5), &insn));
    assert_int_equal(ztl_execute_decoded(&hart, &insn, x, NULL).status, ZTL_MISUSE);
    insn.row = NULL;
    assert_int_equal(ztl_execute_decoded(&hart, &insn, x, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_execute_decoded(&hart, NULL, x, NULL).status, ZTL_MISUSE);
}

static void wrong_calls(void **state)
{
    (void)state;
    ztl_insn insn;
    uint32_t word = word_addi(1, 0, 5);
    start_with(2, 0x1f);
    ztl_state *askew = (ztl_state *)((uintptr_t)&hart + 1);
    assert_true(ztl_decode(2, word, &insn));
    assert_int_equal(ztl_execute(NULL, word, x, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_execute(askew, word, x, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_execute(&hart, word, NULL, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_execute_decoded(NULL, &insn, x, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_execute_decoded(askew, &insn, x, NULL).status, ZTL_MISUSE);
    assert_int_equal(ztl_execute_decoded(&hart, &insn, NULL, NULL).status, ZTL_MISUSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_checks),   cmocka_unit_test(order_of_permute),
        cmocka_unit_test(encodings),         cmocka_unit_test(misaligned_before_any_fault),
        cmocka_unit_test(each_subset_alone), cmocka_unit_test(not_ours),
        cmocka_unit_test(status_stays),      cmocka_unit_test(decoded_words),
        cmocka_unit_test(wrong_calls),       cmocka_unit_test(zeroed_state),
        cmocka_unit_test(random_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
