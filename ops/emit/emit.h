/* SPDX-License-Identifier: Apache-2.0
 * Plans as C: a kernel without an interpreter. Loops of the plan are loops, everything else is a
 * constant; batches overlap as in a kernel that is written by hand.
 */
#ifndef ZTL_OPS_EMIT_H
#define ZTL_OPS_EMIT_H

#include <stdio.h>

#include <ztl/error.h>
#include <ztl/ops.h>

typedef struct ops_emit_options {
    const char *name;    /* of the function */
    const char *comment; /* what it does, for the head of the file */
    bool bare;           /* neither head nor includes: one of several in a file */
} ops_emit_options;

/* Writes
 *     void NAME(void *out0, ..., const void *in0, ..., void *scratch)
 * False and a message when the plan has something that has no C. */
bool ztl_ops_emit(const ztl_ops_plan *plan, const ops_emit_options *options, FILE *out,
                  ztl_error *error);

/* Writes a main() that runs it on made-up bytes in a region and prints the CRC-32 of each output.
 * in and out: sizes in bytes. */
void ztl_ops_emit_main(const ztl_ops_plan *plan, const char *name, const uint64_t *in,
                       const uint64_t *out, FILE *file);

/* Writes NAME_call(plan, in, out, scratch), with arrays of addresses as ztl_ops_run has them. */
void ztl_ops_emit_call(const ztl_ops_plan *plan, const char *name, FILE *file);

#endif
