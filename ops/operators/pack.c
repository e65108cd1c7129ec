/* SPDX-License-Identifier: Apache-2.0
 * Pack and unpack: a plain tensor as blocks in one of the formats of ops/formats.def, and back.
 */
#include "ops/operators/call.h"

#include <stdlib.h>

enum { MOST_AXES = 4, MOST_PARTS = 6, MOST_LEVELS = 3 };

/* A dimension of the packed tensor: index / divisor % count along an axis; 0 is no end. */
typedef struct part {
    unsigned axis;
    int64_t divisor, count;
} part;

typedef struct packing {
    const char *word;
    unsigned axes, parts;
    part part[MOST_PARTS];
} packing;

/* A number of elements, in the text perhaps of bytes; 0 where they are no whole number. */
static int64_t read_elements(const char **text, unsigned bits)
{
    char *end;
    int64_t n = strtoll(*text + 1, &end, 10);
    bool is_bytes = *end == 'B';
    *text = end + is_bytes;
    return !is_bytes ? n : n * 8 % bits ? 0 : n * 8 / bits;
}

/* A dimension such as C/8 or C%8; false where elements do not fit. */
static bool read_part(const char **text, const char *axes, unsigned bits, part *one)
{
    *one = (part){(unsigned)(strchr(axes, **text) - axes), 1, 0};
    ++*text;
    if (**text == '/')
        one->divisor = read_elements(text, bits);
    bool ends = **text == '%';
    if (ends)
        one->count = read_elements(text, bits);
    return one->divisor && (one->count || !ends);
}

/* The format of a call; false where elements are no part of its blocks. */
static bool read_packing(const ops_call *call, packing *p)
{
    static const struct {
        const char *word, *axes, *packed;
    } formats[] = {
        {"", "", ""},
#define ZTL_FORMAT(ID, word, axes, packed, meaning) {word, axes, packed},
#include "ops/formats.def"
    };
    unsigned format = (unsigned)call->op->format, bits = call->in->bits;
    if (!format || format >= sizeof formats / sizeof formats[0])
        return ztl_ops_fail(call->error, "the format is missing");
    *p = (packing){.word = formats[format].word, .axes = (unsigned)strlen(formats[format].axes)};
    for (const char *text = formats[format].packed; *text; text += *text == ' ')
        if (!read_part(&text, formats[format].axes, bits, &p->part[p->parts++]))
            return ztl_ops_fail(call->error,
                                "the blocks of %s are no whole number of elements of %u bits",
                                p->word, bits);
    return true;
}

/* How many dimensions come before those of the format; false where there are too few. */
static bool count_leading(const ops_call *call, const packing *p, unsigned last, unsigned *leading)
{
    unsigned rank = call->in->rank;
    *leading = rank - last;
    if (rank >= last)
        return true;
    return ztl_ops_fail(call->error, "the input has rank %u, %s needs %u or more", rank, p->word,
                        last);
}

bool ztl_ops_shape_pack(ops_call *call)
{
    packing p;
    unsigned leading;
    int64_t extent[ZTL_OPS_RANK];
    if (!read_packing(call, &p) || !count_leading(call, &p, p.axes, &leading))
        return false;
    if (leading + p.parts > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "the output has rank %u, at most %d is possible",
                            leading + p.parts, ZTL_OPS_RANK);
    memcpy(extent, call->in->extent, leading * sizeof *extent);
    for (unsigned k = 0; k < p.parts; k++) {
        const part *one = &p.part[k];
        int64_t n = call->in->extent[leading + one->axis];
        extent[leading + k] = one->count ? one->count : n / one->divisor + (n % one->divisor > 0);
    }
    return ztl_ops_output(call, 0, leading + p.parts, extent);
}

/* That the shape has the dimensions before the axes, and as many blocks along these. */
static bool check_shape(const ops_call *call, const packing *p, unsigned leading)
{
    ztl_ops_list shape = call->op->shape;
    const int64_t *packed = call->in->extent;
    if (!ztl_ops_needs(call, shape, leading + p->axes, "shape"))
        return false;
    for (unsigned d = 0; d < leading; d++)
        if (shape.value[d] != packed[d])
            return ztl_ops_fail(call->error, "shape has %lld in dimension %u, the input %lld",
                                (long long)shape.value[d], d, (long long)packed[d]);
    for (unsigned k = 0; k < p->parts; k++) {
        int64_t n = shape.value[leading + p->part[k].axis], size = p->part[k].divisor;
        if (!p->part[k].count && (n < 0 || n / size + (n % size > 0) != packed[leading + k]))
            return ztl_ops_fail(call->error,
                                "shape has %lld in dimension %u, which are not %lld blocks of %lld",
                                (long long)n, leading + p->part[k].axis,
                                (long long)packed[leading + k], (long long)size);
    }
    return true;
}

bool ztl_ops_shape_unpack(ops_call *call)
{
    packing p;
    unsigned leading;
    int64_t extent[ZTL_OPS_RANK];
    const int64_t *packed = call->in->extent;
    if (!read_packing(call, &p) || !count_leading(call, &p, p.parts, &leading))
        return false;
    memcpy(extent, packed, leading * sizeof *extent);
    for (unsigned k = 0; k < p.parts; k++) {
        const part *one = &p.part[k];
        int64_t n = packed[leading + k];
        if (one->count && one->count != n)
            return ztl_ops_fail(call->error, "dimension %u has %lld, in %s it has %lld",
                                leading + k, (long long)n, p.word, (long long)one->count);
        if (!one->count && __builtin_mul_overflow(n, one->divisor, &extent[leading + one->axis]))
            return ztl_ops_fail(call->error, "the output is too large");
    }
    if (call->op->shape.count) {
        if (!check_shape(call, &p, leading))
            return false;
        memcpy(extent, call->op->shape.value, (leading + p.axes) * sizeof *extent);
    }
    return ztl_ops_output(call, 0, leading + p.axes, extent);
}

/* A box of positions along one axis: where it begins in the plain and in the packed tensor, and its
 * loops, whose steps are in these. Where nothing is behind it, it is padding. */
typedef struct segment {
    int64_t plain, packed;
    unsigned count;
    ops_dim dim[MOST_LEVELS];
} segment;

/* What lies along one axis: elements, then padding; and all of it. */
typedef struct along {
    unsigned levels, data, all;
    part level[MOST_LEVELS];
    int64_t step[MOST_LEVELS]; /* in the packed tensor */
    segment segment[2 * MOST_LEVELS];
    segment whole;
} along;

/* Positions of one level, each with all that the levels below it have. */
static segment segment_of(const along *a, unsigned level, int64_t n, int64_t stride)
{
    segment s = {.count = 1, .dim = {{n, a->level[level].divisor * stride, a->step[level]}}};
    for (unsigned k = level + 1; k < a->levels; k++)
        s.dim[s.count++] = (ops_dim){a->level[k].count, a->level[k].divisor * stride, a->step[k]};
    return s;
}

static void add_segment(along *a, segment s, int64_t plain, int64_t packed)
{
    s.plain = plain;
    s.packed = packed;
    a->segment[a->all++] = s;
}

/* Whole blocks of each level, then what is left of the last one, level by level; and what each
 * level lacks to a whole block. */
static void divide_axis(along *a, int64_t extent, int64_t stride)
{
    int64_t plain = 0, packed = 0, left = extent, used[MOST_LEVELS], from[MOST_LEVELS];
    unsigned reached = 0;
    for (;; reached++) {
        int64_t divisor = a->level[reached].divisor, n = left / divisor;
        left %= divisor;
        used[reached] = n + (left > 0);
        from[reached] = packed;
        if (n)
            add_segment(a, segment_of(a, reached, n, stride), plain, packed);
        plain += n * divisor * stride;
        packed += n * a->step[reached];
        if (!left)
            break;
    }
    a->data = a->all;
    for (unsigned k = 1; k <= reached; k++)
        if (used[k] < a->level[k].count)
            add_segment(a, segment_of(a, k, a->level[k].count - used[k], 0), 0,
                        from[k] + used[k] * a->step[k]);
    a->whole = segment_of(a, 0, used[0], 0);
}

/* The axes of a format, between a plain tensor and a packed one. */
static void divide_axes(const packing *p, const ztl_ops_tensor *plain, const ztl_ops_tensor *packed,
                        along *axes)
{
    unsigned leading = plain->rank - p->axes;
    memset(axes, 0, MOST_AXES * sizeof *axes);
    for (unsigned k = 0; k < p->parts; k++) {
        along *a = &axes[p->part[k].axis];
        a->step[a->levels] = packed->stride[leading + k];
        a->level[a->levels++] = p->part[k];
    }
    for (unsigned x = 0; x < p->axes; x++)
        divide_axis(&axes[x], plain->extent[leading + x], plain->stride[leading + x]);
}

/* One piece: a segment of each axis. */
static void add_piece(const ops_call *call, ops_map *map, const packing *p, bool packs,
                      const segment *const *chosen, bool fills)
{
    const ztl_ops_tensor *plain = packs ? call->in : call->out;
    const ztl_ops_tensor *packed = packs ? call->out : call->in;
    int64_t from = plain->offset, to = packed->offset;
    for (unsigned x = 0; x < p->axes; x++) {
        from += chosen[x]->plain;
        to += chosen[x]->packed;
    }
    ops_piece *piece = ztl_ops_add_piece(map, fills ? OPS_FILL : 0, OPS_OUT,
                                         fills   ? 0
                                         : packs ? from
                                                 : to,
                                         packs ? to : from);
    for (unsigned d = 0; d < plain->rank - p->axes; d++)
        ztl_ops_add_dim(piece, plain->extent[d],
                        fills   ? 0
                        : packs ? plain->stride[d]
                                : packed->stride[d],
                        packs ? packed->stride[d] : plain->stride[d]);
    for (unsigned x = 0; x < p->axes; x++)
        for (unsigned k = 0; k < chosen[x]->count; k++) {
            const ops_dim *dim = &chosen[x]->dim[k];
            ztl_ops_add_dim(piece, dim->n,
                            fills   ? 0
                            : packs ? dim->in
                                    : dim->out,
                            packs ? dim->out : dim->in);
        }
}

/* Elements along all axes; or, for padding along axis `padded`, elements along those before it, and
 * everything along those behind it. */
static void add_pieces(const ops_call *call, ops_map *map, const packing *p, bool packs,
                       const along *axes, unsigned padded)
{
    const segment *chosen[MOST_AXES];
    unsigned first[MOST_AXES] = {0}, end[MOST_AXES], at[MOST_AXES], x;
    for (x = 0; x < p->axes; x++) {
        first[x] = at[x] = x == padded ? axes[x].data : 0;
        end[x] = x < padded ? axes[x].data : x == padded ? axes[x].all : 1;
        if (at[x] == end[x])
            return;
    }
    do {
        for (x = 0; x < p->axes; x++)
            chosen[x] = x <= padded ? &axes[x].segment[at[x]] : &axes[x].whole;
        add_piece(call, map, p, packs, chosen, padded < p->axes);
        for (x = p->axes; x > 0 && ++at[x - 1] == end[x - 1]; x--)
            at[x - 1] = first[x - 1];
    } while (x > 0);
}

static void map_blocks(const ops_call *call, ops_map *map, bool packs)
{
    packing p;
    along axes[MOST_AXES];
    if (!read_packing(call, &p))
        return;
    divide_axes(&p, packs ? call->in : call->out, packs ? call->out : call->in, axes);
    add_pieces(call, map, &p, packs, axes, p.axes);
    for (unsigned x = 0; packs && x < p.axes; x++)
        add_pieces(call, map, &p, packs, axes, x);
}

void ztl_ops_map_pack(const ops_call *call, ops_map *map)
{
    map_blocks(call, map, true);
}

void ztl_ops_map_unpack(const ops_call *call, ops_map *map)
{
    map_blocks(call, map, false);
}
