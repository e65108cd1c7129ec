/* SPDX-License-Identifier: Apache-2.0
 * The counts of ztl run, for people and as JSON, and its closing line.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/fold.h"
#include "cli/run/run.h"

static double per_second(const run *r)
{
    return r->seconds > 0 ? (double)ztl_hart_retired(r->hart) / r->seconds : 0;
}

/* 1,234,567 */
static const char *grouped(uint64_t value, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *at = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

static void print_row(FILE *out, const char *name, uint64_t count)
{
    char text[32];
    if (count)
        fprintf(out, "  %-28s %18s\n", name, grouped(count, text));
}

static void print_text(const run *r, FILE *out)
{
    const ztl_stats *stats = &r->stats;
    print_row(out, "instructions", ztl_hart_retired(r->hart));
    for (unsigned i = 0; i < ZTL_CLASS_COUNT; i++)
        print_row(out, ztl_class_name((enum ztl_class)i), stats->by_class[i]);
    print_row(out, "of 16 bits", stats->compressed);
    for (size_t i = 0; i < ZTL_INSNS; i++)
        print_row(out, ztl_isa_insn(i)->mnemonic, stats->by_insn[i]);
    print_row(out, "bytes loaded", stats->loaded);
    print_row(out, "bytes stored", stats->stored);
    print_row(out, "bytes loaded by Ztl", stats->ztl_loaded);
    print_row(out, "bytes stored by Ztl", stats->ztl_stored);
    for (unsigned i = 0; i < ZTL_STATS_CAUSES; i++)
        print_row(out, ztl_hart_cause_name(i, false), stats->exceptions[i]);
    print_row(out, "interrupts", stats->interrupts);
    fprintf(out, "  %-28s %18.6f s\n", "time", r->seconds);
    fprintf(out, "  %-28s %18.3f M/s\n", "speed", per_second(r) / 1e6);
    run_timing_regions(r, out);
}

/* An object of named counts, those that are not 0. */
typedef struct object {
    FILE *out;
    bool any;
} object;

static object begin(FILE *out, const char *name)
{
    fprintf(out, ",\n  \"%s\": {", name);
    return (object){out, false};
}

static void add(object *o, const char *name, uint64_t count)
{
    if (!count)
        return;
    fprintf(o->out, "%s\"%s\": %" PRIu64, o->any ? ", " : "", name, count);
    o->any = true;
}

static void finish(object *o)
{
    fputc('}', o->out);
}

static void print_json(const run *r, const run_end *end, FILE *out)
{
    const ztl_stats *stats = &r->stats;
    fprintf(out, "{\n  \"instructions\": %" PRIu64, ztl_hart_retired(r->hart));
    object classes = begin(out, "classes");
    for (unsigned i = 0; i < ZTL_CLASS_COUNT; i++)
        add(&classes, ztl_class_name((enum ztl_class)i), stats->by_class[i]);
    finish(&classes);
    fprintf(out, ",\n  \"compressed\": %" PRIu64, stats->compressed);
    object insns = begin(out, "ztl");
    for (size_t i = 0; i < ZTL_INSNS; i++)
        add(&insns, ztl_isa_insn(i)->mnemonic, stats->by_insn[i]);
    finish(&insns);
    fprintf(out,
            ",\n  \"bytes\": {\"loaded\": %" PRIu64 ", \"stored\": %" PRIu64
            ", \"ztl_loaded\": %" PRIu64 ", \"ztl_stored\": %" PRIu64 "}",
            stats->loaded, stats->stored, stats->ztl_loaded, stats->ztl_stored);
    object traps = begin(out, "exceptions");
    for (unsigned i = 0; i < ZTL_STATS_CAUSES; i++)
        add(&traps, ztl_hart_cause_name(i, false), stats->exceptions[i]);
    finish(&traps);
    fprintf(out,
            ",\n  \"interrupts\": %" PRIu64 ",\n  \"exit_status\": %d,\n  \"seconds\": %.6f,\n"
            "  \"instructions_per_second\": %.0f",
            stats->interrupts, run_exit_status(end), r->seconds, per_second(r));
    run_timing_members(r, out);
    fputs("\n}\n", out);
}

void run_print_stats(const run *r, const run_end *end, FILE *out)
{
    if (r->options->json)
        print_json(r, end, out);
    else
        print_text(r, out);
}

void run_report_summary(const run *r)
{
    const ztl_stats *stats = &r->stats;
    char count[32], ztl[32], loaded[32], stored[32], bytes[96] = "", text[256];
    if (!isatty(STDERR_FILENO))
        return;
    if (r->options->stats)
        snprintf(bytes, sizeof bytes, ", %s bytes loaded, %s stored",
                 grouped(stats->loaded + stats->ztl_loaded, loaded),
                 grouped(stats->stored + stats->ztl_stored, stored));
    snprintf(text, sizeof text, "%s instructions, of them %s Ztl%s, %.3f s, %.1f million/s",
             grouped(ztl_hart_retired(r->hart), count), grouped(ztl_hart_ztl_retired(r->hart), ztl),
             bytes, r->seconds, per_second(r) / 1e6);
    fputs("ztl run: ", stderr);
    ztl_fold_print(stderr, strlen("ztl run: "), 2, text);
}
