/* SPDX-License-Identifier: Apache-2.0
 * Why a plan is as it is: the ways that were costed, for whoever reads the plan.
 */
#include "ops/solve.h"

ops_choice *ops_open_choice(ops_planner *planner, const ops_piece *piece, size_t pieces)
{
    if (planner->choices == OPS_MOST_CHOICES)
        return NULL;
    ops_choice *choice = &planner->choice[planner->choices++];
    *choice = (ops_choice){.first = planner->plan->passes, .pieces = (uint32_t)pieces};
    for (size_t i = 0; i < pieces; i++)
        choice->least += ops_least(planner, &piece[i]);
    return choice;
}

void ops_note(ops_planner *planner, enum ops_way way, int64_t detail, ops_cost cost)
{
    ops_choice *choice = planner->open;
    if (!choice)
        return;
    choice->searched |= way == OPS_WAY_SCRATCH;
    uint32_t k = 0;
    while (k < choice->count && choice->tried[k].way != way)
        k++;
    if (cost.ztl >= OPS_NEVER.ztl || k == OPS_MOST_TRIED ||
        (k < choice->count && choice->tried[k].ztl <= cost.ztl))
        return;
    choice->count += k == choice->count;
    choice->tried[k] = (ops_tried){way, (uint32_t)detail, cost.ztl};
}

void ops_take(ops_planner *planner, enum ops_way way)
{
    if (planner->open)
        planner->open->taken = way;
}

/* The way that was taken first, then the cheapest. */
static bool comes_before(const ops_choice *choice, const ops_tried *a, const ops_tried *b)
{
    return a->way == choice->taken || (b->way != choice->taken && a->ztl < b->ztl);
}

void ops_close_choice(ops_planner *planner, ops_choice *outer)
{
    ops_choice *choice = planner->open;
    planner->open = outer;
    if (!choice)
        return;
    choice->passes = planner->plan->passes - choice->first;
    for (uint32_t i = 1; i < choice->count; i++)
        for (uint32_t k = i; k > 0; k--) {
            ops_tried *a = &choice->tried[k - 1], *b = &choice->tried[k], swap = *a;
            if (!comes_before(choice, b, a))
                break;
            *a = *b;
            *b = swap;
        }
}

void ops_explain_pieces(ops_planner *planner, const ops_piece *piece, size_t count)
{
    planner->open = count > 1 ? ops_open_choice(planner, piece, count) : NULL;
    ops_choice *own = planner->open;
    ops_solve_pieces(planner, piece, count);
    planner->open = own;
    ops_close_choice(planner, NULL);
}

void ops_explain_whole(ops_planner *planner, const ops_piece *whole, const ops_piece *border,
                       size_t count)
{
    unsigned width;
    ops_cost all = ops_slices_cost(planner, whole, 1, &width),
             rim = ops_pieces_cost(planner, border, count);
    planner->open = ops_open_choice(planner, border, count);
    ops_note(planner, OPS_WAY_WHOLE, width, all);
    ops_note(planner, OPS_WAY_BORDER, 0, rim);
    ops_take(planner, OPS_WAY_WHOLE);
    ops_slices_write(planner, whole, 1, width);
    ops_close_choice(planner, NULL);
}

void ops_write_choices(ops_planner *planner)
{
    size_t bytes = planner->choices * sizeof *planner->choice;
    ops_choice *kept = ops_keep(planner->arena, bytes);
    if (!kept)
        return;
    memcpy(kept, planner->choice, bytes);
    planner->plan->choices = (uint64_t)((uint8_t *)kept - (uint8_t *)planner->plan);
    planner->plan->choice_count = planner->choices;
}
