/* SPDX-License-Identifier: Apache-2.0
 * The instructions of a plan, one after the other.
 */
#ifndef ZTL_OP_LISTING_H
#define ZTL_OP_LISTING_H

#include "ops/drive/drive.h"

/* Prints the Ztl instructions and CSR writes of a run, as the simulated hart executes them, with
 * the values of their registers; the first `most` of them, 0: all. Sources may be missing. */
bool ztl_op_print_listing(const ops_job *job, const ztl_ops_plan *plan, unsigned most,
                          ztl_error *error);

#endif
