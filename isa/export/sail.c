/* SPDX-License-Identifier: Apache-2.0
 * Clauses of Sail for its RISC-V model: syntax tree, encoding and assembly of each instruction.
 * What it does is left open; the manual says it.
 */
#include "isa/export/export.h"

static const ztl_operand_row *operand_at(const ztl_insn_row *row, size_t k)
{
    return ztl_isa_operand(row->format, k);
}

static void print_parameters(FILE *out, const ztl_insn_row *row)
{
    const ztl_operand_row *operand;
    fputc('(', out);
    for (size_t k = 0; (operand = operand_at(row, k)); k++)
        fprintf(out, "%s%s", k ? ", " : "", operand->name);
    fputc(')', out);
}

static void print_tree(FILE *out, const ztl_insn_row *row)
{
    const ztl_operand_row *operand;
    fprintf(out, "union clause ast = %s : (", ztl_export_upper(row->mnemonic).text);
    for (size_t k = 0; (operand = operand_at(row, k)); k++) {
        bool is_gpr = operand->kind == ZTL_KIND_GPR || operand->kind == ZTL_KIND_BASE;
        fputs(k ? ", " : "", out);
        if (is_gpr)
            fputs("regidx", out);
        else
            fprintf(out, "bits(%u)", operand->width);
    }
    fputs(")\n", out);
}

static void print_encoding(FILE *out, const ztl_insn_row *row)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(row->format, fields);
    fprintf(out, "mapping clause encdec = %s", ztl_export_upper(row->mnemonic).text);
    print_parameters(out, row);
    fputs("\n  <-> ", out);
    for (size_t i = 0; i < count; i++) {
        const ztl_operand_row *operand = fields[i].operand;
        fputs(i ? " @ " : "", out);
        if (!operand) {
            fputs("0b", out);
            ztl_export_bits(out, row->match, fields[i].high, fields[i].low);
        } else if (operand->kind == ZTL_KIND_GPR || operand->kind == ZTL_KIND_BASE) {
            fprintf(out, "encdec_reg(%s)", operand->name);
        } else {
            fputs(operand->name, out);
        }
    }
    fprintf(out, "\n  when currentlyEnabled(Ext_Ztl%c)\n", ztl_export_subset(row));
}

static void print_operand(FILE *out, const ztl_operand_row *operand)
{
    switch (operand->kind) {
    case ZTL_KIND_TL:
        fprintf(out, "tl_name(%s)", operand->name);
        return;
    case ZTL_KIND_GPR:
        fprintf(out, "reg_name(%s)", operand->name);
        return;
    case ZTL_KIND_BASE:
        fprintf(out, "\"(\" ^ reg_name(%s) ^ \")\"", operand->name);
        return;
    case ZTL_KIND_ENGINE:
        fprintf(out, "maybe_engine(%s)", operand->name);
        return;
    default:
        fprintf(out, "hex_bits_signed_%u(%s)", operand->width, operand->name);
    }
}

static void print_assembly(FILE *out, const ztl_insn_row *row)
{
    const ztl_operand_row *operand;
    fprintf(out, "mapping clause assembly = %s", ztl_export_upper(row->mnemonic).text);
    print_parameters(out, row);
    fprintf(out, "\n  <-> \"%s\" ^ spc()", row->mnemonic);
    for (size_t k = 0; (operand = operand_at(row, k)); k++) {
        bool follows = k && operand->kind != ZTL_KIND_BASE && operand->kind != ZTL_KIND_ENGINE;
        fputs(follows ? " ^ sep() ^ " : " ^ ", out);
        print_operand(out, operand);
    }
    fputc('\n', out);
}

static void print_enums(FILE *out, unsigned revision)
{
    for (size_t i = 0; i < ZTL_SUBSETS; i++)
        if (ztl_subset_in(i, revision))
            fprintf(out, "enum clause extension = Ext_Ztl%c\n", ztl_subset_letter(i));
    fputs("\nmapping tl_name : bits(5) <-> string = {\n", out);
    for (unsigned i = 0; i < ZTL_REGISTERS; i++) {
        fputs("  0b", out);
        ztl_export_bits(out, i, 4, 0);
        fprintf(out, " <-> \"tl%u\"%s\n", i, i + 1 < ZTL_REGISTERS ? "," : "");
    }
    fputs("}\n", out);
    if (revision == 1)
        return;
    fputs("\n// Written without an engine, it is the first.\n"
          "mapping maybe_engine : bits(2) <-> string = {\n  0b00 <-> \"\",\n",
          out);
    for (unsigned i = 1; i < 4; i++) {
        fputs("  0b", out);
        ztl_export_bits(out, i, 1, 0);
        fprintf(out, " <-> sep() ^ \"%s\"%s\n", ztl_engine_name(i), i < 3 ? "," : "");
    }
    fputs("}\n", out);
}

void ztl_export_sail(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    fprintf(out, "// TensorLoad (Ztl) revision %u: a skeleton for the RISC-V model in Sail\n\n",
            revision);
    print_enums(out, revision);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));) {
        fprintf(out, "\n// %s\n", row->meaning);
        print_tree(out, row);
        print_encoding(out, row);
        print_assembly(out, row);
        fprintf(out, "function clause execute %s", ztl_export_upper(row->mnemonic).text);
        print_parameters(out, row);
        fputs(" = {\n  internal_error(__FILE__, __LINE__, \"not written\")\n}\n", out);
    }
}
