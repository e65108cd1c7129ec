/* SPDX-License-Identifier: Apache-2.0
 *
 * A constructor for each operator of <ztl/ops.h>, which includes this file.
 *
 *     ztl_ops_op op = ztl_ops_im2col(kernel, strides, NULL, pads);
 *     op.layout = ZTL_OPS_NHWC;
 *
 * Lists are the caller's and must live as long as the operator. A list that is NULL is the
 * operator's default, as is every attribute that the constructor does not take: these may be set
 * afterwards.
 */
#ifndef ZTL_OPS_NEW_H
#define ZTL_OPS_NEW_H

#include <ztl/ops.h>

/* An operator whose attributes are all zero; and a list of n values, of none for NULL. */
static inline ztl_ops_op ztl_ops_new(enum ztl_ops_kind kind)
{
#ifdef __cplusplus
    ztl_ops_op op = {};
    op.kind = kind;
#else
    ztl_ops_op op = {.kind = kind};
#endif
    return op;
}

static inline ztl_ops_list ztl_ops_list_of(const int64_t *value, size_t n)
{
    ztl_ops_list list = {value, value ? n : 0};
    return list;
}

static inline ztl_ops_reals ztl_ops_reals_of(const double *value, size_t n)
{
    ztl_ops_reals list = {value, value ? n : 0};
    return list;
}

/* perm[d]: the input's dimension that output dimension d is; NULL reverses all. */
static inline ztl_ops_op ztl_ops_transpose(const int64_t *perm, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_TRANSPOSE);
    op.perm = ztl_ops_list_of(perm, n);
    return op;
}

/* einops' pattern, "b (h p) w -> b h (w p)", and lengths of its axes, "p=2"; NULL for none. */
static inline ztl_ops_op ztl_ops_rearrange(const char *pattern, const char *lengths)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_REARRANGE);
    op.pattern = pattern;
    op.lengths = lengths;
    return op;
}

/* The same; axes that only the right side has are new, of the length that is given. */
static inline ztl_ops_op ztl_ops_repeat(const char *pattern, const char *lengths)
{
    ztl_ops_op op = ztl_ops_rearrange(pattern, lengths);
    op.kind = ZTL_OPS_REPEAT;
    return op;
}

/* 0 keeps an extent (unless op.allowzero), -1 is what remains. */
static inline ztl_ops_op ztl_ops_reshape(const int64_t *shape, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_RESHAPE);
    op.shape = ztl_ops_list_of(shape, n);
    return op;
}

/* Two dimensions: those before the axis, and those from it on. */
static inline ztl_ops_op ztl_ops_flatten(int64_t axis)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_FLATTEN);
    op.has_axis = true;
    op.axis = axis;
    return op;
}

/* NULL: every dimension of 1. */
static inline ztl_ops_op ztl_ops_squeeze(const int64_t *axes, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_SQUEEZE);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

static inline ztl_ops_op ztl_ops_unsqueeze(const int64_t *axes, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_UNSQUEEZE);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

/* Any number of inputs. */
static inline ztl_ops_op ztl_ops_concat(int64_t axis)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_CONCAT);
    op.has_axis = true;
    op.axis = axis;
    return op;
}

/* n outputs of so many positions each. For equal ones, parts is NULL and op.num_outputs is set. */
static inline ztl_ops_op ztl_ops_split(int64_t axis, const int64_t *parts, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_SPLIT);
    op.has_axis = true;
    op.axis = axis;
    op.split = ztl_ops_list_of(parts, n);
    return op;
}

/* axes NULL: the first n dimensions; steps NULL: 1. */
static inline ztl_ops_op ztl_ops_slice(const int64_t *starts, const int64_t *ends,
                                       const int64_t *axes, const int64_t *steps, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_SLICE);
    op.starts = ztl_ops_list_of(starts, n);
    op.ends = ztl_ops_list_of(ends, n);
    op.axes = ztl_ops_list_of(axes, n);
    op.steps = ztl_ops_list_of(steps, n);
    return op;
}

/* n pads: what comes before each dimension, then after each. value: the bits of an element, for
 * ZTL_OPS_CONSTANT. */
static inline ztl_ops_op ztl_ops_pad(const int64_t *pads, size_t n, enum ztl_ops_mode mode,
                                     uint64_t value)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_PAD);
    op.pads = ztl_ops_list_of(pads, n);
    op.mode = mode;
    op.value = value;
    return op;
}

/* One dimension of indices; for more, op.has_indices_shape and op.indices_shape are set. With two
 * inputs, the second holds the indices (of 32 or 64 bits), and the list is NULL: they are read when
 * the plan runs. */
static inline ztl_ops_op ztl_ops_gather(int64_t axis, const int64_t *indices, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_GATHER);
    op.has_axis = true;
    op.axis = axis;
    op.indices = ztl_ops_list_of(indices, n);
    return op;
}

/* Positions where the condition is not 0. For those of the flattened tensor, op.has_axis is reset.
 * With two inputs, the second holds the condition in bytes, and the list is NULL: it is read when
 * the plan runs. Output 0 then has room for every position that may be kept, and those that are
 * come first; output 1 is their number, of 64 bits and rank 0. */
static inline ztl_ops_op ztl_ops_compress(int64_t axis, const int64_t *condition, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_COMPRESS);
    op.has_axis = true;
    op.axis = axis;
    op.condition = ztl_ops_list_of(condition, n);
    return op;
}

/* Inputs: the data, indices of as many dimensions. Along the axis, an element is the one that its
 * index names. */
static inline ztl_ops_op ztl_ops_gather_elements(int64_t axis)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_GATHER_ELEMENTS);
    op.has_axis = true;
    op.axis = axis;
    return op;
}

/* Inputs: the data, indices whose last dimension has an index for each of the first dimensions of
 * the data; these come after batch_dims that data and indices have in common. */
static inline ztl_ops_op ztl_ops_gather_nd(int64_t batch_dims)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_GATHER_ND);
    op.batch_dims = batch_dims;
    return op;
}

/* Inputs: the data, indices, as many updates. The output is the data with the updates at their
 * indices; of several at the same place, the last one stays. It may be in place of the data. */
static inline ztl_ops_op ztl_ops_scatter_elements(int64_t axis)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_SCATTER_ELEMENTS);
    op.has_axis = true;
    op.axis = axis;
    return op;
}

/* The same with indices as those of ztl_ops_gather_nd. */
static inline ztl_ops_op ztl_ops_scatter_nd(void)
{
    return ztl_ops_new(ZTL_OPS_SCATTER_ND);
}

/* Inputs: a cache, updates, and the position along the axis where these begin: one number of rank
 * 0, or one for each of dimension 0; none is 0. mode: ZTL_OPS_LINEAR, or ZTL_OPS_CIRCULAR, which
 * goes on at 0 after the last position. The output may be in place of the cache. */
static inline ztl_ops_op ztl_ops_tensor_scatter(int64_t axis, enum ztl_ops_mode mode)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_TENSOR_SCATTER);
    op.has_axis = true;
    op.axis = axis;
    op.mode = mode;
    return op;
}

static inline ztl_ops_op ztl_ops_tile(const int64_t *repeats, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_TILE);
    op.repeats = ztl_ops_list_of(repeats, n);
    return op;
}

/* -1 keeps an extent. */
static inline ztl_ops_op ztl_ops_expand(const int64_t *shape, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_EXPAND);
    op.shape = ztl_ops_list_of(shape, n);
    return op;
}

/* axes NULL: of the flattened tensor. */
static inline ztl_ops_op ztl_ops_roll(const int64_t *shift, const int64_t *axes, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_ROLL);
    op.shift = ztl_ops_list_of(shift, n);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

/* NULL: every dimension. */
static inline ztl_ops_op ztl_ops_flip(const int64_t *axes, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_FLIP);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

/* mode: ZTL_OPS_DCR or ZTL_OPS_CRD. */
static inline ztl_ops_op ztl_ops_depth_to_space(int64_t blocksize, enum ztl_ops_mode mode)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_DEPTH_TO_SPACE);
    op.blocksize = blocksize;
    op.mode = mode;
    return op;
}

static inline ztl_ops_op ztl_ops_space_to_depth(int64_t blocksize, enum ztl_ops_mode mode)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_SPACE_TO_DEPTH);
    op.blocksize = blocksize;
    op.mode = mode;
    return op;
}

/* The last block of a dimension is padded by zeros, or op.value. */
static inline ztl_ops_op ztl_ops_pack(enum ztl_ops_format format)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_PACK);
    op.format = format;
    return op;
}

/* shape: of the output; NULL keeps what blocks were padded by. */
static inline ztl_ops_op ztl_ops_unpack(enum ztl_ops_format format, const int64_t *shape, size_t n)
{
    ztl_ops_op op = ztl_ops_pack(format);
    op.kind = ZTL_OPS_UNPACK;
    op.shape = ztl_ops_list_of(shape, n);
    return op;
}

/* Factors, of all dimensions or of axes. op.coordinate, op.nearest and op.aspect may be set, and
 * for ZTL_OPS_TF_CROP_AND_RESIZE op.roi and op.value. */
static inline ztl_ops_op ztl_ops_resize(const double *scales, const int64_t *axes, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_RESIZE);
    op.scales = ztl_ops_reals_of(scales, n);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

/* The same by the extents of the output. */
static inline ztl_ops_op ztl_ops_resize_to(const int64_t *sizes, const int64_t *axes, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_RESIZE);
    op.sizes = ztl_ops_list_of(sizes, n);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

static inline ztl_ops_op ztl_ops_upsample(const double *scales, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_UPSAMPLE);
    op.scales = ztl_ops_reals_of(scales, n);
    return op;
}

/* Inputs: the condition in bytes, what is taken where it is not 0, and what is taken elsewhere. */
static inline ztl_ops_op ztl_ops_where(void)
{
    return ztl_ops_new(ZTL_OPS_WHERE);
}

/* kernel, strides, dilations: height and width; pads: top, left, bottom, right. For images with one
 * axis, or three or four, the lists are set with their own lengths: op.kernel, … */
static inline ztl_ops_op ztl_ops_im2col(const int64_t *kernel, const int64_t *strides,
                                        const int64_t *dilations, const int64_t *pads)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_IM2COL);
    op.kernel = ztl_ops_list_of(kernel, 2);
    op.strides = ztl_ops_list_of(strides, 2);
    op.dilations = ztl_ops_list_of(dilations, 2);
    op.pads = ztl_ops_list_of(pads, 4);
    return op;
}

/* The same of im2col, and the four extents of the image. Patches must not overlap, as nothing can
 * be added up; with op.mode = ZTL_OPS_FIRST a pixel is the first tap that has it. */
static inline ztl_ops_op ztl_ops_col2im(const int64_t *shape, const int64_t *kernel,
                                        const int64_t *strides, const int64_t *dilations,
                                        const int64_t *pads)
{
    ztl_ops_op op = ztl_ops_im2col(kernel, strides, dilations, pads);
    op.kind = ZTL_OPS_COL2IM;
    op.shape = ztl_ops_list_of(shape, 4);
    return op;
}

static inline ztl_ops_op ztl_ops_focus(int64_t axis, int64_t blocksize)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_FOCUS);
    op.has_axis = true;
    op.axis = axis;
    op.blocksize = blocksize;
    return op;
}

static inline ztl_ops_op ztl_ops_add(enum ztl_type type, int64_t addend)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_ADD);
    op.type = type;
    op.addend = addend;
    return op;
}

/* The bits of an element; those from the 64th on are op.wide. */
static inline ztl_ops_op ztl_ops_fill(uint64_t value)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_FILL);
    op.value = value;
    return op;
}

static inline ztl_ops_op ztl_ops_identity(void)
{
    return ztl_ops_new(ZTL_OPS_IDENTITY);
}

/* lens[i]: how many of the positions along the time axis are reversed at position i of the batch
 * axis. The time axis is 0 and the batch axis 1, unless op.time_axis and op.batch_axis are set. */
static inline ztl_ops_op ztl_ops_reverse_sequence(const int64_t *lens, size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_REVERSE_SEQUENCE);
    op.sequence_lens = ztl_ops_list_of(lens, n);
    return op;
}

/* What is on diagonal k and above it, or below it; 0 elsewhere. */
static inline ztl_ops_op ztl_ops_trilu(bool upper, int64_t k)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_TRILU);
    op.lower = !upper;
    op.k = k;
    return op;
}

/* The extents of all dimensions, or of axes. */
static inline ztl_ops_op ztl_ops_center_crop_pad(const int64_t *shape, const int64_t *axes,
                                                 size_t n)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_CENTER_CROP_PAD);
    op.shape = ztl_ops_list_of(shape, n);
    op.axes = ztl_ops_list_of(axes, n);
    return op;
}

/* `one`: the bits of a 1, of which an element of the output has so many; bits 0: as the input. */
static inline ztl_ops_op ztl_ops_eye_like(int64_t k, unsigned bits, uint64_t one)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_EYE_LIKE);
    op.k = k;
    op.bits = bits;
    op.on[0] = one;
    return op;
}

/* No input. The bits of elements that are off and on; one dimension of indices, for more
 * op.has_indices_shape and op.indices_shape are set. The new axis is the last, or op.axis. */
static inline ztl_ops_op ztl_ops_one_hot(const int64_t *indices, size_t n, int64_t depth,
                                         unsigned bits, uint64_t off, uint64_t on)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_ONE_HOT);
    op.indices = ztl_ops_list_of(indices, n);
    op.depth = depth;
    op.bits = bits;
    op.value = off;
    op.on[0] = on;
    return op;
}

/* No input. */
static inline ztl_ops_op ztl_ops_constant_of_shape(const int64_t *shape, size_t n, unsigned bits,
                                                   uint64_t value)
{
    ztl_ops_op op = ztl_ops_new(ZTL_OPS_CONSTANT_OF_SHAPE);
    op.shape = ztl_ops_list_of(shape, n);
    op.bits = bits;
    op.value = value;
    return op;
}

#endif
