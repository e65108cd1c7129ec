/* SPDX-License-Identifier: Apache-2.0 */
#include "toolchain/prelude.h"

#include <string.h>

#include <ztl/isa.h>

#include "codec/gpr.h"
#include "codec/text.h"

static void print_tensor_registers(ztl_buffer *out)
{
    for (int i = 0; i < ZTL_REGISTERS; i++)
        ztl_buffer_format(out,
                          ".set " ZTL_SYMBOL_TL "tl%d, %d; .set " ZTL_SYMBOL_TL
                          "tlr%d, %d; .set " ZTL_SYMBOL_TL "t%d, %d\n",
                          i, i, i, i, i, i);
}

static void print_integer_registers(ztl_buffer *out)
{
    for (unsigned i = 0; i < 32; i++)
        ztl_buffer_format(out, ".set " ZTL_SYMBOL_GPR "x%u, %u; .set " ZTL_SYMBOL_GPR "%s, %u\n", i,
                          i, ztl_gpr_name(i), i);
    ztl_buffer_add(out, ".set " ZTL_SYMBOL_GPR "fp, 8\n");
}

static void print_engines(ztl_buffer *out)
{
    for (unsigned i = 0; *ztl_engine_name(i); i++)
        ztl_buffer_format(out, ".set " ZTL_SYMBOL_ENGINE "%s, %u\n", ztl_engine_name(i), i);
}

static void print_mnemonics(ztl_buffer *out, unsigned revision)
{
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision)
            ztl_buffer_format(out, ".set " ZTL_SYMBOL_INSN "%s, 0x%08x\n", row->mnemonic,
                              row->match);
}

/* A register of .insn must be written as one, so the 32 are tried. */
static void print_emit(ztl_buffer *out)
{
    ztl_buffer_add(out, ".macro ztl.emit\n.irp ztl.n");
    for (int i = 0; i < 32; i++)
        ztl_buffer_format(out, ",%d", i);
    ztl_buffer_format(out,
                      "\n.if .Lztl.rd == \\ztl.n\n.insn u 0x%02x, x\\ztl.n, .Lztl.high\n.endif\n"
                      ".endr\n.endm\n",
                      ZTL_OPCODE);
}

static void print_csr_name(ztl_buffer *out, ztl_buffer *name, unsigned address)
{
    for (int upper = 0; upper < 2; upper++) {
        ztl_buffer_format(out, ".ifeqs \"\\ztl.name\",\"%s\"; .set .Lztl.csr, 0x%x; .endif\n",
                          ztl_buffer_text(name), address);
        for (char *c = name->data; c && *c; c++)
            if (*c >= 'a' && *c <= 'z')
                *c = (char)(*c - 'a' + 'A');
    }
    ztl_buffer_free(name);
}

/* One spelling: the name itself and, for a row of many, with each index in both forms. */
static void print_csr_spelling(ztl_buffer *out, const ztl_csr_row *row, const char *spelling,
                               size_t length)
{
    ztl_buffer name = {0};
    ztl_buffer_part(&name, spelling, length);
    print_csr_name(out, &name, row->address);
    for (unsigned i = 0; row->count > 1 && i < row->count; i++) {
        ztl_buffer_format(&name, "%.*s%u", (int)length, spelling, i);
        print_csr_name(out, &name, row->address + i);
        ztl_buffer_format(&name, "%.*s{%u}", (int)length, spelling, i);
        print_csr_name(out, &name, row->address + i);
    }
}

static void print_csrs(ztl_buffer *out, unsigned revision)
{
    const ztl_csr_row *row;
    ztl_buffer_add(out, ".macro ztl.csr ztl.name\n.set .Lztl.csr, -1\n");
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        if (row->first_revision > revision)
            continue;
        print_csr_spelling(out, row, row->name, strlen(row->name));
        for (const char *word = row->also; *word;) {
            size_t length = strcspn(word, " ");
            print_csr_spelling(out, row, word, length);
            word += length + (word[length] == ' ');
        }
    }
    ztl_buffer_add(out, ".endm\n");
}

void ztl_prelude_print(unsigned revision, unsigned parts, ztl_buffer *out)
{
    if (parts & ZTL_PRELUDE_TL)
        print_tensor_registers(out);
    if (parts & ZTL_PRELUDE_GPR)
        print_integer_registers(out);
    if (parts & ZTL_PRELUDE_ENGINE)
        print_engines(out);
    if (parts & ZTL_PRELUDE_INSN)
        print_mnemonics(out, revision);
    if (parts & ZTL_PRELUDE_EMIT)
        print_emit(out);
    if (parts & ZTL_PRELUDE_CSR)
        print_csrs(out, revision);
}
