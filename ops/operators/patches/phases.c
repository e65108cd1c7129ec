/* SPDX-License-Identifier: Apache-2.0
 * The phases of an image: pixels that are whole strides apart. Separated in scratch memory, they
 * are runs for all taps that skip pixels.
 */
#include "ops/operators/patches/patches.h"

/* How many phases taps read: those of the first so many taps, then the same ones again. */
static int64_t phases_read(const ops_patches *p, unsigned k)
{
    int64_t all = p->stride[k] / ztl_ops_gcd(p->dilation[k], p->stride[k]);
    return all < p->kernel[k] ? all : p->kernel[k];
}

bool ztl_ops_share_phases(const ops_patches *p)
{
    int64_t phases = 1, taps = 1;
    bool fits = true;
    for (unsigned k = 0; k < p->axes; k++) {
        fits = fits && p->stride[k] <= p->size[k];
        phases *= phases_read(p, k);
        taps *= p->kernel[k];
    }
    return fits && phases < taps;
}

/* The image with its phases separated. */
static ops_image split_image(const ops_call *call, const ops_patches *p)
{
    ops_image split = {.src = OPS_SCRATCH, .is_split = true};
    int64_t step = call->in->bits / 8;
    for (unsigned k = p->axes; k-- > 0;) {
        split.step.place[k] = step;
        step *= ops_ceil(p->size[k], p->stride[k]);
    }
    for (unsigned k = p->axes; k-- > 0;) {
        split.phase[k] = step;
        step *= p->stride[k];
    }
    split.step.c = step;
    split.step.group = split.step.c * (p->c / p->groups);
    split.step.n = split.step.c * p->c;
    return split;
}

/* Pixels of one phase next to each other: then taps read runs although they skip pixels. */
static void split_phase(ops_map *map, const ops_patches *p, const ops_image *in_place,
                        const ops_image *split, const int64_t *tap)
{
    const ops_steps *from = &in_place->step, *to = &split->step;
    int64_t phase[OPS_AXES], source = in_place->offset, target = 0;
    for (unsigned k = 0; k < p->axes; k++) {
        phase[k] = ops_mod(tap[k] * p->dilation[k] - p->pad[k][0], p->stride[k]);
        source += phase[k] * from->place[k];
        target += phase[k] * split->phase[k];
    }
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_SCRATCH, source, target);
    ztl_ops_add_dim(piece, p->n, from->n, to->n);
    ztl_ops_add_dim(piece, p->c, from->c, to->c);
    for (unsigned k = 0; k < p->axes; k++)
        ztl_ops_add_dim(piece, ops_ceil(p->size[k] - phase[k], p->stride[k]),
                        from->place[k] * p->stride[k], to->place[k]);
}

static void split_phases(ops_map *map, const ops_patches *p, const ops_image *in_place,
                         const ops_image *split)
{
    int64_t tap[OPS_AXES] = {0}, phases[OPS_AXES];
    for (unsigned k = 0; k < p->axes; k++)
        phases[k] = phases_read(p, k);
    do
        split_phase(map, p, in_place, split, tap);
    while (ops_next_of(tap, phases, p->axes));
}

/* Whether the phases of a row differ in their number of pixels. */
static bool is_uneven(const ops_patches *p)
{
    unsigned x = p->axes - 1;
    for (unsigned k = 0; k < p->axes; k++)
        if (phases_read(p, k) != p->stride[k])
            return false;
    return p->size[x] % p->stride[x];
}

/* The ops_image in scratch memory, with room for whole strides: then all phases are alike, and are
 * separated together. Pixels beyond the image are those of no place. */
static ops_image even_image(const ops_call *call, const ops_patches *p, int64_t offset)
{
    ops_image even = {.src = OPS_SCRATCH, .offset = offset};
    int64_t step = call->in->bits / 8;
    for (unsigned k = p->axes; k-- > 0;) {
        even.step.place[k] = step;
        step *= ops_ceil(p->size[k], p->stride[k]) * p->stride[k];
    }
    even.step.c = step;
    even.step.n = step * p->c;
    return even;
}

static void split_evenly(ops_map *map, const ops_patches *p, const ops_image *in_place,
                         const ops_image *even, const ops_image *split)
{
    ops_piece *copy = ztl_ops_add_piece(map, 0, OPS_SCRATCH, in_place->offset, even->offset);
    ztl_ops_add_dim(copy, p->n, in_place->step.n, even->step.n);
    ztl_ops_add_dim(copy, p->c, in_place->step.c, even->step.c);
    for (unsigned k = 0; k < p->axes; k++)
        ztl_ops_add_dim(copy, p->size[k], in_place->step.place[k], even->step.place[k]);
    ops_piece *piece = ztl_ops_add_piece(map, OPS_SCRATCH, OPS_SCRATCH, even->offset, 0);
    ztl_ops_add_dim(piece, p->n, even->step.n, split->step.n);
    ztl_ops_add_dim(piece, p->c, even->step.c, split->step.c);
    for (unsigned k = 0; k < p->axes; k++) {
        int64_t step = even->step.place[k];
        ztl_ops_add_dim(piece, ops_ceil(p->size[k], p->stride[k]), step * p->stride[k],
                        split->step.place[k]);
        ztl_ops_add_dim(piece, p->stride[k], step, split->phase[k]);
    }
}

/* What there is no scratch memory for is no choice; where there is enough for what all together go
 * through once more, one by one is none either. */
void ztl_ops_separate_phases(const ops_call *call, ops_map *map, const ops_patches *p,
                             ops_image *from)
{
    ops_image split = split_image(call, p);
    uint64_t bytes = (uint64_t)(p->n * split.step.n), first = (bytes + 63) & ~UINT64_C(63);
    ops_image even = even_image(call, p, (int64_t)first);
    uint64_t both = first + (uint64_t)(p->n * even.step.n);
    bool may_even = is_uneven(p) && both <= map->scratch_limit;
    bool may_split = bytes <= map->scratch_limit && !(may_even && 2 * both <= map->scratch_limit);
    map->choices = may_split + may_even;
    /* A KiB out of every other element is two loads, a PERMUTE and a store. */
    uint64_t made = (uint64_t)ztl_ops_tensor_elements(call->out) * call->out->bits / 8;
    map->least_direct = call->out->bits <= 128 ? 4 * made / 1024 : 0;
    if (map->choice == map->choices)
        return;
    bool evenly = may_even && map->choice == 0;
    if (evenly)
        split_evenly(map, p, from, &even, &split);
    else
        split_phases(map, p, from, &split);
    map->scratch = evenly ? both : bytes;
    *from = split;
}
