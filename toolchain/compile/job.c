/* SPDX-License-Identifier: Apache-2.0
 * Sorting a compiler's command line into sources, options and their values.
 */
#include "toolchain/compile/job.h"

#include <string.h>

static bool any_of(const char *text, const char *const *list, size_t count,
                   bool (*test)(const char *, const char *))
{
    for (size_t i = 0; i < count; i++)
        if (test(text, list[i]))
            return true;
    return false;
}

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static bool equals(const char *a, const char *b)
{
    return !strcmp(a, b);
}

#define ANY_OF(text, list, test) any_of(text, list, sizeof list / sizeof list[0], test)

bool ztl_is_cplusplus(const char *source)
{
    static const char *const suffixes[] = {".cc",  ".cpp", ".cxx", ".C",
                                           ".c++", ".cp",  ".CPP", ".ii"};
    return ANY_OF(source, suffixes, ztl_ends_with);
}

bool ztl_is_assembly(const char *source)
{
    static const char *const suffixes[] = {".s", ".S", ".sx"};
    return ANY_OF(source, suffixes, ztl_ends_with);
}

bool ztl_is_source(const char *text)
{
    static const char *const suffixes[] = {".c", ".i"};
    return *text != '-' && (ANY_OF(text, suffixes, ztl_ends_with) || ztl_is_cplusplus(text) ||
                            ztl_is_assembly(text));
}

static bool is_link_argument(const char *text)
{
    static const char *const prefixes[] = {"-l",       "-L",       "-T",     "-Wl,",      "-nostd",
                                           "-nostart", "-static",  "-specs", "--specs",   "--oslib",
                                           "--crt0",   "-Xlinker", "-u",     "-nodefault"};
    return *text != '-' || ANY_OF(text, prefixes, starts_with);
}

/* Options of both steps whose value is the next argument. */
bool ztl_takes_value(const char *text)
{
    static const char *const names[] = {"-I",  "-D",       "-U", "-include",   "-isystem", "-MF",
                                        "-MT", "-MQ",      "-x", "-idirafter", "-iquote",  "-T",
                                        "-L",  "-Xlinker", "-u", "-e",         "-z",       "-l"};
    return ANY_OF(text, names, equals);
}

/* Takes note of what concerns us; true when the argument is not passed on as it is. */
static bool take_own(ztl_job *j, const char *text, const char *next, bool *failed)
{
    static const char *const no_assembling[] = {"-S", "-E", "-M", "-MM", "-fsyntax-only"};
    if (starts_with(text, "-march=")) {
        j->has_march = true;
        *failed |= !ztl_march_split(text + 7, &j->march, j->error);
        return true;
    }
    if (starts_with(text, "-mabi="))
        j->abi = text + 6;
    if (equals(text, "-o") && next)
        j->output = next;
    if (starts_with(text, "-o") && text[2]) {
        j->output = text + 2;
        return true;
    }
    j->dependencies |= equals(text, "-MD") || equals(text, "-MMD");
    j->has_cpu |= starts_with(text, "-mcpu=");
    j->compile_only |= equals(text, "-c");
    j->no_assembling |= ANY_OF(text, no_assembling, equals);
    return false;
}

bool ztl_job_sort(ztl_job *j)
{
    const ztl_args *user = &j->compiler->user;
    bool failed = false;
    const char *text;
    for (size_t i = 0; i < user->count && !failed && (text = user->item[i]); i++) {
        const char *next = user->item[i + 1];
        if (take_own(j, text, next, &failed) || equals(text, "-c"))
            continue;
        if (equals(text, "-o")) {
            i++;
            continue;
        }
        if (ztl_is_source(text)) {
            ztl_args_add(&j->source, text);
            continue;
        }
        ztl_args *list = is_link_argument(text) ? &j->link : &j->compile;
        ztl_args_add(list, text);
        if (ztl_takes_value(text) && next)
            ztl_args_add(list, user->item[++i]);
    }
    for (size_t i = 0; i < user->count; i++)
        j->dependencies &= !starts_with(user->item[i], "-MF");
    return !failed;
}

void ztl_job_free(ztl_job *j)
{
    ztl_args_free(&j->source);
    ztl_args_free(&j->link);
    ztl_args_free(&j->compile);
    ztl_args_free(&j->temporary);
}
