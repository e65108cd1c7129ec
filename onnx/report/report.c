/* SPDX-License-Identifier: Apache-2.0
 * The rows of a report and their sums by operator.
 */
#include "onnx/report/report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/command/progress.h"
#include "host/error.h"
#include "host/process/buffer.h"
#include "onnx/convert/im2col.h"
#include "onnx/shapes/shapes.h"

/* Elements that are floating-point in the model get the type that was asked for. */
static void set_bits(const onnx_report_options *options, int type, ztl_ops_tensor *tensor)
{
    int64_t extent[ONNX_RANK];
    memcpy(extent, tensor->extent, sizeof extent);
    if (options->bits && ztl_onnx_is_float(type))
        ztl_ops_dense(tensor, options->bits, tensor->rank, extent);
}

static void add_shape(ztl_buffer *text, const ztl_ops_tensor *tensor)
{
    for (unsigned d = 0; d < tensor->rank; d++)
        ztl_buffer_format(text, "%s%lld", d ? "," : "", (long long)tensor->extent[d]);
    if (!tensor->rank)
        ztl_buffer_add(text, "scalar");
}

/* "1,32,8,8 + 1,64,8,8 => 1,96,8,8", cut where there are many. */
bool ztl_onnx_describe_shapes(onnx_row *row)
{
    ztl_buffer text = {0};
    for (size_t i = 0; i < row->call.inputs && i < 3; i++) {
        ztl_buffer_add(&text, i ? " + " : "");
        add_shape(&text, &row->in[i]);
    }
    if (row->call.inputs > 3)
        ztl_buffer_format(&text, " + %zu more", row->call.inputs - 3);
    ztl_buffer_add(&text, row->call.inputs ? " => " : "=> ");
    add_shape(&text, &row->out[0]);
    if (row->outputs > 1)
        ztl_buffer_format(&text, " and %zu more", row->outputs - 1);
    snprintf(row->shapes, sizeof row->shapes, "%s", ztl_buffer_text(&text));
    bool good = !text.failed;
    ztl_buffer_free(&text);
    return good;
}

static void add_list(ztl_buffer *key, ztl_ops_list list)
{
    for (size_t i = 0; i < list.count; i++)
        ztl_buffer_format(key, "%lld,", (long long)list.value[i]);
    ztl_buffer_char(key, ';');
}

static void add_reals(ztl_buffer *key, ztl_ops_reals list)
{
    for (size_t i = 0; i < list.count; i++)
        ztl_buffer_format(key, "%a,", list.value[i]);
    ztl_buffer_char(key, ';');
}

/* A text that is the same for nodes that are alike. Lists are pointers: they are written out, and
 * the rest of the operator is its bytes. */
static char *key_of(const onnx_row *row)
{
    ztl_buffer key = {0};
    ztl_ops_op rest = row->call.op;
    ztl_ops_list *lists[] = {&rest.perm,    &rest.axes,     &rest.starts,        &rest.ends,
                             &rest.steps,   &rest.pads,     &rest.indices,       &rest.shape,
                             &rest.split,   &rest.repeats,  &rest.indices_shape, &rest.condition,
                             &rest.shift,   &rest.sizes,    &rest.sequence_lens, &rest.kernel,
                             &rest.strides, &rest.dilations};
    ztl_ops_reals *reals[] = {&rest.scales, &rest.roi};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        add_list(&key, *lists[i]);
        *lists[i] = (ztl_ops_list){NULL, 0};
    }
    for (size_t i = 0; i < 2; i++) {
        add_reals(&key, *reals[i]);
        *reals[i] = (ztl_ops_reals){NULL, 0};
    }
    const uint8_t *bytes = (const uint8_t *)&rest;
    for (size_t i = 0; i < sizeof rest; i++) {
        ztl_buffer_char(&key, (char)('a' + (bytes[i] & 15)));
        ztl_buffer_char(&key, (char)('a' + (bytes[i] >> 4)));
    }
    for (size_t i = 0; i < row->call.inputs; i++) {
        ztl_buffer_format(&key, "|%u:", row->in[i].bits);
        add_shape(&key, &row->in[i]);
        if (row->call.in[i]->is_initializer)
            ztl_buffer_format(&key, "@%s", row->call.in[i]->name);
    }
    return key.failed ? (ztl_buffer_free(&key), NULL) : key.data;
}

/* A Gather whose indices come from outside gets some that are in range: *invented. False with an
 * error without memory for them. */
static bool invent_indices(onnx_graph *graph, const onnx_node *node, onnx_value **invented,
                           ztl_error *error)
{
    const onnx_value *data = ztl_onnx_in(graph, node, 0);
    onnx_value *indices = ztl_onnx_in(graph, node, 1);
    ztl_ops_tensor form;
    *invented = NULL;
    if (strcmp(node->kind, "Gather") || indices->buffer || !ztl_onnx_is_shaped(data) ||
        !ztl_onnx_tensor(indices, &form) || !ztl_onnx_is_integer(indices->type))
        return true;
    int64_t axis = ztl_onnx_int(node, "axis", 0);
    axis += axis < 0 ? data->rank : 0;
    if (axis < 0 || axis >= data->rank)
        return true;
    indices->buffer = ztl_onnx_make(&graph->budget, form.size, error);
    if (!indices->buffer)
        return false;
    *invented = indices;
    uint32_t state = 1;
    for (size_t i = 0; i < ztl_onnx_count(indices); i++) {
        state = state * 1664525 + 1013904223;
        ztl_onnx_set_integer(indices, i,
                             data->extent[axis] ? (state >> 8) % data->extent[axis] : 0);
    }
    return true;
}

/* A row that is not counted, and why: without the names of its tensors, so that nodes with the same
 * reason are counted together. */
static void leave_out(onnx_row *row, const char *reason)
{
    row->state = ONNX_ROW_OTHER;
    snprintf(row->reason, sizeof row->reason, "%.*s", ONNX_REASON - 1, reason);
}

static void say_what_is_unknown(const onnx_graph *graph, onnx_row *row)
{
    const onnx_value *unknown = row->call.unknown;
    char reason[ONNX_REASON];
    ztl_onnx_say_unknown(graph, unknown, reason, sizeof reason);
    ztl_fail(&row->why, "%s is not known: %s; --dim may give a dimension its extent", unknown->name,
             reason);
    leave_out(row, reason);
}

static bool has_no_tensor(const onnx_graph *graph, const onnx_node *node)
{
    for (size_t i = 0; i < node->inputs; i++) {
        const onnx_value *value = ztl_onnx_in(graph, node, i);
        if (value && (value->other || (value->type && !ztl_onnx_bits(value->type))))
            return true;
    }
    return false;
}

static enum onnx_answer convert(onnx_graph *graph, const onnx_node *node, onnx_row *row,
                                const onnx_report_options *options)
{
    onnx_value *invented;
    if (!invent_indices(graph, node, &invented, &row->why))
        return ONNX_WRONG;
    enum onnx_answer answer = options->im2col && ztl_onnx_is_conv(node)
                                  ? ztl_onnx_im2col(graph, node, &row->call, &row->why)
                                  : ztl_onnx_convert(graph, node, &row->call, &row->why);
    if (invented) {
        ztl_onnx_release(invented->buffer);
        invented->buffer = NULL;
    }
    if (answer == ONNX_WAITS)
        say_what_is_unknown(graph, row);
    if (answer == ONNX_OTHER)
        leave_out(row,
                  has_no_tensor(graph, node) ? "an input is no tensor of numbers" : row->why.text);
    return answer;
}

/* In the type that was asked for, the two sides of a BitCast may differ in width. */
static void retype(onnx_row *row, const onnx_report_options *options)
{
    const ztl_ops_tensor made = row->out[0];
    if (made.bits == 2)
        return;
    ztl_ops_dense(row->out, ztl_onnx_bits(row->call.type), made.rank, made.extent);
    set_bits(options, row->call.type, row->out);
}

/* The tensors of a row, in the type that was asked for; false when it is known what becomes of it.
 */
static bool shape(onnx_row *row, const onnx_report_options *options)
{
    for (size_t i = 0; i < row->call.inputs; i++) {
        if (!ztl_onnx_tensor(row->call.in[i], &row->in[i])) {
            leave_out(row, "a tensor is too large");
            return ztl_fail(&row->why, "%s is too large", row->call.in[i]->name);
        }
        set_bits(options, row->call.in[i]->type, &row->in[i]);
    }
    bool is_float = ztl_onnx_is_float(row->call.type);
    if (options->bits && is_float && row->call.op.bits)
        row->call.op.bits = options->bits;
    row->element = options->bits && is_float ? options->type : ztl_onnx_type_name(row->call.type);
    row->outputs = ztl_onnx_call_outputs(&row->call, row->in, row->out, &row->why);
    if (!row->outputs)
        leave_out(row, row->why.text);
    else if (!strcmp(row->kind, "BitCast") && row->call.type != row->call.in[0]->type)
        retype(row, options);
    return row->outputs;
}

/* The row of one node, not yet measured; false without memory. */
static bool prepare(onnx_graph *graph, const onnx_node *node, onnx_row *row,
                    const onnx_report_options *options)
{
    *row = (onnx_row){.node = node, .nodes = 1, .kind = node->kind, .state = ONNX_ROW_FAILED};
    row->in = calloc(ZTL_OPS_BUFFERS, sizeof *row->in);
    row->out = calloc(ZTL_OPS_BUFFERS, sizeof *row->out);
    if (!row->in || !row->out)
        return false;
    if (convert(graph, node, row, options) != ONNX_MOVES || !shape(row, options))
        return true;
    row->state = ztl_onnx_is_view(&row->call, row->in, row->out) ||
                         (ztl_onnx_is_conv(node) && ztl_onnx_im2col_is_view(&row->call))
                     ? ONNX_ROW_VIEW
                     : ONNX_ROW_MEASURED;
    row->key = key_of(row);
    return row->key && ztl_onnx_describe_shapes(row);
}

static void free_row(onnx_row *row)
{
    ztl_onnx_call_free(&row->call);
    free(row->in);
    free(row->out);
    free(row->key);
}

static size_t find_alike(const onnx_report *report, const onnx_row *row)
{
    size_t i = 0;
    while (i < report->rows &&
           (!row->key || !report->row[i].key || strcmp(report->row[i].kind, row->kind) ||
            strcmp(report->row[i].key, row->key)))
        i++;
    return i;
}

static uint64_t output_bytes(const onnx_graph *graph, const onnx_node *node,
                             const onnx_report_options *options)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < node->outputs; i++) {
        const onnx_value *value = ztl_onnx_out(graph, node, i);
        ztl_ops_tensor tensor;
        if (value && ztl_onnx_tensor(value, &tensor)) {
            set_bits(options, value->type, &tensor);
            bytes += tensor.size;
        }
    }
    return bytes;
}

static void add_other(onnx_report *report, const onnx_node *node, uint64_t bytes)
{
    size_t i = 0;
    while (i < report->others && (strcmp(report->other[i].node->kind, node->kind) != 0 ||
                                  strcmp(report->other[i].node->domain, node->domain) != 0))
        i++;
    if (i == report->others)
        report->other[report->others++] = (onnx_kind){.node = node};
    report->other[i].nodes++;
    report->other[i].bytes += bytes;
}

/* Constants are no part of a network's work: their nodes were folded. */
static bool is_folded(const onnx_graph *graph, const onnx_node *node)
{
    for (size_t i = 0; i < node->outputs; i++) {
        const onnx_value *value = ztl_onnx_out(graph, node, i);
        if (value && !value->buffer)
            return false;
    }
    return true;
}

static bool add_node(onnx_graph *graph, size_t n, onnx_report *report)
{
    const onnx_node *node = &graph->node[n];
    const onnx_report_options *options = &report->options;
    uint64_t bytes = output_bytes(graph, node, options);
    report->row_of_node[n] = SIZE_MAX;
    if (is_folded(graph, node)) {
        report->tally.constants++;
        return true;
    }
    report->activations += bytes;
    bool is_conv = options->im2col && ztl_onnx_is_conv(node);
    if (!ztl_onnx_is_movement(node) && !is_conv) {
        add_other(report, node, bytes);
        return true;
    }
    onnx_row row;
    bool good = prepare(graph, node, &row, options);
    if (good && row.state != ONNX_ROW_VIEW && !is_conv)
        report->moved += bytes;
    size_t alike = good ? find_alike(report, &row) : 0;
    if (good && alike == report->rows)
        report->row[report->rows++] = row;
    else {
        free_row(&row);
        report->row[alike].nodes += good;
    }
    report->row_of_node[n] = alike;
    return good;
}

/* Rows that are left to measure, for several threads. */
typedef struct queue {
    onnx_row *row;
    size_t rows, next;
    const onnx_report_options *options;
    ztl_progress *progress;
} queue;

static void *work(void *context)
{
    queue *q = context;
    for (;;) {
        size_t i = __atomic_fetch_add(&q->next, 1, __ATOMIC_RELAXED);
        if (i >= q->rows)
            return NULL;
        if (q->row[i].state != ONNX_ROW_MEASURED)
            continue;
        ztl_progress_step(q->progress, q->row[i].node->label);
        ztl_onnx_measure(&q->row[i], q->options);
    }
}

void ztl_onnx_measure_rows(onnx_row *row, size_t rows, const onnx_report_options *options)
{
    enum { MOST = 64 };
    pthread_t thread[MOST];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t started = 0;
    queue q = {row, rows, 0, options, ztl_progress_start("ztl onnx report")};
    for (; started < MOST && (long)started + 1 < cores; started++)
        if (pthread_create(&thread[started], NULL, work, &q) != 0)
            break;
    work(&q);
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    ztl_progress_stop(q.progress);
    for (size_t i = 0; i < rows; i++)
        row[i].figures.nodes = 1;
}

/* Sums of the network, and by operator; false without memory. */
static bool add_up(onnx_report *report)
{
    report->kind = calloc(report->rows + 1, sizeof *report->kind);
    report->by_kind = calloc(report->rows + 1, sizeof *report->by_kind);
    if (!report->kind || !report->by_kind)
        return false;
    for (size_t i = 0; i < report->rows; i++) {
        onnx_row *row = &report->row[i];
        size_t k = 0;
        row->figures.views = row->state == ONNX_ROW_VIEW;
        while (k < report->kinds && strcmp(report->kind[k], row->kind) != 0)
            k++;
        if (k == report->kinds)
            report->kind[report->kinds++] = row->kind;
        ztl_onnx_add(&report->by_kind[k], &row->figures, row->nodes);
        ztl_onnx_add(&report->total, &row->figures, row->nodes);
    }
    return true;
}

void ztl_onnx_add(onnx_figures *sum, const onnx_figures *f, uint64_t times)
{
    for (size_t i = 0; i < ZTL_OPS; i++)
        sum->insn[i] += times * f->insn[i];
    sum->nodes += times * f->nodes;
    sum->views += times * f->views;
    sum->ztl += times * f->ztl;
    sum->bound += times * f->bound;
    sum->csr += times * f->csr;
    sum->scalar_moves += times * f->scalar_moves;
    sum->retired += times * f->retired;
    sum->scalar += times * f->scalar;
    sum->words += times * f->words;
    sum->cycles += times * f->cycles;
    sum->scalar_cycles += times * f->scalar_cycles;
    sum->words_cycles += times * f->words_cycles;
    sum->floor += times * f->floor;
    sum->bytes += times * f->bytes;
}

bool ztl_onnx_report(onnx_graph *graph, const onnx_report_options *options, onnx_report *report,
                     ztl_error *error)
{
    *report = (onnx_report){.graph = graph, .options = *options};
    report->row = calloc(graph->nodes + 1, sizeof *report->row);
    report->row_of_node = calloc(graph->nodes + 1, sizeof *report->row_of_node);
    report->other = calloc(graph->nodes + 1, sizeof *report->other);
    bool good = report->row && report->row_of_node && report->other;
    for (size_t n = 0; good && n < graph->nodes; n++)
        good = add_node(graph, n, report);
    if (good)
        ztl_onnx_measure_rows(report->row, report->rows, options);
    return (good && add_up(report) && ztl_onnx_count_nodes(report)) ||
           ztl_fail(error, "out of memory");
}

void ztl_onnx_report_free(onnx_report *report)
{
    for (size_t i = 0; i < report->rows; i++)
        free_row(&report->row[i]);
    free(report->row);
    free(report->row_of_node);
    free(report->other);
    free(report->kind);
    free(report->by_kind);
    free(report->tally.reason);
    free(report->tally.body);
}
