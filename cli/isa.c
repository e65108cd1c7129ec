/* SPDX-License-Identifier: Apache-2.0
 * ztl isa: the table, for people and for tools.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/fold.h"
#include "codec/suggest.h"
#include "host/command/message.h"
#include "host/command/names.h"
#include "host/command/options.h"
#include "host/command/terminal.h"
#include "isa/export/export.h"
#include "isa/print/print.h"
#include "host/error.h"

/* Those from FIRST_OF_ONE on print one revision. */
enum format {
    TEXT,
    MARKDOWN,
    JSON,
    INTRIN,
    VIM,
    VSCODE,
    PYGMENTS,
    FIRST_OF_ONE,
    FORMATS = FIRST_OF_ONE + 9
};

static const char *const format_names[FORMATS + 1] = {
    "text",          "md",      "json", "intrin",   "vim",        "vscode",   "pygments",
    "riscv-opcodes", "gdb-xml", "udb",  "tablegen", "decodetree", "binutils", "systemverilog",
    "latex",         "sail"};

static void (*const exporters[])(FILE *, unsigned) = {
    ztl_print_riscv_opcodes, ztl_print_gdb_xml,     ztl_export_udb,
    ztl_export_tablegen,     ztl_export_decodetree, ztl_export_binutils,
    ztl_export_verilog,      ztl_export_latex,      ztl_export_sail};

static void (*const editors[])(FILE *) = {ztl_print_vim, ztl_print_vscode, ztl_print_pygments};

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
    printf("\n  --format FORMAT  text (the default), md, json, intrin (the C header of the\n"
           "                   intrinsics), vim, vscode, pygments (colours of editors);\n"
           "                   and of one revision (default: 2):\n"
           "                   riscv-opcodes  the project of that name\n"
           "                   gdb-xml        gdb's description of the registers\n"
           "                   udb            riscv-unified-db, as YAML\n"
           "                   tablegen       LLVM; with -D ZTL_ALONE a target of its own\n"
           "                   decodetree     QEMU\n"
           "                   binutils       riscv-opc.h, riscv-opc.c\n"
           "                   systemverilog  a package\n"
           "                   latex          tables of encodings and CSRs\n"
           "                   sail           clauses, whose execution is left open\n"
           "  --json           the same as --format json\n\n"
           "Examples:\n"
           "  ztl isa tl.xpose.01\n"
           "  ztl isa --table csr --revision 1\n"
           "  ztl isa --format gdb-xml > ztl.xml\n");
}

static int wrong(const char *message, const char *what)
{
    ztl_message("ztl isa", "%s '%s'; see 'ztl isa --help'", message, what);
    return ZTL_EXIT_USAGE;
}

static bool take_table(void *context, const char *name, ztl_error *error)
{
    const char **table = context;
    for (size_t i = 0; (*table = ztl_table_name(i)); i++)
        if (!strcmp(name, *table))
            return true;
    return ztl_name_unknown(error, "table", name, ztl_table_name, "ztl isa");
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

static const char *op_name(size_t index)
{
    return index < ZTL_OPS ? ztl_op_name((enum ztl_op)index) : NULL;
}

/* A name with "tl." is a mnemonic's, another one an operation's. */
static int no_instruction(const options *chosen)
{
    unsigned revision = chosen->revision ? chosen->revision : ZTL_REVISIONS;
    bool is_mnemonic = !strncmp(chosen->name, "tl.", 3);
    const char *close = is_mnemonic
                            ? ztl_suggest_mnemonic(revision, chosen->name, strlen(chosen->name))
                            : ztl_name_close(chosen->name, op_name);
    if (!close)
        return wrong("no instruction", chosen->name);
    ztl_message("ztl isa", "no instruction '%s', did you mean '%s'?", chosen->name, close);
    return ZTL_EXIT_USAGE;
}

static int print_tables(const options *chosen)
{
    enum ztl_table_style style = chosen->format == TEXT ? ZTL_TABLE_TEXT : ZTL_TABLE_MARKDOWN;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool found = true;
    if (out && chosen->name)
        found = ztl_print_entry(out, chosen->name, chosen->revision, style);
    else if (out)
        ztl_print_table(out, chosen->table ? chosen->table : "insn", chosen->revision, style,
                        ztl_terminal_columns(stdout));
    bool good = out && !ferror(out);
    good = out && !fclose(out) && good && text;
    if (good && style == ZTL_TABLE_TEXT)
        ztl_terminal_signs(text);
    if (good && found)
        fputs(text, stdout);
    free(text);
    if (!good)
        return ztl_message("ztl isa", "out of memory"), ZTL_EXIT_FAILURE;
    return found ? ZTL_EXIT_OK : no_instruction(chosen);
}

int ztl_cli_isa(int argc, char **argv)
{
    options chosen = {.format = TEXT};
    int status = parse(&chosen, argc, argv);
    if (status >= 0)
        return status;
    status = ZTL_EXIT_OK;
    unsigned one_revision = chosen.revision ? chosen.revision : 2;
    if (chosen.format >= FIRST_OF_ONE)
        exporters[chosen.format - FIRST_OF_ONE](stdout, one_revision);
    else if (chosen.format == JSON)
        ztl_print_json(stdout, chosen.revision);
    else if (chosen.format >= VIM && chosen.format <= PYGMENTS)
        editors[chosen.format - VIM](stdout);
    else if (chosen.format == INTRIN)
        ztl_print_intrinsics(stdout);
    else
        status = print_tables(&chosen);
    return status;
}
