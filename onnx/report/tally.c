/* SPDX-License-Identifier: Apache-2.0
 * What became of the nodes: what was compared, what failed, what was not counted, and why.
 */
#include <stdlib.h>
#include <string.h>

#include "onnx/report/fuse.h"
#include "onnx/report/report.h"

static void add_reason(onnx_tally *tally, const onnx_row *row)
{
    size_t i = 0;
    while (i < tally->reasons && strcmp(tally->reason[i].text, row->reason) != 0)
        i++;
    if (i == tally->reasons)
        tally->reason[tally->reasons++] = (onnx_reason){.text = row->reason, .first = row->node};
    tally->reason[i].nodes += row->nodes;
    tally->uncounted += row->nodes;
}

/* Bodies are attributes of If, Loop, Scan and SequenceMap, and may have such nodes in them. */
static void count_bodies(const Onnx__NodeProto *node, onnx_body *sum)
{
    for (size_t a = 0; a < node->n_attribute; a++) {
        const Onnx__GraphProto *body = node->attribute[a]->g;
        for (size_t n = 0; body && n < body->n_node; n++) {
            const onnx_node inner = {.kind = body->node[n]->op_type ? body->node[n]->op_type : "",
                                     .is_foreign = !ztl_onnx_is_own(body->node[n]->domain)};
            sum->nodes++;
            sum->movement += ztl_onnx_is_movement(&inner);
            count_bodies(body->node[n], sum);
        }
    }
}

bool ztl_onnx_count_nodes(onnx_report *report)
{
    const onnx_graph *graph = report->graph;
    onnx_tally *tally = &report->tally;
    tally->reason = calloc(report->rows + 1, sizeof *tally->reason);
    tally->body = calloc(graph->nodes + 1, sizeof *tally->body);
    if (!tally->reason || !tally->body)
        return false;
    for (size_t n = 0; n < graph->nodes; n++) {
        onnx_body *body = &tally->body[tally->bodies];
        body->node = &graph->node[n];
        count_bodies(graph->node[n].proto, body);
        tally->bodies += body->nodes > 0;
    }
    for (size_t i = 0; i < report->rows; i++) {
        const onnx_row *row = &report->row[i];
        if (row->state == ONNX_ROW_OTHER)
            add_reason(tally, row);
        else
            *(row->state == ONNX_ROW_VIEW       ? &tally->views
              : row->state == ONNX_ROW_MEASURED ? &tally->compared
                                                : &tally->failed) += row->nodes;
    }
    for (size_t i = 0; i < report->others; i++)
        *(report->other[i].node->is_foreign ? &tally->foreign : &tally->others) +=
            report->other[i].nodes;
    return true;
}

static const onnx_row *first_failed(const onnx_row *row, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        if (row[i].state == ONNX_ROW_FAILED)
            return &row[i];
    return NULL;
}

const onnx_row *ztl_onnx_first_failed(const onnx_report *report)
{
    const onnx_row *row = first_failed(report->row, report->rows);
    if (row || !report->fusion)
        return row;
    return first_failed(report->fusion->row, report->fusion->rows);
}
