/* SPDX-License-Identifier: Apache-2.0
 * Why a plan is as it is: the ways that were costed, for whoever reads the plan.
 */
#include "ops/search/planner.h"

ops_choice *ztl_ops_open_choice(ops_planner *planner, const ops_piece *piece, size_t pieces)
{
    ops_draft *draft = planner->draft;
    ops_choice *outer = draft->open;
    draft->open = NULL;
    if (!pieces || draft->choices == OPS_MOST_CHOICES)
        return outer;
    draft->open = &draft->choice[draft->choices++];
    *draft->open = (ops_choice){.first = draft->plan->passes, .pieces = (uint32_t)pieces};
    for (size_t i = 0; i < pieces; i++)
        draft->open->least += ztl_ops_least(planner, &piece[i]);
    return outer;
}

void ztl_ops_note(ops_planner *planner, unsigned way, int64_t detail, ops_cost cost)
{
    ops_choice *choice = planner->draft->open;
    if (!choice || cost.ztl >= OPS_NEVER.ztl || choice->count == OPS_MOST_TRIED)
        return;
    choice->tried[choice->count++] = (ops_tried){way, (uint32_t)detail, cost.ztl};
}

/* The way that was taken first, then the cheapest. */
static bool comes_before(const ops_choice *choice, const ops_tried *a, const ops_tried *b)
{
    return a->way == choice->taken || (b->way != choice->taken && a->ztl < b->ztl);
}

void ztl_ops_close_choice(ops_planner *planner, ops_choice *outer, unsigned taken, int64_t ztl,
                          int64_t constant)
{
    ops_choice *choice = planner->draft->open;
    planner->draft->open = outer;
    if (!choice)
        return;
    choice->taken = taken;
    choice->passes = planner->draft->plan->passes - choice->first;
    for (uint32_t i = 0; i < choice->count; i++)
        choice->tried[i].ztl =
            choice->tried[i].way == taken ? ztl : choice->tried[i].ztl + constant;
    for (uint32_t i = 1; i < choice->count; i++)
        for (uint32_t k = i; k > 0; k--) {
            ops_tried *a = &choice->tried[k - 1], *b = &choice->tried[k], swap = *a;
            if (!comes_before(choice, b, a))
                break;
            *a = *b;
            *b = swap;
        }
}

void ztl_ops_write_choices(ops_draft *draft)
{
    size_t bytes = draft->choices * sizeof *draft->choice;
    ops_choice *kept = ztl_ops_keep(draft->arena, bytes);
    if (!kept)
        return;
    memcpy(kept, draft->choice, bytes);
    draft->plan->choices = (uint64_t)((uint8_t *)kept - (uint8_t *)draft->plan);
    draft->plan->choice_count = draft->choices;
}
