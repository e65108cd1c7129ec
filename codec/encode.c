/* SPDX-License-Identifier: Apache-2.0
 * From operands to the canonical word.
 */
#include "codec/encode.h"

ztl_range ztl_operand_range(const ztl_operand_row *operand)
{
    int32_t size = INT32_C(1) << operand->width;
    if (operand->kind == ZTL_KIND_IMM || operand->kind == ZTL_KIND_OFFSET)
        return (ztl_range){-size / 2, size / 2 - 1};
    return (ztl_range){0, size - 1};
}

void ztl_range_error(const ztl_operand_row *operand, size_t position, int64_t value,
                     ztl_text *error)
{
    ztl_range range = ztl_operand_range(operand);
    ztl_text_add(error, "operand ");
    ztl_text_unsigned(error, position + 1);
    ztl_text_add(error, " (");
    ztl_text_add(error, operand->name);
    ztl_text_add(error, "): ");
    ztl_text_decimal(error, value);
    ztl_text_add(error, " is out of range, must be ");
    ztl_text_decimal(error, range.low);
    ztl_text_add(error, " to ");
    ztl_text_decimal(error, range.high);
}

bool ztl_encode(const ztl_insn *insn, uint32_t *word, ztl_error *error)
{
    ztl_text message = ztl_text_error(error);
    if (!insn || !insn->row || !word) {
        ztl_text_add(&message, "no instruction to encode");
        return false;
    }
    uint32_t built = insn->row->match;
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn->row->format, k)); k++) {
        ztl_range range = ztl_operand_range(operand);
        int32_t value = insn->operand[k];
        if (value < range.low || value > range.high) {
            ztl_range_error(operand, k, value, &message);
            return false;
        }
        built |= ((uint32_t)value & ((UINT32_C(1) << operand->width) - 1)) << operand->lsb;
    }
    *word = built;
    return true;
}
