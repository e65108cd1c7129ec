/* SPDX-License-Identifier: Apache-2.0
 * What the parts of ztl op share.
 */
#ifndef ZTL_CLI_OP_REQUEST_H
#define ZTL_CLI_OP_REQUEST_H

#include <ztl/ops.h>

#include "cli/npy/npy.h"
#include "cli/op/engine.h"
#include "cli/op/input/elements.h"
#include "cli/op/output/emit.h"
#include "cli/op/output/timing.h"
#include "host/command/exit.h"
#include "host/command/progress.h"
#include "ops/drive/drive.h"
#include "ops/text/text.h"

enum { OP_MAX_ATTRIBUTES = 64 };

/* An attribute of operators, as an option. */
typedef struct op_attribute {
    struct op_request *request;
    const ztl_op_attribute *row;
    const char *file; /* a list that is in one */
    bool given;
} op_attribute;

typedef struct op_request {
    /* The words of the command. */
    char command[64]; /* ztl op NAME */
    ztl_op_text text;
    const char *name, *input[ZTL_OPS_BUFFERS], *output[ZTL_OPS_BUFFERS];
    const char *value, *values, *dtype, *shape_in[ZTL_OPS_BUFFERS];
    const char *indices_shape; /* of indices, or a condition, without data; NULL: there are none */
    op_attribute attribute[OP_MAX_ATTRIBUTES];
    size_t inputs, outputs;
    size_t shapes; /* of inputs without data */
    bool plan, list, check, stats, json, has_type, has_engine, constant;
    unsigned effort;          /* enum ztl_ops_effort */
    unsigned aim;             /* enum ztl_ops_aim */
    unsigned most;            /* instructions that are listed; 0: all */
    enum ztl_type type;       /* of elements, if has_type */
    const char *type_name;    /* … or that of a dtype, where only shapes are given */
    unsigned fortran, engine; /* which of the orders, and of the engines */
    unsigned threads;         /* 0: not given */
    ztl_ops_machine machine;
    const char *plan_for; /* --machine */
    ztl_op_timing timing;
    ztl_op_emit emit;
    char emitted[512];     /* the command, for the head of the kernel */
    const char *csv, *svg; /* that a sweep writes behind it; NULL: none */

    /* What is read, planned and made. */
    ztl_npy in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    int index_input; /* which input holds indices or a condition that are read at run time, or -1 */
    ztl_op_element element; /* of the outputs */
    ztl_ops_tensor tensor_in[ZTL_OPS_BUFFERS], tensor_out[ZTL_OPS_BUFFERS];
    const void *source[ZTL_OPS_BUFFERS];
    void *target[ZTL_OPS_BUFFERS];
    ops_job job; /* all these; its outputs are those of the operator, `outputs` those of -o */
    ztl_ops_plan *made;
    size_t space;
    ztl_op_figures figures;
    ztl_progress *progress;
    double plan_ms, run_ms;
} op_request;

/* Prints what is wrong and returns the status. `what` may be empty. */
int op_complain(const op_request *r, int status, const char *what, const char *text);

/* Whether an attribute may be an input that is read when the plan runs: cli/op/rules.c. */
bool op_is_index(const ztl_op_attribute *row);

/* Those that follow return an exit status, after a message if it is not ZTL_EXIT_OK. */

/* The words of a command that names an operator: cli/op/options.c. */
int op_parse(op_request *r, int argc, char **argv);
/* Which of them go together: cli/op/rules.c. */
int op_check_options(op_request *r);
/* Files and lists: cli/op/input/read.c. */
int op_read_inputs(op_request *r);

/* The plan and its job, and the plan as a kernel: cli/op/plan.c. */
int op_make_plan(op_request *r);
int op_emit_plan(op_request *r);
/* Whether output 0 has as many positions as a condition selects, which output 1 tells. */
bool op_selects(const op_request *r);
double op_now_ms(void);

/* Runs the plan, and compares what it made with the reference: cli/op/run.c. */
int op_run_plan(op_request *r);
/* Runs it where there are only shapes, for its cycles: all bytes are 0. */
int op_time_plan(op_request *r);
int op_check_results(op_request *r);

/* What -o - writes to. */
extern const char op_standard_output[];
/* Whether the files can be written, and the files: cli/op/output/files.c. */
int op_check_outputs(const op_request *r);
int op_write_outputs(op_request *r);
/* What is asked for of plan, instructions, figures and cycles: cli/op/output/print.c. */
int op_print(op_request *r);

#endif
