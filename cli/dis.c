/* SPDX-License-Identifier: Apache-2.0
 * ztl dis: files and words as assembly.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "cli/command.h"
#include "codec/text.h"
#include "toolchain/dump.h"

static void print_help(void)
{
    puts(
        "usage: ztl dis [OPTIONS] FILE|WORD...\n\n"
        "Prints object files, programs and archives with Ztl mnemonics, symbols and source lines,\n"
        "or words (0x0231355b) as instructions. '-' reads words from standard input. Every other\n"
        "option is objdump's own.\n\n"
        "  --revision 1|2    the revision of Ztl (2)\n"
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
    return ZTL_EXIT_OK;
}

static int print_one(const ztl_dump *dump, const char *what)
{
    char error[1024];
    uint32_t word;
    if (!strcmp(what, "-"))
        return print_stdin(dump->revision);
    if (parse_word(what, &word)) {
        print_word(dump->revision, word);
        return ZTL_EXIT_OK;
    }
    if (ztl_dump_file(dump, what, stdout, error, sizeof error))
        return ZTL_EXIT_OK;
    fprintf(stderr, "ztl dis: %s\n", error);
    return ZTL_EXIT_FAILURE;
}

static bool take_revision(const char *value, unsigned *revision)
{
    if (!value || (strcmp(value, "1") && strcmp(value, "2"))) {
        fprintf(stderr, "ztl dis: --revision %s: must be 1 or 2\n", value ? value : "");
        return false;
    }
    *revision = (unsigned)atoi(value);
    return true;
}

/* Sorts the arguments; what is to be printed goes to `what`. False when they are wrong. */
static bool parse(int argc, char **argv, ztl_dump *dump, ztl_args *what)
{
    static const char *const with_value[] = {"-j", "-M", "-m", "-b"};
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        if (!strcmp(text, "--asm")) {
            dump->assembly = true;
        } else if (!strcmp(text, "--no-source")) {
            dump->source = false;
        } else if (!strcmp(text, "--revision") || !strncmp(text, "--revision=", 11)) {
            const char *value = text[10] ? text + 11 : argv[i + 1];
            i += !text[10] && value;
            if (!take_revision(value, &dump->revision))
                return false;
        } else if (text[0] == '-' && text[1]) {
            ztl_args_add(&dump->option, text);
            for (size_t k = 0; k < sizeof with_value / sizeof with_value[0]; k++)
                if (!strcmp(text, with_value[k]) && argv[i + 1])
                    ztl_args_add(&dump->option, argv[++i]);
        } else {
            ztl_args_add(what, text);
        }
    }
    return true;
}

int ztl_cli_dis(int argc, char **argv)
{
    ztl_dump dump = {.revision = 2, .source = true};
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
