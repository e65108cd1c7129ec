/* SPDX-License-Identifier: Apache-2.0
 * From guest code to a block.
 */
#include "isa/effects.h"
#include "sim/blocks/block.h"

#include <string.h>

enum { NO_OP = BLOCK_OPS };

/* The pairs that have a handler of their own, in the order of enum block_op. */
static const uint8_t fused[][2] = {
#define FUSED(A, B) {OP_##A, OP_##B},
#include "sim/blocks/fused.def"
};

void ztl_list_pairs(block_cache *cache)
{
    for (size_t k = 0; k < sizeof fused / sizeof fused[0]; k++)
        cache->pairs[fused[k][0]][fused[k][1]] = (uint16_t)(OP_LAST_SINGLE + 1 + k);
}

/* A block under construction. */
typedef struct draft {
    ztl_hart *hart;
    uint64_t start; /* pc of the block */
    uint64_t pc;    /* of the next instruction */
    size_t insns, slots;
    bool ended;
    int32_t offsets[BLOCK_INSNS + 1];
    slot slot[BLOCK_SLOTS];
    uint16_t op[BLOCK_SLOTS]; /* what a slot does; NO_OP for a second slot */
} draft;

static const void *handler_of(const draft *made, unsigned op)
{
    const void **handlers = made->hart->blocks->handlers;
    return handlers[op] ? handlers[op] : handlers[OP_LEAVE];
}

static slot *emit(draft *made, unsigned op, const decoded *insn)
{
    made->op[made->slots] = (uint16_t)op;
    slot *next = &made->slot[made->slots++];
    *next = (slot){.handler = handler_of(made, op), .index = (uint8_t)made->insns};
    if (insn) {
        next->rd = insn->rd ? insn->rd : X_SINK;
        next->rs1 = insn->rs1;
        next->rs2 = insn->rs2;
        next->imm = insn->imm;
    }
    return next;
}

static int32_t offset_of(const draft *made, uint64_t pc)
{
    return (int32_t)(uint32_t)(pc - made->start);
}

static void emit_second(draft *made, slot second)
{
    made->op[made->slots] = NO_OP;
    made->slot[made->slots++] = second;
}

static void emit_link(draft *made, uint64_t target)
{
    emit_second(made, (slot){.link = NULL, .imm = offset_of(made, target)});
}

/* Offsets are 32 bits: what a block refers to must be close to its start, with room for the rest of
 * the block and its branches. */
static bool is_near(const draft *made, uint64_t target)
{
    const int64_t reach = 1 << 30;
    int64_t distance = (int64_t)(target - made->start);
    return made->hart->isa.xlen == 32 || (distance >= -reach && distance <= reach);
}

static bool can_start(const ztl_hart *hart, uint64_t target)
{
    return !(target & 2) || (hart->isa.extensions & ZTL_EXT_C);
}

static void end_alone(draft *made)
{
    emit(made, OP_LEAVE, NULL);
    made->ended = true;
}

static bool emit_tensor(draft *made, const decoded *insn)
{
    ztl_insn *ztl = ztl_block_room(made->hart->blocks, sizeof *ztl);
    if (!ztl || !ztl_decode(made->hart->isa.ztl_revision, insn->word, ztl))
        return false;
    emit(made, OP_TENSOR, NULL)->rd = (ztl_effects(ztl->row) & ZTL_STORES) != 0;
    emit_second(made, (slot){.ztl = ztl});
    return true;
}

/* Is it a CSR instruction on a CSR of Ztl? Those are open to every mode and change nothing else. */
static bool is_tensor_csr(const ztl_hart *hart, const decoded *insn)
{
    unsigned index;
    if (insn->op < OP_CSRRW || insn->op > OP_CSRRCI || !hart->isa.ztl_subsets)
        return false;
    return ztl_isa_csr_at(hart->isa.ztl_revision, (unsigned)insn->imm, &index) != NULL;
}

/* Is it a floating-point instruction without a handler of its own, as loads and stores have? */
static bool is_float(const decoded *insn)
{
    enum base_format format = insn->op < BASE_INSNS ? ztl_base_rows[insn->op].format : FORMAT_NONE;
    return format > FORMAT_FSTORE;
}

/* Emits one instruction and moves pc on; false when it has to be run by itself. */
static bool emit_insn(draft *made, const decoded *insn)
{
    const ztl_hart *hart = made->hart;
    uint64_t target = ztl_hart_wrap(hart, made->pc + (uint64_t)(int64_t)insn->imm);
    uint64_t after = ztl_hart_wrap(hart, made->pc + insn->length);
    if (insn->op == OP_ZTL) {
        if (!emit_tensor(made, insn))
            return false;
    } else if (is_tensor_csr(hart, insn)) {
        emit(made, OP_TENSOR_CSR, insn)->imm = (int32_t)insn->word;
    } else if (is_float(insn)) {
        emit(made, OP_FLOAT, insn)->imm = (int32_t)ztl_float_how(insn);
    } else if (insn->op == OP_ILLEGAL || !hart->blocks->handlers[insn->op]) {
        return false;
    } else if (insn->op == OP_JAL) {
        if (!can_start(hart, target) || !is_near(made, target))
            return false;
        if (insn->rd)
            emit(made, OP_PC, insn)->imm = offset_of(made, after);
        after = target;
    } else if (insn->op == OP_AUIPC) {
        if (!is_near(made, target))
            return false;
        emit(made, OP_PC, insn)->imm = offset_of(made, target);
    } else if (insn->op == OP_JALR) {
        emit(made, OP_JALR, insn);
        emit_link(made, after);
        made->ended = true;
    } else if (ztl_base_rows[insn->op].format == FORMAT_BRANCH) {
        if (!can_start(hart, target))
            return false;
        emit(made, insn->op, insn);
        emit_link(made, target);
    } else if (insn->op != OP_FENCE && insn->op != OP_FENCE_I) {
        emit(made, insn->op, insn);
    }
    made->pc = after;
    return true;
}

static void add_insn(draft *made)
{
    decoded insn;
    uint32_t word;
    uint64_t fault, pc = made->pc;
    made->offsets[made->insns] = offset_of(made, pc);
    if (!ztl_fetch(made->hart, pc, &word, &fault)) {
        end_alone(made);
        return;
    }
    ztl_decode_base(&made->hart->isa, word, &insn);
    ztl_mark_code(made->hart, pc, insn.length);
    if (emit_insn(made, &insn))
        made->insns++;
    else
        end_alone(made);
}

/* Gives pairs of neighbours one handler, which runs both without a jump in between. */
static void fuse(draft *made)
{
    for (size_t k = 0; k + 1 < made->slots; k++) {
        if (made->op[k] >= INTEGER_INSNS || made->op[k + 1] >= INTEGER_INSNS)
            continue;
        unsigned both = made->hart->blocks->pairs[made->op[k]][made->op[k + 1]];
        if (both)
            made->slot[k++].handler = handler_of(made, both);
    }
}

static block *store(const draft *finished)
{
    block_cache *cache = finished->hart->blocks;
    size_t slots = finished->slots * sizeof(slot);
    size_t offsets = (finished->insns + 1) * sizeof(int32_t);
    block *kept = ztl_block_room(cache, sizeof *kept + slots);
    int32_t *kept_offsets = ztl_block_room(cache, offsets);
    if (!kept || !kept_offsets)
        return NULL;
    memcpy(kept_offsets, finished->offsets, offsets);
    *kept = (block){.pc = finished->start, .offsets = kept_offsets, .count = finished->insns};
    memcpy(kept->slots, finished->slot, slots);
    return kept;
}

block *ztl_translate(ztl_hart *hart, uint64_t pc)
{
    draft fresh = {.hart = hart, .start = pc, .pc = pc};
    uint32_t word;
    uint64_t fault;
    if (!ztl_fetch(hart, pc, &word, &fault))
        return NULL;
    while (!fresh.ended && fresh.insns < BLOCK_INSNS)
        add_insn(&fresh);
    if (!fresh.ended) {
        emit(&fresh, OP_GOTO, NULL);
        emit_link(&fresh, fresh.pc);
    }
    fuse(&fresh);
    return store(&fresh);
}
