/* SPDX-License-Identifier: Apache-2.0
 * An empty plan for the parts of the planner to write into, and what its passes move.
 */
#ifndef ZTL_TEST_OPS_DRAFT_H
#define ZTL_TEST_OPS_DRAFT_H

#include <stdlib.h>
#include <string.h>

#include "ops/format/draft.h"
#include "tests/unit.h"

enum { SPACE = 16 << 20 };

static ops_arena arena;
static ops_draft draft;

static int set_up(void **state)
{
    (void)state;
    arena.base = malloc(SPACE);
    return arena.base ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(arena.base);
    return 0;
}

static void begin(void)
{
    arena = (ops_arena){.base = arena.base, .high = SPACE};
    draft = (ops_draft){.arena = &arena, .plan = (ztl_ops_plan *)arena.base, .room = SPACE};
    memset(draft.plan, 0, sizeof *draft.plan);
    ztl_ops_keep(&arena, sizeof *draft.plan);
}

/* The small random numbers of a test: the same each time. */
static uint32_t seed = 1;

static inline int64_t below(int64_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (int64_t)(seed >> 8) % n;
}

/* One slice that is moved. */
typedef struct move {
    int64_t in, out;
} move;

static int compare(const void *a, const void *b)
{
    const move *x = a, *y = b;
    if (x->out != y->out)
        return x->out < y->out ? -1 : 1;
    return x->in < y->in ? -1 : x->in > y->in;
}

/* Sorted, each once. */
static inline size_t sorted(move *moves, size_t n)
{
    size_t kept = 0;
    qsort(moves, n, sizeof *moves, compare);
    for (size_t i = 0; i < n; i++)
        if (!i || compare(&moves[i], &moves[i - 1]))
            moves[kept++] = moves[i];
    return kept;
}

/* The slices that a pass of loads into register 0 and stores moves, by the meaning of strides:
 * slice i lies stride[i] widths after the address. */
static inline size_t moves_of(const ops_pass *pass, move *moves)
{
    const ops_insn *insn = ops_pass_insns(pass);
    size_t n = 0;
    for (uint32_t g = 0; g < pass->groups; g++) {
        const ops_group *group = &ops_pass_groups(pass)[g];
        const int32_t *load = ops_pass_vectors(pass)[group->load].stride,
                      *store = ops_pass_vectors(pass)[group->store].stride;
        int64_t index[OPS_DIMS] = {0}, d;
        do {
            move at = {0, 0};
            for (d = 0; d < pass->loops; d++) {
                at.in += index[d] * pass->loop[d].in;
                at.out += index[d] * pass->loop[d].out;
            }
            for (uint32_t b = group->first; b < group->first + group->count; b++)
                for (uint32_t k = 0; k < pass->insns; k++)
                    for (uint32_t i = 0; ops_code_of(&insn[k]) == OPS_STORE && i < pass->slices;
                         i++)
                        moves[n++] =
                            (move){ops_pass_batches(pass)[b].in + at.in + insn[0].offset +
                                       load[i] * (int64_t)pass->load_width,
                                   ops_pass_batches(pass)[b].out + at.out + insn[k].offset +
                                       store[i] * (int64_t)pass->store_width};
            for (d = pass->loops; d-- > 0 && ++index[d] == pass->loop[d].n;)
                index[d] = 0;
        } while (d >= 0);
    }
    return n;
}

#endif
