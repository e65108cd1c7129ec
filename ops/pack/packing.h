/* SPDX-License-Identifier: Apache-2.0
 * What nests of loops and lists of batches share.
 */
#ifndef ZTL_OPS_PACKING_H
#define ZTL_OPS_PACKING_H

#include "ops/pack/pack.h"

typedef struct ops_instance {
    int64_t in, out;
} ops_instance;

/* One call of ztl_ops_pack. */
typedef struct ops_packing {
    ops_draft *draft;
    const ops_pass *form;
    const ops_insn *insn;
    const ops_tile *tile;
} ops_packing;

/* The stride vectors of a batch; instances beyond `present` repeat the first. False when a stride
 * does not fit its CSR. */
bool ztl_ops_vectors_of(const ops_tile *tile, const ops_instance *at, unsigned present,
                        unsigned slices, ops_vector *load, ops_vector *store);

/* A list is made of so many instances at a time, and is so many batches to a pass. */
enum { OPS_LISTED = OPS_MOST_KEPT + (1 << 10), OPS_LISTED_BATCHES = 640 };

/* Orders the groups of a pass, whose batches they name, so that few strides change between them. */
void ztl_ops_order_groups(const ops_pass *pass, const ops_vector *vector, ops_group *group);

/* Memory that a list of n instances in so many batches takes, if batches share their vectors. */
size_t ztl_ops_list_bytes(const ops_packing *packing, int64_t n, int64_t batches);

/* Writes passes with every batch of the grids in a list: so many, or -1 if that is not known. */
void ztl_ops_pack_list(const ops_packing *packing, const ops_piece *grid, size_t grids,
                       int64_t batches);

#endif
