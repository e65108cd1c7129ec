/* SPDX-License-Identifier: Apache-2.0
 * The batches of a pass, in an order in which the stores of neighbours do not reach into each
 * other, as loops of C. Inside a loop is a whole number of rounds of the sets of registers, so that
 * these are constants.
 */
#include <stdlib.h>
#include <string.h>

#include "ops/emit/stream.h"

enum {
    MOST_UNROLLED = 8,    /* batches of short loops that are written out */
    MOST_STRAIGHT = 2000, /* instructions of a list inside loops */
    SHORT = 2,            /* rounds of sets that are not worth a loop */
    BRIDGED = 4096        /* instructions of a loop inside another that are written twice */
};

/* Batches that follow each other, many times over. */
typedef struct nest {
    const emit_place *seq;
    unsigned count;
    ops_dim inner; /* the loop around them */
    ops_dim outer[OPS_DIMS];
    unsigned outers;
} nest;

/* ---- Loops ------------------------------------------------------------------------------ */

static emit_place place_at(const nest *n, uint64_t index, int64_t in, int64_t out)
{
    emit_place at = n->seq[index % n->count];
    at.in += in + (int64_t)(index / n->count) * n->inner.in;
    at.out += out + (int64_t)(index / n->count) * n->inner.out;
    return at;
}

/* Batches from one to another, where the nest begins so many bytes on. */
static void push(emit_stream *s, const nest *n, uint64_t from, uint64_t to, int64_t in, int64_t out)
{
    emit_place fresh[EMIT_TOGETHER];
    for (unsigned count; from < to; from += count) {
        for (count = 0; count < s->together && from + count < to; count++)
            fresh[count] = place_at(n, from + count, in, out);
        ztl_ops_stream_step(s, fresh, count);
    }
}

/* Batches of a list. */
static void push_list(emit_stream *s, const emit_place *list, size_t count)
{
    const nest n = {.seq = list, .count = (unsigned)count, .inner = {1, 0, 0}};
    push(s, &n, 0, count, 0, 0);
}

/* A loop of C around what is written next: so many times, its pointers move on each time. */
typedef struct loop {
    uint64_t times;
    int64_t in, out;
    int64_t p[EMIT_TOGETHER], q[EMIT_TOGETHER];
} loop;

static loop open_loop(emit_stream *s, uint64_t times, int64_t in, int64_t out)
{
    loop l = {.times = times, .in = in, .out = out};
    ztl_ops_stream_forget(s);
    memcpy(l.p, s->p, sizeof l.p);
    memcpy(l.q, s->q, sizeof l.q);
    ztl_ops_emit_line(s->k, "for (long i%u = %llu; i%u > 0; i%u--) {", s->k->indent,
                      (unsigned long long)times, s->k->indent, s->k->indent);
    s->k->indent++;
    return l;
}

static void close_loop(emit_stream *s, const loop *l)
{
    int64_t times = (int64_t)l->times;
    for (unsigned t = 0; t < EMIT_TOGETHER; t++)
        if (s->tracks >> t & 1)
            ztl_ops_stream_move(s, t, l->p[t] + l->in, l->q[t] + l->out);
    s->k->indent--;
    ztl_ops_emit_line(s->k, "}");
    ztl_ops_stream_forget(s);
    for (unsigned t = 0; t < EMIT_TOGETHER; t++)
        if (s->tracks >> t & 1) {
            s->p[t] = l->p[t] + times * l->in;
            s->q[t] = l->q[t] + times * l->out;
        }
    for (unsigned i = 0; i < s->count; i++) { /* written for the first time, true of the last */
        s->flight[i].at.in += (times - 1) * l->in;
        s->flight[i].at.out += (times - 1) * l->out;
    }
}

/* How many batches a round has: whole steps of the loop, whole rounds of sets. */
static unsigned round_of(const emit_stream *s, const nest *n)
{
    unsigned batches = n->count;
    while (batches % s->sets)
        batches += n->count;
    return batches;
}

/* Batches that are pushed before a loop begins: all its CSRs are set, and the same are under way as
 * at its end. */
static unsigned lead_of(const emit_stream *s)
{
    return s->stages * s->together;
}

/* The innermost loop from one batch on. */
static void emit_inner(emit_stream *s, const nest *n, uint64_t from, int64_t in, int64_t out)
{
    uint64_t total = (uint64_t)n->inner.n * n->count;
    unsigned batches = round_of(s, n);
    if (total - from >= (uint64_t)SHORT * batches) {
        uint64_t rounds = (total - from) / batches;
        int64_t steps = batches / n->count;
        loop l = open_loop(s, rounds, steps * n->inner.in, steps * n->inner.out);
        push(s, n, from, from + batches, in, out);
        close_loop(s, &l);
        from += rounds * batches;
    }
    push(s, n, from, total, in, out);
}

/* The two innermost loops: batches stay under way from one index of the outer one to the next. */
static void emit_bridged(emit_stream *s, const nest *n, const ops_dim *dim)
{
    unsigned lead = lead_of(s);
    int64_t all = dim->n - 1;
    push(s, n, 0, lead, 0, 0);
    loop l = open_loop(s, (uint64_t)all, dim->in, dim->out);
    emit_inner(s, n, lead, 0, 0);
    push(s, n, 0, lead, dim->in, dim->out);
    close_loop(s, &l);
    emit_inner(s, n, lead, all * dim->in, all * dim->out);
}

static void emit_outer(emit_stream *s, const nest *n, unsigned depth, bool bridged)
{
    uint64_t total = (uint64_t)n->inner.n * n->count, lead = lead_of(s);
    const ops_dim *dim = &n->outer[depth];
    if (depth == n->outers) {
        lead = lead < total ? lead : total;
        push(s, n, 0, lead, 0, 0);
        emit_inner(s, n, lead, 0, 0);
    } else if (bridged && depth + 1 == n->outers) {
        emit_bridged(s, n, dim);
    } else {
        loop l = open_loop(s, (uint64_t)dim->n, dim->in, dim->out);
        emit_outer(s, n, depth + 1, bridged);
        ztl_ops_stream_flush(s);
        s->next = 0;
        close_loop(s, &l);
    }
}

/* How many sets there may be for batches to stay under way from one index of the outer loop to the
 * next, between which there are whole rounds of them; 0: none. */
static unsigned bridging_sets(const emit_stream *s, const nest *n)
{
    uint64_t total = (uint64_t)n->inner.n * n->count;
    unsigned sets = s->sets, lead = lead_of(s), written = 2 * round_of(s, n);
    if (!n->outers || total < lead || total % s->together ||
        (total < written ? total : written) * s->program->count > BRIDGED)
        return 0;
    while (sets >= lead && total % sets)
        sets -= s->together;
    return sets >= lead ? sets : 0;
}

static void set_sets(emit_stream *s, unsigned sets)
{
    if (s->sets == sets)
        return;
    ztl_ops_stream_flush(s);
    s->sets = sets;
    s->next = 0;
}

static void emit_nest(emit_stream *s, const nest *n)
{
    unsigned sets = s->sets, bridging = bridging_sets(s, n);
    s->tracks = 0;
    for (unsigned i = 0; i < n->count; i++)
        s->tracks |= 1u << n->seq[i].track;
    set_sets(s, bridging ? bridging : sets);
    if (n->outers > !!bridging) { /* loops at whose ends nothing is under way */
        ztl_ops_stream_flush(s);
        ztl_ops_stream_hoist(s, n->seq);
        s->next = 0;
    }
    emit_outer(s, n, 0, bridging);
    set_sets(s, sets);
}

/* ---- Far parts in turn ------------------------------------------------------------------ */

/* The bytes that the stores of a batch reach over. */
static int64_t span_of(const emit_stream *s, const emit_place *at)
{
    const emit_program *p = s->program;
    int64_t least = INT64_MAX, most = INT64_MIN, low, high;
    for (const emit_insn *i = p->insn + p->count - p->stores; i < p->insn + p->count; i++) {
        ztl_ops_stream_reach(s, at->store, i, &low, &high);
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    return most - least;
}

static bool is_apart(int64_t distance, int64_t span)
{
    return distance >= span || -distance >= span;
}

/* How many batches of a list reach into the one before them: their stores wait. */
static size_t count_meeting(const emit_place *list, size_t count, int64_t span)
{
    size_t meeting = 0;
    for (size_t i = 1; i < count; i++)
        meeting += !is_apart(list[i].out - list[i - 1].out, span);
    return meeting;
}

/* A loop whose parts are apart, without a remainder rather, and then the farthest. */
static ops_dim *find_far(emit_stream *s, nest *n)
{
    int64_t span = span_of(s, n->seq), best = 0;
    ops_dim *found = NULL;
    for (unsigned d = 0; d <= n->outers; d++) {
        ops_dim *dim = d < n->outers ? &n->outer[d] : &n->inner;
        int64_t part = dim->n / s->together, far = part * (dim->out < 0 ? -dim->out : dim->out);
        int64_t worth = far / (dim->n % s->together ? 4 : 1);
        if (part && far >= span && worth > best) {
            best = worth;
            found = dim;
        }
    }
    return found;
}

/* A nest as several parts of it in turn, if its stores meet. `seq` is of n, and has room for
 * EMIT_TOGETHER times as many. */
static void emit_parts(emit_stream *s, nest *n, emit_place *seq)
{
    unsigned parts = s->together, count = n->count;
    int64_t span = span_of(s, n->seq);
    bool meet = count_meeting(n->seq, count, span) ||
                !is_apart(n->seq->out + n->inner.out - n->seq[count - 1].out, span);
    ops_dim *dim = parts > 1 && meet ? find_far(s, n) : NULL;
    if (!dim) {
        emit_nest(s, n);
        return;
    }
    const int64_t part = dim->n / parts, rest = dim->n % parts, in = dim->in, out = dim->out;
    for (unsigned i = count * parts; i-- > 0;) {
        seq[i] = n->seq[i / parts];
        seq[i].in += i % parts * part * in;
        seq[i].out += i % parts * part * out;
        seq[i].track = i % parts;
    }
    dim->n = part;
    n->seq = seq;
    n->count = count * parts;
    emit_nest(s, n);
    if (!rest)
        return;
    for (unsigned i = 0; i < count; i++) {
        seq[i] = seq[i * parts];
        seq[i].in += parts * part * in;
        seq[i].out += parts * part * out;
    }
    dim->n = rest;
    n->count = count;
    emit_nest(s, n);
}

/* ---- A pass ----------------------------------------------------------------------------- */

/* The loop that is overlapped is a long one, and rather one whose batches are stored apart from
 * each other. */
static unsigned choose_inner(const emit_stream *s, const ops_pass *pass, const emit_place *first)
{
    int64_t span = span_of(s, first), best = 0;
    unsigned chosen = 0;
    for (unsigned d = 0; d < pass->loops; d++) {
        const ops_dim *dim = &pass->loop[d];
        int64_t n = dim->n > 64 ? 64 : dim->n, worth = n * (is_apart(dim->out, span) ? 2 : 1);
        if (worth >= best) {
            best = worth;
            chosen = d;
        }
    }
    return chosen;
}

/* Writes a short loop out: its batches become part of the sequence. */
static unsigned unroll(emit_place *seq, unsigned count, const ops_dim *dim)
{
    for (int64_t i = 1; i < dim->n; i++)
        for (unsigned k = 0; k < count; k++) {
            emit_place *at = &seq[(unsigned)i * count + k];
            *at = seq[k];
            at->in += i * dim->in;
            at->out += i * dim->out;
        }
    return count * (unsigned)dim->n;
}

/* Batches inside the loops of the pass. `seq` has room for many times as many. */
static void emit_looped(emit_stream *s, const ops_pass *pass, emit_place *seq, unsigned count)
{
    unsigned inner = choose_inner(s, pass, seq);
    nest n = {.seq = seq, .count = count, .inner = pass->loop[inner]};
    for (unsigned d = 0; d < pass->loops; d++) {
        const ops_dim *dim = &pass->loop[d];
        if (d == inner || dim->n == 1)
            continue;
        if ((int64_t)n.count * dim->n <= MOST_UNROLLED &&
            n.count * s->program->count * (unsigned)dim->n <= MOST_STRAIGHT)
            n.count = unroll(seq, n.count, dim);
        else
            n.outer[n.outers++] = *dim;
    }
    emit_parts(s, &n, seq);
}

/* Batches of a list with the same strides: from far parts of it in turn, if fewer meet then. */
static void emit_straight(emit_stream *s, const emit_place *list, size_t count, emit_place *seq)
{
    size_t parts = s->together, part = count / parts, n = 0;
    int64_t span = count ? span_of(s, list) : 0;
    for (size_t i = 0; i < part; i++)
        for (size_t t = 0; t < parts; t++, n++) {
            seq[n] = list[t * part + i];
            seq[n].track = (unsigned)t;
        }
    memcpy(seq + n, list + n, (count - n) * sizeof *seq);
    bool helps = count_meeting(seq, count, span) < count_meeting(list, count, span);
    push_list(s, helps ? seq : list, count);
}

/* How many of a list follow each other at equal distances. */
static size_t count_equal(const emit_place *list, size_t count, ops_dim *step)
{
    size_t m = 1;
    *step = (ops_dim){1, 0, 0};
    if (count > 1)
        *step = (ops_dim){1, list[1].in - list[0].in, list[1].out - list[0].out};
    while (m < count && list[m].in - list[m - 1].in == step->in &&
           list[m].out - list[m - 1].out == step->out)
        m++;
    step->n = (int64_t)m;
    return m;
}

/* A list without loops and with the same strides: batches at equal distances are one. */
static void emit_list(emit_stream *s, const emit_place *list, size_t count, emit_place *seq)
{
    size_t worth = SHORT * s->sets + lead_of(s), straight = 0, m;
    for (size_t i = 0; i < count; i += m) {
        nest n = {.seq = seq, .count = 1};
        m = count_equal(list + i, count - i, &n.inner);
        if (m < worth) {
            straight += m;
            continue;
        }
        emit_straight(s, list + i - straight, straight, seq);
        straight = 0;
        *seq = list[i];
        emit_parts(s, &n, seq);
    }
    emit_straight(s, list + count - straight, straight, seq);
}

/* Every batch of the pass, in its order; those of nibbles have one that is not listed. */
static size_t list_places(const ops_pass *pass, emit_place *list)
{
    const ops_group *group = ops_pass_groups(pass);
    const ops_batch *batch = ops_pass_batches(pass);
    const ops_vector *vector = ops_pass_vectors(pass);
    size_t count = 0;
    if (!pass->groups)
        list[count++] = (emit_place){.in = pass->in, .out = pass->out};
    for (uint32_t g = 0; g < pass->groups; g++)
        for (uint32_t i = 0; i < group[g].count; i++) {
            const ops_batch *b = &batch[group[g].first + i];
            const ops_vector *load = pass->kind == OPS_PASS_FILL ? NULL : &vector[group[g].load];
            list[count++] = (emit_place){b->in, b->out, load, &vector[group[g].store], 0};
        }
    return count;
}

/* As many of the list as have the same strides. */
static size_t same_strides(const emit_place *list, size_t count)
{
    size_t n = 1;
    while (n < count && list[n].load == list->load && list[n].store == list->store)
        n++;
    return n;
}

void ztl_ops_emit_batches(emit_kernel *k, const ops_pass *pass, const emit_program *program,
                          const char *from, const char *to)
{
    emit_stream s;
    emit_place *list = calloc(pass->batches + 1, sizeof *list);
    emit_place *seq = calloc(pass->batches + (size_t)MOST_STRAIGHT * MOST_UNROLLED, sizeof *seq);
    k->failed = k->failed || !list || !seq;
    size_t count = k->failed ? 0 : list_places(pass, list);
    if (ztl_ops_stream_start(&s, k, pass, program)) {
        for (unsigned t = 0; t < s.together; t++)
            ztl_ops_emit_line(k, "p%u = %s, q%u = %s;", t, from, t, to);
        for (size_t i = 0, n; i < count; i += n) {
            n = same_strides(list + i, count - i);
            size_t most = MOST_STRAIGHT / program->count;
            n = pass->loops && n > most ? most : n;
            if (!pass->loops) {
                emit_list(&s, list + i, n, seq);
                continue;
            }
            memcpy(seq, list + i, n * sizeof *seq);
            emit_looped(&s, pass, seq, (unsigned)n);
        }
        ztl_ops_stream_flush(&s);
    }
    ztl_ops_stream_end(&s);
    free(list);
    free(seq);
}
