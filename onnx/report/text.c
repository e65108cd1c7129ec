/* SPDX-License-Identifier: Apache-2.0
 * A report as a table of text.
 */
#include <inttypes.h>
#include <string.h>

#include "onnx/report/fuse.h"
#include "onnx/report/report.h"

static double quotient(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

/* What plain C takes, and how many times as much that is. */
static void print_gains(uint64_t mine, uint64_t scalar, uint64_t words, FILE *file)
{
    if (scalar)
        fprintf(file, "; plain C %" PRIu64 ": %.1f times", scalar, quotient(scalar, mine));
    if (words)
        fprintf(file, ", by words %" PRIu64 ": %.1f", words, quotient(words, mine));
    fputc('\n', file);
}

static void print_figures(const onnx_report *report, const onnx_figures *f, FILE *file)
{
    fprintf(file, "      Ztl %" PRIu64 ", %.2f of the bound", f->ztl, quotient(f->ztl, f->bound));
    if (report->options.machine)
        fprintf(file, "; cycles %.2f of the floor", quotient(f->cycles, f->floor));
    fprintf(file, "\n      retired %" PRIu64, f->retired);
    print_gains(f->retired, f->scalar, f->words, file);
    if (!report->options.machine)
        return;
    fprintf(file, "      cycles %" PRIu64, f->cycles);
    print_gains(f->cycles, f->scalar_cycles, f->words_cycles, file);
}

static void print_row(const onnx_report *report, const onnx_row *row, FILE *file)
{
    fprintf(file, "%4zu x %-14s %s %s%s\n", row->nodes, row->kind, row->element ? row->element : "",
            row->shapes, row->state == ONNX_ROW_VIEW ? ", a view" : "");
    if (row->state == ONNX_ROW_MEASURED)
        print_figures(report, &row->figures, file);
    if (row->state != ONNX_ROW_OTHER && row->state != ONNX_ROW_FAILED)
        return;
    fputs("      ", file);
    ztl_onnx_put(row->node->label, file);
    fputs(row->state == ONNX_ROW_OTHER ? ": not counted: " : ": FAILED: ", file);
    ztl_onnx_put(row->why.text, file);
    fputc('\n', file);
}

static void print_sum(const onnx_report *report, const char *name, const onnx_figures *f,
                      FILE *file)
{
    fprintf(file, "%-16s %5" PRIu64 " %5" PRIu64 " %10" PRIu64 " %5.2f", name, f->nodes, f->views,
            f->ztl, quotient(f->ztl, f->bound));
    bool timed = report->options.machine;
    uint64_t mine = timed ? f->cycles : f->retired;
    fprintf(file, " %12" PRIu64 " %9.1f %9.1f\n", mine,
            quotient(timed ? f->scalar_cycles : f->scalar, mine),
            quotient(timed ? f->words_cycles : f->words, mine));
}

static void print_sums(const onnx_report *report, FILE *file)
{
    fprintf(file, "\n%78s\n%-16s %5s %5s %10s %5s %12s %9s %9s\n", "gain over plain C", "operator",
            "nodes", "views", "Ztl", "ratio", report->options.machine ? "cycles" : "retired",
            "elements", "words");
    for (size_t i = 0; i < report->kinds; i++)
        print_sum(report, report->kind[i], &report->by_kind[i], file);
    print_sum(report, "all", &report->total, file);
}

/* "Conv 22, Add 118, …" in lines of a terminal's width. */
static void print_others(const onnx_report *report, FILE *file)
{
    int column = 0;
    if (report->others)
        fputs(report->tally.foreign ? "\nNot data movement, or not known, and not executed:\n"
                                    : "\nNot data movement, and not executed:\n",
              file);
    for (size_t i = 0; i < report->others; i++) {
        const onnx_node *node = report->other[i].node;
        int width = (int)(strlen(node->domain) + strlen(node->kind)) + 9;
        if (column + width > 78) {
            fputc('\n', file);
            column = 0;
        }
        fputs(column ? " " : "  ", file);
        ztl_onnx_put(node->domain, file);
        fputs(node->is_foreign ? "." : "", file);
        ztl_onnx_put(node->kind, file);
        fprintf(file, " %zu%s", report->other[i].nodes, i + 1 < report->others ? "," : "");
        column += width;
    }
    if (report->others)
        fputc('\n', file);
}

static void print_saving(const char *what, uint64_t before, uint64_t after, FILE *file)
{
    fprintf(file, "%-24s %12" PRIu64 " %12" PRIu64 " %6.1f %%\n", what, before, after,
            before ? 100 * (1 - quotient(after, before)) : 0);
}

static void print_fusion(const onnx_report *report, FILE *file)
{
    const onnx_fusion *fusion = report->fusion;
    const onnx_figures *a = &report->total, *b = &fusion->total;
    fprintf(file, "\nFused: %zu nodes are not moved any more\n\n", fusion->gone);
    for (size_t i = 0; i < fusion->rows; i++)
        print_row(report, &fusion->row[i], file);
    fprintf(file, "\n%-24s %12s %12s %8s\n", "", "node by node", "fused", "saved");
    print_saving("Ztl instructions", a->ztl, b->ztl, file);
    print_saving("all instructions", a->retired, b->retired, file);
    if (report->options.machine)
        print_saving("cycles", a->cycles, b->cycles, file);
}

static void print_number(size_t nodes, const char *what, FILE *file)
{
    if (nodes)
        fprintf(file, "%7zu %s\n", nodes, what);
}

/* Lines whose numbers add up to that of the nodes. */
static void print_tally(const onnx_report *report, FILE *file)
{
    const onnx_tally *t = &report->tally;
    fprintf(file, "\nOf %zu nodes\n", report->graph->nodes);
    print_number(t->compared, "were counted, their outputs compared with the reference's", file);
    print_number(t->views, "are views: nothing is moved, nothing was compared", file);
    print_number(t->failed, "FAILED", file);
    print_number(t->uncounted, "move data and were not counted:", file);
    for (size_t i = 0; i < t->reasons; i++) {
        fprintf(file, "          %zu: ", t->reason[i].nodes);
        ztl_onnx_put(t->reason[i].text, file);
        fputs(", first ", file);
        ztl_onnx_put(t->reason[i].first->label, file);
        fputc('\n', file);
    }
    print_number(t->constants, "make constants, computed beforehand", file);
    print_number(t->others, "are no data movement, and were not executed", file);
    print_number(t->foreign, "are of other domains than ONNX's, and not known", file);
    for (size_t i = 0; i < t->bodies; i++) {
        fputs("In the bodies of ", file);
        ztl_onnx_put(t->body[i].node->kind, file);
        fputc(' ', file);
        ztl_onnx_put(t->body[i].node->label, file);
        fprintf(file, ", which were not counted: %zu nodes, %zu of them data movement\n",
                t->body[i].nodes, t->body[i].movement);
    }
}

/* The same for plans of fused chains, which are not nodes. */
static void print_fused_tally(const onnx_fusion *fusion, FILE *file)
{
    size_t count[ONNX_ROW_FAILED + 1] = {0};
    for (size_t i = 0; i < fusion->rows; i++)
        count[fusion->row[i].state]++;
    fprintf(file, "Of %zu fused plans\n", fusion->rows);
    print_number(count[ONNX_ROW_MEASURED], "were compared with the nodes one by one", file);
    print_number(count[ONNX_ROW_OTHER], "were not counted", file);
    print_number(count[ONNX_ROW_FAILED], "FAILED", file);
}

void ztl_onnx_print_text(const onnx_report *report, const char *name, FILE *file)
{
    const onnx_figures *t = &report->total;
    fprintf(file, "%s, opset %" PRId64 ": %zu nodes, %" PRIu64 " of them data movement", name,
            report->graph->opset, report->graph->nodes, t->nodes);
    if (report->options.machine)
        fprintf(file, "\ncycles on %s", report->options.machine_name);
    fputs("\n\n", file);
    for (size_t i = 0; i < report->rows; i++)
        print_row(report, &report->row[i], file);
    if (report->rows)
        print_sums(report, file);
    print_others(report, file);
    if (report->fusion)
        print_fusion(report, file);
    fprintf(file,
            "\nData movement: %.1f %% of the nodes; %.1f %% of the bytes that nodes make\n"
            "are moved, %.1f of %.1f MiB.\n",
            100 * quotient(t->nodes, report->graph->nodes),
            100 * quotient(report->moved, report->activations), (double)report->moved / 1048576,
            (double)report->activations / 1048576);
    print_tally(report, file);
    if (report->fusion)
        print_fused_tally(report->fusion, file);
}
