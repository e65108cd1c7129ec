/* SPDX-License-Identifier: Apache-2.0
 * Selecting by a condition: the fourth tensor is the second where the first is not 0, else the
 * third.
 */
#ifndef ZTL_MOVERS_SELECT_H
#define ZTL_MOVERS_SELECT_H

#include "ops/map/broadcast.h"
#include "movers/job.h"

/* Elements of so many bytes, in the loops of these four tensors; nothing of them overlaps. */
void ztl_native_select(const ops_loops *loops, int64_t element, const native_buffers *buffers);

#endif
