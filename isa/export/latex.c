/* SPDX-License-Identifier: Apache-2.0
 * Tables of LaTeX: the encodings, a column for each bit from 31 to 0, and the CSRs. They need no
 * package. What LaTeX would take for a command is escaped; the texts of the table are UTF-8.
 */
#include <string.h>

#include "isa/export/export.h"

static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("_#$%&{}", *text))
            fputc('\\', out);
        if (*text == '^' || *text == '~' || *text == '\\')
            fprintf(out, "\\char%d{}", *text);
        else
            fputc(*text, out);
    }
}

static void print_row(FILE *out, const ztl_insn_row *row)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(row->format, fields);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "\\multicolumn{%u}{|c|}{", fields[i].high - fields[i].low + 1);
        if (fields[i].operand)
            print_text(out, fields[i].operand->name);
        else
            ztl_export_bits(out, row->match, fields[i].high, fields[i].low);
        fputs("} & ", out);
    }
    fputs("\\texttt{", out);
    print_text(out, row->mnemonic);
    fputs("} \\\\\n\\cline{1-32}\n", out);
}

static void print_encodings(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    fputs("\\begin{tabular}{*{32}{c}l}\n", out);
    for (unsigned bit = 32; bit-- > 0;)
        fprintf(out, "\\tiny %u & ", bit);
    fputs("\\\\\n\\cline{1-32}\n", out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        print_row(out, row);
    fputs("\\end{tabular}\n\n", out);
}

static void print_csrs(FILE *out, unsigned revision)
{
    const ztl_csr_row *csr;
    fputs("\\begin{tabular}{lll}\nAddress & Name & Meaning \\\\\n\\hline\n", out);
    for (size_t i = 0; (csr = ztl_export_csr(revision, &i));) {
        fprintf(out, "\\texttt{0x%x", csr->address);
        if (csr->count > 1)
            fprintf(out, "--0x%x", csr->address + csr->count - 1u);
        fputs("} & \\texttt{", out);
        print_text(out, csr->name);
        fputs("} & ", out);
        print_text(out, csr->meaning);
        fputs(" \\\\\n", out);
    }
    fputs("\\end{tabular}\n", out);
}

void ztl_export_latex(FILE *out, unsigned revision)
{
    fprintf(out, "%% TensorLoad (Ztl) revision %u\n", revision);
    print_encodings(out, revision);
    print_csrs(out, revision);
}
