/* SPDX-License-Identifier: Apache-2.0
 * Which options of ztl op go together.
 */
#include <stddef.h>
#include <stdio.h>

#include "cli/op/request.h"
#include "ops/operators/table.h"

bool op_is_index(const ztl_op_attribute *row)
{
    return row->field == offsetof(ztl_ops_op, indices) ||
           row->field == offsetof(ztl_ops_op, condition);
}

/* The option that the operator cannot do without and that is not given, or NULL. */
static const char *missing_option(const op_request *r)
{
    for (size_t i = 0; i < OP_MAX_ATTRIBUTES && r->attribute[i].row; i++)
        if (!r->attribute[i].given && !(r->indices_shape && op_is_index(r->attribute[i].row)) &&
            ztl_op_needs(r->text.op.kind, r->attribute[i].row))
            return r->attribute[i].row->option;
    return NULL;
}

/* The shape of indices is instead of indices, as --shape-in is instead of files. */
static int check_index_shape(const op_request *r)
{
    if (!r->indices_shape)
        return ZTL_EXIT_OK;
    if (!r->shapes)
        return op_complain(r, ZTL_EXIT_USAGE, "--indices-shape", "goes with --shape-in");
    if (!(ztl_ops_operator(r->text.op.kind)->traits >> OPS_TRAITS))
        return op_complain(r, ZTL_EXIT_USAGE, "--indices-shape",
                           "this operator has no indices that are read at run time");
    if (ztl_ops_index_input(&r->text.op, r->shapes + 1) < 0)
        return op_complain(r, ZTL_EXIT_USAGE, "--shape-in", "is needed for every other input");
    for (size_t i = 0; i < OP_MAX_ATTRIBUTES && r->attribute[i].row; i++)
        if (r->attribute[i].given && op_is_index(r->attribute[i].row))
            return op_complain(r, ZTL_EXIT_USAGE, r->attribute[i].row->option,
                               "--indices-shape is instead of it");
    return ZTL_EXIT_OK;
}

/* What ONNX has as an input and is a list here may be the file of an operator without any. */
static void take_list_file(op_request *r)
{
    bool none = !ztl_ops_count_inputs(r->text.op.kind).most;
    for (size_t i = 0; none && r->inputs == 1 && i < OP_MAX_ATTRIBUTES && r->attribute[i].row;
         i++) {
        op_attribute *a = &r->attribute[i];
        if (a->row->kind != ZTL_OP_LIST || !ztl_op_needs(r->text.op.kind, a->row) || a->given)
            continue;
        a->file = r->input[0];
        a->given = true;
        r->inputs = 0;
    }
}

static int check_inputs(const op_request *r)
{
    bool none = !ztl_ops_count_inputs(r->text.op.kind).most;
    if (none && (r->inputs || r->shapes))
        return op_complain(r, ZTL_EXIT_USAGE, r->inputs ? r->input[0] : "--shape-in",
                           "there are no inputs");
    if (r->shapes && r->inputs)
        return op_complain(r, ZTL_EXIT_USAGE, r->input[0], "--shape-in is instead of inputs");
    if (r->shapes && ((r->outputs && !r->emit.is_on) || r->check))
        return op_complain(r, ZTL_EXIT_USAGE, r->outputs ? "-o" : "--check",
                           "with --shape-in there is no data");
    if (r->shapes && !r->has_type)
        return op_complain(r, ZTL_EXIT_USAGE, "--shape-in", "needs --type");
    if (!none && !r->inputs && !r->shapes)
        return op_complain(r, ZTL_EXIT_USAGE, "", "no input file");
    if (r->type_name && !r->shapes)
        return op_complain(r, ZTL_EXIT_USAGE, "--type",
                           "a dtype is for --shape-in; 'ztl isa --table type' lists the types");
    return check_index_shape(r);
}

/* Options of which one is needed. Where there may be any number of outputs, there are as many as
 * the command names. */
static int check_either(op_request *r)
{
    ztl_ops_op *op = &r->text.op;
    bool counts = ops_does(op, OPS_PARTS);
    char needed[128] = "";
    size_t used = 0;
    for (size_t i = 0; i < OP_MAX_ATTRIBUTES && r->attribute[i].row; i++) {
        const op_attribute *a = &r->attribute[i];
        if (!ztl_op_needs_either(op->kind, a->row))
            continue;
        if (a->given)
            return ZTL_EXIT_OK;
        used += (size_t)snprintf(needed + used, sizeof needed - used, "%s%s",
                                 !used    ? "needs "
                                 : counts ? ", "
                                          : " or ",
                                 a->row->option);
    }
    if (!used)
        return ZTL_EXIT_OK;
    if (counts && r->outputs) {
        op->num_outputs = (int64_t)r->outputs;
        return ZTL_EXIT_OK;
    }
    if (counts)
        snprintf(needed + used, sizeof needed - used, " or the outputs (-o)");
    return op_complain(r, ZTL_EXIT_USAGE, "", needed);
}

/* Cycles are those of the simulated hart. */
static int check_timing(op_request *r)
{
    ztl_error error;
    if (!ztl_op_timing_check(&r->timing, &error))
        return op_complain(r, ZTL_EXIT_USAGE, "", error.text);
    if (r->timing.recording && (r->timing.machine_text || r->plan || r->stats || r->json))
        return op_complain(r, ZTL_EXIT_USAGE, "",
                           "a sweep goes with none of --timing, --plan, --stats and --json");
    if (!ztl_op_timing_is_on(&r->timing))
        return ZTL_EXIT_OK;
    if (r->has_engine && r->engine != ZTL_OP_SIM)
        return op_complain(r, ZTL_EXIT_USAGE, "--engine", "only 'sim' has cycles");
    r->engine = ZTL_OP_SIM;
    return ZTL_EXIT_OK;
}

static int check_emit(op_request *r)
{
    bool others = r->plan || r->check || r->stats || r->json || r->has_engine ||
                  ztl_op_timing_is_on(&r->timing);
    if (!r->emit.is_on && (r->emit.with_main || r->emit.name))
        return op_complain(r, ZTL_EXIT_USAGE, r->emit.name ? "--name" : "--main", "needs --emit");
    if (!r->emit.is_on)
        return ZTL_EXIT_OK;
    if (others)
        return op_complain(r, ZTL_EXIT_USAGE, "--emit",
                           "nothing runs: there is nothing to tell of it");
    if (r->outputs > 1)
        return op_complain(r, ZTL_EXIT_USAGE, "--emit", "writes one file (-o)");
    if (r->emit.name && !ztl_op_emit_name(r->emit.name))
        return op_complain(r, ZTL_EXIT_USAGE, "--name",
                           "is not a name that this function can have in C");
    if (!r->emit.name)
        r->emit.name = "ztl_kernel";
    return ZTL_EXIT_OK;
}

int op_check_options(op_request *r)
{
    take_list_file(r);
    int status = check_inputs(r);
    if (status)
        return status;
    if (r->threads && r->engine != ZTL_OP_NATIVE)
        return op_complain(r, ZTL_EXIT_USAGE, "--threads", "goes with --engine native");
    const char *missing = missing_option(r);
    if (missing)
        return op_complain(r, ZTL_EXIT_USAGE, missing, "this option is needed");
    status = check_timing(r);
    if (!status)
        status = check_emit(r);
    if (status)
        return status;
    bool prints = r->plan || r->list || r->check || r->stats || r->json || r->emit.is_on ||
                  ztl_op_timing_is_on(&r->timing);
    if (r->shapes && !prints)
        return op_complain(r, ZTL_EXIT_USAGE, "--shape-in",
                           "needs --plan, --list, --stats, --json, --timing or --emit");
    if (!r->outputs && !prints)
        return op_complain(r, ZTL_EXIT_USAGE, "", "no output file (-o)");
    return check_either(r);
}
