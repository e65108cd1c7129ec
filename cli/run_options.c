/* SPDX-License-Identifier: Apache-2.0
 * The options of ztl run.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "toolchain/job.h"
#include "sim/gdb/gdb.h"
#include "sim/line.h"
#include "sim/text.h"

/* Names of files and symbols are strangers' texts: line by line made fit for a terminal. */
void run_complain(const char *format, ...)
{
    enum { MESSAGE = 4096 };
    char message[MESSAGE], safe[4 * MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fputs("ztl run: ", stderr);
    for (char *line = message, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        ztl_safe_text(safe, sizeof safe, line);
        fprintf(stderr, "%s\n", safe);
    }
}

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
         "  --entry PLACE      start at a symbol or address instead of the ELF entry\n"
         "  --max-insns N      stop after N instructions, exit status 122\n"
         "  --timeout SECONDS  stop after this time, exit status 124\n"
         "  --gdb PORT|unix:PATH   wait for a debugger, on loopback or at a socket\n"
         "output:\n"
         "  --trace FILE       a line for each instruction, as Spike's commit log; '-' is\n"
         "                     standard output, a name in .gz is compressed\n"
         "  --trace-format F   spike, csv or json\n"
         "  --trace-tl WHAT    of tensor registers: hash (CRC-32, the default) or full\n"
         "  --trace-disasm     also disassemble each instruction\n"
         "  --stats[=FILE]     counts, to standard error or FILE; slows the run down\n"
         "  --json             the counts, and the cycles, as JSON\n"
         "  --timing MACHINE   cycles on a machine: four, one, wide or a file, with\n"
         "                     parameters as in four,engines.queue=8; 'ztl timing --list'\n"
         "                     explains them\n"
         "  --from PLACE       count also from a symbol or address on, and\n"
         "  --to PLACE         up to one, as a region beside those that the program marks\n"
         "  --timeline FILE    what ran when: .json for Perfetto, .kanata for Konata,\n"
         "                     .svg, .html; '-' is a chart on standard output\n"
         "  --window WHAT      only cycles FROM..TO of it, or the first visit of a region\n"
         "  --registers        the integer registers and the Ztl CSRs at the end\n"
         "  --dump VIEW        a tensor register at the end, as tl3:4x16x16:int8 or\n"
         "                     tl1+tl2:32x64; may be repeated\n"
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

/* Options whose value is kept as it is. */
static bool take_text(run_options *options, int argc, char **argv, int *at, bool *wrong)
{
    const struct {
        const char *name;
        const char **value;
    } texts[] = {{"--dir", &options->directory},
                 {"--entry", &options->entry},
                 {"--gdb", &options->gdb},
                 {"--trace", &options->trace},
                 {"--signature", &options->signature},
                 {"--timing", &options->timing},
                 {"--timeline", &options->timeline},
                 {"--window", &options->window},
                 {"--from", &options->from},
                 {"--to", &options->to}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *value = ztl_option_value("run", texts[i].name, argc, argv, at);
        if (!value)
            continue;
        *texts[i].value = value;
        *wrong = !*value;
        return true;
    }
    return false;
}

static bool take_flag(run_options *options, char **argv, int *at)
{
    const struct {
        const char *name;
        bool *value;
    } flags[] = {{"--trace-disasm", &options->trace_config.disassemble},
                 {"--stats", &options->stats},
                 {"--json", &options->json},
                 {"--registers", &options->registers}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(argv[*at], flags[i].name) != 0)
            continue;
        *flags[i].value = true;
        ++*at;
        return true;
    }
    return false;
}

static bool parse_engine(const char *text, const char **engine)
{
    *engine = !strcmp(text, "sim") ? NULL : text;
    if (!*engine || !strcmp(text, "qemu"))
        return true;
    run_complain("--engine: '%s' is not sim or qemu", text);
    return false;
}

static bool parse_format(const char *text, enum ztl_trace_format *format)
{
    static const char *const names[] = {
        [ZTL_TRACE_SPIKE] = "spike", [ZTL_TRACE_CSV] = "csv", [ZTL_TRACE_JSON] = "json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(text, names[i])) {
            *format = (enum ztl_trace_format)i;
            return true;
        }
    run_complain("--trace-format: '%s' is not spike, csv or json", text);
    return false;
}

static bool parse_contents(const char *text, bool *full)
{
    *full = !strcmp(text, "full");
    if (*full || !strcmp(text, "hash"))
        return true;
    run_complain("--trace-tl: '%s' is not hash or full", text);
    return false;
}

static bool parse_count(const char *text, uint64_t *count)
{
    if (*text != '-' && ztl_line_number(text, count) && *count)
        return true;
    run_complain("--max-insns: '%s' is not a number from 1 on", text);
    return false;
}

static bool parse_seconds(const char *text, double *seconds)
{
    enum { LONGEST = 1000000 };
    char *end;
    *seconds = strtod(text, &end);
    if (*text >= '0' && *text <= '9' && !*end && *seconds > 0 && *seconds <= LONGEST)
        return true;
    run_complain("--timeout: '%s' is not a number of seconds above 0, up to %d", text, LONGEST);
    return false;
}

static bool parse_granularity(const char *text, unsigned *granularity)
{
    for (*granularity = 1; *granularity <= 16; *granularity *= 2) {
        char number[4];
        snprintf(number, sizeof number, "%u", *granularity);
        if (!strcmp(text, number))
            return true;
    }
    run_complain("--signature-granularity: '%s' is not 1, 2, 4, 8 or 16", text);
    return false;
}

static bool parse_view(const char *text, run_options *options)
{
    char error[RUN_ERROR];
    if (options->view_count == RUN_MAX_VIEWS)
        run_complain("--dump: at most %d of them", RUN_MAX_VIEWS);
    else if (!ztl_view_parse(text, &options->view[options->view_count].view, error, sizeof error))
        run_complain("--dump %s: %s", text, error);
    else
        return options->view_count++, true;
    return false;
}

/* Of several views before it, a place is for all that have none yet. */
static bool take_place(const char *place, run_options *options)
{
    size_t count = options->view_count;
    if (!count || options->view[count - 1].place) {
        run_complain("--dump-at %s: needs a --dump before it", place);
        return false;
    }
    while (count && !options->view[count - 1].place)
        options->view[--count].place = place;
    return true;
}

static bool take_parsed(run_options *options, int argc, char **argv, int *at, bool *wrong)
{
    const char *value;
    bool ok = true;
    if ((value = ztl_option_value("run", "--trace-format", argc, argv, at)))
        ok = *value && parse_format(value, &options->trace_config.format);
    else if ((value = ztl_option_value("run", "--engine", argc, argv, at)))
        ok = *value && parse_engine(value, &options->engine);
    else if ((value = ztl_option_value("run", "--trace-tl", argc, argv, at)))
        ok = *value && parse_contents(value, &options->trace_config.full);
    else if ((value = ztl_option_value("run", "--max-insns", argc, argv, at)))
        ok = *value && parse_count(value, &options->max_insns);
    else if ((value = ztl_option_value("run", "--timeout", argc, argv, at)))
        ok = *value && parse_seconds(value, &options->timeout);
    else if ((value = ztl_option_value("run", "--signature-granularity", argc, argv, at)))
        ok = *value && parse_granularity(value, &options->granularity);
    else if ((value = ztl_option_value("run", "--dump", argc, argv, at)))
        ok = *value && parse_view(value, options);
    else if ((value = ztl_option_value("run", "--dump-at", argc, argv, at)))
        ok = *value && take_place(value, options);
    else if ((value = ztl_option_value("run", "--stats", argc, argv, at)))
        ok = options->stats = *(options->stats_file = value);
    else
        return false;
    *wrong = !ok;
    return true;
}

/* Keeps a word for the compiler. No more words are kept than read: they find room in argv. */
static void keep(run_options *options, char **argv, int *at)
{
    options->build[options->build_count++] = argv[(*at)++];
}

static bool take_compiler_option(run_options *options, int argc, char **argv, int *at)
{
    enum run_word kind = run_compiler_option(argv[*at]);
    if (kind == RUN_WORD_UNKNOWN)
        run_complain("unknown option '%s'; 'ztl run --help' lists them", argv[*at]);
    else if (kind == RUN_WORD_REFUSED)
        run_complain("'%s': the instruction set is that of --isa", argv[*at]);
    else if (kind == RUN_WORD_WITH_VALUE && *at + 1 >= argc)
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
static bool take_word(run_options *options, int argc, char **argv, int *at)
{
    bool wrong = false, has_isa = !strncmp(argv[*at], "--isa", 5);
    int taken = ztl_machine_option(&options->machine, "run", argc, argv, at);
    if (taken) {
        options->has_isa |= has_isa;
        return taken > 0;
    }
    if (take_flag(options, argv, at) || take_text(options, argc, argv, at, &wrong) ||
        take_parsed(options, argc, argv, at, &wrong))
        return !wrong;
    const char *word = argv[*at];
    return *word == '-' && word[1] ? take_compiler_option(options, argc, argv, at)
                                   : take_file(options, argv, at);
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
    char error[RUN_ERROR];
    ztl_hart_isa isa;
    if (!options->file)
        run_complain("no program; 'ztl run --help' tells more");
    else if (!ztl_is_source(options->file) && options->build_count > 1)
        run_complain("%s is no source, and so nothing is built from '%s'", options->file,
                     options->build[options->build[0] == options->file]);
    else if (options->json && !options->stats && !options->timing)
        run_complain("--json needs --stats or --timing");
    else if (options->engine && needs_simulator(options))
        run_complain("--engine qemu: %s is the simulator's", needs_simulator(options));
    else if (options->gdb && !ztl_gdb_check_place(options->gdb, error, sizeof error))
        run_complain("--gdb: %s", error);
    else if (!options->engine &&
             !ztl_hart_isa_parse(options->machine.config.isa, &isa, error, sizeof error))
        run_complain("%s", error);
    else
        return run_timing_check(options);
    return false;
}

bool run_parse(int argc, char **argv, run_options *options, int *status)
{
    *options = (run_options){.max_insns = UINT64_MAX, .granularity = 4};
    ztl_machine_init(&options->machine);
    options->argument = argv + argc;
    options->build = argv + 1;
    *status = ZTL_EXIT_USAGE;
    for (int i = 1; i < argc; i++) /* options end at "--" */
        if (!strcmp(argv[i], "--")) {
            options->argument = argv + i + 1;
            argc = i;
        }
    for (int at = 1; at < argc;) {
        if (!strcmp(argv[at], "--help") || !strcmp(argv[at], "-h")) {
            print_help();
            *status = ZTL_EXIT_OK;
            return false;
        }
        if (!take_word(options, argc, argv, &at))
            return false;
    }
    options->build[options->build_count] = NULL;
    return check(options);
}
