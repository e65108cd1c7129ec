/* SPDX-License-Identifier: Apache-2.0
 * Movers: an operator by the host's own instructions, on as many threads as the caller asks for.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "ops/api/buffers.h"
#include "ops/api/check.h"
#include "ops/api/mover.h"
#include "ops/native/look_up.h"
#include "ops/native/where.h"
#include "ops/operators/table.h"

/* Maps of more pieces than these are not looked through for groups, and kept as they are: a job is
 * much larger than a piece. Those of still more are planned. */
enum { MOST_JOBS = 256, MOST_PIECES = 1 << 20 };

/* Less is not worth a thread, or a part, in bytes of the output. */
enum { THREAD_BYTES = 2 << 20, MOST_THREADS = 64, PART_BYTES = 256 << 10, THREAD_PARTS = 8 };

struct ztl_ops_mover {
    ztl_ops_plan *plan; /* what does the work where the operator is no plain index map */
    bool is_where;
    ops_loops where;         /* of such: condition, x, y, output */
    native_look_up *look_up; /* … or this, unless an index is wrong: the plan says which */
    const native_set *set;
    native_job *job;  /* NULL: `piece` has what there is to do */
    ops_piece *piece; /* in `memory` */
    void *memory;
    int64_t *list; /* tables that jobs need */
    size_t count;
    unsigned element;
    uint64_t bytes; /* of the outputs */
    uint8_t value[32];
    uint64_t inputs, outputs;
    ops_span spans[2 * ZTL_OPS_BUFFERS];
};

/* Whether an operator only moves elements, to and from places that are known now, and has one
 * constant at most. */
static bool is_map(const ztl_ops_op *op, size_t inputs)
{
    const unsigned more = OPS_SELECTS | OPS_ADDS | OPS_ON_OFF;
    return !(ztl_ops_operator(op->kind)->traits & more) && ztl_ops_index_input(op, inputs) < 0;
}

/* The map in memory of the mover's; false, with no error, where it should be planned instead. */
static bool build_map(ztl_ops_mover *mover, ops_call *call, ops_map *map)
{
    ops_arena arena = {.base = NULL};
    *map = (ops_map){.scratch_limit = 0};
    ztl_ops_build_map(call, &arena, map);
    if (map->count > MOST_PIECES)
        return false;
    size_t room =
        (map->count + 2) * sizeof(ops_piece) + 4 * call->op->indices.count * sizeof(int64_t);
    mover->memory = malloc(room);
    if (!mover->memory)
        return false;
    arena = (ops_arena){.base = mover->memory, .high = room & ~(size_t)7};
    *map = (ops_map){.scratch_limit = 0};
    if (!ztl_ops_build_map(call, &arena, map))
        return false;
    return map->element || ztl_ops_to_bytes(map);
}

static bool list_offsets(ztl_ops_mover *mover)
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

static bool build_jobs(ztl_ops_mover *mover, const ops_map *map)
{
    mover->element = map->element;
    mover->count = map->count;
    mover->piece = map->piece;
    if (map->count > MOST_JOBS)
        return true;
    mover->job = malloc(map->count * (sizeof *mover->job + 1) + 1);
    if (!mover->job)
        return false;
    mover->count = ztl_native_build(mover->set, map, mover->value, mover->job);
    return list_offsets(mover);
}

static bool prepare_where(ztl_ops_mover *mover, const ops_call *call)
{
    const ztl_ops_tensor *const all[] = {&call->in[0], &call->in[1], &call->in[2], &call->out[0]};
    mover->is_where = ops_does(call->op, OPS_SELECTS) && call->out[0].bits != 4;
    mover->element = call->out[0].bits / 8;
    if (mover->is_where)
        mover->where = ztl_ops_loops_of(all, OPS_TOGETHER);
    return mover->is_where;
}

/* Where indices are read when it runs, and there is code for that. */
static void prepare_look_up(ztl_ops_mover *mover, const ops_call *call)
{
    ops_lookup x;
    if (call->out[0].bits == 4 || !ztl_ops_look_up(call, &x))
        return;
    mover->look_up = malloc(sizeof *mover->look_up);
    if (mover->look_up && !ztl_native_look_up_new(mover->look_up, &x, call->out[0].bits / 8)) {
        free(mover->look_up);
        mover->look_up = NULL;
    }
}

static bool prepare(ztl_ops_mover *mover, ops_call *call)
{
    ops_map map;
    ztl_error *error = call->error;
    const unsigned bits = call->out[0].bits;
    mover->inputs = call->inputs;
    mover->outputs = call->outputs;
    for (size_t i = 0; i < call->inputs + call->outputs; i++)
        ztl_ops_tensor_span(i < call->inputs ? &call->in[i] : &call->out[i - call->inputs],
                            &mover->spans[i].low, &mover->spans[i].high);
    for (size_t i = 0; i < call->outputs; i++)
        mover->bytes += (uint64_t)ztl_ops_tensor_elements(&call->out[i]) * bits / 8;
    for (unsigned b = 0; b < sizeof mover->value; b++)
        mover->value[b] = bits == 4
                              ? (uint8_t)((call->op->value & 15) * 17)
                              : (uint8_t)(ops_fill_word(call->op, OPS_FILL, b / 8) >> b % 8 * 8);
    call->error = NULL;
    bool good =
        is_map(call->op, call->inputs) && build_map(mover, call, &map) && build_jobs(mover, &map);
    call->error = error;
    return good;
}

ztl_ops_mover *ztl_ops_mover_with(const native_set *set, const ztl_ops_op *op,
                                  const ztl_ops_tensor *in, size_t inputs,
                                  const ztl_ops_tensor *out, size_t outputs, ztl_error *error)
{
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return NULL;
    ztl_ops_mover *mover = calloc(1, sizeof *mover);
    if (!mover) {
        ztl_ops_fail(error, "out of memory");
        return NULL;
    }
    mover->set = set;
    if (prepare(mover, &call) || prepare_where(mover, &call))
        return mover;
    prepare_look_up(mover, &call);
    mover->plan = ztl_ops_plan_new(op, in, inputs, out, outputs, NULL, error);
    if (mover->plan)
        return mover;
    ztl_ops_mover_free(mover);
    return NULL;
}

ztl_ops_mover *ztl_ops_mover_new(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                 const ztl_ops_tensor *out, size_t outputs, ztl_error *error)
{
    return ztl_ops_mover_with(ztl_native_set(0), op, in, inputs, out, outputs, error);
}

bool ztl_ops_mover_plans(const ztl_ops_mover *mover)
{
    return mover->plan;
}

void ztl_ops_mover_free(ztl_ops_mover *mover)
{
    if (!mover)
        return;
    ztl_ops_plan_free(mover->plan);
    free(mover->look_up);
    free(mover->job);
    free(mover->list);
    free(mover->memory);
    free(mover);
}

/* A run in parts, which threads take one after another: one that is held up leaves more to the
 * others. */
typedef struct work {
    const ztl_ops_mover *mover;
    const native_buffers *buffers;
    unsigned parts;
    atomic_uint next;
} work;

static void run_part(const work *w, unsigned k)
{
    const ztl_ops_mover *m = w->mover;
    if (m->job) {
        for (size_t i = 0; i < m->count; i++)
            ztl_native_run(m->set, &m->job[i], w->buffers, k, w->parts);
        return;
    }
    for (size_t i = m->count * k / w->parts; i < m->count * (k + 1) / w->parts; i++) {
        native_job job = ztl_native_alone(m->set, &m->piece[i], m->element, m->value);
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
static unsigned parts_for(const ztl_ops_mover *mover, unsigned threads)
{
    const uint64_t most = mover->bytes / PART_BYTES, wanted = (uint64_t)threads * THREAD_PARTS;
    const uint64_t parts = most < wanted ? most : wanted;
    return threads == 1 || parts < threads ? threads : (unsigned)parts;
}

/* Threads that cannot be started leave their parts to the others. */
static void run_parts(const ztl_ops_mover *mover, const native_buffers *buffers, unsigned threads)
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

static unsigned useful_threads(const ztl_ops_mover *mover, unsigned threads)
{
    uint64_t most = mover->bytes / THREAD_BYTES;
    most = most < MOST_THREADS ? most : MOST_THREADS;
    threads = threads < most ? threads : (unsigned)most;
    return threads ? threads : 1;
}

static void take_buffers(const ztl_ops_mover *mover, const void *const *in, void *const *out,
                         native_buffers *buffers)
{
    for (size_t i = 0; i < mover->inputs; i++) {
        buffers->in[i] = in ? in[i] : NULL; /* of an empty tensor it may be */
        buffers->in_end[i] = buffers->in[i] ? buffers->in[i] + mover->spans[i].high : NULL;
    }
    for (size_t i = 0; i < mover->outputs; i++)
        buffers->out[i] = out ? out[i] : NULL;
}

bool ztl_ops_mover_run_on(const ztl_ops_mover *mover, const void *const *in, void *const *out,
                          unsigned threads, ztl_error *error)
{
    native_buffers buffers;
    const ops_given given = {.spans = mover->spans,
                             .inputs = (uint32_t)mover->inputs,
                             .outputs = (uint32_t)mover->outputs,
                             .in = in,
                             .out = out};
    if (mover->plan && !mover->look_up)
        return ztl_ops_plan_run(mover->plan, in, out, error);
    if (!ztl_ops_check_buffers(&given, error))
        return false;
    take_buffers(mover, in, out, &buffers);
    if (mover->is_where && mover->bytes)
        ztl_native_where(&mover->where, mover->element, &buffers);
    if (mover->is_where)
        return true;
    if (mover->look_up)
        return ztl_native_look_up(mover->look_up, &buffers) ||
               ztl_ops_plan_run(mover->plan, in, out, error);
    run_parts(mover, &buffers, threads);
    return true;
}

bool ztl_ops_mover_run(const ztl_ops_mover *mover, const void *const *in, void *const *out,
                       unsigned threads, ztl_error *error)
{
    return ztl_ops_mover_run_on(mover, in, out, useful_threads(mover, threads), error);
}

#ifndef __riscv /* where a plan is what is fast */
bool ztl_ops_apply(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                   const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                   void *const *target, ztl_error *error)
{
    ztl_ops_mover *mover = ztl_ops_mover_new(op, in, inputs, out, outputs, error);
    bool good = mover && ztl_ops_mover_run(mover, source, target, 1, error);
    ztl_ops_mover_free(mover);
    return good;
}
#endif
