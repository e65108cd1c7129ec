/* SPDX-License-Identifier: Apache-2.0
 * The parameters of a machine as a table.
 */
#ifndef ZTL_TIMING_PARAMETERS_H
#define ZTL_TIMING_PARAMETERS_H

#include <ztl/timing.h>

/* A message for the caller's buffer, which may be NULL. Returns false. */
__attribute__((format(printf, 3, 4))) bool ztl_timing_error(char *error, size_t size,
                                                            const char *format, ...);

/* Fills a machine with a preset; false when there is none of that name. */
bool ztl_timing_preset(const char *name, ztl_timing_machine *machine);

/* " (did you mean 'four'?)", or nothing when no preset is close. */
void ztl_timing_near_preset(const char *name, char text[64]);

/* Reads a machine file over a machine. */
bool ztl_timing_read_file(const char *path, ztl_timing_machine *machine, char *error, size_t size);

#endif
