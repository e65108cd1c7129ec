/* SPDX-License-Identifier: Apache-2.0
 * The batches of a group on a host: as rounds, which the model runs fused.
 */
#include "ops/exec/exec.h"
#include "ops/exec/insn.h"

/* Lets the host execute batches at once, as many as it can; of n, returns how many remain. */
static inline int64_t go_ahead(int64_t n, const uint8_t **from, uint8_t **to, int64_t in,
                               int64_t out)
{
    int64_t done;
    while (n > 0 && (done = (int64_t)ztl_intrin_rounds_ahead((size_t)n, *from, in, *to, out))) {
        *from += done * in;
        *to += done * out;
        n -= done;
    }
    return n;
}

/* The same batch n times, step by step. */
static void run_steps(const ops_pass *pass, const uint8_t *from, uint8_t *to, const ops_dim *step)
{
    int64_t in = step->in, out = step->out, n = go_ahead(step->n, &from, &to, in, out);
    for (; n > 0; from += in, to += out, n = go_ahead(n - 1, &from, &to, in, out))
        if (ztl_intrin_round_begin(from, to)) {
            ztl_ops_run_program(pass, from, to);
            ztl_intrin_round_end();
        }
}

static int64_t smaller_step(const ops_dim *loop)
{
    int64_t in = loop->in < 0 ? -loop->in : loop->in, out = loop->out < 0 ? -loop->out : loop->out;
    return in < out ? in : out;
}

/* On a host, the innermost loop is one whose batches lie close together in the source or the
 * target: the next one uses the rest of a cache line. */
static const ops_dim *order_loops(const ops_pass *pass, ops_dim *room)
{
    enum { CACHE_LINE = 64 };
    unsigned inner = pass->loops - 1;
    int64_t least = pass->load_width < CACHE_LINE ? CACHE_LINE : pass->load_width;
    for (unsigned d = 0; d < pass->loops; d++) {
        room[d] = pass->loop[d];
        if (smaller_step(&room[d]) <= least) {
            least = smaller_step(&room[d]);
            inner = d;
        }
    }
    if (pass->loops > 1) {
        room[inner] = pass->loop[pass->loops - 1];
        room[pass->loops - 1] = pass->loop[inner];
    }
    return room;
}

/* Listed batches at equal distances are a loop too. */
static void run_list(const ops_pass *pass, const ops_batch *batch, const ops_batch *last,
                     const uint8_t *from, uint8_t *to, const ops_dim *inner)
{
    for (const ops_batch *next; batch < last; batch = next) {
        ops_dim step = *inner;
        next = batch + 1;
        if (!pass->loops && next < last)
            step = (ops_dim){1, next->in - batch->in, next->out - batch->out};
        for (; !pass->loops && next < last && next->in - next[-1].in == step.in &&
               next->out - next[-1].out == step.out;
             next++)
            step.n++;
        run_steps(pass, from + batch->in, to + batch->out, &step);
    }
}

/* The batches of a group at every position of the pass's loops. */
void ztl_ops_run_rounds(const ops_pass *pass, const ops_group *group, const uint8_t *from,
                        uint8_t *to)
{
    static const ops_dim once = {1, 0, 0};
    const ops_batch *batch = ops_pass_batches(pass) + group->first, *last = batch + group->count;
    ops_dim room[OPS_DIMS];
    const ops_dim *loop = order_loops(pass, room);
    unsigned outer = pass->loops ? pass->loops - 1 : 0, d;
    const ops_dim *inner = pass->loops ? &loop[outer] : &once;
    int64_t at[OPS_DIMS];
    for (d = 0; d < outer; d++) /* only these: a pass may have many groups */
        at[d] = 0;
    do {
        run_list(pass, batch, last, from, to, inner);
        for (d = outer; d-- > 0;) {
            from += loop[d].in;
            to += loop[d].out;
            if (++at[d] < loop[d].n)
                break;
            from -= loop[d].in * loop[d].n;
            to -= loop[d].out * loop[d].n;
            at[d] = 0;
        }
    } while (d < outer);
}
