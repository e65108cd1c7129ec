/* SPDX-License-Identifier: Apache-2.0
 * Writing: a walk over the tree. Nothing is chosen here.
 */
#include "ops/search/notes.h"
#include "ops/search/ways/way.h"

void ztl_ops_use_scratch(ops_planner *planner, uint64_t bytes)
{
    uint64_t *most = &planner->draft->plan->scratch;
    planner->scratch_top += bytes;
    *most = *most < planner->scratch_top ? planner->scratch_top : *most;
}

static void write_parts(const ops_query *q, const ops_node *node)
{
    ops_division parts = {.count = 0};
    ztl_ops_ways[node->way].way->divide(q, &node->pick, &parts);
    ztl_ops_use_scratch(q->planner, parts.bytes);
    for (unsigned k = 0; k < parts.count; k++)
        ztl_ops_write_part(q->planner, &parts.part[k], parts.depth[k], node->part[k]);
    q->planner->scratch_top -= parts.bytes;
}

void ztl_ops_write(const ops_query *q, const ops_node *node)
{
    const ops_way *way = ztl_ops_ways[node->way].way;
    ops_choice *choice = ztl_ops_begin_choice(q, node);
    if (way->write)
        way->write(q, node);
    else
        write_parts(q, node);
    ztl_ops_end_choice(q->planner, choice);
}

void ztl_ops_write_part(ops_planner *planner, const ops_piece *piece, unsigned depth, unsigned node)
{
    const ops_query q = {.planner = planner, .piece = piece, .count = 1, .depth = depth};
    ztl_ops_write(&q, ops_node_at(planner, node));
}

void ztl_ops_write_one(const ops_query *q, const ops_piece *piece, const ops_node *node,
                       unsigned *part)
{
    if (q->count <= OPS_MOST_PARTS)
        ztl_ops_write_part(q->planner, piece, ops_depth(q->planner, q->count),
                           node->part[(*part)++]);
    else
        ztl_ops_write_undivided(q->planner, piece);
}

void ztl_ops_write_undivided(ops_planner *planner, const ops_piece *piece)
{
    unsigned node = ztl_ops_plan_piece(planner, piece, 0, OPS_NEVER.key);
    if (node)
        ztl_ops_write_part(planner, piece, 0, node);
    else
        planner->arena->full = true;
    ztl_ops_drop(planner, node);
}

void ztl_ops_solve_stage(ops_planner *planner, const ops_moves *stage)
{
    ops_query q = {.planner = planner,
                   .piece = stage->piece,
                   .count = stage->count,
                   .depth = ops_depth(planner, 1),
                   .limit = OPS_NEVER.key,
                   .stage = stage};
    unsigned node = ztl_ops_plan_query(&q);
    if (node)
        ztl_ops_write(&q, ops_node_at(planner, node));
    else
        planner->arena->full = true;
    ztl_ops_drop(planner, node);
}
