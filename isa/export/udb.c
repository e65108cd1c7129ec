/* SPDX-License-Identifier: Apache-2.0
 * Documents of riscv-unified-db: the sub-extensions, the instructions and the CSRs, each with the
 * path of the file that it belongs in. Texts are quoted, since YAML takes a colon for a key.
 */
#include <ctype.h>

#include "isa/export/export.h"

static void print_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, "%s: \"%s\"\n", key, text);
}

static void start(FILE *out, const char *folder, const char *name, const char *kind)
{
    fprintf(out, "---\n# %s/%s.yaml\n$schema: \"%s_schema.json#\"\nkind: %s\nname: %s\n", folder,
            name, kind,
            *kind == 'i'   ? "instruction"
            : *kind == 'e' ? "extension"
                           : "csr",
            name);
}

static void print_extension(FILE *out, const char *name, const char *meaning, unsigned revision)
{
    start(out, "ext", name, "ext");
    fputs("type: unprivileged\n", out);
    print_text(out, "long_name", meaning);
    print_text(out, "description", meaning);
    fprintf(out, "versions:\n  - version: \"%u.0.0\"\n    state: development\n", revision);
}

static void print_extensions(FILE *out, unsigned revision)
{
    print_extension(out, "Ztl", "TensorLoad: all sub-extensions", revision);
    for (size_t i = 0; i < ZTL_SUBSETS; i++) {
        char name[] = "Ztl?";
        name[3] = ztl_subset_letter(i);
        if (ztl_subset_in(i, revision))
            print_extension(out, name, ztl_subset_meaning(i), revision);
    }
}

static void print_match(FILE *out, const ztl_insn_row *row)
{
    fputs("  match: \"", out);
    for (unsigned bit = 32; bit-- > 0;)
        fputc(row->mask >> bit & 1 ? '0' + (int)(row->match >> bit & 1) : '-', out);
    fputs("\"\n  variables:\n", out);
}

static void print_insn(FILE *out, const ztl_insn_row *row)
{
    const ztl_operand_row *operand;
    char folder[] = "inst/Ztl?";
    folder[8] = ztl_export_subset(row);
    start(out, folder, row->mnemonic, "inst");
    print_text(out, "long_name", row->meaning);
    print_text(out, "description", ztl_op_meaning(row->op));
    fprintf(out, "definedBy:\n  extension:\n    name: Ztl%c\n", ztl_export_subset(row));
    fputs("assembly: \"", out);
    ztl_export_operands(out, row, "", "", true);
    fputs("\"\nencoding:\n", out);
    print_match(out, row);
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        fprintf(out, "    - name: %s\n      location: %u-%u\n", operand->name,
                operand->lsb + operand->width - 1u, operand->lsb);
        if (operand->kind == ZTL_KIND_IMM || operand->kind == ZTL_KIND_OFFSET)
            fputs("      sign_extend: true\n", out);
    }
    fputs("access:\n  s: always\n  u: always\n  vs: always\n  vu: always\n"
          "data_independent_timing: false\n",
          out);
}

static unsigned highest(uint32_t bits)
{
    unsigned high = 0;
    while (bits >> high > 1)
        high++;
    return high;
}

/* A row of 32 strides is 32 registers. A register whose bits are all reserved has no field. */
static void print_csr(FILE *out, const ztl_csr_row *row, unsigned index)
{
    char name[64];
    snprintf(name, sizeof name, row->count > 1 ? "%s%u" : "%s", row->name, index);
    start(out, "csr/Ztl", name, "csr");
    print_text(out, "long_name", row->meaning);
    fprintf(out, "address: 0x%x\npriv_mode: U\nlength: 32\nwritable: true\n", row->address + index);
    print_text(out, "description", row->meaning);
    fputs("definedBy:\n  extension:\n    name: Ztl\n", out);
    if (!row->writable)
        return;
    fputs("fields:\n  VALUE:\n", out);
    fprintf(out, "    location: %u-0\n", highest(row->writable));
    fprintf(out, "    description: \"%s\"\n    type: RW-H\n    reset_value: %u\n", row->meaning,
            row->kind == ZTL_CSR_STRIDE ? index : row->reset);
}

void ztl_export_udb(FILE *out, unsigned revision)
{
    const ztl_insn_row *insn;
    const ztl_csr_row *csr;
    fprintf(out, "# TensorLoad (Ztl) revision %u, for riscv-unified-db\n", revision);
    print_extensions(out, revision);
    for (size_t i = 0; (insn = ztl_export_insn(revision, &i));)
        print_insn(out, insn);
    for (size_t i = 0; (csr = ztl_export_csr(revision, &i));)
        for (unsigned k = 0; k < csr->count; k++)
            print_csr(out, csr, k);
}
