/* SPDX-License-Identifier: Apache-2.0
 * A plan as a function in C.
 */
#include "ops/emit/emit.h"

#include <inttypes.h>
#include <stdlib.h>

#include <ztl/intrin.h>

#include "host/error.h"
#include "ops/emit/stream.h"

enum { MOST_LINES = 200000 };

static void buffer_name(uint32_t index, char name[16])
{
    if (index == OPS_SCRATCH)
        snprintf(name, 16, "scratch");
    else if (index < OPS_OUT)
        snprintf(name, 16, "in%u", (unsigned)index & 31);
    else
        snprintf(name, 16, "out%u", (unsigned)(index - OPS_OUT) & 31);
}

/* tl1 = the constant of a fill, byte by byte. */
static void emit_constant(emit_kernel *k, const ops_pass *pass)
{
    if (!pass->element)
        return;
    ztl_ops_emit_csr(k, EMIT_TTYPE, ZTL_TTYPE_INT8);
    ztl_ops_emit_csr(k, EMIT_TSHAPE, ZTL_SHAPE(32, 1, 32));
    for (unsigned i = 0; i < pass->element; i++) {
        uint32_t mask = 0;
        for (unsigned bit = i; bit < 32; bit += pass->element)
            mask |= UINT32_C(1) << bit;
        ztl_ops_emit_line(k, "__riscv_ztl_addi_e(2, 0, %d, ZTL_ENGINE_COMP);",
                          (int8_t)(pass->value[i / 8] >> (8 * (i % 8))));
        ztl_ops_emit_csr(k, EMIT_MASK_1, mask);
        ztl_ops_emit_line(k, "__riscv_ztl_merge_2_e(1, 2, 1, ZTL_ENGINE_RESHAPE);");
    }
}

static bool emit_pass(emit_kernel *k, const ops_pass *pass, emit_program *program, ztl_error *error)
{
    char from[16], to[16];
    buffer_name(pass->dst, to);
    buffer_name(pass->src == OPS_FILL ? pass->dst : pass->src, from);
    switch (pass->kind) {
    case OPS_PASS_SCALAR:
        ztl_ops_emit_scalar(k, pass, from, to);
        return true;
    case OPS_PASS_WHERE:
        ztl_ops_emit_where(k, pass, from, to);
        return true;
    case OPS_PASS_INDEXED:
        return ztl_fail(error, "a pass with indices that are read at run time has no C");
    case OPS_PASS_FILL:
        emit_constant(k, pass);
        break;
    case OPS_PASS_RUNS:
    case OPS_PASS_TILES:
    case OPS_PASS_INTERLEAVE3:
    case OPS_PASS_INTERLEAVE2:
    case OPS_PASS_PICK:
    case OPS_PASS_UNPACK:
    case OPS_PASS_PACK:
    case OPS_PASS_SHIFT4:
    case OPS_PASS_TRANSPOSE4:
        break;
    default:
        return ztl_fail(error, "a pass of kind %u has no C", (unsigned)pass->kind);
    }
    if (!ztl_ops_emit_program(pass, program, error))
        return false;
    ztl_ops_emit_batches(k, pass, program, from, to);
    return true;
}

static void emit_head(const ztl_ops_plan *plan, const ops_emit_options *o, FILE *out)
{
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    fprintf(out,
            "/* %s\n *\n * %" PRIu64 " Ztl instructions, lower bound %" PRIu64 "; %" PRIu64
            " bytes of scratch.\n */\n",
            o->comment ? o->comment : o->name, ztl_ops_total(&stats), ztl_ops_lower_bound(plan),
            ztl_ops_scratch_bytes(plan));
    fputs("#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n"
          "#include <ztl/intrin.h>\n\n"
          "#ifndef ZTL_KERNEL /* the first of several in one file */\n"
          "#define ZTL_KERNEL\n\n"
          "/* Moves a pointer or sets a number; the compiler does not see which, and keeps it. */\n"
          "#define MOVE(variable, by) \\\n"
          "    do { \\\n"
          "        (variable) += (ptrdiff_t)(by); \\\n"
          "        __asm__(\"\" : \"+r\"(variable)); \\\n"
          "    } while (0)\n"
          "#define SET(variable, to) \\\n"
          "    do { \\\n"
          "        (variable) = (to); \\\n"
          "        __asm__(\"\" : \"+r\"(variable)); \\\n"
          "    } while (0)\n\n",
          out);
}

static void emit_signature(const ztl_ops_plan *plan, const char *name, FILE *out)
{
    fprintf(out, "void %s(", name);
    for (unsigned i = 0; i < plan->outputs; i++)
        fprintf(out, "void *out_%u, ", i);
    for (unsigned i = 0; i < plan->inputs; i++)
        fprintf(out, "const void *in_%u, ", i);
    fprintf(out, "void *scratch_0)");
}

static void emit_pointers(const ztl_ops_plan *plan, emit_kernel *k)
{
    for (unsigned i = 0; i < plan->inputs; i++)
        ztl_ops_emit_line(k, "const uint8_t *in%u = in_%u;", i, i);
    for (unsigned i = 0; i < plan->outputs; i++)
        ztl_ops_emit_line(k, "uint8_t *out%u = out_%u;", i, i);
    ztl_ops_emit_line(k, "uint8_t *scratch = scratch_0;");
    for (unsigned i = 0; i < EMIT_TOGETHER; i++)
        ztl_ops_emit_line(k, "const uint8_t *p%u = scratch;", i);
    for (unsigned i = 0; i < EMIT_TOGETHER; i++)
        ztl_ops_emit_line(k, "uint8_t *q%u = scratch;", i);
    ztl_ops_emit_line(k, "long value = 0, step = 0;");
    for (unsigned i = 0; i < plan->inputs; i++)
        ztl_ops_emit_line(k, "(void)in%u;", i);
    for (unsigned i = 0; i < plan->outputs; i++)
        ztl_ops_emit_line(k, "(void)out%u;", i);
    for (unsigned i = 0; i < EMIT_TOGETHER; i++)
        ztl_ops_emit_line(k, "(void)p%u, (void)q%u;", i, i);
    ztl_ops_emit_line(k, "(void)value, (void)step;");
}

bool ztl_ops_emit(const ztl_ops_plan *plan, const ops_emit_options *options, FILE *out,
                  ztl_error *error)
{
    if (plan->indexed)
        return ztl_fail(error, "the plan reads indices or a condition when it runs, which a kernel "
                               "cannot: --constant makes them part of the plan");
    emit_kernel k = {.out = out, .indent = 1, .value = EMIT_UNKNOWN, .step = EMIT_UNKNOWN};
    emit_program *program = malloc(sizeof *program);
    const ops_pass *pass = ops_first_pass(plan);
    bool good = program;
    if (!program)
        ztl_fail(error, "out of memory");
    for (unsigned i = 0; i < EMIT_CSRS; i++)
        k.csr[i] = EMIT_UNKNOWN;
    if (!options->bare) {
        emit_head(plan, options, out);
        ztl_ops_emit_helpers(out);
    }
    emit_signature(plan, options->name, out);
    fputs(";\n", out);
    emit_signature(plan, options->name, out);
    fputs("\n{\n", out);
    emit_pointers(plan, &k);
    for (uint32_t i = 0; good && i < plan->passes; i++, pass = ops_next_pass(pass))
        good = emit_pass(&k, pass, program, error);
    ztl_ops_emit_csr(&k, EMIT_TTYPE, 0);
    fputs("}\n", out);
    free(program);
    if (good && k.failed)
        return ztl_fail(error, "out of memory");
    if (good && k.lines > MOST_LINES)
        return ztl_fail(error, "the C of this plan would have %" PRIu64 " lines, at most %d are",
                        k.lines, MOST_LINES);
    return good;
}

void ztl_ops_emit_call(const ztl_ops_plan *plan, const char *name, FILE *out)
{
    fprintf(out,
            "void %s_call(const void *plan, const void *const *in, void *const *out,\n"
            "    void *scratch);\n"
            "void %s_call(const void *plan, const void *const *in, void *const *out,\n"
            "    void *scratch)\n{\n    (void)plan;\n    %s(",
            name, name, name);
    for (unsigned i = 0; i < plan->outputs; i++)
        fprintf(out, "out[%u], ", i);
    for (unsigned i = 0; i < plan->inputs; i++)
        fprintf(out, "in[%u], ", i);
    fprintf(out, "scratch);\n}\n");
}
