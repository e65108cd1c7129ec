/* SPDX-License-Identifier: Apache-2.0
 * The batches of a pass, overlapped: while one is stored, the next is permuted and the one after
 * it loaded, in sets of registers that take turns.
 *
 * A batch goes through three steps, and a step of C has one part of each of three batches:
 *
 *     loads of batch j, moves of j - 1, stores of j - 2
 *
 * Inside a loop of C is a whole number of rounds of the sets, so that registers are constants.
 */
#include <stdlib.h>
#include <string.h>

#include "ops/emit/kernel.h"

enum {
    MOST_SETS = 5,
    MOST_STAGES = 4,
    MOST_UNROLLED = 8,    /* batches of short loops that are written out */
    MOST_STRAIGHT = 2000, /* instructions of a list inside loops */
    SHORT = 2             /* rounds of sets that are not worth a loop */
};

/* A batch: where it is, and its strides. */
typedef struct place {
    int64_t in, out;
    const ops_vector *load, *store; /* NULL: 0 */
} place;

/* Batches one after the other, some of them under way. */
typedef struct stream {
    emit_kernel *k;
    const emit_program *program;
    unsigned slices, sets, depth;      /* depth: batches ahead of the one that ends */
    bool chains;                       /* one set of registers: loads follow stores of the same */
    bool mixes;                        /* parts of a step may be mixed */
    bool varies[EMIT_SINGLE];          /* CSRs that instructions need with different values */
    unsigned stages, end[MOST_STAGES]; /* of a batch: where the instructions of each end */
    place under_way[MOST_STAGES];      /* the oldest first */
    unsigned set_of[MOST_STAGES];      /* their registers */
    unsigned done[MOST_STAGES];        /* stages */
    unsigned count, next;              /* how many; the set of the next one */
    int64_t p, q;                      /* where the pointers of the C are */
} stream;

/* ---- One step --------------------------------------------------------------------------- */

static void set_strides(stream *s, unsigned csr, const ops_vector *vector)
{
    for (unsigned i = 0; i < s->slices; i++)
        ztl_ops_emit_csr(s->k, csr + i, vector ? vector->stride[i] : 0);
}

/* Moves a pointer of the C so that the access is within reach of the immediate. The compiler must
 * not make one sum of several moves: it would need a new constant for each. */
static void reach(stream *s, const char *name, int64_t *at, int64_t wanted, int64_t width)
{
    int64_t apart = wanted - *at;
    width = width ? width : 1;
    if (apart % width == 0 && apart / width >= -128 && apart / width <= 127)
        return;
    ztl_ops_emit_line(s->k, "MOVE(%s, %lld);", name, (long long)apart);
    *at = wanted;
}

static void emit_one(stream *s, const emit_insn *insn, const place *at, unsigned set)
{
    unsigned first = 1 + set * s->program->registers;
    int64_t in = 0, out = 0;
    if (insn->code == EMIT_LOAD) {
        set_strides(s, EMIT_LOAD_STRIDE, at->load);
        reach(s, "p", &s->p, at->in + insn->offset, insn->csr[EMIT_LOAD_WIDTH]);
        in = at->in - s->p;
    } else if (insn->code == EMIT_STORE) {
        set_strides(s, EMIT_STORE_STRIDE, at->store);
        reach(s, "q", &s->q, at->out + insn->offset, insn->csr[EMIT_STORE_WIDTH]);
        out = at->out - s->q;
    }
    ztl_ops_emit_insn(s->k, s->program, insn, first, in, out);
}

/* Some of the instructions of a batch. */
typedef struct part {
    const emit_insn *insn;
    unsigned count, done, set;
    const place *at;
} part;

/* One instruction after the other: of the part that is furthest behind, or part by part. */
static void emit_parts(stream *s, part *parts, unsigned count)
{
    for (;;) {
        part *least = NULL;
        for (unsigned i = 0; i < count; i++) {
            part *p = &parts[i];
            if (p->done < p->count &&
                (!least ||
                 (s->mixes && (2 * p->done + 1) * least->count < (2 * least->done + 1) * p->count)))
                least = p;
        }
        if (!least)
            return;
        emit_one(s, &least->insn[least->done++], least->at, least->set);
    }
}

/* The stores of a register, then the loads of the next batch to it. */
static void chain_register(stream *s, unsigned reg, const place *stored, const place *fresh,
                           uint32_t *seen)
{
    const emit_program *p = s->program;
    if (*seen >> reg & 1)
        return;
    *seen |= UINT32_C(1) << reg;
    for (const emit_insn *i = p->insn + p->count - p->stores; stored && i < p->insn + p->count; i++)
        if (i->reg[0] == reg)
            emit_one(s, i, stored, 0);
    for (const emit_insn *i = p->insn; fresh && i < p->insn + p->loads; i++)
        if (i->reg[0] == reg)
            emit_one(s, i, fresh, 0);
}

/* One step where all batches have the same registers: each is loaded as soon as it is stored, those
 * that are needed first before the others. */
static void push_chained(stream *s, const place *fresh)
{
    const emit_program *p = s->program;
    const emit_insn *moves = p->insn + p->loads, *end = p->insn + p->count - p->stores;
    const place *stored = s->count ? &s->under_way[0] : NULL;
    uint32_t seen = 0;
    for (const emit_insn *i = moves; i < end; i++) {
        chain_register(s, i->reg[0], stored, fresh, &seen);
        chain_register(s, i->reg[1], stored, fresh, &seen);
    }
    for (unsigned reg = 0; reg < p->registers; reg++)
        chain_register(s, reg, stored, fresh, &seen);
    for (const emit_insn *i = moves; fresh && i < end; i++)
        emit_one(s, i, fresh, 0);
    s->count = fresh ? 1 : 0;
    if (fresh)
        s->under_way[0] = *fresh;
}

/* One step: the first stage of the new batch if there is one, the next of each under way. */
static void push(stream *s, const place *fresh)
{
    const emit_insn *insn = s->program->insn;
    unsigned count = 0;
    part parts[MOST_STAGES];
    if (s->chains) {
        push_chained(s, fresh);
        return;
    }
    if (fresh)
        parts[count++] = (part){insn, s->end[0], 0, s->next, fresh};
    for (unsigned i = s->count; i-- > 0;) {
        unsigned begin = s->end[s->done[i] - 1], end = s->end[s->done[i]];
        parts[count++] = (part){insn + begin, end - begin, 0, s->set_of[i], &s->under_way[i]};
        s->done[i]++;
    }
    emit_parts(s, parts, count);
    if (s->count && s->done[0] == s->stages) {
        s->count--;
        memmove(s->under_way, s->under_way + 1, s->count * sizeof *s->under_way);
        memmove(s->set_of, s->set_of + 1, s->count * sizeof *s->set_of);
        memmove(s->done, s->done + 1, s->count * sizeof *s->done);
    }
    if (fresh && s->stages > 1) {
        s->under_way[s->count] = *fresh;
        s->done[s->count] = 1;
        s->set_of[s->count++] = s->next;
        s->next = (s->next + 1) % s->sets;
    }
}

static void flush(stream *s)
{
    while (s->count)
        push(s, NULL);
}

/* ---- Loops ------------------------------------------------------------------------------ */

/* Batches of one group that follow each other, many times over. */
typedef struct nest {
    const place *seq;
    unsigned count;
    ops_dim inner; /* the loop that is overlapped */
    ops_dim outer[OPS_DIMS];
    unsigned outers;
} nest;

static place place_at(const nest *n, uint64_t index)
{
    place at = n->seq[index % n->count];
    at.in += (int64_t)(index / n->count) * n->inner.in;
    at.out += (int64_t)(index / n->count) * n->inner.out;
    return at;
}

/* What is under way is numbered from the next round on. */
static void rename_places(stream *s, int64_t in, int64_t out)
{
    for (unsigned i = 0; i < s->count; i++) {
        s->under_way[i].in -= in;
        s->under_way[i].out -= out;
    }
}

static void forget_varying(stream *s)
{
    for (unsigned i = 0; i < EMIT_SINGLE; i++)
        if (s->varies[i])
            s->k->csr[i] = EMIT_UNKNOWN;
}

static void move_to(stream *s, const char *name, int64_t *at, int64_t wanted)
{
    if (*at != wanted)
        ztl_ops_emit_line(s->k, "MOVE(%s, %lld);", name, (long long)(wanted - *at));
    *at = wanted;
}

/* How many batches a round has: whole steps of the loop, whole rounds of sets. */
static unsigned round_of(const stream *s, const nest *n)
{
    unsigned batches = n->count;
    while (batches % s->sets)
        batches += n->count;
    return batches;
}

/* The rounds as a loop of C: how many batches it took. */
static uint64_t emit_rounds(stream *s, const nest *n, uint64_t total, unsigned batches)
{
    uint64_t rounds = (total - s->depth) / batches;
    int64_t steps = batches / n->count, in = steps * n->inner.in, out = steps * n->inner.out;
    forget_varying(s);
    int64_t p = s->p, q = s->q;
    ztl_ops_emit_line(s->k, "for (long i = %llu; i > 0; i--) {", (unsigned long long)rounds);
    s->k->indent++;
    for (unsigned x = 0; x < batches; x++) {
        place at = place_at(n, x + s->depth);
        push(s, &at);
    }
    move_to(s, "p", &s->p, p + in);
    move_to(s, "q", &s->q, q + out);
    s->k->indent--;
    ztl_ops_emit_line(s->k, "}");
    forget_varying(s);
    s->p = p;
    s->q = q;
    rename_places(s, in, out);
    return rounds * batches;
}

/* The innermost loop; the pointers end where *in and *out say, seen from the start. */
static void emit_inner(stream *s, const nest *n, int64_t *in, int64_t *out)
{
    uint64_t total = (uint64_t)n->inner.n * n->count, done = 0;
    unsigned batches = round_of(s, n);
    *in = *out = 0;
    s->next = 0;
    for (; done < s->depth && done < total; done++) {
        place at = place_at(n, done);
        push(s, &at);
    }
    if (total >= (uint64_t)SHORT * batches + s->depth) {
        uint64_t taken = emit_rounds(s, n, total, batches);
        int64_t steps = (int64_t)(taken / n->count);
        *in = steps * n->inner.in;
        *out = steps * n->inner.out;
        total -= taken;
    }
    for (; done < total; done++) {
        place at = place_at(n, done);
        push(s, &at);
    }
    flush(s);
}

static void emit_outer(stream *s, const nest *n, unsigned depth, int64_t *in, int64_t *out)
{
    if (depth == n->outers) {
        emit_inner(s, n, in, out);
        return;
    }
    const ops_dim *dim = &n->outer[depth];
    int64_t p = s->p, q = s->q, inner_in, inner_out;
    forget_varying(s);
    ztl_ops_emit_line(s->k, "for (long i%u = %lld; i%u > 0; i%u--) {", depth, (long long)dim->n,
                      depth, depth);
    s->k->indent++;
    emit_outer(s, n, depth + 1, &inner_in, &inner_out);
    move_to(s, "p", &s->p, p + dim->in - inner_in);
    move_to(s, "q", &s->q, q + dim->out - inner_out);
    s->k->indent--;
    ztl_ops_emit_line(s->k, "}");
    forget_varying(s);
    s->p = p;
    s->q = q;
    *in = dim->n * dim->in;
    *out = dim->n * dim->out;
}

/* CSRs that stay as they are in the whole nest are set before it. */
static void hoist(stream *s, const nest *n)
{
    const emit_program *p = s->program;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned c = 0; c < EMIT_SINGLE; c++)
            if (p->insn[i].needs[c] && !s->varies[c])
                ztl_ops_emit_csr(s->k, c, p->insn[i].csr[c]);
    if (p->loads)
        set_strides(s, EMIT_LOAD_STRIDE, n->seq->load);
    set_strides(s, EMIT_STORE_STRIDE, n->seq->store);
}

static void emit_nest(stream *s, const nest *n)
{
    int64_t in, out;
    flush(s);
    hoist(s, n);
    move_to(s, "p", &s->p, n->seq->in);
    move_to(s, "q", &s->q, n->seq->out);
    emit_outer(s, n, 0, &in, &out);
    s->p += in;
    s->q += out;
}

/* ---- A pass ----------------------------------------------------------------------------- */

static void find_varying(stream *s)
{
    const emit_program *p = s->program;
    const uint32_t *value[EMIT_SINGLE] = {NULL};
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned c = 0; c < EMIT_SINGLE; c++)
            if (p->insn[i].needs[c]) {
                s->varies[c] = s->varies[c] || (value[c] && *value[c] != p->insn[i].csr[c]);
                value[c] = &p->insn[i].csr[c];
            }
    s->mixes = !s->varies[EMIT_TTYPE] && !s->varies[EMIT_TSHAPE];
}

/* The distance from the first byte that a store writes to the last. */
static int64_t span_of(const ops_pass *pass, const ops_vector *vector)
{
    int64_t low = 0, high = 0;
    for (unsigned i = 0; vector && i < pass->slices; i++) {
        low = vector->stride[i] < low ? vector->stride[i] : low;
        high = vector->stride[i] > high ? vector->stride[i] : high;
    }
    return (high - low + 1) * (int64_t)pass->store_width;
}

/* Whether a store of a batch lies between the bytes of the one before it: it would wait for that
 * one to be done. */
static bool stores_overlap(const emit_program *p, const ops_pass *pass)
{
    const emit_insn *store = p->insn + p->count - p->stores;
    int64_t span =
        pass->vectors ? span_of(pass, ops_pass_vectors(pass) + ops_pass_groups(pass)->store) : 0;
    for (unsigned i = 1; i < p->stores; i++) {
        int64_t apart = store[i].offset - store[i - 1].offset;
        if ((apart < 0 ? -apart : apart) < span)
            return true;
    }
    return false;
}

/* The stages of a batch: as many as there are sets of registers for. Stores that would wait for
 * each other are two stages, so that those of another batch are between them. */
static void divide(stream *s, const ops_pass *pass)
{
    const emit_program *p = s->program;
    unsigned sets = p->registers ? 31 / p->registers : 1;
    unsigned all = p->count, first = all - p->stores;
    s->sets = sets > MOST_SETS ? MOST_SETS : sets;
    if (s->sets >= 4 && stores_overlap(p, pass)) {
        s->stages = 4;
        memcpy(s->end, (unsigned[]){p->loads, first, first + p->stores / 2, all}, sizeof s->end);
    } else if (s->sets >= 3) {
        s->stages = 3;
        memcpy(s->end, (unsigned[]){p->loads, first, all}, 3 * sizeof *s->end);
    } else if (s->sets == 1 && p->registers && s->mixes) {
        s->stages = 2;
        s->chains = true;
    } else {
        s->stages = s->sets;
        s->end[0] = s->sets == 1 ? all : p->loads;
        s->end[1] = all;
    }
    s->depth = s->stages - 1;
}

/* The loop that is overlapped is a long one, and rather one whose batches are stored apart from
 * each other: stores to memory in between wait. */
static unsigned choose_inner(const ops_pass *pass, const place *first)
{
    int64_t span = span_of(pass, first->store), best = 0;
    unsigned chosen = 0;
    for (unsigned d = 0; d < pass->loops; d++) {
        const ops_dim *dim = &pass->loop[d];
        int64_t step = dim->out < 0 ? -dim->out : dim->out, n = dim->n > 64 ? 64 : dim->n;
        int64_t worth = n * (step >= span ? 8 : 1);
        if (worth >= best) {
            best = worth;
            chosen = d;
        }
    }
    return chosen;
}

/* Writes a short loop out: its batches become part of the sequence. */
static unsigned unroll(place *seq, unsigned count, const ops_dim *dim)
{
    for (int64_t i = 1; i < dim->n; i++)
        for (unsigned k = 0; k < count; k++) {
            place *at = &seq[(unsigned)i * count + k];
            *at = seq[k];
            at->in += i * dim->in;
            at->out += i * dim->out;
        }
    return count * (unsigned)dim->n;
}

/* Batches inside the loops of the pass. `seq` has room for MOST_UNROLLED times as many. */
static void emit_looped(stream *s, const ops_pass *pass, place *seq, unsigned count)
{
    unsigned inner = choose_inner(pass, seq);
    nest n = {.seq = seq, .count = count, .inner = pass->loop[inner]};
    for (unsigned d = 0; d < pass->loops; d++) {
        const ops_dim *dim = &pass->loop[d];
        if (d == inner)
            continue;
        if ((int64_t)n.count * dim->n <= MOST_UNROLLED &&
            n.count * s->program->count * (unsigned)dim->n <= MOST_STRAIGHT)
            n.count = unroll(seq, n.count, dim);
        else
            n.outer[n.outers++] = *dim;
    }
    emit_nest(s, &n);
}

/* A list without loops: batches at equal distances are one. */
static void emit_list(stream *s, const place *list, size_t count)
{
    for (size_t i = 0, m; i < count; i += m) {
        int64_t in = i + 1 < count ? list[i + 1].in - list[i].in : 0;
        int64_t out = i + 1 < count ? list[i + 1].out - list[i].out : 0;
        for (m = 1; i + m < count && list[i + m].load == list[i].load &&
                    list[i + m].store == list[i].store &&
                    list[i + m].in - list[i + m - 1].in == in &&
                    list[i + m].out - list[i + m - 1].out == out;)
            m++;
        if (m >= (SHORT + 1) * s->sets + s->depth) {
            nest n = {.seq = &list[i], .count = 1, .inner = {(int64_t)m, in, out}};
            emit_nest(s, &n);
        } else {
            m = 1;
            push(s, &list[i]);
        }
    }
    flush(s);
}

/* Every batch of the pass, in its order; those of nibbles have one that is not listed. */
static size_t list_places(const ops_pass *pass, place *list)
{
    const ops_group *group = ops_pass_groups(pass);
    const ops_batch *batch = ops_pass_batches(pass);
    const ops_vector *vector = ops_pass_vectors(pass);
    size_t count = 0;
    if (!pass->groups)
        list[count++] = (place){pass->in, pass->out, NULL, NULL};
    for (uint32_t g = 0; g < pass->groups; g++)
        for (uint32_t i = 0; i < group[g].count; i++) {
            const ops_batch *b = &batch[group[g].first + i];
            const ops_vector *load = pass->kind == OPS_PASS_FILL ? NULL : &vector[group[g].load];
            list[count++] = (place){b->in, b->out, load, &vector[group[g].store]};
        }
    return count;
}

/* As many of the list as have the same strides and fit. */
static unsigned same_strides(const stream *s, const place *list, size_t count)
{
    unsigned most = MOST_STRAIGHT / s->program->count, n = 1;
    while (n < count && n < most && list[n].load == list->load && list[n].store == list->store)
        n++;
    return n;
}

void ztl_ops_emit_batches(emit_kernel *k, const ops_pass *pass, const emit_program *program,
                          const char *from, const char *to)
{
    stream s = {.k = k, .program = program, .slices = pass->groups ? pass->slices : 1};
    find_varying(&s);
    divide(&s, pass);
    place *list = calloc(pass->batches + 1, sizeof *list);
    place *seq = calloc((size_t)MOST_STRAIGHT * MOST_UNROLLED, sizeof *seq);
    k->failed = k->failed || !list || !seq;
    if (!k->failed) {
        size_t count = list_places(pass, list);
        ztl_ops_emit_line(k, "p = %s;", from);
        ztl_ops_emit_line(k, "q = %s;", to);
        if (!pass->loops)
            emit_list(&s, list, count);
        for (size_t i = 0, n; pass->loops && i < count; i += n) {
            n = same_strides(&s, list + i, count - i);
            memcpy(seq, list + i, n * sizeof *seq);
            emit_looped(&s, pass, seq, (unsigned)n);
        }
    }
    free(list);
    free(seq);
}
