/* SPDX-License-Identifier: Apache-2.0
 * ADDI: every element of the register plus an immediate, saturating by the element's type.
 */
#include "model/model.h"

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static int64_t sign_extend(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((value ^ sign) - sign);
}

static uint64_t add(const ztl_type_row *type, uint64_t element, int addend)
{
    int64_t top = INT64_C(1) << (type->bits - 1);
    switch (type->kind) {
    case ZTL_NUMBER_UNSIGNED:
        return (uint64_t)clamp((int64_t)element + addend, 0, 2 * top - 1);
    case ZTL_NUMBER_SIGNED:
        return (uint64_t)clamp(sign_extend(element, type->bits) + addend, -top, top - 1);
    default:
        return ztl_float_add(type, (uint32_t)element, addend);
    }
}

ztl_result ztl_body_addi(const ztl_step *step)
{
    const ztl_type_row *type = ztl_current_type(step->state);
    if (!type)
        return ztl_illegal(step, ZTL_RULE_BAD_TYPE, step->state->csr[ZTL_SLOT_TTYPE], 0);
    const int32_t *operand = step->insn->operand;
    const uint8_t *source = ztl_register(step->state, operand[1]);
    uint8_t result[ZTL_REG_BYTES];
    for (size_t n = 0; n < ZTL_REG_BYTES * 8u / type->bits; n++)
        ztl_set_element(result, type->bits, n,
                        add(type, ztl_element(source, type->bits, n), operand[2]));
    ztl_write(step->state, (unsigned)operand[0], result);
    return ztl_done();
}
