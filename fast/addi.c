/* SPDX-License-Identifier: Apache-2.0
 * ADDI: kernels add most types; 4- and 8-bit floats are looked up in a table of 256 results, made
 * once per type and addend.
 */
#include "fast/fast.h"

static uint8_t add_to_byte(const ztl_type_row *type, unsigned byte, int addend)
{
    if (type->bits == 8)
        return (uint8_t)ztl_float_add(type, byte, addend);
    return (uint8_t)(ztl_float_add(type, byte & 0xf, addend) |
                     ztl_float_add(type, byte >> 4, addend) << 4);
}

static const uint8_t *find_table(ztl_state *state, const ztl_type_row *type, int addend)
{
    uint32_t key = UINT32_C(1) << 31 | (uint32_t)type->ttype << 12 | (addend & 0xfff);
    ztl_table_plan *plan = &ztl_plans_of(state)->table[ztl_hash(key, 3)];
    if (plan->key != key) {
        for (unsigned byte = 0; byte < 256; byte++)
            plan->table[byte] = add_to_byte(type, byte, addend);
        plan->key = key;
    }
    return plan->table;
}

bool ztl_fast_addi(const ztl_step *step)
{
    ztl_state *state = step->state;
    const int32_t *operand = step->insn->operand;
    const ztl_type_row *type = ztl_current_type(state);
    if (!type)
        return false;
    if (operand[0] == 0)
        return true;
    uint8_t *to = ztl_register(state, operand[0]);
    const uint8_t *from = ztl_register(state, operand[1]);
    enum ztl_type which = (enum ztl_type)(type - ztl_isa_type(0));
    if (ztl_bodies_of(state)->add(which, to, from, operand[2]))
        return true;
    if (type->kind != ZTL_NUMBER_FLOAT || type->bits > 8)
        return false;
    ztl_bodies_of(state)->look_up(to, from, find_table(state, type, operand[2]), type->bits);
    return true;
}
