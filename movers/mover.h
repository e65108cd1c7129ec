/* SPDX-License-Identifier: Apache-2.0
 * Movers with kernels and threads that the caller chooses, for tests.
 */
#ifndef ZTL_MOVERS_MOVER_H
#define ZTL_MOVERS_MOVER_H

#include <ztl/movers.h>

#include "movers/job.h"

/* ztl_mover_new with these kernels. */
ztl_mover *ztl_mover_with(const native_set *set, const ztl_ops_op *op, const ztl_ops_tensor *in,
                          size_t inputs, const ztl_ops_tensor *out, size_t outputs,
                          ztl_error *error);

/* ztl_mover_run on exactly `threads` threads, from 1 to 64, however little there is to do. */
bool ztl_mover_run_on(const ztl_mover *mover, const void *const *in, void *const *out,
                      unsigned threads, ztl_error *error);

/* Whether the operator is planned, as it is no plain index map. */
bool ztl_mover_plans(const ztl_mover *mover);

#endif
