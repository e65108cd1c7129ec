/* SPDX-License-Identifier: Apache-2.0
 * The cycles of a plan on the simulated hart.
 */
#include "cli/op/output/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/command/message.h"
#include "host/error.h"

bool ztl_op_timing_is_on(const ztl_op_timing *t)
{
    return t->machine_text || t->recording;
}

static bool check_timeline(const ztl_op_timing *t, ztl_error *error)
{
    enum ztl_timeline_format format;
    uint64_t from, to;
    int length = 0;
    if (t->timeline_path && !t->machine_text)
        ztl_fail(error, "--timeline needs --timing");
    else if (t->window && !t->timeline_path)
        ztl_fail(error, "--window needs --timeline");
    else if (t->timeline_path && !ztl_timeline_format_of(t->timeline_path, &format))
        ztl_fail(error, "--timeline %s: the name must end in .json, .kanata, .svg, .html or .txt",
                 t->timeline_path);
    else if (t->window &&
             (sscanf(t->window, "%" SCNu64 "..%" SCNu64 "%n", &from, &to, &length) != 2 ||
              t->window[length] || from >= to))
        ztl_fail(error, "--window %s: not FROM..TO in cycles, as 0..400", t->window);
    else
        return true;
    return false;
}

bool ztl_op_timing_check(ztl_op_timing *t, ztl_error *error)
{
    ztl_error why;
    if (!t->machine_text || ztl_timing_parse(t->machine_text, &t->machine, &why))
        return check_timeline(t, error);
    return ztl_fail(error, "--timing: %s", why.text);
}

static bool add_timeline(ztl_op_timing *t, const ztl_hart *hart)
{
    ztl_timeline_config config = {
        .machine = t->machine, .isa = *ztl_hart_isa_of(hart), .to = UINT64_MAX};
    if (t->window)
        sscanf(t->window, "%" SCNu64 "..%" SCNu64, &config.from, &config.to);
    t->timeline = ztl_timeline_create(&config);
    if (!t->timeline)
        return false;
    ztl_timing_sink sink = ztl_timeline_sink(t->timeline);
    ztl_timing_set_sink(t->timing, &sink);
    return true;
}

/* What cannot be made for want of memory stays NULL, and ztl_op_timing_complete tells. */
static void watch(void *context, ztl_hart *hart)
{
    ztl_op_timing *t = context;
    if (t->recording) {
        ztl_observer observer = ztl_recording_observer(t->recording);
        ztl_hart_set_observer(hart, &observer);
    } else if ((t->timing = ztl_timing_create(&t->machine)) &&
               (!t->timeline_path || add_timeline(t, hart))) {
        ztl_timing_attach(t->timing, hart);
    }
}

void ztl_op_timing_watch(ztl_op_timing *t, ops_job *job)
{
    if (!ztl_op_timing_is_on(t))
        return;
    job->watch = watch;
    job->watcher = t;
}

bool ztl_op_timing_complete(const ztl_op_timing *t, ztl_error *error)
{
    bool short_of_memory = t->machine_text && (!t->timing || ztl_timing_failed(t->timing) ||
                                               (t->timeline_path && !t->timeline));
    if (t->recording ? ztl_recording_failed(t->recording) : short_of_memory) {
        return ztl_fail(error, "no memory");
    }
    if (t->timeline && ztl_timeline_is_cut(t->timeline))
        ztl_message("ztl op", "--timeline %s: cut after %d instructions; --window chooses others",
                    t->timeline_path, ZTL_TIMELINE_MOST);
    return true;
}

static uint64_t floor_of(const ztl_op_timing *t, const ztl_ops_plan *plan)
{
    uint64_t in, out;
    ztl_ops_moved_bytes(plan, &in, &out);
    return ztl_timing_floor(&t->machine, in, out);
}

void ztl_op_timing_print(const ztl_op_timing *t, const ztl_ops_plan *plan)
{
    ztl_timing_counts counts = ztl_timing_result(t->timing);
    uint64_t least = floor_of(t, plan);
    if (least)
        printf("  %-27s %14" PRIu64 "  cycles / floor %.3f\n\n", "floor, each byte once", least,
               (double)counts.cycles / (double)least);
    ztl_timing_print(&t->machine, &counts, stdout);
}

void ztl_op_timing_print_json(const ztl_op_timing *t, const ztl_ops_plan *plan)
{
    ztl_timing_counts counts = ztl_timing_result(t->timing);
    printf(", \"floor\": %" PRIu64 ", \"timing\": ", floor_of(t, plan));
    ztl_timing_print_json(&t->machine, &counts, NULL, 1, stdout);
}

static bool print_timeline(FILE *out, const void *context)
{
    const ztl_op_timing *t = context;
    enum ztl_timeline_format format = ZTL_TIMELINE_TEXT;
    ztl_timeline_format_of(t->timeline_path, &format);
    return ztl_timeline_write(t->timeline, format, out);
}

ztl_output ztl_op_timing_output(const ztl_op_timing *t)
{
    return (ztl_output){t->timeline_path, print_timeline, t};
}

void ztl_op_timing_free(ztl_op_timing *t)
{
    ztl_timeline_destroy(t->timeline);
    ztl_timing_destroy(t->timing);
}
