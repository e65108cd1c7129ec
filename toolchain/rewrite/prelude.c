/* SPDX-License-Identifier: Apache-2.0
 * Printing the symbols and macros that rewritten assembly needs.
 */
#include "toolchain/rewrite/prelude.h"

#include <stdio.h>
#include <string.h>

#include <ztl/isa.h>

#include "codec/gpr.h"
#include "codec/text.h"
#include "toolchain/note.h"
#include "toolchain/rewrite/mnemonics.h"

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

static void print_csr_name(ztl_buffer *out, const ztl_names *names, ztl_buffer *name,
                           unsigned address)
{
    for (int upper = 0; upper < 2; upper++) {
        if (!ztl_names_is_symbol(names, ztl_buffer_text(name)))
            ztl_buffer_format(out, ".ifeqs \"\\ztl.name\",\"%s\"; .set .Lztl.csr, 0x%x; .endif\n",
                              ztl_buffer_text(name), address);
        for (char *c = name->data; c && *c; c++)
            if (*c >= 'a' && *c <= 'z')
                *c = (char)(*c - 'a' + 'A');
    }
    ztl_buffer_free(name);
}

/* One spelling: the name itself and, for a row of many, with each index in both forms. */
static void print_csr_spelling(ztl_buffer *out, const ztl_names *names, const ztl_csr_row *row,
                               const char *spelling, size_t length)
{
    ztl_buffer name = {0};
    ztl_buffer_part(&name, spelling, length);
    print_csr_name(out, names, &name, row->address);
    for (unsigned i = 0; row->count > 1 && i < row->count; i++) {
        ztl_buffer_format(&name, "%.*s%u", (int)length, spelling, i);
        print_csr_name(out, names, &name, row->address + i);
        ztl_buffer_format(&name, "%.*s{%u}", (int)length, spelling, i);
        print_csr_name(out, names, &name, row->address + i);
    }
}

static void print_csrs(ztl_buffer *out, unsigned revision, const ztl_names *names)
{
    const ztl_csr_row *row;
    ztl_buffer_add(out, ".macro ztl.csr ztl.name\n.set .Lztl.csr, -1\n");
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        if (row->first_revision > revision)
            continue;
        print_csr_spelling(out, names, row, row->name, strlen(row->name));
        for (const char *word = row->also; *word;) {
            size_t length = strcspn(word, " ");
            print_csr_spelling(out, names, row, word, length);
            word += length + (word[length] == ' ');
        }
    }
    ztl_buffer_add(out, ".endm\n");
}

/* Characters by their places in this list; a name is its characters as digits of base 64. */
static const char characters[] = "0123456789abcdefghijklmnopqrstuvwxyz()-+";

static void print_register_name(ztl_buffer *out, const char *name, unsigned number)
{
    long code = 0;
    for (; *name; name++)
        code = code * 64 + (strchr(characters, *name) - characters) + 1;
    ztl_buffer_format(
        out, ".if .Lztl.name == %ld; .set " ZTL_SYMBOL_GPR ZTL_ADDRESS_BASE ", %u; .endif\n", code,
        number);
}

/* What one more character means. The places: 36 and 37 are parentheses, 38 and 39 signs, 33 is x,
 * 11 is b. An offset beyond all ranges stops growing. */
static void print_take_character(ztl_buffer *out)
{
    ztl_buffer_add(out,
                   ".macro ztl.take\n"
                   ".if .Lztl.char == 36\n"
                   ".if (.Lztl.part != 0) || (.Lztl.digits < 0); .set .Lztl.bad, 1; .endif\n"
                   ".if (.Lztl.sign != 0) && (.Lztl.digits == 0); .set .Lztl.bad, 1; .endif\n"
                   ".set .Lztl.part, 1\n"
                   ".elseif .Lztl.char == 37\n"
                   ".if .Lztl.part != 1; .set .Lztl.bad, 1; .endif\n"
                   ".set .Lztl.part, 2\n"
                   ".elseif (.Lztl.part == 1) && (.Lztl.char < 36) && (.Lztl.name < 0x1000000)\n"
                   ".set .Lztl.name, .Lztl.name * 64 + .Lztl.char + 1\n"
                   ".elseif .Lztl.part != 0\n"
                   ".set .Lztl.bad, 1\n"
                   ".elseif ((.Lztl.char == 38) || (.Lztl.char == 39)) && (.Lztl.sign == 0) && "
                   "(.Lztl.digits == 0)\n"
                   ".set .Lztl.sign, 2 * .Lztl.char - 77\n"
                   ".elseif (.Lztl.digits == 0) && (.Lztl.char < 10)\n"
                   ".set .Lztl.offset, .Lztl.char\n"
                   ".set .Lztl.digits, 1\n"
                   ".if .Lztl.char == 0; .set .Lztl.radix, 8; .endif\n"
                   ".elseif (.Lztl.char == 33) && (.Lztl.digits == 1) && (.Lztl.radix == 8)\n"
                   ".set .Lztl.radix, 16\n"
                   ".set .Lztl.digits, -1\n"
                   ".elseif (.Lztl.char == 11) && (.Lztl.digits == 1) && (.Lztl.radix == 8)\n"
                   ".set .Lztl.radix, 2\n"
                   ".set .Lztl.digits, -1\n"
                   ".elseif (.Lztl.digits != 0) && (.Lztl.char < .Lztl.radix)\n"
                   ".if .Lztl.offset < 0x1000000\n"
                   ".set .Lztl.offset, .Lztl.offset * .Lztl.radix + .Lztl.char\n"
                   ".endif\n"
                   ".set .Lztl.digits, 2\n"
                   ".else\n"
                   ".set .Lztl.bad, 1\n"
                   ".endif\n"
                   ".endm\n");
}

/* Reads an address character by character, which is all that both assemblers can do with a text.
 * clang's .irpc gives the quotes too: char -1. A character is compared twice over so that a quote
 * is closed. */
static void print_address(ztl_buffer *out)
{
    print_take_character(out);
    ztl_buffer_add(out, ".macro ztl.address ztl.text\n");
    const char *const zero[] = {"bad", "part", "sign", "digits", "offset", "name"};
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        ztl_buffer_format(out, ".set .Lztl.%s, 0\n", zero[i]);
    ztl_buffer_add(out, ".set .Lztl.radix, 10\n.irpc ztl.c,\"\\ztl.text\"\n"
                        ".set .Lztl.char, 99\n"
                        ".ifc \\ztl.c\\ztl.c,\"\"\n.set .Lztl.char, -1\n.endif\n");
    for (int i = 0; characters[i]; i++)
        ztl_buffer_format(out, ".ifc \\ztl.c\\ztl.c,%c%c\n.set .Lztl.char, %d\n.endif\n",
                          characters[i], characters[i], i);
    ztl_buffer_add(out, ".if .Lztl.char >= 0\nztl.take\n.endif\n.endr\n"
                        ".set " ZTL_SYMBOL_GPR ZTL_ADDRESS_BASE ", -1\n");
    for (unsigned i = 0; i < 32; i++) {
        char number[8];
        snprintf(number, sizeof number, "x%u", i);
        print_register_name(out, number, i);
        print_register_name(out, ztl_gpr_name(i), i);
    }
    print_register_name(out, "fp", 8);
    ztl_buffer_add(out, ".if .Lztl.sign < 0; .set .Lztl.offset, -.Lztl.offset; .endif\n"
                        ".if (.Lztl.part != 2) || (" ZTL_SYMBOL_GPR ZTL_ADDRESS_BASE " < 0)\n"
                        ".set .Lztl.bad, 1\n.endif\n.endm\n");
}

void ztl_prelude_print(unsigned revision, unsigned parts, const ztl_names *names, ztl_buffer *out)
{
    ztl_buffer mnemonics = {0};
    if (parts & ZTL_PRELUDE_MACROS)
        ztl_mnemonics_print(revision, names, &mnemonics, &parts);
    if (revision == 1)
        ztl_note_print(revision, out);
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
        print_csrs(out, revision, names);
    if (parts & ZTL_PRELUDE_ADDRESS)
        print_address(out);
    ztl_buffer_part(out, ztl_buffer_text(&mnemonics), mnemonics.length);
    out->failed |= mnemonics.failed;
    ztl_buffer_free(&mnemonics);
}
