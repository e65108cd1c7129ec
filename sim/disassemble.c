/* SPDX-License-Identifier: Apache-2.0
 * The text of any instruction of the hart.
 */
#include "sim/hart.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "codec/gpr.h"
#include "sim/csr.h"

typedef struct writer {
    char *text;
    size_t size;
    size_t length; /* that the whole text has */
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool fits = out->length < out->size;
    int count = vsnprintf(fits ? out->text + out->length : NULL, fits ? out->size - out->length : 0,
                          format, arguments);
    va_end(arguments);
    out->length += count > 0 ? (size_t)count : 0;
}

static const char *gpr(unsigned index)
{
    return ztl_gpr_name(index);
}

static void put_csr(writer *out, const ztl_hart_isa *isa, unsigned address)
{
    char name[32];
    if (ztl_sim_csr_name(isa, address, name, sizeof name))
        put(out, "%s", name);
    else
        put(out, "0x%x", address);
}

/* The sets that a fence orders, e.g. "rw". */
static void put_fence_set(writer *out, unsigned set)
{
    for (unsigned k = 0; k < 4; k++)
        if (set >> (3 - k) & 1)
            put(out, "%c", "iorw"[k]);
    if (set == 0)
        put(out, "unknown");
}

static void put_fence(writer *out, const decoded *insn)
{
    const unsigned tso = 8;
    if (insn->imm >> 8 == tso) {
        put(out, ".tso");
        return;
    }
    put(out, " ");
    put_fence_set(out, (unsigned)insn->imm >> 4 & 15);
    put(out, ", ");
    put_fence_set(out, (unsigned)insn->imm & 15);
}

static uint64_t target(const ztl_hart_isa *isa, uint64_t pc, const decoded *insn)
{
    uint64_t address = pc + (uint64_t)(int64_t)insn->imm;
    return isa->xlen == 32 ? (uint32_t)address : address;
}

static const char *ordering(const decoded *insn)
{
    static const char *const names[] = {"", ".rl", ".aq", ".aqrl"};
    return names[insn->imm & 3];
}

static void put_operands(writer *out, const ztl_hart_isa *isa, uint64_t pc, const decoded *insn)
{
    const char *rd = gpr(insn->rd), *rs1 = gpr(insn->rs1), *rs2 = gpr(insn->rs2);
    switch (ztl_base_rows[insn->op].format) {
    case FORMAT_R:
        return put(out, " %s, %s, %s", rd, rs1, rs2);
    case FORMAT_I:
        return put(out, " %s, %s, %d", rd, rs1, insn->imm);
    case FORMAT_SHIFT:
    case FORMAT_SHIFTW:
        return put(out, " %s, %s, 0x%x", rd, rs1, (unsigned)insn->imm);
    case FORMAT_UNARY:
        return put(out, " %s, %s", rd, rs1);
    case FORMAT_LOAD:
    case FORMAT_JALR:
        return put(out, " %s, %d(%s)", rd, insn->imm, rs1);
    case FORMAT_STORE:
        return put(out, " %s, %d(%s)", rs2, insn->imm, rs1);
    case FORMAT_BRANCH:
        return put(out, " %s, %s, 0x%" PRIx64, rs1, rs2, target(isa, pc, insn));
    case FORMAT_U:
        return put(out, " %s, 0x%x", rd, (uint32_t)insn->imm >> 12);
    case FORMAT_JUMP:
        return put(out, " %s, 0x%" PRIx64, rd, target(isa, pc, insn));
    case FORMAT_LR:
        return put(out, "%s %s, (%s)", ordering(insn), rd, rs1);
    case FORMAT_AMO:
        return put(out, "%s %s, %s, (%s)", ordering(insn), rd, rs2, rs1);
    case FORMAT_FENCE:
        return put_fence(out, insn);
    case FORMAT_CSR:
        put(out, " %s, ", rd);
        put_csr(out, isa, (unsigned)insn->imm);
        return put(out, ", %s", rs1);
    case FORMAT_CSRI:
        put(out, " %s, ", rd);
        put_csr(out, isa, (unsigned)insn->imm);
        return put(out, ", %u", insn->rs1);
    default:
        return;
    }
}

/* Compressed instructions show the operands that they have, not those that they stand for. */
static void put_compressed(writer *out, const ztl_hart_isa *isa, uint64_t pc, const decoded *insn)
{
    const char *rd = gpr(insn->rd), *rs1 = gpr(insn->rs1), *rs2 = gpr(insn->rs2);
    const char *name = ztl_compressed_mnemonic(insn->c_row);
    put(out, "%s", name);
    if (!strcmp(name, "c.nop") || insn->op == OP_EBREAK)
        return;
    if (!strcmp(name, "c.mv") || !strcmp(name, "c.add"))
        return put(out, " %s, %s", rd, rs2);
    if (!strcmp(name, "c.li"))
        return put(out, " %s, %d", rd, insn->imm);
    if (!strcmp(name, "c.addi4spn"))
        return put(out, " %s, %s, %d", rd, rs1, insn->imm);
    switch (ztl_base_rows[insn->op].format) {
    case FORMAT_R:
        return put(out, " %s, %s", rd, rs2);
    case FORMAT_I:
        return put(out, " %s, %d", rd, insn->imm);
    case FORMAT_SHIFT:
        return put(out, " %s, 0x%x", rd, (unsigned)insn->imm);
    case FORMAT_U:
        return put(out, " %s, 0x%x", rd, (uint32_t)insn->imm >> 12);
    case FORMAT_JUMP:
        return put(out, " 0x%" PRIx64, target(isa, pc, insn));
    case FORMAT_JALR:
        return put(out, " %s", rs1);
    case FORMAT_BRANCH:
        return put(out, " %s, 0x%" PRIx64, rs1, target(isa, pc, insn));
    default:
        return put_operands(out, isa, pc, insn);
    }
}

size_t ztl_hart_disassemble(const ztl_hart_isa *isa, uint64_t pc, uint32_t word, char *text,
                            size_t size)
{
    writer out = {text, size, 0};
    decoded insn;
    ztl_decode_base(isa, word, &insn);
    if (insn.op == OP_ZTL)
        return ztl_disassemble(isa->ztl_revision, word, text, size);
    if (insn.op == OP_ILLEGAL)
        put(&out, insn.length == 2 ? ".half 0x%04x" : ".word 0x%08x", insn.word);
    else if (insn.length == 2)
        put_compressed(&out, isa, pc, &insn);
    else {
        put(&out, "%s", ztl_base_rows[insn.op].mnemonic);
        put_operands(&out, isa, pc, &insn);
    }
    return out.length;
}
