/* SPDX-License-Identifier: Apache-2.0
 * Running a plan: sets the strides of each group, then executes the pass's program for every
 * batch. Nothing is decided here.
 */
#include "ops/exec/exec.h"
#include "ops/exec/insn.h"
#include "ops/format/indexed.h"

static void add(const ops_insn *insn)
{
    __riscv_ztl_csrw_ttype(insn->arg);
    ops_insn_add((int)insn->offset);
    __riscv_ztl_csrw_ttype(0);
}

/* Macro-instructions: they are not inlined, so that the loop over the others stays short. */
static __attribute__((noinline)) void run_macro(const ops_insn *insn)
{
    switch (ops_code_of(insn)) {
    case OPS_INTERLEAVE3:
        ztl_ops_run_interleave3(insn->arg);
        break;
    case OPS_DEINTERLEAVE3:
        ztl_ops_run_deinterleave3(insn->arg);
        break;
    case OPS_CONCAT:
        ztl_ops_run_concat(insn);
        break;
    case OPS_TRANSPOSE4:
        ztl_ops_run_transpose4(insn->arg);
        break;
    default:
        ztl_ops_run_shift4(insn->arg);
    }
}

/* Any program: one jump for each instruction. */
static inline void execute(const ops_insn *insn, const ops_insn *end, const uint8_t *from,
                           uint8_t *to)
{
#define X(r)                                                                                       \
    case OPS_LOAD | (r) << 4:                                                                      \
        __riscv_ztl_load((r) + 1, from + insn->offset, 0);                                         \
        break;                                                                                     \
    case OPS_STORE | (r) << 4:                                                                     \
        __riscv_ztl_store((r) + 1, to + insn->offset, 0);                                          \
        break;
#define PERMUTE(r) case OPS_PERMUTE | (r) << 4:
    for (; insn < end; insn++)
        switch (insn->op) {
            OPS_16(X, 0)
            OPS_16(PERMUTE, 0)
            ops_insn_permute(insn->width, insn->bit, insn->op >> 4, insn->arg);
            break;
        case OPS_ORDER:
            __riscv_ztl_csrw_tl_transpose_perm(insn->arg);
            break;
        case OPS_ADD:
            add(insn);
            break;
        case OPS_INTERLEAVE3:
        case OPS_DEINTERLEAVE3:
        case OPS_TRANSPOSE4:
        case OPS_SHIFT4:
            run_macro(insn);
            break;
        case OPS_OP(OPS_CONCAT, 1):
        case OPS_OP(OPS_CONCAT, 2):
        case OPS_OP(OPS_CONCAT, 3):
        case OPS_OP(OPS_CONCAT, 4):
        case OPS_OP(OPS_CONCAT, 5):
        case OPS_OP(OPS_CONCAT, 6):
        case OPS_OP(OPS_CONCAT, 7):
            run_macro(insn);
            break;
        case OPS_SHAPE:
            __riscv_ztl_csrw_tshape(insn->arg);
            break;
        }
#undef X
#undef PERMUTE
}

/* Programs so frequent and short that dispatch would take longer than the instructions. */
enum kernel { KERNEL_ANY, KERNEL_COPY, KERNEL_PAIR };

static enum kernel kernel_of(const ops_pass *pass)
{
    static const uint8_t copy[] = {OPS_LOAD, OPS_STORE};
    static const uint8_t pair[] = {OPS_OP(OPS_LOAD, 0), OPS_OP(OPS_LOAD, 1), OPS_PERMUTE,
                                   OPS_OP(OPS_STORE, 0), OPS_OP(OPS_STORE, 1)};
    const ops_insn *insn = ops_pass_insns(pass);
    bool is_copy = pass->insns == sizeof copy, is_pair = pass->insns == sizeof pair;
    for (uint32_t i = 0; i < pass->insns; i++) {
        is_copy = is_copy && insn[i].op == copy[i] && insn[i].offset == 0;
        is_pair = is_pair && insn[i].op == pair[i];
    }
    return is_copy ? KERNEL_COPY : is_pair ? KERNEL_PAIR : KERNEL_ANY;
}

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
static void run_steps(const ops_pass *pass, enum kernel kernel, const uint8_t *from, uint8_t *to,
                      const ops_dim *step)
{
    const ops_insn *insn = ops_pass_insns(pass), *end = insn + pass->insns;
    int64_t in = step->in, out = step->out, n = go_ahead(step->n, &from, &to, in, out);
#define NEXT from += in, to += out, n = go_ahead(n - 1, &from, &to, in, out)
    if (kernel == KERNEL_COPY) {
        for (; n > 0; NEXT)
            if (ztl_intrin_round_begin(from, to)) {
                __riscv_ztl_load(1, from, 0);
                __riscv_ztl_store(1, to, 0);
                ztl_intrin_round_end();
            }
    } else if (kernel == KERNEL_PAIR) {
        int64_t in_0 = insn[0].offset, in_1 = insn[1].offset, out_0 = insn[3].offset,
                out_1 = insn[4].offset;
        unsigned long dims = insn[2].arg;
        for (; n > 0; NEXT)
            if (ztl_intrin_round_begin(from, to)) {
                __riscv_ztl_load(1, from + in_0, 0);
                __riscv_ztl_load(2, from + in_1, 0);
                ops_insn_permute(insn[2].width, 0, 0, dims);
                __riscv_ztl_store(1, to + out_0, 0);
                __riscv_ztl_store(2, to + out_1, 0);
                ztl_intrin_round_end();
            }
    } else {
        for (; n > 0; NEXT)
            if (ztl_intrin_round_begin(from, to)) {
                execute(insn, end, from, to);
                ztl_intrin_round_end();
            }
    }
#undef NEXT
}

/* The order of loops, innermost last, and listed batches: on a hart, as they are. */
#ifdef __riscv
static const ops_dim *order_loops(const ops_pass *pass, ops_dim *room)
{
    (void)room;
    return pass->loop;
}

static inline void run_list(const ops_pass *pass, enum kernel kernel, const ops_batch *batch,
                            const ops_batch *last, const uint8_t *from, uint8_t *to,
                            const ops_dim *inner)
{
    for (; batch < last; batch++)
        run_steps(pass, kernel, from + batch->in, to + batch->out, inner);
}
#else
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
static void run_list(const ops_pass *pass, enum kernel kernel, const ops_batch *batch,
                     const ops_batch *last, const uint8_t *from, uint8_t *to, const ops_dim *inner)
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
        run_steps(pass, kernel, from + batch->in, to + batch->out, &step);
    }
}
#endif

/* The batches of a group at every position of the pass's loops. */
static void run_batches(const ops_pass *pass, const ops_group *group, enum kernel kernel,
                        const uint8_t *from, uint8_t *to)
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
        run_list(pass, kernel, batch, last, from, to, inner);
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

/* tl1 = the constant of a fill, byte by byte. */
static void make_constant(const ops_pass *pass)
{
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT8);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 1, 32));
    for (unsigned k = 0; k < pass->element; k++) {
        uint32_t mask = 0;
        for (unsigned i = k; i < 32; i += pass->element)
            mask |= UINT32_C(1) << i;
        ops_insn_constant((int8_t)(pass->value[k / 8] >> (8 * (k % 8))));
        __riscv_ztl_csrw_tmask_concat_1(mask);
        __riscv_ztl_merge_2(1, 2, 1);
    }
    __riscv_ztl_csrw_ttype(0);
}

static void run_pass(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    if (pass->kind == OPS_PASS_FILL)
        make_constant(pass);
    __riscv_ztl_csrw_tshape(pass->tile_shape ? pass->tile_shape : ZTL_SHAPE(pass->slices, 1, 1));
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->store_width);
    __riscv_ztl_csrw_tl_transpose_perm(pass->order);
    enum kernel kernel = kernel_of(pass);
    const ops_group *group = ops_pass_groups(pass);
    const ops_vector *vector = ops_pass_vectors(pass);
    uint32_t load = UINT32_MAX, store = UINT32_MAX;
    ztl_intrin_rounds_begin();
    for (uint32_t g = 0; g < pass->groups; g++, group++) {
        if (group->load != load && pass->kind != OPS_PASS_FILL)
            __riscv_ztl_set_load_strides(vector[group->load].stride, pass->slices);
        if (group->store != store)
            __riscv_ztl_set_store_strides(vector[group->store].stride, pass->slices);
        load = group->load;
        store = group->store;
        run_batches(pass, group, kernel, from, to);
    }
    ztl_intrin_rounds_end();
}

static uint8_t *buffer(unsigned index, const void *const *in, void *const *out, void *scratch)
{
    if (index == OPS_SCRATCH)
        return scratch;
    return index < OPS_OUT ? (uint8_t *)(uintptr_t)in[index] : out[index - OPS_OUT];
}

void ztl_ops_run_pass(const ops_pass *pass, const ops_buffers *b)
{
    if (pass->kind == OPS_PASS_SCALAR)
        ztl_ops_run_scalar(pass, b->from, b->to);
    else if (pass->kind == OPS_PASS_WHERE)
        ztl_ops_run_where(pass, b->indices, b->from, b->to);
    else if (pass->kind == OPS_PASS_UNPACK || pass->kind == OPS_PASS_PACK)
        ztl_ops_run_nibbles(pass, b->from, b->to);
    else if (pass->kind == OPS_PASS_INDEXED)
        ztl_ops_run_indexed(pass, b->indices, b->from, b->to, b->selected);
    else
        run_pass(pass, b->from, b->to);
}

ops_buffers ztl_ops_buffers(const ops_pass *pass, const void *const *in, void *const *out,
                            void *scratch)
{
    uint8_t *to = buffer(pass->dst, in, out, scratch);
    ops_buffers b = {pass->src == OPS_FILL ? to : buffer(pass->src, in, out, scratch), to, NULL,
                     NULL};
    if (pass->kind == OPS_PASS_WHERE)
        b.indices = in[0];
    if (pass->kind == OPS_PASS_INDEXED) {
        const ops_indexed *x = ops_pass_indexed(pass);
        b.indices = in[x->input];
        b.selected = x->form == OPS_INDEX_SELECTS ? out[1] : NULL;
    }
    return b;
}

void ztl_ops_run_plan(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                      void *scratch)
{
    const ops_pass *pass = ops_first_pass(plan);
    bool in_place = plan->indexed == OPS_IN_PLACE && in[0] == out[0];
    __riscv_ztl_csrw_ttype(0);
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass)) {
        if (in_place && pass->kind != OPS_PASS_INDEXED) /* a copy of what is there */
            continue;
        ops_buffers b = ztl_ops_buffers(pass, in, out, scratch);
        ztl_ops_run_pass(pass, &b);
    }
}
