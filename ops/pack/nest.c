/* SPDX-License-Identifier: Apache-2.0
 * Nests of loops: where an extent is a multiple of what a batch takes along it, one batch with one
 * pair of stride vectors is run at every index of the loops.
 */
#include "ops/pack/packing.h"

/* Exact division, as a shift and a multiplication modulo 2^64. */
typedef struct divisor {
    unsigned shift;
    uint64_t inverse;
} divisor;

static divisor divisor_of(uint64_t n)
{
    divisor by = {0, 1};
    for (; !(n & 1); n >>= 1)
        by.shift++;
    for (unsigned bits = 1; bits < 64; bits *= 2)
        by.inverse *= 2 - n * by.inverse;
    return by;
}

static int64_t divide(int64_t n, divisor by)
{
    return (int64_t)((uint64_t)(n >> by.shift) * by.inverse);
}

bool ztl_ops_vectors_of(const ops_tile *tile, const ops_instance *at, unsigned present,
                        unsigned slices, ops_vector *load, ops_vector *store)
{
    divisor width = divisor_of(tile->width), store_width = divisor_of(tile->store_width);
    memset(load, 0, sizeof *load);
    memset(store, 0, sizeof *store);
    for (unsigned i = 0; i < slices; i++) {
        unsigned a = tile->in_of[i] < present ? tile->in_of[i] : 0;
        unsigned b = tile->out_of[i] < present ? tile->out_of[i] : 0;
        int64_t in = divide(tile->in[i] + at[a].in - at[0].in, width);
        int64_t out = divide(tile->out[i] + at[b].out - at[0].out, store_width);
        if (in != (int32_t)in || out != (int32_t)out)
            return false;
        load->stride[i] = (int32_t)in;
        store->stride[i] = (int32_t)out;
    }
    return true;
}

int64_t ztl_ops_tile_period(const ops_tile *tile, const ops_dim *dim)
{
    return ztl_ops_residue_period(dim, tile->in_width, tile->out_width);
}

ops_tile ztl_ops_slice_tile(unsigned width)
{
    unsigned fit = OPS_BLOCK / width, slices = fit < OPS_SLICES ? fit : OPS_SLICES;
    ops_tile tile = {.width = width,
                     .store_width = width,
                     .in_width = width,
                     .out_width = width,
                     .instances = slices,
                     .slices = slices};
    for (unsigned i = 0; i < slices; i++)
        tile.in_of[i] = tile.out_of[i] = (uint8_t)i;
    return tile;
}

/* How many positions of each dimension a batch takes; and how far apart in the target they are. */
typedef struct factors {
    int64_t product, extent;
    int64_t factor[OPS_DIMS];
} factors;

/* Whether strides reach instances that are so many steps apart; half of their range is left for the
 * slices of an instance. */
static bool is_reached(const ops_tile *tile, const ops_dim *dim, int64_t steps)
{
    int64_t most = INT32_MAX / (2 * OPS_DIMS) / (steps ? steps : 1);
    int64_t in = dim->in / (int64_t)tile->width, out = dim->out / (int64_t)tile->store_width;
    return steps == 0 || (in <= most && in >= -most && out <= most && out >= -most);
}

/* As many as fit, and of equal ones those that are closest together in the target: stores of
 * different batches then seldom reach into each other, and need not wait for each other. */
static void find_factors(const ops_tile *tile, const ops_piece *grid, unsigned d, factors *now,
                         factors *best)
{
    if (now->product > best->product ||
        (now->product == best->product && now->extent < best->extent))
        *best = *now;
    if (d == grid->rank || (best->product == tile->instances && now->extent >= best->extent))
        return;
    int64_t p = ztl_ops_tile_period(tile, &grid->dim[d]), out = grid->dim[d].out;
    int64_t steps = grid->dim[d].n % p ? 1 : grid->dim[d].n / p;
    for (int64_t f = tile->instances / now->product; f >= 1; f--) {
        if (steps % f || !is_reached(tile, &grid->dim[d], (f - 1) * p))
            continue;
        int64_t extent = f > 1 ? (f - 1) * p * (out < 0 ? -out : out) : 0; /* is in reach */
        now->product *= f;
        now->extent += extent;
        now->factor[d] = f;
        find_factors(tile, grid, d + 1, now, best);
        now->product /= f;
        now->extent -= extent;
        now->factor[d] = 1;
    }
}

bool ztl_ops_fills_batches(const ops_tile *tile, const ops_piece *grid, unsigned d, int64_t left)
{
    if (left == 1 || d == grid->rank)
        return left == 1;
    int64_t p = ztl_ops_tile_period(tile, &grid->dim[d]);
    int64_t steps = grid->dim[d].n % p ? 1 : grid->dim[d].n / p;
    for (int64_t f = left; f >= 1; f--)
        if (left % f == 0 && steps % f == 0 && is_reached(tile, &grid->dim[d], (f - 1) * p) &&
            ztl_ops_fills_batches(tile, grid, d + 1, left / f))
            return true;
    return false;
}

/* The loops of a pass, and the instances of its only batch. */
static bool nest(const ops_tile *tile, const ops_piece *grid, const factors *best, ops_pass *pass,
                 ops_instance *at)
{
    unsigned filled = 1;
    at[0] = (ops_instance){grid->in, grid->out};
    for (unsigned d = 0; d < grid->rank; d++) {
        const ops_dim *dim = &grid->dim[d];
        int64_t f = best->factor[d], p = f > 1 ? ztl_ops_tile_period(tile, dim) : 1;
        ops_dim loop[2] = {{dim->n / p / f, dim->in * p * f, dim->out * p * f},
                           {p, dim->in, dim->out}};
        for (unsigned k = 0; k < 2; k++) {
            if (loop[k].n == 1)
                continue;
            if (pass->loops == OPS_DIMS)
                return false;
            pass->loop[pass->loops++] = loop[k];
        }
        for (unsigned j = filled; j < filled * f; j++)
            at[j] =
                (ops_instance){at[j - filled].in + dim->in * p, at[j - filled].out + dim->out * p};
        filled *= (unsigned)f;
    }
    return true;
}

/* The bytes from the first to past the last that a store of these strides writes. */
static int64_t store_extent(const ops_pass *pass, const ops_vector *vector)
{
    int64_t low = vector->stride[0], high = low;
    for (unsigned i = 1; i < pass->slices; i++) {
        low = vector->stride[i] < low ? vector->stride[i] : low;
        high = vector->stride[i] > high ? vector->stride[i] : high;
    }
    return (high - low + 1) * pass->store_width;
}

/* Moves the best loop from `end` on to the place before it. */
static void put_last(ops_pass *pass, unsigned end, int64_t extent)
{
    unsigned best = 0;
    bool apart = false;
    for (unsigned d = 0; d < end; d++) {
        const ops_dim *loop = &pass->loop[d];
        bool is_apart = loop->out >= extent || -loop->out >= extent;
        if (is_apart > apart || (is_apart == apart && loop->n >= pass->loop[best].n)) {
            best = d;
            apart = is_apart;
        }
    }
    ops_dim swap = pass->loop[best];
    pass->loop[best] = pass->loop[end - 1];
    pass->loop[end - 1] = swap;
}

/* Innermost is a loop whose stores lie apart, if there is one: a store waits for one before that
 * reaches into its own bytes. Of equal ones the longest, as it is the shortest way to the next
 * batch. The loop around it is the longest of the others. */
static void sort_loops(ops_pass *pass, const ops_vector *store)
{
    if (pass->loops)
        put_last(pass, pass->loops, store_extent(pass, store));
    if (pass->loops > 1)
        put_last(pass, pass->loops - 1, 0);
}

static factors best_factors(const ops_tile *tile, const ops_piece *grid)
{
    factors now = {.product = 1}, best = {.product = 0};
    for (unsigned d = 0; d < OPS_DIMS; d++)
        now.factor[d] = 1;
    find_factors(tile, grid, 0, &now, &best);
    return best;
}

bool ztl_ops_pack_nest(const ops_packing *p, const ops_piece *grid, int64_t most)
{
    const ops_tile *tile = p->tile;
    factors best = best_factors(tile, grid);
    if (ztl_ops_elements(grid) / best.product > most)
        return false;
    ops_pass pass = *p->form;
    ops_instance at[OPS_SLICES];
    ops_vector vector[2];
    if (!nest(tile, grid, &best, &pass, at))
        return false;
    if (p->counted) {
        *p->counted += ops_loop_runs(&pass);
        return true;
    }
    bool plain = pass.kind == OPS_PASS_RUNS || pass.kind == OPS_PASS_FILL;
    pass.slices = plain ? (uint32_t)best.product : tile->slices;
    ztl_ops_vectors_of(tile, at, (unsigned)best.product, pass.slices, &vector[0], &vector[1]);
    sort_loops(&pass, &vector[1]);
    pass.vectors = 2;
    pass.groups = pass.batches = 1;
    ops_group group = {.load = 0, .store = 1, .first = 0, .count = 1};
    ops_batch batch = {at[0].in, at[0].out};
    ztl_ops_write_pass(p->draft, &pass, p->insn, vector, &group, &batch);
    return true;
}
