/* SPDX-License-Identifier: Apache-2.0
 * A compiler's command line, sorted.
 */
#ifndef ZTL_TOOLCHAIN_JOB_H
#define ZTL_TOOLCHAIN_JOB_H

#include "toolchain/compiler.h"
#include "toolchain/march.h"

typedef struct ztl_job {
    ztl_compiler *compiler;
    ztl_march march;
    bool has_march;
    const char *abi;
    const char *output;
    bool compile_only;  /* -c */
    bool no_assembling; /* -S, -E, -M, -MM, -fsyntax-only */
    ztl_args source;    /* what is to be compiled or assembled */
    ztl_args link;      /* objects and options of the linker, in their order */
    ztl_args compile;   /* every other option */
    ztl_args temporary; /* files to remove */
    char *error;
    size_t error_size;
} ztl_job;

/* Sorts the user's arguments; false and a message when the ISA string is wrong. */
bool ztl_job_sort(ztl_job *job);

void ztl_job_free(ztl_job *job);

#endif
