/* SPDX-License-Identifier: Apache-2.0
 * Rounds: the first is recorded, and executed with all others as a whole.
 */
#include "intrin/thread_hart.h"

static bool is_current(const thread_hart *hart, const ztl_intrin_site *site)
{
    return site->revision == hart->state.config.revision;
}

/* What the round's addresses add to those of a step. */
static uint64_t base_of(const thread_hart *hart, const ztl_insn *insn)
{
    enum ztl_op op = insn->row ? (enum ztl_op)insn->row->op : ZTL_OPS;
    bool loads = op == ZTL_OP_LOAD || op == ZTL_OP_MLOAD;
    bool stores = op == ZTL_OP_STORE || op == ZTL_OP_MSTORE;
    return loads ? hart->from : stores ? hart->to : 0;
}

static void execute_step(thread_hart *hart, unsigned n)
{
    const ztl_round_step *step = &hart->step[n];
    if (step->insn.row)
        ztl_thread_execute(hart, hart->site[n], &step->insn, step->a0 + base_of(hart, &step->insn),
                           step->a1);
    else
        ztl_thread_csr(hart, hart->site[n], step->a1);
}

static void execute_steps(thread_hart *hart)
{
    for (unsigned n = 0; n < hart->steps; n++)
        execute_step(hart, n);
}

/* As many of n rounds as can be executed as a whole. */
static size_t execute_rounds(thread_hart *hart, size_t n, ptrdiff_t in, ptrdiff_t out)
{
    ztl_rounds *rounds = hart->rounds;
    const ztl_series at[2] = {{hart->from, in}, {hart->to, out}};
    size_t done = (size_t)ztl_rounds_run(rounds, &hart->state, &ztl_program_memory, at, n);
    for (unsigned k = 0; done && k < rounds->csrs; k++)
        execute_step(hart, rounds->csr[k]);
    return done;
}

static void execute_round(thread_hart *hart)
{
    if (!execute_rounds(hart, 1, 0, 0))
        execute_steps(hart);
}

void ztl_thread_leave_rounds(thread_hart *hart)
{
    hart->in_rounds = hart->recording = false;
    execute_steps(hart);
}

bool ztl_thread_record(thread_hart *hart, const ztl_intrin_site *site, const ztl_insn *insn,
                       uint64_t a0, uint64_t a1)
{
    if (!is_current(hart, site) || hart->steps == ZTL_ROUND_STEPS) {
        ztl_thread_leave_rounds(hart);
        return false;
    }
    hart->step[hart->steps] = (ztl_round_step){*insn, a0 - base_of(hart, insn), a1};
    hart->site[hart->steps++] = site;
    return true;
}

void ztl_intrin_rounds_begin(void)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->ready) /* its first intrinsic decides of which revision it is */
        return;
    hart->in_rounds = true;
    hart->recording = hart->recorded = false;
}

void ztl_intrin_rounds_end(void)
{
    thread_hart *hart = ztl_this_hart;
    if (hart && hart->recording) /* the body was left early */
        ztl_thread_leave_rounds(hart);
    if (hart)
        hart->in_rounds = false;
}

bool ztl_intrin_round_begin(const void *from, void *to)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->in_rounds)
        return true;
    hart->from = (uint64_t)(uintptr_t)from;
    hart->to = (uint64_t)(uintptr_t)to;
    hart->recording = !hart->recorded;
    if (hart->recording)
        hart->steps = 0;
    else
        execute_round(hart);
    return hart->recording;
}

size_t ztl_intrin_rounds_ahead(size_t n, const void *from, ptrdiff_t in, void *to, ptrdiff_t out)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->in_rounds || !hart->recorded || n == 0)
        return 0;
    hart->from = (uint64_t)(uintptr_t)from;
    hart->to = (uint64_t)(uintptr_t)to;
    return execute_rounds(hart, n, in, out);
}

/* The loop that has been recorded: one of those that are kept, or in the place of the oldest. A few
 * copies that differ in strides only are kept side by side, unless strides change within the loop:
 * finding where all slices are would take as long as copying some KiB. */
static ztl_rounds *find_loop(thread_hart *hart)
{
    enum { KEPT_COPIES = 4 };
    ztl_rounds *similar = NULL;
    unsigned count = 0;
    for (unsigned k = 0; k < KEPT_LOOPS; k++) {
        ztl_rounds *kept = &hart->kept[k];
        if (!ztl_rounds_have(kept, &hart->state, hart->step, hart->steps))
            continue;
        if (ztl_rounds_placed(kept, &hart->state))
            return kept;
        similar = !similar || kept->moved ? kept : similar;
        count++;
    }
    if (similar && (similar->kind != ZTL_ROUND_COPY || similar->moved || count == KEPT_COPIES))
        return similar;
    ztl_rounds *rounds = &hart->kept[hart->oldest++ % KEPT_LOOPS];
    ztl_rounds_set(rounds, hart->step, hart->steps);
    return rounds;
}

void ztl_intrin_round_end(void)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->recording)
        return;
    hart->recording = false;
    hart->recorded = true;
    hart->rounds = find_loop(hart);
    ztl_rounds_csr_written(hart->rounds);
    execute_round(hart);
    hart->rounds->moved = false;
}
