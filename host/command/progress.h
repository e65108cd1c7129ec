/* SPDX-License-Identifier: Apache-2.0
 * A line on the terminal for what takes longer than a second.
 */
#ifndef ZTL_HOST_PROGRESS_H
#define ZTL_HOST_PROGRESS_H

typedef struct ztl_progress ztl_progress;

/* NULL when standard error is no terminal, or without memory: nothing is shown then. */
ztl_progress *ztl_progress_start(const char *what);

/* The step that is under way. */
void ztl_progress_step(ztl_progress *progress, const char *step);

/* Wipes the line: before something else is written to the terminal. */
void ztl_progress_wipe(ztl_progress *progress);

/* Wipes the line for good. */
void ztl_progress_stop(ztl_progress *progress);

#endif
