/* SPDX-License-Identifier: Apache-2.0
 *
 * The interpreter: threaded code over blocks. Included by interpret32.c and interpret64.c.
 *
 * pc is not kept: it follows from the block and the slot's index where it is needed. Instructions
 * are counted where a block is left. Whatever does not go the fast way leaves the loop with pc at
 * the instruction, and sim/execute/step.c runs it; a body therefore changes nothing before it
 * leaves.
 */
#include <string.h>

#include "model/model.h"
#include "sim/blocks/block.h"
#include "sim/execute/bodies.h"
#include "sim/execute/xlen.h"
#include "sim/privileged/csr.h"

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define DISPATCH goto * ip->handler
#define NEXT                                                                                       \
    ip++;                                                                                          \
    DISPATCH

/* Goes on at the start of a block. */
#define ENTER(target)                                                                              \
    current = (target);                                                                            \
    ip = current->slots;                                                                           \
    if (UNLIKELY(budget < BLOCK_INSNS))                                                            \
        goto out_of_budget;                                                                        \
    DISPATCH

/* Leaves the block through the link in the next slot, `count` instructions after the slot's own
 * index. */
#define TAKE_LINK(count)                                                                           \
    budget -= ip->index + (count);                                                                 \
    if (UNLIKELY(!ip[1].link))                                                                     \
        goto resolve;                                                                              \
    ENTER(ip[1].link)

#define RS1        ((ux)x[ip->rs1])
#define RS2        ((ux)x[ip->rs2])
#define IMM        ((sx)ip->imm)
#define SET(value) x[ip->rd] = (ux)(value)

#define RELOAD_HOT                                                                                 \
    ram_base = hart->hot.base;                                                                     \
    ram_limit = hart->hot.limit;                                                                   \
    ram_bytes = hart->hot.bytes;                                                                   \
    ram_flags = hart->hot.flags

/* The bytes at rs1 + imm as `value`. */
#define FETCH(type)                                                                                \
    ux address = RS1 + (ux)IMM;                                                                    \
    uint64_t offset = address - ram_base;                                                          \
    type value;                                                                                    \
    if (LIKELY(offset < ram_limit)) {                                                              \
        memcpy(&value, ram_bytes + offset, sizeof value);                                          \
    } else {                                                                                       \
        uint64_t wide;                                                                             \
        if (!ztl_load_anywhere(hart, address, sizeof value, &wide))                                \
            goto leave;                                                                            \
        RELOAD_HOT;                                                                                \
        value = (type)wide;                                                                        \
    }

#define LOAD(type)                                                                                 \
    FETCH(type)                                                                                    \
    SET((sx)value)

#define STORE(type) PUT(type, RS2)

#define PUT(type, source)                                                                          \
    ux address = RS1 + (ux)IMM;                                                                    \
    uint64_t offset = address - ram_base;                                                          \
    type value = (type)(source);                                                                   \
    if (LIKELY(offset < ram_limit && offset % sizeof value == 0 &&                                 \
               ram_flags[offset >> GRANULE_SHIFT] == 0)) {                                         \
        memcpy(ram_bytes + offset, &value, sizeof value);                                          \
    } else {                                                                                       \
        if (!ztl_store_plain(hart, address, sizeof value, value))                                  \
            goto leave;                                                                            \
        RELOAD_HOT;                                                                                \
    }

/* Floating-point loads and stores leave when floating point is off. */
#define FLOAT_LOAD(type, box)                                                                      \
    if (UNLIKELY(!(hart->csr.mstatus & MSTATUS_FS)))                                               \
        goto leave;                                                                                \
    FETCH(type)                                                                                    \
    hart->f[ip->rd & 31] = value | (box);                                                          \
    hart->csr.mstatus |= MSTATUS_FS

#define FLOAT_STORE(type)                                                                          \
    if (UNLIKELY(!(hart->csr.mstatus & MSTATUS_FS)))                                               \
        goto leave;                                                                                \
    PUT(type, hart->f[ip->rs2])

#define BRANCH(condition)                                                                          \
    if (condition) {                                                                               \
        TAKE_LINK(1);                                                                              \
    }                                                                                              \
    ip++

#define BODY_PC SET(current->pc + (ux)(sx)ip->imm)

/* This jumps: what would go on after it is never reached. */
#define BODY_GOTO TAKE_LINK(0)

#define BODY_TENSOR                                                                                \
    const ztl_memory *memory = ip->rd ? &hart->ztl_store_memory : &hart->ztl_load_memory;          \
    if (UNLIKELY(!ztl_execute_fast(&hart->ztl, ip[1].ztl, x, memory)) &&                           \
        ztl_execute_decoded(&hart->ztl, ip[1].ztl, x, memory).status != ZTL_OK)                    \
        goto leave;                                                                                \
    hart->ztl_retired++;                                                                           \
    if (UNLIKELY(hart->code_changed)) {                                                            \
        hart->pc = (ux)(current->pc + (uint64_t)current->offsets[ip->index] + 4);                  \
        budget -= ip->index + 1;                                                                   \
        goto done;                                                                                 \
    }                                                                                              \
    ip++

#define BODY_TENSOR_CSR                                                                            \
    uint64_t old;                                                                                  \
    ztl_result result = ztl_csr_execute(&hart->ztl, (uint32_t)ip->imm, x, &old);                   \
    if (UNLIKELY(result.status != ZTL_OK))                                                         \
        goto leave;                                                                                \
    SET(old)

#define BODY_FLOAT                                                                                 \
    if (UNLIKELY(!ztl_float_run(hart, (unsigned)ip->imm, ip->rd, ip->rs1, ip->rs2)))               \
    goto leave

#define BODY_FLW FLOAT_LOAD(uint32_t, ~UINT64_C(0) << 32)
#define BODY_FLD FLOAT_LOAD(uint64_t, 0)
#define BODY_FSW FLOAT_STORE(uint32_t)
#define BODY_FSD FLOAT_STORE(uint64_t)

/* Never reached: blocks go on after a jal, and hold OP_PC for an auipc. */
#define JAL
#define AUIPC

#define JALR                                                                                       \
    ux target = (RS1 + (ux)IMM) & ~(ux)1;                                                          \
    if (UNLIKELY(target & odd_target))                                                             \
        goto leave;                                                                                \
    SET(current->pc + (ux)(sx)ip[1].imm);                                                          \
    budget -= ip->index + 1;                                                                       \
    block *known = cache->buckets[block_bucket(target)];                                           \
    if (UNLIKELY(!known || known->pc != target)) {                                                 \
        hart->pc = target;                                                                         \
        goto look_up;                                                                              \
    }                                                                                              \
    ENTER(known)

uint64_t INTERPRET_NAME(ztl_hart *hart, uint64_t limit, const void **handlers)
{
    /* Distances, for pointers would have to be relocated when the library is loaded. */
    static const int32_t table[BLOCK_OPS] = {
#include "sim/blocks/handlers.h"
    };
    if (!hart) {
        for (size_t op = 0; op < BLOCK_OPS; op++)
            handlers[op] = table[op] ? (const char *)&&look_up + table[op] : NULL;
        return 0;
    }

    int64_t budget = (int64_t)limit;
    uint64_t *const x = hart->x;
    block_cache *const cache = hart->blocks;
    const ux odd_target = hart->isa.extensions & ZTL_EXT_C ? 0 : 2;
    uint64_t ram_base, ram_limit;
    uint8_t *ram_bytes, *ram_flags;
    block *current;
    slot *ip;
    RELOAD_HOT;
    goto look_up;

#include "sim/blocks/labels.h"

resolve : { /* the link at ip[1] has no block yet */
    uint64_t generation = cache->generation;
    hart->pc = (ux)(current->pc + (uint64_t)(int64_t)ip[1].imm);
    current = ztl_block_at(hart, hart->pc);
    if (!current)
        goto done;
    if (cache->generation == generation)
        ip[1].link = current;
    ENTER(current);
}

look_up: /* the block at hart->pc */
    current = ztl_block_at(hart, hart->pc);
    if (!current)
        goto done;
    ENTER(current);

leave: /* the instruction at ip has to be run by itself */
    hart->pc = (ux)(current->pc + (uint64_t)(int64_t)current->offsets[ip->index]);
    budget -= ip->index;
    goto done;

out_of_budget:
    hart->pc = current->pc;
done:
    hart->retired += limit - (uint64_t)budget;
    return (uint64_t)budget;
}
