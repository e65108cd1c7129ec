/* SPDX-License-Identifier: Apache-2.0
 * Blocks: so many elements that source and target both have long runs of them. All windows of a
 * block are loaded once, and each vector of the target picks its bytes from all of them: channels
 * that come apart or together, small matrices in many dimensions.
 */
#include "movers/job.h"

enum {
    LINE = NATIVE_WINDOW,
    OPTIONS = 24,
    MOST_RUN = NATIVE_BLOCK_SOURCES * LINE,
    MOST_ELEMENTS = NATIVE_BLOCK_TARGETS * LINE,
    APART = -1 /* a step that nothing continues: pieces of different buffers */
};

/* Pieces with the same loops; the last dimension counts the pieces. */
typedef struct nest {
    const ops_piece *piece;
    unsigned pieces, rank, element;
    ops_dim dim[OPS_DIMS + 1];
} nest;

/* How many positions of each dimension are inside a block. */
typedef struct choice {
    int64_t inside[OPS_DIMS + 1];
} choice;

static int64_t step_of(const ops_dim *dim, bool target)
{
    return target ? dim->out : dim->in;
}

static bool same_loops(const ops_piece *a, const ops_piece *b)
{
    return a->rank == b->rank && a->src != OPS_FILL && b->src != OPS_FILL &&
           !memcmp(a->dim, b->dim, a->rank * sizeof a->dim[0]);
}

/* The step from each piece to the next, if it is always the same. */
static int64_t piece_step(const nest *x, bool target)
{
    const ops_piece *p = x->piece;
    const int64_t step = x->pieces < 2 ? 0 : target ? p[1].out - p[0].out : p[1].in - p[0].in;
    for (unsigned i = 1; i < x->pieces; i++)
        if ((target ? p[i].dst != p[0].dst || p[i].out - p[i - 1].out != step
                    : p[i].src != p[0].src || p[i].in - p[i - 1].in != step) ||
            step <= 0)
            return APART;
    return step;
}

static nest find_nest(const ops_piece *piece, unsigned pieces, unsigned element)
{
    nest x = {.piece = piece, .pieces = pieces, .rank = piece->rank, .element = element};
    memcpy(x.dim, piece->dim, piece->rank * sizeof x.dim[0]);
    x.dim[x.rank++] = (ops_dim){pieces, piece_step(&x, false), piece_step(&x, true)};
    return x;
}

/* The dimension that goes on where a run of bytes ends; the rank if none does. */
static unsigned next_of(const nest *x, bool target, int64_t run, uint32_t used)
{
    unsigned d = 0;
    while (d < x->rank && (used >> d & 1 || x->dim[d].n < 2 || step_of(&x->dim[d], target) != run))
        d++;
    return d;
}

/* Ways to take runs of one side: whole dimensions, and of the last one whole or so many that they
 * fill vectors. The first way takes none. */
static unsigned list_options(const nest *x, bool target, choice *list)
{
    unsigned count = 0;
    int64_t run = x->element;
    choice now;
    uint32_t used = 0;
    for (unsigned d = 0; d < x->rank; d++)
        now.inside[d] = d + 1 == x->rank ? x->pieces : 1;
    list[count++] = now;
    for (unsigned d; (d = next_of(x, target, run, used)) < x->rank;) {
        const int64_t n = x->dim[d].n,
                      parts[] = {LINE / run, 2 * LINE / run, LINE / ztl_ops_gcd(LINE, run)};
        for (unsigned i = 0; i < 3 && d + 1 < x->rank; i++)
            if (parts[i] > 1 && parts[i] < n && run * parts[i] <= MOST_RUN && count < OPTIONS) {
                list[count] = now;
                list[count++].inside[d] = parts[i];
            }
        if (run * n > MOST_RUN || count == OPTIONS)
            break;
        now.inside[d] = n;
        used |= UINT32_C(1) << d;
        run *= n;
        list[count++] = now;
    }
    return count;
}

/* The bytes of one run of a block, and which dimensions are in it. */
static int64_t run_of(const nest *x, const choice *c, bool target, uint32_t *used)
{
    int64_t run = x->element;
    *used = 0;
    for (unsigned d; (d = next_of(x, target, run, *used)) < x->rank;) {
        run *= c->inside[d];
        *used |= UINT32_C(1) << d;
        if (c->inside[d] < x->dim[d].n)
            break;
    }
    return run;
}

/* How many vectors a block has on one side: those of the source may have gaps. */
static int64_t vectors_of(const nest *x, const choice *c, bool target)
{
    uint32_t used;
    unsigned near = x->rank;
    const int64_t run = run_of(x, c, target, &used);
    int64_t runs = 1;
    for (unsigned d = 0; d < x->rank; d++) {
        const int64_t step = step_of(&x->dim[d], target);
        if (used >> d & 1 || !step || c->inside[d] < 2)
            continue;
        runs *= c->inside[d];
        if (!target && step > 0 && (near == x->rank || step < x->dim[near].in))
            near = d;
    }
    int64_t vectors = runs * ops_ceil(run, LINE);
    if (near < x->rank) {
        const int64_t n = c->inside[near], span = (n - 1) * x->dim[near].in + run;
        const int64_t with_gaps = runs / n * ops_ceil(span, LINE);
        vectors = with_gaps < vectors ? with_gaps : vectors;
    }
    return vectors;
}

/* The dimension along which blocks make a row: the one that they do not divide, else the innermost
 * of the target; the rank if there is none, and one more if there are too many. */
static unsigned row_of(const nest *x, const choice *c)
{
    unsigned row = x->rank, odd = 0;
    for (unsigned d = 0; d < x->rank; d++) {
        if (c->inside[d] < x->dim[d].n && !odd)
            row = d;
        if (x->dim[d].n % c->inside[d]) {
            row = d;
            odd++;
        }
    }
    return odd > 1 ? x->rank + 1 : row;
}

/* In cycles, roughly: loads, permutes of two windows at a time, and blends. */
static double cost_of(const nest *x, const choice *c)
{
    const unsigned row = row_of(x, c);
    uint32_t used;
    const int64_t s = vectors_of(x, c, false), t = vectors_of(x, c, true);
    double blocks = 1, rows = 1;
    if (row > x->rank || s > NATIVE_BLOCK_SOURCES || t > NATIVE_BLOCK_TARGETS)
        return -1;
    for (unsigned d = 0; d < x->rank; d++) {
        const double steps = (double)ops_ceil(x->dim[d].n, c->inside[d]);
        blocks *= steps;
        rows *= d == row ? 1 : steps;
    }
    const double pairs = (double)ops_ceil(s, 2),
                 crossing = run_of(x, c, false, &used) % LINE || run_of(x, c, true, &used) % LINE;
    const double moved = 4.2 * (double)(s > t ? s : t); /* from the second cache and back */
    double each = (double)s + (double)t * pairs * 1.15 + 2;
    if (t <= native_few((unsigned)s))
        each = (each > moved ? each : moved) * (crossing ? 1.15 : 1);
    else /* loads of picks, and of masks of blends, come before stores */
        each += (double)t * ((pairs - 1) * 0.6 + 2) + crossing * 0.5 * (double)(s + t);
    return blocks * each + rows * 10 + 40;
}

static double best_choice(const nest *x, choice *best)
{
    choice in[OPTIONS], out[OPTIONS];
    const unsigned ins = list_options(x, false, in), outs = list_options(x, true, out);
    double least = -1;
    for (unsigned i = 0; i < ins; i++)
        for (unsigned k = 0; k < outs; k++) {
            choice c;
            for (unsigned d = 0; d < x->rank; d++)
                c.inside[d] =
                    in[i].inside[d] > out[k].inside[d] ? in[i].inside[d] : out[k].inside[d];
            double cost = cost_of(x, &c);
            if (cost >= 0 && (least < 0 || cost < least)) {
                least = cost;
                *best = c;
            }
        }
    return least;
}

/* An element of a block: in which buffer, and where. */
typedef struct place {
    unsigned buffer;
    int64_t at;
} place;

static place place_of(const native_block *b, unsigned piece, int64_t offset, bool target)
{
    const native_window *w = target ? &b->to[piece] : &b->from[piece];
    return (place){w->buffer, w->at + offset};
}

/* Goes to the next element; false after the last. */
static bool next_element(const native_block *b, int64_t *at, int64_t *in, int64_t *out)
{
    for (unsigned d = b->rank; d-- > 0;) {
        const ops_dim *dim = &b->dim[d];
        bool more = ++at[d] < dim->n;
        *in += more ? dim->in : (1 - dim->n) * dim->in;
        *out += more ? dim->out : (1 - dim->n) * dim->out;
        at[d] = more ? at[d] : 0;
        if (more)
            return true;
    }
    return false;
}

static bool is_before(place a, place b)
{
    return a.buffer != b.buffer ? a.buffer < b.buffer : a.at < b.at;
}

static void add_place(place *list, unsigned *count, place one)
{
    unsigned i = (*count)++;
    for (; i > 0 && is_before(one, list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = one;
}

/* The loops of a block, those with the largest steps of one side outermost: then most places come
 * in order. */
static native_block in_order(const native_block *b, bool target)
{
    native_block sorted = *b;
    for (unsigned i = 1; i < b->rank; i++)
        for (unsigned k = i;
             k > 0 && step_of(&sorted.dim[k - 1], target) < step_of(&sorted.dim[k], target); k--) {
            const ops_dim swap = sorted.dim[k];
            sorted.dim[k] = sorted.dim[k - 1];
            sorted.dim[k - 1] = swap;
        }
    return sorted;
}

/* The places of all elements of one side, in order. Pieces of one buffer come side by side. */
static unsigned list_places(const native_block *block, bool target, place *list)
{
    const native_block b = in_order(block, target);
    const native_window *w = target ? b.to : b.from;
    const bool apart = w[b.pieces - 1].buffer != w[0].buffer;
    unsigned count = 0;
    for (unsigned first = 0; first < b.pieces; first += apart ? 1 : b.pieces) {
        int64_t at[OPS_DIMS] = {0}, in = 0, out = 0;
        do
            for (unsigned p = first; p < (apart ? first + 1 : b.pieces); p++)
                add_place(list, &count, place_of(&b, p, target ? out : in, target));
        while (next_element(&b, at, &in, &out));
    }
    return count;
}

/* Windows over places: those of the target have no gaps. Returns how many, or 0 if too many. */
static unsigned find_windows(const native_block *b, bool target, native_window *w)
{
    place list[MOST_ELEMENTS];
    const unsigned count = list_places(b, target, list);
    const unsigned most = target ? NATIVE_BLOCK_TARGETS : NATIVE_BLOCK_SOURCES;
    unsigned windows = 0;
    for (unsigned i = 0; i < count; i++) {
        native_window *last = windows ? &w[windows - 1] : NULL;
        const int64_t reach = last ? list[i].at + b->element - last->at : 0;
        if (last && list[i].buffer == last->buffer && reach <= LINE &&
            (!target || reach <= last->length + b->element)) {
            last->length = reach > last->length ? reach : last->length;
            continue;
        }
        if (windows == most)
            return 0;
        w[windows++] = (native_window){list[i].buffer, list[i].at, b->element};
    }
    return windows;
}

static void whole_first(native_window *w, unsigned windows)
{
    for (unsigned i = 0, whole = 0; i < windows; i++)
        if (w[i].length == LINE) {
            const native_window swap = w[i];
            w[i] = w[whole];
            w[whole++] = swap;
        }
}

static void add_inside(native_block *b, const nest *x, const choice *c)
{
    for (unsigned d = 0; d + 1 < x->rank; d++)
        if (c->inside[d] > 1)
            b->dim[b->rank++] = (ops_dim){c->inside[d], x->dim[d].in, x->dim[d].out};
    for (unsigned p = 0; p < x->pieces; p++) {
        b->from[p] = (native_window){x->piece[p].src, x->piece[p].in, 0};
        b->to[p] = (native_window){x->piece[p].dst, x->piece[p].out, 0};
    }
}

native_job ztl_native_block(const ops_piece *piece, unsigned pieces, unsigned element)
{
    const nest x = find_nest(piece, pieces, element);
    native_job job = {.kind = NATIVE_BLOCK, .src = piece->src, .dst = piece->dst};
    native_block *b = &job.block;
    choice c;
    job.cost = best_choice(&x, &c);
    if (job.cost < 0)
        return job;
    *b = (native_block){.pieces = pieces, .element = element, .n = 1, .take = 1};
    add_inside(b, &x, &c);
    const unsigned row = row_of(&x, &c);
    for (unsigned d = 0; d + 1 < x.rank; d++) {
        const ops_dim *dim = &x.dim[d];
        if (d == row) {
            b->n = dim->n;
            b->take = c.inside[d];
            b->in = dim->in;
            b->out = dim->out;
        } else if (c.inside[d] < dim->n) {
            native_loop *loop = &job.loop[job.rank++];
            *loop = (native_loop){.n = dim->n / c.inside[d], .out = dim->out * c.inside[d]};
            loop->in[0] = dim->in * c.inside[d];
        }
    }
    b->sources = find_windows(b, false, b->source);
    b->targets = find_windows(b, true, b->target);
    whole_first(b->target, b->targets);
    if (!b->sources || !b->targets)
        job.cost = -1;
    return job;
}

unsigned ztl_native_alike(const ops_map *map, const bool *used, size_t first)
{
    unsigned count = 1;
    while (count < NATIVE_BLOCK_PIECES && first + count < map->count && !used[first + count] &&
           same_loops(&map->piece[first], &map->piece[first + count]))
        count++;
    return count;
}

/* Tables: indices of bytes for each target and pair of sources, then masks. */
static unsigned pairs_of(const native_block *b)
{
    return (b->sources + 1) / 2;
}

int64_t ztl_native_block_words(const native_block *b)
{
    const int64_t cells = (int64_t)b->targets * pairs_of(b);
    return cells * (LINE / 8) + ops_ceil(cells, 8) * 8;
}

static unsigned window_of(const native_window *w, unsigned windows, place p)
{
    unsigned i = 0;
    while (i + 1 < windows &&
           (w[i].buffer != p.buffer || p.at < w[i].at || p.at >= w[i].at + w[i].length))
        i++;
    return i;
}

static void set_picks(native_block *b, uint8_t *picks, uint64_t *masks, place from, place to)
{
    const unsigned s = window_of(b->source, b->sources, from);
    const unsigned t = window_of(b->target, b->targets, to);
    const unsigned cell = t * pairs_of(b) + s / 2;
    const int64_t source = from.at - b->source[s].at + (s % 2 ? LINE : 0);
    const int64_t target = to.at - b->target[t].at;
    for (unsigned k = 0; k < b->element; k++) {
        picks[cell * LINE + target + k] = (uint8_t)(source + k);
        masks[cell] |= UINT64_C(1) << (target + k);
    }
}

void ztl_native_block_list(native_block *b, int64_t *words)
{
    int64_t at[OPS_DIMS] = {0}, in = 0, out = 0;
    uint8_t *picks = (uint8_t *)words;
    uint64_t *masks = (uint64_t *)words + (int64_t)b->targets * pairs_of(b) * (LINE / 8);
    memset(words, 0, (size_t)ztl_native_block_words(b) * sizeof *words);
    do
        for (unsigned p = 0; p < b->pieces; p++)
            set_picks(b, picks, masks, place_of(b, p, in, false), place_of(b, p, out, true));
    while (next_element(b, at, &in, &out));
    b->pick = picks;
    b->mask = masks;
}
