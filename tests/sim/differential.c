/* SPDX-License-Identifier: Apache-2.0
 * Random bytes as programs, in blocks and one by one: both must end the same.
 *
 * RAM is small, so that programs often write over themselves, wrap around, and trap.
 */
#include "tests/sim/code.h"

enum { CODE_AT = 0x10000000, SMALL = 0x1000, HANDLER_AT = 0x2000, LIMIT = 3000, PROGRAMS = 400 };

static uint64_t seed = 88172645463325252u;

static uint32_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

/* A word of an opcode that the hart knows, with few registers, so that values meet. */
static uint32_t random_word(void)
{
    static const uint8_t opcodes[] = {0x03, 0x13, 0x13, 0x17, 0x1b, 0x23, 0x23, 0x2f, 0x33,
                                      0x33, 0x37, 0x3b, 0x63, 0x63, 0x67, 0x6f, 0x73, 0x5b};
    uint32_t word = (next() & ~0x7fu) | opcodes[next() % sizeof opcodes];
    switch (next() % 4) {
    case 0: /* two compressed ones */
        return (next() & 0xfffcfffc) | next() % 3 << 16 | next() % 3;
    case 1: /* a plain funct7 */
        return (word & 0x01ffffff) | (next() % 3 ? 0 : 0x40000000);
    default:
        return word & ~(UINT32_C(0x18) << 7 | UINT32_C(0x10) << 15);
    }
}

static ztl_hart *small_hart(const char *isa)
{
    ztl_error error;
    ztl_window ram[] = {{CODE_AT, SMALL}, {HANDLER_AT, 0x100}};
    ztl_hart_config config = {.isa = isa,
                              .ram = ram,
                              .ram_count = 2,
                              .reset_pc = CODE_AT,
                              .trap_policy = ZTL_TRAP_STOP_NEVER};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    assert_non_null(hart);
    return hart;
}

static void nothing(void *context, ztl_hart *hart, const ztl_event *event)
{
    (void)hart;
    *(uint64_t *)context += event->trapped;
}

/* Goes on two bytes behind what trapped, within the program, whatever its address was. */
static void put_handler(ztl_hart *hart)
{
    unsigned shift = ztl_hart_isa_of(hart)->xlen - 12;
    CODE(hart, HANDLER_AT, CSRRW(31, 0x340, 31), CSRRS(31, 0x341, ZERO), ADDI(31, 31, 2),
         WORD_I(0x13, 1, 31, 31, shift), WORD_I(0x13, 5, 31, 31, shift), LUI(30, CODE_AT >> 12),
         0x01ef8fb3 /* add x31, x31, x30 */, CSRRW(ZERO, 0x341, 31), CSRRW(31, 0x340, 31), MRET);
    ztl_hart_csr_write(hart, 0x305, HANDLER_AT);
}

/* The same start for both: code, and registers that mostly point into RAM. */
static void prepare(ztl_hart *first, ztl_hart *second)
{
    uint32_t words[SMALL / 4];
    for (size_t k = 0; k < SMALL / 4; k++)
        words[k] = random_word();
    ztl_hart *both[] = {first, second};
    uint64_t start = seed;
    for (unsigned h = 0; h < 2; h++) {
        seed = start;
        ztl_hart_reset(both[h]);
        ztl_hart_write_memory(both[h], CODE_AT, words, sizeof words);
        for (unsigned k = 1; k < 32; k++)
            ztl_hart_set_x(both[h], k, next() % 4 ? CODE_AT + next() % SMALL : next());
        put_handler(both[h]);
        ztl_hart_csr_write(both[h], ZTL_CSR_TSHAPE, 4 << 16 | 8 << 8 | 2);
        ztl_hart_csr_write(both[h], ZTL_CSR_LOAD_MASK, next());
        ztl_hart_csr_write(both[h], ZTL_CSR_STORE_MASK, next());
    }
}

static void compare(ztl_hart *first, ztl_hart *second)
{
    static uint8_t a[SMALL], b[SMALL];
    assert_int_equal(ztl_hart_pc(first), ztl_hart_pc(second));
    assert_int_equal(ztl_hart_retired(first), ztl_hart_retired(second));
    assert_int_equal(ztl_hart_privilege(first), ztl_hart_privilege(second));
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(ztl_hart_x(first, k), ztl_hart_x(second, k));
    for (unsigned csr = 0x300; csr < 0x345; csr++) {
        uint64_t left = 0, right = 0;
        ztl_hart_debug_csr_read(first, csr, &left);
        ztl_hart_debug_csr_read(second, csr, &right);
        assert_int_equal(left, right);
    }
    assert_memory_equal(ztl_hart_ztl(first)->tl, ztl_hart_ztl(second)->tl,
                        sizeof ztl_hart_ztl(first)->tl);
    assert_memory_equal(ztl_hart_ztl(first)->csr, ztl_hart_ztl(second)->csr,
                        sizeof ztl_hart_ztl(first)->csr);
    ztl_hart_read_memory(first, CODE_AT, a, sizeof a);
    ztl_hart_read_memory(second, CODE_AT, b, sizeof b);
    assert_memory_equal(a, b, sizeof a);
}

static void run_programs(const char *isa)
{
    ztl_hart *blocks = small_hart(isa), *single = small_hart(isa);
    uint64_t traps = 0, retired = 0;
    ztl_observer observer = {&traps, nothing};
    ztl_hart_set_observer(single, &observer);
    for (unsigned n = 0; n < PROGRAMS; n++) {
        prepare(blocks, single);
        enum ztl_stop left = ztl_hart_run(blocks, LIMIT), right = ztl_hart_run(single, LIMIT);
        assert_int_equal(left, right);
        compare(blocks, single);
        retired += ztl_hart_retired(blocks);
    }
    assert_true(traps > PROGRAMS && retired > LIMIT / 4 * PROGRAMS);
    ztl_hart_destroy(blocks);
    ztl_hart_destroy(single);
}

static void test_rv64(void **state)
{
    (void)state;
    run_programs("rv64imac_zicsr_zifencei_zba_zbb_ztl");
}

static void test_rv32(void **state)
{
    (void)state;
    run_programs("rv32imac_zicsr_zifencei_zba_zbb_ztl1p0");
}

static void test_without_compressed(void **state)
{
    (void)state;
    run_programs("rv64ima_zicsr_ztl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rv64), cmocka_unit_test(test_rv32),
                                       cmocka_unit_test(test_without_compressed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
