/* SPDX-License-Identifier: Apache-2.0
 * Which element each position of an axis gets, and the axis as few segments. Positions are reckoned
 * in double, in the order in which ONNX writes them down.
 */
#include "ops/operators/nearest/neighbours.h"

enum {
    MOST_PERIOD = 32,
    LONG = 4096 /* positions from which on the ends of an axis may tell all */
};

/* The largest whole number not above x, which is small enough to be one. */
static int64_t floor_of(double x)
{
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

/* Where position x of the output is in the input. */
static double position(const ops_axis *a, enum ztl_ops_coordinate mode, int64_t at)
{
    double in = (double)a->in, width = a->scale * in, x = (double)at;
    switch (mode) {
    case ZTL_OPS_HALF_PIXEL_SYMMETRIC: {
        double adjustment = (double)a->out / width, centre = in / 2;
        return centre * (1 - adjustment) + (x + 0.5) / a->scale - 0.5;
    }
    case ZTL_OPS_PYTORCH_HALF_PIXEL:
        return width == 1 ? -0.5 : (x + 0.5) / a->scale - 0.5;
    case ZTL_OPS_ALIGN_CORNERS:
        return width == 1 ? 0 : x * (in - 1) / (width - 1);
    case ZTL_OPS_ASYMMETRIC:
        return x / a->scale;
    case ZTL_OPS_TF_HALF_PIXEL_FOR_NN:
        return (x + 0.5) / a->scale;
    case ZTL_OPS_TF_CROP_AND_RESIZE:
        return (width == 1 ? (a->end - a->start) * (in - 1) / 2
                           : x * (a->end - a->start) * (in - 1) / (width - 1)) +
               a->start * (in - 1);
    default:
        return (x + 0.5) / a->scale - 0.5;
    }
}

/* The element that position x of the output gets; -1 where it lies outside a crop. */
static int64_t neighbour(const ztl_ops_op *op, const ops_axis *a, int64_t at)
{
    double x = position(a, op->coordinate, at), last = (double)(a->in - 1);
    if (op->coordinate == ZTL_OPS_TF_CROP_AND_RESIZE && (x < 0 || x > last))
        return -1;
    x = x < -1 ? -1 : x > last + 1 ? last + 1 : x;
    int64_t low = floor_of(x);
    double beyond = x - (double)low;
    bool next = op->nearest == ZTL_OPS_FLOOR               ? false
                : op->nearest == ZTL_OPS_CEIL              ? beyond > 0
                : op->nearest == ZTL_OPS_ROUND_PREFER_CEIL ? beyond >= 0.5
                                                           : beyond > 0.5;
    low += next;
    return low < 0 ? 0 : low >= a->in ? a->in - 1 : low;
}

/* The positions from `at` on that get the same element, up to `end`. Neighbours never turn back, so
 * that they are not looked at one by one: a factor may be 1e9. */
static int64_t same_from(const ops_segments *s, int64_t at, int64_t end)
{
    int64_t from = neighbour(s->op, &s->axis, at), low = at, step = 1;
    while (low + step < end && neighbour(s->op, &s->axis, low + step) == from) {
        low += step;
        step *= 2;
    }
    for (; step; step /= 2)
        if (low + step < end && neighbour(s->op, &s->axis, low + step) == from)
            low += step;
    return low + 1 - at;
}

/* How often an element is repeated, or the period of the positions, of an axis too long to look at
 * each of them. The factor is a quotient of small whole numbers, n / m; then no threshold is so
 * near to a position that rounding could lead it over, as (in + 1) * n is far below 2^53.
 * Neighbours beyond n positions are thus m further, but where they are held at an end, which the
 * first and the last tell: those between cannot be. False: nothing of that is known. */
static bool take_long(ops_segments *s)
{
    enum { MOST_PARTS = 64 };
    int64_t m = 1, n = s->end - s->first, by;
    bool is_plain = s->op->coordinate == ZTL_OPS_HALF_PIXEL ||
                    s->op->coordinate == ZTL_OPS_ASYMMETRIC ||
                    s->op->coordinate == ZTL_OPS_TF_HALF_PIXEL_FOR_NN ||
                    (s->op->coordinate == ZTL_OPS_PYTORCH_HALF_PIXEL && s->axis.in > 1);
    double scale = s->axis.scale, last = (double)s->axis.in;
    while (m < MOST_PARTS && scale * (double)m != (double)floor_of(scale * (double)m))
        m *= 2;
    int64_t period = floor_of(scale * (double)m);
    if (!is_plain || (double)period != scale * (double)m || period == 0 || n < 3 * period ||
        (last + 1) * (double)period > 0x1p50)
        return false;
    by = neighbour(s->op, &s->axis, s->first + period) - neighbour(s->op, &s->axis, s->first);
    if (by != m ||
        neighbour(s->op, &s->axis, s->end - 1) - neighbour(s->op, &s->axis, s->end - 1 - period) !=
            m)
        return false;
    if (m == 1 && period > 1 && n % period == 0 && same_from(s, s->first, s->end) == period) {
        s->times = period;
        s->count = 1;
    } else if (period <= MOST_PERIOD) {
        s->period = s->count = period;
    }
    return s->count;
}

/* Not of positions that get all the same element: these have few segments. */
static bool has_period(const ops_segments *s, int64_t period)
{
    int64_t by =
        neighbour(s->op, &s->axis, s->first + period) - neighbour(s->op, &s->axis, s->first);
    if (by == 0)
        return false;
    for (int64_t x = s->first; x + period < s->end; x++)
        if (neighbour(s->op, &s->axis, x + period) - neighbour(s->op, &s->axis, x) != by)
            return false;
    return true;
}

/* How often every element is repeated, 0 where that differs. */
static int64_t repetition(const ops_segments *s)
{
    int64_t from = neighbour(s->op, &s->axis, s->first), n = s->end - s->first,
            times = same_from(s, s->first, s->end);
    bool equal = times > 1 && n % times == 0;
    for (int64_t x = 0; equal && x < n; x += times)
        equal = neighbour(s->op, &s->axis, s->first + x) == from + x / times &&
                neighbour(s->op, &s->axis, s->first + x + times - 1) == from + x / times;
    return equal ? times : 0;
}

/* The segment that starts at `at`, as long as it goes. */
static ops_segment run_from(const ops_segments *s, int64_t at)
{
    if (!s->op)
        return (ops_segment){at, 1, s->end - at, at, 1, 1};
    ops_segment r = {at, 1, 1, neighbour(s->op, &s->axis, at), 0, 1};
    if (s->times) {
        r.step = r.times = s->times;
        r.n = (s->end - at) / s->times;
        r.by = 1;
        return r;
    }
    if (s->period) {
        r.step = s->period;
        r.n = (s->end - at - 1) / s->period + 1;
        r.by = r.n > 1 ? neighbour(s->op, &s->axis, at + s->period) - r.from : 0;
        return r;
    }
    int64_t last = r.from;
    r.n = same_from(s, at, s->end);
    if (r.n > 1)
        return r;
    for (; at + r.n < s->end; r.n++) {
        int64_t next = neighbour(s->op, &s->axis, at + r.n);
        if (r.n == 1)
            r.by = next - last;
        if (next - last != r.by)
            break;
        last = next;
    }
    return r;
}

bool ztl_ops_next_segment(const ops_segments *s, int64_t *at, ops_segment *r)
{
    if (*at >= (s->period ? s->first + s->period : s->end))
        return false;
    *r = run_from(s, *at);
    *at += s->times ? r->n * r->times : s->period ? 1 : r->n;
    return true;
}

ops_segments ztl_ops_unchanged(int64_t n)
{
    return (ops_segments){.axis = {.in = n, .out = n, .scale = 1}, .end = n, .count = 1};
}

/* How many of n positions from `at` on, up or down, lie outside a crop, at the same end of it. */
static int64_t outside(const ops_segments *s, int64_t at, int64_t step, int64_t n)
{
    int64_t low = 0, high = n;
    if (n <= 0 || neighbour(s->op, &s->axis, at) >= 0)
        return 0;
    bool below = position(&s->axis, s->op->coordinate, at) < 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        double x = position(&s->axis, s->op->coordinate, at + step * middle);
        if (below ? x < 0 : x > (double)(s->axis.in - 1))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ops_segments ztl_ops_whole_axis(const ztl_ops_op *op, ops_axis axis)
{
    ops_segments s = {.op = op, .axis = axis};
    s.first = outside(&s, 0, 1, axis.out);
    if (s.first < axis.out && neighbour(op, &axis, s.first) < 0) /* beyond the other end */
        s.first = axis.out;
    s.end = axis.out - outside(&s, axis.out - 1, -1, axis.out - s.first);
    return s;
}

bool ztl_ops_can_cut(const ops_segments *whole)
{
    ops_segments s = *whole;
    return s.end - s.first <= OPS_MOST_LOOKED || take_long(&s);
}

void ztl_ops_cut_axis(ops_segments *s)
{
    ops_segment r;
    if (s->end - s->first > LONG && take_long(s))
        return;
    if (s->end > s->first && (s->times = repetition(s))) {
        s->count = 1;
        return;
    }
    for (int64_t at = s->first; ztl_ops_next_segment(s, &at, &r);)
        s->count++;
    for (int64_t p = 1; p <= MOST_PERIOD && p < s->count && !s->period; p++)
        if (p < s->end - s->first && has_period(s, p))
            s->period = s->count = p;
}
