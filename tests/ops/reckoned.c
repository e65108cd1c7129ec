/* SPDX-License-Identifier: Apache-2.0
 * Plans take what they were costed at: random transposes, reversals, pads and rolls of ranks 2 to 8
 * and odd extents, with every effort and aim, with and without scratch memory, in exactly the
 * memory that is enough and in less. First, shapes whose lists of batches are long: what tiles and
 * picks take for them was once reckoned, and loops written that took up to thirty times as much.
 *
 * usage: reckoned COUNT [SEED]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/format/plan.h"

static uint64_t state = 1;

static int64_t below(int64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state >> 11) % n;
}

/* Few distinct extents, most of them odd: what lists of batches are longest for. */
static int64_t random_extent(unsigned rank)
{
    static const int64_t some[] = {2, 3, 5, 7, 9, 19, 23, 49, 60, 63, 85};
    int64_t n = some[below(sizeof some / sizeof some[0])];
    return below(4) ? n % (rank > 5 ? 11 : 100) : 1 + below(rank > 5 ? 12 : 70);
}

typedef struct request {
    ztl_ops_op op;
    ztl_ops_tensor in, out;
    ztl_ops_machine machine;
    int64_t perm[8], list[16];
} request;

static void draw_tensor(request *r)
{
    static const unsigned bits[] = {8, 8, 16, 32, 64, 4};
    int64_t extent[8], elements;
    unsigned rank;
    do {
        rank = 2 + (unsigned)below(7);
        elements = 1;
        for (unsigned d = 0; d < rank; d++) {
            extent[d] = random_extent(rank);
            extent[d] += extent[d] == 0;
            elements *= elements <= 1 << 20 ? extent[d] : 1;
        }
    } while (elements < 64 || elements > 1 << 19);
    ztl_ops_dense(&r->in, bits[below(6)], rank, extent);
}

/* An operator on it. */
static void draw(request *r)
{
    memset(r, 0, sizeof *r);
    draw_tensor(r);
    unsigned rank = r->in.rank;
    for (unsigned d = 0; d < rank; d++) {
        unsigned k = (unsigned)below(d + 1);
        r->perm[d] = r->perm[k];
        r->perm[k] = d;
    }
    r->list[0] = 1 + below(9);
    r->list[1] = below(rank);
    switch (below(6)) {
    case 0:
        r->op = (ztl_ops_op){.kind = ZTL_OPS_FLIP, .axes = {&r->list[1], 1}};
        break;
    case 1:
        r->op =
            (ztl_ops_op){.kind = ZTL_OPS_ROLL, .shift = {&r->list[0], 1}, .axes = {&r->list[1], 1}};
        break;
    case 2:
        memset(r->list, 0, sizeof r->list);
        r->list[below(2 * rank)] = 1 + below(5);
        r->list[below(2 * rank)] = below(3);
        r->op = (ztl_ops_op){.kind = ZTL_OPS_PAD, .pads = {r->list, 2 * rank}};
        break;
    default:
        r->op = (ztl_ops_op){.kind = ZTL_OPS_TRANSPOSE, .perm = {r->perm, rank}};
    }
    r->machine.effort = (enum ztl_ops_effort)below(16) / 7;
    r->machine.no_scratch = below(3) == 0;
    r->machine.scratch_limit = below(4) ? 0 : (uint64_t)below(4 * (int64_t)r->in.size) + 1;
    r->machine.aim = below(6) ? ZTL_OPS_FEW_INSTRUCTIONS : ZTL_OPS_FEW_CYCLES;
}

static void print_request(const request *r)
{
    printf("%s, %u bits, effort %u, %s, limit %" PRIu64 ":", ztl_ops_name(r->op.kind), r->in.bits,
           (unsigned)r->machine.effort, r->machine.no_scratch ? "no scratch memory" : "scratch",
           r->machine.scratch_limit);
    for (unsigned d = 0; d < r->in.rank; d++)
        printf(" %" PRId64, r->in.extent[d]);
    printf(" perm");
    for (unsigned d = 0; d < r->in.rank; d++)
        printf(" %" PRId64, r->perm[d]);
    printf("\n");
}

/* How many choices of a plan were written with another number of instructions. */
static unsigned count_wrong(const ztl_ops_plan *plan)
{
    unsigned wrong = 0;
    const ops_choice *choice = ops_choices(plan);
    for (uint64_t i = 0; i < plan->choice_count; i++)
        if (choice[i].written != choice[i].tried[0].ztl) {
            printf("%" PRId64 " instructions reckoned, %" PRId64 " written: ",
                   choice[i].tried[0].ztl, choice[i].written);
            wrong++;
        }
    return wrong;
}

/* In exactly enough memory, and now and then in less; false for a wrong plan, or none. */
static bool check(const request *r, unsigned *plans)
{
    ztl_error error = {""};
    size_t space = ztl_ops_plan_space(&r->op, &r->in, 1, &r->out, 1);
    ztl_ops_plan *plan = malloc(space);
    bool good = true;
    for (unsigned k = below(8) ? 1 : 4; good && k-- > 0;) {
        size_t some = k ? space / 8 * (size_t)(1 + below(7)) & ~(size_t)7 : space;
        if (ztl_ops_make(&r->op, &r->in, 1, &r->out, 1, &r->machine, plan, some, &error)) {
            good = !count_wrong(plan);
            ++*plans;
        } else if (some == space) {
            printf("%s: ", error.text);
            good = false;
        }
        if (!good)
            print_request(r);
    }
    free(plan);
    return good;
}

typedef struct known {
    unsigned bits, rank;
    int64_t extent[8], perm[8];
    bool no_scratch;
    enum ztl_ops_effort effort;
    uint64_t most;
} known;

static const known knowns[] = {
    {8, 7, {7, 2, 19, 7, 9, 9, 2}, {4, 6, 3, 2, 0, 5, 1}, true, ZTL_OPS_NORMAL, 2800},
    {16, 6, {7, 9, 23, 7, 5, 5}, {5, 2, 0, 1, 3, 4}, true, ZTL_OPS_NORMAL, 10160},
    {8, 6, {10, 6, 23, 3, 7, 9}, {2, 1, 0, 4, 5, 3}, false, ZTL_OPS_QUICK, 13312},
    {8, 4, {60, 23, 3, 63}, {1, 0, 3, 2}, true, ZTL_OPS_NORMAL, 11232},
};

static bool check_known(const known *k)
{
    ztl_ops_op op = ztl_ops_transpose(k->perm, k->rank);
    ztl_ops_machine machine = {
        .no_scratch = k->no_scratch, .effort = k->effort, .aim = ZTL_OPS_FEW_INSTRUCTIONS};
    ztl_ops_tensor in, out;
    ztl_error error = {""};
    ztl_ops_plan *plan = NULL;
    if (ztl_ops_dense(&in, k->bits, k->rank, k->extent) &&
        ztl_ops_infer(&op, &in, 1, &out, 1, &error))
        plan = ztl_ops_plan_new(&op, &in, 1, &out, 1, &machine, &error);
    ztl_ops_stats stats = plan ? ztl_ops_plan_stats(plan) : (ztl_ops_stats){.csr = 0};
    bool good = plan && ztl_ops_total(&stats) <= k->most && !count_wrong(plan);
    if (!good)
        printf("%" PRId64 " by %" PRId64 " by ...: %" PRIu64 " instructions, at most %" PRIu64
               "; %s\n",
               k->extent[0], k->extent[1], ztl_ops_total(&stats), k->most, error.text);
    ztl_ops_plan_free(plan);
    return good;
}

int main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    unsigned plans = 0, wrong = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 3;
    for (size_t i = 0; i < sizeof knowns / sizeof knowns[0]; i++, plans++)
        wrong += !check_known(&knowns[i]);
    while (plans < count) {
        request r;
        ztl_error error = {""};
        draw(&r);
        if (ztl_ops_infer(&r.op, &r.in, 1, &r.out, 1, &error) == 1)
            wrong += !check(&r, &plans);
    }
    printf("%u plans, seed %s, %u wrong\n", plans, argc > 2 ? argv[2] : "1", wrong);
    return wrong != 0;
}
