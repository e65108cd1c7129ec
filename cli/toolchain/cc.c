/* SPDX-License-Identifier: Apache-2.0
 * ztl cc: a stock RISC-V compiler whose inline assembly may be Ztl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "codec/isa_part.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/install.h"

static void print_help(void)
{
    puts("usage: ztl cc [OPTIONS] FILE...\n\n"
         "Runs the RISC-V cross compiler with our assembler, so that\n"
         "asm(\"tl.addi tl1, tl2, 3\") works. Other options go to the compiler.\n"
         "-lztlops links the operators, for bare harts.\n\n"
         "  --clang           clang in place of riscv64-unknown-elf-gcc\n"
         "  --linux           riscv64-linux-gnu-gcc\n"
         "  --semihost        link with picolibc at 0x80000000: printf, files and exit go\n"
         "                    through semihosting\n"
         "  -march=ISA        the ISA string; ztl, ztlx1p0 and so on in it choose the\n"
         "                    revision (" ZTL_DEFAULT_ISA ";\n"
         "                    with --linux the compiler's own)\n"
         "  --revision 1|2    the revision of Ztl (2, or that of -march)\n"
         "  --print-b-dir     print the directory that gcc's own -B wants, and do nothing\n"
         "                    else\n\n"
         "ZTL_CC names another compiler.\n\n"
         "Examples:\n"
         "  ztl cc --semihost -O2 hello.c -o hello.elf\n"
         "  riscv64-unknown-elf-gcc -B$(ztl cc --print-b-dir) -c kernel.c");
}

static int print_b_dir(void)
{
    char path[4096];
    if (!ztl_install_tools(path, sizeof path)) {
        ztl_message("ztl cc", "libexec/ztl/bin/as: not found beside this program");
        return ZTL_EXIT_FAILURE;
    }
    puts(path);
    return ZTL_EXIT_OK;
}

/* False when the command line is wrong. */
static bool parse(char **argv, ztl_compiler *c, bool *print_directory)
{
    bool clang = false, linux_gnu = false;
    const ztl_option table[] = {{"--revision", .number = &c->revision, .least = 1, .most = 2},
                                {"--clang", .flag = &clang},
                                {"--linux", .flag = &linux_gnu},
                                {"--semihost", .flag = &c->semihost},
                                {"--print-b-dir", .flag = print_directory},
                                {0}};
    for (int i = 1; argv[i];) {
        enum ztl_option_taken taken = ztl_option_take("ztl cc", table, argv, &i);
        if (taken == ZTL_OPTION_WRONG)
            return false;
        if (taken == ZTL_OPTION_OTHER)
            ztl_args_add(&c->user, argv[i++]);
    }
    if (clang && linux_gnu) {
        ztl_message("ztl cc", "--clang and --linux exclude each other");
        return false;
    }
    c->kind = clang ? ZTL_COMPILER_CLANG : linux_gnu ? ZTL_COMPILER_LINUX : c->kind;
    return true;
}

int ztl_cli_cc(int argc, char **argv)
{
    ztl_error error;
    ztl_compiler c = {.program = getenv("ZTL_CC")};
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        print_help();
        return ZTL_EXIT_OK;
    }
    bool print_directory = false;
    int status = ZTL_EXIT_USAGE;
    if (c.program && !*c.program)
        c.program = NULL;
    bool good = parse(argv, &c, &print_directory);
    if (good && print_directory) {
        status = print_b_dir();
    } else if (good) {
        status = ztl_compiler_run(&c, &error);
        if (*error.text)
            ztl_message("ztl cc", "%s", error.text);
    }
    ztl_compiler_free(&c);
    return status;
}
