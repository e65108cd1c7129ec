/* SPDX-License-Identifier: Apache-2.0
 * A compiler's command line, sorted.
 */
#ifndef ZTL_TOOLCHAIN_JOB_H
#define ZTL_TOOLCHAIN_JOB_H

#include "toolchain/compile/compiler.h"
#include "toolchain/march.h"

typedef struct ztl_job {
    ztl_compiler *compiler;
    ztl_march march;
    bool has_march;
    bool has_cpu;
    const char *abi;
    const char *output;
    bool compile_only;  /* -c */
    bool no_assembling; /* -S, -E, -M, -MM, -fsyntax-only */
    bool dependencies;  /* -MD or -MMD, to a file whose name follows from that of the source */
    ztl_args source;    /* what is to be compiled or assembled */
    ztl_args link;      /* objects and options of the linker, in their order */
    ztl_args compile;   /* every other option */
    ztl_args temporary; /* files to remove */
    ztl_error *error;
} ztl_job;

/* Sorts the user's arguments; false and a message when the ISA string is wrong. */
bool ztl_job_sort(ztl_job *job);

void ztl_job_free(ztl_job *job);

/* Whether an argument names a source; one in C++; one in assembly. */
bool ztl_is_source(const char *argument);
bool ztl_is_cplusplus(const char *source);
bool ztl_is_assembly(const char *source);

/* Whether the value of a compiler's option is the next argument. */
bool ztl_takes_value(const char *option);

#endif
