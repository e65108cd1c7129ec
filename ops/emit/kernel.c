/* SPDX-License-Identifier: Apache-2.0
 * Lines of C: instructions, and the writes of CSRs that they need.
 */
#include "ops/emit/kernel.h"

#include <inttypes.h>
#include <stdarg.h>

void ztl_ops_emit_line(emit_kernel *k, const char *format, ...)
{
    va_list arguments;
    fprintf(k->out, "%*s", (int)(4 * k->indent), "");
    va_start(arguments, format);
    vfprintf(k->out, format, arguments);
    va_end(arguments);
    fputc('\n', k->out);
    k->lines++;
}

void ztl_ops_emit_forget(emit_kernel *k)
{
    k->value = k->step = EMIT_UNKNOWN;
}

static bool is_immediate(int64_t value)
{
    return value >= -2048 && value < 2048;
}

/* A large stride is a variable that is moved on, which takes no constant of two instructions. */
static void emit_stride(emit_kernel *k, unsigned csr, int64_t value)
{
    const char *kind = csr < EMIT_STORE_STRIDE ? "load" : "store";
    unsigned slice = (csr - EMIT_LOAD_STRIDE) % OPS_SLICES;
    if (is_immediate(value)) {
        ztl_ops_emit_line(k, "__riscv_ztl_csrw_%s_stride(%u, %" PRId64 ");", kind, slice, value);
        return;
    }
    int64_t step = k->value == EMIT_UNKNOWN ? EMIT_UNKNOWN : value - k->value;
    if (step == EMIT_UNKNOWN)
        ztl_ops_emit_line(k, "SET(value, %" PRId64 ");", value);
    else if (is_immediate(step))
        ztl_ops_emit_line(k, "MOVE(value, %" PRId64 ");", step);
    else if (step != k->step)
        ztl_ops_emit_line(k, "SET(step, %" PRId64 ");", step);
    if (step != EMIT_UNKNOWN && !is_immediate(step)) {
        ztl_ops_emit_line(k, "MOVE(value, step);");
        k->step = step;
    }
    k->value = value;
    ztl_ops_emit_line(k, "__riscv_ztl_csrw_%s_stride(%u, value);", kind, slice);
}

void ztl_ops_emit_csr(emit_kernel *k, unsigned csr, int64_t value)
{
    static const char *const names[EMIT_SINGLE] = {
        "ttype",          "tshape",        "tl_load_width", "tl_store_width", "tl_transpose_perm",
        "tmask_concat_1", "tmask_concat_2"};
    if (k->csr[csr] == value)
        return;
    k->csr[csr] = value;
    if (csr < EMIT_SINGLE)
        ztl_ops_emit_line(k, "__riscv_ztl_csrw_%s(0x%" PRIx32 ");", names[csr], (uint32_t)value);
    else
        emit_stride(k, csr, value);
}

/* Slices as the immediate where they reach, else bytes. */
static void emit_access(emit_kernel *k, const emit_insn *insn, unsigned reg, unsigned track,
                        int64_t apart, const char *engine)
{
    const char *name = insn->code == EMIT_LOAD ? "load" : "store";
    char pointer = insn->code == EMIT_LOAD ? 'p' : 'q';
    int64_t width = insn->csr[insn->code == EMIT_LOAD ? EMIT_LOAD_WIDTH : EMIT_STORE_WIDTH];
    int64_t slices = width ? apart / width : 0;
    if (width && apart % width == 0 && slices >= -128 && slices <= 127)
        ztl_ops_emit_line(k, "__riscv_ztl_%s_e(%u, %c%u, %" PRId64 ", %s);", name, reg, pointer,
                          track, slices, engine);
    else
        ztl_ops_emit_line(k, "__riscv_ztl_%s_e(%u, %c%u %c %" PRId64 ", 0, %s);", name, reg,
                          pointer, track, apart < 0 ? '-' : '+', apart < 0 ? -apart : apart,
                          engine);
}

void ztl_ops_emit_insn(emit_kernel *k, const emit_insn *insn, unsigned first, unsigned engine,
                       unsigned track, int64_t apart)
{
    static const char *const engines[] = {"ZTL_ENGINE_LOAD", "ZTL_ENGINE_COMP", "ZTL_ENGINE_STORE",
                                          "ZTL_ENGINE_RESHAPE"};
    unsigned a = first + insn->reg[0], b = first + insn->reg[1], c = first + insn->reg[2];
    const char *on = engines[engine & 3];
    for (unsigned i = 0; i < EMIT_SINGLE; i++)
        if (insn->needs[i])
            ztl_ops_emit_csr(k, i, insn->csr[i]);
    switch (insn->code) {
    case EMIT_LOAD:
    case EMIT_STORE:
        emit_access(k, insn, a, track, apart, on);
        break;
    case EMIT_PERMUTE:
    case EMIT_XPOSE:
        ztl_ops_emit_line(k, "__riscv_ztl_%s_%s_e(%u, %u, 0x%" PRIx32 ", %s);",
                          insn->code == EMIT_PERMUTE ? "permute" : "xpose", insn->variant, a, b,
                          insn->dims, on);
        break;
    case EMIT_CONCAT:
    case EMIT_MERGE:
        ztl_ops_emit_line(k, "__riscv_ztl_%s_%s_e(%u, %u, %u, %s);",
                          insn->code == EMIT_CONCAT ? "concat" : "merge", insn->variant, a, b, c,
                          on);
        break;
    case EMIT_ADDI:
        ztl_ops_emit_line(k, "__riscv_ztl_addi_e(%u, %u, %" PRId32 ", %s);", a, b, insn->immediate,
                          on);
        break;
    }
}
