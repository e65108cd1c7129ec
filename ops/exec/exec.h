/* SPDX-License-Identifier: Apache-2.0
 * Executing plans: on the host and on a hart, without an operating system.
 */
#ifndef ZTL_OPS_EXEC_H
#define ZTL_OPS_EXEC_H

#include "ops/format/plan.h"

/* Runs a plan whose arguments have been checked. */
void ztl_ops_run_plan(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                      void *scratch);

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

/* Moves one element of such a pass. */
void ztl_ops_move_one(const ops_pass *pass, const uint8_t *from, int64_t in, uint8_t *to,
                      int64_t out);

/* Steps to the next index of the pass's loops before `end`; false after the last. */
bool ztl_ops_next_index(const ops_pass *pass, unsigned end, int64_t *at, int64_t *in, int64_t *out);

#endif
