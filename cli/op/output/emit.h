/* SPDX-License-Identifier: Apache-2.0
 * ztl op --emit: the plan as a kernel.
 */
#ifndef ZTL_OP_EMIT_H
#define ZTL_OP_EMIT_H

#include "ops/drive/drive.h"

enum ztl_op_emit_form { ZTL_OP_EMIT_C, ZTL_OP_EMIT_ASM };

typedef struct ztl_op_emit {
    bool is_on, with_main; /* --emit, --main */
    unsigned form;         /* enum ztl_op_emit_form */
    const char *name;      /* of the function */
    const char *comment;   /* the command */
} ztl_op_emit;

/* Whether a function can have the name, in C and C++, beside what the kernel includes. */
bool ztl_op_emit_name(const char *name);

/* Writes it to a file; NULL: standard output. False and a message. */
bool ztl_op_emit_write(const ztl_op_emit *emit, const ztl_ops_plan *plan, const ops_job *job,
                       const char *path, ztl_error *error);

#endif
