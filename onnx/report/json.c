/* SPDX-License-Identifier: Apache-2.0
 * A report as JSON, and as one HTML file: onnx/report/page.html with the JSON in it.
 */
#include <inttypes.h>
#include <string.h>

#include "host/text.h"
#include "onnx/report/fuse.h"
#include "onnx/report/report.h"

/* ztl_onnx_page: the file, with a 0 at its end. */
__asm__(".pushsection .rodata\n"
        ".hidden ztl_onnx_page\n"
        ".globl ztl_onnx_page\n"
        "ztl_onnx_page: .incbin \"" ZTL_ONNX_PAGE "\"\n"
        ".byte 0\n"
        ".popsection");
extern const char ztl_onnx_page[] __attribute__((visibility("hidden")));

/* A text of the model's; < is written so that no text can end a script in HTML. */
static void print_text(const char *text, FILE *file)
{
    char safe[ZTL_ERROR_SIZE];
    ztl_safe_text(safe, sizeof safe, text);
    fputc('"', file);
    for (text = safe; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == '<' || *text == 127)
            fprintf(file, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, file);
    fputc('"', file);
}

static void print_member(const char *name, const char *text, FILE *file)
{
    fprintf(file, ", \"%s\": ", name);
    print_text(text, file);
}

static void print_figures(const onnx_report *report, const onnx_figures *f, FILE *file)
{
    fprintf(file,
            "\"nodes\": %" PRIu64 ", \"views\": %" PRIu64 ", \"ztl\": %" PRIu64
            ", \"lower_bound\": %" PRIu64 ", \"csr_writes\": %" PRIu64
            ", \"scalar_moves\": %" PRIu64 ", \"retired\": %" PRIu64
            ", \"scalar_retired\": %" PRIu64 ", \"words_retired\": %" PRIu64
            ", \"bytes\": %" PRIu64,
            f->nodes, f->views, f->ztl, f->bound, f->csr, f->scalar_moves, f->retired, f->scalar,
            f->words, f->bytes);
    if (report->options.machine)
        fprintf(file,
                ", \"cycles\": %" PRIu64 ", \"scalar_cycles\": %" PRIu64
                ", \"words_cycles\": %" PRIu64 ", \"floor\": %" PRIu64,
                f->cycles, f->scalar_cycles, f->words_cycles, f->floor);
    fputs(", \"instructions\": {", file);
    const char *comma = "";
    for (size_t i = 0; i < ZTL_OPS; i++)
        if (f->insn[i]) {
            fprintf(file, "%s\"%s\": %" PRIu64, comma, ztl_op_name((enum ztl_op)i), f->insn[i]);
            comma = ", ";
        }
    fputc('}', file);
}

static const char *const states[] = {[ONNX_ROW_VIEW] = "view",
                                     [ONNX_ROW_MEASURED] = "measured",
                                     [ONNX_ROW_OTHER] = "not counted",
                                     [ONNX_ROW_FAILED] = "failed"};

static void print_node(const onnx_report *report, size_t n, const char *comma, FILE *file)
{
    const onnx_node *node = &report->graph->node[n];
    const onnx_row *row = &report->row[report->row_of_node[n]];
    fprintf(file, "%s\n    {\"name\": ", comma);
    print_text(node->label, file);
    print_member("operator", node->kind, file);
    print_member("shapes", row->shapes, file);
    print_member("type", row->element ? row->element : "", file);
    print_member("state", states[row->state], file);
    if (row->state == ONNX_ROW_OTHER || row->state == ONNX_ROW_FAILED)
        print_member("why", row->why.text, file);
    fputs(", ", file);
    print_figures(report, &row->figures, file);
    fputc('}', file);
}

static void print_operators(const onnx_report *report, FILE *file)
{
    for (size_t i = 0; i < report->kinds; i++) {
        fprintf(file, "%s\n    {\"operator\": ", i ? "," : "");
        print_text(report->kind[i], file);
        fputs(", ", file);
        print_figures(report, &report->by_kind[i], file);
        fputc('}', file);
    }
}

/* What became of the nodes. */
static void print_tally(const onnx_tally *t, FILE *file)
{
    fprintf(file,
            ",\n  \"tally\": {\"compared\": %zu, \"views\": %zu, \"failed\": %zu, "
            "\"not_counted\": %zu, \"constants\": %zu, \"others\": %zu, \"foreign\": %zu, "
            "\"reasons\": [",
            t->compared, t->views, t->failed, t->uncounted, t->constants, t->others, t->foreign);
    for (size_t i = 0; i < t->reasons; i++) {
        fprintf(file, "%s\n    {\"nodes\": %zu", i ? "," : "", t->reason[i].nodes);
        print_member("why", t->reason[i].text, file);
        print_member("first", t->reason[i].first->label, file);
        fputc('}', file);
    }
    fputs("], \"bodies\": [", file);
    for (size_t i = 0; i < t->bodies; i++) {
        fprintf(file, "%s\n    {\"nodes\": %zu, \"movement\": %zu", i ? "," : "", t->body[i].nodes,
                t->body[i].movement);
        print_member("operator", t->body[i].node->kind, file);
        print_member("name", t->body[i].node->label, file);
        fputc('}', file);
    }
    fputs("]}", file);
}

static void print_fusion(const onnx_report *report, FILE *file)
{
    const onnx_fusion *fusion = report->fusion;
    fprintf(file, ",\n  \"fused\": {\"gone\": %zu, \"chains\": [", fusion->gone);
    for (size_t i = 0; i < fusion->rows; i++) {
        const onnx_row *row = &fusion->row[i];
        fprintf(file, "%s\n    {\"name\": ", i ? "," : "");
        print_text(row->node->label, file);
        print_member("operator", row->kind, file);
        print_member("shapes", row->shapes, file);
        print_member("type", row->element ? row->element : "", file);
        print_member("state", states[row->state], file);
        if (row->state != ONNX_ROW_MEASURED)
            print_member("why", row->why.text, file);
        fprintf(file, ", \"alike\": %zu, ", row->nodes);
        print_figures(report, &row->figures, file);
        fputc('}', file);
    }
    fputs("], \"total\": {", file);
    print_figures(report, &fusion->total, file);
    fputs("}}", file);
}

void ztl_onnx_print_json(const onnx_report *report, const char *name, FILE *file)
{
    const char *comma = "";
    fputs("{\n  \"model\": ", file);
    print_text(name, file);
    fprintf(file, ", \"opset\": %" PRId64 ", \"nodes_in_graph\": %zu", report->graph->opset,
            report->graph->nodes);
    if (report->options.type)
        print_member("type", report->options.type, file);
    if (report->options.machine)
        print_member("machine", report->options.machine_name, file);
    fprintf(file, ",\n  \"activation_bytes\": %" PRIu64 ", \"moved_bytes\": %" PRIu64,
            report->activations, report->moved);
    print_tally(&report->tally, file);
    fputs(",\n  \"nodes\": [", file);
    for (size_t n = 0; n < report->graph->nodes; n++)
        if (report->row_of_node[n] != SIZE_MAX) {
            print_node(report, n, comma, file);
            comma = ",";
        }
    fputs("],\n  \"operators\": [", file);
    print_operators(report, file);
    fputs("],\n  \"total\": {", file);
    print_figures(report, &report->total, file);
    fputs("},\n  \"others\": [", file);
    for (size_t i = 0; i < report->others; i++) {
        fprintf(file, "%s\n    {\"operator\": ", i ? "," : "");
        print_text(report->other[i].node->kind, file);
        if (report->other[i].node->is_foreign)
            print_member("domain", report->other[i].node->domain, file);
        fprintf(file, ", \"nodes\": %zu, \"output_bytes\": %" PRIu64 "}", report->other[i].nodes,
                report->other[i].bytes);
    }
    fputc(']', file);
    if (report->fusion)
        print_fusion(report, file);
    fputs("\n}", file);
}

void ztl_onnx_print_html(const onnx_report *report, const char *name, FILE *file)
{
    static const char mark[] = "/*DATA*/";
    const char *at = strstr(ztl_onnx_page, mark);
    fwrite(ztl_onnx_page, 1, (size_t)(at - ztl_onnx_page), file);
    ztl_onnx_print_json(report, name, file);
    fputs(at + strlen(mark), file);
}
