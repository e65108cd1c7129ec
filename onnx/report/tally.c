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

bool ztl_onnx_count_nodes(onnx_report *report)
{
    onnx_tally *tally = &report->tally;
    tally->reason = calloc(report->rows + 1, sizeof *tally->reason);
    if (!tally->reason)
        return false;
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
