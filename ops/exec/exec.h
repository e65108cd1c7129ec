/* SPDX-License-Identifier: Apache-2.0
 * Executing plans: on the host and on a hart, without an operating system.
 */
#ifndef ZTL_OPS_EXEC_H
#define ZTL_OPS_EXEC_H

#include "ops/format/plan.h"

/* Runs a plan whose arguments have been checked. */
void ztl_ops_run_plan(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                      void *scratch);

/* What a pass works on. */
typedef struct ops_buffers {
    const uint8_t *from;
    uint8_t *to;
    const uint8_t *indices; /* or the condition of where */
    uint8_t *selected;      /* where a count of positions goes, or NULL */
} ops_buffers;

ops_buffers ztl_ops_buffers(const ops_pass *pass, const void *const *in, void *const *out,
                            void *scratch);
void ztl_ops_run_pass(const ops_pass *pass, const ops_buffers *buffers);

/* An index that is out of range: which one in the order of the tensor of indices. */
typedef struct ops_bad_index {
    int64_t number, value, dimension;
    int64_t low, end; /* what it may be: from low to end - 1 */
} ops_bad_index;

/* Whether the indices that a plan reads have one that is out of range, and the first of these. */
bool ztl_ops_find_bad_index(const ztl_ops_plan *plan, const void *const *in, ops_bad_index *bad);

/* Looks for one, and runs the plan if there is none; false, with nothing written, if there is. */
bool ztl_ops_run_checked(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                         void *scratch, ops_bad_index *bad);

/* Whether buffers are there and do not overlap: in api/run.c. */
bool ztl_ops_check_run(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                       const void *scratch, ztl_error *error);

/* Says so; always false. In api/run.c, for drivers too. */
bool ztl_ops_say_bad(ztl_error *error, const ops_bad_index *bad);

/* Whether batches overlap: on a hart, or where the tests ask for it. A host runs them fused. */
#if defined __riscv || defined ZTL_OPS_OVERLAP
#define OPS_OVERLAPS 1
#else
#define OPS_OVERLAPS 0
#endif

/* A pass's program for one batch; and all batches of a group, fused. */
void ztl_ops_run_program(const ops_pass *pass, const uint8_t *from, uint8_t *to);
void ztl_ops_run_rounds(const ops_pass *pass, const ops_group *group, const uint8_t *from,
                        uint8_t *to);

/* Macro-instructions, on the registers that format/insn.def names. */
void ztl_ops_run_interleave3(unsigned element);
void ztl_ops_run_deinterleave3(unsigned element);
void ztl_ops_run_concat(const ops_insn *insn);
void ztl_ops_run_transpose4(unsigned side);
void ztl_ops_run_shift4(unsigned long shape);

/* Passes that have no program: single elements, blocks of nibbles that are packed or unpacked, and
 * slices under a mask that is read from the condition of where. */
void ztl_ops_run_scalar(const ops_pass *pass, const uint8_t *from, uint8_t *to);
void ztl_ops_run_nibbles(const ops_pass *pass, const uint8_t *from, uint8_t *to);
void ztl_ops_run_where(const ops_pass *pass, const uint8_t *condition, const uint8_t *from,
                       uint8_t *to);

/* A pass with indices. */
void ztl_ops_run_indexed(const ops_pass *pass, const ops_buffers *buffers);

/* Moves one element of such a pass. */
void ztl_ops_move_one(const ops_pass *pass, const uint8_t *from, int64_t in, uint8_t *to,
                      int64_t out);

/* Steps to the next index of the pass's loops before `end`; false after the last. */
bool ztl_ops_next_index(const ops_pass *pass, unsigned end, int64_t *at, int64_t *in, int64_t *out);

#endif
