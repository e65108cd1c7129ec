/* SPDX-License-Identifier: Apache-2.0
 * The nodes of plans in the making. They are in a pool of fixed size, each held by the nodes that
 * it is a part of and by what is remembered; when the pool is full, what was remembered is
 * forgotten.
 */
#include "ops/search/ways/way.h"

enum { NONE = 0 };

bool ztl_ops_borrow_pool(ops_arena *arena, ops_pool *pool, unsigned nodes, unsigned knowns)
{
    *pool = (ops_pool){.node = ztl_ops_borrow(arena, nodes * sizeof *pool->node),
                       .known = ztl_ops_borrow(arena, knowns * sizeof *pool->known),
                       .nodes = nodes,
                       .knowns = knowns};
    return pool->node && pool->known;
}

void ztl_ops_clear_pool(ops_pool *pool)
{
    pool->made = pool->free = pool->hand = 0;
    memset(pool->known, 0, pool->knowns * sizeof *pool->known);
}

static ops_node *node_at(ops_planner *planner, unsigned node)
{
    return &planner->pool->node[node - 1];
}

unsigned ztl_ops_hold(ops_planner *planner, unsigned node)
{
    node_at(planner, node)->held++;
    return node;
}

void ztl_ops_drop(ops_planner *planner, unsigned node)
{
    ops_node *at = node ? node_at(planner, node) : NULL;
    if (!at || --at->held)
        return;
    ztl_ops_drop_parts(planner, at);
    at->part[0] = (uint16_t)planner->pool->free;
    planner->pool->free = node;
}

void ztl_ops_drop_parts(ops_planner *planner, ops_node *node)
{
    for (unsigned k = 0; k < node->parts; k++)
        ztl_ops_drop(planner, node->part[k]);
    node->parts = 0;
}

/* Forgets something that was remembered, if it is the last to hold a node. */
static void forget_one(ops_planner *planner)
{
    ops_pool *pool = planner->pool;
    ops_known *known = &pool->known[pool->hand++ % pool->knowns];
    unsigned node = known->node;
    if (!node || node_at(planner, node)->held > 1)
        return;
    *known = (ops_known){.key = 0};
    ztl_ops_drop(planner, node);
}

/* A node that is not in use; NONE where all are held. */
static unsigned free_node(ops_planner *planner)
{
    ops_pool *pool = planner->pool;
    if (pool->made < pool->nodes)
        return ++pool->made;
    for (unsigned k = 0; !pool->free && k < pool->knowns; k++)
        forget_one(planner);
    unsigned node = pool->free;
    if (node)
        pool->free = node_at(planner, node)->part[0];
    return node;
}

/* The node takes over the parts; NONE, without them, where there is no room for it. */
unsigned ztl_ops_keep_node(ops_planner *planner, const ops_node *node)
{
    unsigned kept = free_node(planner);
    ops_node given = *node;
    if (!kept) {
        ztl_ops_drop_parts(planner, &given);
        return NONE;
    }
    given.held = 1;
    *node_at(planner, kept) = given;
    return kept;
}

unsigned ztl_ops_recall(ops_planner *planner, uint64_t key, int64_t limit, bool *is_known)
{
    const ops_pool *pool = planner->pool;
    *is_known = false;
    if (!pool->knowns)
        return NONE;
    const ops_known *known = &pool->known[key % pool->knowns];
    unsigned node = known->key == key ? known->node : NONE;
    *is_known = known->key == key && (node || limit <= known->limit);
    return node && node_at(planner, node)->cost.key <= limit ? ztl_ops_hold(planner, node) : NONE;
}

void ztl_ops_remember(ops_planner *planner, uint64_t key, int64_t limit, unsigned node)
{
    ops_pool *pool = planner->pool;
    if (!pool->knowns)
        return;
    ops_known *known = &pool->known[key % pool->knowns];
    ztl_ops_drop(planner, known->node);
    *known = (ops_known){key, limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX,
                         (uint16_t)(node ? ztl_ops_hold(planner, node) : NONE)};
}
