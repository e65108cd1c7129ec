/* SPDX-License-Identifier: Apache-2.0
 * The registers as a feature of a gdb target description. A tensor register is a union of vectors,
 * one for each width of element, so that `print $tl3.i16[5]` works.
 */
#include "isa/print/print.h"

static const struct {
    const char *name, *type;
    unsigned bytes;
} views[] = {
    {"u8", "uint8", 1},      {"i8", "int8", 1},         {"u16", "uint16", 2},
    {"i16", "int16", 2},     {"u32", "uint32", 4},      {"i32", "int32", 4},
    {"u64", "uint64", 8},    {"i64", "int64", 8},       {"f16", "ieee_half", 2},
    {"bf16", "bfloat16", 2}, {"f32", "ieee_single", 4},
};

enum { VIEWS = sizeof views / sizeof views[0] };

static void print_views(FILE *out)
{
    for (size_t i = 0; i < VIEWS; i++)
        fprintf(out, "  <vector id=\"ztl_%s\" type=\"%s\" count=\"%u\"/>\n", views[i].name,
                views[i].type, ZTL_REG_BYTES / views[i].bytes);
    fputs("  <union id=\"ztl_block\">\n", out);
    for (size_t i = 0; i < VIEWS; i++)
        fprintf(out, "    <field name=\"%s\" type=\"ztl_%s\"/>\n", views[i].name, views[i].name);
    fputs("  </union>\n", out);
}

static void print_csr(FILE *out, const ztl_csr_row *row)
{
    for (unsigned i = 0; i < row->count; i++) {
        fprintf(out, "  <reg name=\"%s", row->name);
        if (row->count > 1)
            fprintf(out, "%u", i);
        fputs("\" bitsize=\"32\" type=\"uint32\" group=\"ztl\"/>\n", out);
    }
}

void ztl_print_gdb_xml(FILE *out, unsigned revision)
{
    const ztl_csr_row *row;
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE feature SYSTEM \"gdb-target.dtd\">\n"
          "<feature name=\"org.ztl.tensor\">\n",
          out);
    print_views(out);
    for (unsigned i = 0; i < ZTL_REGISTERS; i++)
        fprintf(out, "  <reg name=\"tl%u\" bitsize=\"%u\" type=\"ztl_block\" group=\"tensor\"/>\n",
                i, 8 * ZTL_REG_BYTES);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        if (ztl_in_revision(revision, row->first_revision, ZTL_REVISIONS))
            print_csr(out, row);
    fputs("</feature>\n", out);
}
