/* SPDX-License-Identifier: Apache-2.0
 * The state around floating point: mstatus.FS, fcsr, boxes, and what a program without them sees.
 */
#include <unistd.h>

#include "tests/sim/code.h"

enum {
    FFLAGS = 1,
    FRM = 2,
    FCSR = 3,
    MSTATUS = 0x300,
    MISA = 0x301,
    FS = 3 << 13,
    FS_INITIAL = 1 << 13
};

/* As GNU as puts them together. */
#define FADD_D_RNE 0x02c58553u /* fadd.d fa0, fa1, fa2, rne */
#define FADD_D_DYN 0x02c5f553u
#define FADD_D_5   0x02c5d553u /* reserved rounding modes */
#define FADD_D_6   0x02c5e553u
#define FADD_S     0x00c58553u /* fadd.s fa0, fa1, fa2, rne */
#define FDIV_D     0x1ac58553u
#define FEQ_D      0xa2c5a553u /* feq.d a0, fa1, fa2 */
#define FCVT_D_W_5 0xd205d553u
#define FMV_X_W    0xe0058553u /* fmv.x.w a0, fa1 */
#define FLW        0x0006a507u /* flw fa0, 0(a3) */
#define FLD        0x0006b507u
#define FSW        0x00a6a027u /* fsw fa0, 0(a3) */
#define FSD        0x00a6b027u
#define FLH        0x00069507u
#define C_FLD      0x2288u /* c.fld fa0, 0(a3) */
#define C_FLWSP    0x6502u /* c.flwsp fa0, 0(sp), c.ldsp a0, 0(sp) on RV64 */

#define ONE  UINT64_C(0x3ff0000000000000)
#define TWO  UINT64_C(0x4000000000000000)
#define NAN1 UINT64_C(0xffffffff7fc00000) /* the canonical one of single precision, boxed */

static const char full[] = "rv64gc_zfh_ztl";

static ztl_hart *with_float(const char *isa)
{
    ztl_hart *hart = make_hart(isa, ZTL_TRAP_STOP_ALWAYS);
    assert_true(ztl_hart_csr_write(hart, MSTATUS, FS_INITIAL));
    ztl_hart_set_f(hart, A1, ONE);
    ztl_hart_set_f(hart, A2, ONE);
    ztl_hart_set_x(hart, A3, DATA);
    return hart;
}

static void good(ztl_hart *hart, uint32_t word)
{
    assert_int_equal(ztl_hart_execute(hart, word), ZTL_STOP_LIMIT);
}

/* A word is illegal, with its bits as tval, for the reason whose words are given. */
static void illegal(ztl_hart *hart, uint32_t word, const char *reason)
{
    char text[200] = "";
    assert_int_equal(ztl_hart_execute(hart, word), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, 2);
    assert_int_equal(ztl_hart_last_trap(hart)->tval, word);
    assert_int_equal(ztl_hart_explain_illegal(hart, word, text, sizeof text), *reason != '\0');
    if (!strstr(text, reason))
        fail_msg("'%s' is not in '%s'", reason, text);
}

static void test_off(void **state)
{
    (void)state;
    static const char why[] = "mstatus.FS is 0";
    ztl_hart *hart = with_float(full);
    uint64_t value;
    ztl_hart_csr_write(hart, MSTATUS, 0);
    illegal(hart, FADD_D_RNE, why);
    illegal(hart, FLD, why);
    illegal(hart, FSW, why);
    illegal(hart, FMV_X_W, why);
    illegal(hart, C_FLD, why);
    illegal(hart, CSRRS(A0, FCSR, ZERO), why);
    illegal(hart, CSRRWI(0, FRM, 1), why);
    assert_false(ztl_hart_csr_read(hart, FFLAGS, &value));
    assert_true(ztl_hart_debug_csr_read(hart, FFLAGS, &value));
    /* In a block, too. */
    CODE(hart, BASE, ADDI(A0, A0, 1), FADD_D_RNE, FSD, JUMP_0);
    ztl_hart_set_pc(hart, BASE);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->pc, BASE + 4);
    ztl_hart_set_pc(hart, BASE + 8);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->pc, BASE + 8);
    ztl_hart_destroy(hart);
}

static unsigned status(ztl_hart *hart)
{
    unsigned field = (unsigned)(csr_of(hart, MSTATUS) & FS) / FS_INITIAL;
    unsigned sd = ztl_hart_isa_of(hart)->xlen - 1;
    assert_int_equal(csr_of(hart, MSTATUS) >> sd, field == 3);
    return field;
}

static void test_dirty(void **state)
{
    (void)state;
    static const uint32_t dirtying[] = {
        FADD_D_RNE, FLW, FLD, FLH, C_FLD, FDIV_D, CSRRWI(0, FRM, 0), CSRRWI(0, FCSR, 0)};
    static const uint32_t clean[] = {FSW, FSD, FEQ_D, FMV_X_W, CSRRS(A0, FCSR, ZERO)};
    ztl_hart *hart = with_float(full);
    for (size_t i = 0; i < sizeof dirtying / sizeof dirtying[0]; i++) {
        ztl_hart_csr_write(hart, MSTATUS, FS_INITIAL);
        assert_int_equal(status(hart), 1);
        good(hart, dirtying[i]);
        assert_int_equal(status(hart), 3);
    }
    ztl_hart_csr_write(hart, MSTATUS, 2 * FS_INITIAL);
    for (size_t i = 0; i < sizeof clean / sizeof clean[0]; i++)
        good(hart, clean[i]);
    assert_int_equal(status(hart), 2);
    ztl_hart_set_f(hart, A1, UINT64_C(0x7ff0000000000001));
    good(hart, FEQ_D); /* a flag is a change */
    assert_int_equal(status(hart), 3);
    ztl_hart_destroy(hart);
}

static void test_rounding_modes(void **state)
{
    (void)state;
    ztl_hart *hart = with_float(full);
    illegal(hart, FADD_D_5, "");
    illegal(hart, FADD_D_6, "");
    illegal(hart, FCVT_D_W_5, "");
    for (uint64_t mode = 0; mode < 8; mode++) {
        ztl_hart_csr_write(hart, FRM, mode);
        if (mode < 5)
            good(hart, FADD_D_DYN);
        else
            illegal(hart, FADD_D_DYN, "frm holds no rounding mode");
        good(hart, FADD_D_RNE);
        good(hart, FEQ_D); /* does not round */
    }
    ztl_hart_destroy(hart);
}

static void test_fcsr(void **state)
{
    (void)state;
    ztl_hart *hart = with_float(full);
    ztl_hart_csr_write(hart, FCSR, UINT64_MAX);
    assert_int_equal(csr_of(hart, FCSR), 0xff);
    assert_int_equal(csr_of(hart, FRM), 7);
    assert_int_equal(csr_of(hart, FFLAGS), 0x1f);
    ztl_hart_csr_write(hart, FRM, 0);
    ztl_hart_csr_write(hart, FFLAGS, 1);
    assert_int_equal(csr_of(hart, FCSR), 1);
    ztl_hart_set_f(hart, A2, 0);
    good(hart, FDIV_D); /* flags add up */
    assert_int_equal(csr_of(hart, FFLAGS), 9);
    assert_int_equal(ztl_hart_f(hart, A0), UINT64_C(0x7ff0000000000000));
    assert_int_equal(csr_of(hart, MISA) & (1 << 5 | 1 << 3), 1 << 5 | 1 << 3);
    ztl_hart_destroy(hart);
}

static void test_boxes(void **state)
{
    (void)state;
    static const uint64_t memory = UINT64_C(0x1122334455667788);
    ztl_hart *hart = with_float(full);
    ztl_hart_set_f(hart, A1, UINT64_C(0xffffffff3f800000));
    ztl_hart_set_f(hart, A2, UINT64_C(0xfffffffe3f800000)); /* one bit is missing */
    good(hart, FADD_S);
    assert_int_equal(ztl_hart_f(hart, A0), NAN1);
    ztl_hart_set_f(hart, A2, UINT64_C(0xffffffff3f800000));
    good(hart, FADD_S);
    assert_int_equal(ztl_hart_f(hart, A0), UINT64_C(0xffffffff40000000));
    ztl_hart_write_memory(hart, DATA, &memory, sizeof memory);
    good(hart, FLW);
    assert_int_equal(ztl_hart_f(hart, A0), UINT64_C(0xffffffff55667788));
    good(hart, FLH);
    assert_int_equal(ztl_hart_f(hart, A0), UINT64_C(0xffffffffffff7788));
    good(hart, FLD);
    assert_int_equal(ztl_hart_f(hart, A0), memory);
    ztl_hart_set_f(hart, A1, UINT64_C(0x0000000080000000)); /* moves look at no box */
    good(hart, FMV_X_W);
    assert_int_equal(ztl_hart_x(hart, A0), UINT64_C(0xffffffff80000000));
    ztl_hart_destroy(hart);
}

static void test_other_harts(void **state)
{
    (void)state;
    ztl_hart *none = make_hart("rv64imac_zicsr", ZTL_TRAP_STOP_ALWAYS);
    uint64_t value;
    ztl_hart_csr_write(none, MSTATUS, FS);
    assert_int_equal(csr_of(none, MSTATUS) & FS, 0);
    illegal(none, FADD_D_RNE, "fadd.d needs D, which is not in the hart's ISA, rv64imac_zicsr");
    illegal(none, FLW, "flw needs F");
    illegal(none, C_FLD, "c.fld needs D");
    illegal(none, CSRRS(A0, FCSR, ZERO), "floating point needs F");
    assert_int_equal(ztl_hart_flen(none), 0);
    ztl_hart_set_f(none, 3, ONE);
    assert_int_equal(ztl_hart_f(none, 3), 0);
    assert_false(ztl_hart_debug_csr_read(none, FCSR, &value));
    ztl_hart_destroy(none);
    ztl_hart *bare = make_hart("rv64im", ZTL_TRAP_STOP_ALWAYS);
    illegal(bare, CSRRS(A0, MSTATUS, ZERO), "csrrs needs Zicsr");
    illegal(bare, 0x4501, "c.li needs C");
    ztl_hart_destroy(bare);
    ztl_hart *narrow = with_float("rv32imf");
    assert_int_equal(ztl_hart_flen(narrow), 32);
    ztl_hart_set_f(narrow, A1, 0x3f800000);
    ztl_hart_set_f(narrow, A2, 0x3f800000);
    good(narrow, FADD_S);
    assert_int_equal(ztl_hart_f(narrow, A0), 0x40000000);
    illegal(narrow, FADD_D_RNE, "fadd.d needs D");
    ztl_hart_destroy(narrow);
}

/* The same bits are floating point on one width and integer on the other. */
static void test_compressed(void **state)
{
    (void)state;
    static const uint64_t memory = UINT64_C(0x40000000);
    ztl_hart *hart = with_float("rv32gc");
    ztl_hart_set_x(hart, SP, DATA);
    ztl_hart_write_memory(hart, DATA, &memory, sizeof memory);
    good(hart, C_FLWSP);
    assert_int_equal(ztl_hart_f(hart, A0), UINT64_C(0xffffffff40000000));
    ztl_hart_destroy(hart);
    hart = with_float(full);
    ztl_hart_set_x(hart, SP, DATA);
    ztl_hart_write_memory(hart, DATA, &memory, sizeof memory);
    good(hart, C_FLWSP);
    assert_int_equal(ztl_hart_x(hart, A0), memory);
    ztl_hart_destroy(hart);
}

static void check_saved(const char *isa, uint64_t value)
{
    static const char path[] = "saved-float";
    ztl_error error;
    ztl_hart *first = with_float(isa), *second = make_hart(isa, ZTL_TRAP_STOP_ALWAYS);
    ztl_hart_csr_write(first, FCSR, 0x75);
    ztl_hart_set_f(first, 31, value);
    assert_true(ztl_hart_save(first, path, &error));
    assert_true(ztl_hart_restore(second, path, &error));
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(ztl_hart_f(second, i), i == 31 ? value : ztl_hart_f(first, i));
    assert_int_equal(csr_of(second, FCSR), 0x75);
    assert_int_equal(status(second), 3);
    ztl_hart_reset(second);
    assert_int_equal(ztl_hart_f(second, 31), 0);
    assert_int_equal(status(second), 0);
    unlink(path);
    ztl_hart_destroy(first);
    ztl_hart_destroy(second);
}

static void test_saved(void **state)
{
    (void)state;
    check_saved(full, TWO);
    check_saved("rv32imafdc", TWO);
    check_saved("rv64imafc", 0x40490fdb);
    check_saved("rv32imf", 0x40490fdb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_dirty),
        cmocka_unit_test(test_rounding_modes),
        cmocka_unit_test(test_fcsr),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_other_harts),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
