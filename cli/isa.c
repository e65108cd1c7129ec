/* SPDX-License-Identifier: Apache-2.0
 * ztl isa: the table, for people and for tools.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/fold.h"
#include "codec/suggest.h"
#include "host/command/options.h"
#include "isa/print/print.h"
#include "host/error.h"

enum format { TEXT, MARKDOWN, JSON, RISCV_OPCODES, GDB_XML, INTRIN, FORMATS };

static const char *const format_names[FORMATS + 1] = {"text",          "md",      "json",
                                                      "riscv-opcodes", "gdb-xml", "intrin"};

typedef struct options {
    unsigned format;
    unsigned revision; /* 0: both */
    const char *table;
    const char *name;
} options;

static void print_help(void)
{
    printf("usage: ztl isa [OPTIONS] [NAME]\n\n"
           "Prints the instruction-set table; with NAME (a mnemonic, or an operation such as\n"
           "xpose) the entry of that instruction with a picture of its encoding.\n\n"
           "  --revision 1|2   Ztl 1 or Ztl 2 only\n"
           "  --table TABLE    which list, with the formats text and md:\n                  ");
    for (size_t i = 0; ztl_table_name(i); i++)
        printf(" %s", ztl_table_name(i));
    printf("\n  --format FORMAT  text (the default), md, json, riscv-opcodes, gdb-xml, intrin;\n"
           "                   riscv-opcodes and gdb-xml print one revision (default: 2);\n"
           "                   intrin is the C header of the intrinsics, of both\n"
           "  --json           the same as --format json\n\n"
           "Examples:\n"
           "  ztl isa tl.xpose.01\n"
           "  ztl isa --table csr --revision 1\n"
           "  ztl isa --format gdb-xml > ztl.xml\n");
}

static int wrong(const char *message, const char *what)
{
    fprintf(stderr, "ztl isa: %s '%s'; see 'ztl isa --help'\n", message, what);
    return ZTL_EXIT_USAGE;
}

static bool take_table(void *context, const char *name, ztl_error *error)
{
    const char **table = context;
    for (size_t i = 0; (*table = ztl_table_name(i)); i++)
        if (!strcmp(name, *table))
            return true;
    return ztl_fail(error, "there is no table '%s'", name);
}

static bool check(const options *chosen)
{
    bool is_table_form = chosen->format == TEXT || chosen->format == MARKDOWN;
    if ((chosen->table || chosen->name) && !is_table_form)
        return !wrong("--table and NAME go with text and md, not with",
                      format_names[chosen->format]);
    if (chosen->table && chosen->name)
        return !wrong("--table and NAME exclude each other:", chosen->name);
    return true;
}

/* Fills the options from the command line; the exit status, or -1 to go on. */
static int parse(options *chosen, int argc, char **argv)
{
    bool json = false;
    const ztl_option table[] = {{"--revision", .number = &chosen->revision, .least = 1, .most = 2},
                                {"--table", .take = take_table, .context = &chosen->table},
                                {"--format", .choice = &chosen->format, .choices = format_names},
                                {"--json", .flag = &json},
                                {0}};
    int names = ztl_options_take("ztl isa", table, argc, argv);
    if (names == ZTL_OPTIONS_HELP) {
        print_help();
        return ZTL_EXIT_OK;
    }
    if (names > 1)
        return wrong("one NAME only, not also", argv[2]);
    if (json)
        chosen->format = JSON;
    if (names == 1)
        chosen->name = argv[1];
    return names >= 0 && check(chosen) ? -1 : ZTL_EXIT_USAGE;
}

static int no_instruction(const options *chosen)
{
    unsigned revision = chosen->revision ? chosen->revision : ZTL_REVISIONS;
    const char *close = ztl_suggest_mnemonic(revision, chosen->name, strlen(chosen->name));
    if (!close)
        return wrong("no instruction", chosen->name);
    fprintf(stderr, "ztl isa: no instruction '%s', did you mean '%s'?\n", chosen->name, close);
    return ZTL_EXIT_USAGE;
}

static int print_tables(const options *chosen)
{
    enum ztl_table_style style = chosen->format == TEXT ? ZTL_TABLE_TEXT : ZTL_TABLE_MARKDOWN;
    if (chosen->name && !ztl_print_entry(stdout, chosen->name, chosen->revision, style))
        return no_instruction(chosen);
    if (!chosen->name)
        ztl_print_table(stdout, chosen->table ? chosen->table : "insn", chosen->revision, style,
                        ztl_terminal_columns(stdout));
    return ZTL_EXIT_OK;
}

int ztl_cli_isa(int argc, char **argv)
{
    options chosen = {.format = TEXT};
    int status = parse(&chosen, argc, argv);
    if (status >= 0)
        return status;
    status = ZTL_EXIT_OK;
    unsigned one_revision = chosen.revision ? chosen.revision : 2;
    if (chosen.format == JSON)
        ztl_print_json(stdout, chosen.revision);
    else if (chosen.format == RISCV_OPCODES)
        ztl_print_riscv_opcodes(stdout, one_revision);
    else if (chosen.format == GDB_XML)
        ztl_print_gdb_xml(stdout, one_revision);
    else if (chosen.format == INTRIN)
        ztl_print_intrinsics(stdout);
    else
        status = print_tables(&chosen);
    return status;
}
