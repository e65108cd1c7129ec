/* SPDX-License-Identifier: Apache-2.0
 * What a run took, for people and as JSON.
 */
#include "timing/report/report.h"

#include <inttypes.h>
#include <string.h>

enum { BAR = 20, TEXT = 512, WIDTH = 80, NAME = 20 };

/* The causes that leave an engine idle, in the order of the report. */
const enum ztl_timing_cause ztl_timing_idle[TIMING_IDLE_CAUSES] = {
    ZTL_TIMING_ISSUE, ZTL_TIMING_RAW, ZTL_TIMING_WAR, ZTL_TIMING_PORT, ZTL_TIMING_MEMORY};

const char *ztl_timing_engine_name(const ztl_timing_machine *machine, size_t index)
{
    static const char *const names[] = {"load engine", "comp engine", "store engine",
                                        "reshape engine"};
    if (machine->engines_count == 1)
        return index == 0 ? "engine" : NULL;
    return index < ZTL_TIMING_ENGINES ? names[index] : NULL;
}

const char *ztl_timing_port_name(const ztl_timing_machine *machine, size_t index)
{
    static const char *const names[] = {"load port", "store port"};
    if (machine->ports_shared)
        return index == 0 ? "port" : NULL;
    return index < ZTL_TIMING_PORTS ? names[index] : NULL;
}

uint64_t ztl_timing_bound(const ztl_timing_machine *machine, const ztl_timing_counts *counts,
                          const char **name)
{
    const char *busiest = "", *unit;
    uint64_t bound = 0;
    for (size_t p = 0; (unit = ztl_timing_port_name(machine, p)); p++)
        if (counts->port[p].busy > bound)
            bound = counts->port[p].busy, busiest = unit;
    for (size_t e = 0; (unit = ztl_timing_engine_name(machine, e)); e++)
        if (counts->engine[e].busy > bound)
            bound = counts->engine[e].busy, busiest = unit;
    if (name)
        *name = busiest;
    return bound;
}

uint64_t ztl_timing_floor(const ztl_timing_machine *machine, uint64_t bytes_in, uint64_t bytes_out)
{
    uint64_t in = (bytes_in + machine->l1m_bytes - 1) / machine->l1m_bytes;
    uint64_t out = (bytes_out + machine->l0m_bytes - 1) / machine->l0m_bytes;
    return in > out ? in : out;
}

static void print_unit(const char *name, const ztl_timing_unit *unit, uint64_t cycles, FILE *out)
{
    double part = timing_share(unit->busy, cycles);
    int full = (int)(part * BAR + 0.5);
    fprintf(out, "  %-14s %12" PRIu64 " %14" PRIu64 " %7.1f%%  ", name, unit->instructions,
            unit->busy, 100 * part);
    for (int i = 0; i < BAR; i++)
        fputc(i < full ? '#' : '.', out);
    fputc('\n', out);
}

static void print_idle(const char *name, const ztl_timing_unit *unit, FILE *out)
{
    if (!unit->instructions)
        return;
    fprintf(out, "  %-14s", name);
    for (size_t i = 0; i < TIMING_IDLE_CAUSES; i++)
        fprintf(out, " %11" PRIu64, unit->idle[ztl_timing_idle[i]]);
    fputc('\n', out);
}

static void print_hart(const ztl_timing_counts *counts, FILE *out)
{
    const struct {
        const char *name;
        uint64_t cycles;
    } rows[] = {{"issuing", counts->issuing},
                {"waiting for a queue", counts->wait_queue},
                {"waiting for memory", counts->wait_memory},
                {"waiting for the drain", counts->wait_drain},
                {"after the last", counts->cycles - counts->hart}};
    fprintf(out, "\n  %-27s %14s %8s\n", "the hart", "cycles", "share");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        fprintf(out, "  %-27s %14" PRIu64 " %7.1f%%\n", rows[i].name, rows[i].cycles,
                100 * timing_share(rows[i].cycles, counts->cycles));
}

/* A line that is broken at commas before column 80. */
static void print_machine(const ztl_timing_machine *machine, FILE *out)
{
    enum { INDENT = 11 };
    char text[TEXT];
    ztl_timing_describe(machine, text, sizeof text);
    size_t column = INDENT;
    fprintf(out, "  machine: ");
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        length += at[length] == ',';
        if (column + length >= WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
        }
        fprintf(out, "%.*s", (int)length, at);
        column += length;
        at += length;
    }
    fputc('\n', out);
}

void ztl_timing_print(const ztl_timing_machine *machine, const ztl_timing_counts *counts, FILE *out)
{
    const char *name, *busiest;
    uint64_t bound = ztl_timing_bound(machine, counts, &busiest);
    print_machine(machine, out);
    fprintf(out, "  %-27s %14" PRIu64 "\n", "cycles", counts->cycles);
    fprintf(out, "  %-27s %14" PRIu64 "\n", "instructions", counts->instructions);
    fprintf(out, "  %-27s %14" PRIu64 "\n", "of them Ztl", counts->ztl_instructions);
    if (bound) {
        char label[32];
        snprintf(label, sizeof label, "bound, %s", busiest);
        fprintf(out, "  %-27s %14" PRIu64 "  cycles / bound %.3f\n", label, bound,
                timing_share(counts->cycles, bound));
    }
    fprintf(out, "\n  %-14s %12s %14s %8s\n", "", "instructions", "busy cycles", "share");
    for (size_t e = 0; (name = ztl_timing_engine_name(machine, e)); e++)
        print_unit(name, &counts->engine[e], counts->cycles, out);
    for (size_t p = 0; (name = ztl_timing_port_name(machine, p)); p++)
        print_unit(name, &counts->port[p], counts->cycles, out);
    fprintf(out, "\n  %-14s %11s %11s %11s %11s %11s\n", "idle cycles", "none issued", "RAW",
            "WAR, WAW", "port", "memory");
    for (size_t e = 0; (name = ztl_timing_engine_name(machine, e)); e++)
        print_idle(name, &counts->engine[e], out);
    print_hart(counts, out);
}

uint64_t ztl_region_instructions(const ztl_region *region)
{
    uint64_t count = 0;
    if (region->counts.instructions)
        return region->counts.instructions;
    for (size_t i = 0; i < ZTL_CLASS_COUNT; i++)
        count += region->stats.by_class[i];
    return count;
}

uint64_t ztl_region_ztl_instructions(const ztl_region *region)
{
    return region->counts.instructions ? region->counts.ztl_instructions
                                       : region->stats.by_class[ZTL_CLASS_ZTL];
}

/* The engine that stood still most, waiting for another instruction, and for what; below the row
 * where there is no room behind its `column`. */
static void print_wait(const ztl_timing_machine *machine, const ztl_timing_counts *counts,
                       int column, FILE *out)
{
    static const char *const causes[] = {"", "RAW", "WAR, WAW", "port", "memory"};
    const char *name, *engine = NULL, *cause = NULL;
    uint64_t most = 0;
    for (size_t e = 0; (name = ztl_timing_engine_name(machine, e)); e++)
        for (size_t i = 1; i < TIMING_IDLE_CAUSES; i++) /* all but "none issued" */
            if (counts->engine[e].idle[ztl_timing_idle[i]] > most) {
                most = counts->engine[e].idle[ztl_timing_idle[i]];
                engine = name;
                cause = causes[i];
            }
    char text[80];
    if (!engine)
        return;
    int length = snprintf(text, sizeof text, "  %s, %s: %" PRIu64, engine, cause, most);
    if (column + length > WIDTH)
        fprintf(out, "\n%*s", NAME + 2, "");
    fputs(text, out);
}

/* A long name has a line for itself. */
static void print_name(const char *name, FILE *out)
{
    fprintf(out, "  %-*s", NAME, name);
    if (strlen(name) > NAME)
        fprintf(out, "\n  %*s", NAME, "");
}

/* What keeps each region from being faster. */
static void print_bounds(const ztl_regions *regions, const ztl_timing_machine *machine, FILE *out)
{
    const ztl_region *region;
    bool has_title = false;
    for (size_t i = 0; (region = ztl_regions_at(regions, i)); i++) {
        const char *busiest;
        uint64_t bound = ztl_timing_bound(machine, &region->counts, &busiest);
        if (!bound)
            continue;
        if (!has_title)
            fprintf(out, "\n  %-*s %-14s %6s %6s  %s\n", NAME, "region", "bound by", "busy", "hart",
                    "waited most: cycles");
        has_title = true;
        /* A hart that issues all the time leaves its engines idle, and no wait tells of it. */
        print_name(region->name, out);
        int length = fprintf(out, " %-14s %5.1f%% %5.1f%%", busiest,
                             100 * timing_share(bound, region->counts.cycles),
                             100 * timing_share(region->counts.issuing, region->counts.cycles));
        print_wait(machine, &region->counts, NAME + 2 + length, out);
        fputc('\n', out);
    }
}

void ztl_regions_print(const ztl_regions *regions, const ztl_timing_machine *machine, FILE *out)
{
    const ztl_region *region = ztl_regions_at(regions, 0);
    if (!region)
        return;
    fprintf(out, "\n  %-*s %9s %13s %9s", NAME, "region", "visits", "instructions", "Ztl");
    fprintf(out, machine ? " %13s %8s\n" : "\n", "cycles", "/ bound");
    for (size_t i = 0; (region = ztl_regions_at(regions, i)); i++) {
        print_name(region->name, out);
        fprintf(out, " %9" PRIu64 " %13" PRIu64 " %9" PRIu64, region->visits,
                ztl_region_instructions(region), ztl_region_ztl_instructions(region));
        uint64_t bound = machine ? ztl_timing_bound(machine, &region->counts, NULL) : 0;
        if (machine)
            fprintf(out, " %13" PRIu64, region->counts.cycles);
        if (bound)
            fprintf(out, " %8.3f", timing_share(region->counts.cycles, bound));
        fputc('\n', out);
    }
    if (machine)
        print_bounds(regions, machine, out);
}
