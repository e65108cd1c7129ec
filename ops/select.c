/* SPDX-License-Identifier: Apache-2.0
 * Where: masked stores. What one element of the condition decides and lies side by side is a slice
 * of its own width.
 */
#include "ops/select.h"

#include "ops/solve.h"
#include "ops/tensor.h"

/* A way to cut the output: the steps of value and condition, and the width of a slice. */
typedef struct cut {
    ops_piece value, condition;
    int64_t width; /* 0: element by element */
    uint64_t slices, runs;
} cut;

static int64_t largest_divisor(int64_t n, int64_t most)
{
    int64_t k = most < n ? most : n;
    while (n % k)
        k--;
    return k;
}

/* Joins to a slice of at most `most` bytes a dimension that goes on in value and target and has the
 * condition in common. True where all of it has joined: another may go on from there. */
static bool join(cut *c, int64_t most)
{
    for (unsigned d = 0; d < c->value.rank; d++) {
        ops_dim *value = &c->value.dim[d];
        if (value->n == 1 || c->condition.dim[d].in || value->in != c->width ||
            value->out != c->width || most < 2 * c->width)
            continue;
        int64_t by = largest_divisor(value->n, most / c->width);
        *value = (ops_dim){value->n / by, value->in * by, value->out * by};
        c->width *= by;
        return value->n == 1;
    }
    return false;
}

/* The longest dimension comes last: it is what the slices of an instruction lie along. */
static void order(cut *c)
{
    unsigned last = c->value.rank - 1, longest = 0;
    for (unsigned d = 0; d <= last; d++)
        longest = c->value.dim[d].n >= c->value.dim[longest].n ? d : longest;
    ops_dim value = c->value.dim[longest], condition = c->condition.dim[longest];
    c->value.dim[longest] = c->value.dim[last];
    c->condition.dim[longest] = c->condition.dim[last];
    c->value.dim[last] = value;
    c->condition.dim[last] = condition;
}

/* Whether the slices lie at multiples of their width that fit the CSRs of strides. */
static bool fits(const cut *c)
{
    const ops_dim *last = &c->value.dim[c->value.rank - 1];
    int64_t most = INT32_MAX / OPS_SLICES * c->width;
    return c->width && last->in % c->width == 0 && last->out % c->width == 0 && last->in <= most &&
           last->in >= -most && last->out <= most && last->out >= -most;
}

static void count(cut *c)
{
    const ops_dim *last = &c->value.dim[c->value.rank - 1];
    c->slices = c->width > OPS_BLOCK / OPS_SLICES ? OPS_BLOCK / (uint64_t)c->width : OPS_SLICES;
    c->runs = (uint64_t)ops_ceil(last->n, (int64_t)c->slices);
    for (unsigned d = 0; d + 1 < c->value.rank; d++)
        c->runs *= (uint64_t)c->value.dim[d].n;
}

/* The cut with the fewest instructions. */
static cut best_cut(const cut *start)
{
    cut best = *start;
    order(&best);
    best.width = fits(&best) ? best.width : 0;
    count(&best);
    for (int64_t most = OPS_BLOCK; start->width && most >= 2 * start->width; most /= 2) {
        cut other = *start;
        while (join(&other, most))
            continue;
        order(&other);
        count(&other);
        if (fits(&other) && (!best.width || other.runs < best.runs))
            best = other;
    }
    return best;
}

static void count_work(ztl_ops_stats *stats, const cut *c)
{
    uint64_t decided = 1;
    for (unsigned d = 0; d < c->value.rank; d++)
        decided *= (uint64_t)c->value.dim[d].n;
    stats->scalar_reads += decided;
    if (!c->width) {
        stats->scalar += decided;
        return;
    }
    stats->load += c->runs;
    stats->store += c->runs;
    stats->csr += c->runs + 3 + 2 * c->slices;
}

/* The condition's steps take the place of batches, and then where its element 0 is. */
void ops_write_select(ops_planner *planner, const ops_call *call)
{
    const ztl_ops_tensor *out = call->out;
    ops_arena *arena = planner->arena;
    size_t high = arena->high, bytes = sizeof(ops_pass) + (out->rank + 2) * sizeof(ops_batch);
    ops_map both = {.arena = arena};
    ops_piece *value = ops_add_broadcast(&both, 1, &call->in[1], out);
    ops_piece *condition = ops_add_broadcast(&both, 0, &call->in[0], out);
    ops_pass *pass = ops_keep(arena, bytes);
    if (!value || !condition || !pass)
        return;
    if (!out->rank) {
        ops_add_dim(value, 1, 0, 0);
        ops_add_dim(condition, 1, 0, 0);
    }
    const cut start = {.value = *value, .condition = *condition, .width = out->bits / 8};
    cut best = best_cut(&start);
    *pass = (ops_pass){.bytes = bytes,
                       .kind = OPS_PASS_SELECT,
                       .src = 1,
                       .dst = OPS_OUT,
                       .in = value->in,
                       .out = value->out,
                       .element = out->bits / 8u,
                       .value = OPS_UNCHANGED,
                       .load_width = (uint32_t)best.width,
                       .store_width = (uint32_t)best.width,
                       .slices = (uint32_t)best.slices,
                       .loops = best.value.rank,
                       .batches = out->rank + 1};
    for (unsigned d = 0; d < pass->loops; d++) {
        pass->loop[d] = best.value.dim[d];
        ops_pass_batches(pass)[d].in = best.condition.dim[d].in;
    }
    ops_pass_batches(pass)[pass->loops].in = condition->in;
    planner->plan->passes++;
    count_work(&planner->plan->stats, &best);
    arena->high = high;
}
