/* SPDX-License-Identifier: Apache-2.0
 * Whether a plan that comes from elsewhere is whole: where its parts are, and what describes it.
 */
#include "ops/api/saved/verify.h"

#include "ops/operators/call.h"
#include "ops/search/ways/way.h"

/* Whether `count` things of `size` bytes fit at an offset that is a multiple of 8. */
static bool fits(uint64_t at, uint64_t count, uint64_t size, uint64_t bytes)
{
    return at % 8 == 0 && at <= bytes && count <= (bytes - at) / size;
}

/* The bytes of a pass, by the counts of what follows it: all of them are below 2^32. */
static uint64_t pass_bytes(const ops_pass *pass)
{
    return sizeof *pass + (uint64_t)pass->insns * sizeof(ops_insn) +
           (uint64_t)pass->vectors * sizeof(ops_vector) +
           (uint64_t)pass->groups * sizeof(ops_group) + (uint64_t)pass->batches * sizeof(ops_batch);
}

static bool verify_choices(const ztl_ops_plan *plan, ztl_error *error)
{
    const ops_choice *choice = ops_choices(plan);
    for (uint64_t i = 0; i < plan->choice_count; i++, choice++) {
        bool good = choice->count <= OPS_MOST_TRIED && choice->taken < OPS_WAYS;
        for (uint32_t k = 0; good && k < choice->count; k++)
            good = choice->tried[k].way < OPS_WAYS;
        if (!good)
            return ztl_ops_fail(error, "the plan is damaged: choice %llu is of no known way",
                                (unsigned long long)i);
    }
    return true;
}

/* Whether what belongs to a pass is where it should be. */
static bool follows(const ops_pass *pass)
{
    ops_pass right = *pass;
    ops_pass_follows(&right);
    return right.insns_at == pass->insns_at && right.groups_at == pass->groups_at &&
           right.batches_at == pass->batches_at;
}

static bool verify_passes(const ztl_ops_plan *plan, ztl_error *error)
{
    const ops_span *spans = (const ops_span *)((const uint8_t *)plan + plan->spans);
    uint64_t at = sizeof *plan;
    bool follows_fill = false;
    for (uint32_t i = 0; i < plan->passes; i++) {
        const ops_pass *pass = (const ops_pass *)((const uint8_t *)plan + at);
        const char *wrong = NULL;
        if (!fits(at, 1, sizeof *pass, plan->bytes) || pass->bytes != pass_bytes(pass) ||
            !fits(at, pass->bytes, 1, plan->bytes) || !follows(pass))
            wrong = "it has not as many bytes as it says";
        else
            wrong = ztl_ops_verify_pass(plan, pass, spans, follows_fill);
        if (wrong)
            return ztl_ops_fail(error, "the plan is damaged: pass %u: %s", (unsigned)i + 1, wrong);
        at += pass->bytes;
        follows_fill = pass->kind == OPS_PASS_FILL;
    }
    return true;
}

bool ztl_ops_verify(const ztl_ops_plan *plan, size_t bytes, ztl_error *error)
{
    if (bytes < sizeof *plan || plan->bytes != bytes)
        return ztl_ops_fail(error, "the plan is damaged: it has not as many bytes as it says");
    if (plan->indexed > OPS_IN_PLACE)
        return ztl_ops_fail(error, "the plan is damaged: its indices are of no known kind");
    if (plan->only_counts)
        return ztl_ops_fail(error, "the plan can be counted but not run");
    if (plan->inputs > ZTL_OPS_BUFFERS || !plan->outputs || plan->outputs > ZTL_OPS_BUFFERS)
        return ztl_ops_fail(error, "the plan is damaged: %u inputs and %u outputs",
                            (unsigned)plan->inputs, (unsigned)plan->outputs);
    if (!fits(plan->spans, (uint64_t)plan->inputs + plan->outputs, sizeof(ops_span), bytes) ||
        !fits(plan->choices, plan->choice_count, sizeof(ops_choice), bytes))
        return ztl_ops_fail(error, "the plan is damaged: its tables are not in it");
    return verify_passes(plan, error) && verify_choices(plan, error);
}
