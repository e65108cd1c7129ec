/* SPDX-License-Identifier: Apache-2.0
 * Gathers of runs that lie at any distance: slices wait until there are enough for an instruction,
 * apart by what their places leave over when divided by the width.
 */
#include "ops/exec/exec.h"
#include "ops/exec/indexed/indices.h"

#include <ztl/intrin.h>

enum { MOST_QUEUES = OPS_BLOCK / 2, ROOM = OPS_BLOCK };

/* One queue for each residue of the source; all targets have the same one. A queue has room for a
 * register of slices: that of one less wide than 32 bytes for 32. */
typedef struct queues {
    const ops_sorting *s;
    int64_t width, grain;
    unsigned slices;
    uint8_t *target; /* of stride 0 */
    uint8_t waiting[MOST_QUEUES];
    int32_t load[ROOM], store[ROOM];
} queues;

static void flush(queues *q, unsigned queue, const uint8_t *from)
{
    unsigned n = q->waiting[queue], first = queue * q->slices;
    if (n != *q->s->shape) {
        __riscv_ztl_csrw_tshape(ZTL_SHAPE(n, 1, 1));
        *q->s->shape = n;
    }
    __riscv_ztl_set_load_strides(q->load + first, n);
    __riscv_ztl_set_store_strides(q->store + first, n);
    __riscv_ztl_load(1, from, 0);
    __riscv_ztl_store(1, q->target, 0);
    q->waiting[queue] = 0;
}

/* The slices of a run, from `in` to so many widths behind the target. */
static inline void add(queues *q, int64_t in, int64_t out, int64_t parts)
{
    int64_t residue = ops_mod(in, q->width);
    int32_t load = (int32_t)((in - residue) / q->width), store = (int32_t)out;
    unsigned queue = (unsigned)(residue / q->grain);
    while (parts > 0) {
        unsigned n = q->waiting[queue], room = q->slices - n;
        unsigned now = parts < room ? (unsigned)parts : room;
        int32_t *loads = q->load + queue * q->slices + n;
        int32_t *stores = q->store + queue * q->slices + n;
        for (unsigned i = 0; i < now; i++) {
            loads[i] = load++;
            stores[i] = store++;
        }
        parts -= now;
        q->waiting[queue] = (uint8_t)(n + now);
        if (n + now == q->slices)
            flush(q, queue, q->s->from + residue);
    }
}

/* Every position of one class, then what waits: all places are multiples of the grain. */
static void gather_class(queues *q, const uint8_t *at, int64_t n, int64_t in)
{
    const ops_pass *pass = q->s->pass;
    const ops_indexed *x = ops_pass_indexed(pass);
    const ops_dim *last = &pass->loop[pass->loops - 1];
    int64_t step = x->step[pass->loops - 1] * x->classes, next = last->in * x->classes;
    int64_t away = last->out * x->classes / q->width, out = 0;
    for (int64_t k = 0; k < n; k++, at += step, in += next, out += away)
        add(q, in + ops_places_of(x, at, x->bytes), out, x->parts);
    for (unsigned queue = 0; queue < q->width / q->grain; queue++)
        if (q->waiting[queue])
            flush(q, queue, q->s->from + queue * q->grain);
}

void ztl_ops_gather_sorted(const ops_sorting *s, const uint8_t *at, int64_t n, int64_t in,
                           int64_t out)
{
    const ops_pass *pass = s->pass;
    const ops_indexed *x = ops_pass_indexed(pass);
    const ops_dim *last = &pass->loop[pass->loops - 1];
    queues q;
    q.s = s;
    q.width = pass->load_width;
    q.grain = x->grain;
    q.slices = pass->slices;
    memset(q.waiting, 0, (size_t)(q.width / q.grain));
    for (int64_t c = 0; c < x->classes && c < n; c++) {
        q.target = s->to + out + c * last->out;
        gather_class(&q, at, (n - c - 1) / x->classes + 1, in);
        at += x->step[pass->loops - 1];
        in += last->in;
    }
}
