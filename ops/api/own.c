/* SPDX-License-Identifier: Apache-2.0
 * Plans in memory of the library's: the only functions that allocate.
 */
#include <stdlib.h>

#include "ops/api/check.h"

static void *allocate(uint64_t bytes, ztl_error *error)
{
    void *memory = bytes > SIZE_MAX ? NULL : malloc((size_t)bytes);
    if (!memory)
        ztl_ops_fail(error, "out of memory: %llu bytes", (unsigned long long)bytes);
    return memory;
}

ztl_ops_plan *ztl_ops_plan_new(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                               const ztl_ops_tensor *out, size_t outputs,
                               const ztl_ops_machine *machine, ztl_error *error)
{
    size_t space = ztl_ops_plan_space(op, in, inputs, out, outputs);
    if (!space) { /* make says why */
        ztl_ops_make(op, in, inputs, out, outputs, machine, NULL, 0, error);
        return NULL;
    }
    ztl_ops_plan *plan =
        allocate(space, error); /* of which plans without long lists touch little */
    if (!plan || !ztl_ops_make(op, in, inputs, out, outputs, machine, plan, space, error)) {
        free(plan);
        return NULL;
    }
    ztl_ops_plan *smaller = realloc(plan, ztl_ops_plan_bytes(plan));
    return smaller ? smaller : plan;
}

void ztl_ops_plan_free(ztl_ops_plan *plan)
{
    free(plan);
}

bool ztl_ops_plan_run(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                      ztl_error *error)
{
    uint64_t bytes = ztl_ops_scratch_bytes(plan);
    void *scratch = bytes ? allocate(bytes, error) : NULL;
    bool good = (scratch || !bytes) && ztl_ops_run(plan, in, out, scratch, error);
    free(scratch);
    return good;
}

bool ztl_ops_apply(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                   const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                   void *const *target, ztl_error *error)
{
    ztl_ops_plan *plan = ztl_ops_plan_new(op, in, inputs, out, outputs, NULL, error);
    bool good = plan && ztl_ops_plan_run(plan, source, target, error);
    ztl_ops_plan_free(plan);
    return good;
}
