/* SPDX-License-Identifier: Apache-2.0
 * ztl op --timing, --timeline; and the run that ztl timing sweep records.
 */
#ifndef ZTL_OP_TIMING_H
#define ZTL_OP_TIMING_H

#include <ztl/timeline.h>

#include "host/output.h"
#include "ops/drive/drive.h"

typedef struct ztl_op_timing {
    const char *machine_text, *timeline_path, *window; /* options; NULL: not given */
    ztl_recording *recording;                          /* of a sweep; NULL: none */
    ztl_timing_machine machine;
    ztl_timing *timing;
    ztl_timeline *timeline;
} ztl_op_timing;

/* Whether a hart is to be watched at all. */
bool ztl_op_timing_is_on(const ztl_op_timing *t);

/* The options; false and a message, which starts with the option that is wrong. */
bool ztl_op_timing_check(ztl_op_timing *t, ztl_error *error);

/* Lets the hart of a job be watched. */
void ztl_op_timing_watch(ztl_op_timing *t, ops_job *job);

/* After the run: false and a message when memory was short. */
bool ztl_op_timing_complete(const ztl_op_timing *t, ztl_error *error);

/* The table of ztl run --timing, and the floor; as the members of a JSON object, after a comma. */
void ztl_op_timing_print(const ztl_op_timing *t, const ztl_ops_plan *plan);
void ztl_op_timing_print_json(const ztl_op_timing *t, const ztl_ops_plan *plan);

/* The timeline as a file. */
ztl_output ztl_op_timing_output(const ztl_op_timing *t);

void ztl_op_timing_free(ztl_op_timing *t);

#endif
