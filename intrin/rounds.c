/* SPDX-License-Identifier: Apache-2.0
 * Loops of intrinsics: the first iteration is recorded, and all run fused where they can.
 */
#include "intrin/thread_hart.h"

static void execute_step(thread_hart *hart, unsigned n)
{
    const ztl_recorder *recorder = &hart->recorder;
    const ztl_loop_step *step = &recorder->step[n];
    if (step->insn.row)
        ztl_thread_execute(hart, recorder->site[n], &step->insn,
                           step->a0 + ztl_record_base(recorder, &step->insn), step->a1);
    else
        ztl_thread_csr(hart, recorder->site[n], step->a1);
}

static void execute_steps(thread_hart *hart)
{
    for (unsigned n = 0; n < hart->recorder.steps; n++)
        execute_step(hart, n);
}

/* As many of n iterations as run fused. */
static size_t run_fused(thread_hart *hart, size_t n, ptrdiff_t in, ptrdiff_t out)
{
    ztl_loop *loop = hart->recorder.loop;
    const ztl_series at[2] = {{hart->recorder.from, in}, {hart->recorder.to, out}};
    size_t done = (size_t)ztl_loop_run(loop, &hart->state, &ztl_program_memory, at, n);
    for (unsigned k = 0; done && k < loop->csrs; k++)
        execute_step(hart, loop->csr[k]);
    return done;
}

static void run_one(thread_hart *hart)
{
    if (!run_fused(hart, 1, 0, 0))
        execute_steps(hart);
}

void ztl_thread_leave_rounds(thread_hart *hart)
{
    hart->recorder.in_loop = hart->recorder.recording = false;
    execute_steps(hart);
}

bool ztl_thread_record(thread_hart *hart, const ztl_intrin_site *site, const ztl_insn *insn,
                       uint64_t a0, uint64_t a1)
{
    if (site->revision == hart->state.config.revision &&
        ztl_record_step(&hart->recorder, insn, a0, a1, site))
        return true;
    ztl_thread_leave_rounds(hart);
    return false;
}

void ztl_intrin_rounds_begin(void)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->ready) /* its first intrinsic decides of which revision it is */
        return;
    hart->recorder.in_loop = true;
    hart->recorder.recording = hart->recorder.recorded = false;
}

void ztl_intrin_rounds_end(void)
{
    thread_hart *hart = ztl_this_hart;
    if (hart && hart->recorder.recording) /* the body was left early */
        ztl_thread_leave_rounds(hart);
    if (hart)
        hart->recorder.in_loop = false;
}

bool ztl_intrin_round_begin(const void *from, void *to)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->recorder.in_loop)
        return true;
    ztl_recorder *recorder = &hart->recorder;
    ztl_record_iteration(recorder, from, to);
    recorder->recording = !recorder->recorded;
    if (recorder->recording)
        recorder->steps = 0;
    else
        run_one(hart);
    return recorder->recording;
}

size_t ztl_intrin_rounds_ahead(size_t n, const void *from, ptrdiff_t in, void *to, ptrdiff_t out)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->recorder.in_loop || !hart->recorder.recorded || n == 0)
        return 0;
    ztl_record_iteration(&hart->recorder, from, to);
    return run_fused(hart, n, in, out);
}

void ztl_intrin_round_end(void)
{
    thread_hart *hart = ztl_this_hart;
    if (!hart || !hart->recorder.recording)
        return;
    ztl_record_end(&hart->recorder, &hart->state);
    run_one(hart);
    hart->recorder.loop->strides_change = false;
}
