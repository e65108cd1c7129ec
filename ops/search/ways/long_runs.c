/* SPDX-License-Identifier: Apache-2.0
 * Long runs: a transpose in one stage of PERMUTE where the run of one side goes on through several
 * dimensions of any extents, as the pixels of an image do:
 *
 *     [64 channels][7][7] → [7][7][64 channels]     49 contiguous bytes a channel in the source
 *
 * It is cut into chunks of 32 bytes, across the ends of rows; only the last chunk of all overlaps
 * the one before, where tiles (tiles.c) would overlap in every row. The other side has a slice for
 * each element of a chunk, wherever that belongs, so each chunk has a stride vector. A batch is one
 * chunk of 64 neighbours of the other side's run: two registers with e tiles of 32/e rows and
 * columns each, e being the element's bytes, and PERMUTE transposes every tile.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { MOST_CHUNKS = 4096 };

static ops_dim swapped(ops_dim dim)
{
    return (ops_dim){dim.n, dim.out, dim.in};
}

/* The dimensions of the source's run, as a set, as far as their steps in the target are multiples
 * of 32. */
static unsigned follow_run(const ops_piece *piece, unsigned element, ops_long_runs *c)
{
    int64_t step = element;
    unsigned taken = 0;
    c->dims = 0;
    for (unsigned d = 0; d < piece->rank;) {
        const ops_dim *dim = &piece->dim[d];
        if (taken >> d & 1 || dim->in != step || dim->out % OPS_SLICE_BYTES) {
            d++;
            continue;
        }
        c->dim[c->dims++] = *dim;
        step *= dim->n;
        taken |= 1u << d;
        d = 0;
    }
    c->run = step / element;
    return taken;
}

/* The form with the run in the source. */
static bool find_form(const ops_piece *piece, unsigned element, ops_long_runs *c)
{
    bool found = false;
    int64_t reach = 0;
    unsigned taken = follow_run(piece, element, c);
    c->chunks = ops_ceil(c->run * element, OPS_SLICE_BYTES);
    c->loops = 0;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        reach += dim->n * (ops_magnitude(dim->in) + ops_magnitude(dim->out));
        if (taken >> d & 1)
            continue;
        if (!found && dim->out == element && dim->n >= OPS_NEIGHBOURS &&
            dim->in % OPS_SLICE_BYTES == 0 && dim->in) {
            c->neighbours = *dim;
            found = true;
        } else if (dim->in == 0 || dim->out == 0) {
            return false;
        } else {
            c->loop[c->loops++] = *dim;
        }
    }
    return found && c->dims > 1 && c->run * element >= OPS_SLICE_BYTES &&
           c->chunks <= MOST_CHUNKS && reach < INT32_MAX;
}

enum { INSNS = 5 };

static void set_program(const ops_long_runs *c, unsigned element, ops_insn *insn)
{
    unsigned per = OPS_SLICE_BYTES / element;
    int64_t in = OPS_SLICES * c->neighbours.in, out = OPS_SLICES * (int64_t)element;
    insn[0] = (ops_insn){.op = OPS_OP(OPS_LOAD, 0)};
    insn[1] = (ops_insn){.op = OPS_OP(OPS_LOAD, 1), .offset = c->is_back ? out : in};
    insn[2] = (ops_insn){.op = OPS_PERMUTE,
                         .width = (uint8_t)ops_log2(element),
                         .arg = 2 * element | per << 8 | per << 16 | 1u << 24};
    insn[3] = (ops_insn){.op = OPS_OP(OPS_STORE, 0)};
    insn[4] = (ops_insn){.op = OPS_OP(OPS_STORE, 1), .offset = c->is_back ? in : out};
}

static ops_cost cost_of(const ops_long_runs *c, unsigned element)
{
    ops_insn insn[INSNS];
    int64_t batches = c->chunks * ops_ceil(c->neighbours.n, OPS_NEIGHBOURS);
    for (unsigned d = 0; d < c->loops; d++)
        batches *= c->loop[d].n;
    set_program(c, element, insn);
    return (ops_cost){batches * ops_program_ztl(insn, INSNS), OPS_SLICES * c->chunks};
}

/* Every chunk has a vector, a group and a batch, which are made and then copied. */
static bool has_room(const ops_planner *planner, const ops_long_runs *c)
{
    size_t each = sizeof(ops_vector) + sizeof(ops_group) + sizeof(ops_batch);
    bool fits = 3 * each * (size_t)(c->chunks + 1) <= planner->arena->high - planner->arena->low;
    planner->draft->is_short |= !fits;
    return fits;
}

static bool find(const ops_query *q, ops_found *found)
{
    ops_long_runs *c = &found->long_runs, other;
    if (!ztl_ops_is_move(q))
        return false;
    ops_piece back = *q->piece;
    for (unsigned d = 0; d < back.rank; d++)
        back.dim[d] = swapped(back.dim[d]);
    unsigned element = q->planner->element;
    bool forth = find_form(q->piece, element, c), returns = find_form(&back, element, &other);
    c->is_back = false;
    other.is_back = true;
    if (returns && (!forth || ops_cheaper(cost_of(&other, element), cost_of(c, element))))
        *c = other;
    return (forth || returns) && has_room(q->planner, c);
}

static ops_cost cost(const ops_query *q, ops_found *found)
{
    return cost_of(&found->long_runs, q->planner->element);
}

/* Where element k of the run lies on the other side. */
static int64_t place_of(const ops_long_runs *c, int64_t k)
{
    int64_t place = 0;
    for (unsigned d = 0; d < c->dims; k /= c->dim[d].n, d++)
        place += k % c->dim[d].n * c->dim[d].out;
    return place;
}

/* One stride vector for the side with the run, and one for each chunk of the other side. */
static void set_vectors(const ops_long_runs *c, int64_t element, ops_vector *vector,
                        ops_group *group, ops_batch *batch)
{
    int64_t per = OPS_SLICE_BYTES / element;
    for (int64_t i = 0; i < OPS_SLICES; i++)
        vector[0].stride[i] = (int32_t)(i * c->neighbours.in / OPS_SLICE_BYTES);
    for (int64_t j = 0; j < c->chunks; j++) {
        int64_t first = j * per < c->run - per ? j * per : c->run - per;
        int64_t base = place_of(c, first);
        for (int64_t i = 0; i < OPS_SLICES; i++)
            vector[1 + j].stride[i] =
                (int32_t)((place_of(c, first + i % per) - base) / OPS_SLICE_BYTES + i / per);
        uint32_t own = (uint32_t)(1 + j);
        group[j] = (ops_group){.load = c->is_back ? own : 0,
                               .store = c->is_back ? 0 : own,
                               .first = (uint32_t)j,
                               .count = 1};
        batch[j] =
            c->is_back ? (ops_batch){base, first * element} : (ops_batch){first * element, base};
    }
}

/* Loops over blocks of 64 neighbours, and everything else. */
static void set_loops(const ops_long_runs *c, int64_t blocks, ops_pass *pass)
{
    ops_dim block = {blocks, c->neighbours.in * OPS_NEIGHBOURS, c->neighbours.out * OPS_NEIGHBOURS};
    pass->loops = 0;
    for (unsigned d = 0; d <= c->loops; d++) {
        ops_dim dim = d < c->loops ? c->loop[d] : block;
        if (dim.n > 1)
            pass->loop[pass->loops++] = c->is_back ? swapped(dim) : dim;
    }
}

static void write(const ops_query *q, const ops_found *found)
{
    const ops_long_runs *c = &found->long_runs;
    const ops_piece *piece = q->piece;
    ops_planner *planner = q->planner;
    size_t high = planner->arena->high;
    ops_vector *vector = ztl_ops_borrow(planner->arena, (size_t)(1 + c->chunks) * sizeof *vector);
    ops_group *group = ztl_ops_borrow(planner->arena, (size_t)c->chunks * sizeof *group);
    ops_batch *batch = ztl_ops_borrow(planner->arena, (size_t)c->chunks * sizeof *batch);
    if (!vector || !group || !batch)
        return;
    ops_insn insn[INSNS];
    set_vectors(c, planner->element, vector, group, batch);
    set_program(c, planner->element, insn);
    ops_pass pass = {.kind = OPS_PASS_TILES,
                     .src = piece->src,
                     .dst = piece->dst,
                     .load_width = OPS_SLICE_BYTES,
                     .store_width = OPS_SLICE_BYTES,
                     .slices = OPS_SLICES,
                     .element = planner->element,
                     .order = 0 | 2 << 2 | 1 << 4 | 3 << 6,
                     .insns = INSNS,
                     .vectors = (uint32_t)(1 + c->chunks),
                     .groups = (uint32_t)c->chunks,
                     .batches = (uint32_t)c->chunks};
    ops_dim n = c->is_back ? swapped(c->neighbours) : c->neighbours;
    for (unsigned edge = 0; edge < 2; edge++) {
        int64_t first = edge ? n.n - OPS_NEIGHBOURS : 0;
        if (edge && n.n % OPS_NEIGHBOURS == 0)
            break;
        for (int64_t j = 0; j < c->chunks; j++) {
            batch[j].in += edge ? first * n.in : piece->in;
            batch[j].out += edge ? first * n.out : piece->out;
        }
        set_loops(c, edge ? 1 : n.n / OPS_NEIGHBOURS, &pass);
        ztl_ops_write_pass(planner->draft, &pass, insn, vector, group, batch);
    }
    planner->arena->high = high;
}

const ops_way ztl_ops_way_long_runs = {"chunks of long runs", false, find, cost, write};
