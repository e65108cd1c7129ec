/* SPDX-License-Identifier: Apache-2.0
 * The passes that look at single elements.
 */
#ifndef ZTL_OPS_SCALAR_H
#define ZTL_OPS_SCALAR_H

#include "ops/plan.h"

/* Moves one element of a pass. */
void ops_move_one(const ops_pass *pass, const uint8_t *from, int64_t in, uint8_t *to, int64_t out);

/* Moves elements one by one: half-bytes that no byte contains whole. */
void ops_run_scalar(const ops_pass *pass, const uint8_t *from, uint8_t *to);

/* Unpacks or packs blocks of half-bytes. */
void ops_run_halves(const ops_pass *pass, const uint8_t *from, uint8_t *to);

/* OPS_WEAVE, OPS_UNWEAVE, OPS_TURN, OPS_SHIFT; and the last two. */
void ops_run_composed(const ops_insn *insn);
void ops_turn(unsigned side);
void ops_shift(unsigned long shape);

/* Steps to the next index of the pass's loops before `end`; false after the last. */
bool ops_next_index(const ops_pass *pass, unsigned end, int64_t *at, int64_t *in, int64_t *out);

/* Where: stores up to 32 slices at a time under a mask that is read from the condition. */
void ops_run_select(const ops_pass *pass, const uint8_t *condition, const uint8_t *from,
                    uint8_t *to);

#endif
