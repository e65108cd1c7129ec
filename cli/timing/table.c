/* SPDX-License-Identifier: Apache-2.0
 * The results of a sweep as a table, as CSV and as JSON.
 */
#include <inttypes.h>

#include "cli/timing/timing.h"

static double per_bound(const timing_sweep *sweep, size_t i, uint64_t *bound, const char **name)
{
    *bound = ztl_timing_bound(&sweep->machines[i], &sweep->counts[i], name);
    return *bound ? (double)sweep->counts[i].cycles / (double)*bound : 0;
}

static uint64_t least_cycles(const timing_sweep *sweep)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->counts[i].cycles < least)
            least = sweep->counts[i].cycles;
    return least;
}

void timing_print_table(const timing_sweep *sweep, FILE *out)
{
    const char *busiest;
    uint64_t bound, least = least_cycles(sweep);
    char text[TIMING_ERROR];
    ztl_timing_describe(&sweep->base, text, sizeof text);
    fprintf(out, "machine: %s\n", text);
    for (size_t k = 0; k < sweep->axes; k++)
        fprintf(out, "%-13s ", sweep->axis[k].name);
    fprintf(out, "%13s %8s %7s\n", "cycles", "/ bound", "/ best");
    for (size_t i = 0; i < sweep->count; i++) {
        for (size_t k = 0; k < sweep->axes; k++)
            fprintf(out, "%-13s ", sweep->axis[k].value[timing_index(sweep, i, k)]);
        double ratio = per_bound(sweep, i, &bound, &busiest);
        uint64_t cycles = sweep->counts[i].cycles;
        fprintf(out, "%13" PRIu64, cycles);
        if (bound)
            fprintf(out, " %8.3f", ratio);
        else
            fprintf(out, " %8s", "-");
        fprintf(out, " %7.3f\n", least ? (double)cycles / (double)least : 1);
    }
}

void timing_print_csv(const timing_sweep *sweep, FILE *out)
{
    const char *busiest;
    uint64_t bound;
    for (size_t k = 0; k < sweep->axes; k++)
        fprintf(out, "%s,", sweep->axis[k].name);
    fputs("cycles,bound,bound_by,instructions,issuing,wait_queue,wait_memory,wait_drain\n", out);
    for (size_t i = 0; i < sweep->count; i++) {
        const ztl_timing_counts *c = &sweep->counts[i];
        for (size_t k = 0; k < sweep->axes; k++)
            fprintf(out, "%s,", sweep->axis[k].value[timing_index(sweep, i, k)]);
        per_bound(sweep, i, &bound, &busiest);
        fprintf(out,
                "%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%" PRIu64 "\n",
                c->cycles, bound, busiest, c->instructions, c->issuing, c->wait_queue,
                c->wait_memory, c->wait_drain);
    }
}

void timing_print_json(const timing_sweep *sweep, FILE *out)
{
    fputc('[', out);
    for (size_t i = 0; i < sweep->count; i++) {
        fputs(i ? ",\n " : "\n ", out);
        ztl_timing_print_json(&sweep->machines[i], &sweep->counts[i], NULL, 1, out);
    }
    fputs("\n]\n", out);
}
