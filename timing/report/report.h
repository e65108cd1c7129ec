/* SPDX-License-Identifier: Apache-2.0
 * What the two forms of the report share.
 */
#ifndef ZTL_TIMING_REPORT_H
#define ZTL_TIMING_REPORT_H

#include <ztl/timing.h>

enum { TIMING_IDLE_CAUSES = 5 };
extern const enum ztl_timing_cause ztl_timing_idle[TIMING_IDLE_CAUSES];

static inline double timing_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* From the timing or the stats, whichever there was. */
uint64_t ztl_region_instructions(const ztl_region *region);
uint64_t ztl_region_ztl_instructions(const ztl_region *region);

#endif
