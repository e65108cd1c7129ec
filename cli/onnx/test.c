/* SPDX-License-Identifier: Apache-2.0
 * ztl onnx test: directories of ONNX's test vectors.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/onnx/onnx.h"
#include "host/command/exit.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "host/command/progress.h"
#include "host/output.h"
#include "onnx/run.h"

static const char command[] = "ztl onnx test";

static void print_help(void)
{
    puts("usage: ztl onnx test [OPTIONS] DIR...\n\n"
         "Runs directories in the layout of ONNX's backend tests: model.onnx,\n"
         "test_data_set_*/input_*.pb and output_*.pb. A directory without a model stands\n"
         "for all below it. Outputs must be equal bit by bit. Graphs with a node that is\n"
         "not data movement are skipped, with the reason.\n\n"
         "  --junit FILE   the results for continuous integration\n"
         "  --quiet        only what failed, and the summary\n\n"
         "example, with Debian's libonnx-testdata:\n"
         "  ztl onnx test /usr/share/libonnx-testdata/data/node");
}

typedef struct results {
    onnx_test *test;
    size_t count;
} results;

static bool write_junit(FILE *file, const void *context)
{
    const results *r = context;
    ztl_onnx_write_junit(file, r->test, r->count);
    return !ferror(file);
}

static int run_all(results *r, bool quiet)
{
    static const char *const word[] = {"PASS", "FAIL", "SKIP"};
    size_t sum[3] = {0};
    onnx_engine engine = ztl_onnx_host_engine(UINT64_MAX);
    ztl_progress *progress = quiet ? ztl_progress_start(command) : NULL;
    for (size_t i = 0; i < r->count; i++) {
        onnx_test *test = &r->test[i];
        ztl_progress_step(progress, test->path);
        ztl_onnx_test(test, &engine);
        sum[test->verdict]++;
        if (quiet && test->verdict != ONNX_FAIL)
            continue;
        ztl_progress_wipe(progress);
        printf("%s ", word[test->verdict]);
        ztl_onnx_put(test->path, stdout);
        fputs(test->verdict == ONNX_PASS ? "" : ": ", stdout);
        ztl_onnx_put(test->verdict == ONNX_PASS ? "" : test->why.text, stdout);
        putchar('\n');
    }
    ztl_progress_stop(progress);
    printf("%zu passed, %zu failed, %zu skipped\n", sum[ONNX_PASS], sum[ONNX_FAIL], sum[ONNX_SKIP]);
    return sum[ONNX_FAIL] ? ZTL_EXIT_FAILURE : ZTL_EXIT_OK;
}

static int test(char **path, int paths, bool quiet, const char *junit)
{
    results r = {NULL, 0};
    ztl_error error;
    bool good = true;
    int status = ZTL_EXIT_FAILURE;
    for (int i = 0; good && i < paths; i++)
        good = ztl_onnx_find_tests(path[i], &r.test, &r.count, &error);
    if (!good)
        ztl_message(command, "%s", error.text);
    else
        status = run_all(&r, quiet);
    ztl_output output = {junit, write_junit, &r};
    if (good && junit && !ztl_outputs_write(&output, 1, NULL)) {
        ztl_message(command, "%s: %s", junit, strerror(errno));
        status = ZTL_EXIT_FAILURE;
    }
    for (size_t i = 0; i < r.count; i++)
        free(r.test[i].path);
    free(r.test);
    return status;
}

int onnx_cli_test(int argc, char **argv)
{
    bool quiet = false;
    const char *junit = NULL;
    const ztl_option table[] = {
        {.name = "--junit", .text = &junit}, {.name = "--quiet", .flag = &quiet}, {.name = NULL}};
    int words = ztl_options_take(command, table, argc, argv);
    if (words == ZTL_OPTIONS_HELP) {
        print_help();
        return ZTL_EXIT_OK;
    }
    if (words < 1) {
        if (words == 0)
            ztl_message(command, "no directory");
        return ZTL_EXIT_USAGE;
    }
    return test(argv + 1, words, quiet, junit);
}
