/* SPDX-License-Identifier: Apache-2.0
 * What Ztl does for a network: every node that moves data is planned, run on the simulated hart
 * with synthetic inputs, compared with the reference, and counted.
 */
#ifndef ZTL_ONNX_REPORT_REPORT_H
#define ZTL_ONNX_REPORT_REPORT_H

#include <stdio.h>

#include <ztl/timing.h>

#include "onnx/evaluate.h"

typedef struct onnx_report_options {
    unsigned bits;    /* of the elements that are floating-point in the model; 0: as they are */
    const char *type; /* its name */
    bool im2col;      /* Conv's too */
    const ztl_timing_machine *machine; /* to count cycles on; NULL: none */
    const char *machine_name;
} onnx_report_options;

/* Figures, of a node or of several. */
typedef struct onnx_figures {
    uint64_t nodes, views;
    uint64_t insn[ZTL_OPS]; /* Ztl instructions by kind */
    uint64_t ztl, bound, csr;
    uint64_t scalar_moves; /* elements that plans move by scalar code */
    /* All instructions and cycles: of the plan, of plain C, which moves an element at a time, and
     * of the same by words where elements lie side by side. */
    uint64_t retired, scalar, words;
    uint64_t cycles, scalar_cycles, words_cycles;
    uint64_t floor; /* cycles that the ports take to move each byte once */
    uint64_t bytes; /* that it reads and writes; 0 for a view */
} onnx_figures;

enum onnx_row_state {
    ONNX_ROW_VIEW,     /* costs nothing */
    ONNX_ROW_MEASURED, /* and its output is right */
    ONNX_ROW_OTHER,    /* not counted: not served, or not known: `why` */
    ONNX_ROW_FAILED,   /* the output is wrong, or it did not run: `why` */
};

enum { ONNX_REASON = 160 };

/* Nodes that are alike: the same operator with the same attributes on the same shapes. */
typedef struct onnx_row {
    const onnx_node *node; /* the first of them */
    size_t nodes;
    const char *kind;
    const char *element; /* "int8", "float32" */
    char shapes[160];    /* "1,64,56,56 => 1,56,56,64" */
    enum onnx_row_state state;
    ztl_error why;
    char reason[ONNX_REASON]; /* of a row that is not counted: `why` without the row's names */
    onnx_figures figures;     /* of one node */
    onnx_call call;
    ztl_ops_tensor *in, *out;
    size_t outputs;
    char *key;
    const struct onnx_row *origin; /* of a fused row: that of its last node alone */
    /* What the outputs must be, from the inputs; NULL: what the reference makes of the operator. */
    bool (*expect)(const struct onnx_row *row, uint8_t *const *in, void *const *out,
                   ztl_error *error);
    void *context;
} onnx_row;

typedef struct onnx_kind {
    const onnx_node *node; /* the first of them */
    size_t nodes;
    uint64_t bytes; /* of their outputs */
} onnx_kind;

/* Why nodes were not counted. */
typedef struct onnx_reason {
    const char *text;
    size_t nodes;
    const onnx_node *first;
} onnx_reason;

/* A node with bodies, which is not run. */
typedef struct onnx_body {
    const onnx_node *node;
    size_t nodes, movement; /* in its bodies, and theirs */
} onnx_body;

/* What became of the nodes of a graph: each is in one of these numbers. */
typedef struct onnx_tally {
    size_t compared;  /* moved, and the outputs are the reference's */
    size_t views;     /* nothing is moved, nothing is compared */
    size_t failed;    /* the output is wrong, or the node did not run */
    size_t uncounted; /* for these reasons: */
    onnx_reason *reason;
    size_t reasons;
    size_t constants; /* computed while shapes are inferred */
    size_t others;    /* no data movement */
    size_t foreign;   /* of a domain that is not ONNX's */
    onnx_body *body;  /* beside them: the nodes in bodies */
    size_t bodies;
} onnx_tally;

struct onnx_fusion;

typedef struct onnx_report {
    const onnx_graph *graph;
    onnx_report_options options;
    onnx_row *row;
    size_t rows;
    size_t *row_of_node; /* for each node of the graph; SIZE_MAX for none */
    onnx_kind *other;    /* nodes that are no data movement, or of another domain, by kind */
    size_t others;
    onnx_figures total;
    const char **kind;     /* operators that move data, */
    onnx_figures *by_kind; /* … and their sums */
    size_t kinds;
    onnx_tally tally;
    const struct onnx_fusion *fusion; /* NULL: nobody asked */
    uint64_t activations, moved;      /* bytes of all nodes' outputs, and of those that are moved */
} onnx_report;

/* `graph` has been inferred. False with an error without memory; what is wrong with a node is said
 * in its row. */
bool ztl_onnx_report(onnx_graph *graph, const onnx_report_options *options, onnx_report *report,
                     ztl_error *error);
void ztl_onnx_report_free(onnx_report *report);

/* The first row that failed, alone or fused; NULL: none did. */
const onnx_row *ztl_onnx_first_failed(const onnx_report *report);

void ztl_onnx_add(onnx_figures *sum, const onnx_figures *figures, uint64_t times);

void ztl_onnx_print_text(const onnx_report *report, const char *name, FILE *file);
void ztl_onnx_print_json(const onnx_report *report, const char *name, FILE *file);
void ztl_onnx_print_html(const onnx_report *report, const char *name, FILE *file);

/* The reference, in memory of its own. */
bool ztl_onnx_reference(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                        const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                        void *const *target, ztl_error *error);

/* Gives a row the text of its shapes; false without memory. */
bool ztl_onnx_describe_shapes(onnx_row *row);

/* Counts what became of the nodes, when all rows are measured; false without memory. */
bool ztl_onnx_count_nodes(onnx_report *report);

/* Counts rows, on all cores; a row alone. */
void ztl_onnx_measure_rows(onnx_row *row, size_t rows, const onnx_report_options *options);
void ztl_onnx_measure(onnx_row *row, const onnx_report_options *options);

#endif
