/* SPDX-License-Identifier: Apache-2.0
 * A part of a pass: a range of its longest loop, or of its listed batches. The pass itself stays as
 * it is; a head of its own says what the part is.
 */
#include "ops/exec/exec.h"
#include "ops/format/indexed.h"

#include <ztl/intrin.h>

typedef struct range {
    int64_t first, count;
} range;

/* Part k of `all`, as equal as they can be. */
static range share(int64_t all, unsigned k, unsigned n)
{
    int64_t each = all / n, more = all % n;
    range r = {each * k + (k < more ? k : more), each + (k < more)};
    return r;
}

/* A head that can lie anywhere and still finds what belongs to it. */
static void copy_head(const ops_pass *pass, ops_pass *head)
{
    int64_t away = (int64_t)((intptr_t)pass - (intptr_t)head);
    *head = *pass;
    head->insns_at += away;
    head->groups_at += away;
    head->batches_at += away;
}

/* Such a head, from which the compiler does not conclude where the rest is. */
static const ops_pass *anywhere(const ops_pass *head)
{
    __asm__ volatile("" : "+r"(head) : : "memory");
    return head;
}

/* Whether positions of a loop can be done in any order, and apart. Those of a scatter by other
 * indices may be the same place, of which the last one counts, unless the loop has places of its
 * own; a condition that counts on is one loop after the other. */
static bool may_cut(const ops_pass *pass, unsigned d)
{
    if (pass->kind != OPS_PASS_INDEXED)
        return true;
    const ops_indexed *x = ops_pass_indexed(pass);
    if (x->form == OPS_INDEX_SCATTERS)
        return x->step[d] == 0 || pass->loop[d].out != 0;
    return x->form != OPS_INDEX_SELECTS || (x->parts && (x->restart || d == 0));
}

/* The longest loop; the number of loops where there is none. */
static unsigned longest(const ops_pass *pass)
{
    unsigned best = pass->loops;
    for (unsigned d = 0; d < pass->loops; d++)
        if (may_cut(pass, d) && (best == pass->loops || pass->loop[d].n > pass->loop[best].n))
            best = d;
    return best;
}

/* A range of loop d. */
static void run_loop(const ops_pass *pass, unsigned d, range r, ops_buffers b)
{
    ops_pass head;
    copy_head(pass, &head);
    if (!r.count)
        return;
    if (pass->kind == OPS_PASS_WHERE)
        b.indices += r.first * ops_pass_batches(pass)[d].in;
    head.loop[d].n = r.count;
    b.from += r.first * pass->loop[d].in;
    b.to += r.first * pass->loop[d].out;
    ztl_ops_run_pass(anywhere(&head), &b);
}

/* The index with the most positions: parts of a scatter have a range of them each. */
static unsigned widest(const ops_indexed *x)
{
    unsigned best = 0;
    for (unsigned j = 1; j < x->count; j++)
        if (x->index[j].extent > x->index[best].extent)
            best = j;
    return best;
}

/* How many positions of all loops one of loop d has. */
static int64_t inside(const ops_pass *pass, unsigned d)
{
    int64_t n = 1;
    while (++d < pass->loops)
        n *= pass->loop[d].n;
    return n;
}

/* Cuts loop d of a pass with indices, whose slices are then no longer at equal distances. */
static void cut_indexed(ops_pass *head, ops_indexed *x, unsigned d, range r, ops_buffers *b)
{
    bool selects = x->form == OPS_INDEX_SELECTS, is_last = d + 1 == head->loops;
    b->from += r.first * head->loop[d].in * x->unit;
    if (!selects || (x->restart && !is_last)) /* else the place follows from the condition */
        b->to += r.first * head->loop[d].out * x->unit;
    if (!selects)
        b->indices += r.first * x->step[d];
    if (selects && !x->restart)
        b->portion.first = r.first * inside(head, d);
    else if (is_last)
        b->portion.first = r.first;
    head->loop[d].n = r.count;
    if (d > 0)
        x->in_step = x->out_step = 0;
}

/* Part k of n of a pass with indices: a range of a loop; or those updates whose targets are in a
 * range, so that each place has one part that writes it, in the order of the indices. */
static void run_indexed(const ops_pass *pass, unsigned d, unsigned k, unsigned n, ops_buffers b)
{
    ops_pass head;
    ops_indexed x = *ops_pass_indexed(pass);
    int64_t extent = x.form == OPS_INDEX_SCATTERS ? x.index[widest(&x)].extent : 0;
    copy_head(pass, &head);
    head.batches_at = (int64_t)((intptr_t)&x - (intptr_t)&head);
    if (d < pass->loops && (pass->loop[d].n >= n || pass->loop[d].n >= extent)) {
        range r = share(pass->loop[d].n, k, n);
        cut_indexed(&head, &x, d, r, &b);
        if (!r.count)
            return;
    } else {
        range r = share(extent, k, n);
        b.portion = (ops_portion){.low = r.first, .end = r.first + r.count, .by = widest(&x)};
        x.in_step = x.out_step = 0;
        if (!r.count)
            return;
    }
    ztl_ops_run_pass(anywhere(&head), &b);
}

/* What a condition selects is written by part 0, which counts all of it. */
static void write_selected(const ops_pass *pass, const ops_buffers *b)
{
    ops_pass head;
    ops_indexed x = *ops_pass_indexed(pass);
    copy_head(pass, &head);
    head.batches_at = (int64_t)((intptr_t)&x - (intptr_t)&head);
    x.parts = 0;
    for (unsigned d = 0; x.restart && d + 1 < head.loops; d++)
        head.loop[d].n = 1; /* every position of these selects the same */
    ztl_ops_run_pass(anywhere(&head), b);
}

/* A range of the listed batches, group by group. */
static void run_batches(const ops_pass *pass, range r, const ops_buffers *b)
{
    const ops_group *group = ops_pass_groups(pass);
    for (uint32_t g = 0; g < pass->groups; g++, group++) {
        int64_t low = group->first, high = low + group->count, end = r.first + r.count;
        low = low > r.first ? low : r.first;
        high = high < end ? high : end;
        if (low >= high)
            continue;
        ops_pass head;
        copy_head(pass, &head);
        ops_group one = *group;
        one.first = (uint32_t)low;
        one.count = (uint32_t)(high - low);
        one.load_changes = one.store_changes = OPS_CHANGES_ALL; /* nothing is set before it */
        head.groups = 1;
        head.groups_at = (int64_t)((intptr_t)&one - (intptr_t)&head);
        ztl_ops_run_pass(anywhere(&head), b);
    }
}

/* Whether a pass is done by one part alone: nibbles share bytes; and what has nothing to divide. */
static bool is_whole(const ztl_ops_plan *plan, const ops_pass *pass, unsigned loop)
{
    if (plan->element == 4 || pass->kind == OPS_PASS_SCALAR)
        return true;
    bool divides = pass->kind == OPS_PASS_INDEXED
                       ? ops_pass_indexed(pass)->form == OPS_INDEX_SCATTERS
                       : pass->groups > 0;
    return loop == pass->loops && !divides;
}

void ztl_ops_run_pass_part(const ztl_ops_plan *plan, uint32_t index, unsigned k, unsigned n,
                           const void *const *in, void *const *out, void *scratch)
{
    const ops_pass *pass = ops_first_pass(plan);
    uint32_t constant = 0; /* bytes of the one that passes before have made */
    for (uint32_t i = 0; i < index; i++, pass = ops_next_pass(pass))
        if (pass->kind == OPS_PASS_FILL && pass->element)
            constant = pass->element;
    if (plan->indexed == OPS_IN_PLACE && in[0] == out[0] && pass->kind != OPS_PASS_INDEXED)
        return;
    ops_buffers b = ztl_ops_buffers(pass, in, out, scratch);
    unsigned d = longest(pass);
    ops_pass head;
    copy_head(pass, &head);
    if (pass->kind == OPS_PASS_FILL && !pass->element)
        head.element = constant;
    bool lists = pass->kind != OPS_PASS_INDEXED && pass->kind != OPS_PASS_WHERE &&
                 (d == pass->loops || pass->batches > pass->loop[d].n);
    const ops_pass *whole = anywhere(&head);
    __riscv_ztl_csrw_ttype(0);
    if (is_whole(plan, pass, d)) {
        if (k == 0)
            ztl_ops_run_pass(whole, &b);
    } else if (pass->kind == OPS_PASS_INDEXED) {
        if (k == 0 && b.selected)
            write_selected(whole, &b);
        b.selected = NULL;
        run_indexed(whole, d, k, n, b);
    } else if (lists && pass->groups) {
        run_batches(whole, share(pass->batches, k, n), &b);
    } else {
        run_loop(whole, d, share(pass->loop[d].n, k, n), b);
    }
}
