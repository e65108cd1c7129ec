/* SPDX-License-Identifier: Apache-2.0
 * A plan for every test of a file.
 */
#ifndef ZTL_TEST_OPS_PLANNED_H
#define ZTL_TEST_OPS_PLANNED_H

#include <stdlib.h>

#include <ztl/ops.h>

#include "tests/unit.h"

enum { SPACE = 64 << 20 };

static ztl_ops_plan *plan;

static int set_up(void **state)
{
    (void)state;
    plan = malloc(SPACE);
    return plan ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(plan);
    return 0;
}

static void make(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                 const ztl_ops_tensor *out, const ztl_ops_machine *machine)
{
    ztl_error error = {""};
    if (!ztl_ops_make(op, in, inputs, out, 1, machine, plan, SPACE, &error))
        fail_msg("%s", error.text);
}

#endif
