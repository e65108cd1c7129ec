/* SPDX-License-Identifier: Apache-2.0
 * Questions about the table, answered as the contract does; and values outside it.
 */
#include "tests/unit.h"

#include <string.h>

#include <ztl/ztl.h>

static void types(void **state)
{
    (void)state;
    static const struct {
        uint32_t ttype;
        const char *name;
        unsigned bits;
    } expected[] = {{0x000, "byte", 8},   {0x001, "int4", 4},   {0x002, "int8", 8},
                    {0x004, "int16", 16}, {0x008, "int32", 32}, {0x010, "fp4", 4},
                    {0x040, "e4m3", 8},   {0x080, "e5m2", 8},   {0x0c0, "e3m4", 8},
                    {0x100, "fp16", 16},  {0x200, "bf16", 16},  {0x400, "fp32", 32}};
    unsigned known = 0;
    for (uint32_t ttype = 0; ttype < 0x2000; ttype++)
        known += ztl_isa_type_of(ttype) != NULL;
    assert_int_equal(known, 12);
    for (unsigned i = 0; i < 12; i++) {
        const ztl_type_row *row = ztl_isa_type_of(expected[i].ttype);
        assert_ptr_equal(row, ztl_isa_type(i));
        assert_string_equal(row->name, expected[i].name);
        assert_int_equal(row->bits, expected[i].bits);
    }
    assert_null(ztl_isa_type(12));
}

static void instructions(void **state)
{
    (void)state;
    unsigned count[3] = {0};
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        assert_int_equal(row->id, i);
        count[row->revision]++;
        assert_ptr_equal(ztl_isa_lookup(row->revision, row->match), row);
        assert_true(*row->meaning != '\0');
    }
    assert_true(count[1] >= 9 + 3 + 1 + 2); /* xpose, concat, addi, mload and mstore */
    assert_true(count[2] >= 4 + 3 + 3 + 1 + 9 + 4);
    assert_null(ztl_isa_insn(ZTL_INSNS));
    size_t aliases = 0;
    while (ztl_isa_alias(aliases))
        aliases++;
    assert_int_equal(aliases, 2 + 3 + 7 + 7);
    assert_null(ztl_isa_lookup(0, 0x5b));
    assert_null(ztl_isa_lookup(3, 0x5b));
    assert_null(ztl_isa_lookup(2, 0x0b));
    ztl_insn insn;
    assert_false(ztl_decode(2, 0x0b, &insn));
    assert_false(ztl_decode(2, 0x5b, NULL));
}

static void operands(void **state)
{
    (void)state;
    assert_string_equal(ztl_isa_operand(ZTL_FORMAT_ADDI, 2)->name, "imm");
    assert_null(ztl_isa_operand(ZTL_FORMAT_ADDI1, 3));
    assert_null(ztl_isa_operand(ZTL_FORMAT_ADDI, 4));
    assert_null(ztl_isa_operand(ZTL_FORMATS, 0));
}

static void csrs(void **state)
{
    (void)state;
    unsigned index = 99;
    const ztl_csr_row *row = ztl_isa_csr_at(2, 0x87f, &index);
    assert_string_equal(row->name, "tl_store_stride");
    assert_int_equal(index, 31);
    assert_ptr_equal(ztl_isa_csr_at(2, 0x860, NULL), row);
    assert_null(ztl_isa_csr_at(1, 0x87f, &index));
    assert_null(ztl_isa_csr_at(2, 0x880, &index));
    assert_null(ztl_isa_csr_at(0, 0x800, &index));
    assert_null(ztl_isa_csr_at(3, 0x800, &index));
    assert_int_equal(ztl_isa_slot_address(ZTL_SLOT_LOAD_STRIDE + 5), 0x845);
    assert_int_equal(ztl_isa_slot_address(ZTL_SLOT_MASK2), 0x811);
    assert_int_equal(ztl_isa_slot_address(ZTL_SLOTS), 0);
    size_t rows = 0;
    while (ztl_isa_csr(rows))
        rows++;
    assert_int_equal(rows, 14);
}

static void reasons(void **state)
{
    (void)state;
    static const char *const names[] = {"NONE",  "ENCODING",           "TYPE",       "SHAPE",
                                        "WIDTH", "MASK_UNINITIALISED", "MASK_COUNT", ""};
    for (unsigned i = 0; i < 8; i++) {
        assert_string_equal(ztl_reason_name(i), names[i]);
        assert_int_equal(*ztl_reason_words(i) != '\0', i < 7);
    }
    for (unsigned rule = 0; rule < ZTL_RULES; rule++)
        assert_true(*ztl_rule_text((enum ztl_rule)rule) != '\0');
    assert_string_equal(ztl_rule_text(ZTL_RULES), "");
    assert_int_equal(ztl_rule_reason(ZTL_RULES), ZTL_REASON_NONE);
}

static void names(void **state)
{
    (void)state;
    static const char *const engines[] = {"load", "comp", "store", "reshape", ""};
    for (unsigned i = 0; i < 5; i++)
        assert_string_equal(ztl_engine_name(i), engines[i]);
    assert_string_equal(ztl_op_name(ZTL_OP_MLOAD), "mload");
    assert_string_equal(ztl_op_name(ZTL_OPS), "");
    assert_true(*ztl_op_meaning(ZTL_OP_MERGE) != '\0');
    assert_string_equal(ztl_op_meaning(ZTL_OPS), "");
}

static void subsets(void **state)
{
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(ztl_subset_letter(i), "xcamp"[i]);
        assert_true(*ztl_subset_meaning(i) != '\0');
        assert_int_equal(ztl_subset_in(i, 1), i != 4); /* Ztlp is of Ztl 2 only */
        assert_true(ztl_subset_in(i, 2));
        assert_false(ztl_subset_in(i, 0) || ztl_subset_in(i, 3));
    }
    assert_int_equal(ztl_subsets_of(1), 0xf);
    assert_int_equal(ztl_subsets_of(2), 0x1f);
    assert_int_equal(ztl_subsets_of(3), 0);
    assert_int_equal(ztl_subset_letter(5), '\0');
    assert_string_equal(ztl_subset_meaning(5), "");
    assert_false(ztl_subset_in(5, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),   cmocka_unit_test(instructions), cmocka_unit_test(operands),
        cmocka_unit_test(csrs),    cmocka_unit_test(reasons),      cmocka_unit_test(names),
        cmocka_unit_test(subsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
