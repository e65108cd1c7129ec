/* SPDX-License-Identifier: Apache-2.0
 * Running a plan in parts: each pass is a stage.
 */
#include "ops/exec/exec.h"
#include "ops/operators/call.h"

unsigned ztl_ops_stages(const ztl_ops_plan *plan)
{
    return plan->passes;
}

/* Whether a stage reads indices. */
static bool is_indexed(const ztl_ops_plan *plan, unsigned stage)
{
    const ops_pass *pass = ops_first_pass(plan);
    for (unsigned i = 0; i < stage; i++)
        pass = ops_next_pass(pass);
    return pass->kind == OPS_PASS_INDEXED;
}

/* Indices are looked at before anything is written, in the first stage, and where they are used. */
bool ztl_ops_run_part(const ztl_ops_plan *plan, unsigned k, unsigned n, unsigned stage,
                      const void *const *in, void *const *out, void *scratch, ztl_error *error)
{
    ops_bad_index bad;
    if (k >= n)
        return ztl_ops_fail(error, "there is no part %u of %u", k, n);
    if (stage >= plan->passes)
        return ztl_ops_fail(error, "there is no stage %u, the plan has %u", stage,
                            (unsigned)plan->passes);
    if (!ztl_ops_check_run(plan, in, out, scratch, error))
        return false;
    if (plan->indexed && (stage == 0 || is_indexed(plan, stage)) &&
        ztl_ops_find_bad_index(plan, in, &bad))
        return ztl_ops_say_bad(error, &bad);
    ztl_ops_run_pass_part(plan, stage, k, n, in, out, scratch);
    return true;
}
