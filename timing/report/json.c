/* SPDX-License-Identifier: Apache-2.0
 * What a run took, as JSON.
 */
#include "timing/report/report.h"

#include <inttypes.h>

enum { TEXT = 512 };

static const char *const cause_keys[] = {
#define CAUSE(ID, key, words) key,
    ZTL_TIMING_CAUSES(CAUSE)
#undef CAUSE
};

static void print_unit_json(const char *name, const ztl_timing_unit *unit, uint64_t cycles,
                            bool is_engine, FILE *out)
{
    fprintf(out,
            "{\"name\": \"%s\", \"instructions\": %" PRIu64 ", \"busy\": %" PRIu64
            ", \"share\": %.6f",
            name, unit->instructions, unit->busy, timing_share(unit->busy, cycles));
    if (is_engine) {
        fputs(", \"idle\": {", out);
        for (size_t i = 0; i < TIMING_IDLE_CAUSES; i++)
            fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", cause_keys[ztl_timing_idle[i]],
                    unit->idle[ztl_timing_idle[i]]);
        fputc('}', out);
    }
    fputc('}', out);
}

static void print_units_json(const ztl_timing_machine *machine, const ztl_timing_counts *counts,
                             bool engines, int indent, FILE *out)
{
    const char *name;
    fprintf(out, ",\n%*s\"%s\": [", indent, "", engines ? "engines" : "ports");
    for (size_t i = 0;
         (name = engines ? ztl_timing_engine_name(machine, i) : ztl_timing_port_name(machine, i));
         i++) {
        fprintf(out, "%s\n%*s", i ? "," : "", indent + 2, "");
        print_unit_json(name, engines ? &counts->engine[i] : &counts->port[i], counts->cycles,
                        engines, out);
    }
    fputc(']', out);
}

static void print_parameters_json(const ztl_timing_machine *machine, FILE *out)
{
    char value[16];
    ztl_timing_parameter parameter;
    for (size_t i = 0; (parameter = ztl_timing_parameter_of(i)).name; i++) {
        ztl_timing_value(machine, i, value);
        const char *quote = *value >= '0' && *value <= '9' ? "" : "\"";
        fprintf(out, "%s\"%s\": %s%s%s", i ? ", " : "", parameter.name, quote, value, quote);
    }
}

static void print_bytes_json(const ztl_stats *stats, FILE *out)
{
    fprintf(out,
            ", \"bytes\": {\"loaded\": %" PRIu64 ", \"stored\": %" PRIu64
            ", \"ztl_loaded\": %" PRIu64 ", \"ztl_stored\": %" PRIu64 "}",
            stats->loaded, stats->stored, stats->ztl_loaded, stats->ztl_stored);
}

void ztl_regions_print_json(const ztl_regions *regions, const ztl_timing_machine *machine,
                            unsigned indent, FILE *out)
{
    const ztl_region *region;
    fputc('[', out);
    for (size_t i = 0; (region = ztl_regions_at(regions, i)); i++) {
        fprintf(out,
                "%s\n%*s{\"name\": \"%s\", \"visits\": %" PRIu64 ", \"instructions\": %" PRIu64
                ", \"ztl_instructions\": %" PRIu64,
                i ? "," : "", (int)indent + 2, "", region->name, region->visits,
                ztl_region_instructions(region), ztl_region_ztl_instructions(region));
        if (region->stats.by_class[ZTL_CLASS_ALU] + region->stats.by_class[ZTL_CLASS_ZTL])
            print_bytes_json(&region->stats, out);
        if (machine) {
            fputs(", \"timing\": ", out);
            ztl_timing_print_json(machine, &region->counts, NULL, indent + 2, out);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

void ztl_timing_print_json(const ztl_timing_machine *machine, const ztl_timing_counts *counts,
                           const ztl_regions *regions, unsigned indent, FILE *out)
{
    const char *busiest;
    char text[TEXT];
    int in = (int)indent + 2;
    uint64_t bound = ztl_timing_bound(machine, counts, &busiest);
    ztl_timing_describe(machine, text, sizeof text);
    fprintf(out, "{\n%*s\"machine\": \"%s\",\n%*s\"parameters\": {", in, "", text, in, "");
    print_parameters_json(machine, out);
    fprintf(out,
            "},\n%*s\"cycles\": %" PRIu64 ", \"instructions\": %" PRIu64
            ", \"ztl_instructions\": %" PRIu64 ", \"traps\": %" PRIu64 ",\n%*s\"bound\": %" PRIu64
            ", \"bound_by\": \"%s\", \"cycles_per_bound\": ",
            in, "", counts->cycles, counts->instructions, counts->ztl_instructions, counts->traps,
            in, "", bound, busiest);
    fprintf(out, bound ? "%.6f" : "null", timing_share(counts->cycles, bound));
    fprintf(out,
            ",\n%*s\"hart\": {\"cycles\": %" PRIu64 ", \"issuing\": %" PRIu64
            ", \"queue\": %" PRIu64 ", \"memory\": %" PRIu64 ", \"drain\": %" PRIu64 "}",
            in, "", counts->hart, counts->issuing, counts->wait_queue, counts->wait_memory,
            counts->wait_drain);
    print_units_json(machine, counts, true, in, out);
    print_units_json(machine, counts, false, in, out);
    if (regions) {
        fprintf(out, ",\n%*s\"regions\": ", in, "");
        ztl_regions_print_json(regions, machine, (unsigned)in, out);
    }
    fprintf(out, "\n%*s}", (int)indent, "");
}
