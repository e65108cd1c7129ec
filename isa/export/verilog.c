/* SPDX-License-Identifier: Apache-2.0
 * A package of SystemVerilog: what a word is, where its operands stand, CSRs, types and reasons.
 */
#include "isa/export/export.h"

static void print_instructions(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    fputs("  // What a word is.\n  typedef enum logic [5:0] {\n    INSN_NONE", out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        fprintf(out, ",\n    INSN_%s", ztl_export_upper(row->mnemonic).text + 3);
    fputs("\n  } insn_e;\n\n  function automatic insn_e decode(logic [31:0] word);\n"
          "    casez (word)\n",
          out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));) {
        const ztl_alias_row *alias;
        fputs("      32'b", out);
        for (unsigned bit = 32; bit-- > 0;)
            fputc(row->mask >> bit & 1 ? '0' + (int)(row->match >> bit & 1) : '?', out);
        for (size_t k = 0; (alias = ztl_isa_alias(k)); k++)
            if (alias->id == row->id) {
                fputs(",\n      32'b", out);
                for (unsigned bit = 32; bit-- > 0;)
                    fputc(alias->mask >> bit & 1 ? '0' + (int)(alias->match >> bit & 1) : '?', out);
            }
        fprintf(out, ": decode = INSN_%s;\n", ztl_export_upper(row->mnemonic).text + 3);
    }
    fputs("      default: decode = INSN_NONE;\n    endcase\n  endfunction\n", out);
}

static void print_csrs(FILE *out, unsigned revision)
{
    const ztl_csr_row *csr;
    fputs("\n  // CSRs: the first address of a row, and the bits that can be written.\n", out);
    for (size_t i = 0; (csr = ztl_export_csr(revision, &i));) {
        ztl_export_name name = ztl_export_upper(csr->name);
        fprintf(out, "  localparam logic [11:0] CSR_%s = 12'h%03x;\n", name.text, csr->address);
        fprintf(out, "  localparam logic [31:0] CSR_%s_WRITABLE = 32'h%08x;\n", name.text,
                (unsigned)csr->writable);
    }
}

static void print_types(FILE *out, unsigned revision)
{
    const ztl_type_row *type;
    fputs("\n  // Values of ttype, and the bits of an element; 0 bits: there is no such type.\n",
          out);
    for (size_t i = 0; (type = ztl_isa_type(i)); i++)
        if (revision > 1 || !type->ttype)
            fprintf(out, "  localparam logic [11:0] TYPE_%s = 12'h%03x;\n",
                    ztl_export_upper(type->name).text, type->ttype);
    fputs("  function automatic logic [5:0] bits_of(logic [11:0] ttype);\n    case (ttype)\n", out);
    for (size_t i = 0; (type = ztl_isa_type(i)); i++)
        if (revision > 1 || !type->ttype)
            fprintf(out, "      TYPE_%s: bits_of = 6'd%u;\n", ztl_export_upper(type->name).text,
                    type->bits);
    fputs("      default: bits_of = 6'd0;\n    endcase\n  endfunction\n", out);
}

static void print_reasons(FILE *out)
{
    fputs("\n  // Reasons, in tl_xpose_status[7:0].\n", out);
    for (unsigned i = 0; *ztl_reason_name(i); i++)
        fprintf(out, "  localparam logic [7:0] REASON_%s = 8'd%u;\n", ztl_reason_name(i), i);
}

void ztl_export_verilog(FILE *out, unsigned revision)
{
    fprintf(out,
            "// TensorLoad (Ztl) revision %u\n"
            "package ztl_isa;\n"
            "  localparam logic [6:0] OPCODE = 7'h%02x;\n"
            "  localparam int REGISTERS = %d;\n"
            "  localparam int REGISTER_BYTES = %d;\n\n",
            revision, ZTL_OPCODE, ZTL_REGISTERS, ZTL_REG_BYTES);
    print_instructions(out, revision);
    print_csrs(out, revision);
    print_types(out, revision);
    print_reasons(out);
    fputs("endpackage\n", out);
}
