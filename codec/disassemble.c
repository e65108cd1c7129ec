/* SPDX-License-Identifier: Apache-2.0
 * The canonical text of a word.
 */
#include <ztl/ztl.h>

#include "codec/gpr.h"
#include "codec/text.h"

static void print_operand(ztl_text *out, const ztl_operand_row *operand, int32_t value)
{
    switch ((enum ztl_operand_kind)operand->kind) {
    case ZTL_KIND_TL:
        ztl_text_add(out, "tl");
        ztl_text_decimal(out, value);
        break;
    case ZTL_KIND_GPR:
        ztl_text_add(out, ztl_gpr_name((unsigned)value));
        break;
    case ZTL_KIND_IMM:
    case ZTL_KIND_OFFSET:
        ztl_text_decimal(out, value);
        break;
    case ZTL_KIND_BASE:
        ztl_text_char(out, '(');
        ztl_text_add(out, ztl_gpr_name((unsigned)value));
        ztl_text_char(out, ')');
        break;
    case ZTL_KIND_ENGINE:
        ztl_text_add(out, ztl_engine_name((unsigned)value));
        break;
    }
}

static const char *separator(size_t k, enum ztl_operand_kind kind)
{
    if (k == 0)
        return " ";
    return kind == ZTL_KIND_BASE ? "" : ", ";
}

size_t ztl_disassemble(unsigned revision, uint32_t word, char *text, size_t size)
{
    ztl_text out = ztl_text_in(text, size);
    ztl_insn insn;
    if (!ztl_decode(revision, word, &insn)) {
        ztl_text_add(&out, ".word ");
        ztl_text_hex(&out, word, 8);
        return out.length;
    }
    ztl_text_add(&out, insn.row->mnemonic);
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn.row->format, k)); k++) {
        if (operand->kind == ZTL_KIND_ENGINE && insn.operand[k] == ZTL_ENGINE_LOAD)
            continue; /* the default */
        ztl_text_add(&out, separator(k, operand->kind));
        print_operand(&out, operand, insn.operand[k]);
    }
    return out.length;
}
