/* SPDX-License-Identifier: Apache-2.0
 * What the exporters share: rows of a revision, names as identifiers, bits, operands.
 */
#include <ctype.h>
#include <string.h>

#include "isa/export/export.h"

const ztl_insn_row *ztl_export_insn(unsigned revision, size_t *index)
{
    const ztl_insn_row *row;
    while ((row = ztl_isa_insn((*index)++)))
        if (row->revision == revision)
            return row;
    return NULL;
}

const ztl_csr_row *ztl_export_csr(unsigned revision, size_t *index)
{
    const ztl_csr_row *row;
    while ((row = ztl_isa_csr((*index)++)))
        if (row->first_revision <= revision)
            return row;
    return NULL;
}

static ztl_export_name name_of(const char *mnemonic, int (*letter)(int))
{
    ztl_export_name name;
    size_t i = 0;
    for (; mnemonic[i] && i + 1 < sizeof name.text; i++)
        name.text[i] = (char)(mnemonic[i] == '.' ? '_' : letter((unsigned char)mnemonic[i]));
    name.text[i] = '\0';
    return name;
}

ztl_export_name ztl_export_lower(const char *mnemonic)
{
    return name_of(mnemonic, tolower);
}

ztl_export_name ztl_export_upper(const char *mnemonic)
{
    return name_of(mnemonic, toupper);
}

void ztl_export_bits(FILE *out, uint32_t word, unsigned high, unsigned low)
{
    for (unsigned bit = high + 1; bit-- > low;)
        fputc('0' + (int)(word >> bit & 1), out);
}

char ztl_export_subset(const ztl_insn_row *row)
{
    size_t subset = 0;
    while (!(row->subset >> subset & 1))
        subset++;
    return ztl_subset_letter(subset);
}

void ztl_export_operands(FILE *out, const ztl_insn_row *row, const char *before, const char *after,
                         bool engine)
{
    const ztl_operand_row *operand;
    const char *between = "";
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        if (operand->kind == ZTL_KIND_ENGINE && !engine)
            continue;
        bool is_base = operand->kind == ZTL_KIND_BASE;
        fprintf(out, "%s%s%s%s%s", is_base ? "(" : between, before, operand->name, after,
                is_base ? ")" : "");
        between = ", ";
    }
}

bool ztl_export_has(const ztl_insn_row *row, enum ztl_operand_kind kind)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++)
        if (operand->kind == kind)
            return true;
    return false;
}
