/* SPDX-License-Identifier: Apache-2.0
 * Plans as bytes that outlive the program. A plan has no pointers, so that its own bytes follow a
 * head that tells whether this library can read them.
 */
#include <stdlib.h>

#include <ztl/version.h>

#include "ops/api/check.h"
#include "ops/api/saved/verify.h"

/* Every field has its natural place: the bytes are the same on each machine of this byte order. */
_Static_assert(sizeof(ztl_ops_plan) == 96 + sizeof(ztl_ops_stats), "a plan has padding");
_Static_assert(sizeof(ops_pass) == 144 + OPS_DIMS * sizeof(ops_dim), "a pass has padding");
_Static_assert(sizeof(ops_choice) == 32 + OPS_MOST_TRIED * sizeof(ops_tried), "padding");

typedef struct head {
    char magic[8];
    uint32_t order, version; /* ORDER in the writer's byte order; MAJOR.MINOR, not PATCH */
    uint64_t bytes;          /* of the plan */
    uint64_t sum;
} head;

enum { ORDER = 0x01020304, VERSION = ZTL_VERSION_MAJOR << 16 | ZTL_VERSION_MINOR };

static const char magic[8] = "ZtlPlan";

/* FNV-1a: against damage, not against forgery. */
static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

size_t ztl_ops_plan_save(const ztl_ops_plan *plan, void *bytes, size_t size)
{
    head h = {.order = ORDER, .version = VERSION, .bytes = plan->bytes};
    memcpy(h.magic, magic, sizeof magic);
    h.sum = sum_of((const uint8_t *)plan, plan->bytes);
    if (size >= sizeof h + plan->bytes) {
        memcpy(bytes, &h, sizeof h);
        memcpy((uint8_t *)bytes + sizeof h, plan, plan->bytes);
    }
    return sizeof h + plan->bytes;
}

static bool check_head(const uint8_t *bytes, size_t size, ztl_error *error)
{
    head h;
    if (size < sizeof h || memcmp(bytes, magic, sizeof magic) != 0)
        return ztl_ops_fail(error, "these bytes are no plan");
    memcpy(&h, bytes, sizeof h);
    if (h.order != ORDER)
        return ztl_ops_fail(error, "the plan is of a machine with another byte order");
    if (h.version != VERSION)
        return ztl_ops_fail(error, "the plan is of version %u.%u, this library of %d.%d",
                            (unsigned)(h.version >> 16), (unsigned)(h.version & 0xffff),
                            ZTL_VERSION_MAJOR, ZTL_VERSION_MINOR);
    if (h.bytes != size - sizeof h)
        return ztl_ops_fail(error, "the plan has %llu bytes, not %llu",
                            (unsigned long long)(size - sizeof h), (unsigned long long)h.bytes);
    if (h.sum != sum_of(bytes + sizeof h, size - sizeof h))
        return ztl_ops_fail(error, "the plan is damaged: its checksum is wrong");
    return true;
}

/* A plan only stays in buffers that have the extent it was made for. */
static bool check_spans(const ztl_ops_plan *plan, const char *what, size_t first,
                        const ztl_ops_tensor *tensor, size_t count, ztl_error *error)
{
    const ops_span *span = (const ops_span *)((const uint8_t *)plan + plan->spans) + first;
    ops_call call = {.error = error};
    for (size_t i = 0; i < count; i++) {
        uint64_t low, high;
        if (!ztl_ops_check_tensor(&call, what, i, &tensor[i]))
            return false;
        ztl_ops_tensor_span(&tensor[i], &low, &high);
        if (low != span[i].low || high != span[i].high)
            return ztl_ops_fail(error,
                                "%s %zu takes bytes %llu to %llu of its buffer, in the plan %llu "
                                "to %llu",
                                what, i, (unsigned long long)low, (unsigned long long)high,
                                (unsigned long long)span[i].low, (unsigned long long)span[i].high);
    }
    return true;
}

static bool check_tensors(const ztl_ops_plan *plan, const ztl_ops_tensor *in, size_t inputs,
                          const ztl_ops_tensor *out, size_t outputs, ztl_error *error)
{
    if (plan->inputs != inputs || plan->outputs != outputs)
        return ztl_ops_fail(error, "the plan has %u inputs and %u outputs, not %zu and %zu",
                            (unsigned)plan->inputs, (unsigned)plan->outputs, inputs, outputs);
    return check_spans(plan, "input", 0, in, inputs, error) &&
           check_spans(plan, "output", inputs, out, outputs, error);
}

ztl_ops_plan *ztl_ops_plan_load(const void *bytes, size_t size, const ztl_ops_tensor *in,
                                size_t inputs, const ztl_ops_tensor *out, size_t outputs,
                                ztl_error *error)
{
    if (!check_head(bytes, size, error))
        return NULL;
    size -= sizeof(head);
    ztl_ops_plan *plan = malloc(size ? size : 1);
    if (!plan) {
        ztl_ops_fail(error, "out of memory: %zu bytes", size);
        return NULL;
    }
    memcpy(plan, (const uint8_t *)bytes + sizeof(head), size);
    if (ztl_ops_verify(plan, size, error) && check_tensors(plan, in, inputs, out, outputs, error))
        return plan;
    free(plan);
    return NULL;
}
