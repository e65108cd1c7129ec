/* SPDX-License-Identifier: Apache-2.0
 * Messages about a word that is none of a list of names.
 */
#include "host/command/names.h"

#include <string.h>

#include "codec/suggest.h"
#include "host/error.h"

const char *ztl_name_close(const char *word, ztl_name_of *names)
{
    const char *name;
    size_t length = strlen(word);
    ztl_suggestion best = {0};
    for (size_t i = 0; (name = names(i)); i++)
        ztl_suggest(&best, word, length, name);
    return best.word && 2 * best.distance <= length ? best.word : NULL;
}

bool ztl_name_unknown(ztl_error *error, const char *what, const char *word, ztl_name_of *names,
                      const char *command)
{
    const char *close = ztl_name_close(word, names);
    if (close)
        return ztl_fail(error, "unknown %s '%.80s', did you mean '%s'?", what, word, close);
    return ztl_fail(error, "unknown %s '%.80s'; '%s --help' lists them", what, word, command);
}
