/* SPDX-License-Identifier: Apache-2.0
 * From pieces to jobs: each piece, or group of pieces, takes the kind of job that costs least.
 */
#include "ops/native/native.h"

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

/* What a loop turn costs in cycles, roughly, beside the kernel inside it; and of a shuffle, a
 * window within a line of the cache and one that crosses lines. */
enum { TURN = 8, GROUP = 16, LONG_RUN = 1024 };
static const double load_cost = 1.2, crossing_cost = 2.5;

static native_loop loop_of(const ops_dim *dim)
{
    native_loop loop = {.n = dim->n, .out = dim->out};
    loop.in[0] = dim->in;
    return loop;
}

/* Loops over all dimensions but those that are taken, in the order of the piece. */
static void add_loops(native_job *job, const ops_piece *piece, uint32_t taken)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (!(taken >> d & 1))
            job->loop[job->rank++] = loop_of(&piece->dim[d]);
}

static double turns_of(const native_job *job, unsigned rank)
{
    double n = 1;
    for (unsigned d = 0; d < rank; d++)
        n *= (double)job->loop[d].n;
    return n;
}

static double turns(const native_job *job)
{
    return turns_of(job, job->rank);
}

/* How often a shuffle starts anew: its rows are the innermost loop. */
static double calls(const native_job *job)
{
    return turns_of(job, job->rank ? job->rank - 1 : 0);
}

static native_job start(const ops_piece *piece, enum native_kind kind)
{
    return (native_job){
        .kind = kind, .src = piece->src, .dst = piece->dst, .in = piece->in, .out = piece->out};
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
    native_job job = start(piece, NATIVE_COPY);
    job.bytes = run_of(piece, element, &taken);
    add_loops(&job, piece, taken);
    bool is_element = piece->src == OPS_FILL || (job.bytes <= 8 && !(job.bytes & (job.bytes - 1)));
    if (is_element)
        job.kind = NATIVE_ELEMENTS;
    double each = is_element ? 1.5 : 1.5 + (double)job.bytes / (job.bytes > LONG_RUN ? 40 : 24);
    job.cost =
        turns(&job) * each + (job.rank ? turns(&job) / (double)job.loop[job.rank - 1].n : 1) * TURN;
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
            loop[(*loops)++] = loop_of(dim);
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
    /* Words have a kernel for small squares. */
    double cost = tiles * set->tile[log] + (job->width == 4 ? 2 : 4) * TURN;
    if (t->rows > 1 || t->columns > 1)
        cost += tiles * set->tile[log] / 4;
    if (t->columns > 1 && t->row_count <= side) /* each store goes to a place of its own */
        cost += 2 * (double)t->column_count;
    if (t->row_count < side)
        cost += 3 * (double)t->column_count;
    if (t->column_count < side)
        cost += 3 * (double)t->row_count;
    return turns(job) * cost;
}

/* Tiles whose innermost column is dimension `column`, and whose rows go on after the first
 * dimension or not. */
static native_job tiles_along(const native_set *set, const ops_piece *piece, unsigned column,
                              int64_t width, uint32_t taken, bool long_rows)
{
    native_job job = start(piece, NATIVE_TILES);
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

/* Pieces that together make up whole periods of a target. */
typedef struct group {
    const ops_piece *piece[GROUP];
    unsigned pieces, element, outer; /* outer: dimensions from the period on, the same for all */
    int64_t out, period;
} group;

/* How many dimensions have steps of at least a period; they come first. */
static unsigned outer_dims(const ops_piece *piece, int64_t period)
{
    unsigned d = 0;
    while (d < piece->rank && piece->dim[d].out >= period)
        d++;
    return d;
}

static int64_t inner_bytes(const ops_piece *piece, unsigned outer, unsigned element, int64_t *reach)
{
    int64_t bytes = element;
    *reach = element;
    for (unsigned d = outer; d < piece->rank; d++) {
        bytes *= piece->dim[d].n;
        *reach += (piece->dim[d].n - 1) * piece->dim[d].out;
    }
    return bytes;
}

static bool same_outer(const ops_piece *a, const ops_piece *b, unsigned outer)
{
    for (unsigned d = 0; d < outer; d++)
        if (a->dim[d].n != b->dim[d].n || a->dim[d].out != b->dim[d].out)
            return false;
    return true;
}

/* The group of a piece with a period; false if no pieces after it make it whole. */
static bool find_group(const ops_map *map, const bool *used, size_t first, int64_t period, group *g)
{
    const ops_piece *lead = &map->piece[first];
    int64_t low = lead->out, high = lead->out, bytes = 0, reach;
    *g = (group){.element = map->element, .period = period, .outer = outer_dims(lead, period)};
    for (size_t i = first; i < map->count && i < first + GROUP && bytes < period; i++) {
        const ops_piece *p = &map->piece[i];
        if ((used[i] && i != first) || p->dst != lead->dst || outer_dims(p, period) != g->outer ||
            !same_outer(p, lead, g->outer))
            continue;
        int64_t more = inner_bytes(p, g->outer, map->element, &reach);
        int64_t new_low = p->out < low ? p->out : low;
        int64_t new_high = p->out + reach > high ? p->out + reach : high;
        if (new_high - new_low > period)
            continue;
        low = new_low;
        high = new_high;
        bytes += more;
        g->piece[g->pieces++] = p;
    }
    g->out = low;
    return bytes == period;
}

/* Where a byte of the period comes from. */
typedef struct origin {
    const ops_piece *piece;
    int64_t in;
    uint8_t value;
} origin;

static void find_origins(const group *g, const uint8_t *value, origin *of)
{
    for (unsigned i = 0; i < g->pieces; i++) {
        const ops_piece *p = g->piece[i];
        int64_t at[OPS_DIMS] = {0}, in = p->in, out = p->out - g->out;
        for (bool more = true; more;) {
            for (unsigned b = 0; b < g->element; b++)
                of[out + b] = (origin){p, in + b, p->src == OPS_FILL ? value[b] : 0};
            more = false;
            for (unsigned d = p->rank; d-- > g->outer && !more;) {
                more = ++at[d] < p->dim[d].n;
                in += more ? p->dim[d].in : (1 - p->dim[d].n) * p->dim[d].in;
                out += more ? p->dim[d].out : (1 - p->dim[d].n) * p->dim[d].out;
                at[d] = more ? at[d] : 0;
            }
        }
    }
}

static bool same_way(const ops_piece *a, const ops_piece *b, unsigned outer)
{
    for (unsigned d = 0; d < outer; d++)
        if (a->dim[d].in != b->dim[d].in)
            return false;
    return a->src == b->src;
}

/* A byte of the target and where it comes from. */
typedef struct need {
    const ops_piece *piece;
    int64_t in, at;
} need;

static bool comes_before(const group *g, const need *a, const need *b)
{
    if (same_way(a->piece, b->piece, g->outer))
        return a->in < b->in;
    return a->piece < b->piece;
}

/* What `take` periods need of inputs, in the order of addresses. */
static unsigned list_needs(const group *g, const origin *of, int64_t take, need *list)
{
    unsigned count = 0;
    for (int64_t k = 0; k < take; k++)
        for (int64_t b = 0; b < g->period; b++) {
            const ops_piece *p = of[b].piece;
            if (p->src == OPS_FILL)
                continue;
            need n = {p, of[b].in + k * p->dim[g->outer - 1].in, k * g->period + b};
            unsigned i = count++;
            for (; i > 0 && comes_before(g, &n, &list[i - 1]); i--)
                list[i] = list[i - 1];
            list[i] = n;
        }
    return count;
}

/* Where the window of a byte starts: there, or on a line of the cache before it if nothing in front
 * of the input is read then. */
static int64_t window_start(const group *g, const need *n, int64_t line)
{
    const ops_piece *p = n->piece;
    int64_t start = n->in - (n->in & (line - 1)), least = start;
    for (unsigned d = 0; d < g->outer; d++)
        least += p->dim[d].in < 0 ? (p->dim[d].n - 1) * p->dim[d].in : 0;
    return least < 0 ? n->in : start;
}

/* Windows for `take` periods at once, each from the first byte on that none before it has, or from
 * the start of that byte's line; false if there are too many. */
static bool find_windows(const group *g, const origin *of, int64_t take, unsigned window,
                         int64_t line, native_shuffle *s, const ops_piece **way)
{
    need list[NATIVE_WINDOW];
    unsigned count = list_needs(g, of, take, list);
    native_source *last = NULL;
    s->take = take;
    s->sources = 0;
    for (unsigned i = 0; i < count; i++) {
        const need *n = &list[i];
        if (!last || n->in - last->in >= window ||
            !same_way(n->piece, way[s->sources - 1], g->outer)) {
            if (s->sources == NATIVE_SOURCES)
                return false;
            last = &s->source[s->sources];
            way[s->sources++] = n->piece;
            *last = (native_source){.src = n->piece->src,
                                    .in = window_start(g, n, line),
                                    .step = n->piece->dim[g->outer - 1].in};
            memset(last->pick, NATIVE_NONE, sizeof last->pick);
        }
        last->length = n->in - last->in + 1;
        last->pick[n->at] = (uint8_t)(n->in - last->in);
    }
    memset(s->fixed, 0, sizeof s->fixed);
    for (int64_t at = 0; at < take * g->period; at++)
        s->fixed[at] = of[at % g->period].value;
    return true;
}

/* Loads and stores that cross lines of the cache take twice as long. */
static double shuffle_cost(const native_shuffle *s, unsigned window)
{
    double steps = (double)ops_ceil(s->n, s->take), each = s->take * s->period % window ? 2 : 1;
    for (unsigned i = 0; i < s->sources; i++) {
        const native_source *w = &s->source[i];
        bool crosses = w->length > window / 2 && (w->in % window || s->take * w->step % window);
        each += (crosses ? crossing_cost : load_cost) * (s->sources > 8 ? 2.5 : 1);
    }
    return steps * each + 2 * TURN;
}

/* Few rows of whole vectors inside many: the other way round a kernel starts less often. */
static void widen_rows(native_job *job, unsigned window)
{
    enum { FEW = 4 };
    if (job->rank < 2)
        return;
    native_loop *inner = &job->loop[job->rank - 1], *outer = inner - 1;
    if (job->shuffle.take * job->shuffle.period % window || inner->n > FEW || outer->n <= FEW)
        return;
    const native_loop swap = *inner;
    *inner = *outer;
    *outer = swap;
}

static native_job shuffle_job(const native_set *set, const group *g, const uint8_t *value)
{
    const ops_piece *lead = g->piece[0];
    const ops_piece *way[NATIVE_SOURCES], *best_way[NATIVE_SOURCES];
    native_job job = start(lead, NATIVE_SHUFFLE);
    native_shuffle s;
    origin of[NATIVE_WINDOW];
    const ops_dim *dim = &lead->dim[g->outer - 1];
    double best = -1;
    find_origins(g, value, of);
    job.out = g->out;
    s.n = dim->n;
    s.period = g->period;
    int64_t most = set->window / g->period;
    for (int64_t take = most < dim->n ? most : dim->n; take > 0;
         take = take > 4 ? take * 3 / 4 : take - 1) {
        for (unsigned line = 1; line <= set->window; line *= set->window) {
            if (!find_windows(g, of, take, set->window, line, &s, way))
                continue;
            double cost = shuffle_cost(&s, set->window);
            if (best < 0 || cost < best) {
                best = cost;
                job.shuffle = s;
                memcpy(best_way, way, sizeof way);
            }
        }
    }
    job.cost = best;
    if (best < 0)
        return job;
    for (unsigned d = 0; d + 1 < g->outer; d++) {
        job.loop[job.rank] = loop_of(&lead->dim[d]);
        for (unsigned i = 0; i < job.shuffle.sources; i++)
            job.loop[job.rank].in[i] = best_way[i]->dim[d].in;
        job.rank++;
    }
    widen_rows(&job, set->window);
    job.cost = job.cost * turns(&job) + calls(&job) * (2 * TURN + 2 * job.shuffle.sources);
    return job;
}

static double bytes_of(const ops_piece *piece, unsigned element)
{
    return (double)ztl_ops_elements(piece) * element;
}

/* The best group of a piece: its job costs the same part of what its pieces would cost alone. */
static bool best_group(const native_set *set, const ops_map *map, const bool *used, size_t first,
                       const uint8_t *value, group *found, native_job *job)
{
    const ops_piece *lead = &map->piece[first];
    double best = -1;
    for (unsigned d = lead->rank; d-- > 0;) {
        group g;
        if (lead->dim[d].out > set->window)
            break;
        if (!find_group(map, used, first, lead->dim[d].out, &g))
            continue;
        native_job other = shuffle_job(set, &g, value);
        double bytes = 0;
        for (unsigned i = 0; i < g.pieces; i++)
            bytes += bytes_of(g.piece[i], map->element);
        if (other.cost >= 0 && (best < 0 || other.cost / bytes < best)) {
            best = other.cost / bytes;
            *found = g;
            *job = other;
        }
    }
    return best >= 0;
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
        for (size_t k = i + 1; k < map->count && k < i + GROUP; k++)
            used[k] = used[k] || join_fill(&map->piece[i], &map->piece[k]);
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
        group g = {.pieces = 0};
        native_job grouped;
        double cost = 0;
        if (used[i])
            continue;
        job[count] = ztl_native_alone(set, &map->piece[i], map->element, value);
        used[i] = true;
        if (best_group(set, map, used, i, value, &g, &grouped)) {
            for (unsigned k = 0; k < g.pieces; k++)
                cost += alone(set, g.piece[k], map->element).cost;
            for (unsigned k = 0; k < g.pieces && grouped.cost < cost; k++)
                used[g.piece[k] - map->piece] = true;
            if (grouped.cost < cost)
                job[count] = grouped;
        }
        count++;
    }
    return count;
}
