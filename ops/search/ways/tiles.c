/* SPDX-License-Identifier: Apache-2.0
 * Tiles: source and target have their runs along different dimensions, as in a transpose. A tile is
 * 2^k by 2^k elements or so; seen by the bits of an element's index, it changes the order of bits:
 *
 *     source  r4 r3 r2 r1 r0 | c4 c3 c2 c1 c0     32 rows of 32 bytes, c along the source's run
 *     target  c4 c3 c2 c1 c0 | r4 r3 r2 r1 r0     r along the target's
 *
 * 2^m registers hold a batch: ten bits number the bytes of a register (five of them a slice, five
 * its slices), m select the register. m stages of PERMUTE bring the target's bits into place
 * (tile_permutes.c). A bit whose step is no multiple of 32 cannot number slices, which agree modulo
 * their width, so it must select the register: the worse a pitch fits 32, the more stages. Slices
 * of 16 bytes leave half of every register idle, but need one bit less.
 */
#include <limits.h>

#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

/* The bits of a dimension that the run of one side takes. */
typedef struct chain {
    uint8_t first[OPS_DIMS]; /* the position of the dimension's bit 0 in the run */
    uint8_t taken[OPS_DIMS];
    uint8_t spare[OPS_DIMS]; /* bits above these that select registers, of the target's chain */
} chain;

static bool follow_chain(const ops_piece *piece, unsigned element, unsigned bits, bool is_source,
                         chain *run)
{
    memset(run, 0, sizeof *run);
    int64_t step = element;
    unsigned at = ops_log2(element);
    while (at < bits) {
        unsigned d = 0;
        while (d < piece->rank &&
               (run->taken[d] || (is_source ? piece->dim[d].in : piece->dim[d].out) != step))
            d++;
        if (d == piece->rank)
            return false;
        unsigned all = ops_log2(piece->dim[d].n);
        unsigned take = all < bits - at ? all : bits - at;
        run->first[d] = (uint8_t)at;
        run->taken[d] = (uint8_t)take;
        at += take;
        if (at < bits && piece->dim[d].n != INT64_C(1) << all)
            return false;
        step *= piece->dim[d].n;
    }
    return true;
}

static void add_bits(ops_tiles *tiles, const ops_piece *piece, const chain *in, const chain *out,
                     unsigned element)
{
    tiles->bits = 0;
    for (unsigned k = 0; 1u << k < element; k++)
        tiles->bit[tiles->bits++] =
            (ops_bit){.in = 1 << k, .out = 1 << k, .in_low = (int8_t)k, .out_low = (int8_t)k};
    for (unsigned d = 0; d < piece->rank; d++)
        for (unsigned k = 0; k < in->taken[d] || k < out->taken[d]; k++) {
            int64_t in_step = piece->dim[d].in * (1 << k), out_step = piece->dim[d].out * (1 << k);
            tiles->bit[tiles->bits++] =
                (ops_bit){.in = in_step,
                          .out = out_step,
                          .in_low = (int8_t)(k < in->taken[d] ? (int)(in->first[d] + k) : -1),
                          .out_low = (int8_t)(k < out->taken[d] ? (int)(out->first[d] + k) : -1),
                          .in_fits = in_step % (INT64_C(1) << tiles->run[0]) == 0,
                          .out_fits = out_step % (INT64_C(1) << tiles->run[1]) == 0};
        }
}

/* Bits that must select the register when loading, and when storing. */
static bool is_fixed_in(const ops_bit *bit)
{
    return bit->out_low >= 0 && bit->in_low < 0 && !bit->in_fits;
}

static bool is_fixed_out(const ops_bit *bit)
{
    return bit->in_low >= 0 && bit->out_low < 0 && !bit->out_fits;
}

/* Bits of a register that slices of 16 bytes leave idle. */
static unsigned idle_bits(const ops_tiles *tiles)
{
    return tiles->run[0] < 5 ? 5 - tiles->run[0] : 0;
}

/* A bit that is in no run, to select the register: the next one of a dimension, rather of one that
 * no run takes. */
static bool add_spare(ops_tiles *tiles, const ops_piece *piece, const chain *in, chain *out)
{
    unsigned best = piece->rank, least = UINT_MAX;
    for (unsigned d = piece->rank; d-- > 0;) {
        unsigned taken = in->taken[d] > out->taken[d] ? in->taken[d] : out->taken[d];
        if (piece->dim[d].n >> taken > 1 && piece->dim[d].in && taken < least) {
            best = d;
            least = taken;
        }
    }
    if (best == piece->rank)
        return false;
    const ops_dim *dim = &piece->dim[best];
    int64_t in_step = dim->in * (INT64_C(1) << least), out_step = dim->out * (INT64_C(1) << least);
    out->spare[best] = 1;
    tiles->spare_bits = 1;
    tiles->bit[tiles->bits++] =
        (ops_bit){.in = in_step,
                  .out = out_step,
                  .in_low = -1,
                  .out_low = -1,
                  .in_fits = in_step % (INT64_C(1) << tiles->run[0]) == 0,
                  .out_fits = out_step % (INT64_C(1) << tiles->run[1]) == 0};
    return true;
}

static bool count_stages(ops_tiles *tiles)
{
    unsigned fixed_in = 0, fixed_out = 0, moved = 0;
    for (unsigned b = 0; b < tiles->bits; b++) {
        fixed_in += is_fixed_in(&tiles->bit[b]);
        fixed_out += is_fixed_out(&tiles->bit[b]);
        moved += tiles->bit[b].out_low != tiles->bit[b].in_low;
    }
    unsigned m = fixed_in > fixed_out ? fixed_in : fixed_out;
    tiles->stages = m > 1 ? m : 1;
    if (moved == 0 || tiles->stages > OPS_MOST_STAGES)
        return false;
    while (tiles->bits + idle_bits(tiles) > 10 + tiles->stages)
        if (++tiles->stages > OPS_MOST_STAGES)
            return false;
    if (tiles->spare_bits && tiles->stages > 1) /* which have bits enough */
        return false;
    tiles->instance_bits = 10 + tiles->stages - tiles->bits;
    if (tiles->instance_bits > 10 - tiles->run[1]) /* instances are slices, not registers */
        return false;
    for (unsigned i = 0; i < tiles->instance_bits; i++)
        tiles->bit[tiles->bits++] = (ops_bit){.in_low = -1, .out_low = -1, .is_instance = true};
    return true;
}

/* The slices of a tile must be in reach of strides. */
static bool is_near(const ops_tiles *tiles)
{
    int64_t most = (int64_t)OPS_SLICE_BYTES * INT32_MAX / 2 / OPS_BITS;
    for (unsigned b = 0; b < tiles->bits; b++)
        if (tiles->bit[b].in > most || tiles->bit[b].in < -most || tiles->bit[b].out > most ||
            tiles->bit[b].out < -most)
            return false;
    return true;
}

/* The places of tiles; the last one along a dimension may overlap the one before. */
static bool cut_tiles(ops_tiles *tiles, const ops_piece *piece, const chain *in, const chain *out)
{
    tiles->grids = 1;
    tiles->grid[0] = *piece;
    for (unsigned d = 0; d < piece->rank; d++) {
        unsigned taken = in->taken[d] > out->taken[d] ? in->taken[d] : out->taken[d];
        int64_t side = INT64_C(1) << (taken + out->spare[d]);
        unsigned whole = tiles->grids;
        if (piece->dim[d].n % side && 2 * whole > sizeof tiles->grid / sizeof tiles->grid[0])
            return false;
        for (unsigned g = 0; g < whole; g++) {
            ops_piece part[2];
            unsigned parts = ztl_ops_blocks(&tiles->grid[g], d, side, part);
            tiles->grid[g] = part[0];
            if (parts > 1)
                tiles->grid[tiles->grids++] = part[1];
        }
    }
    return true;
}

/* Broadcast dimensions become copies, except those that are part of the target's run. */
static void take_copies(ops_tiles *tiles, ops_piece *piece, chain *in, chain *out)
{
    ops_piece still = *piece;
    still.rank = 0;
    unsigned kept = 0;
    for (unsigned d = 0; d < piece->rank; d++) {
        if (piece->dim[d].in == 0 && !out->taken[d]) {
            still.dim[still.rank++] = piece->dim[d];
            continue;
        }
        piece->dim[kept] = piece->dim[d];
        in->first[kept] = in->first[d];
        in->taken[kept] = in->taken[d];
        out->first[kept] = out->first[d];
        out->taken[kept++] = out->taken[d];
    }
    piece->rank = kept;
    ztl_ops_take_copies(&still, &tiles->copies);
    for (unsigned d = 0; d < still.rank; d++, piece->rank++) {
        piece->dim[piece->rank] = still.dim[d];
        in->taken[piece->rank] = out->taken[piece->rank] = 0;
        out->spare[piece->rank] = 0;
    }
}

/* Negative steps in the source become negative steps in the target, except in the target's run. */
static void turn_dims(ops_piece *piece, const chain *out)
{
    for (unsigned d = 0; d < piece->rank; d++) {
        ops_dim *dim = &piece->dim[d];
        if (dim->in >= 0 || out->taken[d])
            continue;
        piece->in += (dim->n - 1) * dim->in;
        piece->out += (dim->n - 1) * dim->out;
        dim->in = -dim->in;
        dim->out = -dim->out;
    }
}

/* Everything but the stages; false where the piece has no such form. */
static bool tiles_of(const ops_planner *planner, const ops_piece *piece, ops_pick pick,
                     ops_tiles *tiles)
{
    chain in, out;
    ops_piece rest = *piece;
    tiles->spare_bits = 0;
    tiles->run[0] = pick.run.in;
    tiles->run[1] = pick.run.out;
    if (!follow_chain(&rest, planner->element, tiles->run[1], false, &out))
        return false;
    turn_dims(&rest, &out);
    if (!follow_chain(&rest, planner->element, tiles->run[0], true, &in))
        return false;
    take_copies(tiles, &rest, &in, &out);
    add_bits(tiles, &rest, &in, &out, planner->element);
    return (!pick.run.spare || add_spare(tiles, &rest, &in, &out)) && is_near(tiles) &&
           count_stages(tiles) && cut_tiles(tiles, &rest, &in, &out);
}

/* With slices of 16 bytes the last instance bit is that of the idle halves. */
static unsigned instances_of(const ops_tiles *tiles)
{
    return 1u << (tiles->instance_bits - idle_bits(tiles));
}

/* What the packer must know; where slices are follows from the PERMUTEs. */
static ops_tile tile_of(const ops_tiles *tiles)
{
    ops_tile tile = ztl_ops_slice_tile(1u << tiles->run[0]);
    tile.store_width = tile.out_width = 1u << tiles->run[1];
    tile.instances = instances_of(tiles);
    return tile;
}

ops_use ztl_ops_tiles_use(const ops_planner *planner, const ops_tiles *tiles)
{
    const ops_insn one[] = {{.op = OPS_LOAD}, {.op = OPS_PERMUTE}, {.op = OPS_STORE}};
    int64_t registers = INT64_C(1) << tiles->stages;
    const int64_t times[] = {registers, registers / 2 * tiles->stages,
                             registers * tiles->copies.count};
    ops_tile tile = tile_of(tiles);
    ops_use sum = {.ztl = 0};
    for (unsigned k = 0; k < 3; k++) {
        ops_use use = ztl_ops_tile_use(planner, &tile, &one[k], 1);
        sum.ztl += times[k] * use.ztl;
        sum.load += times[k] * use.load;
        sum.store += times[k] * use.store;
        sum.move += times[k] * use.move;
    }
    return sum;
}

/* CSR writes: the strides of both sides, and the orders. */
static int64_t writes_of(const ops_tiles *tiles)
{
    return OPS_SLICES * tiles->stages;
}

/* If all tiles agree modulo the width. */
static int64_t least_of(const ops_planner *planner, const ops_tiles *tiles)
{
    int64_t count = 0;
    for (unsigned g = 0; g < tiles->grids; g++)
        count += ztl_ops_elements(&tiles->grid[g]);
    ops_use use = ztl_ops_tiles_use(planner, tiles);
    return ztl_ops_price(planner, &use, ops_ceil(count, instances_of(tiles)), 0).key;
}

/* Whether there are tiles of such runs; PERMUTEs are only looked for where they are the cheapest.
 */
static bool try_run(const ops_query *q, ops_pick pick, ops_cost best, ops_tiles *tiles,
                    ops_cost *cost)
{
    int64_t limit = q->note ? OPS_NEVER.key : ops_reach(q, best);
    if (!tiles_of(q->planner, q->piece, pick, tiles) || least_of(q->planner, tiles) > limit)
        return false;
    ops_tile tile = tile_of(tiles);
    ops_use use = ztl_ops_tiles_use(q->planner, tiles);
    *cost = ztl_ops_batches_cost(q->planner, &tile, tiles->grid, tiles->grids, &use,
                                 writes_of(tiles), limit);
    return !ops_cheaper(*cost, best) || ztl_ops_has_permutes(q->planner, tiles);
}

/* The runs that are tried: narrow slices only pay where wide ones do not, and wide ones only save
 * time. */
static const struct {
    uint8_t in, out, spare;
    bool saves_time, is_narrow;
} forms[] = {{6, 6, 0, true, false},
             {6, 6, 1, true, false},
             {5, 5, 0, false, false},
             {5, 5, 1, true, false},
             {4, 4, 0, false, true}};

enum { NARROW_FROM = 3 };

static bool find(const ops_query *q, ops_node *found)
{
    ops_cost best = q->best->cost;
    for (unsigned k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        ops_tiles tiles;
        ops_cost cost;
        ops_pick pick = {.run = {forms[k].in, forms[k].out, forms[k].spare}};
        if ((forms[k].saves_time && !q->planner->by_time) ||
            (forms[k].is_narrow &&
             ops_reach(q, best) <= NARROW_FROM * ztl_ops_least(q->planner, q->piece)))
            continue;
        if (!try_run(q, pick, best, &tiles, &cost) || !ops_cheaper(cost, found->cost))
            continue;
        found->cost = cost;
        found->pick = pick;
        found->detail = INT64_C(1) << tiles.stages;
        best = ops_cheaper(cost, best) ? cost : best;
    }
    return found->detail;
}

/* Where slice i lies: the bits of i are the positions above the run. */
static void place_slices(const ops_tiles *tiles, const uint8_t *layout, bool is_source,
                         int64_t *place, uint8_t *instance)
{
    unsigned first_instance = tiles->bits - tiles->instance_bits;
    unsigned run = tiles->run[!is_source];
    for (unsigned i = 0; i < OPS_SLICES && i < 1u << (10 - run); i++) {
        place[i] = 0;
        instance[i] = 0;
        for (unsigned k = 0; i >> k; k++) {
            unsigned b = layout[run + k];
            if (!(i >> k & 1))
                continue;
            if (tiles->bit[b].is_instance)
                instance[i] |= (uint8_t)(1 << (b - first_instance));
            else
                place[i] += is_source ? tiles->bit[b].in : tiles->bit[b].out;
        }
    }
}

static int64_t register_offset(const ops_tiles *tiles, const uint8_t *layout, bool is_source,
                               unsigned reg)
{
    int64_t offset = 0;
    for (unsigned s = 0; s < tiles->stages; s++)
        if (reg >> s & 1) {
            const ops_bit *bit = &tiles->bit[layout[10 + s]];
            offset += is_source ? bit->in : bit->out;
        }
    return offset;
}

enum { MOST_INSNS = 16 * (1 + OPS_MOST_COPIES) + 64 };

/* The stages between loads and stores. */
static unsigned add_stages(const ops_tiles *tiles, ops_insn *insn)
{
    unsigned n = 0, registers = 1u << tiles->stages;
    for (unsigned s = 0; s < tiles->stages; s++) {
        const ops_stage *stage = &tiles->stage[s];
        if (tiles->stages > 1)
            insn[n++] = (ops_insn){.op = OPS_ORDER, .arg = stage->order};
        for (unsigned r = 0; r < registers; r++)
            if (!(r >> stage->select & 1))
                insn[n++] = (ops_insn){.op = OPS_OP(OPS_PERMUTE, r),
                                       .bit = stage->select,
                                       .width = stage->width,
                                       .arg = stage->dims};
    }
    return n;
}

unsigned ztl_ops_tiles_program(const ops_tiles *tiles, const int64_t *in, const int64_t *out,
                               ops_insn *insn)
{
    unsigned n = 0, registers = 1u << tiles->stages;
    for (unsigned r = 0; r < registers; r++)
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, r), .offset = in[r]};
    n += add_stages(tiles, insn + n);
    for (unsigned r = 0; r < registers; r++)
        for (unsigned c = 0; c < tiles->copies.count; c++)
            insn[n++] =
                (ops_insn){.op = OPS_OP(OPS_STORE, r), .offset = out[r] + tiles->copies.offset[c]};
    return n;
}

static void write(const ops_query *q, const ops_node *node)
{
    ops_tiles tiles;
    tiles_of(q->planner, q->piece, node->pick, &tiles);
    ztl_ops_find_permutes(&tiles);
    ops_tile tile = tile_of(&tiles);
    place_slices(&tiles, tiles.start, true, tile.in, tile.in_of);
    place_slices(&tiles, tiles.end, false, tile.out, tile.out_of);
    ops_insn insn[MOST_INSNS];
    int64_t in[1 << OPS_MOST_STAGES], out[1 << OPS_MOST_STAGES];
    for (unsigned r = 0; r < 1u << tiles.stages; r++) {
        in[r] = register_offset(&tiles, tiles.start, true, r);
        out[r] = register_offset(&tiles, tiles.end, false, r);
    }
    ops_pass form = {.kind = OPS_PASS_TILES,
                     .element = q->planner->element,
                     .order = tiles.stage[0].order,
                     .insns = ztl_ops_tiles_program(&tiles, in, out, insn)};
    ztl_ops_pack_batches(q->planner->draft, &form, insn, &tile, tiles.grid, tiles.grids);
}

const ops_way ztl_ops_way_tiles = {"tiles through %u registers", find, NULL, write};
