/* SPDX-License-Identifier: Apache-2.0
 * Shuffles: periods of a target that bytes of short windows make up, of one piece or of several.
 */
#include "movers/build.h"

/* Of a shuffle, in cycles, roughly: a window within a line of the cache, one that crosses lines,
 * and a line from the second cache. */
static const double load_cost = 0.5, crossing_cost = 1, line_cost = 1.7;

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
static bool find_group(const ops_map *map, const bool *used, size_t first, int64_t period,
                       native_group *g)
{
    const ops_piece *lead = &map->piece[first];
    int64_t low = lead->out, high = lead->out, bytes = 0, reach;
    *g = (native_group){
        .element = map->element, .period = period, .outer = outer_dims(lead, period)};
    for (size_t i = first; i < map->count && i < first + NATIVE_GROUP && bytes < period; i++) {
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

static void find_origins(const native_group *g, const uint8_t *value, origin *of)
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

static bool comes_before(const native_group *g, const need *a, const need *b)
{
    if (same_way(a->piece, b->piece, g->outer))
        return a->in < b->in;
    return a->piece < b->piece;
}

/* What `take` periods need of inputs, in the order of addresses. */
static unsigned list_needs(const native_group *g, const origin *of, int64_t take, need *list)
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
static int64_t window_start(const native_group *g, const need *n, int64_t line)
{
    const ops_piece *p = n->piece;
    int64_t start = n->in - (n->in & (line - 1)), least = start;
    for (unsigned d = 0; d < g->outer; d++)
        least += p->dim[d].in < 0 ? (p->dim[d].n - 1) * p->dim[d].in : 0;
    return least < 0 ? n->in : start;
}

/* Windows for `take` periods at once, each from the first byte on that none before it has, or from
 * the start of that byte's line; false if there are too many. */
static bool find_windows(const native_group *g, const origin *of, int64_t take, unsigned window,
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

/* How much of a line of the cache a window brings that neither the last step nor the window before
 * it had. */
static double new_lines(const native_shuffle *s, unsigned i)
{
    const native_source *w = &s->source[i];
    const int64_t step = ops_magnitude(s->take * w->step);
    int64_t bytes = w->length > NATIVE_WINDOW / 2 ? w->length : NATIVE_WINDOW / 2;
    bytes = step < bytes ? step : bytes;
    if (i > 0 && w->src == w[-1].src && w->in - w[-1].in < bytes)
        bytes = w->in - w[-1].in;
    return bytes < NATIVE_WINDOW ? (double)bytes / NATIVE_WINDOW : 1;
}

static double shuffle_cost(const native_shuffle *s, unsigned window)
{
    const int64_t stored = s->take * s->period;
    /* Few picks stay in registers together with their windows. */
    const double times = s->sources <= 4 ? 1 : s->sources <= 8 ? 2 : 6;
    double each = (double)window / 32 + (stored % window ? 0.5 : 0);
    for (unsigned i = 0; i < s->sources; i++) {
        const native_source *w = &s->source[i];
        bool crosses = w->length > window / 2 && (w->in % window || s->take * w->step % window);
        each += (crosses ? crossing_cost : load_cost) * times + line_cost * new_lines(s, i);
    }
    return (double)ops_ceil(s->n, s->take) * each + 2 * s->sources; /* and the start of a row */
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

/* How often a shuffle starts anew: its rows are the innermost loop. */
static double calls(const native_job *job)
{
    return native_turns_of(job, job->rank ? job->rank - 1 : 0);
}

static native_job shuffle_job(const native_set *set, const native_group *g, const uint8_t *value)
{
    const ops_piece *lead = g->piece[0];
    const ops_piece *way[NATIVE_SOURCES], *best_way[NATIVE_SOURCES];
    native_job job = native_start(lead, NATIVE_SHUFFLE);
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
        job.loop[job.rank] = native_loop_of(&lead->dim[d]);
        for (unsigned i = 0; i < job.shuffle.sources; i++)
            job.loop[job.rank].in[i] = best_way[i]->dim[d].in;
        job.rank++;
    }
    widen_rows(&job, set->window);
    job.cost =
        job.cost * native_turns(&job) + calls(&job) * (2 * NATIVE_TURN + 2 * job.shuffle.sources);
    return job;
}

bool ztl_native_best_group(const native_set *set, const ops_map *map, const bool *used,
                           size_t first, const uint8_t *value, native_group *found, native_job *job)
{
    const ops_piece *lead = &map->piece[first];
    double best = -1;
    for (unsigned d = lead->rank; d-- > 0;) {
        native_group g;
        if (lead->dim[d].out > set->window)
            break;
        if (!find_group(map, used, first, lead->dim[d].out, &g))
            continue;
        native_job other = shuffle_job(set, &g, value);
        double bytes = 0;
        for (unsigned i = 0; i < g.pieces; i++)
            bytes += native_bytes_of(g.piece[i], map->element);
        if (other.cost >= 0 && (best < 0 || other.cost / bytes < best)) {
            best = other.cost / bytes;
            *found = g;
            *job = other;
        }
    }
    return best >= 0;
}
