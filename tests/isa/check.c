/* SPDX-License-Identifier: Apache-2.0
 * The table is sound, and the check that says so finds tables broken on purpose.
 */
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include "isa/check.h"

static ztl_insn_row insns[ZTL_INSNS];
static ztl_alias_row aliases[64];
static ztl_csr_row csrs[32];
static ztl_isa_table table;

/* A fresh copy of the real table, to be broken. */
static int copy_table(void **state)
{
    (void)state;
    memcpy(insns, ztl_isa.insns, ztl_isa.insn_count * sizeof insns[0]);
    memcpy(aliases, ztl_isa.aliases, ztl_isa.alias_count * sizeof aliases[0]);
    memcpy(csrs, ztl_isa.csrs, ztl_isa.csr_count * sizeof csrs[0]);
    table = (ztl_isa_table){insns, ztl_isa.insn_count, aliases, ztl_isa.alias_count,
                            csrs,  ztl_isa.csr_count};
    return 0;
}

static void expect(enum ztl_isa_fault fault, size_t a, size_t b)
{
    size_t found_a, found_b;
    assert_int_equal(ztl_isa_check(&table, &found_a, &found_b), fault);
    assert_int_equal(found_a, a);
    assert_int_equal(found_b, b);
}

static void real_table_is_sound(void **state)
{
    (void)state;
    size_t a, b;
    assert_int_equal(ztl_isa_check(&ztl_isa, &a, &b), ZTL_ISA_SOUND);
}

static void finds_match_outside_mask(void **state)
{
    (void)state;
    insns[ZTL_INSN_ADDI].match |= 1u << 20;
    expect(ZTL_ISA_MATCH_OUTSIDE_MASK, ZTL_INSN_ADDI, ZTL_INSN_ADDI);
}

static void finds_wrong_opcode(void **state)
{
    (void)state;
    insns[ZTL_INSN_LOAD].match ^= 0x20;
    expect(ZTL_ISA_WRONG_OPCODE, ZTL_INSN_LOAD, ZTL_INSN_LOAD);
}

static void finds_bit_used_twice(void **state)
{
    (void)state;
    insns[ZTL_INSN_MERGE_1].mask |= 1u << 7;
    expect(ZTL_ISA_BIT_TWICE, ZTL_INSN_MERGE_1, ZTL_INSN_MERGE_1);
}

static void finds_bit_never_used(void **state)
{
    (void)state;
    insns[ZTL_INSN_MERGE_1].mask &= ~(1u << 25);
    insns[ZTL_INSN_MERGE_1].match &= insns[ZTL_INSN_MERGE_1].mask;
    expect(ZTL_ISA_BIT_UNUSED, ZTL_INSN_MERGE_1, ZTL_INSN_MERGE_1);
}

static void finds_bit_that_is_not_decoded(void **state)
{
    (void)state;
    insns[ZTL_INSN_MERGE_1].format = ZTL_FORMATS; /* no operands: every bit is fixed */
    insns[ZTL_INSN_MERGE_1].mask = UINT32_MAX;
    expect(ZTL_ISA_BIT_NOT_DECODED, ZTL_INSN_MERGE_1, ZTL_INSN_MERGE_1);
}

static void finds_overlap_of_instructions(void **state)
{
    (void)state;
    insns[ZTL_INSN_XPOSE_12].match = insns[ZTL_INSN_XPOSE_03].match;
    expect(ZTL_ISA_OVERLAP, ZTL_INSN_XPOSE_12, ZTL_INSN_XPOSE_03);
}

static void finds_overlap_with_alias(void **state)
{
    (void)state;
    aliases[0].match = insns[ZTL_INSN_LOAD].match;
    expect(ZTL_ISA_OVERLAP, ztl_isa.insn_count, ZTL_INSN_LOAD);
}

static void finds_same_mnemonic(void **state)
{
    (void)state;
    insns[ZTL_INSN_STORE].mnemonic = "tl.load";
    expect(ZTL_ISA_SAME_MNEMONIC, ZTL_INSN_STORE, ZTL_INSN_LOAD);
}

static void finds_csr_overlap(void **state)
{
    (void)state;
    csrs[1].address = csrs[0].address;
    expect(ZTL_ISA_CSR_OVERLAP, 1, 0);
}

static void finds_csr_reset_outside_writable(void **state)
{
    (void)state;
    csrs[0].reset = 0x01000000;
    expect(ZTL_ISA_CSR_RESET, 0, 0);
}

static void finds_csr_same_name(void **state)
{
    (void)state;
    csrs[2].name = csrs[0].name;
    expect(ZTL_ISA_CSR_SAME_NAME, 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_table_is_sound),
        cmocka_unit_test_setup(finds_match_outside_mask, copy_table),
        cmocka_unit_test_setup(finds_wrong_opcode, copy_table),
        cmocka_unit_test_setup(finds_bit_used_twice, copy_table),
        cmocka_unit_test_setup(finds_bit_never_used, copy_table),
        cmocka_unit_test_setup(finds_bit_that_is_not_decoded, copy_table),
        cmocka_unit_test_setup(finds_overlap_of_instructions, copy_table),
        cmocka_unit_test_setup(finds_overlap_with_alias, copy_table),
        cmocka_unit_test_setup(finds_same_mnemonic, copy_table),
        cmocka_unit_test_setup(finds_csr_overlap, copy_table),
        cmocka_unit_test_setup(finds_csr_reset_outside_writable, copy_table),
        cmocka_unit_test_setup(finds_csr_same_name, copy_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
