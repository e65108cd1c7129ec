/* SPDX-License-Identifier: Apache-2.0
 * ztl bench compare: what got slower from one file of results to another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bench/bench.h"
#include "host/command/exit.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "host/error.h"

enum { DEFAULT_TOLERANCE = 15 }; /* per cent; machines are never quite at rest */

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: ztl bench compare [--tolerance PERCENT] OLD.json NEW.json\n\n"
            "Names the results whose ratio grew by more than the tolerance (%d %% if not\n"
            "given, or their own spread where that is more). Exit status 1 when there are\n"
            "any.\n\n"
            "example: ztl bench compare before.json after.json\n",
            DEFAULT_TOLERANCE);
}

/* One suite, or an object with a member for each. */
static bool is_report(json_t *root)
{
    const char *suite;
    json_t *member;
    if (!json_is_object(root) || json_is_array(json_object_get(root, "results")))
        return json_is_object(root);
    json_object_foreach(
        root, suite, member) if (!json_is_array(json_object_get(member, "results"))) return false;
    return json_object_size(root) > 0;
}

static json_t *read_file(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        ztl_message("ztl bench compare", "%s:%d: %s", path, error.line, error.text);
    else if (!is_report(root)) {
        ztl_message("ztl bench compare", "%s: not an object of results", path);
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* A result by name, in a list of them. */
static const json_t *find(const json_t *results, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach(results, i, row)
    {
        const char *other = json_string_value(json_object_get(row, "name"));
        if (other && !strcmp(other, name))
            return row;
    }
    return NULL;
}

static double number(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

typedef struct tally {
    double tolerance;
    unsigned compared, slower, faster, missing;
} tally;

static void alone(tally *t, const char *name)
{
    printf("without counterpart: %s\n", name);
    t->missing++;
}

static void compare_row(tally *t, const char *name, const json_t *before, const json_t *after)
{
    double was = number(before, "ratio"), is = number(after, "ratio");
    double noise = number(before, "spread") + number(after, "spread");
    double allowed = noise > t->tolerance ? noise : t->tolerance;
    if (was <= 0 || is <= 0) {
        alone(t, name);
        return;
    }
    t->compared++;
    if (is > was * (1 + allowed)) {
        printf("slower: %s: %.2f, was %.2f (+%.0f %%)\n", name, is, was, 100 * (is / was - 1));
        t->slower++;
    } else if (was > is * (1 + allowed)) {
        t->faster++;
    }
}

static void compare_suite(tally *t, const json_t *before, const json_t *after)
{
    const json_t *old_results = json_object_get(before, "results");
    const json_t *new_results = json_object_get(after, "results");
    size_t i;
    json_t *row;
    json_array_foreach(new_results, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        const json_t *old_row = name ? find(old_results, name) : NULL;
        if (old_row)
            compare_row(t, name, old_row, row);
        else
            alone(t, name ? name : "a result without a name");
    }
    json_array_foreach(old_results, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (name && !find(new_results, name))
            alone(t, name);
    }
}

/* A file holds one suite, or a member for each. */
static void compare_files(tally *t, const json_t *before, const json_t *after)
{
    if (json_object_get(after, "results")) {
        compare_suite(t, before, after);
        return;
    }
    const char *suite;
    json_t *member;
    json_object_foreach((json_t *)after, suite, member)
        compare_suite(t, json_object_get(before, suite), member);
}

static int report(const tally *t)
{
    if (!t->compared) {
        ztl_message("ztl bench compare", "the files have no result in common");
        return ZTL_EXIT_FAILURE;
    }
    printf("%u compared: %u slower, %u faster, %u without counterpart\n", t->compared, t->slower,
           t->faster, t->missing);
    return t->slower ? ZTL_EXIT_FAILURE : ZTL_EXIT_OK;
}

static bool take_tolerance(void *tolerance, const char *value, ztl_error *error)
{
    char *end;
    double percent = strtod(value, &end);
    if (*value >= '0' && *value <= '9' && !*end) {
        *(double *)tolerance = percent / 100;
        return true;
    }
    return ztl_fail(error, "'%s' is no percentage", value);
}

int ztl_bench_compare(int argc, char **argv)
{
    tally t = {.tolerance = DEFAULT_TOLERANCE / 100.0};
    const ztl_option table[] = {{"--tolerance", .take = take_tolerance, .context = &t.tolerance},
                                {0}};
    int files = ztl_options_take("ztl bench compare", table, argc, argv);
    if (files == ZTL_OPTIONS_HELP) {
        print_usage(stdout);
        return ZTL_EXIT_OK;
    }
    if (files != 2) {
        if (files != ZTL_OPTIONS_WRONG)
            print_usage(stderr);
        return ZTL_EXIT_USAGE;
    }
    json_t *before = read_file(argv[1]), *after = before ? read_file(argv[2]) : NULL;
    int status = ZTL_EXIT_FAILURE;
    if (after) {
        compare_files(&t, before, after);
        status = report(&t);
    }
    json_decref(before);
    json_decref(after);
    return status;
}
