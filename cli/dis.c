/* SPDX-License-Identifier: Apache-2.0
 * ztl dis: files and words as assembly.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "cli/command.h"
#include "cli/revision.h"
#include "codec/text.h"
#include "toolchain/dump.h"

static void print_help(void)
{
    puts(
        "usage: ztl dis [OPTIONS] FILE|WORD...\n\n"
        "Prints object files, programs and archives with Ztl mnemonics, symbols and source lines,\n"
        "or words (0x0231355b) as instructions. '-' reads words from standard input. Every other\n"
        "option is objdump's own.\n\n"
        "  --revision 1|2    the revision of Ztl (what the file says, or 2)\n"
        "  --asm             print source for 'ztl as' that gives the same bytes\n"
        "  --no-source       no file names, line numbers and source text\n\n"
        "ZTL_OBJDUMP names another objdump.\n\n"
        "Examples:\n"
        "  ztl dis 0x0231355b\n"
        "  ztl dis kernel.o");
}

/* 0x and up to eight digits, or eight digits. */
static bool parse_word(const char *text, uint32_t *word)
{
    bool prefixed = text[0] == '0' && ztl_lower(text[1]) == 'x';
    const char *digits = prefixed ? text + 2 : text;
    size_t length = strspn(digits, "0123456789abcdefABCDEF");
    if (digits[length] || length > 8 || length < (prefixed ? 1 : 8))
        return false;
    *word = (uint32_t)strtoul(digits, NULL, 16);
    return true;
}

static void print_word(unsigned revision, uint32_t word)
{
    char text[128];
    ztl_disassemble(revision, word, text, sizeof text);
    puts(text);
}

static int print_stdin(unsigned revision)
{
    char text[64];
    uint32_t word;
    while (scanf("%63s", text) == 1) {
        if (!parse_word(text, &word)) {
            fprintf(stderr, "ztl dis: '%s' is not a word of 32 bits, as 0x0231355b\n", text);
            return ZTL_EXIT_FAILURE;
        }
        print_word(revision, word);
    }
    if (!ferror(stdin))
        return ZTL_EXIT_OK;
    fprintf(stderr, "ztl dis: standard input: %s\n", strerror(errno));
    return ZTL_EXIT_FAILURE;
}

static int print_one(const ztl_dump *dump, const char *what)
{
    char error[1024];
    uint32_t word;
    unsigned revision = dump->revision ? dump->revision : 2;
    if (!strcmp(what, "-"))
        return print_stdin(revision);
    if (parse_word(what, &word)) {
        print_word(revision, word);
        return ZTL_EXIT_OK;
    }
    if (ztl_dump_file(dump, what, stdout, error, sizeof error))
        return ZTL_EXIT_OK;
    fprintf(stderr, "ztl dis: %s\n", error);
    return ZTL_EXIT_FAILURE;
}

/* Passes an option on to objdump, with its value where that is an argument of its own. */
static void pass_on(ztl_dump *dump, char **argv, int *i)
{
    static const char *const with_value[] = {"-j", "-M", "-m", "-b"};
    const char *option = argv[*i];
    ztl_args_add(&dump->option, option);
    for (size_t k = 0; k < sizeof with_value / sizeof with_value[0]; k++)
        if (!strcmp(option, with_value[k]) && argv[*i + 1])
            ztl_args_add(&dump->option, argv[++*i]);
}

/* Sorts the arguments; what is to be printed goes to `what`. False when they are wrong. */
static bool parse(int argc, char **argv, ztl_dump *dump, ztl_args *what)
{
    for (int i = 1; i < argc; i++) {
        enum ztl_revision_option revision = ztl_cli_revision("dis", argv, &i, &dump->revision);
        if (revision == ZTL_REVISION_WRONG)
            return false;
        if (revision == ZTL_REVISION_TAKEN)
            continue;
        if (!strcmp(argv[i], "--asm"))
            dump->assembly = true;
        else if (!strcmp(argv[i], "--no-source"))
            dump->source = false;
        else if (argv[i][0] == '-' && argv[i][1])
            pass_on(dump, argv, &i);
        else
            ztl_args_add(what, argv[i]);
    }
    return true;
}

int ztl_cli_dis(int argc, char **argv)
{
    ztl_dump dump = {.source = true};
    ztl_args what = {0};
    int status = ZTL_EXIT_USAGE;
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        print_help();
        return ZTL_EXIT_OK;
    }
    if (parse(argc, argv, &dump, &what)) {
        status = ZTL_EXIT_OK;
        if (what.count == 0) {
            fprintf(stderr, "ztl dis: nothing to print; 'ztl dis --help' tells more\n");
            status = ZTL_EXIT_USAGE;
        }
        for (size_t i = 0; i < what.count && status == ZTL_EXIT_OK; i++)
            status = print_one(&dump, what.item[i]);
    }
    ztl_args_free(&what);
    ztl_dump_free(&dump);
    return status;
}
