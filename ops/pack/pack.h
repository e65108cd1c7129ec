/* SPDX-License-Identifier: Apache-2.0
 * Packing: which instances of a tile share an instruction.
 *
 * A tile is what a way moves at a time, a single slice or many; an instance is one place of it, and
 * the grids say where they all are. An instruction moves up to 32 slices from anywhere to anywhere,
 * but strides count in slice widths, so the instances of a batch must agree modulo the width, in
 * the source and in the target. These residues decide how many batches there are.
 */
#ifndef ZTL_OPS_PACK_H
#define ZTL_OPS_PACK_H

#include "ops/format/draft.h"

/* Slice i of a load lies in[i] bytes from the place of instance in_of[i] of the batch; of a store
 * likewise. */
typedef struct ops_tile {
    unsigned width, store_width; /* of a slice, and of one that is stored: the units of strides */
    unsigned instances;          /* of a batch */
    unsigned slices;
    int64_t in[OPS_SLICES], out[OPS_SLICES];
    uint8_t in_of[OPS_SLICES], out_of[OPS_SLICES];
    unsigned in_width, out_width; /* the moduli of the residues: width, or 1 for none */
} ops_tile;

/* A tile of one slice: 32 of them are a batch, or as many as fit into a register. */
ops_tile ztl_ops_slice_tile(unsigned width);

/* After how many steps along a dimension the same residues come again. */
int64_t ztl_ops_residue_period(const ops_dim *dim, int64_t in_width, int64_t out_width);

/* Instances of a long list that wait for others of their class. */
enum { OPS_MOST_KEPT = 3 << 10 };

/* How many batches the instances of the grids make; -1 if they have more than 1024 residue classes,
 * or more than `most`, or so many that those of a long list do not fit into memory. Counting adds
 * its steps to the effort. */
int64_t ztl_ops_count_batches(uint64_t *effort, const ops_piece *grid, size_t grids,
                              int64_t in_width, int64_t out_width, int64_t instances, int64_t most);

/* How many batches ztl_ops_pack_batches will write; -1 if that is more than `most`, or cannot be
 * told. Of the tile, all but the places of slices must be set. */
int64_t ztl_ops_pack_count(ops_draft *draft, const ops_tile *tile, const ops_piece *grid,
                           size_t grids, int64_t most);

/* Writes passes that run form->insns instructions for all instances. Buffers and widths of the form
 * are those of grids and tile. */
void ztl_ops_pack_batches(ops_draft *draft, const ops_pass *form, const ops_insn *insn,
                          const ops_tile *tile, const ops_piece *grid, size_t grids);

/* Sorts indices by key, in place. */
void ztl_ops_sort_by_key(uint32_t *index, size_t n, const uint64_t *key);

#endif
