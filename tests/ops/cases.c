/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the cases that cases.py writes to standard input: each is an operator, its tensors, the
 * bytes of the inputs, and those that numpy leaves in the outputs.
 *
 * usage: cases [-v|-e|-s|-m] < stream
 *
 * -e: also on the simulated hart and under QEMU, with the same bytes and as many Ztl instructions
 * as the plan says; every kind of pass must occur.
 * -s: also the scalar version, on the simulated hart, with the same bytes.
 * -m: also with plans made in less and less memory, as far down as one fits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "movers/mover.h"
#include "ops/drive/drive.h"
#include "ops/format/indexed.h"

enum { LISTS = 18, REALS = 2 };

static int64_t number(void)
{
    int64_t value;
    if (fread(&value, sizeof value, 1, stdin) != 1) {
        fprintf(stderr, "cases: the stream ends early\n");
        exit(2);
    }
    return value;
}

static void *bytes(size_t size)
{
    void *result = malloc(size ? size : 1);
    if (!result || (size && fread(result, size, 1, stdin) != 1)) {
        fprintf(stderr, "cases: the stream ends early\n");
        exit(2);
    }
    return result;
}

/* A length, and so many characters; NULL for none. */
static const char *text(void)
{
    size_t length = (size_t)number();
    char *result = length ? calloc(length + 1, 1) : NULL;
    for (size_t i = 0; result && i < length; i++)
        result[i] = (char)number();
    return result;
}

static ztl_ops_tensor tensor(void)
{
    ztl_ops_tensor t = {.rank = (unsigned)number(), .bits = (unsigned)number()};
    t.offset = number();
    t.size = (uint64_t)number();
    for (unsigned d = 0; d < t.rank; d++)
        t.extent[d] = number();
    for (unsigned d = 0; d < t.rank; d++)
        t.stride[d] = number();
    return t;
}

/* The lists of an operator, in the order of the stream. */
static void lists_of(ztl_ops_op *op, ztl_ops_list **list, ztl_ops_reals **reals)
{
    ztl_ops_list *const lists[LISTS] = {
        &op->perm,      &op->axes,    &op->starts,        &op->ends,      &op->steps,
        &op->pads,      &op->indices, &op->indices_shape, &op->condition, &op->shape,
        &op->split,     &op->repeats, &op->shift,         &op->kernel,    &op->strides,
        &op->dilations, &op->sizes,   &op->sequence_lens};
    memcpy(list, lists, sizeof lists);
    reals[0] = &op->scales;
    reals[1] = &op->roi;
}

static void read_op(ztl_ops_op *op)
{
    ztl_ops_list *list[LISTS];
    ztl_ops_reals *reals[REALS];
    lists_of(op, list, reals);
    op->kind = (enum ztl_ops_kind)number();
    op->mode = (enum ztl_ops_mode)number();
    op->layout = (enum ztl_ops_layout)number();
    op->coordinate = (enum ztl_ops_coordinate)number();
    op->nearest = (enum ztl_ops_nearest)number();
    op->aspect = (enum ztl_ops_aspect)number();
    op->format = (enum ztl_ops_format)number();
    op->has_axis = number();
    op->has_indices_shape = number();
    int64_t *const scalar[] = {&op->axis,       &op->blocksize, &op->groups, &op->num_outputs,
                               &op->addend,     &op->k,         &op->lower,  &op->depth,
                               &op->batch_axis, &op->time_axis, &op->bits};
    for (size_t i = 0; i < sizeof scalar / sizeof scalar[0]; i++)
        *scalar[i] = number();
    op->type = (enum ztl_type)number();
    op->batch_dims = number();
    op->value = (uint64_t)number();
    for (unsigned k = 0; k < 3; k++)
        op->wide[k] = (uint64_t)number();
    for (unsigned k = 0; k < 4; k++)
        op->on[k] = (uint64_t)number();
    for (unsigned k = 0; k < LISTS; k++) {
        list[k]->count = (size_t)number();
        list[k]->value = bytes(list[k]->count * sizeof(int64_t));
    }
    for (unsigned k = 0; k < REALS; k++) {
        reals[k]->count = (size_t)number();
        reals[k]->value = bytes(reals[k]->count * sizeof(double));
    }
    op->pattern = text();
    op->lengths = text();
}

typedef struct test_case {
    ztl_ops_op op;
    ztl_ops_machine machine;
    size_t inputs, outputs;
    ztl_ops_tensor in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    void *source[ZTL_OPS_BUFFERS], *target[ZTL_OPS_BUFFERS], *expected[ZTL_OPS_BUFFERS];
} test_case;

static bool read_case(test_case *c)
{
    int64_t more;
    if (fread(&more, sizeof more, 1, stdin) != 1 || !more)
        return false;
    memset(c, 0, sizeof *c);
    read_op(&c->op);
    c->machine.disjoint_windows = number();
    int64_t scratch = number();
    c->machine.no_scratch = scratch == 0;
    c->machine.scratch_limit = scratch > UINT32_MAX ? 0 : (uint64_t)scratch;
    c->inputs = (size_t)number();
    for (size_t i = 0; i < c->inputs; i++) {
        c->in[i] = tensor();
        c->source[i] = bytes(c->in[i].size);
    }
    c->outputs = (size_t)number();
    for (size_t i = 0; i < c->outputs; i++) {
        c->out[i] = tensor();
        c->target[i] = bytes(c->out[i].size);
        c->expected[i] = bytes(c->out[i].size);
    }
    return true;
}

static void free_case(test_case *c)
{
    ztl_ops_list *list[LISTS];
    ztl_ops_reals *reals[REALS];
    lists_of(&c->op, list, reals);
    for (unsigned k = 0; k < LISTS; k++)
        free((void *)(uintptr_t)list[k]->value);
    for (unsigned k = 0; k < REALS; k++)
        free((void *)(uintptr_t)reals[k]->value);
    free((void *)(uintptr_t)c->op.pattern);
    free((void *)(uintptr_t)c->op.lengths);
    for (size_t i = 0; i < c->inputs; i++)
        free(c->source[i]);
    for (size_t i = 0; i < c->outputs; i++) {
        free(c->target[i]);
        free(c->expected[i]);
    }
}

static void show(const char *what, const ztl_ops_tensor *t)
{
    printf("  %s: %u bits, offset %" PRId64 ", size %" PRIu64 ", [", what, t->bits, t->offset,
           t->size);
    for (unsigned d = 0; d < t->rank; d++)
        printf("%s%" PRId64 ":%" PRId64, d ? " " : "", t->extent[d], t->stride[d]);
    printf("]\n");
}

/* Compares all bytes of the outputs, those between elements too. */
static bool compare(const test_case *c, unsigned long index, const ztl_ops_plan *plan)
{
    for (size_t i = 0; i < c->outputs; i++) {
        const uint8_t *a = c->target[i], *b = c->expected[i];
        for (uint64_t k = 0; k < c->out[i].size; k++) {
            if (a[k] == b[k])
                continue;
            char text[4096];
            ztl_ops_describe(plan, text, sizeof text);
            printf("case %lu, %s: output %zu, byte %" PRIu64 " is %02x, must be %02x\n", index,
                   ztl_ops_name(c->op.kind), i, k, a[k], b[k]);
            for (size_t j = 0; j < c->inputs; j++)
                show("input", &c->in[j]);
            show("output", &c->out[i]);
            printf("%s", text);
            return false;
        }
    }
    return true;
}

typedef struct options {
    bool verbose, engines, scalar, memories;
    unsigned kinds; /* of passes that occurred */
} options;

static void restore(test_case *c, void *const *initial)
{
    for (size_t i = 0; i < c->outputs; i++)
        memcpy(c->target[i], initial[i], c->out[i].size);
}

static ops_job job_of(const test_case *c)
{
    return (ops_job){.op = &c->op,
                     .in = c->in,
                     .out = c->out,
                     .inputs = c->inputs,
                     .outputs = c->outputs,
                     .source = (const void *const *)c->source,
                     .target = c->target};
}

static bool run_scalar(const test_case *c, unsigned long index, const ztl_ops_plan *plan)
{
    ops_job job = job_of(c);
    ztl_error error;
    uint64_t retired;
    if (ztl_ops_sim_scalar(&job, &retired, &error))
        return compare(c, index, plan) && retired > 0;
    printf("case %lu, %s: scalar: %s\n", index, ztl_ops_name(c->op.kind), error.text);
    return false;
}

static bool sorts(const ztl_ops_plan *plan)
{
    const ops_pass *pass = ops_first_pass(plan);
    bool any = false;
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass))
        any |= pass->kind == OPS_PASS_INDEXED && ops_pass_indexed(pass)->classes;
    return any;
}

static bool run_on(test_case *c, unsigned long index, bool qemu, const ztl_ops_plan *plan)
{
    ops_job job = job_of(c);
    ztl_error error;
    uint64_t retired, counted = 0;
    ztl_statistics emulated = {0};
    bool good = qemu ? ztl_ops_qemu_run(&job, plan, &emulated, &error)
                     : ztl_ops_sim_run(&job, plan, &retired, &error);
    if (!good)
        printf("case %lu, %s: %s: %s\n", index, ztl_ops_name(c->op.kind), qemu ? "QEMU" : "hart",
               error.text);
    if (!good || !compare(c, index, plan))
        return false;
    ztl_ops_stats stats = ztl_ops_plan_stats(plan), seen = {.csr = 0};
    for (unsigned i = 0; qemu && i < ZTL_INSNS; i++) {
        counted += emulated.count[i];
        seen.insn[ztl_isa_insn(i)->op] += emulated.count[i];
    }
    bool each = !memcmp(seen.insn, stats.insn, sizeof seen.insn);
    /* With a condition the plan counts what one of ones takes, of sorted rows the worst. */
    bool depends = c->op.kind == ZTL_OPS_WHERE ||
                   (c->op.kind == ZTL_OPS_COMPRESS && c->inputs == 2) || sorts(plan);
    bool exact = (each && emulated.csr == stats.csr) ||
                 (depends && counted <= ztl_ops_total(&stats) && emulated.csr <= stats.csr);
    if (qemu && !exact)
        printf("case %lu, %s: QEMU counts %" PRIu64 " instructions, the plan %" PRIu64
               "; on CSRs %" PRIu64 " and %" PRIu64 "\n",
               index, ztl_ops_name(c->op.kind), counted, ztl_ops_total(&stats), emulated.csr,
               stats.csr);
    return !qemu || exact;
}

static bool run_on_engines(test_case *c, unsigned long index, void *const *initial,
                           const ztl_ops_plan *plan, options *o)
{
    const ops_pass *pass = ops_first_pass(plan);
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass))
        o->kinds |= 1u << pass->kind;
    restore(c, initial);
    bool good = run_on(c, index, false, plan);
    restore(c, initial);
    return good && run_on(c, index, true, plan);
}

/* The same bytes by movers, with every set of kernels and on several threads. */
static bool run_movers(test_case *c, unsigned long index, void *const *initial,
                       const ztl_ops_plan *plan)
{
    const native_set *set;
    bool good = true;
    for (size_t i = 0; good && (set = ztl_native_set(i)); i++) {
        ztl_error error = {""};
        ztl_mover *mover =
            ztl_mover_with(set, &c->op, c->in, c->inputs, c->out, c->outputs, &error);
        for (unsigned threads = 1; good && threads < 5; threads += 3) {
            restore(c, initial);
            good = mover && ztl_mover_run_on(mover, (const void *const *)c->source, c->target,
                                             threads, &error);
            if (!good || !(good = compare(c, index, plan)))
                printf("by %s kernels, %u threads: %s\n", set->name, threads, error.text);
        }
        ztl_mover_free(mover);
    }
    return good;
}

/* A plan in memory of so many bytes, which hold anything before; NULL where it does not fit. */
static ztl_ops_plan *make_in(const test_case *c, size_t space, int before, ztl_error *error)
{
    ztl_ops_plan *plan = malloc(space);
    memset(plan, before, space);
    if (ztl_ops_make(&c->op, c->in, c->inputs, c->out, c->outputs, &c->machine, plan, space, error))
        return plan;
    free(plan);
    return NULL;
}

/* A plan that is the same whatever was in its memory, and leaves the same bytes. */
static bool run_made(test_case *c, unsigned long index, ztl_ops_plan *plan, size_t space)
{
    ztl_error error;
    ztl_ops_plan *again = make_in(c, space, 0x5a, &error);
    size_t bytes = ztl_ops_plan_bytes(plan);
    bool same = again && bytes <= space && !memcmp(plan, again, bytes);
    if (!same)
        printf("case %lu, %s: another plan in the same %zu bytes\n", index,
               ztl_ops_name(c->op.kind), space);
    void *scratch = malloc(ztl_ops_scratch_bytes(plan) + 1);
    same = same && ztl_ops_run(plan, (const void *const *)c->source, c->target, scratch, &error) &&
           compare(c, index, plan);
    free(scratch);
    free(again);
    return same;
}

/* Whether more memory than there should be makes no other plan. */
static bool is_enough(const test_case *c, unsigned long index, size_t needed)
{
    ztl_error error = {""};
    ztl_ops_plan *plan = make_in(c, needed, 0xa5, &error);
    ztl_ops_plan *other = make_in(c, 4 * needed, 0xa5, &error);
    bool same = plan && other && ztl_ops_plan_bytes(plan) == ztl_ops_plan_bytes(other) &&
                !memcmp(plan, other, ztl_ops_plan_bytes(plan));
    if (!same)
        printf("case %lu, %s: another plan in more than %zu bytes\n", index,
               ztl_ops_name(c->op.kind), needed);
    free(other);
    free(plan);
    return same;
}

/* Plans in less and less memory: they are right, or the memory is too small, and that is said. */
static bool run_in_memories(test_case *c, unsigned long index, void *const *initial, size_t needed)
{
    bool good = is_enough(c, index, needed);
    for (size_t space = needed; good && space >= 256; space -= space / 4) {
        ztl_error error = {""};
        ztl_ops_plan *plan = make_in(c, space, 0xa5, &error);
        restore(c, initial);
        good = plan ? run_made(c, index, plan, space)
                    : space < needed && strstr(error.text, "too small");
        if (!plan && !good)
            printf("case %lu, %s: %zu bytes of %zu: %s\n", index, ztl_ops_name(c->op.kind), space,
                   needed, error.text);
        free(plan);
    }
    return good;
}

/* The library's own idea of the outputs is numpy's. */
static bool infers(const test_case *c, unsigned long index)
{
    ztl_ops_tensor out[ZTL_OPS_BUFFERS];
    ztl_error error = {"other outputs are inferred"};
    size_t count = ztl_ops_infer(&c->op, c->in, c->inputs, out, ZTL_OPS_BUFFERS, &error);
    bool same = count == c->outputs;
    for (size_t i = 0; same && i < count; i++)
        same = out[i].rank == c->out[i].rank && out[i].bits == c->out[i].bits &&
               !memcmp(out[i].extent, c->out[i].extent, out[i].rank * sizeof out[i].extent[0]);
    if (!same)
        printf("case %lu, %s: %s\n", index, ztl_ops_name(c->op.kind), error.text);
    return same;
}

/* Whether all that was chosen takes as many instructions as it was costed at. */
static bool is_as_reckoned(const ztl_ops_plan *plan)
{
    const ops_choice *choice = ops_choices(plan);
    for (uint64_t i = 0; i < plan->choice_count; i++)
        if (choice[i].tried[0].ztl != choice[i].written)
            return false;
    return true;
}

/* Every fourth plan is made in far less memory than there should be, if that does. */
static bool make_plan(const test_case *c, unsigned long index, ztl_ops_plan *plan, size_t needed,
                      ztl_error *error)
{
    bool made = index % 4 == 0 && ztl_ops_make(&c->op, c->in, c->inputs, c->out, c->outputs,
                                               &c->machine, plan, needed / 16, error);
    return made || ztl_ops_make(&c->op, c->in, c->inputs, c->out, c->outputs, &c->machine, plan,
                                needed, error);
}

/* What a plan says of itself. */
static bool is_sound(const test_case *c, unsigned long index, const ztl_ops_plan *plan)
{
    const ztl_ops_machine *machine = &c->machine;
    uint64_t most = machine->scratch_limit ? machine->scratch_limit : UINT64_MAX;
    if (machine->no_scratch || machine->disjoint_windows)
        most = 0;
    if (ztl_ops_describe(plan, NULL, 0) < 40 || ztl_ops_scratch_bytes(plan) > most) {
        printf("case %lu, %s: the plan has no description, or takes %" PRIu64
               " bytes of scratch memory\n",
               index, ztl_ops_name(c->op.kind), ztl_ops_scratch_bytes(plan));
        return false;
    }
    if (!is_as_reckoned(plan)) {
        char text[4096];
        ztl_ops_describe(plan, text, sizeof text);
        printf("case %lu, %s: its notes count otherwise\n%s", index, ztl_ops_name(c->op.kind),
               text);
        return false;
    }
    return true;
}

static bool run_case(test_case *c, unsigned long index, options *o, ztl_ops_stats *sum)
{
    ztl_error error;
    static ztl_ops_plan *plan;
    static size_t space;
    if (!infers(c, index))
        return false;
    size_t needed = ztl_ops_plan_space(&c->op, c->in, c->inputs, c->out, c->outputs);
    if (needed > space) {
        free(plan);
        plan = malloc(space = needed);
    }
    if (!plan || !make_plan(c, index, plan, needed, &error)) {
        printf("case %lu, %s: %s\n", index, ztl_ops_name(c->op.kind), plan ? error.text : "memory");
        show("input", &c->in[0]);
        show("output", &c->out[0]);
        return false;
    }
    if (!is_sound(c, index, plan))
        return false;
    static void *scratch;
    static uint64_t scratch_size;
    if (ztl_ops_scratch_bytes(plan) > scratch_size) {
        free(scratch);
        scratch = malloc(scratch_size = ztl_ops_scratch_bytes(plan));
    }
    void *initial[ZTL_OPS_BUFFERS] = {NULL};
    for (size_t i = 0; i < c->outputs; i++) {
        initial[i] = malloc(c->out[i].size + 1);
        memcpy(initial[i], c->target[i], c->out[i].size);
    }
    if (!ztl_ops_run(plan, (const void *const *)c->source, c->target, scratch, &error)) {
        printf("case %lu, %s: %s\n", index, ztl_ops_name(c->op.kind), error.text);
        return false;
    }
    bool good = compare(c, index, plan);
    if (!o->engines && !o->scalar && !o->memories)
        good = good && run_movers(c, index, initial, plan);
    if (o->engines)
        good = good && run_on_engines(c, index, initial, plan, o);
    if (o->scalar) {
        restore(c, initial);
        good = run_scalar(c, index, plan) && good;
    }
    if (o->memories)
        good = run_in_memories(c, index, initial, needed) && good;
    for (size_t i = 0; i < c->outputs; i++)
        free(initial[i]);
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    sum->scalar += stats.scalar;
    for (unsigned op = 0; op < ZTL_OPS; op++)
        sum->insn[op] += stats.insn[op];
    if (o->verbose)
        printf("%lu %s %" PRIu64 " %" PRIu64 "\n", index, ztl_ops_name(c->op.kind),
               ztl_ops_total(&stats), ztl_ops_lower_bound(plan));
    return good;
}

int main(int argc, char **argv)
{
    options o = {.verbose = argc > 1 && !strcmp(argv[1], "-v"),
                 .engines = argc > 1 && !strcmp(argv[1], "-e"),
                 .scalar = argc > 1 && !strcmp(argv[1], "-s"),
                 .memories = argc > 1 && !strcmp(argv[1], "-m")};
    unsigned long run = 0, bad = 0;
    ztl_ops_stats sum = {0};
    test_case c;
    while (read_case(&c)) {
        bad += !run_case(&c, run++, &o, &sum);
        free_case(&c);
        if (bad > 10)
            break;
    }
    printf("%lu cases, %lu wrong, %" PRIu64 " Ztl instructions, %" PRIu64 " scalar moves\n", run,
           bad, ztl_ops_total(&sum), sum.scalar);
    if (o.engines && o.kinds != (1u << OPS_PASS_KINDS) - 1) {
        printf("only these kinds of passes occurred: 0x%x\n", o.kinds);
        return 1;
    }
    return bad || !run;
}
