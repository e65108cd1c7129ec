/* SPDX-License-Identifier: Apache-2.0
 * Blocks by permutes of two vectors at a time.
 */

/* Where blocks are, and which bytes of them. Whole targets come first. */
typedef struct blocking {
    const uint8_t *from[NATIVE_BLOCK_SOURCES];
    uint8_t *to[NATIVE_BLOCK_TARGETS];
    __mmask64 load[NATIVE_BLOCK_SOURCES], store[NATIVE_BLOCK_TARGETS];
    const uint8_t *pick;
    const uint64_t *mask;
    unsigned targets, whole;
    int64_t room; /* up to this offset, all windows may be loaded whole */
} blocking;

/* One target; `sources` is a constant wherever this is inlined. */
INLINE vector one_target(const vector *x, const vector *pick, const uint64_t *mask,
                         unsigned sources)
{
    vector v = sources == 1 ? _mm512_permutexvar_epi8(pick[0], x[0])
                            : _mm512_permutex2var_epi8(x[0], pick[0], x[1]);
    UNROLL for (unsigned p = 1; p < (sources + 1) / 2; p++) v =
        2 * p + 1 < sources
            ? _mm512_mask_mov_epi8(v, mask[p],
                                   _mm512_permutex2var_epi8(x[2 * p], pick[p], x[2 * p + 1]))
            : _mm512_mask_permutexvar_epi8(v, mask[p], pick[p], x[2 * p]);
    return v;
}

INLINE void load_sources(const blocking *b, int64_t in, unsigned sources, bool exact, vector *x)
{
    UNROLL for (unsigned i = 0; i < sources; i++) x[i] =
        exact ? _mm512_maskz_loadu_epi8(b->load[i], b->from[i] + in) : load(b->from[i] + in);
}

/* A block with any number of targets, whose picks are loaded for each. */
INLINE void one_block(const blocking *b, int64_t in, int64_t out, unsigned sources, bool exact)
{
    const unsigned pairs = (sources + 1) / 2;
    const uint8_t *at = b->pick;
    const uint64_t *mask = b->mask;
    vector x[NATIVE_BLOCK_SOURCES], pick[NATIVE_BLOCK_SOURCES / 2];
    load_sources(b, in, sources, exact, x);
    for (unsigned t = 0; t < b->targets; t++, at += pairs * VECTOR, mask += pairs) {
        UNROLL for (unsigned p = 0; p < pairs; p++) pick[p] = load(at + p * VECTOR);
        const vector v = one_target(x, pick, mask, sources);
        if (t < b->whole)
            store(b->to[t] + out, v);
        else
            _mm512_mask_storeu_epi8(b->to[t] + out, b->store[t], v);
    }
}

/* Does something with every block: `in` and `out` are where it is. The last one of a row overlaps
 * the one before if it must. */
#define EACH_BLOCK(DO)                                                                             \
    for (int64_t j = 0; j < outer->n; j++)                                                         \
        for (int64_t i = 0; i < rows->n; i++) {                                                    \
            int64_t in = j * outer->in[0] + i * rows->in[0], out = j * outer->out + i * rows->out; \
            const int64_t in_end = in + (s->n - s->take) * s->in;                                  \
            const int64_t out_end = out + (s->n - s->take) * s->out;                               \
            const bool exact = (in_end > in ? in_end : in) > b->room;                              \
            for (int64_t k = s->n / s->take; k > 0; k--, in += step_in, out += step_out) {         \
                DO;                                                                                \
            }                                                                                      \
            if (s->n % s->take) {                                                                  \
                in = in_end;                                                                       \
                out = out_end;                                                                     \
                DO;                                                                                \
            }                                                                                      \
        }

INLINE void many_targets(const blocking *b, const native_block *s, const native_loop *outer,
                         const native_loop *rows, unsigned sources)
{
    const int64_t step_in = s->take * s->in, step_out = s->take * s->out;
    EACH_BLOCK(if (exact) one_block(b, in, out, sources, true);
               else one_block(b, in, out, sources, false))
}

/* Few targets, whose picks stay in registers beside the sources. */
INLINE void few_targets(const blocking *blocks, const native_block *s, const native_loop *outer,
                        const native_loop *rows, unsigned sources)
{
    enum { MOST = 8 };
    const blocking copy = *blocks, *b = &copy; /* a store could change what is behind a pointer */
    const unsigned pairs = (sources + 1) / 2, few = native_few(sources);
    const unsigned targets = b->targets, whole = b->whole;
    const int64_t step_in = s->take * s->in, step_out = s->take * s->out;
    vector pick[MOST][MOST / 2];
    uint64_t mask[MOST][MOST / 2];
    UNROLL for (unsigned t = 0; t < few; t++)
    {
        const unsigned known = t < targets ? t : 0;
        UNROLL for (unsigned p = 0; p < pairs; p++)
        {
            pick[t][p] = load(b->pick + (known * pairs + p) * VECTOR);
            mask[t][p] = b->mask[known * pairs + p];
        }
    }
    EACH_BLOCK(vector x[MOST]; if (exact) load_sources(b, in, sources, true, x);
               else load_sources(b, in, sources, false, x);
               UNROLL for (unsigned t = 0; t < few; t++) {
                   if (t >= targets)
                       break;
                   const vector v = one_target(x, pick[t], mask[t], sources);
                   if (t < whole)
                       store(b->to[t] + out, v);
                   else
                       _mm512_mask_storeu_epi8(b->to[t] + out, b->store[t], v);
               })
}

#define PERMUTE_MANY(sources)                                                                      \
    static void permute##sources(const blocking *b, const native_block *s,                         \
                                 const native_loop *outer, const native_loop *rows)                \
    {                                                                                              \
        many_targets(b, s, outer, rows, sources);                                                  \
    }
#define PERMUTE(sources)                                                                           \
    static void permute##sources(const blocking *b, const native_block *s,                         \
                                 const native_loop *outer, const native_loop *rows)                \
    {                                                                                              \
        if (b->targets <= native_few(sources))                                                     \
            few_targets(b, s, outer, rows, sources);                                               \
        else                                                                                       \
            many_targets(b, s, outer, rows, sources);                                              \
    }
PERMUTE_MANY(1)
PERMUTE(2)
PERMUTE(3)
PERMUTE(4)
PERMUTE(5)
PERMUTE(6)
PERMUTE(7)
PERMUTE(8)
PERMUTE_MANY(9)
PERMUTE_MANY(10)
PERMUTE_MANY(11)
PERMUTE_MANY(12)

static void block(const native_block *s, const native_loop *outer, const native_loop *rows,
                  uint8_t *const *to, const uint8_t *const *from, const uint8_t *const *end)
{
    typedef void block_function(const blocking *b, const native_block *s, const native_loop *outer,
                                const native_loop *rows);
    static block_function *const function[NATIVE_BLOCK_SOURCES] = {
        permute1, permute2, permute3, permute4,  permute5,  permute6,
        permute7, permute8, permute9, permute10, permute11, permute12};
    blocking b;
    b.pick = s->pick;
    b.mask = s->mask;
    b.targets = s->targets;
    b.whole = 0;
    b.room = INT64_MAX;
    for (unsigned i = 0; i < s->sources; i++) {
        b.from[i] = from[i];
        b.load[i] = first_bytes(s->source[i].length);
        if (s->source[i].length < VECTOR && end[i] - from[i] - VECTOR < b.room)
            b.room = end[i] - from[i] - VECTOR;
    }
    for (unsigned i = 0; i < s->targets; i++) {
        b.to[i] = to[i];
        b.store[i] = first_bytes(s->target[i].length);
        b.whole += s->target[i].length == VECTOR;
    }
    function[s->sources - 1](&b, s, outer, rows);
}
