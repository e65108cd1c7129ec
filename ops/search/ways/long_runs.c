/* SPDX-License-Identifier: Apache-2.0
 * Long runs: a transpose in one stage of PERMUTE where the run of a side goes on through several
 * dimensions of any extents, as the pixels of an image do:
 *
 *     [64 channels][7][7] → [7][7][64 channels]     49 contiguous bytes a channel in the source
 *
 * It is cut into chunks of 32 bytes (chunks.c), across the ends of rows; only the last chunk of all
 * overlaps the one before, where tiles (tiles.c) would overlap in every row. The other side has a
 * slice for each element of a chunk, wherever that belongs, so each chunk has a stride vector.
 */
#include "ops/search/ways/way.h"

ops_chain ztl_ops_follow_run(const ops_piece *piece, unsigned element, bool is_source, int64_t unit)
{
    ops_chain run = {.dims = 0};
    int64_t step = element;
    unsigned taken = 0;
    for (unsigned d = 0; d < piece->rank;) {
        const ops_dim *dim = &piece->dim[d];
        int64_t own = is_source ? dim->in : dim->out, other = is_source ? dim->out : dim->in;
        if (taken >> d & 1 || own != step || other % unit) {
            d++;
            continue;
        }
        run.dim[run.dims++] = (uint8_t)d;
        taken |= 1u << d;
        step *= dim->n;
        d = 0;
    }
    return run;
}

/* The first dimensions of a run; returns them as a set. */
static unsigned set_axis(const ops_piece *piece, const ops_chain *run, unsigned dims,
                         bool is_source, ops_axis *axis)
{
    unsigned set = 0;
    *axis = (ops_axis){.n = 1, .dims = dims};
    for (unsigned k = 0; k < dims; k++) {
        const ops_dim *dim = &piece->dim[run->dim[k]];
        set |= 1u << run->dim[k];
        axis->n *= dim->n;
        axis->dim[k].n = dim->n;
        axis->dim[k].step = is_source ? dim->out : dim->in;
    }
    return set;
}

bool ztl_ops_is_within_reach(const ops_piece *piece)
{
    int64_t reach = 0;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        reach += dim->n * (ops_magnitude(dim->in) + ops_magnitude(dim->out));
        if (dim->in == 0 || dim->out == 0)
            return false;
    }
    return reach < INT32_MAX;
}

bool ztl_ops_set_chunks(const ops_piece *piece, const ops_chain chain[2], unsigned from,
                        unsigned to, unsigned element, ops_chunks *c)
{
    unsigned source = set_axis(piece, &chain[0], from, true, &c->axis[0]);
    unsigned target = set_axis(piece, &chain[1], to, false, &c->axis[1]);
    int64_t per = OPS_SLICE_BYTES / element;
    c->src = piece->src;
    c->dst = piece->dst;
    c->in = piece->in;
    c->out = piece->out;
    c->loops = 0;
    for (unsigned d = 0; d < piece->rank; d++)
        if (!((source | target) >> d & 1))
            c->loop[c->loops++] = piece->dim[d];
    return !(source & target) && c->axis[0].n >= per && c->axis[1].n >= per;
}

static void follow_runs(const ops_query *q, ops_chain chain[2])
{
    for (unsigned k = 0; k < 2; k++)
        chain[k] = ztl_ops_follow_run(q->piece, q->planner->element, k == 0, OPS_SLICE_BYTES);
}

static bool find(const ops_query *q, ops_node *found)
{
    const ops_piece *piece = q->piece;
    unsigned element = q->planner->element;
    ops_chain chain[2];
    if (!ztl_ops_is_within_reach(piece))
        return false;
    follow_runs(q, chain);
    for (unsigned from = 1; from <= chain[0].dims; from++)
        for (unsigned to = 1; to <= chain[1].dims; to++) {
            ops_chunks c;
            if (!ztl_ops_set_chunks(piece, chain, from, to, element, &c))
                continue;
            ops_cost cost = ztl_ops_chunks_cost(q->planner, &c);
            if (from + to == 2 && cost.key >= q->best->cost.key) /* tiles, or as many of them */
                continue;
            bool is_best = ops_cheaper(cost, q->best->cost) && cost.key <= q->limit;
            if (!ops_cheaper(cost, found->cost) || (is_best && !ztl_ops_chunks_fit(q->planner, &c)))
                continue;
            found->cost = cost;
            found->pick.runs.from = (uint8_t)from;
            found->pick.runs.to = (uint8_t)to;
        }
    return ops_cheaper(found->cost, OPS_NEVER);
}

static void write(const ops_query *q, const ops_node *node)
{
    ops_chunks c;
    ops_chain chain[2];
    follow_runs(q, chain);
    ztl_ops_set_chunks(q->piece, chain, node->pick.runs.from, node->pick.runs.to,
                       q->planner->element, &c);
    ztl_ops_chunks_write(q->planner, &c);
}

const ops_way ztl_ops_way_long_runs = {"chunks of long runs", find, NULL, write};
