/* SPDX-License-Identifier: Apache-2.0
 * The table of ztl bench ops, from text.
 */
#include "bench/cases/cases.h"

#include "ops/operators/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES = 3 };

typedef struct row {
    const char *name, *operator, * shapes, *options;
    double known[FIGURES], known_kinds[FIGURES]; /* for 8, 16 and 32 bits */
} row;

#define ZTL_CASE(name, operator, shapes, options) {name, operator, shapes, options, {0}, {0}},

static const row table[] = {
#include "bench/cases/cases.def"
};

#define ZTL_CASE(name, operator, shapes, options) {name, operator, shapes, options, {0}, {0}},

static const row everyday[] = {
#include "bench/cases/everyday.def"
};

#define ZTL_CASE(name, operator, shapes, options) {name, operator, shapes, options, {0}, {0}},

static const row formats[] = {
#include "bench/cases/formats.def"
};

#define ZTL_CASE(name, operator, shapes, options) {name, operator, shapes, options, {0}, {0}},

static const row indices[] = {
#include "bench/cases/indices.def"
};

#define ZTL_KNOWN(name, operator, shapes, options, a, b, c, d, e, f)                               \
    {name, operator, shapes, options, {a, b, c}, {d, e, f}},

static const row byhand[] = {
#include "bench/cases/byhand.def"
};

#define ZTL_KNOWN(name, operator, shapes, options, a, b, c, d, e, f)                               \
    {name, operator, shapes, options, {a, b, c}, {d, e, f}},

static const row odd[] = {
#include "bench/cases/odd.def"
};

#define ZTL_KNOWN(name, operator, shapes, options, a, b, c, d, e, f)                               \
    {name, operator, shapes, options, {a, b, c}, {d, e, f}},

static const row edges[] = {
#include "bench/cases/edges.def"
};

enum { RANDOM_CASES = 100 };

#define ROWS(rows) rows, sizeof rows / sizeof rows[0]

static const struct {
    const char *name;
    const row *rows; /* NULL: made up */
    size_t count;
    bool has_data, runs, compares;
} groups[ZTL_OPS_GROUPS] = {
    [ZTL_OPS_TABLE] = {"table", ROWS(table), true, true, false},
    [ZTL_OPS_EVERYDAY] = {"everyday", ROWS(everyday), true, true, false},
    [ZTL_OPS_FORMATS] = {"formats", ROWS(formats), true, true, false},
    [ZTL_OPS_RANDOM] = {"random", NULL, RANDOM_CASES, true, false, false},
    [ZTL_OPS_INDICES] = {"indices", ROWS(indices), false, false, false},
    [ZTL_OPS_BYHAND] = {"byhand", ROWS(byhand), true, false, true},
    [ZTL_OPS_ODD] = {"odd", ROWS(odd), true, false, true},
    [ZTL_OPS_EDGES] = {"edges", ROWS(edges), true, false, true},
};

const char *ztl_ops_group_name(enum ztl_ops_group group)
{
    return groups[group].name;
}

size_t ztl_ops_cases(enum ztl_ops_group group)
{
    return groups[group].count;
}

bool ztl_ops_group_has_data(enum ztl_ops_group group)
{
    return groups[group].has_data;
}

bool ztl_ops_group_runs(enum ztl_ops_group group)
{
    return groups[group].runs;
}

bool ztl_ops_group_compares(enum ztl_ops_group group)
{
    return groups[group].compares;
}

bool ztl_ops_group_is(enum ztl_ops_group group, const char *name)
{
    return name ? !strcmp(name, groups[group].name) : !groups[group].compares;
}

void ztl_ops_group_names(char *text, size_t size)
{
    size_t used = 0;
    for (unsigned g = 0; g < ZTL_OPS_GROUPS && used < size; g++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 !g                       ? ""
                                 : g + 1 < ZTL_OPS_GROUPS ? ", "
                                                          : " and ",
                                 groups[g].name);
}

/* Shapes such as 1x3x40 1x3x1; a single 0 stands for 16 MiB. */
static void read_shapes(ztl_ops_case *c, const char *text, unsigned bits)
{
    while (*text && c->inputs < 8) {
        int64_t extent[ZTL_OPS_RANK];
        unsigned rank = 0;
        char *end;
        do {
            extent[rank++] = strtoll(text, &end, 10);
            text = end + 1;
        } while (*end == 'x' && rank < ZTL_OPS_RANK);
        if (rank == 1 && extent[0] == 0)
            extent[0] = (16 << 20) / (bits / 8);
        ztl_ops_dense(&c->in[c->inputs++], bits, rank, extent);
        if (!*end)
            break;
    }
}

/* Reproducible picks: positions that a simple generator gives. */
static void pick(ztl_ops_case *c, bool half, size_t count, int64_t extent)
{
    int64_t *values = malloc(count * sizeof *values);
    uint32_t state = 12345;
    if (!values)
        return;
    for (size_t k = 0; k < count; k++) {
        state = state * 1664525 + 1013904223;
        values[k] = half ? (int64_t)(k + (state >> 31)) % 2 : (int64_t)(state >> 8) % extent;
    }
    for (size_t k = 0; half && k + 1 < count; k += 2)
        values[k + 1] = !values[k];
    ztl_op_set_list(&c->text, half ? &c->text.op.condition : &c->text.op.indices, values, count);
}

static void read_options(ztl_ops_case *c, const char *options)
{
    char copy[192], *rest = copy, *option;
    snprintf(copy, sizeof copy, "%s", options);
    while ((option = strsep(&rest, " ")) && *option) {
        char *value = strsep(&rest, " ");
        if (!strcmp(option, "--bits"))
            c->is_left_out = (unsigned)atoi(value) != c->in[0].bits;
        else if (!strcmp(option, "--random") || !strcmp(option, "--half"))
            pick(c, option[2] == 'h', (size_t)atol(value), c->in[0].extent[0]);
        else
            ztl_op_option(&c->text, option, value, NULL);
    }
}

static uint32_t draw(uint32_t *state, uint32_t range)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % range;
}

/* Extents of rank 2 to 8 with 32 Ki to 1 Mi elements. */
static unsigned draw_extents(uint32_t *state, int64_t *extent)
{
    static const uint16_t extents[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11,  12,  13,  14,  16,
                                       19, 24, 28, 32, 35, 49, 56, 64, 77, 100, 127, 196, 255, 300};
    for (;;) {
        unsigned rank = 2 + draw(state, 7);
        int64_t elements = 1;
        for (unsigned d = 0; d < rank && elements <= 1 << 20; d++) {
            extent[d] = extents[draw(state, sizeof extents / sizeof extents[0])];
            elements *= extent[d];
        }
        if (elements >= 32 << 10 && elements <= 1 << 20)
            return rank;
    }
}

static void append(char *text, size_t size, int64_t value, char after)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%lld%c", (long long)value, after);
}

/* A random transpose, as a row would give it; the same for every element. */
static void draw_case(ztl_ops_case *c, size_t index, unsigned bits)
{
    uint32_t state = 2463534242u + 7919 * (uint32_t)index;
    int64_t extent[ZTL_OPS_RANK], *perm = malloc(ZTL_OPS_RANK * sizeof *perm);
    for (unsigned k = 0; k < 8; k++)
        draw(&state, 2);
    unsigned rank = draw_extents(&state, extent);
    ztl_ops_dense(&c->in[c->inputs++], bits, rank, extent);
    for (unsigned d = 0; d < rank; d++)
        append(c->name, sizeof c->name, extent[d], d + 1 < rank ? 'x' : ' ');
    if (!perm)
        return;
    for (unsigned d = 0; d < rank; d++) {
        unsigned k = draw(&state, d + 1);
        perm[d] = perm[k];
        perm[k] = d;
    }
    for (unsigned d = 0; d < rank; d++)
        append(c->name, sizeof c->name, perm[d], d + 1 < rank ? ',' : '\0');
    ztl_op_set_list(&c->text, &c->text.op.perm, perm, rank);
}

/* The input that holds indices, or a condition, has elements of its own. */
static void set_index_input(ztl_ops_case *c)
{
    int input = ztl_ops_index_input(&c->text.op, c->inputs);
    unsigned bits = ops_does(&c->text.op, OPS_CONDITION) ? 8 : 64;
    if (input < 0)
        return;
    ztl_ops_tensor given = c->in[input];
    ztl_ops_dense(&c->in[input], bits, given.rank, given.extent);
}

bool ztl_ops_case_of(enum ztl_ops_group group, size_t index, unsigned bits, ztl_ops_case *c)
{
    if (index >= groups[group].count)
        return false;
    memset(c, 0, sizeof *c);
    const row *given = groups[group].rows ? &groups[group].rows[index] : NULL;
    ztl_error error;
    if (!ztl_op_find(given ? given->operator: "transpose", &c->text.op))
        return false;
    if (given) {
        snprintf(c->name, sizeof c->name, "%s", given->name);
        c->operator= given->operator;
        c->shapes = given->shapes;
        c->options = given->options;
        read_shapes(c, given->shapes, bits);
        read_options(c, given->options);
        set_index_input(c);
        unsigned figure = bits == 8 ? 0 : bits == 16 ? 1 : 2;
        c->known = given->known[figure];
        c->known_kinds = given->known_kinds[figure];
    } else {
        draw_case(c, index, bits);
    }
    c->outputs = ztl_ops_infer(&c->text.op, c->in, c->inputs, c->out,
                               sizeof c->out / sizeof c->out[0], &error);
    c->is_left_out |= group == ZTL_OPS_FORMATS && c->outputs == 0;
    return c->outputs > 0 || c->is_left_out;
}
