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
    else if (csr < EMIT_STORE_STRIDE)
        ztl_ops_emit_line(k, "__riscv_ztl_csrw_load_stride(%u, %" PRId64 ");",
                          csr - EMIT_LOAD_STRIDE, value);
    else
        ztl_ops_emit_line(k, "__riscv_ztl_csrw_store_stride(%u, %" PRId64 ");",
                          csr - EMIT_STORE_STRIDE, value);
}

/* Slices as the immediate where they reach, else bytes. */
static void emit_access(emit_kernel *k, const char *name, unsigned reg, const char *pointer,
                        int64_t offset, int64_t width, const char *engine)
{
    int64_t slices = width ? offset / width : 0;
    if (width && offset % width == 0 && slices >= -128 && slices <= 127)
        ztl_ops_emit_line(k, "__riscv_ztl_%s_e(%u, %s, %" PRId64 ", %s);", name, reg, pointer,
                          slices, engine);
    else
        ztl_ops_emit_line(k, "__riscv_ztl_%s_e(%u, %s %c %" PRId64 ", 0, %s);", name, reg, pointer,
                          offset < 0 ? '-' : '+', offset < 0 ? -offset : offset, engine);
}

/* Of what moves elements between registers. */
static const char *next_engine(emit_kernel *k)
{
    return k->moves++ & 1 ? "ZTL_ENGINE_COMP" : "ZTL_ENGINE_RESHAPE";
}

void ztl_ops_emit_insn(emit_kernel *k, const emit_program *program, const emit_insn *insn,
                       unsigned first, int64_t in, int64_t out)
{
    unsigned a = first + insn->reg[0], b = first + insn->reg[1], c = first + insn->reg[2];
    (void)program;
    for (unsigned i = 0; i < EMIT_SINGLE; i++)
        if (insn->needs[i])
            ztl_ops_emit_csr(k, i, insn->csr[i]);
    switch (insn->code) {
    case EMIT_LOAD:
        emit_access(k, "load", a, "p", in + insn->offset, insn->csr[EMIT_LOAD_WIDTH],
                    "ZTL_ENGINE_LOAD");
        break;
    case EMIT_STORE:
        emit_access(k, "store", a, "q", out + insn->offset, insn->csr[EMIT_STORE_WIDTH],
                    "ZTL_ENGINE_STORE");
        break;
    case EMIT_PERMUTE:
    case EMIT_XPOSE:
        ztl_ops_emit_line(k, "__riscv_ztl_%s_%s_e(%u, %u, 0x%" PRIx32 ", %s);",
                          insn->code == EMIT_PERMUTE ? "permute" : "xpose", insn->variant, a, b,
                          insn->dims, next_engine(k));
        break;
    case EMIT_CONCAT:
    case EMIT_MERGE:
        ztl_ops_emit_line(k, "__riscv_ztl_%s_%s_e(%u, %u, %u, %s);",
                          insn->code == EMIT_CONCAT ? "concat" : "merge", insn->variant, a, b, c,
                          next_engine(k));
        break;
    case EMIT_ADDI:
        ztl_ops_emit_line(k, "__riscv_ztl_addi_e(%u, %u, %" PRId32 ", ZTL_ENGINE_COMP);", a, b,
                          insn->immediate);
        break;
    }
}
