/* SPDX-License-Identifier: Apache-2.0
 * Im2col and back. Columns are, for groups = 1, [N, C·kh·kw, oh·ow] of an NCHW image and
 * [N, oh·ow, kh·kw·C] of an NHWC one; with groups a dimension of them follows N. Images have any
 * number of axes, up to OPS_AXES, where these names have H and W.
 */
#ifndef ZTL_OPS_PATCHES_H
#define ZTL_OPS_PATCHES_H

#include "ops/operators/call.h"

enum { OPS_AXES = 4 };

/* An image, its columns and how they belong together; by axis, x is the last. */
typedef struct ops_patches {
    int64_t n, c, groups;
    unsigned axes;
    int64_t size[OPS_AXES], out[OPS_AXES], kernel[OPS_AXES], stride[OPS_AXES], dilation[OPS_AXES],
        pad[OPS_AXES][2];
} ops_patches;

/* The attributes, and the image's shape from `image` (N, C, H, W or N, H, W, C). */
bool ztl_ops_patches_of(const ops_call *call, const int64_t *image, size_t rank, ops_patches *p);

/* Whether some pixel belongs to two patches. */
bool ztl_ops_patches_overlap(const ops_patches *p);

/* The steps of image and columns. */
typedef struct ops_steps {
    int64_t n, group, c, place[OPS_AXES], tap[OPS_AXES];
} ops_steps;

ops_steps ztl_ops_image_steps(const ops_call *call, const ops_patches *p,
                              const ztl_ops_tensor *image);
ops_steps ztl_ops_column_steps(const ops_call *call, const ops_patches *p,
                               const ztl_ops_tensor *columns);

/* Along one axis: places `first` … `first + n - 1` of a tap lie inside the image, from `at` on. */
typedef struct ops_range {
    int64_t first, n, at;
} ops_range;

static inline ops_range ops_inside(const ops_patches *p, unsigned k, int64_t tap)
{
    int64_t from = tap * p->dilation[k] - p->pad[k][0];
    int64_t first = from < 0 ? ops_ceil(-from, p->stride[k]) : 0;
    int64_t end = p->size[k] > from ? ops_ceil(p->size[k] - from, p->stride[k]) : 0;
    end = end < p->out[k] ? end : p->out[k];
    return (ops_range){first, end > first ? end - first : 0, from + first * p->stride[k]};
}

/* The image as taps find it: in place, or in scratch memory with the pixels of each phase of the
 * strides together. */
typedef struct ops_image {
    unsigned src;
    int64_t offset;
    bool is_split;
    int64_t phase[OPS_AXES]; /* the steps between phases, where they are split */
    int64_t tap;             /* between the images of the taps of a row, where each has its own */
    ops_steps step;
} ops_image;

/* The next of all combinations of less than `most` on each axis; false after the last. */
static inline bool ops_next_of(int64_t *at, const int64_t *most, unsigned axes)
{
    for (unsigned k = axes; k-- > 0; at[k] = 0)
        if (++at[k] < most[k])
            return true;
    return false;
}

/* Whether several taps read the same phase, so that separating the phases once serves them all. */
bool ztl_ops_share_phases(const ops_patches *p);

/* Separates the phases, all together or one by one, or none; *from is then where they are. */
void ztl_ops_separate_phases(const ops_call *call, ops_map *map, const ops_patches *p,
                             ops_image *from);

/* Pads the image in scratch memory before the taps, where that is chosen: *p and *from are then
 * those of the padded image. */
void ztl_ops_pad_first(const ops_call *call, ops_map *map, ops_patches *p, ops_image *from);

/* Small pixels: a place's taps of one row are a run of the image, except at its edges. */
void ztl_ops_map_windows(const ops_call *call, ops_map *map, const ops_patches *p);

#endif
