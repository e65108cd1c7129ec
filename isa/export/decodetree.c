/* SPDX-License-Identifier: Apache-2.0
 * Patterns for QEMU's decodetree: a line for each encoding, fields named where they stand. A second
 * encoding of an instruction has the same name, and so the same trans_ function.
 */
#include "isa/export/export.h"

static void print_pattern(FILE *out, const ztl_insn_row *row, uint32_t match)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(row->format, fields);
    fprintf(out, "%-14s", ztl_export_lower(row->mnemonic).text);
    for (size_t i = 0; i < count; i++) {
        const ztl_operand_row *operand = fields[i].operand;
        fputc(' ', out);
        if (!operand) {
            ztl_export_bits(out, match, fields[i].high, fields[i].low);
            continue;
        }
        bool is_signed = operand->kind == ZTL_KIND_IMM || operand->kind == ZTL_KIND_OFFSET;
        fprintf(out, "%s:%s%u", operand->name, is_signed ? "s" : "", operand->width);
    }
    fputc('\n', out);
}

void ztl_export_decodetree(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    const ztl_alias_row *alias;
    fprintf(out, "# TensorLoad (Ztl) revision %u, for scripts/decodetree.py of QEMU\n\n", revision);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        print_pattern(out, row, row->match);
    fputs("\n# also decoded, never emitted:\n", out);
    for (size_t i = 0; (alias = ztl_isa_alias(i)); i++)
        if ((row = ztl_isa_insn(alias->id))->revision == revision)
            print_pattern(out, row, alias->match);
}
