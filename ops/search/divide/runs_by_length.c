/* SPDX-License-Identifier: Apache-2.0
 * Several pieces as slices, those with runs of similar length together: a slice is no wider than
 * the shortest run of its pass.
 */
#include "ops/search/ways/way.h"

static size_t same_runs(const ops_piece *piece, size_t count, unsigned element)
{
    size_t n = 1;
    while (n < count && ztl_ops_run_bytes(&piece[n], element) == ztl_ops_run_bytes(piece, element))
        n++;
    return n;
}

static ops_piece *sort_by_run(ops_planner *planner, const ops_piece *piece, size_t count)
{
    ops_piece *sorted = ztl_ops_borrow(planner->arena, count * sizeof *sorted);
    size_t high = planner->arena->high;
    uint64_t *key = ztl_ops_borrow(planner->arena, count * sizeof *key);
    uint32_t *order = ztl_ops_borrow(planner->arena, count * sizeof *order);
    planner->arena->high = high;
    if (!sorted || !key || !order)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        uint64_t run = (uint64_t)ztl_ops_run_bytes(&piece[i], planner->element);
        key[i] = (run < UINT32_MAX ? run : UINT32_MAX) << 32 | i;
        order[i] = (uint32_t)i;
    }
    ztl_ops_sort_by_key(order, count, key);
    for (size_t i = 0; i < count; i++)
        sorted[i] = piece[order[i]];
    return sorted;
}

/* So few instructions that partly filled batches matter. */
enum { FEW = 16 };

static ops_cost cost_of(const ops_planner *planner, const ops_piece *piece, size_t count,
                        unsigned *width)
{
    return ztl_ops_runs_cost(planner, piece, count, NULL, OPS_NEVER.key, width);
}

ops_cost ztl_ops_runs_by_length(ops_planner *planner, const ops_piece *piece, size_t count,
                                bool write)
{
    size_t high = planner->arena->high;
    ops_piece *sorted = sort_by_run(planner, piece, count);
    ops_cost sum = {0, 0, 0};
    for (size_t i = 0, n; sorted && i < count; i += n) {
        unsigned width, next_width, both_width;
        n = same_runs(&sorted[i], count - i, planner->element);
        ops_cost cost = cost_of(planner, &sorted[i], n, &width);
        while (i + n < count) { /* longer runs join where that fills batches */
            size_t more = same_runs(&sorted[i + n], count - i - n, planner->element);
            ops_cost next = cost_of(planner, &sorted[i + n], more, &next_width);
            if (cost.key > FEW && next.key > FEW)
                break;
            ops_cost both = cost_of(planner, &sorted[i], n + more, &both_width);
            if (both.key > cost.key + next.key)
                break;
            n += more;
            cost = both;
            width = both_width;
        }
        sum = ops_sum(sum, cost);
        if (write)
            ztl_ops_runs_write(planner, &sorted[i], n, NULL, width);
    }
    planner->arena->high = high;
    return sorted ? sum : OPS_NEVER;
}

static bool find(const ops_query *q, ops_node *found)
{
    if (q->count < 2)
        return false;
    found->cost = ztl_ops_runs_by_length(q->planner, q->piece, q->count, false);
    return true;
}

static void write(const ops_query *q, const ops_node *node)
{
    (void)node;
    ztl_ops_runs_by_length(q->planner, q->piece, q->count, true);
}

const ops_way ztl_ops_way_runs_by_length = {"slices, runs of one length together", find, NULL,
                                            write};
