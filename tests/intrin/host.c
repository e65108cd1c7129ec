/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics on the host: the words they stand for, traps and handlers, a hart for each thread.
 */
#include "tests/unit.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

/* What the last trap was. */
typedef struct record {
    unsigned count;
    uint32_t word;
    ztl_insn insn;
    ztl_intrin_trap trap;
    enum ztl_intrin_resume resume;
    char text[64];
} record;

static enum ztl_intrin_resume note(const ztl_intrin_trap *trap, void *context)
{
    record *r = context;
    r->count++;
    r->trap = *trap;
    r->word = trap->site->word;
    r->insn = (ztl_insn){.row = ztl_isa_insn(trap->site->id), .word = trap->site->word};
    memcpy(r->insn.operand, trap->site->operand, sizeof r->insn.operand);
    ztl_disassemble(2, r->word, r->text, sizeof r->text);
    return r->resume;
}

/* On a hart without Ztl everything traps: the handler sees what the intrinsic stands for. */
#define ASSERT_IS(call, assembly)                                                                  \
    do {                                                                                           \
        ztl_insn decoded;                                                                          \
        call;                                                                                      \
        assert_string_equal(r.text, assembly);                                                     \
        assert_true(ztl_decode(2, r.word, &decoded));                                              \
        assert_ptr_equal(decoded.row, r.insn.row);                                                 \
        assert_memory_equal(decoded.operand, r.insn.operand, sizeof decoded.operand);              \
    } while (0)

static void test_words(void **state)
{
    (void)state;
    record r = {.count = 0};
    char block[1024];
    ztl_config none = ztl_default_config();
    none.subsets = 0;
    ztl_intrin_init(&none);
    ztl_intrin_set_trap_handler(note, &r);
    ASSERT_IS(tl_load(31, block, -128), "tl.load tl31, -128(a0)");
    ASSERT_IS(tl_mload(1, block, 127), "tl.mload tl1, 127(a0)");
    ASSERT_IS(tl_store(2, block, 0), "tl.store tl2, 0(a0)");
    ASSERT_IS(tl_mstore_e(3, block, -1, ZTL_ENGINE_STORE), "tl.mstore tl3, -1(a0), store");
    ASSERT_IS(tl_concat_0(1, 2, 3), "tl.concat.0 tl1, tl2, tl3");
    ASSERT_IS(tl_concat_1(4, 5, 6), "tl.concat.1 tl4, tl5, tl6");
    ASSERT_IS(tl_concat_2_e(31, 30, 29, 1), "tl.concat.2 tl31, tl30, tl29, comp");
    ASSERT_IS(tl_merge_0(1, 2, 3), "tl.merge.0 tl1, tl2, tl3");
    ASSERT_IS(tl_merge_1(1, 2, 3), "tl.merge.1 tl1, tl2, tl3");
    ASSERT_IS(tl_merge_2(1, 2, 3), "tl.merge.2 tl1, tl2, tl3");
    ASSERT_IS(tl_addi(9, 8, -7), "tl.addi tl9, tl8, -7");
    ASSERT_IS(tl_addi_e(9, 8, 127, 3), "tl.addi tl9, tl8, 127, reshape");
    ASSERT_IS(tl_xpose_00(1, 2, 0), "tl.xpose.00 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_01(1, 2, 0), "tl.xpose.01 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_02(1, 2, 0), "tl.xpose.02 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_03(1, 2, 0), "tl.xpose.03 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_11(1, 2, 0), "tl.xpose.11 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_12(1, 2, 0), "tl.xpose.12 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_13(1, 2, 0), "tl.xpose.13 tl1, tl2, a0");
    ASSERT_IS(tl_xpose_23_e(31, 0, 0, 2), "tl.xpose.23 tl31, tl0, a0, store");
    ASSERT_IS(tl_xpose_33(1, 2, 0), "tl.xpose.33 tl1, tl2, a0");
    ASSERT_IS(tl_permute_b(1, 2, 0), "tl.permute.b tl1, tl2, a0");
    ASSERT_IS(tl_permute_h(1, 2, 0), "tl.permute.h tl1, tl2, a0");
    ASSERT_IS(tl_permute_w(1, 2, 0), "tl.permute.w tl1, tl2, a0");
    ASSERT_IS(tl_permute_d(1, 2, 0), "tl.permute.d tl1, tl2, a0");
    assert_int_equal(r.count, 25);
    ztl_intrin_set_trap_handler(NULL, NULL);
}

/* Names of CSR intrinsics are those of the table. */
#define ASSERT_CSR(name)                                                                           \
    do {                                                                                           \
        unsigned address;                                                                          \
        assert_true(ztl_csr_address(2, #name, &address));                                          \
        __riscv_ztl_csrw_##name(0x5a);                                                             \
        uint64_t through = 0;                                                                      \
        ztl_csr_read(ztl_intrin_state(), address, &through);                                       \
        assert_int_equal(through, __riscv_ztl_csrr_##name());                                      \
        __riscv_ztl_csrs_##name(1);                                                                \
        ztl_csr_read(ztl_intrin_state(), address, &through);                                       \
        assert_int_equal(through, __riscv_ztl_csrr_##name());                                      \
    } while (0)

static void test_csrs(void **state)
{
    (void)state;
    ztl_intrin_init(NULL);
    ASSERT_CSR(tshape);
    ASSERT_CSR(tl_transpose_perm);
    ASSERT_CSR(tl_xpose_config);
    ASSERT_CSR(tl_xpose_status);
    ASSERT_CSR(ttype);
    ASSERT_CSR(tmask_concat_1);
    ASSERT_CSR(tmask_concat_2);
    ASSERT_CSR(tl_load_mask);
    ASSERT_CSR(tl_store_mask);
    ASSERT_CSR(tmask_ls);
    ASSERT_CSR(tl_load_width);
    ASSERT_CSR(tl_store_width);
    tl_csrw_load_stride(31, (unsigned long)-1);
    assert_int_equal(tl_csrr(0x85f), 0xffffffff);
    assert_int_equal(__riscv_ztl_csrrw_store_stride(9, 4), 9);
    assert_int_equal(tl_csrrc(0x869, 4), 4);
    assert_int_equal(tl_csrr_store_stride(9), 0);
}

/* Those that are named and no others; values are cut to 32 bits, as csrw cuts them. */
static void test_strides(void **state)
{
    (void)state;
    static const int32_t value[32] = {7, -1, 5, -6, [31] = INT32_MIN};
    ztl_intrin_init(NULL);
    tl_set_load_strides(value, 2);
    assert_int_equal(tl_csrr_load_stride(0), 7);
    assert_int_equal(tl_csrr_load_stride(1), 0xffffffff);
    assert_int_equal(tl_csrr_load_stride(2), 2);
    tl_set_store_strides(value, 32);
    assert_int_equal(tl_csrr_store_stride(3), 0xfffffffa);
    assert_int_equal(tl_csrr_store_stride(31), 0x80000000);
    assert_int_equal(tl_csrr_load_stride(31), 31);
    tl_set_store_strides_linear(5, -3, 3);
    assert_int_equal(tl_csrr_store_stride(0), 5);
    assert_int_equal(tl_csrr_store_stride(2), 0xffffffff);
    assert_int_equal(tl_csrr_store_stride(3), 0xfffffffa);
    tl_set_load_strides_linear(0x7fffffff, 0x40000001, 32);
    assert_int_equal(tl_csrr_load_stride(1), 0xc0000000);
    assert_int_equal(tl_csrr_load_stride(31), 0x4000001e);
    assert_int_equal(tl_csrr_store_stride(0), 5);
    for (int none = 0; none < 1; none++) {
        tl_set_load_strides(value, none);
        tl_set_load_strides_linear(1, 1, none);
    }
    assert_int_equal(tl_csrr_load_stride(0), 0x7fffffff);
}

/* Ztl 1 has no strides: each write traps. */
static void test_strides_trap(void **state)
{
    (void)state;
    static const int32_t value[4] = {7, -1, 5, -6};
    record r = {.resume = ZTL_INTRIN_SKIP};
    ztl_config config = ztl_default_config();
    config.revision = 1;
    config.subsets = ztl_subsets_of(1);
    assert_int_equal(ztl_intrin_init(&config), ZTL_OK);
    ztl_intrin_set_trap_handler(note, &r);
    tl_set_load_strides(value, 3);
    tl_set_store_strides_linear(0, 1, 4);
    assert_int_equal(r.count, 7);
    ztl_intrin_set_trap_handler(NULL, NULL);
    ztl_intrin_init(NULL);
}

/* Inside rounds too; the next round has them again. */
static void test_strides_in_rounds(void **state)
{
    (void)state;
    static uint8_t from[3][256], to[3][128];
    for (size_t i = 0; i < sizeof from; i++)
        from[i / 256][i % 256] = (uint8_t)(i * 7 >> 2);
    ztl_intrin_init(NULL);
    tl_csrw_tshape(ZTL_SHAPE(4, 32, 1));
    ztl_intrin_rounds_begin();
    for (int n = 0; n < 3; n++)
        if (ztl_intrin_round_begin(from[n], to[n])) {
            tl_set_load_strides_linear(0, 2, 4);
            tl_load(1, from[n], 0);
            tl_store(1, to[n], 0);
            tl_set_load_strides_linear(0, 1, 4);
            ztl_intrin_round_end();
        }
    ztl_intrin_rounds_end();
    for (int n = 0; n < 3; n++)
        for (int slice = 0; slice < 4; slice++)
            assert_memory_equal(to[n] + 32 * slice, from[n] + 64 * slice, 32);
}

/* A dimension that turns up too large is 0, and leaves its neighbours alone. */
static void test_dimensions(void **state)
{
    (void)state;
    static const unsigned long in_file = ZTL_DIMS(255, 0, 1, 2);
    enum { IN_ENUM = ZTL_SHAPE(1, 2, 255) };
    for (int large = 256; large < 258; large++) {
        assert_int_equal(ZTL_DIMS(large, 8, 1, large), 0x10800);
        assert_int_equal(ZTL_SHAPE(3, -large, 32), 0x30020);
        assert_int_equal(ZTL_SHAPE(large - 3, 1, large), (large - 3) << 16 | 0x100);
    }
    assert_int_equal(in_file, 0x20100ff);
    assert_int_equal(IN_ENUM, 0x102ff);
}

/* csrs with 0 writes: the mask counts as initialised afterwards. */
static void test_set_nothing_writes(void **state)
{
    (void)state;
    record r = {.resume = ZTL_INTRIN_SKIP};
    ztl_intrin_init(NULL);
    ztl_intrin_set_trap_handler(note, &r);
    tl_csrw_tshape(ZTL_SHAPE(4, 4, 4));
    tl_merge_0(1, 2, 3);
    assert_int_equal(r.trap.result.reason, ZTL_REASON_MASK_UNINITIALISED);
    tl_csrs(ZTL_CSR_MASK1, 0);
    tl_merge_0(1, 2, 3);
    assert_int_equal(r.count, 1);
    ztl_intrin_set_trap_handler(NULL, NULL);
}

static enum ztl_intrin_resume repair_shape(const ztl_intrin_trap *trap, void *context)
{
    ++*(int *)context;
    assert_int_equal(trap->result.reason, ZTL_REASON_SHAPE);
    assert_int_equal(tl_csrr_xpose_status() & 0xff, ZTL_REASON_SHAPE);
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    return ZTL_INTRIN_AGAIN;
}

static void test_repair(void **state)
{
    (void)state;
    int repairs = 0;
    uint8_t block[1024];
    memset(block, 0x42, sizeof block);
    ztl_intrin_init(NULL);
    ztl_intrin_set_trap_handler(repair_shape, &repairs);
    tl_load(7, block, 0);
    ztl_intrin_set_trap_handler(NULL, NULL);
    assert_int_equal(repairs, 1);
    assert_memory_equal(ztl_get_register(ztl_intrin_state(), 7), block, sizeof block);
}

static void test_faults(void **state)
{
    (void)state;
    record r = {.resume = ZTL_INTRIN_SKIP};
    uint8_t block[1032];
    ztl_intrin_init(NULL);
    ztl_intrin_set_trap_handler(note, &r);
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    tl_load(1, NULL, 0);
    assert_int_equal(r.trap.result.cause, ZTL_CAUSE_LOAD_FAULT);
    assert_int_equal(r.trap.result.tval, 0);
    tl_store(1, NULL, 1);
    assert_int_equal(r.trap.result.cause, ZTL_CAUSE_STORE_FAULT);
    tl_csrw_ttype(ZTL_TTYPE_INT32);
    tl_csrw_load_width(32);
    uint8_t *odd = block + 4 - (uintptr_t)block % 4 + 1;
    tl_load(1, odd, 0);
    assert_int_equal(r.trap.result.cause, ZTL_CAUSE_LOAD_MISALIGNED);
    assert_int_equal(r.trap.result.tval, (uintptr_t)odd);
    assert_int_equal(r.trap.a0, (uintptr_t)odd);
    assert_int_equal(tl_csrr(0x8ff), 0);
    assert_int_equal(r.trap.result.rule, ZTL_RULE_NO_CSR);
    assert_int_equal(r.count, 4);
    ztl_intrin_set_trap_handler(NULL, NULL);
}

static enum ztl_intrin_resume leave(const ztl_intrin_trap *trap, void *context)
{
    (void)trap;
    longjmp(*(jmp_buf *)context, 1);
}

/* A handler may leave by longjmp: the hart is as before the instruction, and goes on. */
static void test_leave(void **state)
{
    (void)state;
    static uint8_t block[1024];
    static volatile int left;
    jmp_buf out;
    memset(block, 0x17, sizeof block);
    ztl_intrin_init(NULL);
    ztl_intrin_set_trap_handler(leave, &out);
    if (setjmp(out) == 0)
        tl_load(7, block, 0); /* tshape is 0 */
    else
        left++;
    assert_int_equal(left, 1);
    assert_int_equal(tl_csrr_xpose_status(), ZTL_REASON_SHAPE);
    assert_int_equal(ztl_get_register(ztl_intrin_state(), 7)[0], 0);
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    tl_load(7, block, 0);
    ztl_intrin_set_trap_handler(NULL, NULL);
    assert_memory_equal(ztl_get_register(ztl_intrin_state(), 7), block, sizeof block);
}

/* What a child process prints on stderr before it dies of an abort. */
static void assert_aborts(void (*body)(void), char *text, size_t size)
{
    int ends[2], status;
    memset(text, 0, size);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        ztl_intrin_init(NULL);
        body();
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], text, size - 1) > 0);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_non_null(strstr(text, "tests/intrin/host.c:"));
    close(ends[0]);
}

static void wrong_shape(void)
{
    tl_xpose_01(1, 2, ZTL_DIMS(4, 8, 8, 4));
}

static void test_first_handler(void **state)
{
    (void)state;
    char text[512];
    assert_aborts(wrong_shape, text, sizeof text);
    assert_non_null(strstr(text, "in wrong_shape: tl.xpose.01 tl1, tl2, a0 traps: "
                                 "SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048"));
    assert_non_null(strstr(text, "a0 = 0x4080804"));
}

static volatile int too_many = 33;

static void many_strides(void)
{
    static const int32_t array[33] = {0};
    tl_set_load_strides(array, too_many);
}

static void many_linear(void)
{
    tl_set_store_strides_linear(0, 1, -too_many);
}

static void test_too_many_strides(void **state)
{
    (void)state;
    char text[512];
    assert_aborts(many_strides, text, sizeof text);
    assert_non_null(strstr(text, "in many_strides: 33 strides: there are 32\n"));
    assert_aborts(many_linear, text, sizeof text);
    assert_non_null(strstr(text, " strides: there are 32\n"));
}

static void *other_thread(void *argument)
{
    (void)argument;
    unsigned long at_reset = tl_csrr_tshape();
    tl_csrw_tshape(7);
    return (void *)(uintptr_t)(at_reset == 0 && tl_csrr_tshape() == 7);
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t thread;
    void *good = NULL;
    tl_csrw_tshape(5);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    assert_int_equal(pthread_create(&thread, &small, other_thread, NULL), 0);
    pthread_join(thread, &good);
    assert_non_null(good);
    assert_int_equal(tl_csrr_tshape(), 5);
}

/* The thread's choice of bodies outlives a reset, and is its own; a wrong name changes nothing. */
static void *other_bodies(void *argument)
{
    (void)argument;
    assert_int_equal(ztl_intrin_use_bodies("plain"), ZTL_OK); /* before the first intrinsic */
    tl_addi(1, 0, 5);
    assert_string_equal(ztl_bodies_in_use(ztl_intrin_state()), "plain");
    return (void *)(uintptr_t)(ztl_get_register(ztl_intrin_state(), 1)[0] == 5);
}

static void test_bodies(void **state)
{
    (void)state;
    pthread_t thread;
    void *good = NULL;
    assert_string_equal(ztl_bodies_in_use(ztl_intrin_state()), ztl_bodies_name(0));
    assert_int_equal(ztl_intrin_use_bodies("portable"), ZTL_OK);
    assert_int_equal(ztl_intrin_init(NULL), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(ztl_intrin_state()), "portable");
    assert_int_equal(ztl_intrin_use_bodies("abacus"), ZTL_MISUSE);
    assert_int_equal(pthread_create(&thread, NULL, other_bodies, NULL), 0);
    pthread_join(thread, &good);
    assert_non_null(good);
    assert_string_equal(ztl_bodies_in_use(ztl_intrin_state()), "portable");
    assert_int_equal(ztl_intrin_use_bodies(NULL), ZTL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_csrs),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_strides_trap),
        cmocka_unit_test(test_strides_in_rounds),
        cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_set_nothing_writes),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_leave),
        cmocka_unit_test(test_first_handler),
        cmocka_unit_test(test_too_many_strides),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
