/* SPDX-License-Identifier: Apache-2.0
 * ztl onnx report: what Ztl does for a network.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/onnx/onnx.h"
#include "host/command/exit.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "host/output.h"
#include "onnx/report/fuse.h"
#include "onnx/report/report.h"

static const char command[] = "ztl onnx report";

static void print_help(void)
{
    puts("usage: ztl onnx report [OPTIONS] MODEL\n\n"
         "Plans every data-movement node of a network, runs it on the simulator with\n"
         "synthetic inputs, compares the result with the reference, and counts: Ztl\n"
         "instructions against the lower bound, all instructions against plain C, which\n"
         "moves an element at a time, or words where elements lie side by side.\n\n"
         "  --type TYPE        int8, fp16 or fp32 for the tensors that are floating-point\n"
         "                     in the model; default: as they are\n"
         "  --timing MACHINE   cycles too: four, kinds, one, wide or a file (ztl timing)\n"
         "  --im2col           the patches of each Conv too\n"
         "  --fuse             chains of nodes as one plan too, where that takes less\n"
         "  --dim NAME=N       the extent of a symbolic dimension\n"
         "  --json             JSON to standard output\n"
         "  --html FILE        one page with a table and charts\n\n"
         "example:\n"
         "  ztl onnx report --type int8 --timing four --html report.html model.onnx");
}

typedef struct options {
    onnx_dims dims;
    unsigned type;
    const char *timing, *html;
    bool json, im2col, fuse;
} options;

/* What is written to the HTML file. */
typedef struct page {
    const onnx_report *report;
    const char *name;
} page;

static bool write_page(FILE *file, const void *context)
{
    const page *p = context;
    ztl_onnx_print_html(p->report, p->name, file);
    return !ferror(file);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int print_report(const options *o, const onnx_report *report, const char *path)
{
    page p = {report, base_name(path)};
    ztl_output output = {o->html, write_page, &p};
    if (o->html && !ztl_outputs_write(&output, 1, NULL)) {
        ztl_message(command, "%s: %s", o->html, strerror(errno));
        return ZTL_EXIT_FAILURE;
    }
    if (o->json) {
        ztl_onnx_print_json(report, p.name, stdout);
        putchar('\n');
    } else {
        ztl_onnx_print_text(report, p.name, stdout);
    }
    const onnx_row *failed = ztl_onnx_first_failed(report);
    if (!failed)
        return ZTL_EXIT_OK;
    ztl_message(command, "%s: node %s (%s) failed: %.900s", path, failed->node->label, failed->kind,
                failed->why.text);
    return ZTL_EXIT_FAILURE;
}

static int report_on(options *o, const onnx_report_options *what, const char *path)
{
    ztl_error error;
    onnx_report report;
    onnx_graph *graph = ztl_onnx_open(path, o->dims.dim, o->dims.count, &error);
    bool is_read = graph;
    if (!graph || !ztl_onnx_infer(graph, &error)) {
        ztl_message(command, "%s%s%s", is_read ? path : "", is_read ? ": " : "", error.text);
        ztl_onnx_close(graph);
        return ZTL_EXIT_FAILURE;
    }
    int status = ZTL_EXIT_FAILURE;
    onnx_fusion fusion = {.row = NULL};
    bool good = ztl_onnx_report(graph, what, &report, &error) &&
                (!o->fuse || ztl_onnx_fuse(&report, &fusion, &error));
    if (o->fuse)
        report.fusion = &fusion;
    if (good)
        status = print_report(o, &report, path);
    else
        ztl_message(command, "%s: %s", path, error.text);
    ztl_onnx_fusion_free(&fusion);
    ztl_onnx_report_free(&report);
    ztl_onnx_close(graph);
    return status;
}

int onnx_cli_report(int argc, char **argv)
{
    static const char *const types[] = {"int8", "fp16", "fp32", NULL};
    options o = {.type = 3};
    ztl_error error;
    ztl_timing_machine machine;
    const ztl_option table[] = {
        {.name = "--type", .choice = &o.type, .choices = types},
        {.name = "--timing", .text = &o.timing},
        {.name = "--im2col", .flag = &o.im2col},
        {.name = "--fuse", .flag = &o.fuse},
        {.name = "--dim", .take = onnx_take_dim, .context = &o.dims},
        {.name = "--json", .flag = &o.json},
        {.name = "--html", .text = &o.html},
        {.name = NULL},
    };
    int status = onnx_take_model(command, table, argc, argv, print_help);
    if (status >= 0)
        return status;
    if (o.timing && !ztl_timing_parse(o.timing, &machine, &error)) {
        ztl_message(command, "--timing: %s", error.text);
        return ZTL_EXIT_USAGE;
    }
    if (o.html && !ztl_output_possible(o.html)) {
        ztl_message(command, "%s: %s", o.html, strerror(errno));
        return ZTL_EXIT_FAILURE;
    }
    onnx_report_options what = {.bits = o.type < 3 ? 8u << o.type : 0,
                                .type = types[o.type],
                                .im2col = o.im2col,
                                .machine = o.timing ? &machine : NULL,
                                .machine_name = o.timing};
    return report_on(&o, &what, argv[1]);
}
