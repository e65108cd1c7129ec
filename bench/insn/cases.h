/* SPDX-License-Identifier: Apache-2.0
 * The cases of `ztl bench insn`: one instruction with everything it depends on.
 */
#ifndef ZTL_BENCH_CASES_H
#define ZTL_BENCH_CASES_H

#include <ztl/ztl.h>

enum bench_group {
#define ZTL_GROUP(ID, ...) GROUP_##ID,
#include "bench/insn/groups.def"
    GROUPS
};

typedef struct bench_case {
    char name[72];
    enum bench_group group;
    enum ztl_insn_id id;
    int operand[3];
    uint32_t ttype, tshape, perm, mask[2], shape, stride_step;
    unsigned copy_bytes; /* of the copy it is compared with */
    bool representative; /* shown without --all */
} bench_case;

/* All cases, in an order that never changes. *count receives how many. NULL when memory is short;
 * else the caller frees them. */
bench_case *bench_cases(size_t *count);

#endif
