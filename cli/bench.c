/* SPDX-License-Identifier: Apache-2.0
 * ztl bench: finds the suite and hands over; `all` runs every one.
 */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/command.h"
#include "host/command/message.h"
#include "host/command/names.h"

static const struct {
    const char *name;
    ztl_suite *run;
    const char *summary;
} suites[] = {
#define ZTL_SUITE(NAME, summary) {#NAME, ztl_bench_##NAME, summary},
#include "bench/suites.def"
};

enum { SUITES = sizeof suites / sizeof suites[0] };

static const char *name_of(size_t index)
{
    static const char *const others[] = {"all", "compare", NULL};
    return index < SUITES ? suites[index].name : others[index - SUITES];
}

static void print_usage(FILE *out)
{
    fprintf(out, "usage: ztl bench SUITE [OPTIONS]\n\n");
    for (size_t i = 0; i < SUITES; i++)
        fprintf(out, "  %-16s %s\n", suites[i].name, suites[i].summary);
    fprintf(
        out,
        "  %-16s every suite; with --json one object, a member for each\n"
        "  %-16s what got slower from one file of results to the other\n\n"
        "'ztl bench SUITE --help' explains one.\n"
        "example:\n  ztl bench all --json > today.json; ztl bench compare old.json today.json\n",
        "all [--json]", "compare OLD NEW");
}

static int run_all(int argc, char **argv)
{
    bool json = false;
    const ztl_option table[] = {{"--json", .flag = &json}, {0}};
    int wrong = ztl_bench_options("ztl bench all", table, argc, argv, print_usage);
    if (wrong >= 0)
        return wrong;
    int worst = ZTL_EXIT_OK;
    for (size_t i = 0; i < SUITES; i++) {
        char name[32], option[] = "--json", *arguments[] = {name, option, NULL};
        snprintf(name, sizeof name, "%s", suites[i].name);
        printf(json ? "%s\"%s\":\n" : "%s%s\n", json ? (i ? "," : "{") : (i ? "\n" : ""), name);
        fflush(stdout);
        int status = suites[i].run(json ? 2 : 1, arguments);
        worst = status > worst ? status : worst;
    }
    if (json)
        printf("}\n");
    return worst;
}

int ztl_cli_bench(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return ZTL_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_usage(stdout);
        return ZTL_EXIT_OK;
    }
    if (!strcmp(argv[1], "all"))
        return run_all(argc - 1, argv + 1);
    if (!strcmp(argv[1], "compare"))
        return ztl_bench_compare(argc - 1, argv + 1);
    for (size_t i = 0; i < SUITES; i++)
        if (!strcmp(argv[1], suites[i].name))
            return suites[i].run(argc - 1, argv + 1);
    ztl_error error;
    ztl_name_unknown(&error, "suite", argv[1], name_of, "ztl bench");
    ztl_message("ztl bench", "%s", error.text);
    return ZTL_EXIT_USAGE;
}
