/* SPDX-License-Identifier: Apache-2.0
 * Passes without a program of Ztl instructions: loops of C.
 */
#include <inttypes.h>

#include <ztl/intrin.h>

#include "ops/emit/kernel.h"

static const char helpers[] =
    "/* Nibble n of a buffer, the low one of a byte first; a map has a nibble for each of 16. */\n"
    "static inline unsigned nibble_at(const uint8_t *bytes, int64_t n)\n"
    "{\n"
    "    return bytes[n >> 1] >> (4 * (n & 1)) & 15;\n"
    "}\n\n"
    "static inline void move_nibble(uint8_t *to, int64_t out, const uint8_t *from, int64_t in,\n"
    "                               uint64_t map)\n"
    "{\n"
    "    unsigned value = (unsigned)(map >> (4 * nibble_at(from, in))) & 15, shift = 4 * (out & "
    "1);\n"
    "    to[out >> 1] = (uint8_t)((to[out >> 1] & ~(15u << shift)) | value << shift);\n"
    "}\n\n"
    "/* Bit i of it: whether condition[i * step] is true. */\n"
    "static inline uint32_t mask_of(const uint8_t *condition, int64_t step, unsigned count)\n"
    "{\n"
    "    uint32_t mask = 0;\n"
    "    for (unsigned i = 0; i < count; i++)\n"
    "        mask |= (uint32_t)(condition[(int64_t)i * step] != 0) << i;\n"
    "    return mask;\n"
    "}\n\n";

void ztl_ops_emit_helpers(FILE *out)
{
    fputs("/* Not every kernel uses these. */\n"
          "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n",
          out);
    fputs(helpers, out);
    fputs("#pragma GCC diagnostic pop\n\n#endif\n\n", out);
}

static void open_loops(emit_kernel *k, const ops_pass *pass, unsigned count)
{
    for (unsigned d = 0; d < count; d++) {
        ztl_ops_emit_line(k, "for (int64_t i%u = 0; i%u < %" PRId64 "; i%u++) {", d, d,
                          pass->loop[d].n, d);
        k->indent++;
    }
}

static void close_loops(emit_kernel *k, unsigned count)
{
    while (count--) {
        k->indent--;
        ztl_ops_emit_line(k, "}");
    }
}

/* in, out and c at the indices of the loops. */
static void emit_indices(emit_kernel *k, const ops_pass *pass, unsigned count,
                         const ops_batch *step)
{
    ztl_ops_emit_line(k, "int64_t in = %" PRId64 ", out = %" PRId64 ";", pass->in, pass->out);
    for (unsigned d = 0; d < count; d++)
        ztl_ops_emit_line(k, "in += i%u * %" PRId64 ", out += i%u * %" PRId64 ";", d,
                          pass->loop[d].in, d, pass->loop[d].out);
    if (!step)
        return;
    ztl_ops_emit_line(k, "const uint8_t *c = in0 + %" PRId64 ";", step[pass->loops].in);
    for (unsigned d = 0; d < count; d++)
        ztl_ops_emit_line(k, "c += i%u * %" PRId64 ";", d, step[d].in);
}

static void emit_element(emit_kernel *k, const ops_pass *pass, const char *from, const char *to)
{
    if (pass->element)
        ztl_ops_emit_line(k, "memcpy(%s + out, %s + in, %u);", to, from, (unsigned)pass->element);
    else
        ztl_ops_emit_line(k, "move_nibble(%s, out, %s, in, UINT64_C(0x%" PRIx64 "));", to, from,
                          pass->value[0]);
}

void ztl_ops_emit_scalar(emit_kernel *k, const ops_pass *pass, const char *from, const char *to)
{
    ztl_ops_emit_line(k, "{");
    k->indent++;
    open_loops(k, pass, pass->loops);
    emit_indices(k, pass, pass->loops, NULL);
    emit_element(k, pass, from, to);
    close_loops(k, pass->loops);
    k->indent--;
    ztl_ops_emit_line(k, "}");
}

/* A row of the condition: so many slices at a time, under a mask. */
static void emit_row(emit_kernel *k, const ops_pass *pass, const ops_batch *step, const char *from,
                     const char *to)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    int64_t slices = pass->slices, condition = step[pass->loops - 1].in;
    ztl_ops_emit_line(k, "for (int64_t left = %" PRId64 "; left > 0; left -= %" PRId64 ") {",
                      last->n, slices);
    k->indent++;
    ztl_ops_emit_line(k,
                      "uint32_t mask = mask_of(c, %" PRId64 ", left < %" PRId64
                      " ? (unsigned)left : %" PRId64 ");",
                      condition, slices, slices);
    ztl_ops_emit_line(k, "if (mask) {");
    k->indent++;
    ztl_ops_emit_line(k, "__riscv_ztl_csrw_tmask_ls(mask);");
    ztl_ops_emit_line(k, "__riscv_ztl_mload_e(1, %s + in, 0, ZTL_ENGINE_LOAD);", from);
    ztl_ops_emit_line(k, "__riscv_ztl_mstore_e(1, %s + out, 0, ZTL_ENGINE_STORE);", to);
    k->indent--;
    ztl_ops_emit_line(k, "}");
    ztl_ops_emit_line(k, "c += %" PRId64 ", in += %" PRId64 ", out += %" PRId64 ";",
                      slices * condition, slices * last->in, slices * last->out);
    k->indent--;
    ztl_ops_emit_line(k, "}");
}

/* The same element by element, where strides do not reach. */
static void emit_elements(emit_kernel *k, const ops_pass *pass, const ops_batch *step,
                          const char *from, const char *to)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    ztl_ops_emit_line(k, "for (int64_t left = %" PRId64 "; left > 0; left--) {", last->n);
    k->indent++;
    ztl_ops_emit_line(k, "if (*c)");
    k->indent++;
    emit_element(k, pass, from, to);
    k->indent--;
    ztl_ops_emit_line(k, "c += %" PRId64 ", in += %" PRId64 ", out += %" PRId64 ";",
                      step[pass->loops - 1].in, last->in, last->out);
    k->indent--;
    ztl_ops_emit_line(k, "}");
}

static void set_csrs(emit_kernel *k, const ops_pass *pass)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    ztl_ops_emit_csr(k, EMIT_TTYPE, 0);
    ztl_ops_emit_csr(k, EMIT_TSHAPE, ZTL_SHAPE(pass->slices, 1, 1));
    ztl_ops_emit_csr(k, EMIT_LOAD_WIDTH, pass->load_width);
    ztl_ops_emit_csr(k, EMIT_STORE_WIDTH, pass->load_width);
    for (unsigned i = 0; i < pass->slices; i++) {
        ztl_ops_emit_csr(k, EMIT_LOAD_STRIDE + i, (int32_t)(i * last->in / pass->load_width));
        ztl_ops_emit_csr(k, EMIT_STORE_STRIDE + i, (int32_t)(i * last->out / pass->load_width));
    }
}

void ztl_ops_emit_where(emit_kernel *k, const ops_pass *pass, const char *from, const char *to)
{
    const ops_batch *step = ops_pass_batches(pass);
    unsigned outer = pass->loops - 1;
    if (pass->load_width)
        set_csrs(k, pass);
    ztl_ops_emit_line(k, "{");
    k->indent++;
    open_loops(k, pass, outer);
    emit_indices(k, pass, outer, step);
    if (pass->load_width)
        emit_row(k, pass, step, from, to);
    else
        emit_elements(k, pass, step, from, to);
    close_loops(k, outer);
    k->indent--;
    ztl_ops_emit_line(k, "}");
}
