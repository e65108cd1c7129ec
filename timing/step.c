/* SPDX-License-Identifier: Apache-2.0
 * From the hart's events to steps.
 */
#include "timing/step.h"

enum { OPCODE_FENCE = 0x0f, OPCODE_OP = 0x33, OPCODE_OP_32 = 0x3b };
enum { PAIR_BYTES = 2 * ZTL_REG_BYTES };

static uint32_t opcode(uint32_t word)
{
    return word & 0x7f;
}

static bool divides(uint32_t word)
{
    bool is_op = opcode(word) == OPCODE_OP || opcode(word) == OPCODE_OP_32;
    return is_op && word >> 25 == 1 && (word >> 14 & 1);
}

static bool is_fence(uint32_t word)
{
    return opcode(word) == OPCODE_FENCE && (word >> 12 & 7) == 0;
}

static bool is_ztl_csr(unsigned address)
{
    return address >= ZTL_CSR_TSHAPE && address < ZTL_CSR_STORE_STRIDE + ZTL_MAX_SLICES;
}

static uint64_t last_byte(const ztl_hart *hart, const ztl_access *access)
{
    uint64_t last = access->address + access->size - 1;
    return ztl_hart_isa_of(hart)->xlen == 32 ? (uint32_t)last : last;
}

static void read_plain(const ztl_hart *hart, const ztl_event *event, timing_step *step)
{
    step->kind = TIMING_PLAIN;
    if (divides(event->word))
        step->flags |= TIMING_DIVIDES;
    else if (is_fence(event->word))
        step->flags |= TIMING_FENCE;
    if (event->csr_count && is_ztl_csr(event->csr[0].address))
        step->flags |= TIMING_ZTL_CSR;
    for (unsigned i = 0; i < event->access_count; i++) {
        const ztl_access *access = &event->access[i]; /* an AMO's two are of the same bytes */
        step->flags |= access->is_store ? TIMING_WRITES : TIMING_READS;
        step->low = access->address;
        step->high = last_byte(hart, access);
    }
}

static uint32_t csr(ztl_hart *hart, unsigned address)
{
    uint64_t value = 0;
    ztl_csr_read(ztl_hart_ztl(hart), address, &value);
    return (uint32_t)value;
}

/* "a masked-off slice is not accessed" */
static unsigned count_slices(ztl_hart *hart, const ztl_insn *insn, bool is_store)
{
    bool is_masked = insn->row->op == ZTL_OP_MLOAD || insn->row->op == ZTL_OP_MSTORE;
    unsigned d0 = csr(hart, ZTL_CSR_TSHAPE) >> 16 & 0xff;
    if (insn->row->revision == 1)
        d0 = ztl_hart_x(hart, (unsigned)insn->operand[is_store ? 2 : 1]) & 0xff;
    uint32_t all = (uint32_t)((UINT64_C(1) << d0) - 1);
    uint32_t mask = is_masked ? csr(hart, is_store ? ZTL_CSR_STORE_MASK : ZTL_CSR_LOAD_MASK) : all;
    return (unsigned)__builtin_popcount(mask & all);
}

static void read_accesses(ztl_hart *hart, const ztl_event *event, timing_step *step)
{
    step->slices = count_slices(hart, event->ztl, step->kind == TIMING_STORE);
    step->low = UINT64_MAX;
    for (unsigned i = 0; i < event->access_count; i++) {
        const ztl_access *access = &event->access[i];
        uint64_t last = last_byte(hart, access);
        step->bytes += access->size;
        step->low = access->address < step->low ? access->address : step->low;
        step->high = last > step->high ? last : step->high;
    }
}

static uint32_t bit(int32_t reg)
{
    return UINT32_C(1) << reg & ~UINT32_C(1); /* tl0 is neither read nor written */
}

static void read_ztl(ztl_hart *hart, const ztl_event *event, timing_step *step)
{
    enum { LOAD, COMP, STORE, RESHAPE };
    const int32_t *reg = event->ztl->operand;
    step->engine_kind = RESHAPE;
    step->kind = TIMING_MOVE;
    step->bytes = ZTL_REG_BYTES;
    switch (event->ztl->row->op) {
    case ZTL_OP_LOAD:
    case ZTL_OP_MLOAD:
    case ZTL_OP_STORE:
    case ZTL_OP_MSTORE:
        step->kind = event->tl_count ? TIMING_LOAD : TIMING_STORE;
        step->engine_kind = event->tl_count ? LOAD : STORE;
        *(event->tl_count ? &step->writes : &step->reads) = bit(reg[0]);
        step->bytes = 0;
        read_accesses(hart, event, step);
        break;
    case ZTL_OP_ADDI:
        step->kind = TIMING_ADD;
        step->engine_kind = COMP;
        step->writes = bit(reg[0]);
        step->reads = bit(reg[1]);
        break;
    case ZTL_OP_CONCAT: /* "reads tlrd as well (positions it does not fill keep their value)" */
        step->writes = bit(reg[0]);
        step->reads = bit(reg[0]) | bit(reg[1]) | bit(reg[2]);
        break;
    case ZTL_OP_MERGE:
        step->writes = bit(reg[0]);
        step->reads = bit(reg[1]) | bit(reg[2]);
        break;
    default: /* "XPOSE and PERMUTE read and write both registers" */
        step->writes = step->reads = bit(reg[0]) | bit(reg[1]);
        step->bytes = PAIR_BYTES;
        break;
    }
    /* "Ztl 1 is always by kind" */
    step->engine_id =
        event->ztl->row->revision == 1 ? step->engine_kind : (uint8_t)(event->word >> 30);
}

/* A trap that stopped the run, and now happens again to be taken, is one trap. */
static bool is_again(const timing_reader *reader, const ztl_event *event)
{
    return reader->untaken && event->trapped && event->pc == reader->pc;
}

bool ztl_timing_read(timing_reader *reader, ztl_hart *hart, const ztl_event *event,
                     timing_step *step)
{
    if (event->trapped && event->trap.interrupt)
        return false;
    bool again = is_again(reader, event);
    *step = (timing_step){.pc = event->pc, .word = event->word};
    step->flags = timing_is_after_jump(reader, event->pc) ? TIMING_AFTER_JUMP : 0;
    *reader = (timing_reader){.may_jump = !event->trapped && !event->ztl,
                              .untaken = event->trapped && event->next_pc == event->pc,
                              .pc = event->pc,
                              .next = event->pc + event->length};
    if (ztl_hart_isa_of(hart)->xlen == 32)
        reader->next = (uint32_t)reader->next;
    if (event->trapped)
        step->kind = TIMING_TRAP;
    else if (event->ztl)
        read_ztl(hart, event, step);
    else
        read_plain(hart, event, step);
    return !again;
}
