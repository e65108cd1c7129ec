/* SPDX-License-Identifier: Apache-2.0
 * The parameters of a machine as a table.
 */
#ifndef ZTL_TIMING_PARAMETERS_H
#define ZTL_TIMING_PARAMETERS_H

#include <ztl/timing.h>

#include "host/error.h"

/* Fills a machine with a preset; false when there is none of that name. */
bool ztl_timing_preset(const char *name, ztl_timing_machine *machine);

/* " (did you mean 'four'?)", or nothing when no preset is close. */
void ztl_timing_near_preset(const char *name, char text[64]);

/* Reads a machine file over a machine. */
bool ztl_timing_read_file(const char *path, ztl_timing_machine *machine, ztl_error *error);

#endif
