/* SPDX-License-Identifier: Apache-2.0
 * The cases of ztl bench ops, ready to be planned.
 */
#ifndef ZTL_BENCH_OPS_CASES_H
#define ZTL_BENCH_OPS_CASES_H

#include "ops/text/text.h"

/* TABLE: operators of real networks; EVERYDAY: few channels, odd extents, many dimensions; RANDOM:
 * transposes of random shapes, the same at every run; INDICES: indices at run time, without data.
 * FORMATS: blocks in the order of accelerators. The last three have kernels to be compared with:
 * BYHAND those of the tests; ODD transposes that are not aligned; EDGES what is not a transpose. */
enum ztl_ops_group {
    ZTL_OPS_TABLE,
    ZTL_OPS_EVERYDAY,
    ZTL_OPS_FORMATS,
    ZTL_OPS_RANDOM,
    ZTL_OPS_INDICES,
    ZTL_OPS_BYHAND,
    ZTL_OPS_ODD,
    ZTL_OPS_EDGES,
    ZTL_OPS_GROUPS
};

typedef struct ztl_ops_case {
    char name[96];
    const char *operator, * shapes, *options; /* as the table has them; NULL for random ones */
    ztl_op_text text;
    size_t inputs, outputs;
    ztl_ops_tensor in[8], out[8];
    bool is_left_out; /* of elements of this size */
    double known,
        known_kinds; /* cycles / floor of a kernel on four and on kinds; 0: none is known */
} ztl_ops_case;

const char *ztl_ops_group_name(enum ztl_ops_group group);
size_t ztl_ops_cases(enum ztl_ops_group group);

/* Whether its cases have data, and can be run; whether they are to be run where instructions are
 * counted; and whether it is left out unless it is named, as what is compared with kernels. */
bool ztl_ops_group_has_data(enum ztl_ops_group group);
bool ztl_ops_group_runs(enum ztl_ops_group group);
bool ztl_ops_group_compares(enum ztl_ops_group group);

/* Whether a group is asked for by this name; NULL asks for all that do not compare. */
bool ztl_ops_group_is(enum ztl_ops_group group, const char *name);

/* The names, for messages: "table, everyday and random". */
void ztl_ops_group_names(char *text, size_t size);

/* Case `index` with elements of `bits` bits. False past the last. ztl_op_free frees its lists. */
bool ztl_ops_case_of(enum ztl_ops_group group, size_t index, unsigned bits, ztl_ops_case *result);

#endif
