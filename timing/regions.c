/* SPDX-License-Identifier: Apache-2.0
 * Parts of a run: what the counts were when a part was entered is taken off what they are when it
 * is left.
 */
#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

/* include/ztl/region.h */
enum { MARK_MASK = 0xfff07fff, MARK_BEGIN = 0x7a102013, MARK_END = 0x7a202013 };
enum { DEEPEST = 64, NAME = sizeof((ztl_region *)0)->name };

typedef struct snapshot {
    ztl_stats stats;
    ztl_timing_counts counts;
    uint64_t time;
} snapshot;

typedef struct visit {
    size_t region;
    bool by_address;
    bool again; /* inside another visit of the same region, which counts for both */
    snapshot before;
    uint64_t latest; /* result of what was issued in it */
} visit;

typedef struct entry {
    ztl_region region;
    uint64_t until; /* the end of its visits so far */
} entry;

struct ztl_regions {
    ztl_regions_config config;
    entry *entry;
    size_t count;
    visit open[DEEPEST];
    size_t depth, too_deep;
    bool entering; /* a mark was met: the next instruction is the first inside */
    char name[NAME], place_name[NAME];
    bool started;
    uint64_t issued; /* Ztl instructions whose results the visits know */
};

/* Names stand in JSON without escapes. */
static void make_plain(char *name)
{
    for (; *name; name++)
        if (*name < ' ' || *name > '~' || *name == '"' || *name == '\\')
            *name = '?';
}

ztl_regions *ztl_regions_create(const ztl_regions_config *config)
{
    ztl_regions *regions = calloc(1, sizeof *regions);
    if (!regions)
        return NULL;
    regions->config = *config;
    snprintf(regions->place_name, NAME, "%s", config->name ? config->name : "");
    make_plain(regions->place_name);
    return regions;
}

void ztl_regions_destroy(ztl_regions *regions)
{
    if (!regions)
        return;
    free(regions->entry);
    free(regions);
}

static void take_snapshot(const ztl_regions *regions, uint64_t pc, snapshot *now)
{
    const ztl_timing *timing = regions->config.timing;
    memset(now, 0, sizeof *now);
    if (regions->config.stats)
        now->stats = *regions->config.stats;
    if (!timing)
        return;
    now->counts = ztl_timing_result(timing);
    now->time = ztl_timing_now(timing, pc);
    now->counts.issuing += now->time - now->counts.hart; /* a jump that is not counted yet */
    now->counts.hart = now->time;
}

/* Adds after − before, all of whose members are 64 bits wide. */
static void add_difference(void *sum, const void *before, const void *after, size_t size)
{
    uint64_t *to = sum;
    const uint64_t *b = before, *a = after;
    for (size_t i = 0; i < size / sizeof *to; i++)
        to[i] += a[i] - b[i];
}

static bool find_region(ztl_regions *regions, const char *name, size_t *index)
{
    for (*index = 0; *index < regions->count; ++*index)
        if (!strcmp(regions->entry[*index].region.name, name))
            return true;
    entry *grown = realloc(regions->entry, (regions->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    regions->entry = grown;
    ztl_region *region = &grown[regions->count].region;
    grown[regions->count++] = (entry){.until = 0};
    snprintf(region->name, sizeof region->name, "%s", name);
    return true;
}

static void tell(const ztl_regions *regions, const char *name, bool entered, uint64_t time)
{
    if (regions->config.changed)
        regions->config.changed(regions->config.context, name, entered, time);
}

static bool is_open(const ztl_regions *regions, size_t region)
{
    for (size_t i = 0; i < regions->depth; i++)
        if (regions->open[i].region == region)
            return true;
    return false;
}

static void enter(ztl_regions *regions, const char *name, bool by_address, uint64_t pc)
{
    visit *new = &regions->open[regions->depth];
    if (regions->depth == DEEPEST || !find_region(regions, name, &new->region)) {
        regions->too_deep++;
        return;
    }
    new->by_address = by_address;
    regions->entry[new->region].region.by_address |= by_address;
    new->again = is_open(regions, new->region);
    new->latest = 0;
    take_snapshot(regions, pc, &new->before);
    regions->depth++;
    tell(regions, regions->entry[new->region].region.name, true, new->before.time);
}

/* Visits may overlap: the results of one come when the next has begun. A cycle counts once. */
static void count_visit(entry *e, const visit *old, snapshot *now)
{
    uint64_t from = old->before.time > e->until ? old->before.time : e->until;
    uint64_t to = now->time > old->latest ? now->time : old->latest;
    now->counts.cycles = old->before.counts.cycles + (to > from ? to - from : 0);
    e->until = to > e->until ? to : e->until;
    add_difference(&e->region.stats, &old->before.stats, &now->stats, sizeof now->stats);
    add_difference(&e->region.counts, &old->before.counts, &now->counts, sizeof now->counts);
}

static void leave(ztl_regions *regions, size_t index, uint64_t pc)
{
    visit *old = &regions->open[index];
    entry *e = &regions->entry[old->region];
    snapshot now;
    take_snapshot(regions, pc, &now);
    uint64_t time = now.time;
    if (!old->again)
        count_visit(e, old, &now);
    e->region.visits++;
    regions->depth--;
    memmove(old, old + 1, (regions->depth - index) * sizeof *old);
    tell(regions, e->region.name, false, time);
}

/* The visit entered last, by a mark or by its address. */
static bool find_visit(const ztl_regions *regions, bool by_address, size_t *index)
{
    for (*index = regions->depth; (*index)-- > 0;)
        if (regions->open[*index].by_address == by_address)
            return true;
    return false;
}

static void leave_marked(ztl_regions *regions, uint64_t pc)
{
    size_t index;
    if (regions->too_deep)
        regions->too_deep--;
    else if (find_visit(regions, false, &index))
        leave(regions, index, pc);
}

/* The region that addresses give; one that is left where it starts is entered again. */
static void watch_addresses(ztl_regions *regions, uint64_t pc)
{
    const ztl_regions_config *config = &regions->config;
    size_t index;
    if (!config->has_from && !config->has_to)
        return;
    bool starts = config->has_from ? pc == config->from : !regions->started;
    if (config->has_to && pc == config->to && find_visit(regions, true, &index))
        leave(regions, index, pc);
    if (starts && !find_visit(regions, true, &index))
        enter(regions, regions->place_name, true, pc);
}

static void read_name(const ztl_hart *hart, uint64_t address, char name[NAME])
{
    memset(name, 0, NAME);
    ztl_hart_read_memory(hart, address, name, NAME - 1);
    make_plain(name);
}

/* Results of what was issued since the last look belong to all that is open. */
static void follow_results(ztl_regions *regions)
{
    const ztl_timing *timing = regions->config.timing;
    if (!timing || timing->counts.ztl_instructions == regions->issued)
        return;
    regions->issued = timing->counts.ztl_instructions;
    for (size_t i = 0; i < regions->depth; i++)
        if (regions->open[i].latest < timing->last_done)
            regions->open[i].latest = timing->last_done;
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    ztl_regions *regions = context;
    follow_results(regions);
    if (regions->entering)
        enter(regions, regions->name, false, event->pc);
    regions->entering = false;
    watch_addresses(regions, event->pc);
    regions->started = true;
    uint32_t mark = event->word & MARK_MASK;
    if (mark == MARK_END) {
        leave_marked(regions, event->pc);
    } else if (mark == MARK_BEGIN) {
        regions->entering = true;
        read_name(hart, ztl_hart_x(hart, event->word >> 15 & 31), regions->name);
    }
}

ztl_observer ztl_regions_observer(ztl_regions *regions)
{
    return (ztl_observer){regions, happened};
}

void ztl_regions_finish(ztl_regions *regions)
{
    follow_results(regions);
    uint64_t pc = regions->config.timing ? regions->config.timing->reader.next : 0;
    while (regions->depth)
        leave(regions, regions->depth - 1, pc);
}

const ztl_region *ztl_regions_at(const ztl_regions *regions, size_t index)
{
    return index < regions->count ? &regions->entry[index].region : NULL;
}
