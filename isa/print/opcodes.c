/* SPDX-License-Identifier: Apache-2.0
 * The syntax of riscv-opcodes: a name, then fields as hi..lo=value or as the name of an argument.
 * That project knows one place for each argument name, so ours carry their place; the lines that
 * its arg_lut.csv needs come first, as comments.
 */
#include <string.h>

#include "isa/print/print.h"

static void print_argument(FILE *out, const ztl_operand_row *operand)
{
    fprintf(out, "%s_%u_%u", operand->name, operand->lsb + operand->width - 1u, operand->lsb);
}

static bool uses(const ztl_insn_row *row, const ztl_operand_row *wanted)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++)
        if (!strcmp(operand->name, wanted->name) && operand->lsb == wanted->lsb)
            return true;
    return false;
}

/* Whether no row of the revision before `end` uses the operand. */
static bool is_new(unsigned revision, size_t end, const ztl_operand_row *operand)
{
    for (size_t i = 0; i < end; i++)
        if (ztl_isa_insn(i)->revision == revision && uses(ztl_isa_insn(i), operand))
            return false;
    return true;
}

static void print_arguments(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    const ztl_operand_row *operand;
    fputs("# arguments, for arg_lut.csv:\n", out);
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
            if (row->revision != revision || !is_new(revision, i, operand))
                continue;
            fputs("#   \"", out);
            print_argument(out, operand);
            fprintf(out, "\", %u, %u\n", operand->lsb + operand->width - 1u, operand->lsb);
        }
    }
}

static void print_row(FILE *out, const char *mnemonic, enum ztl_format format, uint32_t match)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(format, fields);
    fprintf(out, "%-12s", mnemonic);
    for (size_t i = 0; i < count; i++) {
        unsigned width = fields[i].high - fields[i].low + 1;
        fputc(' ', out);
        if (fields[i].operand)
            print_argument(out, fields[i].operand);
        else if (width == 1)
            fprintf(out, "%u=%u", fields[i].high, (unsigned)(match >> fields[i].low & 1));
        else
            fprintf(out, "%u..%u=0x%x", fields[i].high, fields[i].low,
                    (unsigned)(match >> fields[i].low & ((1u << width) - 1)));
    }
    fputc('\n', out);
}

void ztl_print_riscv_opcodes(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    const ztl_alias_row *alias;
    fprintf(out, "# rv_ztl: TensorLoad (Ztl) revision %u\n", revision);
    print_arguments(out, revision);
    fputc('\n', out);
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision)
            print_row(out, row->mnemonic, row->format, row->match);
    fputs("\n# also decoded, never emitted:\n", out);
    for (size_t i = 0; (alias = ztl_isa_alias(i)); i++) {
        row = ztl_isa_insn(alias->id);
        if (row->revision != revision)
            continue;
        fputs("# ", out);
        print_row(out, row->mnemonic, row->format, alias->match);
    }
}
