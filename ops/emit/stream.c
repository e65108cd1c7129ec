/* SPDX-License-Identifier: Apache-2.0
 * One step after the other. Within a step any order is right in which registers keep their meaning;
 * what is written next is what could start first.
 */
#include "ops/emit/stream.h"

#include <stdlib.h>
#include <string.h>

#include <ztl/intrin.h>

enum {
    WINDOW = 64,  /* instructions of a step that are looked at */
    MOST_SETS = 5 /* for each of the batches that begin together */
};

static const unsigned movers[] = {ZTL_ENGINE_RESHAPE, ZTL_ENGINE_COMP, ZTL_ENGINE_STORE};

static unsigned slices_of(const emit_stream *s, const emit_insn *insn)
{
    unsigned slices = insn->csr[EMIT_TSHAPE] >> 16 & 255;
    return slices && slices < s->slices ? slices : s->slices;
}

/* ---- What the machine makes of an instruction ------------------------------------------- */

void ztl_ops_stream_reach(const emit_stream *s, const ops_vector *vector, const emit_insn *insn,
                          int64_t *low, int64_t *high)
{
    int64_t first = 0, last = 0, width = insn->csr[EMIT_STORE_WIDTH];
    for (unsigned i = 0; vector && i < slices_of(s, insn); i++) {
        int64_t stride = vector->stride[i];
        first = !i || stride < first ? stride : first;
        last = !i || stride > last ? stride : last;
    }
    *low = insn->offset + first * width;
    *high = insn->offset + (last + 1) * width;
}

static clock_event memory_event(const emit_insn *insn)
{
    enum { PORT = 64, LATENCY = 8 };
    bool loads = insn->code == EMIT_LOAD;
    unsigned slices = insn->csr[EMIT_TSHAPE] >> 16 & 255;
    unsigned width = insn->csr[loads ? EMIT_LOAD_WIDTH : EMIT_STORE_WIDTH];
    int64_t bytes = (slices * width + PORT - 1) / PORT;
    return (clock_event){.engine = loads ? ZTL_ENGINE_LOAD : ZTL_ENGINE_STORE,
                         .port = loads ? CLOCK_LOAD : CLOCK_STORE,
                         .busy = bytes > slices ? bytes : slices,
                         .latency = LATENCY};
}

static clock_event event_of(const emit_insn *insn, unsigned first)
{
    enum { WHOLE = 16, LATENCY = 4 };
    uint32_t a = UINT32_C(1) << (first + insn->reg[0]), b = UINT32_C(1) << (first + insn->reg[1]);
    uint32_t c = UINT32_C(1) << (first + insn->reg[2]);
    if (insn->code == EMIT_LOAD || insn->code == EMIT_STORE) {
        clock_event e = memory_event(insn);
        e.reads = insn->code == EMIT_STORE ? a : 0;
        e.writes = insn->code == EMIT_LOAD ? a : 0;
        return e;
    }
    bool pair = insn->code == EMIT_PERMUTE || insn->code == EMIT_XPOSE;
    return (clock_event){.engine = ZTL_ENGINE_RESHAPE,
                         .port = CLOCK_NO_PORT,
                         .busy = pair ? 2 * WHOLE : WHOLE,
                         .latency = LATENCY,
                         .reads = a | b | c,
                         .writes = pair ? a | b : a};
}

/* ---- Writing one ------------------------------------------------------------------------ */

static bool is_near(int64_t apart, int64_t width)
{
    width = width ? width : 1;
    return apart % width == 0 && apart / width >= -128 && apart / width <= 127;
}

/* Where an access is, seen from its pointer. */
static int64_t apart_of(const emit_stream *s, const emit_item *i)
{
    return i->insn->offset + (i->insn->code == EMIT_LOAD ? i->at->in - s->p[i->at->track]
                                                         : i->at->out - s->q[i->at->track]);
}

static uint32_t width_of(const emit_insn *insn)
{
    return insn->csr[insn->code == EMIT_LOAD ? EMIT_LOAD_WIDTH : EMIT_STORE_WIDTH];
}

/* The hart's instructions before this one. */
static int64_t cost_of(const emit_stream *s, const emit_item *i)
{
    const int64_t *csr = s->k->csr;
    int64_t cost = 0;
    for (unsigned c = 0; c < EMIT_SINGLE; c++)
        cost += i->insn->needs[c] && csr[c] != i->insn->csr[c];
    if (i->event.port == CLOCK_NO_PORT)
        return cost;
    csr += i->insn->code == EMIT_LOAD ? EMIT_LOAD_STRIDE : EMIT_STORE_STRIDE;
    for (unsigned n = 0; n < slices_of(s, i->insn); n++)
        cost += csr[n] == (i->vector ? i->vector->stride[n] : 0) ? 0 : 2;
    return cost + !is_near(apart_of(s, i), width_of(i->insn));
}

static void set_strides(emit_stream *s, unsigned csr, const ops_vector *vector, unsigned slices)
{
    for (unsigned i = 0; i < slices; i++)
        ztl_ops_emit_csr(s->k, csr + i, vector ? vector->stride[i] : 0);
}

/* The compiler must not make one sum of several moves of a pointer: it would need a new constant
 * for each. */
static void move(emit_stream *s, char name, unsigned track, int64_t *at, int64_t wanted)
{
    if (*at != wanted)
        ztl_ops_emit_line(s->k, "MOVE(%c%u, %lld);", name, track, (long long)(wanted - *at));
    *at = wanted;
}

void ztl_ops_stream_move(emit_stream *s, unsigned track, int64_t p, int64_t q)
{
    move(s, 'p', track, &s->p[track], p);
    move(s, 'q', track, &s->q[track], q);
}

static void write_one(emit_stream *s, emit_item *i)
{
    const emit_insn *insn = i->insn;
    unsigned track = i->at->track;
    s->clock.now += cost_of(s, i);
    if (i->event.port != CLOCK_NO_PORT) {
        bool loads = insn->code == EMIT_LOAD;
        set_strides(s, loads ? EMIT_LOAD_STRIDE : EMIT_STORE_STRIDE, i->vector, slices_of(s, insn));
        if (!is_near(apart_of(s, i), width_of(insn)) && loads)
            move(s, 'p', track, &s->p[track], i->at->in + insn->offset);
        else if (!is_near(apart_of(s, i), width_of(insn)))
            move(s, 'q', track, &s->q[track], i->at->out + insn->offset);
    }
    ztl_ops_emit_insn(s->k, insn, i->first, i->event.engine, track, apart_of(s, i));
    ztl_ops_clock_issue(&s->clock, &i->event);
}

/* ---- A step ----------------------------------------------------------------------------- */

/* The engine that is ready first for a move. */
static int64_t find_engine(const emit_stream *s, emit_item *item)
{
    clock_event e = item->event;
    int64_t least = INT64_MAX, memory;
    for (unsigned m = 0; m < s->engines; m++) {
        e.engine = movers[m];
        int64_t ready = ztl_ops_clock_ready(&s->clock, &e, &memory);
        if (ready < least) {
            least = ready;
            item->event.engine = e.engine;
        }
    }
    return least;
}

/* What is next of a port's instructions, or of the moves. */
typedef struct candidate {
    unsigned index;
    int64_t ready, cost, rank;
} candidate;

static const candidate nobody = {.rank = INT64_MAX};

/* Loads keep their order; stores too, but for those that would wait for others. Of moves what could
 * start first; at the same time, what takes the hart less. */
static void compare(emit_stream *s, unsigned n, candidate *best)
{
    emit_item *i = &s->item[n];
    candidate c = {.index = n};
    if (i->event.port == CLOCK_LOAD && best->rank != INT64_MAX)
        return;
    if (i->event.port == CLOCK_NO_PORT)
        c.rank = c.ready = find_engine(s, i);
    else
        c.ready = ztl_ops_clock_ready(&s->clock, &i->event, &c.rank);
    if (c.rank > best->rank)
        return;
    c.cost = cost_of(s, i);
    if (c.rank < best->rank || (i->event.port == CLOCK_NO_PORT && c.cost < best->cost))
        *best = c;
}

/* What could start first, less what the hart must do before, of what needs no register of one that
 * is older. Accesses with other strides wait until those with the ones that are set are done. */
static unsigned choose(emit_stream *s)
{
    uint32_t read = 0, written = 0;
    const emit_item *oldest[2] = {NULL, NULL};
    candidate best[] = {nobody, nobody, nobody};
    const unsigned order[] = {CLOCK_STORE, CLOCK_NO_PORT, CLOCK_LOAD};
    unsigned chosen = 0;
    int64_t least = INT64_MAX;
    for (unsigned n = 0; n < s->items && n < WINDOW; n++) {
        const emit_item *i = &s->item[n];
        bool waits = i->event.reads & written || i->event.writes & (read | written);
        if (i->event.port != CLOCK_NO_PORT) {
            const emit_item **first = &oldest[i->event.port];
            *first = *first ? *first : i;
            waits = waits || (*first)->vector != i->vector;
        }
        read |= i->event.reads;
        written |= i->event.writes;
        if (!waits)
            compare(s, n, &best[i->event.port]);
    }
    for (unsigned k = 0; k < 3; k++) {
        const candidate *c = &best[order[k]];
        if (c->rank != INT64_MAX && c->ready - c->cost < least) {
            least = c->ready - c->cost;
            chosen = c->index;
        }
    }
    return chosen;
}

static void add_item(emit_stream *s, const emit_flight *f, const emit_insn *insn)
{
    emit_item *i = &s->item[s->items++];
    *i = (emit_item){.insn = insn, .at = &f->at, .first = 1 + f->set * s->program->registers};
    i->event = event_of(insn, i->first);
    i->vector = insn->code == EMIT_LOAD ? f->at.load : f->at.store;
    if (insn->code == EMIT_STORE) {
        ztl_ops_stream_reach(s, f->at.store, insn, &i->event.low, &i->event.high);
        i->event.low += f->at.out;
        i->event.high += f->at.out;
    }
}

void ztl_ops_stream_step(emit_stream *s, const emit_place *fresh, unsigned count)
{
    for (unsigned i = 0; i < count; i++, s->next = (s->next + 1) % s->sets)
        s->flight[s->count++] = (emit_flight){fresh[i], s->next, 0};
    s->items = 0;
    for (const emit_flight *f = s->flight; f < s->flight + s->count; f++)
        for (unsigned n = f->done ? s->end[f->done - 1] : 0; n < s->end[f->done]; n++)
            add_item(s, f, &s->program->insn[n]);
    while (s->items) {
        unsigned n = choose(s);
        write_one(s, &s->item[n]);
        memmove(&s->item[n], &s->item[n + 1], (--s->items - n) * sizeof *s->item);
    }
    unsigned ended = 0;
    for (unsigned i = 0; i < s->count; i++)
        ended += ++s->flight[i].done == s->stages;
    s->count -= ended;
    memmove(s->flight, s->flight + ended, s->count * sizeof *s->flight);
}

void ztl_ops_stream_flush(emit_stream *s)
{
    while (s->count)
        ztl_ops_stream_step(s, NULL, 0);
}

void ztl_ops_stream_forget(emit_stream *s)
{
    for (unsigned i = 0; i < EMIT_SINGLE; i++)
        if (s->varies[i])
            s->k->csr[i] = EMIT_UNKNOWN;
    ztl_ops_emit_forget(s->k);
}

void ztl_ops_stream_hoist(emit_stream *s, const emit_place *at)
{
    const emit_program *p = s->program;
    for (unsigned i = 0; i < p->count; i++) {
        const emit_insn *insn = &p->insn[i];
        for (unsigned c = 0; c < EMIT_SINGLE; c++)
            if (insn->needs[c] && !s->varies[c])
                ztl_ops_emit_csr(s->k, c, insn->csr[c]);
        if (insn->code == EMIT_LOAD)
            set_strides(s, EMIT_LOAD_STRIDE, at->load, slices_of(s, insn));
        else if (insn->code == EMIT_STORE)
            set_strides(s, EMIT_STORE_STRIDE, at->store, slices_of(s, insn));
    }
}

/* ---- A pass ----------------------------------------------------------------------------- */

static void find_varying(emit_stream *s)
{
    const emit_program *p = s->program;
    const uint32_t *value[EMIT_SINGLE] = {NULL};
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned c = 0; c < EMIT_SINGLE; c++)
            if (p->insn[i].needs[c]) {
                s->varies[c] = s->varies[c] || (value[c] && *value[c] != p->insn[i].csr[c]);
                value[c] = &p->insn[i].csr[c];
            }
}

/* A third engine pays where moves take longer than the ports by far. */
static unsigned engines_of(const emit_stream *s)
{
    enum { FAR = 5 }; /* halves of the busiest port */
    int64_t busy[3] = {0};
    for (unsigned i = 0; i < s->program->count; i++) {
        clock_event e = event_of(&s->program->insn[i], 1);
        busy[e.port] += e.busy;
    }
    int64_t port = busy[CLOCK_LOAD] > busy[CLOCK_STORE] ? busy[CLOCK_LOAD] : busy[CLOCK_STORE];
    return 2 * busy[CLOCK_NO_PORT] > FAR * port ? 3 : 2;
}

/* A set can be loaded as soon as it is stored, so that there are as many stages as there can be:
 * one more than sets. */
static void choose_sets(emit_stream *s)
{
    const emit_program *p = s->program;
    unsigned sets = 31 / (p->registers ? p->registers : 1);
    s->together = sets < EMIT_STAGES * EMIT_TOGETHER ? 1 : EMIT_TOGETHER;
    s->sets = sets - sets % s->together;
    if (s->sets > MOST_SETS * s->together)
        s->sets = MOST_SETS * s->together;
    s->stages = 0;
    if (!p->registers) {
        s->end[s->stages++] = p->count;
        return;
    }
    s->end[s->stages++] = p->loads;
    if (s->sets > 1)
        s->end[s->stages++] = p->count - p->stores;
    else
        s->end[0] = p->count - p->stores;
    s->end[s->stages++] = p->count;
}

bool ztl_ops_stream_start(emit_stream *s, emit_kernel *k, const ops_pass *pass,
                          const emit_program *program)
{
    *s = (emit_stream){.k = k, .program = program, .slices = pass->groups ? pass->slices : 1};
    s->item = calloc(EMIT_ITEMS, sizeof *s->item);
    k->failed = k->failed || !s->item;
    find_varying(s);
    choose_sets(s);
    s->engines = engines_of(s);
    return !k->failed;
}

void ztl_ops_stream_end(emit_stream *s)
{
    free(s->item);
}
