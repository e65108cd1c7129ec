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

/* Whether positions of a loop can be done in any order. Those of a scatter by other indices may be
 * the same place, of which the last one counts; a selection counts on. */
static bool may_cut(const ops_pass *pass, unsigned d)
{
    if (pass->kind != OPS_PASS_INDEXED)
        return true;
    const ops_indexed *x = ops_pass_indexed(pass);
    if (d > 0 && (x->in_step || x->out_step)) /* the slices of all loops are at equal distances */
        return false;
    return x->form == OPS_INDEX_GATHERS || (x->form == OPS_INDEX_SCATTERS && x->step[d] == 0);
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
    int64_t unit = 1;
    if (!r.count)
        return;
    if (pass->kind == OPS_PASS_INDEXED) {
        unit = ops_pass_indexed(pass)->unit;
        b.indices += r.first * ops_pass_indexed(pass)->step[d];
    } else if (pass->kind == OPS_PASS_WHERE) {
        b.indices += r.first * ops_pass_batches(pass)[d].in;
    }
    head.loop[d].n = r.count;
    b.from += r.first * pass->loop[d].in * unit;
    b.to += r.first * pass->loop[d].out * unit;
    ztl_ops_run_pass(anywhere(&head), &b);
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

/* Whether a pass is done by one part alone: nibbles share bytes. */
static bool is_whole(const ztl_ops_plan *plan, const ops_pass *pass, unsigned loop)
{
    return plan->element == 4 || pass->kind == OPS_PASS_SCALAR ||
           (pass->kind == OPS_PASS_INDEXED && loop == pass->loops);
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
    if (is_whole(plan, pass, d) || (d == pass->loops && !pass->groups)) {
        if (k == 0)
            ztl_ops_run_pass(whole, &b);
    } else if (lists && pass->groups) {
        run_batches(whole, share(pass->batches, k, n), &b);
    } else {
        run_loop(whole, d, share(pass->loop[d].n, k, n), b);
    }
}
