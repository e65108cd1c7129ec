/* SPDX-License-Identifier: Apache-2.0
 * Programs that end with this process, whatever ends it, and all that they have started with them.
 */
#ifndef ZTL_HOST_SUPERVISE_H
#define ZTL_HOST_SUPERVISE_H

#include <signal.h>

#include "host/process/process.h"

/* How a program starts: its signal mask, and the file that it has for standard output or error. */
typedef struct ztl_start {
    const sigset_t *mask;
    int standard, file; /* file -1: it has ours */
} ztl_start;

/* Starts a program as the child of a supervisor, which ends as the program does. The program and
 * its children are killed when this process ends. The supervisor's number; -1 with errno when the
 * program could not be started. */
pid_t ztl_supervise(const ztl_args *args, const ztl_start *start);

/* Kills the program and its children, and then its supervisor ends. */
void ztl_supervise_kill(pid_t supervisor);

enum ztl_wait { ZTL_WAIT_ENDED, ZTL_WAIT_TIMED_OUT, ZTL_WAIT_PARENT_ENDED };

/* Waits until a child could be waited for, or so many seconds (0: for ever), and passes the
 * requests to stop on to it that only this process gets. They are blocked, with SIGCHLD. *request:
 * the first, or 0. */
enum ztl_wait ztl_wait_and_pass(pid_t child, const sigset_t *signals, double timeout, int *request);

#endif
