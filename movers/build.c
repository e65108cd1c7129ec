/* SPDX-License-Identifier: Apache-2.0
 * From pieces to jobs: each piece, or group of pieces, takes the kind of job that costs least.
 */
#include "movers/build.h"

static const native_set *const sets[] = {
#ifdef ZTL_HAVE_AVX512
    &ztl_native_avx512,
#endif
#ifdef ZTL_HAVE_AVX2
    &ztl_native_avx2,
#endif
    &ztl_native_portable,
};

const native_set *ztl_native_set(size_t index)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if ((!sets[i]->runs_here || sets[i]->runs_here()) && index-- == 0)
            return sets[i];
    return NULL;
}

enum { LONG_RUN = 1024 };

/* Loops over all dimensions but those that are taken, in the order of the piece. */
static void add_loops(native_job *job, const ops_piece *piece, uint32_t taken)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (!(taken >> d & 1))
            job->loop[job->rank++] = native_loop_of(&piece->dim[d]);
}

/* The bytes that source and target have in a row, and which dimension they are. */
static int64_t run_of(const ops_piece *piece, unsigned element, uint32_t *taken)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == element && piece->dim[d].out == element) {
            *taken = UINT32_C(1) << d;
            return piece->dim[d].n * element;
        }
    *taken = 0;
    return element;
}

static native_job copy_job(const ops_piece *piece, unsigned element)
{
    uint32_t taken;
    native_job job = native_start(piece, NATIVE_COPY);
    job.bytes = run_of(piece, element, &taken);
    add_loops(&job, piece, taken);
    bool is_element = piece->src == OPS_FILL || (job.bytes <= 8 && !(job.bytes & (job.bytes - 1)));
    if (is_element)
        job.kind = NATIVE_ELEMENTS;
    const bool whole = !(job.bytes & (job.bytes - 1)); /* else the last vector overlaps */
    double each = is_element
                      ? 1.5
                      : (whole ? 0.8 : 1.6) + (double)job.bytes / (job.bytes > LONG_RUN ? 20 : 28);
    job.cost = native_turns(&job) * each +
               (job.rank ? native_turns(&job) / (double)job.loop[job.rank - 1].n : 1) * NATIVE_TURN;
    if (!job.rank)
        job.loop[job.rank++] = (native_loop){.n = 1};
    return job;
}

/* Dimensions that follow each other without a gap from the element on, in the source or the
 * target. Returns how many elements they have. */
static int64_t chain(const ops_piece *piece, bool target, int64_t width, uint32_t *taken,
                     native_loop *loop, unsigned *loops)
{
    int64_t count = 1;
    *loops = 0;
    for (bool found = true; found;) {
        found = false;
        for (unsigned d = 0; d < piece->rank && !found; d++) {
            const ops_dim *dim = &piece->dim[d];
            if (*taken >> d & 1 || (target ? dim->out : dim->in) != width * count)
                continue;
            *taken |= UINT32_C(1) << d;
            loop[(*loops)++] = native_loop_of(dim);
            count *= dim->n;
            found = true;
        }
    }
    return count;
}

/* What tiles of a job cost: those with fewer rows or columns than a tile are stored or loaded in
 * pieces. */
static double tiles_cost(const native_set *set, const native_job *job)
{
    const native_tiles *t = &job->tiles;
    const unsigned log = ops_log2(job->width), side = set->side[log];
    double tiles = (double)(ops_ceil(t->row_count, side) * ops_ceil(t->column_count, side));
    if (job->width == 4 && t->row_count >= 8 && t->column_count >= 8)
        tiles = 2 * (double)(ops_ceil(t->row_count, 8) * ops_ceil(t->column_count, 4));
    else if (t->row_count <= 2 * side) /* stores to as many places as there are columns */
        tiles *= 1.5;
    double cost = tiles * set->tile[log] + 4 * NATIVE_TURN;
    if (t->rows > 1 || t->columns > 1)
        cost += tiles * set->tile[log] / 4;
    if (t->columns > 1 && t->row_count <= side) /* each store goes to a place of its own */
        cost += 2 * (double)t->column_count;
    if (t->row_count < side)
        cost += 1.5 * (double)t->column_count;
    if (t->column_count < side)
        cost += 1.5 * (double)t->row_count;
    return native_turns(job) * cost;
}

/* Tiles whose innermost column is dimension `column`, and whose rows go on after the first
 * dimension or not. */
static native_job tiles_along(const native_set *set, const ops_piece *piece, unsigned column,
                              int64_t width, uint32_t taken, bool long_rows)
{
    native_job job = native_start(piece, NATIVE_TILES);
    native_tiles *t = &job.tiles;
    uint32_t keep = taken | UINT32_C(1) << column;
    job.width = (unsigned)width;
    job.cost = -1;
    t->row_count = chain(piece, true, width, &keep, t->row, &t->rows);
    if (!t->rows)
        return job;
    if (!long_rows && t->rows > 1) {
        keep = taken;
        for (unsigned d = 0; d < piece->rank; d++)
            keep |= piece->dim[d].out == width ? UINT32_C(1) << d : 0;
        t->rows = 1;
        t->row_count = t->row[0].n;
    }
    keep &= ~(UINT32_C(1) << column);
    t->column_count = chain(piece, false, width, &keep, t->column, &t->columns);
    add_loops(&job, piece, keep);
    job.cost = tiles_cost(set, &job);
    return job;
}

static void keep_cheaper(native_job *best, const native_job *other)
{
    if (other->cost >= 0 && (best->cost < 0 || other->cost < best->cost))
        *best = *other;
}

/* Tiles, where the elements lie side by side along different dimensions. */
static native_job tiles_job(const native_set *set, const ops_piece *piece, unsigned element)
{
    uint32_t taken;
    native_job job = {.cost = -1};
    int64_t width = run_of(piece, element, &taken);
    if (width > 8 || width & (width - 1))
        return job;
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == width && piece->dim[d].out != width)
            for (unsigned way = 0; way < 2; way++) {
                native_job other = tiles_along(set, piece, d, width, taken, way);
                keep_cheaper(&job, &other);
            }
    return job;
}

static native_job alone(const native_set *set, const ops_piece *piece, unsigned element)
{
    native_job job = copy_job(piece, element), tiles = tiles_job(set, piece, element);
    keep_cheaper(&job, &tiles);
    return job;
}

native_job ztl_native_alone(const native_set *set, const ops_piece *piece, unsigned element,
                            const uint8_t *value)
{
    native_job job = alone(set, piece, element);
    memcpy(job.value, value, sizeof job.value);
    return job;
}

/* Every piece has a dimension, if only of 1. */
static void give_dims(const ops_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        if (!map->piece[i].rank)
            ztl_ops_add_dim(&map->piece[i], 1, map->element, map->element);
}

/* Whether a constant piece is one more turn of dimension d of another. */
static bool is_next_turn(const ops_piece *a, const ops_piece *b, unsigned d)
{
    unsigned k = 0;
    if (b->out != a->out + a->dim[d].n * a->dim[d].out)
        return false;
    for (unsigned i = 0; i < a->rank; i++) {
        if (i == d)
            continue;
        while (k < b->rank && b->dim[k].n == 1)
            k++;
        if (k == b->rank || b->dim[k].n != a->dim[i].n || b->dim[k].out != a->dim[i].out)
            return false;
        k++;
    }
    while (k < b->rank && b->dim[k].n == 1)
        k++;
    return k == b->rank;
}

/* Adds one constant piece to another where both are one nest of loops. */
static bool join_fill(ops_piece *a, const ops_piece *b)
{
    if (a->src != OPS_FILL || b->src != OPS_FILL || a->dst != b->dst)
        return false;
    for (unsigned d = 0; d < a->rank; d++)
        if (is_next_turn(a, b, d)) {
            a->dim[d].n++;
            ztl_ops_canonical_piece(a);
            return true;
        }
    return false;
}

/* Constants that a map has in parts, the last turns of loops apart, become whole again, so that
 * they fit the pieces between which they lie. */
static void join_fills(const ops_map *map, bool *used)
{
    for (size_t i = map->count; i-- > 0;)
        for (size_t k = i + 1; k < map->count && k < i + NATIVE_GROUP; k++)
            used[k] = used[k] || join_fill(&map->piece[i], &map->piece[k]);
}

/* A job, and which pieces it does. */
typedef struct candidate {
    native_job *job;
    const ops_piece *piece[NATIVE_GROUP];
    unsigned pieces;
    double bytes;
} candidate;

static void take_piece(candidate *c, const ops_piece *piece, unsigned element)
{
    c->piece[c->pieces++] = piece;
    c->bytes += native_bytes_of(piece, element);
}

/* Periods of several pieces, if that is cheaper than each of them alone. */
static void try_group(const native_set *set, const ops_map *map, const bool *used, size_t first,
                      const uint8_t *value, candidate *c)
{
    native_group g = {.pieces = 0};
    native_job grouped;
    double cost = 0;
    if (!ztl_native_best_group(set, map, used, first, value, &g, &grouped))
        return;
    for (unsigned k = 0; k < g.pieces; k++)
        cost += alone(set, g.piece[k], map->element).cost;
    if (grouped.cost >= cost)
        return;
    *c->job = grouped;
    c->pieces = 0;
    c->bytes = 0;
    for (unsigned k = 0; k < g.pieces; k++)
        take_piece(c, g.piece[k], map->element);
}

/* Blocks of as many pieces as have the same loops, if a byte costs less. */
static void try_block(const native_set *set, const ops_map *map, const bool *used, size_t first,
                      candidate *c)
{
    const ops_piece *lead = &map->piece[first];
    if (!set->block || lead->src == OPS_FILL)
        return;
    const unsigned pieces = ztl_native_alike(map, used, first);
    const native_job job = ztl_native_block(lead, pieces, map->element);
    const double bytes = pieces * native_bytes_of(lead, map->element);
    if (job.cost < 0 || job.cost / bytes >= c->job->cost / c->bytes)
        return;
    *c->job = job;
    c->pieces = 0;
    for (unsigned k = 0; k < pieces; k++)
        take_piece(c, lead + k, map->element);
}

size_t ztl_native_build(const native_set *set, const ops_map *map, const uint8_t *value,
                        native_job *job)
{
    size_t count = 0;
    bool *used = (bool *)(job + map->count); /* there is room for a flag for each piece */
    memset(used, 0, map->count);
    give_dims(map);
    join_fills(map, used);
    for (size_t i = 0; i < map->count; i++) {
        candidate c = {.job = &job[count]};
        if (used[i])
            continue;
        used[i] = true;
        job[count++] = ztl_native_alone(set, &map->piece[i], map->element, value);
        take_piece(&c, &map->piece[i], map->element);
        try_group(set, map, used, i, value, &c);
        try_block(set, map, used, i, &c);
        for (unsigned k = 0; k < c.pieces; k++)
            used[c.piece[k] - map->piece] = true;
    }
    return count;
}
