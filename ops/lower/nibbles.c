/* SPDX-License-Identifier: Apache-2.0
 * Nibbles (4-bit elements) from source to target without scratch memory. The map is cut into parts
 * by how their runs lie in bytes:
 *
 *     |ab|cd|ef| → |ab|cd|ef|      whole bytes on both sides
 *     |xa|bc|dx| → |ab|cd|         shifted: loaded twice, one byte apart, and merged in registers
 *     rows → columns               transposed in squares by XPOSE
 *     |a…                          single nibbles at the odd ends of rows: one by one
 *
 * Rows that start alternately at the low and the high nibble are first split into those two sets.
 */
#include "ops/lower/lower.h"

#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

/* Pieces with more odd steps, or fewer nibbles, are moved one by one. */
enum { MOST_ODD = 3, FEWEST = 16 };

/* Nibbles a side: smaller squares take more than a way through scratch memory. */
enum { LARGEST = 64, GOOD = 16 };

static void add(ops_nibbles *nibbles, enum ops_nibble_part kind, const ops_piece *piece)
{
    if (kind != nibbles->wanted || ztl_ops_elements(piece) == 0)
        return;
    ops_piece *made = ztl_ops_add_piece(&nibbles->part[kind], 0, 0, 0, 0);
    if (made)
        *made = *piece;
    nibbles->singles += kind == OPS_NIBBLES_SINGLE ? ztl_ops_elements(piece) : 0;
}

/* Takes the first position of a dimension out of the piece, or the last. */
static void peel(ops_nibbles *nibbles, ops_piece *piece, unsigned d, bool first)
{
    ops_piece part[2];
    ztl_ops_cut(piece, d, first ? 1 : piece->dim[d].n - 1, part);
    ztl_ops_canonical_piece(&part[!first]);
    add(nibbles, OPS_NIBBLES_SINGLE, &part[!first]);
    *piece = part[first];
}

/* From nibbles to bytes, except for the steps of 1. */
static void to_bytes(ops_piece *piece, unsigned from, unsigned to)
{
    piece->in >>= 1;
    piece->out >>= 1;
    for (unsigned d = 0; d < piece->rank; d++) {
        piece->dim[d].in /= d == from ? 1 : 2;
        piece->dim[d].out /= d == to ? 1 : 2;
    }
}

/* The same run on both sides, in whole bytes of the target once its odd ends are peeled. */
static void cut_run(ops_nibbles *nibbles, ops_piece *piece, unsigned run)
{
    if (piece->out & 1)
        peel(nibbles, piece, run, true);
    if (piece->dim[run].n & 1)
        peel(nibbles, piece, run, false);
    bool shifts = piece->src != OPS_FILL && piece->in & 1;
    to_bytes(piece, run, run);
    piece->dim[run].n /= 2;
    add(nibbles, shifts ? OPS_NIBBLES_SHIFTED : OPS_NIBBLES_BYTES, piece);
}

static void swap_dims(ops_piece *piece, unsigned a, unsigned b)
{
    ops_dim swap = piece->dim[a];
    piece->dim[a] = piece->dim[b];
    piece->dim[b] = swap;
}

/* Runs along two dimensions, which become 0 and 1, in whole bytes once their odd ends are peeled.
 * */
static void cut_plane(ops_nibbles *nibbles, ops_piece *piece, unsigned from, unsigned to)
{
    swap_dims(piece, 0, from);
    swap_dims(piece, 1, to == 0 ? from : to);
    if (piece->in & 1)
        peel(nibbles, piece, 0, true);
    if (piece->out & 1)
        peel(nibbles, piece, 1, true);
    for (unsigned d = 0; d < 2; d++)
        if (piece->dim[d].n & 1)
            peel(nibbles, piece, d, false);
    to_bytes(piece, 0, 1);
    add(nibbles, OPS_NIBBLES_TRANSPOSED, piece);
}

/* The dimension that is the run of one side, or the rank. */
static unsigned run_of(const ops_piece *piece, bool is_source)
{
    unsigned d = 0;
    while (d < piece->rank && (is_source ? piece->dim[d].in : piece->dim[d].out) != 1)
        d++;
    return d;
}

/* Whether a pitch is in whole bytes, and in reach of strides that count single bytes. */
static bool is_pitch(int64_t step)
{
    return step % 2 == 0 && step <= INT32_MAX / OPS_SLICES && step >= -INT32_MAX / OPS_SLICES;
}

/* A dimension other than the runs with an odd step, from one nibble of a byte to the other; or the
 * rank. */
static unsigned odd_step(const ops_piece *piece, unsigned from, unsigned to)
{
    unsigned d = 0;
    while (d < piece->rank &&
           (d == from || d == to || !((piece->dim[d].in | piece->dim[d].out) & 1)))
        d++;
    return d;
}

static void cut(ops_nibbles *nibbles, ops_piece *piece, unsigned halved)
{
    unsigned to = run_of(piece, false), from = run_of(piece, true);
    if (to < piece->rank && (piece->src == OPS_FILL || piece->dim[to].in == 1))
        from = to;
    bool moves = to < piece->rank && from < piece->rank && ztl_ops_elements(piece) >= FEWEST;
    if (moves && from != to)
        moves = is_pitch(piece->dim[to].in) && is_pitch(piece->dim[from].out);
    unsigned d = odd_step(piece, from, to);
    if (!moves || (d < piece->rank && halved == MOST_ODD)) {
        add(nibbles, OPS_NIBBLES_SINGLE, piece);
    } else if (d < piece->rank) {
        ops_piece first = ztl_ops_every_other(piece, d, false);
        ops_piece second = ztl_ops_every_other(piece, d, true);
        cut(nibbles, &first, halved + 1);
        cut(nibbles, &second, halved + 1);
    } else if (from == to) {
        cut_run(nibbles, piece, to);
    } else {
        cut_plane(nibbles, piece, from, to);
    }
}

/* The pieces of a map are contiguous, so the parts are cut one after the other. */
bool ztl_ops_nibbles_cut(ops_planner *planner, const ops_map *map, ops_nibbles *nibbles)
{
    ops_mark mark = ztl_ops_set_mark(planner->draft);
    memset(nibbles, 0, sizeof *nibbles);
    for (unsigned kind = 0; kind < OPS_NIBBLE_PARTS; kind++) {
        nibbles->wanted = (enum ops_nibble_part)kind;
        nibbles->part[kind].arena = planner->arena;
        nibbles->part[kind].element = kind == OPS_NIBBLES_SINGLE ? 0 : 1;
        for (size_t i = 0; i < map->count; i++) {
            ops_piece piece = map->piece[i];
            cut(nibbles, &piece, 0);
        }
    }
    if (planner->arena->full) {
        ztl_ops_roll_back(planner->draft, &mark);
        return false;
    }
    ztl_ops_canonical(&nibbles->part[OPS_NIBBLES_BYTES]);
    ztl_ops_canonical(&nibbles->part[OPS_NIBBLES_SHIFTED]);
    return true;
}

/* The squares of a piece that is transposed, and where they are. */
typedef struct squares {
    unsigned side;
    ops_cost cost;
    ops_piece grid[4]; /* the last of a dimension may overlap the one before */
    unsigned grids;
} squares;

static void cut_edges(squares *s, const ops_piece *piece, unsigned d)
{
    int64_t side = s->side, rest = piece->dim[d].n - side;
    int64_t in = piece->dim[d].in, out = piece->dim[d].out;
    unsigned grids = s->grids;
    for (unsigned g = 0; g < grids; g++) {
        ops_dim *dim = &s->grid[g].dim[d];
        *dim =
            (ops_dim){piece->dim[d].n / side, d ? side * in : side / 2, d ? side / 2 : side * out};
        if (piece->dim[d].n % side == 0)
            continue;
        ops_piece *edge = &s->grid[s->grids++];
        *edge = s->grid[g];
        edge->dim[d].n = 1;
        edge->in += d ? rest * in : rest / 2;
        edge->out += d ? rest / 2 : rest * out;
    }
}

/* A square of 64 takes both registers; of smaller ones, one register holds several. */
static unsigned squares_at_once(unsigned side)
{
    return side == LARGEST ? 1 : OPS_SLICES / side;
}

static ops_tile tile_of(unsigned side)
{
    ops_tile tile = ztl_ops_slice_tile(side / 2);
    tile.instances = squares_at_once(side);
    return tile;
}

static unsigned registers_of(unsigned side)
{
    return side == LARGEST ? 2 : 1;
}

enum { MOST_INSNS = 6 };

static unsigned squares_program(const ops_planner *planner, unsigned side, int64_t in, int64_t out,
                                ops_insn *insn)
{
    unsigned n = 0, registers = registers_of(side);
    for (unsigned r = 0; r < registers; r++)
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, r), .offset = r * OPS_SLICES * in};
    insn[n++] = (ops_insn){.op = OPS_TRANSPOSE4, .arg = side};
    if (planner->adds)
        insn[n++] = (ops_insn){.op = OPS_ADD, .arg = planner->type, .offset = planner->addend};
    for (unsigned r = 0; r < registers; r++)
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_STORE, r), .offset = r * OPS_SLICES * out};
    return n;
}

static bool squares_of(const ops_planner *planner, const ops_piece *piece, unsigned side,
                       squares *s)
{
    int64_t width = side / 2;
    if (piece->dim[0].n < side || piece->dim[1].n < side || piece->dim[0].out % width ||
        piece->dim[1].in % width || (planner->adds && side == LARGEST))
        return false;
    *s = (squares){.side = side, .grid = {*piece}, .grids = 1};
    cut_edges(s, piece, 0);
    cut_edges(s, piece, 1);
    ops_tile tile = tile_of(side);
    ops_insn insn[MOST_INSNS];
    ops_use use =
        ztl_ops_tile_use(planner, &tile, insn, squares_program(planner, side, 0, 0, insn));
    s->cost = ztl_ops_batches_cost(planner, &tile, s->grid, s->grids, &use, 0, OPS_NEVER.key);
    return true;
}

static squares best_squares(const ops_planner *planner, const ops_piece *piece)
{
    squares best = {.cost = OPS_NEVER}, s;
    for (unsigned side = LARGEST; side > 1; side /= 2)
        if (squares_of(planner, piece, side, &s) && ops_cheaper(s.cost, best.cost))
            best = s;
    return best;
}

bool ztl_ops_nibbles_suit(const ops_planner *planner, const ops_nibbles *nibbles, int64_t singles)
{
    const ops_map *turned = &nibbles->part[OPS_NIBBLES_TRANSPOSED];
    /* To unpack all takes instructions, which a few single nibbles are not worth. */
    bool suits = nibbles->singles <= singles + singles / 16;
    for (size_t i = 0; suits && i < turned->count; i++)
        suits = best_squares(planner, &turned->piece[i]).side >= GOOD;
    return suits;
}

static void write_squares(ops_planner *planner, const ops_piece *piece)
{
    squares s = best_squares(planner, piece);
    int64_t in = piece->dim[1].in, out = piece->dim[0].out;
    ops_tile tile = tile_of(s.side);
    for (unsigned i = 0; i < OPS_SLICES; i++) {
        tile.in[i] = i % s.side * in;
        tile.out[i] = i % s.side * out;
        tile.in_of[i] = tile.out_of[i] = (uint8_t)(i / s.side);
    }
    ops_insn insn[MOST_INSNS];
    ops_pass form = {.kind = OPS_PASS_TRANSPOSE4,
                     .insns = squares_program(planner, s.side, in, out, insn)};
    ztl_ops_pack_batches(planner->draft, &form, insn, &tile, s.grid, s.grids);
}

void ztl_ops_nibbles_write(ops_planner *planner, const ops_nibbles *nibbles)
{
    const ops_map *shifted = &nibbles->part[OPS_NIBBLES_SHIFTED],
                  *turned = &nibbles->part[OPS_NIBBLES_TRANSPOSED];
    planner->shifts = true;
    for (size_t i = 0, n; i < shifted->count; i += n) {
        const ops_piece *piece = &shifted->piece[i];
        for (n = 1; i + n < shifted->count; n++)
            if (piece[n].src != piece->src || piece[n].dst != piece->dst)
                break;
        ztl_ops_runs_by_length(planner, piece, n, true);
    }
    planner->shifts = false;
    for (size_t i = 0; i < turned->count; i++)
        write_squares(planner, &turned->piece[i]);
}
