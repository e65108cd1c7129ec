/* SPDX-License-Identifier: Apache-2.0
 * ztl cc: a stock RISC-V compiler whose inline assembly may be Ztl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/revision.h"
#include "codec/isa_part.h"
#include "toolchain/compiler.h"
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
        fprintf(stderr, "ztl cc: libexec/ztl/bin/as: not found beside this program\n");
        return ZTL_EXIT_FAILURE;
    }
    puts(path);
    return ZTL_EXIT_OK;
}

/* False when the command line is wrong. */
static bool parse(int argc, char **argv, ztl_compiler *c)
{
    for (int i = 1; i < argc; i++) {
        enum ztl_revision_option revision = ztl_cli_revision("cc", argv, &i, &c->revision);
        if (revision == ZTL_REVISION_WRONG)
            return false;
        if (revision == ZTL_REVISION_TAKEN)
            continue;
        if (!strcmp(argv[i], "--clang"))
            c->kind = ZTL_COMPILER_CLANG;
        else if (!strcmp(argv[i], "--linux"))
            c->kind = ZTL_COMPILER_LINUX;
        else if (!strcmp(argv[i], "--semihost"))
            c->semihost = true;
        else
            ztl_args_add(&c->user, argv[i]);
    }
    return true;
}

int ztl_cli_cc(int argc, char **argv)
{
    char error[1024];
    ztl_compiler c = {.program = getenv("ZTL_CC")};
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        print_help();
        return ZTL_EXIT_OK;
    }
    if (argc > 1 && !strcmp(argv[1], "--print-b-dir"))
        return print_b_dir();
    int status = ZTL_EXIT_USAGE;
    if (c.program && !*c.program)
        c.program = NULL;
    if (parse(argc, argv, &c)) {
        status = ztl_compiler_run(&c, error, sizeof error);
        if (*error)
            fprintf(stderr, "ztl cc: %s\n", error);
    }
    ztl_compiler_free(&c);
    return status;
}
