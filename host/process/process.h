/* SPDX-License-Identifier: Apache-2.0
 * Other programs: their argument lists, how they are run, where they are found.
 */
#ifndef ZTL_HOST_PROCESS_H
#define ZTL_HOST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include <ztl/error.h>

#include "host/process/buffer.h"

/* An argument list that owns its strings; all zero is empty. Item `count` is always NULL. */
typedef struct ztl_args {
    char **item;
    size_t count;
} ztl_args;

void ztl_args_add(ztl_args *args, const char *text);
__attribute__((format(printf, 2, 3))) void ztl_args_format(ztl_args *args, const char *format, ...);
void ztl_args_free(ztl_args *args);

/* Each program that is run or started here ends when this process does, whatever ends that, and all
 * that the program has started with it.
 *
 * Runs a program and waits. Its exit status (128 + n when signal n ended it), or -1 with errno
 * when it could not be started. SIGINT, SIGTERM or SIGHUP ends it first, and then this process. */
int ztl_process_run(const ztl_args *args);

/* The same for a program that may have an answer of its own to such a signal: when it exits, its
 * status counts, and this process goes on. After so many seconds (0: never) it is killed, with all
 * the processes that it has started: *timed_out. */
int ztl_process_run_guest(const ztl_args *args, double timeout, bool *timed_out);

/* As ztl_process_run, with what it writes to standard error in `messages`. */
int ztl_process_run_captured(const ztl_args *args, ztl_buffer *messages);

/* Starts a program with its output in a pipe; NULL with errno set when that failed. */
FILE *ztl_process_read(const ztl_args *args, pid_t *child);

/* Closes the pipe and waits: the exit status as above. */
int ztl_process_close(FILE *output, pid_t child);

/* In a fork: it ends when `parent` does, which forked it, and so does the program that it becomes.
 * False: that has happened already. */
bool ztl_process_end_with(pid_t parent);

/* Whether a program can be found on PATH, or at its own path when it has a slash. */
bool ztl_program_exists(const char *program);

/* The Debian package of a tool for RISC-V, NULL for a program that is none of them. */
const char *ztl_program_package(const char *program);

/* "NAME: not found; it is in the Debian package PACKAGE (apt install PACKAGE)" */
void ztl_program_missing(const char *program, ztl_error *error);

/* Whether a file name ends in a suffix. */
bool ztl_ends_with(const char *text, const char *suffix);

#endif
