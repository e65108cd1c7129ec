/* SPDX-License-Identifier: Apache-2.0
 * Load-reserved, store-conditional and the atomic operations.
 */
#include "sim/hart.h"

static uint64_t combine(enum base_op op, uint64_t old, uint64_t operand)
{
    switch (op) {
    case OP_AMOADD_W:
    case OP_AMOADD_D:
        return old + operand;
    case OP_AMOXOR_W:
    case OP_AMOXOR_D:
        return old ^ operand;
    case OP_AMOAND_W:
    case OP_AMOAND_D:
        return old & operand;
    case OP_AMOOR_W:
    case OP_AMOOR_D:
        return old | operand;
    case OP_AMOMIN_W:
    case OP_AMOMIN_D:
        return (int64_t)old < (int64_t)operand ? old : operand;
    case OP_AMOMAX_W:
    case OP_AMOMAX_D:
        return (int64_t)old > (int64_t)operand ? old : operand;
    case OP_AMOMINU_W:
    case OP_AMOMINU_D:
        return old < operand ? old : operand;
    case OP_AMOMAXU_W:
    case OP_AMOMAXU_D:
        return old > operand ? old : operand;
    default:
        return operand;
    }
}

/* A value of 4 bytes as 64 bits: sign-extended, which keeps the order of signed and unsigned. */
static uint64_t extend(uint64_t value, unsigned size)
{
    return size == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : value;
}

static bool load_reserved(ztl_hart *hart, uint64_t address, unsigned size, uint64_t *result)
{
    if (!ztl_load(hart, address, size, result)) {
        ztl_raise(hart, CAUSE_LOAD_FAULT, address);
        return false;
    }
    hart->reserved = true;
    hart->reserved_address = address;
    return true;
}

static bool store_conditional(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value,
                              uint64_t *result)
{
    bool holds = hart->reserved && hart->reserved_address == address;
    if (!ztl_memory_allows(hart, address, size, USE_STORE)) {
        ztl_raise(hart, CAUSE_STORE_FAULT, address);
        return false;
    }
    hart->reserved = false;
    *result = !holds;
    if (!holds || ztl_store(hart, address, size, value))
        return true;
    ztl_raise(hart, CAUSE_STORE_FAULT, address);
    return false;
}

static bool operate(ztl_hart *hart, const decoded *insn, uint64_t address, unsigned size,
                    uint64_t *result)
{
    uint64_t operand = extend(hart->x[insn->rs2], size);
    if (ztl_load(hart, address, size, result)) {
        uint64_t value = combine(insn->op, extend(*result, size), operand);
        if (ztl_store(hart, address, size, value))
            return true;
    }
    ztl_raise(hart, CAUSE_STORE_FAULT, address);
    return false;
}

void ztl_execute_amo(ztl_hart *hart, const decoded *insn)
{
    unsigned size = insn->word >> 12 & 1 ? 8 : 4;
    bool is_lr = ztl_base_rows[insn->op].format == FORMAT_LR;
    uint64_t address = hart->x[insn->rs1], result = 0;
    if (address % size != 0)
        return ztl_raise(hart, is_lr ? CAUSE_LOAD_MISALIGNED : CAUSE_STORE_MISALIGNED, address);
    bool done;
    if (is_lr)
        done = load_reserved(hart, address, size, &result);
    else if (insn->op == OP_SC_W || insn->op == OP_SC_D)
        done = store_conditional(hart, address, size, hart->x[insn->rs2], &result);
    else
        done = operate(hart, insn, address, size, &result);
    if (!done)
        return;
    hart->x[insn->rd ? insn->rd : X_SINK] = ztl_hart_wrap(hart, extend(result, size));
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}
