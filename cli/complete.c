/* SPDX-License-Identifier: Apache-2.0
 * ztl complete: what may follow on a command line, read from what --help prints; and the few lines
 * that make bash, zsh and fish ask for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "host/command/message.h"
#include "host/process/process.h"

static const struct {
    const char *name, *script;
} shells[] = {
    {"bash", "# completion of ztl for bash: asks ztl itself\n"
             "_ztl() {\n"
             "    local IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]}\n"
             "    local -a found\n"
             "    mapfile -t found < <(\"${COMP_WORDS[0]}\" complete -- "
             "\"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null | cut -f 1)\n"
             "    if ((${#found[@]})); then\n"
             "        COMPREPLY=(\"${found[@]}\")\n"
             "    else\n"
             "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
             "    fi\n"
             "}\n"
             "complete -o filenames -F _ztl ztl\n"},
    {"zsh", "#compdef ztl\n"
            "# completion of ztl for zsh: asks ztl itself\n"
            "_ztl() {\n"
            "    local -a lines found\n"
            "    local line\n"
            "    lines=(\"${(@f)$($words[1] complete -- \"${(@)words[2,CURRENT]}\" "
            "2>/dev/null)}\")\n"
            "    for line in $lines; do\n"
            "        found+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\")\n"
            "    done\n"
            "    if (( $#found )); then\n"
            "        _describe ztl found\n"
            "    else\n"
            "        _files\n"
            "    fi\n"
            "}\n"
            "if [[ $funcstack[1] == _ztl ]]; then\n"
            "    _ztl \"$@\"\n"
            "else\n"
            "    compdef _ztl ztl\n"
            "fi\n"},
    {"fish", "# completion of ztl for fish: asks ztl itself\n"
             "function __ztl_complete\n"
             "    set -l words (commandline -opc) (commandline -ct)\n"
             "    $words[1] complete -- $words[2..-1] 2>/dev/null\n"
             "end\n"
             "complete -c ztl -a '(__ztl_complete)'\n"},
};

static void print_help(void)
{
    puts("usage: ztl complete bash|zsh|fish\n"
         "       ztl complete -- WORD...\n\n"
         "Prints the completion of a shell, which asks the second form: what may stand in\n"
         "place of the last WORD, each with a tab and what it is. Nothing: a file.\n\n"
         "Examples:\n"
         "  source <(ztl complete bash)\n"
         "  ztl complete fish > ~/.config/fish/completions/ztl.fish\n"
         "  ztl complete -- op tran");
}

/* What `ztl WORDS --help` prints. */
static bool read_help(char *const *words, size_t count, ztl_buffer *text)
{
    ztl_args args = {0};
    char part[4096];
    pid_t child;
    ztl_args_add(&args, "/proc/self/exe");
    for (size_t i = 0; i < count; i++)
        ztl_args_add(&args, words[i]);
    ztl_args_add(&args, "--help");
    FILE *output = ztl_process_read(&args, &child);
    for (size_t got; output && (got = fread(part, 1, sizeof part, output)) > 0;)
        ztl_buffer_part(text, part, got);
    ztl_args_free(&args);
    return output && ztl_process_close(output, child) == 0 && !text->failed;
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Prints what may stand there, with what it is, where it begins with the word. */
static void offer(const char *name, size_t length, const char *what, const char *word)
{
    if (strlen(word) <= length && begins(name, word))
        printf("%.*s\t%.*s\n", (int)length, name, (int)strcspn(what, "\n"), what);
}

static size_t name_length(const char *at)
{
    return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
}

/* The words behind what a line begins with: after two spaces. */
static const char *meaning(const char *at)
{
    const char *end = at + strcspn(at, "\n"), *gap = strstr(at, "  ");
    if (!gap || gap > end)
        return end;
    return gap + strspn(gap, " ");
}

/* A line of a list of words, "  transpose     permute the dimensions": its word, or 0. */
static size_t listed_word(const char *line)
{
    if (!begins(line, "  ") || line[2] < 'a' || line[2] > 'z')
        return 0;
    size_t length = name_length(line + 2);
    return begins(line + 2 + length, "  ") ? length : 0;
}

/* A line of usage, "usage: ztl onnx report MODEL": the word after the command's, or 0. */
static size_t usage_word(const char *line, const char *command, const char **word)
{
    const char *at = strstr(line, "ztl ");
    bool is_usage = begins(line, "usage: ztl ") || begins(line, "       ztl ");
    if (!is_usage || !at || !begins(at + 4, command) || at[4 + strlen(command)] != ' ')
        return 0;
    *word = at + 5 + strlen(command);
    size_t length = strspn(*word, "abcdefghijklmnopqrstuvwxyz");
    return strchr(" \n", (*word)[length]) ? length : 0;
}

/* Calls for each word that may follow the command; whether `wanted` is one of them. */
static bool words_of(const char *help, const char *command, const char *word, const char *wanted)
{
    bool found = false;
    for (const char *line = help; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *name = line + 2;
        size_t length = listed_word(line);
        if (!length)
            length = usage_word(line, command, &name);
        if (!length)
            continue;
        found |= wanted && strlen(wanted) == length && begins(name, wanted);
        if (!wanted)
            offer(name, length, meaning(name), word);
    }
    return found;
}

/* Options of a line, "  -o, --output FILE    where": each is offered; or, with `wanted`, what is
 * said of its value is returned, NULL where the line is not its. */
static const char *options_of(const char *line, const char *word, const char *wanted)
{
    const char *at = line + strspn(line, " ");
    if (at == line)
        return NULL;
    while (*at == '-') {
        size_t length = name_length(at);
        if (!wanted)
            offer(at, length, meaning(at), word);
        else if (strlen(wanted) == length && begins(at, wanted))
            return at + length;
        at += length + (at[length] == '=' && at[length + 1] == ' ');
        at += begins(at, ", ") ? 2 : begins(at, " -") ? 1 : 0;
        if (at[-1] != ' ')
            break;
    }
    return NULL;
}

/* The value of an option: offers what its help lists, as text|svg. False: it takes none. */
static bool offer_value(const char *help, const char *option, const char *word)
{
    const char *value = NULL;
    for (const char *line = help; *line && !value;
         line += strcspn(line, "\n"), line += *line == '\n')
        value = options_of(line, "", option);
    if (!value || *value != ' ' || value[1] == ' ')
        return false;
    const char *end = value + 1 + strcspn(value + 1, " \n");
    if (!memchr(value, '|', (size_t)(end - value)))
        return true; /* a file, as far as anyone knows */
    for (const char *at = value + 1; at < end;) {
        size_t length = strcspn(at, "| \n");
        bool stands_for_others = length > 1 && *at >= 'A' && *at <= 'Z'; /* PORT|unix:PATH */
        if (!stands_for_others)
            offer(at, length, "", word);
        at += length + 1;
    }
    return true;
}

static void offer_commands(const char *word)
{
    static const char *const names[][2] = {
#define ZTL_COMMAND(NAME, summary) {#NAME, summary},
#include "cli/commands.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        offer(names[i][0], strlen(names[i][0]), names[i][1], word);
}

static int complete(size_t count, char **words)
{
    const char *word = count ? words[count - 1] : "";
    if (count < 2) {
        offer_commands(word);
        return ZTL_EXIT_OK;
    }
    ztl_buffer help = {0}, more = {0};
    bool known = read_help(words, 1, &help);
    bool has_part = known && count > 2 && words_of(help.data, words[0], "", words[1]);
    if (has_part)
        known = read_help(words, 2, &more);
    const char *text = ztl_buffer_text(has_part ? &more : &help);
    bool is_value = known && count > 2 && words[count - 2][0] == '-' &&
                    offer_value(text, words[count - 2], word);
    if (known && !is_value && *word == '-')
        for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
            options_of(line, word, NULL);
    else if (known && !is_value && count == 2)
        words_of(text, words[0], word, NULL);
    ztl_buffer_free(&help);
    ztl_buffer_free(&more);
    return ZTL_EXIT_OK;
}

int ztl_cli_complete(int argc, char **argv)
{
    if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
        return print_help(), ZTL_EXIT_OK;
    if (argc > 1 && !strcmp(argv[1], "--"))
        return complete((size_t)argc - 2, argv + 2);
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof shells[0]; i++)
        if (!strcmp(argv[1], shells[i].name))
            return fputs(shells[i].script, stdout), ZTL_EXIT_OK;
    ztl_message("ztl complete", "one of bash, zsh, fish is needed; see 'ztl complete --help'");
    return ZTL_EXIT_USAGE;
}
