/* SPDX-License-Identifier: Apache-2.0
 * Chunks: a pass in one stage of PERMUTE. One side has runs, of which chunks of 32 bytes are
 * loaded; on the other side each element of a chunk is a row of its own, anywhere:
 *
 *     run 0   a0 b0 c0 …                 a0 a1 a2 …     row of neighbours
 *     run 1   a1 b1 c1 …        ↔        b0 b1 b2 …     wherever b belongs
 *     run 2   a2 b2 c2 …                 c0 c1 c2 …
 *
 * A register has e tiles of 32/e runs by 32/e elements, e being the element's bytes: t chunks of
 * 32/t runs. A batch is two registers, and the second has the runs after those of the first; where
 * runs end before, the last ones are done twice.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { MOST_CHUNKS = 1024, INSNS = 5 };

/* How chunks and runs are dealt to batches. */
typedef struct deal {
    int64_t per;            /* elements of a chunk, and runs of a tile */
    int64_t together;       /* t */
    int64_t groups, blocks; /* of chunks and of runs */
} deal;

static bool deal_by(const ops_chunks *c, int64_t element, int64_t together, deal *result)
{
    int64_t per = OPS_SLICE_BYTES / element, chunks = c->count / per, runs = OPS_SLICES / together;
    *result =
        (deal){per, together, ops_ceil(chunks, together), ops_ceil(c->neighbours.n, 2 * runs)};
    return together <= chunks && runs <= c->neighbours.n;
}

/* The fewest batches; false where there is no way to deal. */
static bool best_deal(const ops_chunks *c, int64_t element, deal *best)
{
    bool found = false;
    for (int64_t t = 1; t <= element; t *= 2) {
        deal other;
        if (!deal_by(c, element, t, &other) ||
            (found && other.groups * other.blocks >= best->groups * best->blocks))
            continue;
        *best = other;
        found = true;
    }
    return found && best->groups <= MOST_CHUNKS;
}

/* The offset of the second register, in runs. */
static int64_t second_of(const ops_chunks *c, const deal *d)
{
    int64_t runs = OPS_SLICES / d->together;
    return c->neighbours.n >= 2 * runs ? runs : c->neighbours.n - runs;
}

static void set_program(const ops_chunks *c, int64_t element, const deal *d, ops_insn *insn)
{
    int64_t second = second_of(c, d), run = second * c->neighbours.in, other = second * element;
    uint32_t per = (uint32_t)d->per;
    insn[0] = (ops_insn){.op = OPS_OP(OPS_LOAD, 0)};
    insn[1] = (ops_insn){.op = OPS_OP(OPS_LOAD, 1), .offset = c->is_back ? other : run};
    insn[2] = (ops_insn){.op = OPS_PERMUTE,
                         .width = (uint8_t)ops_log2(element),
                         .arg = 2 * (uint32_t)element | per << 8 | per << 16 | 1u << 24};
    insn[3] = (ops_insn){.op = OPS_OP(OPS_STORE, 0)};
    insn[4] = (ops_insn){.op = OPS_OP(OPS_STORE, 1), .offset = c->is_back ? run : other};
}

ops_cost ztl_ops_chunks_cost(const ops_planner *planner, const ops_chunks *c)
{
    deal d;
    ops_insn insn[INSNS];
    if (!best_deal(c, planner->element, &d))
        return OPS_NEVER;
    int64_t batches = d.groups * d.blocks;
    for (unsigned k = 0; k < c->loops; k++)
        batches *= c->loop[k].n;
    set_program(c, planner->element, &d, insn);
    return (ops_cost){batches * ops_program_ztl(insn, INSNS), OPS_SLICES * (1 + d.groups)};
}

/* One stride vector for the side with runs, and one for each group of chunks. */
static void set_vectors(const ops_chunks *c, const deal *d, ops_vector *vector, ops_group *group,
                        ops_batch *batch)
{
    int64_t chunks = c->count / d->per;
    for (int64_t i = 0; i < OPS_SLICES; i++) {
        int64_t tile = i / d->per, run = tile / d->together * d->per + i % d->per;
        vector[0].stride[i] =
            (int32_t)(tile % d->together + run * c->neighbours.in / OPS_SLICE_BYTES);
    }
    for (int64_t j = 0; j < d->groups; j++) {
        int64_t first =
            j * d->together < chunks - d->together ? j * d->together : chunks - d->together;
        int64_t base = c->place[first * d->per];
        for (int64_t i = 0; i < OPS_SLICES; i++) {
            int64_t tile = i / d->per, k = (first + tile % d->together) * d->per + i % d->per;
            vector[1 + j].stride[i] =
                (int32_t)((c->place[k] - base) / OPS_SLICE_BYTES + tile / d->together);
        }
        uint32_t own = (uint32_t)(1 + j);
        int64_t run = c->run + first * OPS_SLICE_BYTES, other = c->other + base;
        group[j] = (ops_group){.load = c->is_back ? own : 0,
                               .store = c->is_back ? 0 : own,
                               .first = (uint32_t)j,
                               .count = 1};
        batch[j] = c->is_back ? (ops_batch){other, run} : (ops_batch){run, other};
    }
}

/* Loops over blocks of runs, and everything else. */
static void set_loops(const ops_chunks *c, int64_t blocks, int64_t runs, ops_pass *pass)
{
    ops_dim block = {blocks, c->neighbours.in * runs, c->neighbours.out * runs};
    pass->loops = 0;
    for (unsigned k = 0; k <= c->loops; k++) {
        ops_dim dim = k < c->loops ? c->loop[k] : block;
        if (dim.n > 1)
            pass->loop[pass->loops++] = c->is_back ? (ops_dim){dim.n, dim.out, dim.in} : dim;
    }
}

/* Blocks of 64/t runs; what is left at the end is one that overlaps the one before. */
static void write_blocks(ops_draft *draft, const ops_chunks *c, const deal *d, ops_pass *pass,
                         const ops_insn *insn, const ops_vector *vector, const ops_group *group,
                         ops_batch *batch)
{
    int64_t runs = 2 * OPS_SLICES / d->together, n = c->neighbours.n, whole = n / runs;
    if (n < runs)
        whole = 1;
    set_loops(c, whole, runs, pass);
    ztl_ops_write_pass(draft, pass, insn, vector, group, batch);
    if (n <= runs || n % runs == 0)
        return;
    int64_t run = (n - runs) * c->neighbours.in, other = (n - runs) * c->neighbours.out;
    for (int64_t j = 0; j < d->groups; j++) {
        batch[j].in += c->is_back ? other : run;
        batch[j].out += c->is_back ? run : other;
    }
    set_loops(c, 1, runs, pass);
    ztl_ops_write_pass(draft, pass, insn, vector, group, batch);
}

void ztl_ops_chunks_write(ops_planner *planner, const ops_chunks *c)
{
    deal d;
    size_t high = planner->arena->high;
    if (!best_deal(c, planner->element, &d))
        return;
    size_t groups = (size_t)d.groups;
    ops_vector *vector = ztl_ops_borrow(planner->arena, (1 + groups) * sizeof *vector);
    ops_group *group = ztl_ops_borrow(planner->arena, groups * sizeof *group);
    ops_batch *batch = ztl_ops_borrow(planner->arena, groups * sizeof *batch);
    if (!vector || !group || !batch)
        return;
    ops_insn insn[INSNS];
    set_vectors(c, &d, vector, group, batch);
    set_program(c, planner->element, &d, insn);
    ops_pass pass = {.kind = OPS_PASS_TILES,
                     .src = c->src,
                     .dst = c->dst,
                     .load_width = OPS_SLICE_BYTES,
                     .store_width = OPS_SLICE_BYTES,
                     .slices = OPS_SLICES,
                     .element = planner->element,
                     .order = 0 | 2 << 2 | 1 << 4 | 3 << 6,
                     .insns = INSNS,
                     .vectors = (uint32_t)(1 + groups),
                     .groups = (uint32_t)groups,
                     .batches = (uint32_t)groups};
    write_blocks(planner->draft, c, &d, &pass, insn, vector, group, batch);
    planner->arena->high = high;
}
