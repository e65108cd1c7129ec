/* SPDX-License-Identifier: Apache-2.0
 * Interleave and deinterleave three planes, as instructions of any program.
 */
#include "ops/exec/exec.h"
#include "ops/exec/planes.h"

void ztl_ops_run_interleave3(unsigned element)
{
    OPS_INTERLEAVE3_TL(1, element);
}

void ztl_ops_run_deinterleave3(unsigned element)
{
    OPS_DEINTERLEAVE3_TL(1, element);
}
