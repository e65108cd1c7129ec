/* SPDX-License-Identifier: Apache-2.0
 * One instruction with a short body, run by itself. Included by step32.c and step64.c.
 */
#include "sim/hart.h"
#include "sim/execute/bodies.h"
#include "sim/execute/xlen.h"

static void step_load(ztl_hart *hart, uint64_t address, unsigned size, uint64_t *value)
{
    if (!ztl_load(hart, address, size, value))
        ztl_raise(hart, CAUSE_LOAD_FAULT, ztl_memory_fault(hart, address, size, USE_LOAD));
}

static void step_store(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    if (!ztl_store(hart, address, size, value))
        ztl_raise(hart, CAUSE_STORE_FAULT, ztl_memory_fault(hart, address, size, USE_STORE));
}

/* A target that no instruction can start at makes the jump itself trap. */
static bool step_jump(ztl_hart *hart, ux target, uint64_t *next)
{
    if ((target & 2) && !(hart->isa.extensions & ZTL_EXT_C)) {
        ztl_raise(hart, CAUSE_FETCH_MISALIGNED, target);
        return false;
    }
    *next = target;
    return true;
}

#define RS1        ((ux)hart->x[insn->rs1])
#define RS2        ((ux)hart->x[insn->rs2])
#define IMM        ((sx)insn->imm)
#define SET(value) result = (ux)(value)
#define LOAD(type)                                                                                 \
    step_load(hart, (ux)(RS1 + (ux)IMM), sizeof(type), &value);                                    \
    result = (ux)(sx)(type)value
#define STORE(type) step_store(hart, (ux)(RS1 + (ux)IMM), sizeof(type), RS2)
#define BRANCH(condition)                                                                          \
    if (condition)                                                                                 \
    step_jump(hart, pc + (ux)IMM, &next)
#define AUIPC SET(pc + (ux)IMM)
#define JAL                                                                                        \
    if (step_jump(hart, pc + (ux)IMM, &next))                                                      \
    result = (ux)(pc + insn->length)
#define JALR                                                                                       \
    if (step_jump(hart, (RS1 + (ux)IMM) & ~(ux)1, &next))                                          \
    result = (ux)(pc + insn->length)

void STEP_NAME(ztl_hart *hart, const decoded *insn)
{
    ux pc = (ux)hart->pc;
    uint64_t next = (ux)(pc + insn->length);
    uint64_t value = 0;
    ux result = 0;
    switch (insn->op) {
#define INSN(ID)                                                                                   \
    case OP_##ID:                                                                                  \
        BODY_##ID;                                                                                 \
        break;
#include "sim/execute/bodies.def"
    default:
        ztl_raise(hart, CAUSE_ILLEGAL, insn->word);
        return;
    }
    if (hart->trap_raised)
        return;
    hart->x[insn->rd ? insn->rd : X_SINK] = result;
    hart->pc = next;
}
