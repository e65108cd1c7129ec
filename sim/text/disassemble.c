/* SPDX-License-Identifier: Apache-2.0
 * The text of any instruction of the hart.
 */
#include "sim/hart.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "codec/gpr.h"
#include "sim/privileged/csr.h"

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

static uint64_t target(const ztl_hart_isa *isa, uint64_t pc, const decoded *insn)
{
    uint64_t address = pc + (uint64_t)(int64_t)insn->imm;
    return isa->xlen == 32 ? (uint32_t)address : address;
}

static void put_operand(writer *out, const ztl_hart_isa *isa, uint64_t pc, const decoded *insn,
                        char letter)
{
    switch (letter) {
    case 'd':
        return put(out, "%s", ztl_gpr_name(insn->rd));
    case 's':
        return put(out, "%s", ztl_gpr_name(insn->rs1));
    case 't':
        return put(out, "%s", ztl_gpr_name(insn->rs2));
    case 'D':
        return put(out, "%s", ztl_fpr_name(insn->rd));
    case 'S':
        return put(out, "%s", ztl_fpr_name(insn->rs1));
    case 'T':
        return put(out, "%s", ztl_fpr_name(insn->rs2));
    case 'R':
        return put(out, "%s", ztl_fpr_name(insn->rs3));
    case 'm':
        return put(out, "%s", ztl_rounding_name(insn->rm));
    case 'k':
        return put(out, "%s", ztl_fli_names[insn->rs1]);
    case 'i':
        return put(out, "%d", insn->imm);
    case 'h':
        return put(out, "0x%x", (unsigned)insn->imm);
    case 'u':
        return put(out, "0x%x", (uint32_t)insn->imm >> 12);
    case 'a':
        return put(out, "0x%" PRIx64, target(isa, pc, insn));
    case 'c':
        return put_csr(out, isa, (unsigned)insn->imm);
    case 'z':
        return put(out, "%u", insn->rs1);
    case 'p':
        return put_fence_set(out, (unsigned)insn->imm >> 4 & 15);
    case 'q':
        return put_fence_set(out, (unsigned)insn->imm & 15);
    default:
        return put(out, "%c", letter);
    }
}

/* Compressed instructions show the operands that they have, not those that they stand for. */
static void put_insn(writer *out, const ztl_hart_isa *isa, uint64_t pc, const decoded *insn)
{
    const char *operands = ztl_decoded_operands(insn);
    put(out, "%s%s%s", ztl_decoded_mnemonic(insn), ztl_decoded_suffix(insn), *operands ? " " : "");
    for (; *operands; operands++)
        put_operand(out, isa, pc, insn, *operands);
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
    else
        put_insn(&out, isa, pc, &insn);
    return out.length;
}
