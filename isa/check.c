/* SPDX-License-Identifier: Apache-2.0
 * What makes a table unsound. Tests run it on the real table and on tables broken on purpose.
 */
#include "isa/check.h"

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* What the decoder's key in isa/table.c covers: funct3, what is above bit 24, and the opcode. */
#define DECODED_BITS UINT32_C(0xfe00707f)

/* Fixed bits and operands must cover the word exactly once. */
static enum ztl_isa_fault check_bits(const ztl_insn_row *row, uint32_t match, uint32_t mask)
{
    if (match & ~mask)
        return ZTL_ISA_MATCH_OUTSIDE_MASK;
    if ((mask & ZTL_OPCODE_MASK) != ZTL_OPCODE_MASK || (match & ZTL_OPCODE_MASK) != ZTL_OPCODE)
        return ZTL_ISA_WRONG_OPCODE;
    uint32_t used = mask;
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        uint32_t field = ((UINT32_C(1) << operand->width) - 1) << operand->lsb;
        if (used & field)
            return ZTL_ISA_BIT_TWICE;
        used |= field;
    }
    if (used != UINT32_MAX)
        return ZTL_ISA_BIT_UNUSED;
    return mask & ~DECODED_BITS ? ZTL_ISA_BIT_NOT_DECODED : ZTL_ISA_SOUND;
}

/* Row n of instructions and aliases taken together. */
static const ztl_insn_row *encoding_of(const ztl_isa_table *table, size_t n, uint32_t *match,
                                       uint32_t *mask)
{
    if (n < table->insn_count) {
        *match = table->insns[n].match;
        *mask = table->insns[n].mask;
        return &table->insns[n];
    }
    const ztl_alias_row *alias = &table->aliases[n - table->insn_count];
    *match = alias->match;
    *mask = alias->mask;
    return &table->insns[alias->id];
}

static enum ztl_isa_fault check_pair(const ztl_isa_table *table, size_t a, size_t b)
{
    uint32_t match_a, mask_a, match_b, mask_b;
    const ztl_insn_row *row_a = encoding_of(table, a, &match_a, &mask_a);
    const ztl_insn_row *row_b = encoding_of(table, b, &match_b, &mask_b);
    if (row_a->revision != row_b->revision)
        return ZTL_ISA_SOUND;
    if (!((match_a ^ match_b) & mask_a & mask_b))
        return ZTL_ISA_OVERLAP;
    if (a < table->insn_count && b < table->insn_count &&
        same_text(row_a->mnemonic, row_b->mnemonic))
        return ZTL_ISA_SAME_MNEMONIC;
    return ZTL_ISA_SOUND;
}

static enum ztl_isa_fault check_insns(const ztl_isa_table *table, size_t *a, size_t *b)
{
    size_t count = table->insn_count + table->alias_count;
    for (*a = 0; *a < count; ++*a) {
        uint32_t match, mask;
        const ztl_insn_row *row = encoding_of(table, *a, &match, &mask);
        *b = *a;
        enum ztl_isa_fault fault = check_bits(row, match, mask);
        if (fault)
            return fault;
        for (*b = 0; *b < *a; ++*b) {
            fault = check_pair(table, *a, *b);
            if (fault)
                return fault;
        }
    }
    return ZTL_ISA_SOUND;
}

static enum ztl_isa_fault check_csr_pair(const ztl_csr_row *a, const ztl_csr_row *b)
{
    if (a->address < b->address + b->count && b->address < a->address + a->count)
        return ZTL_ISA_CSR_OVERLAP;
    return same_text(a->name, b->name) ? ZTL_ISA_CSR_SAME_NAME : ZTL_ISA_SOUND;
}

static enum ztl_isa_fault check_csrs(const ztl_isa_table *table, size_t *a, size_t *b)
{
    for (*a = 0; *a < table->csr_count; ++*a) {
        const ztl_csr_row *row = &table->csrs[*a];
        *b = *a;
        if (row->reset & ~row->writable)
            return ZTL_ISA_CSR_RESET;
        for (*b = 0; *b < *a; ++*b) {
            enum ztl_isa_fault fault = check_csr_pair(row, &table->csrs[*b]);
            if (fault)
                return fault;
        }
    }
    return ZTL_ISA_SOUND;
}

enum ztl_isa_fault ztl_isa_check(const ztl_isa_table *table, size_t *a, size_t *b)
{
    enum ztl_isa_fault fault = check_insns(table, a, b);
    return fault ? fault : check_csrs(table, a, b);
}
