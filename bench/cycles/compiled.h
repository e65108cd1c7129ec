/* SPDX-License-Identifier: Apache-2.0
 * The plans of cases as one image of compiled kernels.
 */
#ifndef ZTL_BENCH_CYCLES_COMPILED_H
#define ZTL_BENCH_CYCLES_COMPILED_H

#include "bench/cases/run.h"

enum { BENCH_ENTRY = 8 }; /* bytes from one entry to the next */

/* Whether a case can be run, and its name contains the text; NULL is all. */
bool ztl_bench_is_wanted(const ztl_ops_case *c, const char *only);

/* Whether the compiler for it is there; if not, says that compiled plans are left out, and why. */
bool ztl_bench_can_compile(void);

/* Compiles the cases of a group that are wanted; the entry is that of the first. The caller frees
 * the bytes. False after a message. */
bool ztl_bench_compile(enum ztl_ops_group group, unsigned bits, const char *only,
                       const ztl_ops_machine *machine, ops_image *image);

#endif
