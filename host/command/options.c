/* SPDX-License-Identifier: Apache-2.0
 * Taking the options of a command line by its table.
 */
#include "host/command/options.h"

#include <stdio.h>
#include <string.h>

#include "codec/suggest.h"
#include "host/command/message.h"
#include "host/error.h"

static bool is_letter(const char *name)
{
    return !name[2];
}

/* Whether a word is the option of that name; *value is what it has in the same word, or NULL. */
static bool is_option(const char *word, const char *name, const char **value)
{
    size_t length = strlen(name);
    const char *rest = word + length;
    if (strncmp(word, name, length) != 0 || (*rest && *rest != '=' && !is_letter(name)))
        return false;
    *value = !*rest ? NULL : rest + !is_letter(name);
    return true;
}

static bool has_value(const ztl_option *option)
{
    return option->text || option->number || option->choice || option->take;
}

static bool take_number(const ztl_option *option, const char *value, ztl_error *error)
{
    unsigned long long number = 0;
    const char *at = value;
    for (; *at >= '0' && *at <= '9' && number <= option->most; at++)
        number = 10 * number + (unsigned)(*at - '0');
    if (!*at && number >= option->least && number <= option->most) {
        *option->number = (unsigned)number;
        return true;
    }
    if (option->most == option->least + 1)
        ztl_fail(error, "'%s' is not %u or %u", value, option->least, option->most);
    else
        ztl_fail(error, "'%s' is not a number from %u to %u", value, option->least, option->most);
    return false;
}

static bool take_choice(const ztl_option *option, const char *value, ztl_error *error)
{
    const char *const *choices = option->choices;
    for (unsigned i = 0; choices[i]; i++)
        if (!strcmp(value, choices[i])) {
            *option->choice = i;
            return true;
        }
    char list[256] = "";
    size_t length = 0;
    for (unsigned i = 0; choices[i] && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                   !i               ? ""
                                   : choices[i + 1] ? ", "
                                                    : " or ",
                                   choices[i]);
    return ztl_fail(error, "'%s' is not %s", value, list);
}

static bool take_value(const ztl_option *option, const char *value, ztl_error *error)
{
    if (option->number)
        return take_number(option, value, error);
    if (option->choice)
        return take_choice(option, value, error);
    if (option->take)
        return option->take(option->context, value, error);
    *option->text = value;
    return true;
}

static enum ztl_option_taken wrong(const char *command, const char *name, const char *what)
{
    ztl_message(command, "%s%s", name, what);
    return ZTL_OPTION_WRONG;
}

static enum ztl_option_taken take(const char *command, const ztl_option *option, const char *value,
                                  char **argv, int *at)
{
    ztl_error error;
    ++*at;
    if (option->flag)
        *option->flag = true;
    if (option->flag && !value)
        return ZTL_OPTION_TAKEN;
    if (!has_value(option))
        return wrong(command, option->name, " takes no value");
    if (!value && argv[*at])
        value = argv[(*at)++];
    if (option->once && *option->once)
        return wrong(command, option->name, ": given twice");
    if (option->once)
        *option->once = true;
    if (!value || (!*value && !option->may_be_empty))
        return wrong(command, option->name, " needs a value");
    if (take_value(option, value, &error))
        return ZTL_OPTION_TAKEN;
    ztl_message(command, "%s: %s", option->name, error.text);
    return ZTL_OPTION_WRONG;
}

enum ztl_option_taken ztl_option_take(const char *command, const ztl_option *table, char **argv,
                                      int *at)
{
    for (const ztl_option *option = table; option->name; option++) {
        const char *value;
        if (is_option(argv[*at], option->name, &value))
            return take(command, option, value, argv, at);
    }
    return ZTL_OPTION_OTHER;
}

void ztl_option_unknown(const char *command, const ztl_option *table, const char *word)
{
    size_t length = strcspn(word, "=");
    ztl_suggestion best = {0};
    for (const ztl_option *option = table; option->name; option++)
        ztl_suggest(&best, word, length, option->name);
    bool is_close = best.word && length > 2 && 2 * best.distance < length - 2;
    if (is_close)
        ztl_message(command, "unknown option '%.*s', did you mean '%s'?", (int)length, word,
                    best.word);
    else
        ztl_message(command, "unknown option '%.*s'; '%s --help' lists them", (int)length, word,
                    command);
}

int ztl_options_take(const char *command, const ztl_option *table, int argc, char **argv)
{
    int words = 0;
    bool only_words = false;
    for (int at = 1; at < argc;) {
        const char *word = argv[at];
        if (only_words || word[0] != '-' || !word[1]) {
            argv[++words] = argv[at++];
        } else if (!strcmp(word, "--")) {
            only_words = true;
            at++;
        } else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            return ZTL_OPTIONS_HELP;
        } else {
            enum ztl_option_taken taken = ztl_option_take(command, table, argv, &at);
            if (taken == ZTL_OPTION_OTHER)
                ztl_option_unknown(command, table, word);
            if (taken != ZTL_OPTION_TAKEN)
                return ZTL_OPTIONS_WRONG;
        }
    }
    return words;
}
