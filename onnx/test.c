/* SPDX-License-Identifier: Apache-2.0
 * ONNX's test directories: finding them, running one, results as JUnit XML.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/error.h"
#include "onnx/fold/fold.h"
#include "onnx/graph/read.h"
#include "onnx/run.h"

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* DIR/NAME_i.pb; false when there is none. */
static bool path_of(char path[PATH_MAX], const char *set, const char *name, size_t i)
{
    return snprintf(path, PATH_MAX, "%s/%s_%zu.pb", set, name, i) < PATH_MAX && exists(path);
}

static bool bind_inputs(onnx_graph *graph, const char *set, ztl_error *error)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < graph->inputs && path_of(path, set, "input", i); i++) {
        onnx_value value = {.rank = -1};
        char *name = NULL;
        bool good = ztl_onnx_read_pb(path, &value, &name, error);
        if (graph->value[graph->input[i]].type == ONNX_BFLOAT16 && value.type == ONNX_UINT16)
            value.type = ONNX_BFLOAT16; /* NumPy has none: the files say uint16 */
        good = good && ztl_onnx_bind(graph, graph->value[graph->input[i]].name, &value, error);
        free(name);
        ztl_onnx_release(value.buffer);
        if (!good)
            return false;
    }
    return true;
}

/* "[0,3,1]" of the element that a byte is in. */
static void place_of(const onnx_value *value, size_t byte, char *text, size_t size)
{
    size_t at = byte * 8 / ztl_onnx_bits(value->type), length = 0;
    size_t index[ONNX_RANK] = {0};
    for (int d = value->rank - 1; d >= 0; d--) {
        index[d] = at % (size_t)value->extent[d];
        at /= (size_t)value->extent[d];
    }
    length += (size_t)snprintf(text, size, "[");
    for (int d = 0; d < value->rank && length < size; d++)
        length += (size_t)snprintf(text + length, size - length, "%s%zu", d ? "," : "", index[d]);
    if (length < size)
        snprintf(text + length, size - length, "]");
}

static void bytes_of(const onnx_value *value, size_t byte, char text[40])
{
    size_t bytes = (ztl_onnx_bits(value->type) + 7) / 8, start = byte - byte % bytes, length = 2;
    strcpy(text, "0x");
    for (size_t i = bytes; i-- > 0;)
        length +=
            (size_t)snprintf(text + length, 40 - length, "%02x", value->buffer->bytes[start + i]);
}

static bool compare(const onnx_value *made, const onnx_value *expected, ztl_error *error)
{
    char a[160], b[160], place[160];
    ztl_onnx_describe(made, a, sizeof a);
    ztl_onnx_describe(expected, b, sizeof b);
    if (strcmp(a, b) != 0)
        return ztl_fail(error, "output %s is %s, expected %s", made->name, a, b);
    const uint8_t *x = made->buffer->bytes, *y = expected->buffer->bytes;
    for (size_t i = 0; i < expected->buffer->size; i++)
        if (x[i] != y[i]) {
            place_of(made, i, place, sizeof place);
            bytes_of(made, i, a);
            bytes_of(expected, i, b);
            return ztl_fail(error, "output %s%s is %s, expected %s", made->name, place, a, b);
        }
    return true;
}

static bool compare_outputs(const onnx_graph *graph, const char *set, ztl_error *error)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < graph->outputs; i++) {
        onnx_value expected = {.rank = -1};
        char *name = NULL;
        const onnx_value *made = &graph->value[graph->output[i]];
        if (!path_of(path, set, "output", i))
            return ztl_fail(error, "%s: no output_%zu.pb", set, i);
        bool good = ztl_onnx_read_pb(path, &expected, &name, error) &&
                    (made->buffer || ztl_fail(error, "output %s is not made", made->name)) &&
                    compare(made, &expected, error);
        free(name);
        ztl_onnx_release(expected.buffer);
        if (!good)
            return false;
    }
    return true;
}

/* Why a graph is not for us, before any data are read. */
static bool is_ours(const onnx_graph *graph, ztl_error *error)
{
    for (size_t i = 0; i < graph->values; i++)
        if (graph->value[i].other)
            return ztl_fail(error, "%s is %s, not a tensor", graph->value[i].name,
                            graph->value[i].other);
    for (size_t n = 0; n < graph->nodes; n++)
        if (!ztl_onnx_is_movement(&graph->node[n]) && !ztl_onnx_is_arithmetic(&graph->node[n]))
            return ztl_fail(error, "node %s (%s): no data movement", graph->node[n].label,
                            graph->node[n].kind);
    for (size_t i = 0; i < graph->inputs; i++)
        if (!ztl_onnx_bits(graph->value[graph->input[i]].type))
            return ztl_fail(error, "input %s: elements are %s", graph->value[graph->input[i]].name,
                            ztl_onnx_type_name(graph->value[graph->input[i]].type));
    return true;
}

/* Whether a graph has data movement in it, and not arithmetic alone. */
static bool moves(const onnx_graph *graph)
{
    for (size_t n = 0; n < graph->nodes; n++)
        if (ztl_onnx_is_movement(&graph->node[n]))
            return true;
    return false;
}

static enum onnx_verdict run_set(const char *model, const char *set, const onnx_engine *engine,
                                 ztl_error *error)
{
    static const enum onnx_verdict verdict[] = {[ONNX_MOVES] = ONNX_PASS,
                                                [ONNX_OTHER] = ONNX_SKIP,
                                                [ONNX_WAITS] = ONNX_FAIL,
                                                [ONNX_WRONG] = ONNX_FAIL};
    onnx_graph *graph = ztl_onnx_open(model, NULL, 0, error);
    enum onnx_verdict v = ONNX_FAIL;
    if (graph && !is_ours(graph, error))
        v = ONNX_SKIP;
    else if (graph && !bind_inputs(graph, set, error))
        v = moves(graph) ? ONNX_FAIL
                         : ONNX_SKIP; /* some vectors of casts do not fit their graphs */
    else if (graph)
        v = verdict[ztl_onnx_run(graph, engine, ONNX_RUN_BUDGET, error)];
    if (v == ONNX_PASS && !compare_outputs(graph, set, error))
        v = ONNX_FAIL;
    ztl_onnx_close(graph);
    return v;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void ztl_onnx_test(onnx_test *test, const onnx_engine *engine)
{
    char model[PATH_MAX], set[PATH_MAX];
    double begin = now();
    test->verdict = ONNX_SKIP;
    ztl_fail(&test->why, "no test_data_set_0");
    snprintf(model, sizeof model, "%s/model.onnx", test->path);
    for (test->sets = 0;; test->sets++) {
        if (snprintf(set, sizeof set, "%s/test_data_set_%u", test->path, test->sets) >= PATH_MAX ||
            !exists(set))
            break;
        test->verdict = run_set(model, set, engine, &test->why);
        if (test->verdict != ONNX_PASS)
            break;
    }
    test->seconds = now() - begin;
}

static bool add_test(const char *path, onnx_test **list, size_t *count)
{
    onnx_test *more = realloc(*list, (*count + 1) * sizeof **list);
    if (!more)
        return false;
    *list = more;
    more[*count] = (onnx_test){.path = strdup(path)};
    return more[(*count)++].path;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

enum { DEEPEST = 8 };

static bool find(const char *path, unsigned depth, onnx_test **list, size_t *count,
                 ztl_error *error)
{
    char below[PATH_MAX];
    struct dirent **entry;
    struct stat status;
    if (snprintf(below, sizeof below, "%s/model.onnx", path) < PATH_MAX && exists(below))
        return add_test(path, list, count) || ztl_fail(error, "out of memory");
    int n = scandir(path, &entry, is_visible, alphasort);
    if (n < 0)
        return ztl_fail(error, "%s: %s", path, strerror(errno));
    bool good = true;
    for (int i = 0; i < n; i++) {
        if (good && depth &&
            snprintf(below, sizeof below, "%s/%s", path, entry[i]->d_name) < PATH_MAX &&
            lstat(below, &status) == 0 && S_ISDIR(status.st_mode))
            good = find(below, depth - 1, list, count, error);
        free(entry[i]);
    }
    free(entry);
    return good;
}

bool ztl_onnx_find_tests(const char *path, onnx_test **list, size_t *count, ztl_error *error)
{
    size_t before = *count;
    return find(path, DEEPEST, list, count, error) &&
           (*count > before || ztl_fail(error, "%s: no directory with a model.onnx", path));
}

static void write_escaped(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '"')
            fputs("&quot;", file);
        else
            fputc((unsigned char)*text < ' ' ? '?' : *text, file);
}

void ztl_onnx_write_junit(FILE *file, const onnx_test *list, size_t count)
{
    static const char *const element[] = {[ONNX_FAIL] = "failure", [ONNX_SKIP] = "skipped"};
    size_t sum[3] = {0};
    for (size_t i = 0; i < count; i++)
        sum[list[i].verdict]++;
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"ztl onnx test\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
            count, sum[ONNX_FAIL], sum[ONNX_SKIP]);
    for (size_t i = 0; i < count; i++) {
        fputs("  <testcase name=\"", file);
        write_escaped(file, list[i].path);
        fprintf(file, "\" time=\"%.3f\"", list[i].seconds);
        if (list[i].verdict == ONNX_PASS) {
            fputs("/>\n", file);
            continue;
        }
        fprintf(file, "><%s message=\"", element[list[i].verdict]);
        write_escaped(file, list[i].why.text);
        fprintf(file, "\"/></testcase>\n");
    }
    fputs("</testsuite>\n", file);
}
