/* SPDX-License-Identifier: Apache-2.0
 * Bits: a tile of 2^K bytes whose index bits change places. The source has runs of 32 bytes, the
 * target has others; 2^m registers hold the tiles of a batch, and m rounds of PERMUTE bring the
 * bits of the target's run together. A bit whose step is no multiple of 32 cannot be inside a load
 * (or store), because the slices of one agree modulo their width: it selects the register. Runs of
 * 16 bytes leave half of every register idle, but ask for one bit less.
 */
#include "ops/strategy.h"

static unsigned log2_floor(int64_t n)
{
    unsigned bits = 0;
    while (n >> (bits + 1))
        bits++;
    return bits;
}

/* The bits of a dimension that the run of one side takes. */
typedef struct chain {
    uint8_t first[OPS_DIMS]; /* the position of the dimension's bit 0 in the run */
    uint8_t taken[OPS_DIMS];
} chain;

static bool follow_chain(const ops_piece *piece, unsigned element, unsigned bits, bool is_source,
                         chain *run)
{
    memset(run, 0, sizeof *run);
    int64_t step = element;
    unsigned at = log2_floor(element);
    while (at < bits) {
        unsigned d = 0;
        while (d < piece->rank &&
               (run->taken[d] || (is_source ? piece->dim[d].in : piece->dim[d].out) != step))
            d++;
        if (d == piece->rank)
            return false;
        unsigned all = log2_floor(piece->dim[d].n);
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

static void add_bits(ops_bits *bits, const ops_piece *piece, const chain *in, const chain *out,
                     unsigned element)
{
    bits->bits = 0;
    for (unsigned k = 0; 1u << k < element; k++)
        bits->bit[bits->bits++] =
            (ops_bit){.in = 1 << k, .out = 1 << k, .in_low = (int8_t)k, .out_low = (int8_t)k};
    for (unsigned d = 0; d < piece->rank; d++)
        for (unsigned k = 0; k < in->taken[d] || k < out->taken[d]; k++) {
            int64_t in_step = piece->dim[d].in * (1 << k), out_step = piece->dim[d].out * (1 << k);
            bits->bit[bits->bits++] =
                (ops_bit){.in = in_step,
                          .out = out_step,
                          .in_low = (int8_t)(k < in->taken[d] ? (int)(in->first[d] + k) : -1),
                          .out_low = (int8_t)(k < out->taken[d] ? (int)(out->first[d] + k) : -1),
                          .in_fits = piece->anywhere || in_step % (int64_t)bits->width == 0,
                          .out_fits = piece->anywhere || out_step % (int64_t)bits->width == 0};
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

static bool count_stages(ops_bits *bits)
{
    unsigned fixed_in = 0, fixed_out = 0, moved = 0;
    for (unsigned b = 0; b < bits->bits; b++) {
        fixed_in += is_fixed_in(&bits->bit[b]);
        fixed_out += is_fixed_out(&bits->bit[b]);
        moved += bits->bit[b].out_low >= 0 && bits->bit[b].in_low < 0;
    }
    unsigned m = fixed_in > fixed_out ? fixed_in : fixed_out;
    bits->stages = m > 1 ? m : 1;
    if (moved == 0 || bits->stages > OPS_MOST_STAGES || bits->bits >= 10 + bits->stages)
        return false;
    bits->instance_bits = 10 + bits->stages - bits->bits;
    for (unsigned i = 0; i < bits->instance_bits; i++)
        bits->bit[bits->bits++] = (ops_bit){.in_low = -1, .out_low = -1, .is_instance = true};
    return true;
}

/* The slices of a tile must be so near to each other that strides can tell where they are. */
static bool is_near(const ops_bits *bits)
{
    int64_t most = (int64_t)OPS_SLICE_BYTES * INT32_MAX / 2 / OPS_BITS;
    for (unsigned b = 0; b < bits->bits; b++)
        if (bits->bit[b].in > most || bits->bit[b].in < -most || bits->bit[b].out > most ||
            bits->bit[b].out < -most)
            return false;
    return true;
}

/* The places of tiles: whole ones, and for a dimension that they do not fill one more at its end,
 * which overlaps. */
static bool cut_tiles(ops_bits *bits, const ops_piece *piece, const chain *in, const chain *out)
{
    bits->grids = 1;
    bits->grid[0] = *piece;
    for (unsigned d = 0; d < piece->rank; d++) {
        unsigned t = in->taken[d] > out->taken[d] ? in->taken[d] : out->taken[d];
        const ops_dim *dim = &piece->dim[d];
        int64_t rest = dim->n & ((INT64_C(1) << t) - 1);
        unsigned whole = bits->grids;
        if (rest && 2 * whole > sizeof bits->grid / sizeof bits->grid[0])
            return false;
        for (unsigned g = 0; g < whole; g++) {
            ops_piece *grid = &bits->grid[g];
            grid->dim[d] = (ops_dim){dim->n >> t, dim->in * (1 << t), dim->out * (1 << t)};
            if (!rest)
                continue;
            ops_piece *edge = &bits->grid[bits->grids++];
            *edge = *grid;
            edge->dim[d].n = 1;
            edge->in += (dim->n - (1 << t)) * dim->in;
            edge->out += (dim->n - (1 << t)) * dim->out;
        }
    }
    return true;
}

/* Copies are stored one by one, except those that the target's run is made of. */
static void take_copies(ops_bits *bits, ops_piece *piece, chain *in, chain *out)
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
    ops_take_copies(&still, &bits->copies);
    for (unsigned d = 0; d < still.rank; d++, piece->rank++) {
        piece->dim[piece->rank] = still.dim[d];
        in->taken[piece->rank] = out->taken[piece->rank] = 0;
    }
}

/* Dimensions that go backwards in the source go backwards in the target instead, unless they are
 * its run. */
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

bool ops_bits_of(const ops_planner *planner, const ops_piece *piece, unsigned run, ops_bits *bits)
{
    chain in, out;
    ops_piece rest = *piece;
    bits->run = run;
    bits->width = 1u << run;
    if (piece->src == OPS_FILL || !follow_chain(&rest, planner->element, run, false, &out))
        return false;
    turn_dims(&rest, &out);
    if (!follow_chain(&rest, planner->element, run, true, &in))
        return false;
    take_copies(bits, &rest, &in, &out);
    add_bits(bits, &rest, &in, &out, planner->element);
    return is_near(bits) && count_stages(bits) && cut_tiles(bits, &rest, &in, &out);
}

/* With runs of 16 bytes the last bit of the instances is that of the idle halves. */
static unsigned instances_of(const ops_bits *bits)
{
    return 1u << (bits->instance_bits - (5 - bits->run));
}

/* The instructions of so many batches. */
static int64_t instructions(const ops_bits *bits, int64_t batches)
{
    int64_t half = INT64_C(1) << (bits->stages - 1);
    return batches * half * (2 + bits->stages + 2 * (int64_t)bits->copies.count);
}

int64_t ops_bits_least(const ops_bits *bits)
{
    int64_t tiles = 0;
    for (unsigned g = 0; g < bits->grids; g++)
        tiles += ops_elements(&bits->grid[g]);
    return instructions(bits, ops_ceil(tiles, instances_of(bits)));
}

ops_cost ops_bits_cost(const ops_planner *planner, const ops_bits *bits)
{
    int64_t batches = ops_count_batches(planner->effort, bits->grid, bits->grids, bits->width,
                                        bits->width, instances_of(bits), INT64_MAX);
    if (batches < 0)
        return OPS_NEVER;
    return (ops_cost){instructions(bits, batches), OPS_SLICES * bits->stages};
}

/* Where slice i lies: its bits are the positions above the run. */
static void place_slices(const ops_bits *bits, const uint8_t *layout, bool is_source,
                         int64_t *place, uint8_t *instance)
{
    unsigned first_instance = bits->bits - bits->instance_bits;
    for (unsigned i = 0; i < OPS_SLICES; i++) {
        place[i] = 0;
        instance[i] = 0;
        for (unsigned k = 0; k < 5; k++) {
            unsigned b = layout[bits->run + k];
            if (!(i >> k & 1))
                continue;
            if (bits->bit[b].is_instance)
                instance[i] |= (uint8_t)(1 << (b - first_instance));
            else
                place[i] += is_source ? bits->bit[b].in : bits->bit[b].out;
        }
    }
}

static int64_t register_offset(const ops_bits *bits, const uint8_t *layout, bool is_source,
                               unsigned reg)
{
    int64_t offset = 0;
    for (unsigned s = 0; s < bits->stages; s++)
        if (reg >> s & 1) {
            const ops_bit *bit = &bits->bit[layout[10 + s]];
            offset += is_source ? bit->in : bit->out;
        }
    return offset;
}

enum { MOST_INSNS = 16 * (1 + OPS_MOST_COPIES) + 64 };

static unsigned program(const ops_bits *bits, ops_insn *insn)
{
    unsigned n = 0, registers = 1u << bits->stages;
    for (unsigned r = 0; r < registers; r++)
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, r),
                               .offset = register_offset(bits, bits->start, true, r)};
    for (unsigned s = 0; s < bits->stage_count; s++) {
        const ops_stage *stage = &bits->stage[s];
        if (bits->stage_count > 1)
            insn[n++] = (ops_insn){.op = OPS_ORDER, .arg = stage->order};
        for (unsigned r = 0; r < registers; r++)
            if (!(r >> stage->select & 1))
                insn[n++] = (ops_insn){.op = OPS_OP(OPS_PERMUTE, r),
                                       .bit = stage->select,
                                       .width = stage->width,
                                       .arg = stage->dims};
    }
    for (unsigned r = 0; r < registers; r++)
        for (unsigned c = 0; c < bits->copies.count; c++)
            insn[n++] = (ops_insn){.op = OPS_OP(OPS_STORE, r),
                                   .offset = register_offset(bits, bits->end, false, r) +
                                             bits->copies.offset[c]};
    return n;
}

void ops_bits_write(ops_planner *planner, const ops_piece *piece, const ops_bits *bits)
{
    ops_tile tile = {.width = bits->width,
                     .in_width = bits->width,
                     .out_width = bits->width,
                     .slices = OPS_SLICES,
                     .instances = instances_of(bits)};
    place_slices(bits, bits->start, true, tile.in, tile.in_of);
    place_slices(bits, bits->end, false, tile.out, tile.out_of);
    ops_pass form = {.kind = OPS_PASS_BITS,
                     .src = piece->src,
                     .dst = piece->dst,
                     .load_width = bits->width,
                     .store_width = bits->width,
                     .element = planner->element,
                     .order = bits->stage[0].order};
    ops_insn insn[MOST_INSNS];
    ops_pack(planner, &form, insn, program(bits, insn), &tile, bits->grid, bits->grids);
}
