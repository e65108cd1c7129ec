/* SPDX-License-Identifier: Apache-2.0
 * The search: a plan takes what was reckoned, and more scratch memory never makes it longer.
 */
#include "ops/search/ways/way.h"
#include "tests/unit.h"

#include <stdlib.h>

enum { CASES = 150, MOST_ELEMENTS = 1 << 18, SPACE = 16 << 20 };

static uint32_t draw(uint32_t *state, uint32_t range)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % range;
}

/* A transpose of 2 to 6 dimensions, some of them reversed, some in rows with a gap. */
static ops_piece random_piece(uint32_t *seed, unsigned element)
{
    int64_t elements;
    ops_piece piece;
    do {
        unsigned rank = 2 + draw(seed, 5), place[OPS_DIMS];
        elements = 1;
        piece = (ops_piece){.src = 0, .dst = OPS_OUT};
        int64_t in = element, out = element, extent[OPS_DIMS];
        for (unsigned d = 0; d < rank; d++) {
            unsigned k = draw(seed, d + 1);
            extent[d] = draw(seed, 4) ? 1 + draw(seed, 20) : 1 + draw(seed, 3000);
            elements *= elements <= MOST_ELEMENTS ? extent[d] : 1;
            place[d] = place[k];
            place[k] = d;
        }
        for (unsigned d = 0; d < rank; d++) {
            ztl_ops_add_dim(&piece, extent[d], in, 0);
            in *= extent[d] + (draw(seed, 8) == 0);
        }
        for (unsigned d = 0; d < rank; d++) {
            piece.dim[place[d]].out = out;
            out *= extent[place[d]];
        }
        unsigned turned = draw(seed, 4 * rank);
        if (turned < rank) {
            piece.in += (extent[turned] - 1) * piece.dim[turned].in;
            piece.dim[turned].in *= -1;
        }
    } while (elements < 2048 || elements > MOST_ELEMENTS);
    ztl_ops_canonical_piece(&piece);
    return piece;
}

/* What a plan may take. */
typedef struct limits {
    uint64_t scratch;
    size_t space;
    enum ztl_ops_effort effort;
    enum ops_lists lists;
} limits;

/* Plans that fitted into their memory. */
static unsigned compared;

/* The instructions that were reckoned: as many as are written. */
static uint64_t plan_piece(const ops_piece *piece, unsigned element, limits most)
{
    ops_arena arena = {.base = calloc(1, most.space), .high = most.space};
    assert_non_null(arena.base);
    ops_draft draft = {.arena = &arena,
                       .plan = (ztl_ops_plan *)arena.base,
                       .lists = most.lists,
                       .level = most.effort};
    ztl_ops_keep(&arena, sizeof *draft.plan);
    ops_pool pool;
    assert_true(ztl_ops_borrow_pool(&arena, &pool, OPS_NODES, OPS_KNOWN));
    ztl_ops_clear_pool(&pool);
    draft.room = arena.high - arena.low;
    ops_planner planner = {.draft = &draft,
                           .machine = ztl_ops_machine_of(NULL),
                           .arena = &arena,
                           .element = element,
                           .may_reload = most.scratch > 0,
                           .scratch_limit = most.scratch,
                           .pool = &pool};
    ops_start_effort(&planner);
    unsigned depth = ops_depth(&planner, 1),
             node = ztl_ops_plan_piece(&planner, piece, depth, OPS_NEVER.key);
    assert_int_not_equal(node, 0);
    int64_t reckoned = ops_node_at(&planner, node)->cost.key;
    ztl_ops_write_part(&planner, piece, depth, node);
    uint64_t taken = ztl_ops_total(&draft.plan->stats);
    if (!arena.full && (int64_t)taken != reckoned)
        fail_msg(
            "%lld instructions were reckoned, %llu written, with %llu bytes of scratch memory, "
            "%zu to plan, effort %u, lists %u",
            (long long)reckoned, (unsigned long long)taken, (unsigned long long)most.scratch,
            most.space, (unsigned)most.effort, (unsigned)most.lists);
    compared += !arena.full;
    assert_true(draft.plan->scratch <= most.scratch);
    free(arena.base);
    return taken;
}

static void test_reckoned(void **state)
{
    (void)state;
    uint32_t seed = 88172645;
    for (unsigned i = 0; i < CASES; i++) {
        unsigned element = 1u << draw(&seed, 3);
        ops_piece piece = random_piece(&seed, element);
        plan_piece(&piece, element, (limits){UINT64_MAX, SPACE, ZTL_OPS_NORMAL, OPS_LONG_LISTS});
    }
}

/* The same whatever scratch memory, memory to plan, effort and lengths of lists there may be. */
static void test_reckoned_within_limits(void **state)
{
    (void)state;
    uint32_t seed = 521288629;
    compared = 0;
    for (unsigned i = 0; i < 2 * CASES; i++) {
        unsigned element = 1u << draw(&seed, 3);
        ops_piece piece = random_piece(&seed, element);
        uint64_t bytes = (uint64_t)ztl_ops_elements(&piece) * element;
        limits most = {bytes * draw(&seed, 100) / 16,
                       (112 << 10) + (draw(&seed, 64) << (10 + draw(&seed, 6))), draw(&seed, 3),
                       draw(&seed, 3)};
        plan_piece(&piece, element, most);
    }
    assert_true(compared > CASES);
}

static void test_more_scratch(void **state)
{
    (void)state;
    uint32_t seed = 362436069;
    for (unsigned i = 0; i < CASES / 3; i++) {
        unsigned element = 1u << draw(&seed, 3);
        ops_piece piece = random_piece(&seed, element);
        uint64_t bytes = (uint64_t)ztl_ops_elements(&piece) * element, before = UINT64_MAX;
        for (uint64_t scratch = 0; scratch <= 64 * bytes;
             scratch = scratch ? 2 * scratch : bytes / 2) {
            uint64_t now = plan_piece(&piece, element,
                                      (limits){scratch, SPACE, ZTL_OPS_NORMAL, OPS_LONG_LISTS});
            if (now > before)
                fail_msg("case %u: %llu instructions with %llu bytes of scratch memory, %llu with "
                         "half of it",
                         i, (unsigned long long)now, (unsigned long long)scratch,
                         (unsigned long long)before);
            before = now;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reckoned),
                                       cmocka_unit_test(test_reckoned_within_limits),
                                       cmocka_unit_test(test_more_scratch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
