/* SPDX-License-Identifier: Apache-2.0
 * Machine files, read by inih.
 */
#include <errno.h>
#include <string.h>

#include <ini.h>

#include "timing/parameters.h"

typedef struct reading {
    ztl_timing_machine *machine;
    bool any; /* parameter was set */
    ztl_error error;
} reading;

/* "four", over everything so far; only before anything else. */
static bool take_preset(reading *r, const char *value)
{
    char near[64];
    if (r->any)
        return ztl_fail(&r->error, "preset must come before all parameters");
    if (ztl_timing_preset(value, r->machine))
        return true;
    ztl_timing_near_preset(value, near);
    return ztl_fail(&r->error, "preset: '%s' is not one of: four, kinds, one, wide%s", value, near);
}

/* A line for inih, which knows ; behind a value but not #, and takes an indented line for more of
 * the value before it: people write # and indent. */
static char *read_line(char *line, int size, void *file)
{
    if (!fgets(line, size, file))
        return NULL;
    size_t blank = strspn(line, " \t");
    memmove(line, line + blank, strlen(line + blank) + 1);
    for (char *hash = line; (hash = strchr(hash, '#')); hash++)
        if (hash > line && (hash[-1] == ' ' || hash[-1] == '\t')) {
            strcpy(hash, "\n");
            break;
        }
    return line;
}

static int take_line(void *context, const char *section, const char *name, const char *value)
{
    reading *r = context;
    char whole[128];
    if (!strcmp(name, "preset") && !*section)
        return take_preset(r, value);
    bool is_whole = !*section || strchr(name, '.');
    snprintf(whole, sizeof whole, is_whole ? "%.0s%s" : "%s.%s", section, name);
    r->any = true;
    return ztl_timing_set(r->machine, whole, value, &r->error);
}

bool ztl_timing_read_file(const char *path, ztl_timing_machine *machine, ztl_error *error)
{
    reading r = {.machine = machine};
    FILE *file = fopen(path, "r");
    if (!file)
        return ztl_fail(error, "%s: %s", path, strerror(errno));
    ztl_timing_preset("four", machine);
    errno = 0;
    int line = ini_parse_stream(read_line, file, take_line, &r);
    bool unread = line < 0 || ferror(file);
    int why = errno ? errno : EIO;
    fclose(file);
    if (unread)
        return ztl_fail(error, "%s: %s", path, strerror(why));
    return line == 0 ||
           ztl_fail(error, "%s:%d: %s", path, line,
                    *r.error.text ? r.error.text : "neither [SECTION] nor NAME = VALUE");
}
