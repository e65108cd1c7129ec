/* SPDX-License-Identifier: Apache-2.0
 * Plans under unmodified QEMU.
 */
#ifndef ZTL_OPS_QEMU_H
#define ZTL_OPS_QEMU_H

#include "adapters/qemu/statistics.h"
#include "ops/drive/sim.h"

/* Runs a plan; *statistics: what was emulated. False with a message when something is missing or
 * fails. */
bool ops_qemu_run(const ops_job *job, const ztl_ops_plan *plan, ztl_statistics *statistics,
                  char *error, size_t size);

#endif
