/* SPDX-License-Identifier: Apache-2.0
 * Bodies of passes in which batches overlap: each instruction is on the engine of its kind, and
 * batches use sets of registers in turn, so that one is loaded while another one is permuted and a
 * third stored. doc/timing.md says what that is worth.
 */
#ifndef ZTL_OPS_OVERLAP_H
#define ZTL_OPS_OVERLAP_H

#include "ops/exec/overlap/walk.h"

/* All batches of a pass, whose walk has started. */
void ztl_ops_overlap_copy(ops_walk *walk);
void ztl_ops_overlap_spread(ops_walk *walk);
void ztl_ops_overlap_fill(ops_walk *walk);
void ztl_ops_overlap_pair(ops_walk *walk);
void ztl_ops_overlap_spread_pair(ops_walk *walk);

/* These are pipelines, which are empty before strides change. A file that has one for the batches
 * of a group makes it one for all groups. */
#define OPS_OVERLAP_GROUPS(name)                                                                   \
    void ztl_ops_overlap_##name(ops_walk *walk)                                                    \
    {                                                                                              \
        do                                                                                         \
            name(walk);                                                                            \
        while (ztl_ops_walk_group(walk));                                                          \
    }
void ztl_ops_overlap_tiles_4(ops_walk *walk);
void ztl_ops_overlap_tiles_8(ops_walk *walk);
void ztl_ops_overlap_tiles_16(ops_walk *walk);
void ztl_ops_overlap_interleave3(ops_walk *walk);
void ztl_ops_overlap_deinterleave3(ops_walk *walk);
void ztl_ops_overlap_join(ops_walk *walk);

#endif
