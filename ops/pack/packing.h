/* SPDX-License-Identifier: Apache-2.0
 * What nests of loops and lists of batches share.
 */
#ifndef ZTL_OPS_PACKING_H
#define ZTL_OPS_PACKING_H

#include "ops/pack/pack.h"

typedef struct ops_instance {
    int64_t in, out;
} ops_instance;

/* One call of ztl_ops_pack_batches, or of ztl_ops_pack_count: both decide in the same code. */
typedef struct ops_packing {
    ops_draft *draft;
    const ops_pass *form;
    const ops_insn *insn;
    const ops_tile *tile;
    int64_t *counted; /* the batches so far, where they are only counted; else NULL */
    int64_t most;     /* more of them are of no use */
} ops_packing;

/* So many widths apart instances of a batch may be: half of a stride's range is left for the slices
 * of an instance, where it has several. */
static inline int64_t ops_reach_of(const ops_tile *tile)
{
    return tile->slices == tile->instances ? INT32_MAX : INT32_MAX / 2;
}

/* The stride vectors of a batch; instances beyond `present` repeat the first. False when a stride
 * does not fit its CSR. */
bool ztl_ops_vectors_of(const ops_tile *tile, const ops_instance *at, unsigned present,
                        unsigned slices, ops_vector *load, ops_vector *store);

/* What is in memory of a list: a pass is written when so many batches or stride vectors are there,
 * however long the list is. */
enum { OPS_LISTED = OPS_MOST_KEPT + (1 << 10), OPS_LISTED_BATCHES = 640, OPS_LISTED_VECTORS = 256 };

/* After how many steps along a dimension instances agree again. */
int64_t ztl_ops_tile_period(const ops_tile *tile, const ops_dim *dim);

/* Whether full batches can be made, `left` of whose instances are along dimension d and after. */
bool ztl_ops_fills_batches(const ops_tile *tile, const ops_piece *grid, unsigned d, int64_t left);

/* One grid as a nest of loops around one batch, written or counted; false, with nothing done, if
 * that takes more batches than `most`. */
bool ztl_ops_pack_nest(const ops_packing *packing, const ops_piece *grid, int64_t most);

/* Orders the groups of a pass, whose batches they name, so that few strides change between them. */
void ztl_ops_order_groups(const ops_pass *pass, const ops_vector *vector, ops_group *group);

/* Memory that a list of n instances in so many batches takes, if batches share their vectors. */
size_t ztl_ops_list_bytes(const ops_packing *packing, int64_t n, int64_t batches);

/* Writes passes with every batch of the grids in a list, or counts them: so many unless strides do
 * not reach, or -1 if that is not known. */
void ztl_ops_pack_list(const ops_packing *packing, const ops_piece *grid, size_t grids,
                       int64_t batches);

#endif
