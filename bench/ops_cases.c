/* SPDX-License-Identifier: Apache-2.0
 * The table of ztl bench ops, from text.
 */
#include "bench/ops_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *operator, * shapes, *options;
} cases[] = {
#define ZTL_CASE(name, operator, shapes, options) {name, operator, shapes, options},
#include "bench/ops_cases.def"
};

size_t ztl_ops_cases(void)
{
    return sizeof cases / sizeof cases[0];
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
    char copy[160], error[160], *rest = copy, *option;
    snprintf(copy, sizeof copy, "%s", options);
    while ((option = strsep(&rest, " ")) && *option) {
        char *value = strsep(&rest, " ");
        if (!strcmp(option, "--random") || !strcmp(option, "--half"))
            pick(c, option[2] == 'h', (size_t)atol(value), c->in[0].extent[0]);
        else
            ztl_op_option(&c->text, option, value, error, sizeof error);
    }
}

bool ztl_ops_case_of(size_t index, unsigned bits, ztl_ops_case *c)
{
    if (index >= ztl_ops_cases())
        return false;
    memset(c, 0, sizeof *c);
    c->name = cases[index].name;
    ztl_ops_error error;
    if (!ztl_op_find(cases[index].operator, & c->text.op))
        return false;
    read_shapes(c, cases[index].shapes, bits);
    read_options(c, cases[index].options);
    return ztl_ops_infer(&c->text.op, c->in, c->inputs, &c->out, 1, &error) == 1;
}
