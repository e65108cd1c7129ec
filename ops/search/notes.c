/* SPDX-License-Identifier: Apache-2.0
 * Why a plan is as it is: the ways that were costed, for whoever reads the plan.
 */
#include "ops/search/notes.h"

/* Constants that are alone have but one way. */
static bool is_of_interest(const ops_query *q)
{
    return q->stage ? !q->is_rest : q->count > 1 || q->whole || q->piece->src != OPS_FILL;
}

ops_note *ztl_ops_open_note(const ops_query *q)
{
    ops_draft *draft = q->planner->draft;
    if (!is_of_interest(q) || draft->notes == OPS_MOST_NOTES)
        return NULL;
    ops_note *note = &draft->note[draft->notes++];
    note->count = 0;
    return note;
}

static ops_tried tried_of(const ops_node *node)
{
    return (ops_tried){node->way, (uint32_t)node->detail, node->cost.ztl, node->cost.key};
}

void ztl_ops_note(ops_note *note, const ops_node *found)
{
    if (!note || found->cost.key >= OPS_NEVER.key || note->count == OPS_MOST_TRIED)
        return;
    note->tried[note->count++] = tried_of(found);
}

unsigned ztl_ops_note_number(const ops_query *q)
{
    return q->note ? (unsigned)(q->note - q->planner->draft->note) + 1 : 0;
}

/* The way that was taken first, then the cheapest. */
static bool comes_before(const ops_choice *choice, const ops_tried *a, const ops_tried *b)
{
    return a->way == choice->taken || (b->way != choice->taken && a->key < b->key);
}

static void sort_tried(ops_choice *choice)
{
    for (uint32_t i = 1; i < choice->count; i++)
        for (uint32_t k = i; k > 0; k--) {
            ops_tried *a = &choice->tried[k - 1], *b = &choice->tried[k], swap = *a;
            if (!comes_before(choice, b, a))
                break;
            *a = *b;
            *b = swap;
        }
}

/* Whichever way is taken first makes the constant. */
static ops_cost constant_of(const ops_query *q)
{
    const ops_planner *planner = q->planner;
    bool makes = !q->stage && q->piece->src == OPS_FILL && !planner->draft->has_constant;
    return ops_times(ztl_ops_constant_cost(planner), makes);
}

ops_choice *ztl_ops_begin_choice(const ops_query *q, const ops_node *node)
{
    ops_draft *draft = q->planner->draft;
    if (!is_of_interest(q) || node->way == OPS_WAY_BUFFERS || draft->choices == OPS_MOST_CHOICES)
        return NULL;
    ops_choice *choice = &draft->choice[draft->choices++];
    *choice = (ops_choice){.first = draft->plan->passes,
                           .pieces = (uint32_t)q->count,
                           .count = 1,
                           .taken = node->way,
                           .searched = node->searched,
                           .written = -(int64_t)ztl_ops_total(&draft->plan->stats),
                           .tried = {tried_of(node)}};
    for (size_t i = 0; i < q->count; i++)
        choice->least += ztl_ops_least(q->planner, &q->piece[i]);
    if (node->note) {
        const ops_note *note = &draft->note[node->note - 1];
        choice->count = note->count;
        memcpy(choice->tried, note->tried, note->count * sizeof *note->tried);
    }
    sort_tried(choice);
    ops_cost constant = constant_of(q);
    for (uint32_t k = 0; k < choice->count; k++) {
        choice->tried[k].ztl += constant.ztl;
        choice->tried[k].key += constant.key;
    }
    return choice;
}

void ztl_ops_end_choice(const ops_planner *planner, ops_choice *choice)
{
    if (!choice)
        return;
    choice->passes = planner->draft->plan->passes - choice->first;
    choice->written += (int64_t)ztl_ops_total(&planner->draft->plan->stats);
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
