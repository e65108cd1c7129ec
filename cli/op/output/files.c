/* SPDX-License-Identifier: Apache-2.0
 * The files that ztl op writes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/movers.h>

#include "cli/op/request.h"
#include "host/output.h"

const char op_standard_output[] = "/dev/stdout";

enum { MOST_FILES = ZTL_OPS_BUFFERS + 3 };

/* The files that are written in the end, those behind a sweep too. */
static size_t list_files(const op_request *r, const char *file[MOST_FILES])
{
    size_t count = r->outputs;
    const char *more[] = {r->timing.timeline_path, r->csv, r->svg};
    memcpy(file, r->output, count * sizeof *file);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (more[i])
            file[count++] = more[i];
    return count;
}

/* What is written in the end shall not fail then for a wrong name, nor shall one output take the
 * place of another. Inputs have been read by then. */
int op_check_outputs(const op_request *r)
{
    bool prints = r->plan || r->list || r->stats || r->json || ztl_op_timing_is_on(&r->timing);
    const char *file[MOST_FILES];
    size_t count = list_files(r, file);
    for (size_t i = 0; i < count; i++) {
        if (!ztl_output_possible(file[i]))
            return op_complain(r, ZTL_EXIT_FAILURE, file[i], strerror(errno));
        for (size_t k = 0; k < i; k++)
            if (ztl_output_same(file[k], file[i]))
                return op_complain(r, ZTL_EXIT_USAGE, file[i], "named twice as an output");
        if (prints &&
            (file[i] == op_standard_output || ztl_output_same(file[i], op_standard_output)))
            return op_complain(r, ZTL_EXIT_USAGE, file[i], "standard output goes there too");
    }
    return ZTL_EXIT_OK;
}

/* Keeps those positions of output 0 that the condition has selected. */
static bool shorten(op_request *r, ztl_error *error)
{
    const ztl_ops_op *op = &r->text.op;
    ztl_npy *npy = &r->out[0];
    ztl_ops_tensor all = npy->tensor, kept;
    int64_t axis = op->has_axis ? op->axis : 0, none = 0, count;
    memcpy(&count, r->out[1].data, sizeof count);
    ztl_ops_op slice = ztl_ops_slice(&none, &count, &axis, NULL, 1);
    if (!ztl_ops_infer(&slice, &all, 1, &kept, 1, error))
        return false;
    ztl_npy_lay_out(&kept, r->fortran);
    void *data = calloc(1, kept.size + 1);
    const void *source = npy->data;
    if (!data || !ztl_mover_apply(&slice, &all, 1, &kept, 1, &source, &data, error)) {
        free(data);
        return false;
    }
    free(npy->data);
    *npy = (ztl_npy){.tensor = kept, .data = data, .bytes = kept.size};
    memcpy(npy->descr, r->element.descr, sizeof npy->descr);
    return true;
}

int op_write_outputs(op_request *r)
{
    ztl_output output[MOST_FILES];
    size_t count = r->outputs;
    const ztl_output *failed;
    ztl_error error = {"out of memory"};
    if (op_selects(r) && !r->shapes && !shorten(r, &error))
        return op_complain(r, ZTL_EXIT_FAILURE, "", error.text);
    for (size_t i = 0; i < r->outputs; i++) {
        r->out[i].fortran = r->fortran;
        output[i] = (ztl_output){r->output[i], ztl_npy_write, &r->out[i]};
    }
    if (r->timing.timeline)
        output[count++] = ztl_op_timing_output(&r->timing);
    return ztl_outputs_write(output, count, &failed)
               ? ZTL_EXIT_OK
               : op_complain(r, ZTL_EXIT_FAILURE, failed->path, strerror(errno));
}
