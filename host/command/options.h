/* SPDX-License-Identifier: Apache-2.0
 * The options of a command, as a table: the same forms and the same messages everywhere.
 *
 * `--name VALUE` and `--name=VALUE` are the same, and so are `-o VALUE` and `-oVALUE`.
 */
#ifndef ZTL_HOST_OPTIONS_H
#define ZTL_HOST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <ztl/error.h>

/* Takes a value; false with a message that need not name the option. */
typedef bool ztl_option_taker(void *context, const char *value, ztl_error *error);

/* One option. Which of the pointers is there says what it takes; `flag` and another: its value may
 * be left out, and then it is not the next word. */
typedef struct ztl_option {
    const char *name;
    bool *flag;        /* set to true */
    const char **text; /* any text but the empty one */
    unsigned *number;  /* from `least` to `most` */
    unsigned least, most;
    unsigned *choice; /* which of `choices`, which NULL ends */
    const char *const *choices;
    ztl_option_taker *take;
    void *context;
    bool may_be_empty; /* the value */
    bool *once;        /* set to true; a second time is refused */
} ztl_option;

enum ztl_option_taken { ZTL_OPTION_WRONG, ZTL_OPTION_TAKEN, ZTL_OPTION_OTHER };

/* Takes the option at argv[*at], and its value, and moves *at behind them. ZTL_OPTION_OTHER: it is
 * none of the table, which a row without a name ends. ZTL_OPTION_WRONG: a message was written,
 * which starts with the command, "ztl isa". */
enum ztl_option_taken ztl_option_take(const char *command, const ztl_option *table, char **argv,
                                      int *at);

enum { ZTL_OPTIONS_WRONG = -1, ZTL_OPTIONS_HELP = -2 };

/* Takes all options up to the end or "--". The other words move to argv[1] on, and their number is
 * returned; or ZTL_OPTIONS_HELP when --help or -h is there, ZTL_OPTIONS_WRONG after a message. */
int ztl_options_take(const char *command, const ztl_option *table, int argc, char **argv);

/* Says that a word is no option of the command, and which one may be meant. */
void ztl_option_unknown(const char *command, const ztl_option *table, const char *word);

#endif
