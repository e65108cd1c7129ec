/* SPDX-License-Identifier: Apache-2.0
 * Running a job: the loops around its kernel.
 */
#include "movers/job.h"

/* A job while it runs: its pointers go on with the loops. */
typedef struct walk {
    const native_set *set;
    const native_job *job;
    const uint8_t *from[NATIVE_SOURCES], *end[NATIVE_SOURCES];
    uint8_t *to, *limit; /* up to `limit`, what is behind a row is written later; may be NULL */
    int64_t limit_step;  /* of the limit, with the loop around the innermost */
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

static void move_elements(const native_job *job, const native_loop *outer, const native_loop *inner,
                          const walk *w)
{
    for (int64_t j = 0; j < outer->n; j++)
        for (int64_t k = 0; k < inner->n; k++)
            move_element(w->to + j * outer->out + k * inner->out,
                         w->from[0] + j * outer->in[0] + k * inner->in[0], job->bytes);
}

/* Offsets of `count` positions from the first-th on, in a nest of loops. */
static void list_offsets(const native_loop *loop, unsigned loops, bool target, int64_t first,
                         unsigned count, int64_t *offset)
{
    int64_t at[OPS_DIMS], here = 0;
    for (unsigned d = 0; d < loops; d++) {
        at[d] = first ? first % loop[d].n : 0;
        first = first ? first / loop[d].n : 0;
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

/* Where a block starts, so that all are full: the last one overlaps if it must. */
static int64_t block_start(int64_t at, int64_t least, int64_t count)
{
    return count - at < least && count >= least ? count - least : at;
}

static unsigned block_size(int64_t at, int64_t most, int64_t count)
{
    return (unsigned)(count - at < most ? count - at : most);
}

int64_t ztl_native_listed(const native_job *job)
{
    const native_tiles *t = &job->tiles;
    if (job->kind == NATIVE_BLOCK)
        return ztl_native_block_words(&job->block);
    bool lists = job->kind == NATIVE_TILES && (t->rows > 1 || t->columns > 1) &&
                 t->row_count <= NATIVE_LISTED && t->column_count <= NATIVE_LISTED;
    return lists ? ops_ceil(t->row_count + t->column_count, 8) * 8 : 0;
}

void ztl_native_list(native_job *job, int64_t *list)
{
    native_tiles *t = &job->tiles;
    if (job->kind == NATIVE_BLOCK) {
        ztl_native_block_list(&job->block, list);
        return;
    }
    t->row_list = list;
    t->column_list = list + t->row_count;
    list_offsets(t->row, t->rows, false, 0, (unsigned)t->row_count, list);
    list_offsets(t->column, t->columns, true, 0, (unsigned)t->column_count, list + t->row_count);
}

/* Blocks of columns, and in them blocks of rows as long as a cache line of the target. */
static void move_blocks(const native_job *job, const walk *w)
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
                                        .columns = width,
                                        .times = 1};
            w->set->panel[log](&panel);
        }
    }
}

static void move_tiles(const native_job *job, const native_loop *times, const walk *w)
{
    const native_tiles *t = &job->tiles;
    if ((t->rows > 1 || t->columns > 1) && !t->row_list) {
        walk one = *w;
        for (int64_t k = 0; k < times->n; k++, one.to += times->out, one.from[0] += times->in[0])
            move_blocks(job, &one);
        return;
    }
    const native_panel panel = {.in = w->from[0],
                                .end = w->end[0],
                                .out = w->to,
                                .row = t->row_list,
                                .column = t->column_list,
                                .row_step = t->row[0].in[0],
                                .column_step = t->column[0].out,
                                .rows = t->row_count,
                                .columns = t->column_count,
                                .times = times->n,
                                .in_step = times->in[0],
                                .out_step = times->out};
    w->set->panel[ops_log2(job->width)](&panel);
}

/* The bytes of the target from loop d on, where they are without gaps. */
static int64_t solid_bytes(const native_job *job, unsigned d)
{
    return d < job->rank ? job->loop[d].n * job->loop[d].out : job->shuffle.n * job->shuffle.period;
}

/* The outermost loop from which on rows of the target follow each other. */
static unsigned find_solid(const native_job *job)
{
    unsigned d = job->rank;
    while (d > 0 && job->loop[d - 1].out == solid_bytes(job, d))
        d--;
    return d;
}

static const native_loop once = {.n = 1};

/* Loop `back` from the innermost on. */
static const native_loop *inner_loop(const native_job *job, unsigned back)
{
    return job->rank > back ? &job->loop[job->rank - 1 - back] : &once;
}

/* The innermost loops, which kernels of rows take as a whole. */
static void run_rows(const walk *w)
{
    const native_job *job = w->job;
    const native_loop *rows = inner_loop(job, 0), *more = inner_loop(job, 1);
    if (job->kind == NATIVE_COPY)
        w->set->copy(w->to, w->from[0], job->bytes, more, rows);
    else if (job->kind == NATIVE_ELEMENTS)
        move_elements(job, more, rows, w);
    else if (job->kind == NATIVE_SHUFFLE)
        w->set->shuffle(&job->shuffle, more, rows, w->to, w->limit, w->limit_step, w->from, w->end);
    else
        move_tiles(job, rows, w);
}

/* How many loops run_rows leaves. */
static unsigned outer_loops(const native_job *job)
{
    unsigned taken = job->kind == NATIVE_TILES ? 1 : 2;
    return job->rank > taken ? job->rank - taken : 0;
}

static void step(walk *w, const native_loop *loop, unsigned sources, int64_t turns)
{
    w->to += turns * loop->out;
    for (unsigned s = 0; s < sources; s++)
        w->from[s] += turns * loop->in[s];
}

/* All other loops, like the wheels of a counter. */
static void run_loops(walk *w)
{
    const native_job *job = w->job;
    const bool shuffles = job->kind == NATIVE_SHUFFLE;
    const unsigned sources = shuffles ? job->shuffle.sources : 1;
    const unsigned outer = outer_loops(job);
    const unsigned solid = shuffles ? find_solid(job) : job->rank;
    int64_t at[OPS_DIMS] = {0};
    bool limits = solid < job->rank;
    w->limit_step = limits && solid + 1 == job->rank ? inner_loop(job, 1)->out : 0;
    for (;;) {
        if (limits)
            w->limit = w->to + solid_bytes(job, solid);
        run_rows(w);
        unsigned d = outer;
        while (d > 0 && ++at[d - 1] == job->loop[d - 1].n) {
            at[d - 1] = 0;
            step(w, &job->loop[d - 1], sources, 1 - job->loop[d - 1].n);
            d--;
        }
        if (d == 0)
            return;
        step(w, &job->loop[d - 1], sources, 1);
        limits = d <= solid && solid < job->rank;
    }
}

/* Where part k of n starts, of so many turns in units of so many. */
static int64_t part_start(int64_t turns, int64_t unit, unsigned k, unsigned n)
{
    return k == n ? turns : ops_ceil(turns, unit) * k / n * unit;
}

/* Cuts a loop to part k of n. */
static void cut_loop(native_job *job, native_loop *loop, int64_t unit, unsigned k, unsigned n)
{
    const int64_t first = part_start(loop->n, unit, k, n);
    loop->n = part_start(loop->n, unit, k + 1, n) - first;
    job->out += first * loop->out;
    job->in += first * loop->in[0];
    for (unsigned s = 0; job->kind == NATIVE_SHUFFLE && s < job->shuffle.sources; s++)
        job->shuffle.source[s].in += first * loop->in[s];
}

/* Whole blocks; what is left goes to the last part. */
static void cut_blocks(native_job *job, unsigned k, unsigned n)
{
    native_block *b = &job->block;
    int64_t steps = b->n / b->take, first = steps * k / n * b->take;
    b->n = (k + 1 == n ? b->n : steps * (k + 1) / n * b->take) - first;
    job->in += first * b->in;
    job->out += first * b->out;
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
        const int64_t unit = outer->n < 4 * NATIVE_COLUMNS ? 1 : NATIVE_COLUMNS; /* whole blocks */
        const int64_t first = part_start(outer->n, unit, k, n);
        t->column_count /= outer->n;
        if (t->column_list) { /* offsets are in the list, from the first of all columns on */
            t->column_list += first * t->column_count;
            job->out -= first * outer->out;
        }
        cut_loop(job, outer, unit, k, n);
        t->column_count *= outer->n;
        return;
    }
    if (job->kind == NATIVE_SHUFFLE && (!best || best->n < (int64_t)n)) {
        cut_row(job, k, n);
        return;
    }
    if (job->kind == NATIVE_BLOCK && (!best || best->n < (int64_t)n)) {
        cut_blocks(job, k, n);
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
        cut_loop(job, best, 1, k, n);
}

/* The wheels of a counter again, with offsets: all sources go on together, and all targets. */
static void run_blocks(const native_set *set, const native_job *job, const native_buffers *buffers)
{
    const native_block *b = &job->block;
    const unsigned outer = outer_loops(job);
    const uint8_t *from[NATIVE_BLOCK_SOURCES], *end[NATIVE_BLOCK_SOURCES];
    uint8_t *to[NATIVE_BLOCK_TARGETS];
    int64_t at[OPS_DIMS] = {0}, in = job->in, out = job->out;
    for (unsigned i = 0; i < b->sources; i++)
        end[i] = buffers->in_end[b->source[i].buffer];
    for (;;) {
        for (unsigned i = 0; i < b->sources; i++)
            from[i] = buffers->in[b->source[i].buffer] + b->source[i].at + in;
        for (unsigned i = 0; i < b->targets; i++)
            to[i] = buffers->out[b->target[i].buffer - OPS_OUT] + b->target[i].at + out;
        set->block(b, inner_loop(job, 1), inner_loop(job, 0), to, from, end);
        unsigned d = outer;
        for (; d > 0 && ++at[d - 1] == job->loop[d - 1].n; d--) {
            at[d - 1] = 0;
            in += (1 - job->loop[d - 1].n) * job->loop[d - 1].in[0];
            out += (1 - job->loop[d - 1].n) * job->loop[d - 1].out;
        }
        if (d == 0)
            return;
        in += job->loop[d - 1].in[0];
        out += job->loop[d - 1].out;
    }
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
    for (unsigned d = 0; d < job->rank; d++)
        if (!job->loop[d].n) /* more parts than turns */
            return;
    if (job->kind == NATIVE_BLOCK) {
        if (job->block.n)
            run_blocks(set, job, buffers);
        return;
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
        run_loops(&w);
}
