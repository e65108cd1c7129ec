/* SPDX-License-Identifier: Apache-2.0
 * Shuffles, for the includer's vectors: it defines `vector`, VECTOR, load, load_short (half a
 * vector), load_exact, store, store_exact, both, and what `picks` one window: prepared makes it,
 * picked uses it.
 */

/* What the rows of a shuffle share, and where the next of them starts. */
typedef struct shuffling {
    picks pick[NATIVE_SOURCES];
    vector fixed;
    int64_t step[NATIVE_SOURCES], length[NATIVE_SOURCES], turn[NATIVE_SOURCES];
    int64_t last[NATIVE_SOURCES]; /* the window of a row's last step, from the first one's on */
    int64_t n, take, period, stored, whole, out;
    unsigned sources;
    const uint8_t *limit, *end[NATIVE_SOURCES], *at[NATIVE_SOURCES];
    uint8_t *to;
} shuffling;

/* Rows whose steps from the first-th on may load whole vectors, and up to `full` may store them;
 * `ends`: a last step overlaps the one before. */
typedef struct stretch {
    int64_t rows, first, full, steps;
    bool ends, end_is_full;
} stretch;

INLINE vector load_window(bool small, const uint8_t *at)
{
    return small ? load_short(at) : load(at);
}

/* Only bytes that are there are read, and nothing is written behind the limit. */
static void careful_step(const shuffling *c, int64_t period)
{
    vector v = c->fixed;
    uint8_t *to = c->to + period * c->period;
    for (unsigned i = 0; i < c->sources; i++) {
        const uint8_t *at = c->at[i] + period * c->step[i];
        v = both(v, picked(&c->pick[i],
                           c->end[i] - at >= VECTOR ? load(at) : load_exact(at, c->length[i])));
    }
    if (c->limit - to >= VECTOR)
        store(to, v);
    else
        store_exact(to, v, c->stored);
}

/* `sources` is a constant wherever this is inlined, and so is `small`: no window has more than half
 * a vector. Everything is copied, as a store could change what is behind a pointer. */
INLINE void quick_rows(const shuffling *c, const stretch *r, unsigned sources, bool small)
{
    picks pick[NATIVE_SOURCES];
    const uint8_t *start[NATIVE_SOURCES], *at[NATIVE_SOURCES];
    int64_t step[NATIVE_SOURCES];
    const vector fixed = c->fixed;
    const int64_t stored = c->stored, out = c->out, full = r->full, steps = r->steps;
    uint8_t *row = c->to + r->first * stored, *end = c->to + (c->n - c->take) * c->period;
    UNROLL for (unsigned i = 0; i < sources; i++)
    {
        pick[i] = c->pick[i];
        step[i] = c->step[i] * c->take;
        start[i] = c->at[i] + r->first * step[i];
    }
    for (int64_t k = 0; k < r->rows; k++, row += out, end += out) {
        uint8_t *to = row;
        UNROLL for (unsigned i = 0; i < sources; i++) at[i] = start[i];
        for (int64_t s = 0; s < steps; s++, to += stored) {
            vector v = fixed;
            UNROLL for (unsigned i = 0; i < sources; i++)
            {
                v = both(v, picked(&pick[i], load_window(small, at[i])));
                at[i] += step[i];
            }
            if (s < full)
                store(to, v);
            else
                store_exact(to, v, stored);
        }
        if (r->ends) {
            vector v = fixed;
            UNROLL for (unsigned i = 0; i < sources; i++) v =
                both(v, picked(&pick[i], load_window(small, start[i] + c->last[i])));
            if (r->end_is_full)
                store(end, v);
            else
                store_exact(end, v, stored);
        }
        UNROLL for (unsigned i = 0; i < sources; i++) start[i] += c->turn[i];
    }
}

#define QUICK(sources)                                                                             \
    static void quick##sources(const shuffling *c, const stretch *r)                               \
    {                                                                                              \
        quick_rows(c, r, sources, false);                                                          \
    }                                                                                              \
    static void short##sources(const shuffling *c, const stretch *r)                               \
    {                                                                                              \
        quick_rows(c, r, sources, true);                                                           \
    }
QUICK(0)
QUICK(1)
QUICK(2)
QUICK(3)
QUICK(4)
QUICK(5)
QUICK(6)
QUICK(7)
QUICK(8)

/* So many sources that their windows would not stay in registers. */
static void quick_many(const shuffling *c, const stretch *r)
{
    for (int64_t k = 0; k < r->rows; k++)
        for (int64_t s = 0; s < r->steps + r->ends; s++) {
            const bool whole = s < r->steps, full = whole ? s < r->full : r->end_is_full;
            const int64_t period = whole ? (r->first + s) * c->take : c->n - c->take;
            uint8_t *to = c->to + k * c->out + period * c->period;
            vector v = c->fixed;
            for (unsigned i = 0; i < c->sources; i++)
                v = both(
                    v, picked(&c->pick[i], load(c->at[i] + k * c->turn[i] + period * c->step[i])));
            if (full)
                store(to, v);
            else
                store_exact(to, v, c->stored);
        }
}

typedef void quick_function(const shuffling *c, const stretch *r);

static quick_function *quick_of(unsigned sources, bool small)
{
    static quick_function *const quick[][2] = {
        {quick0, short0}, {quick1, short1}, {quick2, short2}, {quick3, short3}, {quick4, short4},
        {quick5, short5}, {quick6, short6}, {quick7, short7}, {quick8, short8}};
    return sources < sizeof quick / sizeof quick[0] ? quick[sources][small] : quick_many;
}

/* How many of `rows` are within the room that the first leaves. */
INLINE int64_t rows_within(int64_t room, int64_t step, int64_t rows)
{
    if (room < 0)
        return 0;
    return step <= 0 || (rows - 1) * step <= room ? rows : room / step + 1;
}

/* How many rows, from the first on, may load and, up to a limit, store whole vectors. */
static int64_t safe_rows(const shuffling *c, bool apart, int64_t rows)
{
    if (!apart)
        rows = rows_within(c->limit - c->to - (c->n - c->take) * c->period - VECTOR, c->out, rows);
    for (unsigned i = 0; i < c->sources; i++) {
        int64_t reach = (c->last[i] > 0 ? c->last[i] : 0) + VECTOR;
        rows = rows_within(c->end[i] - c->at[i] - reach, c->turn[i], rows);
    }
    return rows;
}

/* The steps of a row that may load whole vectors: from *first up to the result. */
static int64_t safe_steps(const shuffling *c, int64_t *first)
{
    int64_t last = c->whole;
    *first = 0;
    for (unsigned i = 0; i < c->sources; i++) {
        const int64_t step = c->step[i] * c->take, room = c->end[i] - c->at[i] - VECTOR;
        if (step > 0 || (step == 0 && room < 0)) {
            int64_t most = room < 0 ? 0 : step ? room / step + 1 : last;
            last = most < last ? most : last;
        } else if (room < 0) {
            int64_t least = (-room - step - 1) / -step;
            *first = least > *first ? least : *first;
        }
    }
    *first = *first < c->whole ? *first : c->whole;
    return last < *first ? *first : last;
}

/* How many steps of a row may store whole vectors. */
static int64_t full_steps(const shuffling *c)
{
    const int64_t room = c->limit - c->to;
    return room < VECTOR ? 0 : (room - VECTOR) / c->stored + 1;
}

static void skip_rows(shuffling *c, int64_t rows)
{
    c->to += rows * c->out;
    for (unsigned i = 0; i < c->sources; i++)
        c->at[i] += rows * c->turn[i];
}

static void one_row(const shuffling *c, quick_function *quick)
{
    stretch r = {.rows = 1};
    const int64_t last = safe_steps(c, &r.first);
    for (int64_t k = 0; k < r.first; k++)
        careful_step(c, k * c->take);
    r.full = full_steps(c) - r.first;
    r.steps = last - r.first;
    quick(c, &r);
    for (int64_t k = last; k < c->whole; k++)
        careful_step(c, k * c->take);
    if (c->whole * c->take < c->n)
        careful_step(c, c->n - c->take);
}

/* The rows of a loop, from where `c` is on. */
static void all_rows(shuffling *c, quick_function *quick, int64_t rows, const uint8_t *limit)
{
    c->limit = limit ? limit : c->to + c->n * c->period;
    const int64_t safe = safe_rows(c, !limit, rows);
    if (safe) {
        const int64_t full = limit ? c->whole : full_steps(c);
        const bool ends = c->whole * c->take < c->n;
        quick(c, &(stretch){safe, 0, full, c->whole, ends, limit || c->stored == VECTOR});
        skip_rows(c, safe);
    }
    for (int64_t k = safe; k < rows; k++, skip_rows(c, 1)) {
        c->limit = limit ? limit : c->to + c->n * c->period;
        one_row(c, quick);
    }
}

static void shuffle(const native_shuffle *s, const native_loop *outer, const native_loop *rows,
                    uint8_t *to, const uint8_t *limit, int64_t limit_step,
                    const uint8_t *const *from, const uint8_t *const *end)
{
    shuffling c; /* set one by one: clearing it all would take as long as a short row */
    bool small = true;
    c.fixed = load(s->fixed);
    c.sources = s->sources;
    c.n = s->n;
    c.take = s->take;
    c.period = s->period;
    c.stored = s->take * s->period;
    c.whole = s->n / s->take;
    c.out = rows->out;
    for (unsigned i = 0; i < s->sources; i++) {
        c.pick[i] = prepared(s->source[i].pick);
        c.step[i] = s->source[i].step;
        c.length[i] = s->source[i].length;
        c.last[i] = (s->n - s->take) * c.step[i];
        c.turn[i] = rows->in[i];
        c.end[i] = end[i];
        small = small && s->source[i].length <= VECTOR / 2;
    }
    quick_function *quick = quick_of(s->sources, small);
    for (int64_t j = 0; j < outer->n; j++) {
        c.to = to + j * outer->out;
        for (unsigned i = 0; i < s->sources; i++)
            c.at[i] = from[i] + j * outer->in[i];
        all_rows(&c, quick, rows->n, limit ? limit + j * limit_step : NULL);
    }
}
