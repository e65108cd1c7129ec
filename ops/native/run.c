/* SPDX-License-Identifier: Apache-2.0
 * Running a job: the loops around its kernel.
 */
#include "ops/native/native.h"

/* A job while it runs: its pointers go on with the loops. */
typedef struct walk {
    const native_set *set;
    const native_job *job;
    const uint8_t *from[NATIVE_SOURCES], *end[NATIVE_SOURCES];
    uint8_t *to;
} walk;

static void move_element(uint8_t *to, const uint8_t *from, int64_t bytes)
{
    switch (bytes) {
    case 1:
        *to = *from;
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, (size_t)bytes);
    }
}

static void move_elements(const native_job *job, const native_loop *inner, const walk *w)
{
    const uint8_t *from = w->from[0];
    uint8_t *to = w->to;
    for (int64_t k = 0; k < inner->n; k++, from += inner->in[0], to += inner->out)
        move_element(to, from, job->bytes);
}

/* Offsets of `count` positions from the first-th on, in a nest of loops. */
static void list_offsets(const native_loop *loop, unsigned loops, bool target, int64_t first,
                         unsigned count, int64_t *offset)
{
    int64_t at[OPS_DIMS], here = 0;
    for (unsigned d = 0; d < loops; d++, first /= loop[d - 1].n) {
        at[d] = first % loop[d].n;
        here += at[d] * (target ? loop[d].out : loop[d].in[0]);
    }
    for (unsigned k = 0; k < count; k++) {
        offset[k] = here;
        for (unsigned d = 0; d < loops; d++) {
            int64_t step = target ? loop[d].out : loop[d].in[0];
            here += step;
            if (++at[d] < loop[d].n)
                break;
            here -= step * loop[d].n;
            at[d] = 0;
        }
    }
}

/* Where block k of so many starts, so that all are full: the last one overlaps if it must. */
static int64_t block_start(int64_t at, int64_t least, int64_t count)
{
    return count - at < least && count >= least ? count - least : at;
}

static unsigned block_size(int64_t at, int64_t most, int64_t count)
{
    return (unsigned)(count - at < most ? count - at : most);
}

/* Blocks of columns, and in them blocks of rows as long as a cache line of the target. */
static void move_tiles(const native_job *job, const walk *w)
{
    const native_tiles *t = &job->tiles;
    const unsigned log = ops_log2(job->width), side = w->set->side[log];
    int64_t rows[NATIVE_WINDOW], columns[NATIVE_COLUMNS], line = NATIVE_WINDOW / job->width;
    for (int64_t c = 0; c < t->column_count; c += NATIVE_COLUMNS) {
        int64_t left = block_start(c, side, t->column_count);
        unsigned width = block_size(left, NATIVE_COLUMNS, t->column_count);
        list_offsets(t->column, t->columns, true, left, width, columns);
        for (int64_t r = 0; r < t->row_count; r += line) {
            int64_t top = block_start(r, side, t->row_count);
            unsigned height = block_size(top, line, t->row_count);
            list_offsets(t->row, t->rows, false, top, height, rows);
            const native_panel panel = {.in = w->from[0] + left * job->width,
                                        .end = w->end[0],
                                        .out = w->to + top * job->width,
                                        .row = rows,
                                        .column = columns,
                                        .rows = height,
                                        .columns = width};
            w->set->panel[log](&panel);
        }
    }
}

static void innermost(const walk *w)
{
    const native_job *job = w->job;
    if (job->kind == NATIVE_TILES)
        move_tiles(job, w);
    else
        w->set->shuffle(&job->shuffle, w->to, w->from, w->end);
}

static unsigned windows_of(const native_job *job)
{
    return job->kind == NATIVE_SHUFFLE ? job->shuffle.sources : 1;
}

static void nest(const walk *w, unsigned d)
{
    const native_job *job = w->job;
    const native_loop *loop = &job->loop[d];
    bool rows = job->kind == NATIVE_COPY || job->kind == NATIVE_ELEMENTS;
    if (rows && d + 1 == job->rank) {
        if (job->kind == NATIVE_COPY)
            w->set->copy(w->to, loop->out, w->from[0], loop->in[0], job->bytes, loop->n);
        else
            move_elements(job, loop, w);
        return;
    }
    if (d == job->rank) {
        innermost(w);
        return;
    }
    walk inner = *w;
    for (int64_t k = 0; k < loop->n; k++) {
        nest(&inner, d + 1);
        inner.to += loop->out;
        for (unsigned s = 0; s < windows_of(job); s++)
            inner.from[s] += loop->in[s];
    }
}

/* Cuts a loop to part k of n. */
static void cut_loop(native_job *job, native_loop *loop, unsigned k, unsigned n)
{
    int64_t first = loop->n * k / n;
    loop->n = loop->n * (k + 1) / n - first;
    job->out += first * loop->out;
    job->in += first * loop->in[0];
    for (unsigned s = 0; job->kind == NATIVE_SHUFFLE && s < job->shuffle.sources; s++)
        job->shuffle.source[s].in += first * loop->in[s];
}

/* Whole steps; what is left goes to the last part, whose last step overlaps the one before. */
static void cut_row(native_job *job, unsigned k, unsigned n)
{
    native_shuffle *s = &job->shuffle;
    int64_t steps = s->n / s->take, first = steps * k / n * s->take;
    s->n = (k + 1 == n ? s->n : steps * (k + 1) / n * s->take) - first;
    job->out += first * s->period;
    for (unsigned i = 0; i < s->sources; i++)
        s->source[i].in += first * s->source[i].step;
}

/* What can be divided best: the outermost loop with enough turns, else the largest; or, where none
 * has as many turns as there are parts, what is inside the loops. */
static void cut(native_job *job, unsigned k, unsigned n)
{
    native_loop *best = NULL;
    for (unsigned d = 0; d < job->rank; d++)
        if (!best || (best->n < 4 * (int64_t)n && job->loop[d].n > best->n))
            best = &job->loop[d];
    if (job->kind == NATIVE_TILES && (!best || best->n < (int64_t)n)) {
        native_tiles *t = &job->tiles;
        native_loop *outer = &t->column[t->columns - 1];
        t->column_count /= outer->n;
        cut_loop(job, outer, k, n);
        t->column_count *= outer->n;
        return;
    }
    if (job->kind == NATIVE_SHUFFLE && (!best || best->n < (int64_t)n)) {
        cut_row(job, k, n);
        return;
    }
    if (job->kind == NATIVE_COPY && best->n < (int64_t)n) {
        int64_t first = job->bytes / n * k;
        job->bytes = (k + 1 == n ? job->bytes : job->bytes / n * (k + 1)) - first;
        job->in += first;
        job->out += first;
        return;
    }
    if (best)
        cut_loop(job, best, k, n);
}

void ztl_native_run(const native_set *set, const native_job *job, const native_buffers *buffers,
                    unsigned k, unsigned n)
{
    native_job part;
    if (n > 1) {
        part = *job;
        cut(&part, k, n);
        job = &part;
    }
    walk w = {.set = set, .job = job, .to = buffers->out[job->dst - OPS_OUT] + job->out};
    w.from[0] = job->src == OPS_FILL ? job->value : buffers->in[job->src] + job->in;
    w.end[0] = job->src == OPS_FILL ? job->value + sizeof job->value : buffers->in_end[job->src];
    for (unsigned s = 0; job->kind == NATIVE_SHUFFLE && s < job->shuffle.sources; s++) {
        const native_source *source = &job->shuffle.source[s];
        w.from[s] = buffers->in[source->src] + source->in;
        w.end[s] = buffers->in_end[source->src];
    }
    bool empty = (job->kind == NATIVE_TILES && !job->tiles.column_count) ||
                 (job->kind == NATIVE_SHUFFLE && !job->shuffle.n);
    if (!empty)
        nest(&w, 0);
}
