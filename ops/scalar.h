/* SPDX-License-Identifier: Apache-2.0
 * The passes that look at single elements.
 */
#ifndef ZTL_OPS_SCALAR_H
#define ZTL_OPS_SCALAR_H

#include "ops/plan.h"

/* Moves elements one by one: half-bytes that no byte contains whole. */
void ops_run_scalar(const ops_pass *pass, const uint8_t *from, uint8_t *to);

/* Where: stores up to 32 elements at a time under a mask that is read from the condition. */
void ops_run_select(const ops_pass *pass, const uint8_t *condition, const uint8_t *from,
                    uint8_t *to);

#endif
