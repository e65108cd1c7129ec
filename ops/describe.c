/* SPDX-License-Identifier: Apache-2.0
 * A plan in words.
 */
#include "ops/plan.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct text {
    char *at;
    size_t size, length;
} text;

static void say(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t left = t->length < t->size ? t->size - t->length : 0;
    int n = vsnprintf(left ? t->at + t->length : NULL, left, format, list);
    va_end(list);
    t->length += n > 0 ? (size_t)n : 0;
}

static void say_buffer(text *t, unsigned index)
{
    if (index == OPS_SCRATCH)
        say(t, "scratch");
    else if (index == OPS_FILL)
        say(t, "a constant");
    else
        say(t, "%s %u", index < OPS_OUT ? "input" : "output", index % OPS_OUT);
}

static void say_program(text *t, const ops_pass *pass)
{
    static const char *const names[] = {"load", "store", "permute", "", "addi", "weave", "unweave"};
    unsigned counts[sizeof names / sizeof names[0]] = {0};
    for (uint32_t i = 0; i < pass->insns; i++)
        counts[ops_code_of(&ops_pass_insns(pass)[i])]++;
    say(t, "    a batch:");
    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
        if (counts[k] && names[k][0])
            say(t, " %u %s", counts[k], names[k]);
    uint64_t runs = pass->batches;
    for (unsigned d = 0; d < pass->loops; d++)
        runs *= (uint64_t)pass->loop[d].n;
    say(t, "; %llu batches", (unsigned long long)runs);
    if (pass->loops)
        say(t, " in %u loops", pass->loops);
    else
        say(t, " listed");
    say(t, ", %u groups of stride vectors\n", pass->groups);
    const ops_insn *insn = ops_pass_insns(pass);
    for (uint32_t i = 0; i < pass->insns; i++)
        if (ops_code_of(&insn[i]) == OPS_PERMUTE &&
            !(i && ops_code_of(&insn[i - 1]) == OPS_PERMUTE))
            say(t, "    permute.%c dims [%u,%u,%u,%u] on registers that differ in bit %u\n",
                "bhwd"[insn[i].width], insn[i].arg & 255, insn[i].arg >> 8 & 255,
                insn[i].arg >> 16 & 255, insn[i].arg >> 24, insn[i].bit);
}

/* Packed bytes. */
static unsigned block_of(const ops_pass *pass)
{
    return pass->halves == OPS_PACK ? pass->store_width : pass->load_width;
}

size_t ztl_ops_describe(const ztl_ops_plan *plan, char *out, size_t size)
{
    static const char *const kinds[] = {
        "slices: runs that source and target have in common",
        "bits: tiles through registers, index bits permuted",
        "weave: three planes and interleaved elements",
        "spread: two planes and alternating elements",
        "fill",
        "select: masked stores under the condition",
        "scalar: element by element",
    };
    static const char *const halves[] = {
        [OPS_UNPACK] = "half-bytes unpacked to bytes",
        [OPS_PACK] = "half-bytes packed",
    };
    text t = {.at = out, .size = size};
    uint64_t total = ztl_ops_total(&plan->stats);
    say(&t, "%u passes, %llu Ztl instructions, lower bound %llu, %llu bytes of scratch\n",
        plan->passes, (unsigned long long)total, (unsigned long long)plan->lower_bound,
        (unsigned long long)plan->scratch);
    const ops_pass *pass = ops_first_pass(plan);
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass)) {
        say(&t, "  pass %u: ", i + 1);
        say_buffer(&t, pass->src);
        say(&t, " to ");
        say_buffer(&t, pass->dst);
        bool blocks = pass->kind == OPS_PASS_SCALAR && pass->halves != OPS_ONE_BY_ONE;
        say(&t, ", %s", blocks ? halves[pass->halves] : kinds[pass->kind]);
        if (pass->kind == OPS_PASS_SCALAR || pass->kind == OPS_PASS_SELECT) {
            if (blocks)
                say(&t, ", %u bytes at a time", block_of(pass));
            say(&t, "\n");
            continue;
        }
        say(&t, ", %u slices of %u bytes\n", pass->slices, pass->store_width);
        say_program(&t, pass);
    }
    if (size)
        out[t.length < size ? t.length : size - 1] = 0;
    return t.length;
}
