/* SPDX-License-Identifier: Apache-2.0
 * ztl as: an assembler that knows Ztl, made of one that does not.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "host/command/message.h"
#include "host/process/buffer.h"
#include "host/command/options.h"
#include "host/output.h"
#include "host/process/temporary.h"
#include "toolchain/assembler.h"
#include "host/error.h"

static void print_help(void)
{
    puts("usage: ztl as [OPTIONS] FILE... -o FILE.o\n\n"
         "Assembles GNU assembly with Ztl mnemonics and CSR names. A .S file goes through\n"
         "the C preprocessor first. Other options go to the assembler.\n\n"
         "  -o FILE           the object file (a.out)\n"
         "  -march=ISA        the ISA string; ztl, ztlx1p0 and so on in it choose the\n"
         "                    revision\n"
         "  --revision 1|2    the revision of Ztl (2, or that of -march)\n"
         "  --clang           clang's assembler in place of GNU as\n"
         "  --print           write the rewritten assembly to standard output instead\n"
         "  -I DIR            where .include looks\n"
         "  -D NAME[=VALUE]   a macro for the C preprocessor\n\n"
         "ZTL_AS names another GNU assembler.\n\n"
         "Example:\n"
         "  ztl as -march=rv64imac_zicsr_ztl kernel.s -o kernel.o");
}

/* A list of options that a value goes to, behind a prefix. */
typedef struct list {
    ztl_args *args;
    const char *prefix;
} list;

static bool take_into(void *context, const char *value, ztl_error *error)
{
    const list *to = context;
    (void)error;
    ztl_args_format(to->args, "%s%s", to->prefix, value);
    return true;
}

/* False when the command line is wrong. */
static bool parse(char **argv, ztl_assembler *a)
{
    list directories = {&a->include_dirs, ""}, macros = {&a->define, "-D"};
    list symbols = {&a->option, "--defsym="}, dependencies = {&a->option, "--MD="};
    const ztl_option table[] = {{"--revision", .number = &a->revision, .least = 1, .most = 2},
                                {"--clang", .flag = &a->clang},
                                {"--print", .flag = &a->print},
                                {"-march", .text = &a->march},
                                {"-o", .text = &a->output},
                                {"-I", .take = take_into, .context = &directories},
                                {"-D", .take = take_into, .context = &macros},
                                {"--defsym", .take = take_into, .context = &symbols},
                                {"--MD", .take = take_into, .context = &dependencies},
                                {0}};
    for (int i = 1; argv[i];) {
        enum ztl_option_taken taken = ztl_option_take("ztl as", table, argv, &i);
        if (taken == ZTL_OPTION_WRONG)
            return false;
        if (taken == ZTL_OPTION_TAKEN)
            continue;
        bool is_input = argv[i][0] != '-' || !argv[i][1] || !strcmp(argv[i], "--");
        if (is_input)
            ztl_args_add(&a->input, strcmp(argv[i], "--") ? argv[i] : "-");
        else
            ztl_args_add(&a->option, argv[i]);
        i++;
    }
    return true;
}

/* Without a file it is standard input, as with GNU as, unless somebody would have to type it. */
static bool has_input(ztl_assembler *a, ztl_error *error)
{
    if (a->input.count == 0 && isatty(STDIN_FILENO))
        return ztl_fail(error, "no file; see 'ztl as --help'");
    if (a->input.count == 0)
        ztl_args_add(&a->input, "-");
    return true;
}

static bool has(int argc, char **argv, const char *option)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], option))
            return true;
    return false;
}

/* `as --version` is a question to the assembler behind us. */
static int ask_version(void)
{
    char program[4096];
    ztl_args command = {0};
    ztl_assembler_program(program, sizeof program);
    ztl_args_add(&command, program);
    ztl_args_add(&command, "--version");
    int status = ztl_process_run(&command);
    ztl_args_free(&command);
    return status < 0 ? ZTL_EXIT_FAILURE : status;
}

/* --MD writes the output's name into a file of its own: the assembler has to know it then. */
static bool names_output(const ztl_assembler *a)
{
    for (size_t i = 0; i < a->option.count; i++)
        if (!strncmp(a->option.item[i], "--MD", 4))
            return true;
    return false;
}

static bool copy_file(FILE *out, const void *context)
{
    ztl_buffer object = {0};
    bool good = ztl_buffer_read(&object, context) &&
                fwrite(ztl_buffer_text(&object), 1, object.length, out) == object.length;
    ztl_buffer_free(&object);
    return good;
}

/* The output must not be one of the inputs: they are read, but a mistake. */
static bool check_output(const ztl_assembler *a, const char *output)
{
    const char *problem = ztl_output_possible(output) ? NULL : strerror(errno);
    for (size_t i = 0; i < a->input.count && !problem; i++)
        if (ztl_output_same(a->input.item[i], output))
            problem = "is an input, too";
    if (problem)
        ztl_message("ztl as", "%s: %s", output, problem);
    return !problem;
}

/* The assembler writes to a temporary file, which becomes the output when it is complete. */
static int assemble(ztl_assembler *a, ztl_error *error)
{
    char path[4096];
    const ztl_output output = {a->output ? a->output : "a.out", copy_file, path};
    if (!check_output(a, output.path))
        return ZTL_EXIT_FAILURE;
    if (!ztl_temporary_file(path, sizeof path, ".o")) {
        ztl_fail(error, "temporary file: %s", strerror(errno));
        return ZTL_EXIT_FAILURE;
    }
    a->output = path;
    int status = ztl_assembler_run(a, error);
    if (status == ZTL_EXIT_OK && !ztl_outputs_write(&output, 1, NULL)) {
        ztl_fail(error, "%s: %s", output.path, strerror(errno));
        status = ZTL_EXIT_FAILURE;
    }
    ztl_temporary_remove(path);
    return status;
}

int ztl_cli_as(int argc, char **argv)
{
    ztl_error error = {""};
    ztl_assembler a = {0};
    if (has(argc, argv, "--help")) {
        print_help();
        return ZTL_EXIT_OK;
    }
    if (has(argc, argv, "--version"))
        return ask_version();
    int status = ZTL_EXIT_USAGE;
    if (parse(argv, &a) && has_input(&a, &error))
        status = a.print || names_output(&a) ? ztl_assembler_run(&a, &error) : assemble(&a, &error);
    if (*error.text)
        ztl_message("ztl as", "%s", error.text);
    ztl_assembler_free(&a);
    return status;
}
