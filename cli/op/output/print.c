/* SPDX-License-Identifier: Apache-2.0
 * What ztl op prints in the end.
 */
#include "cli/op/output/listing.h"
#include "cli/op/output/stats.h"
#include "cli/op/request.h"

static uint64_t bytes_of(const ztl_npy *npy, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += npy[i].bytes;
    return sum;
}

static void print_stats(const op_request *r)
{
    ztl_op_report report = {.name = r->name,
                            .plan = r->made,
                            .bytes_in = bytes_of(r->in, ZTL_OPS_BUFFERS),
                            .bytes_out = bytes_of(r->out, ZTL_OPS_BUFFERS),
                            .engine = r->engine,
                            .figures = &r->figures,
                            .plan_ms = r->plan_ms,
                            .run_ms = r->run_ms,
                            .with_plan = r->plan,
                            .timing = r->timing.timing ? &r->timing : NULL};
    if (r->json)
        ztl_op_print_json(&report);
    else
        ztl_op_print_stats(&report);
}

static int print_listing(op_request *r)
{
    ztl_error error;
    return ztl_op_print_listing(&r->job, r->made, r->most, &error)
               ? ZTL_EXIT_OK
               : op_complain(r, ZTL_EXIT_FAILURE, "--list", error.text);
}

int op_print(op_request *r)
{
    int status = ZTL_EXIT_OK;
    if (r->plan && !r->json)
        ztl_op_print_plan(r->made);
    if (r->list)
        status = print_listing(r);
    if (!status && (r->stats || r->json))
        print_stats(r);
    if (!status && r->timing.timing && !r->json)
        ztl_op_timing_print(&r->timing, r->made);
    return status;
}
