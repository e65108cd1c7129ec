/* SPDX-License-Identifier: Apache-2.0
 * The entry of one instruction, or of one operation with its variants: text, picture, encodings.
 */
#include <string.h>

#include "isa/print/print.h"

/* "tl.xpose.01", or all of "tl.xpose", or of "xpose". */
static bool named(const ztl_insn_row *row, const char *name)
{
    const char *stem = strncmp(name, "tl.", 3) ? name : name + 3;
    return !strcmp(row->mnemonic, name) || !strcmp(ztl_op_name(row->op), stem);
}

/* The next row of a revision that has the name, from *index on. */
static const ztl_insn_row *next(const char *name, unsigned revision, size_t *index)
{
    const ztl_insn_row *row;
    while ((row = ztl_isa_insn((*index)++)))
        if (row->revision == revision && named(row, name))
            return row;
    return NULL;
}

/* The bits in which all variants agree. */
static uint32_t common_bits(const char *name, unsigned revision, const ztl_insn_row *first)
{
    uint32_t known = first->mask;
    const ztl_insn_row *row;
    for (size_t i = 0; (row = next(name, revision, &i));)
        known &= ~(row->match ^ first->match);
    return known;
}

static void print_operand(FILE *out, const ztl_operand_row *operand)
{
    static const char *const kinds[] = {
        [ZTL_KIND_TL] = "a tensor register",
        [ZTL_KIND_GPR] = "an integer register",
        [ZTL_KIND_IMM] = "a signed immediate",
        [ZTL_KIND_OFFSET] = "a signed offset, in slices",
        [ZTL_KIND_BASE] = "the integer register of the address",
        [ZTL_KIND_ENGINE] = "the engine's name, optional",
    };
    fprintf(out, "  %-7s [%u:%u] %s", operand->name, operand->lsb + operand->width - 1u,
            operand->lsb, kinds[operand->kind]);
    if (operand->kind == ZTL_KIND_IMM || operand->kind == ZTL_KIND_OFFSET)
        fprintf(out, ", %d to %d", -(1 << (operand->width - 1)), (1 << (operand->width - 1)) - 1);
    fputc('\n', out);
}

static void print_encodings(FILE *out, const ztl_insn_row *row)
{
    char operands[80];
    const ztl_alias_row *alias;
    ztl_operands_text(row->format, operands, sizeof operands);
    fprintf(out, "%s %s\n", row->mnemonic, operands);
    fprintf(out, "  %s\n  match 0x%08x, mask 0x%08x\n", row->meaning, (unsigned)row->match,
            (unsigned)row->mask);
    for (size_t i = 0; (alias = ztl_isa_alias(i)); i++)
        if (alias->id == row->id)
            fprintf(out, "  also decoded: 0x%08x\n", (unsigned)alias->match);
}

static bool print_revision(FILE *out, const char *name, unsigned revision,
                           enum ztl_table_style style)
{
    const ztl_insn_row *row;
    const ztl_operand_row *operand;
    const ztl_insn_row *first = next(name, revision, &(size_t){0});
    if (!first)
        return false;
    fprintf(out, style == ZTL_TABLE_MARKDOWN ? "**Ztl %u**\n\n```\n" : "Ztl %u\n\n", revision);
    ztl_print_picture(out, first, common_bits(name, revision, first));
    fputc('\n', out);
    for (size_t i = 0; (row = next(name, revision, &i));)
        print_encodings(out, row);
    for (size_t k = 0; (operand = ztl_isa_operand(first->format, k)); k++)
        print_operand(out, operand);
    fputs(style == ZTL_TABLE_MARKDOWN ? "```\n\n" : "\n", out);
    return true;
}

bool ztl_print_entry(FILE *out, const char *name, unsigned revision, enum ztl_table_style style)
{
    bool found = false;
    for (unsigned r = ZTL_REVISIONS; r > 0; r--)
        if (ztl_in_revision(revision, r, r))
            found |= print_revision(out, name, r, style);
    return found;
}
