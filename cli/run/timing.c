/* SPDX-License-Identifier: Apache-2.0
 * ztl run --timing: cycles on a machine; and the regions of --timing and --stats.
 */
#include <stdlib.h>

#include "cli/run/run.h"

struct run_timing {
    ztl_timing_machine machine;
    ztl_timing *timing; /* NULL without --timing */
    ztl_regions *regions;
    struct run_timeline *timeline; /* NULL without --timeline */
    char name[128];                /* of the region of --from and --to */
};

bool run_timing_check(const run_options *options)
{
    ztl_error error;
    ztl_timing_machine machine;
    if (options->timing && !ztl_timing_parse(options->timing, &machine, &error))
        run_complain("--timing: %s", error.text);
    else if ((options->from || options->to) && !options->timing && !options->stats)
        run_complain("%s needs --timing or --stats", options->from ? "--from" : "--to");
    else
        return run_timeline_check(options);
    return false;
}

static void region_changed(void *context, const char *name, bool entered, uint64_t time)
{
    (void)time;
    run_timeline_region(context, name, entered);
}

static bool find_places(const run *r, ztl_regions_config *config)
{
    const run_options *options = r->options;
    config->has_from = options->from;
    config->has_to = options->to;
    return (!options->from || run_find_place(r->program, "--from", options->from, &config->from)) &&
           (!options->to || run_find_place(r->program, "--to", options->to, &config->to));
}

/* The regions come first: they look at the counts before an instruction is in them. */
static bool prepare_regions(run *r, struct run_timing *t)
{
    ztl_regions_config config = {.stats = r->options->stats ? &r->stats : NULL,
                                 .timing = t->timing,
                                 .name = t->name,
                                 .context = t->timeline,
                                 .changed = t->timeline ? region_changed : NULL};
    snprintf(t->name, sizeof t->name, "%s..%s", r->options->from ? r->options->from : "",
             r->options->to ? r->options->to : "");
    if (!find_places(r, &config))
        return false;
    if (!(t->regions = ztl_regions_create(&config))) {
        run_complain("no memory");
        return false;
    }
    r->observers[r->observer_count++] = ztl_regions_observer(t->regions);
    return true;
}

bool run_timing_prepare(run *r)
{
    const run_options *options = r->options;
    if (options->engine || (!options->timing && !options->stats))
        return true;
    struct run_timing *t = r->timing = calloc(1, sizeof *t);
    if (t && options->timing && ztl_timing_parse(options->timing, &t->machine, NULL))
        t->timing = ztl_timing_create(&t->machine);
    if (t && t->timing && options->timeline)
        t->timeline = run_timeline_create(r, &t->machine, t->timing);
    if (!t || (options->timing && !t->timing) || (options->timeline && !t->timeline)) {
        run_complain("no memory");
        return false;
    }
    if (!prepare_regions(r, t))
        return false;
    if (t->timing) {
        ztl_clock clock = ztl_timing_clock(t->timing);
        ztl_hart_set_clock(r->hart, &clock);
        r->observers[r->observer_count++] = ztl_timing_observer(t->timing);
    }
    return true;
}

/* The region of --from and --to, which may never have begun. */
static void check_entered(const run *r, const struct run_timing *t)
{
    const ztl_region *region;
    if (!r->options->from)
        return;
    for (size_t i = 0; (region = ztl_regions_at(t->regions, i)); i++)
        if (region->by_address)
            return;
    run_complain("--from %s: the program did not come there", r->options->from);
}

bool run_timing_conclude(const run *r)
{
    const struct run_timing *t = r->timing;
    if (!t)
        return true;
    ztl_regions_finish(t->regions);
    check_entered(r, t);
    if (t->timing && ztl_timing_failed(t->timing)) {
        run_complain("--timing: no memory");
        return false;
    }
    return !t->timeline || run_timeline_complete(t->timeline);
}

const struct run_timeline *run_timing_timeline(const run *r)
{
    return r->timing ? r->timing->timeline : NULL;
}

void run_timing_report(const run *r)
{
    const struct run_timing *t = r->timing;
    FILE *out = stderr;
    if (!r->options->timing || (r->options->stats && r->options->json))
        return;
    ztl_timing_counts counts = ztl_timing_result(t->timing);
    if (r->options->json) {
        ztl_timing_print_json(&t->machine, &counts, t->regions, 0, out);
        fputc('\n', out);
    } else {
        ztl_timing_print(&t->machine, &counts, out);
        ztl_regions_print(t->regions, &t->machine, out);
    }
}

void run_timing_regions(const run *r, FILE *out)
{
    if (!r->timing->timing) /* else with cycles, in the report of --timing */
        ztl_regions_print(r->timing->regions, NULL, out);
}

void run_timing_members(const run *r, FILE *out)
{
    const struct run_timing *t = r->timing;
    if (!t->timing) {
        fputs(",\n  \"regions\": ", out);
        ztl_regions_print_json(t->regions, NULL, 2, out);
        return;
    }
    ztl_timing_counts counts = ztl_timing_result(t->timing);
    fputs(",\n  \"timing\": ", out);
    ztl_timing_print_json(&t->machine, &counts, t->regions, 2, out);
}

void run_timing_clean_up(run *r)
{
    if (!r->timing)
        return;
    ztl_regions_destroy(r->timing->regions);
    run_timeline_destroy(r->timing->timeline);
    ztl_timing_destroy(r->timing->timing);
    free(r->timing);
}
