/* SPDX-License-Identifier: Apache-2.0
 * A plan in words.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ops/format/indexed.h"
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

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

static void say_count(text *t, uint64_t n, const char *what, const char *plural)
{
    say(t, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : plural);
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

/* What a macro-instruction consists of. */
static void say_parts(text *t, enum ops_code code)
{
    const uint64_t *parts = ztl_ops_insns[code].stats.insn;
    const char *before = " (";
    for (unsigned op = 0; ops_ztl(code) > 1 && op < ZTL_OPS; op++)
        if (parts[op]) {
            say(t, "%s%llu %s", before, (unsigned long long)parts[op],
                ztl_op_name((enum ztl_op)op));
            before = " ";
        }
    say(t, ops_ztl(code) > 1 ? ")" : "");
}

static void say_program(text *t, const ops_pass *pass)
{
    unsigned counts[OPS_CODES] = {0};
    for (uint32_t i = 0; i < pass->insns; i++)
        counts[ops_code_of(&ops_pass_insns(pass)[i])]++;
    say(t, "    a batch:");
    for (unsigned k = 0; k < OPS_CODES; k++)
        if (counts[k] && *ztl_ops_insns[k].name) {
            say(t, " %u %s", counts[k], ztl_ops_insns[k].name);
            say_parts(t, (enum ops_code)k);
        }
    say(t, "; ");
    say_count(t, ops_runs(pass), "batch", "es");
    say(t, pass->loops ? " in " : " listed");
    if (pass->loops)
        say_count(t, pass->loops, "loop", "s");
    say(t, ", ");
    say_count(t, pass->groups, "group", "s");
    say(t, " of stride vectors\n");
    const ops_insn *insn = ops_pass_insns(pass);
    for (uint32_t i = 0; i < pass->insns; i++)
        if (ops_code_of(&insn[i]) == OPS_PERMUTE &&
            !(i && ops_code_of(&insn[i - 1]) == OPS_PERMUTE))
            say(t, "    permute.%c dims [%u,%u,%u,%u] on registers that differ in bit %u\n",
                "bhwd"[insn[i].width], (unsigned)insn[i].arg & 255,
                (unsigned)insn[i].arg >> 8 & 255, (unsigned)insn[i].arg >> 16 & 255,
                (unsigned)insn[i].arg >> 24, insn[i].bit);
}

static void say_way(text *t, const ops_tried *tried)
{
    const char *name = ztl_ops_ways[tried->way].way->name, *number = strstr(name, "%u");
    if (number)
        say(t, "%.*s%u%s", (int)(number - name), name, (unsigned)tried->detail, number + 2);
    else
        say(t, "%s", name);
}

/* The way that was taken, and what the others would have cost. */
static void say_choice(text *t, const ops_choice *choice, bool by_time)
{
    bool several = choice->passes > 1;
    say(t, several ? "  why passes %u to %u: " : "  why pass %u: ", (unsigned)choice->first + 1,
        (unsigned)(choice->first + choice->passes));
    if (choice->pieces > 1)
        say(t, "%u pieces, ", (unsigned)choice->pieces);
    for (uint32_t k = 0; k < choice->count; k++) {
        say(t, k == 0 ? "" : k == 1 ? ", not " : ", ");
        say_way(t, &choice->tried[k]);
        if (k == 0 && choice->written != choice->tried[0].ztl)
            say(t, " (%lld instructions reckoned, %lld written)", (long long)choice->tried[0].ztl,
                (long long)choice->written);
        if (k == 0 && choice->written != choice->tried[0].ztl)
            continue;
        bool draws = k > 0 && choice->tried[k].key == choice->tried[0].key;
        say(t, k ? " (%lld%s%s)" : " (%lld %s%s)", (long long)choice->tried[k].key,
            k         ? ""
            : by_time ? "cycles"
                      : "instructions",
            draws ? " too, but more CSR writes" : "");
    }
    if (choice->searched && !ops_divides(ztl_ops_ways[choice->taken].takes))
        say(t, "; cuts and detours take no fewer");
    if (choice->count == 1 && choice->taken == OPS_WAY_RUNS)
        say(t, "; other widths take no fewer");
    if (choice->pieces == 1)
        say(t, "; the least is %lld", (long long)choice->least);
    say(t, "\n");
}

static void say_slices(text *t, const ops_pass *pass)
{
    say(t, ", ");
    say_count(t, pass->slices, "slice", "s");
    say(t, " of ");
    say_count(t, pass->store_width, "byte", "s");
}

static void say_indexed(text *t, const ops_pass *pass)
{
    static const char *const forms[OPS_INDEX_FORMS] = {
        [OPS_INDEX_GATHERS] = "where the source is",
        [OPS_INDEX_SCATTERS] = "where the target is",
        [OPS_INDEX_ROTATES] = "where the target is, going round at its end",
        [OPS_INDEX_SELECTS] = "which positions remain",
    };
    const ops_indexed *x = ops_pass_indexed(pass);
    if (pass->slices)
        say_slices(t, pass);
    else
        say(t, ", nibble by nibble");
    say(t, "\n    input %u says %s; ", (unsigned)x->input, forms[x->form]);
    say_count(t, (uint64_t)x->parts, "slice", "s");
    say(t, " for a run, in ");
    say_count(t, pass->loops, "loop", "s");
    if (x->classes)
        say(t, "; sorted by residues, the targets into ");
    if (x->classes)
        say_count(t, (uint64_t)x->classes, "class", "es");
    say(t, "\n");
}

/* How much a pass does at a time. */
static void say_work(text *t, const ops_pass *pass)
{
    switch (pass->kind) {
    case OPS_PASS_WHERE:
        if (pass->load_width)
            say_slices(t, pass);
        else
            say(t, ", element by element");
        say(t, "\n");
        break;
    case OPS_PASS_INDEXED:
        say_indexed(t, pass);
        break;
    case OPS_PASS_SCALAR:
        say(t, "\n");
        break;
    case OPS_PASS_UNPACK:
        say(t, ", %u bytes at a time\n", (unsigned)pass->load_width);
        break;
    case OPS_PASS_PACK:
        say(t, ", %u bytes at a time\n", (unsigned)pass->store_width);
        break;
    default:
        say_slices(t, pass);
        say(t, "\n");
        say_program(t, pass);
    }
}

size_t ztl_ops_describe(const ztl_ops_plan *plan, char *out, size_t size)
{
    static const char *const kinds[OPS_PASS_KINDS] = {
        [OPS_PASS_RUNS] = "slices: runs that source and target have in common",
        [OPS_PASS_TILES] = "tiles through registers, index bits permuted",
        [OPS_PASS_INTERLEAVE3] = "interleave by 3: three planes and alternating elements",
        [OPS_PASS_INTERLEAVE2] = "interleave by 2: two planes and alternating elements",
        [OPS_PASS_PICK] = "every k-th element, picked by masks",
        [OPS_PASS_FILL] = "fill",
        [OPS_PASS_WHERE] = "where: masked stores under the condition",
        [OPS_PASS_SCALAR] = "scalar: nibbles that share no byte with their neighbours, one by one",
        [OPS_PASS_UNPACK] = "nibbles unpacked to bytes",
        [OPS_PASS_PACK] = "nibbles packed",
        [OPS_PASS_SHIFT4] = "slices, shifted by a nibble",
        [OPS_PASS_TRANSPOSE4] = "squares of nibbles, transposed in registers",
        [OPS_PASS_INDEXED] = "slices at places that are computed from indices",
    };
    text t = {.at = out, .size = size};
    uint64_t total = ztl_ops_total(&plan->stats);
    say_count(&t, plan->passes, "pass", "es");
    say(&t, ", %llu Ztl instructions, lower bound %llu, %llu bytes of scratch\n",
        (unsigned long long)total, (unsigned long long)ztl_ops_lower_bound(plan),
        (unsigned long long)plan->scratch);
    const ops_pass *pass = ops_first_pass(plan);
    const ops_choice *choice = ops_choices(plan), *last = choice + plan->choice_count;
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass)) {
        for (; choice < last && choice->first == i; choice++)
            say_choice(&t, choice, plan->by_time);
        say(&t, "  pass %u: ", (unsigned)i + 1);
        say_buffer(&t, pass->src);
        say(&t, " to ");
        say_buffer(&t, pass->dst);
        say(&t, ", %s", kinds[pass->kind]);
        say_work(&t, pass);
    }
    if (size)
        out[t.length < size ? t.length : size - 1] = 0;
    return t.length;
}
