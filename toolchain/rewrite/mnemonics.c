/* SPDX-License-Identifier: Apache-2.0
 * Printing a macro of the assembler for each of our mnemonics.
 */
#include "toolchain/rewrite/mnemonics.h"

#include <string.h>

#include <ztl/isa.h>

#include "toolchain/rewrite/expand.h"

/* "\ztl.tlrd, \ztl.address, \ztl.engine": each operand a parameter, an address as one. */
static void print_operands(const ztl_insn_row *row, bool as_parameters, ztl_buffer *out)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        const char *name = operand->kind == ZTL_KIND_OFFSET ? "address" : operand->name;
        if (operand->kind == ZTL_KIND_BASE)
            continue;
        ztl_buffer_format(out, "%s%sztl.%s", k ? ", " : " ", as_parameters ? "" : "\\", name);
        if (as_parameters)
            ztl_buffer_add(out, operand->kind == ZTL_KIND_ENGINE ? "=load" : ":req");
    }
}

void ztl_mnemonics_print(unsigned revision, const ztl_names *names, ztl_buffer *out,
                         unsigned *parts)
{
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        ztl_span mnemonic = {row->mnemonic, row->mnemonic + strlen(row->mnemonic)};
        ztl_buffer operands = {0};
        if (row->revision != revision || ztl_names_is_macro(names, mnemonic))
            continue;
        ztl_buffer_format(out, ".macro %s", row->mnemonic);
        print_operands(row, true, out);
        /* The assembler's messages name the mnemonic, and then where it was used. */
        ztl_buffer_format(out, "\n# 1 \"%s\"\n", row->mnemonic);
        print_operands(row, false, &operands);
        const char *text = ztl_buffer_text(&operands);
        ztl_statement statement = {.revision = revision,
                                   .mnemonic = mnemonic,
                                   .operands = {text, text + operands.length},
                                   .alternate = true};
        ztl_expand_insn(&statement, out, parts);
        ztl_buffer_add(out, "\n.endm\n");
        ztl_buffer_free(&operands);
    }
}
