/* SPDX-License-Identifier: Apache-2.0
 * A way that is asked on its own: what it takes is what it said that it would.
 */
#ifndef ZTL_TEST_OPS_ASKED_H
#define ZTL_TEST_OPS_ASKED_H

#include "ops/format/insn.h"
#include "ops/search/ways/way.h"
#include "tests/ops/draft.h"

#define NEVER (OPS_NEVER.key)

static ops_planner planner;
static ops_pool pool;

/* An empty plan, and so much scratch memory. */
static inline void begin_planner(unsigned element, uint64_t scratch)
{
    begin();
    assert_true(ztl_ops_borrow_pool(&arena, &pool, OPS_NODES, OPS_KNOWN));
    ztl_ops_clear_pool(&pool);
    draft.room = arena.high - arena.low;
    planner = (ops_planner){.draft = &draft,
                            .machine = ztl_ops_machine_of(NULL),
                            .arena = &arena,
                            .element = element,
                            .constant = 1,
                            .may_reload = scratch > 0,
                            .scratch_limit = scratch,
                            .pool = &pool};
    ops_start_effort(&planner);
}

static const ops_node no_node = {.cost = {INT64_MAX >> 24, 0, INT64_MAX >> 24}};

static inline ops_query ask(const ops_piece *piece, size_t count)
{
    return (ops_query){.planner = &planner,
                       .piece = piece,
                       .count = count,
                       .depth = OPS_DEPTH,
                       .limit = NEVER,
                       .best = &no_node};
}

/* Nodes that are held must be dropped in the end: all of them then make one list. */
static inline void check_pool(void)
{
    unsigned free = 0;
    for (unsigned i = 0; i < OPS_KNOWN; i++)
        ztl_ops_drop(&planner, pool.known[i].node);
    for (unsigned node = pool.free; node; node = pool.node[node - 1].part[0])
        free++;
    assert_int_equal(free, pool.made);
}

/* What a way takes, as reckoned and written; NEVER where it does not know the pieces. */
static inline int64_t carry_out(enum ops_way_id way, const ops_query *q)
{
    ops_node found = {.cost = OPS_NEVER, .way = (uint8_t)way};
    size_t high = arena.high;
    bool is_found = ztl_ops_ways[way].way->find(q, &found) && found.cost.key < NEVER;
    if (is_found)
        ztl_ops_write(q, &found);
    assert_false(arena.full);
    assert_int_equal(arena.high, high);
    assert_int_equal(planner.scratch_top, 0);
    assert_true(draft.plan->scratch <= planner.scratch_limit);
    int64_t written = (int64_t)ztl_ops_total(&draft.plan->stats);
    if (is_found && q->piece->src == OPS_FILL && !q->stage) /* whoever asks adds the constant */
        written -= ops_constant_ztl(planner.constant);
    if (written != (is_found ? found.cost.key : 0))
        fail_msg("%s: %lld instructions reckoned, %lld written", ztl_ops_ways[way].way->name,
                 (long long)found.cost.key, (long long)written);
    ztl_ops_drop_parts(&planner, &found);
    check_pool();
    return is_found ? found.cost.key : NEVER;
}

#endif
