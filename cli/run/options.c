/* SPDX-License-Identifier: Apache-2.0
 * The options of ztl run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "host/command/options.h"
#include "sim/gdb/gdb.h"
#include "host/line.h"
#include "toolchain/compile/job.h"
#include "host/error.h"

static void print_help(void)
{
    puts("usage: ztl run [OPTIONS] FILE... [-- ARGUMENTS]\n\n"
         "Runs an ELF file, or sources in assembly (.s, .S), C (.c) and C++ (.cpp, .cc,\n"
         ".cxx, .C) after building them, and exits with the program's exit status.\n\n"
         "the machine:\n" ZTL_MACHINE_HELP
         "  --engine ENGINE    sim (the default), or qemu: Debian's QEMU with Ztl\n"
         "                     emulated, for bare-metal and Linux programs; a Linux\n"
         "                     program runs with all your rights\n"
         "the program:\n"
         "  -O -D -U -I -l -L -f -m -W -g -std= ...  compiler options for sources\n"
         "                     (default: -g -O2)\n"
         "  --dir DIR          let the program open files below DIR (default: no files)\n"
         "  --env NAME=VALUE   a variable of a Linux program's environment, which is empty\n"
         "                     otherwise, or yours on QEMU; may be repeated\n"
         "  --seed N           of a Linux program's random numbers (default 0)\n"
         "  --clock CLOCK      of a Linux program: insns (the default), a nanosecond with\n"
         "                     each instruction, or host\n"
         "  --entry PLACE      start at a symbol or address instead of the ELF entry\n"
         "  --max-insns N      stop after N instructions, exit status 122\n"
         "  --timeout SECONDS  stop after this time, exit status 124\n"
         "  --gdb PORT|unix:PATH   wait for a debugger, on loopback or at a socket\n"
         "output:\n"
         "  --trace FILE       a line for each instruction, as Spike's commit log; '-' is\n"
         "                     standard output, a name in .gz is compressed\n"
         "  --trace-format F   spike (the default), csv, json, rvvi (RVVI-TEXT), or\n"
         "                     spike-log: exactly what Spike writes, boot lines included\n"
         "  --trace-tl WHAT    of tensor registers: hash (CRC-32, the default) or full\n"
         "  --trace-disasm     also disassemble each instruction\n"
         "  --stats[=FILE]     counts, to standard error or FILE; slows the run down\n"
         "  --json             the counts, and the cycles, as JSON\n"
         "  --timing MACHINE   cycles on a machine: four, kinds, one, wide or a file, with\n"
         "                     parameters as in four,engines.queue=8; 'ztl timing --list'\n"
         "                     explains them\n"
         "  --from PLACE       count also from a symbol or address on, and\n"
         "  --to PLACE         up to one, as a region beside those that the program marks\n"
         "  --timeline FILE    what ran when: .json for Perfetto, .kanata for Konata,\n"
         "                     .svg, .html; '-' is a chart on standard output\n"
         "  --window WHAT      only cycles FROM..TO of it, or the first visit of a region\n"
         "  --registers        the integer registers, those of floating point where it\n"
         "                     is on, and the Ztl CSRs at the end\n"
         "  --dump VIEW        a tensor register at the end, as tl3:4x16x16:int8 or\n"
         "                     tl1+tl2:32x64, or another one: a0, fa0, pc, a CSR, or\n"
         "                     x or f for all of these; may be repeated\n"
         "  --dump-at PLACE    show the last --dump whenever PLACE, a symbol or address,\n"
         "                     is reached, not at the end\n"
         "  --signature FILE   memory from begin_signature to end_signature, in the\n"
         "                     form of riscv-arch-test\n"
         "  --signature-granularity N   bytes a line: 1, 2, 4 (the default), 8 or 16\n\n"
         "examples:\n"
         "  ztl run --stats prog.s\n"
         "  ztl run -O3 -DN=64 main.c kernel.S -lztlops\n"
         "  ztl run --dump tl3:32x32 --trace - prog.c -- first second");
}

static const char *const clocks[] = {"insns", "host", NULL};
static const char *const engines[] = {"sim", "qemu", NULL};
static const char *const contents[] = {"hash", "full", NULL};
static const char *const formats[] = {
    [ZTL_TRACE_SPIKE] = "spike",         [ZTL_TRACE_CSV] = "csv",   [ZTL_TRACE_JSON] = "json",
    [ZTL_TRACE_SPIKE_LOG] = "spike-log", [ZTL_TRACE_RVVI] = "rvvi", NULL};
static const char *const granularities[] = {"1", "2", "4", "8", "16", NULL};

static bool take_count(void *count, const char *text, ztl_error *error)
{
    if (*text != '-' && ztl_line_number(text, count) && *(uint64_t *)count)
        return true;
    return ztl_fail(error, "'%s' is not a number from 1 on", text);
}

static bool take_seconds(void *context, const char *text, ztl_error *error)
{
    enum { LONGEST = 1000000 };
    double *seconds = context;
    char *end;
    *seconds = strtod(text, &end);
    if (*text >= '0' && *text <= '9' && !*end && *seconds > 0 && *seconds <= LONGEST)
        return true;
    return ztl_fail(error, "'%s' is not a number of seconds above 0, up to %d", text, LONGEST);
}

static bool take_view(void *context, const char *text, ztl_error *error)
{
    run_options *options = context;
    ztl_error why;
    if (options->view_count == RUN_MAX_VIEWS)
        ztl_fail(error, "at most %d of them", RUN_MAX_VIEWS);
    else if (!run_view_parse(text, &options->view[options->view_count], &why))
        ztl_fail(error, "%s: %s", text, why.text);
    else
        return ++options->view_count;
    return false;
}

static bool take_variable(void *context, const char *text, ztl_error *error)
{
    run_options *options = context;
    if (*text == '=' || !strchr(text, '='))
        return ztl_fail(error, "'%s' is not NAME=VALUE", text);
    if (options->environment_count == RUN_MAX_ENVIRONMENT)
        return ztl_fail(error, "at most %d of them", RUN_MAX_ENVIRONMENT);
    options->environment[options->environment_count++] = text;
    return true;
}

static bool take_seed(void *context, const char *text, ztl_error *error)
{
    run_options *options = context;
    options->has_seed = true;
    return (*text != '-' && ztl_line_number(text, &options->seed)) ||
           ztl_fail(error, "'%s' is not a number", text);
}

/* Of several views before it, a place is for all that have none yet. */
static bool take_place(void *context, const char *place, ztl_error *error)
{
    run_options *options = context;
    size_t count = options->view_count;
    if (!count || options->view[count - 1].place)
        return ztl_fail(error, "'%s' needs a --dump before it", place);
    while (count && !options->view[count - 1].place)
        options->view[--count].place = place;
    return true;
}

/* Keeps a word for the compiler. No more words are kept than read: they find room in argv. */
static void keep(run_options *options, char **argv, int *at)
{
    options->build[options->build_count++] = argv[(*at)++];
}

static bool take_compiler_option(run_options *options, const ztl_option *table, char **argv,
                                 int *at)
{
    enum run_word kind = run_compiler_option(argv[*at]);
    if (kind == RUN_WORD_UNKNOWN)
        ztl_option_unknown("ztl run", table, argv[*at]);
    else if (kind == RUN_WORD_REFUSED)
        run_complain("'%s': the instruction set is that of --isa", argv[*at]);
    else if (kind == RUN_WORD_WITH_VALUE && !argv[*at + 1])
        run_complain("%s needs a value", argv[*at]);
    else {
        keep(options, argv, at);
        if (kind == RUN_WORD_WITH_VALUE)
            keep(options, argv, at);
        return true;
    }
    return false;
}

static bool take_file(run_options *options, char **argv, int *at)
{
    const char *word = argv[*at];
    if (options->file && !(run_is_part(options->file) && run_is_part(word))) {
        run_complain("'%s' is one file too many; arguments of the program go after --", word);
        return false;
    }
    if (!options->file || (!ztl_is_source(options->file) && ztl_is_source(word)))
        options->file = word;
    keep(options, argv, at);
    return true;
}

/* Takes the word at *at; false after a message. */
static bool take_word(run_options *options, const ztl_option *table, char **argv, int *at)
{
    const char *word = argv[*at];
    enum ztl_option_taken taken = ztl_option_take("ztl run", table, argv, at);
    if (taken != ZTL_OPTION_OTHER)
        return taken == ZTL_OPTION_TAKEN;
    return *word == '-' && word[1] ? take_compiler_option(options, table, argv, at)
                                   : take_file(options, argv, at);
}

/* Takes all words; false when that is all, with the exit status. */
static bool take_words(run_options *o, char **argv, int *status)
{
    unsigned format = o->trace_config.format, full = 0, granularity = 2;
    const char *default_isa = o->machine.config.isa;
    const ztl_option table[] = {
        ZTL_MACHINE_OPTIONS(&o->machine),
        {"--engine", .choice = &o->engine, .choices = engines},
        {"--dir", .text = &o->directory},
        {"--env", .take = take_variable, .context = o},
        {"--seed", .take = take_seed, .context = o},
        {"--clock", .choice = &o->clock, .choices = clocks},
        {"--entry", .text = &o->entry},
        {"--max-insns", .take = take_count, .context = &o->max_insns},
        {"--timeout", .take = take_seconds, .context = &o->timeout},
        {"--gdb", .text = &o->gdb},
        {"--trace", .text = &o->trace},
        {"--trace-format", .choice = &format, .choices = formats},
        {"--trace-tl", .choice = &full, .choices = contents},
        {"--trace-disasm", .flag = &o->trace_config.disassemble},
        {"--stats", .flag = &o->stats, .text = &o->stats_file},
        {"--json", .flag = &o->json},
        {"--timing", .text = &o->timing},
        {"--from", .text = &o->from},
        {"--to", .text = &o->to},
        {"--timeline", .text = &o->timeline},
        {"--window", .text = &o->window},
        {"--registers", .flag = &o->registers},
        {"--dump", .take = take_view, .context = o},
        {"--dump-at", .take = take_place, .context = o},
        {"--signature", .text = &o->signature},
        {"--signature-granularity", .choice = &granularity, .choices = granularities},
        {0}};
    for (int at = 1; argv[at];) {
        if (!strcmp(argv[at], "--help") || !strcmp(argv[at], "-h")) {
            print_help();
            *status = ZTL_EXIT_OK;
            return false;
        }
        if (!take_word(o, table, argv, &at))
            return false;
    }
    o->has_isa = o->machine.config.isa != default_isa;
    o->trace_config.format = (enum ztl_trace_format)format;
    o->trace_config.full = full;
    o->granularity = 1u << granularity;
    return true;
}

/* An option that only the simulator has; NULL for none. */
static const char *needs_simulator(const run_options *options)
{
    const struct {
        bool given;
        const char *name;
    } only[] = {{options->trace, "--trace"},
                {options->view_count, "--dump"},
                {options->registers, "--registers"},
                {options->machine.ram_count, "--mem"},
                {options->gdb, "--gdb"},
                {options->timing, "--timing"},
                {options->timeline, "--timeline"},
                {options->window, "--window"},
                {options->from, "--from"},
                {options->to, "--to"}};
    for (size_t i = 0; i < sizeof only / sizeof only[0]; i++)
        if (only[i].given)
            return only[i].name;
    return NULL;
}

static bool check(const run_options *options)
{
    ztl_error error;
    ztl_hart_isa isa;
    if (!options->file)
        run_complain("no program; see 'ztl run --help'");
    else if (!ztl_is_source(options->file) && options->build_count > 1)
        run_complain("%s is no source, and so nothing is built from '%s'", options->file,
                     options->build[options->build[0] == options->file]);
    else if (options->json && !options->stats && !options->timing)
        run_complain("--json needs --stats or --timing");
    else if (options->engine && needs_simulator(options))
        run_complain("--engine qemu: %s is the simulator's", needs_simulator(options));
    else if (options->gdb && !ztl_gdb_check_place(options->gdb, &error))
        run_complain("--gdb: %s", error.text);
    else if (!options->engine && !ztl_hart_isa_parse(options->machine.config.isa, &isa, &error))
        run_complain("%s", error.text);
    else
        return run_timing_check(options);
    return false;
}

bool run_parse(int argc, char **argv, run_options *options, int *status)
{
    *options = (run_options){.max_insns = UINT64_MAX};
    ztl_machine_init(&options->machine);
    options->argument = argv + argc;
    options->build = argv + 1;
    *status = ZTL_EXIT_USAGE;
    for (int i = 1; argv[i]; i++) /* options end at "--" */
        if (!strcmp(argv[i], "--")) {
            options->argument = argv + i + 1;
            argv[i] = NULL;
            break;
        }
    if (!take_words(options, argv, status))
        return false;
    options->build[options->build_count] = NULL;
    return check(options);
}
