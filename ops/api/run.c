/* SPDX-License-Identifier: Apache-2.0
 * Running a plan, after checking that its buffers are there and do not overlap.
 */
#include <stdio.h>

#include <ztl/intrin.h>

#include "ops/api/buffers.h"
#include "ops/exec/exec.h"
#include "ops/operators/call.h"

/* The addresses that a tensor covers. */
typedef struct place {
    const char *kind;
    uint32_t index;
    uintptr_t low, high;
} place;

/* Its name in messages; there is only one scratch memory. */
typedef struct name {
    char text[32];
} name;

static name name_of(const place *p)
{
    name n;
    if (p->index == UINT32_MAX)
        snprintf(n.text, sizeof n.text, "%s", p->kind);
    else
        snprintf(n.text, sizeof n.text, "%s %u", p->kind, (unsigned)p->index);
    return n;
}

static bool find(place *p, const void *buffer, ops_span span, ztl_error *error)
{
    p->low = p->high = (uintptr_t)buffer;
    if (span.low == span.high)
        return true;
    if (!buffer)
        return ztl_ops_fail(error, "%s is missing", name_of(p).text);
    if (__builtin_add_overflow(p->low, span.low, &p->low) ||
        __builtin_add_overflow(p->high, span.high, &p->high))
        return ztl_ops_fail(error, "%s leaves the address space", name_of(p).text);
    return true;
}

static bool lie_apart(const place *a, const place *b, ztl_error *error)
{
    if (a->low == a->high || b->low == b->high || a->high <= b->low || b->high <= a->low)
        return true;
    uintptr_t low = a->low > b->low ? a->low : b->low, high = a->high < b->high ? a->high : b->high;
    return ztl_ops_fail(error, "%s and %s overlap by %llu bytes", name_of(a).text, name_of(b).text,
                        (unsigned long long)(high - low));
}

/* Buffer i: the inputs, then the outputs, then the scratch memory. */
static bool find_buffer(const ops_given *b, uint32_t i, place *p, ztl_error *error)
{
    if (i < b->inputs) {
        *p = (place){.kind = "input", .index = i};
        return find(p, b->in ? b->in[i] : NULL, b->spans[i], error);
    }
    uint32_t k = i - b->inputs;
    if (k < b->outputs) {
        *p = (place){.kind = "output", .index = k};
        return find(p, b->out ? b->out[k] : NULL, b->spans[i], error);
    }
    *p = (place){.kind = "scratch memory", .index = UINT32_MAX};
    return find(p, b->scratch, (ops_span){0, b->scratch_bytes}, error);
}

/* Outputs may lie in one another's gaps. */
bool ztl_ops_check_buffers(const ops_given *buffers, ztl_error *error)
{
    uint32_t outputs = buffers->inputs, end = buffers->inputs + buffers->outputs;
    for (uint32_t i = 0; i <= end; i++) {
        place one, other;
        if (!find_buffer(buffers, i, &one, error))
            return false;
        for (uint32_t k = i < outputs ? outputs : end; k <= end; k++)
            if (k != i && !(buffers->in_place && i == 0 && k == outputs) &&
                (!find_buffer(buffers, k, &other, error) || !lie_apart(&one, &other, error)))
                return false;
    }
    return true;
}

bool ztl_ops_say_bad(ztl_error *error, const ops_bad_index *bad)
{
    return ztl_ops_fail(error, "index %lld (number %lld) is outside dimension %lld, %lld to %lld",
                        (long long)bad->value, (long long)bad->number, (long long)bad->dimension,
                        (long long)bad->low, (long long)bad->end - 1);
}

/* Kept out of the way of the short look. */
static __attribute__((noinline)) bool check_buffers(const ztl_ops_plan *plan, const ops_span *spans,
                                                    const void *const *in, void *const *out,
                                                    const void *scratch, ztl_error *error)
{
    const ops_given buffers = {.spans = spans,
                               .inputs = plan->inputs,
                               .outputs = plan->outputs,
                               .scratch_bytes = plan->scratch,
                               .in = in,
                               .out = out,
                               .scratch = scratch,
                               .in_place =
                                   plan->indexed == OPS_IN_PLACE && in && out && in[0] == out[0]};
    return ztl_ops_check_buffers(&buffers, error);
}

static bool is_at(const ops_span *span, const void *buffer, place *p)
{
    return buffer && !__builtin_add_overflow((uintptr_t)buffer, span->low, &p->low) &&
           !__builtin_add_overflow((uintptr_t)buffer, span->high, &p->high);
}

/* Most plans have one output and no scratch memory, and nothing is wrong with their buffers: a
 * short look instead of a long one, which would take a hart longer than the moves of a small
 * tensor. Where it is not so, nothing is said. */
static bool are_plainly_good(const ztl_ops_plan *plan, const ops_span *spans, const void *const *in,
                             void *const *out)
{
    place from, to;
    uint32_t inputs = plan->inputs;
    if (plan->outputs != 1 || plan->scratch || !in || !out || !is_at(&spans[inputs], out[0], &to))
        return false;
    for (uint32_t i = 0; i < inputs; i++)
        if (!is_at(&spans[i], in[i], &from) || (from.high > to.low && to.high > from.low))
            return false;
    return true;
}

bool ztl_ops_check_run(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                       const void *scratch, ztl_error *error)
{
    const ops_span *spans = (const ops_span *)((const uint8_t *)plan + plan->spans);
    if (!are_plainly_good(plan, spans, in, out) &&
        !check_buffers(plan, spans, in, out, scratch, error))
        return false;
    if (!ztl_intrin_prepare())
        return ztl_ops_fail(error, "out of memory for this thread's hart");
    return true;
}

bool ztl_ops_run(const ztl_ops_plan *plan, const void *const *in, void *const *out, void *scratch,
                 ztl_error *error)
{
    ops_bad_index bad;
    return ztl_ops_check_run(plan, in, out, scratch, error) &&
           (ztl_ops_run_checked(plan, in, out, scratch, &bad) || ztl_ops_say_bad(error, &bad));
}
