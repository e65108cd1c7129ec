/* SPDX-License-Identifier: Apache-2.0
 * Movers: an index map by the host's own instructions, on as many threads as the caller asks for.
 */
#include "movers/mover.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "movers/look_up.h"
#include "movers/select.h"
#include "ops/api/moves.h"

/* Maps of more pieces are not looked through for groups, and kept as pieces: a job is much larger
 * than a piece. */
enum { MOST_JOBS = 256 };

/* Less is not worth a thread, or a part, in bytes of the output. */
enum { THREAD_BYTES = 2 << 20, MOST_THREADS = 64, PART_BYTES = 256 << 10, THREAD_PARTS = 8 };

struct ztl_mover {
    ops_moves moves;
    ztl_ops_plan *plan; /* NULL for maps and selections; names an index that is wrong */
    bool looks_up;
    native_look_up look_up;
    const native_set *set;
    native_job *job; /* NULL: the map's pieces are run one by one */
    int64_t *list;   /* tables that jobs need */
    size_t count;    /* of jobs or pieces */
};

static bool list_offsets(ztl_mover *mover)
{
    int64_t total = 0;
    for (size_t i = 0; i < mover->count; i++)
        total += ztl_native_listed(&mover->job[i]);
    mover->list = aligned_alloc(NATIVE_WINDOW, (size_t)(total + 8) * sizeof *mover->list);
    for (size_t i = 0, used = 0; mover->list && i < mover->count; i++)
        if (ztl_native_listed(&mover->job[i])) {
            ztl_native_list(&mover->job[i], mover->list + used);
            used += (size_t)ztl_native_listed(&mover->job[i]);
        }
    return mover->list;
}

static bool build_jobs(ztl_mover *mover)
{
    const ops_map *map = &mover->moves.map;
    mover->count = map->count;
    if (map->count > MOST_JOBS)
        return true;
    mover->job = malloc(map->count * (sizeof *mover->job + 1) + 1);
    if (!mover->job)
        return false;
    mover->count = ztl_native_build(mover->set, map, mover->moves.value, mover->job);
    return list_offsets(mover);
}

/* True where no plan is needed. */
static bool prepare(ztl_mover *mover)
{
    const ops_moves *moves = &mover->moves;
    if (moves->form == OPS_MOVES_LOOK_UP)
        mover->looks_up =
            ztl_native_look_up_new(&mover->look_up, &moves->look_up, (int64_t)moves->element);
    return moves->form == OPS_MOVES_SELECTS || (moves->form == OPS_MOVES_MAP && build_jobs(mover));
}

ztl_mover *ztl_mover_with(const native_set *set, const ztl_ops_op *op, const ztl_ops_tensor *in,
                          size_t inputs, const ztl_ops_tensor *out, size_t outputs,
                          ztl_error *error)
{
    ztl_mover *mover = calloc(1, sizeof *mover);
    if (!mover) {
        if (error)
            *error = (ztl_error){"out of memory"};
        return NULL;
    }
    mover->set = set;
    if (ztl_ops_moves_of(op, in, inputs, out, outputs, &mover->moves, error) &&
        (prepare(mover) ||
         (mover->plan = ztl_ops_plan_new(op, in, inputs, out, outputs, NULL, error))))
        return mover;
    ztl_mover_free(mover);
    return NULL;
}

ztl_mover *ztl_mover_new(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                         const ztl_ops_tensor *out, size_t outputs, ztl_error *error)
{
    return ztl_mover_with(ztl_native_set(0), op, in, inputs, out, outputs, error);
}

bool ztl_mover_plans(const ztl_mover *mover)
{
    return mover->plan;
}

void ztl_mover_free(ztl_mover *mover)
{
    if (!mover)
        return;
    ztl_ops_plan_free(mover->plan);
    ztl_ops_moves_free(&mover->moves);
    free(mover->job);
    free(mover->list);
    free(mover);
}

/* A run in parts, which threads take one after another: one that is held up leaves more to the
 * others. */
typedef struct work {
    const ztl_mover *mover;
    const native_buffers *buffers;
    unsigned parts;
    atomic_uint next;
} work;

static void run_part(const work *w, unsigned k)
{
    const ztl_mover *m = w->mover;
    if (m->job) {
        for (size_t i = 0; i < m->count; i++)
            ztl_native_run(m->set, &m->job[i], w->buffers, k, w->parts);
        return;
    }
    for (size_t i = m->count * k / w->parts; i < m->count * (k + 1) / w->parts; i++) {
        native_job job =
            ztl_native_alone(m->set, &m->moves.map.piece[i], m->moves.element, m->moves.value);
        ztl_native_run(m->set, &job, w->buffers, 0, 1);
    }
}

static void *run_thread(void *context)
{
    work *w = context;
    for (unsigned k; (k = atomic_fetch_add_explicit(&w->next, 1, memory_order_relaxed)) < w->parts;)
        run_part(w, k);
    return NULL;
}

/* Several for each thread, unless they would be short. */
static unsigned parts_for(const ztl_mover *mover, unsigned threads)
{
    const uint64_t most = mover->moves.bytes / PART_BYTES,
                   wanted = (uint64_t)threads * THREAD_PARTS;
    const uint64_t parts = most < wanted ? most : wanted;
    return threads == 1 || parts < threads ? threads : (unsigned)parts;
}

/* Threads that cannot be started leave their parts to the others. */
static void run_parts(const ztl_mover *mover, const native_buffers *buffers, unsigned threads)
{
    pthread_t thread[MOST_THREADS];
    unsigned started = 0;
    work w = {.mover = mover, .buffers = buffers, .parts = parts_for(mover, threads)};
    atomic_init(&w.next, 0);
    while (started + 1 < threads && !pthread_create(&thread[started], NULL, run_thread, &w))
        started++;
    run_thread(&w);
    for (unsigned k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
}

static unsigned useful_threads(const ztl_mover *mover, unsigned threads)
{
    uint64_t most = mover->moves.bytes / THREAD_BYTES;
    most = most < MOST_THREADS ? most : MOST_THREADS;
    threads = threads < most ? threads : (unsigned)most;
    return threads ? threads : 1;
}

static void take_buffers(const ztl_mover *mover, const void *const *in, void *const *out,
                         native_buffers *buffers)
{
    for (size_t i = 0; i < mover->moves.inputs; i++) {
        buffers->in[i] = in ? in[i] : NULL; /* of an empty tensor it may be */
        buffers->in_end[i] = buffers->in[i] ? buffers->in[i] + mover->moves.spans[i].high : NULL;
    }
    for (size_t i = 0; i < mover->moves.outputs; i++)
        buffers->out[i] = out ? out[i] : NULL;
}

bool ztl_mover_run_on(const ztl_mover *mover, const void *const *in, void *const *out,
                      unsigned threads, ztl_error *error)
{
    native_buffers buffers;
    const ops_given given = {.spans = mover->moves.spans,
                             .inputs = mover->moves.inputs,
                             .outputs = mover->moves.outputs,
                             .in = in,
                             .out = out};
    if (mover->plan && !mover->looks_up)
        return ztl_ops_plan_run(mover->plan, in, out, error);
    if (!ztl_ops_check_buffers(&given, error))
        return false;
    take_buffers(mover, in, out, &buffers);
    if (mover->looks_up)
        return ztl_native_look_up(&mover->look_up, &buffers) ||
               ztl_ops_plan_run(mover->plan, in, out, error);
    if (mover->moves.form == OPS_MOVES_MAP)
        run_parts(mover, &buffers, threads);
    else if (mover->moves.bytes)
        ztl_native_select(&mover->moves.loops, mover->moves.element, &buffers);
    return true;
}

bool ztl_mover_run(const ztl_mover *mover, const void *const *in, void *const *out,
                   unsigned threads, ztl_error *error)
{
    return ztl_mover_run_on(mover, in, out, useful_threads(mover, threads), error);
}

bool ztl_mover_apply(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                     const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                     void *const *target, ztl_error *error)
{
    ztl_mover *mover = ztl_mover_new(op, in, inputs, out, outputs, error);
    bool good = mover && ztl_mover_run(mover, source, target, 1, error);
    ztl_mover_free(mover);
    return good;
}
