/* SPDX-License-Identifier: Apache-2.0
 * ztl dis: files and words as assembly.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/machine.h"
#include "codec/text.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "toolchain/dump/dump.h"

static void print_help(void)
{
    puts("usage: ztl dis [OPTIONS] FILE|WORD...\n\n"
         "Prints object files, programs and archives with Ztl mnemonics, symbols and\n"
         "source lines, or words (0x0231355b, 0x00b50533, 0x4501) as instructions. '-'\n"
         "reads words from standard input. Other options go to objdump.\n\n"
         "  --revision 1|2    the revision of Ztl (what the file says, or 2)\n"
         "  --isa ISA         the instruction set of words\n"
         "                    (" ZTL_DEFAULT_ISA ")\n"
         "  --asm             print source for 'ztl as' that gives the same bytes\n"
         "  --no-source       no file names, line numbers and source text\n\n"
         "ZTL_OBJDUMP names another objdump.\n\n"
         "Examples:\n"
         "  ztl dis 0x0231355b\n"
         "  ztl dis --isa rv32imc 0x00b50533 0x4501\n"
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

static void print_word(const ztl_hart_isa *isa, uint32_t word)
{
    char text[128];
    ztl_hart_disassemble(isa, 0, word, text, sizeof text);
    puts(text);
}

static int print_stdin(const ztl_hart_isa *isa)
{
    char text[64];
    uint32_t word;
    while (scanf("%63s", text) == 1) {
        if (!parse_word(text, &word)) {
            ztl_message("ztl dis", "'%s' is not a word of 32 bits, as 0x0231355b", text);
            return ZTL_EXIT_FAILURE;
        }
        print_word(isa, word);
    }
    if (!ferror(stdin))
        return ZTL_EXIT_OK;
    ztl_message("ztl dis", "standard input: %s", strerror(errno));
    return ZTL_EXIT_FAILURE;
}

static int print_one(const ztl_dump *dump, const ztl_hart_isa *isa, const char *what)
{
    ztl_error error;
    uint32_t word;
    if (!strcmp(what, "-"))
        return print_stdin(isa);
    if (parse_word(what, &word)) {
        print_word(isa, word);
        return ZTL_EXIT_OK;
    }
    if (ztl_dump_file(dump, what, stdout, &error))
        return ZTL_EXIT_OK;
    ztl_message("ztl dis", "%s", error.text);
    return ZTL_EXIT_FAILURE;
}

/* Passes an option on to objdump, with its value where that is an argument of its own. */
static void pass_on(ztl_dump *dump, char **argv, int *i)
{
    static const char *const with_value[] = {"-j", "-M", "-m", "-b"};
    const char *option = argv[(*i)++];
    ztl_args_add(&dump->option, option);
    for (size_t k = 0; k < sizeof with_value / sizeof with_value[0]; k++)
        if (!strcmp(option, with_value[k]) && argv[*i])
            ztl_args_add(&dump->option, argv[(*i)++]);
}

/* The instruction set of words; false after a message. */
static bool choose_isa(const char *text, unsigned revision, ztl_hart_isa *isa)
{
    ztl_error error;
    if (!ztl_hart_isa_parse(text ? text : ZTL_DEFAULT_ISA, isa, &error)) {
        ztl_message("ztl dis", "%s", error.text);
        return false;
    }
    if (text && revision && isa->ztl_subsets && isa->ztl_revision != revision) {
        ztl_message("ztl dis", "--isa %s is of Ztl %u, but --revision asks for %u", text,
                    isa->ztl_revision, revision);
        return false;
    }
    if (revision)
        isa->ztl_revision = revision;
    return true;
}

/* Sorts the arguments; what is to be printed goes to `what`. False when they are wrong. */
static bool parse(char **argv, ztl_dump *dump, ztl_hart_isa *isa, ztl_args *what)
{
    const char *isa_text = NULL;
    bool no_source = false;
    const ztl_option table[] = {{"--revision", .number = &dump->revision, .least = 1, .most = 2},
                                {"--isa", .text = &isa_text},
                                {"--asm", .flag = &dump->assembly},
                                {"--no-source", .flag = &no_source},
                                {0}};
    for (int i = 1; argv[i];) {
        enum ztl_option_taken taken = ztl_option_take("ztl dis", table, argv, &i);
        if (taken == ZTL_OPTION_WRONG)
            return false;
        if (taken == ZTL_OPTION_TAKEN)
            continue;
        if (argv[i][0] == '-' && argv[i][1])
            pass_on(dump, argv, &i);
        else
            ztl_args_add(what, argv[i++]);
    }
    dump->source = !no_source;
    return choose_isa(isa_text, dump->revision, isa);
}

int ztl_cli_dis(int argc, char **argv)
{
    ztl_dump dump = {0};
    ztl_args what = {0};
    ztl_hart_isa isa;
    int status = ZTL_EXIT_USAGE;
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        print_help();
        return ZTL_EXIT_OK;
    }
    if (parse(argv, &dump, &isa, &what)) {
        status = ZTL_EXIT_OK;
        if (what.count == 0) {
            ztl_message("ztl dis", "nothing to print; see 'ztl dis --help'");
            status = ZTL_EXIT_USAGE;
        }
        for (size_t i = 0; i < what.count && status == ZTL_EXIT_OK; i++)
            status = print_one(&dump, &isa, what.item[i]);
    }
    ztl_args_free(&what);
    ztl_dump_free(&dump);
    return status;
}
