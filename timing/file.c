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
    char message[200];
} reading;

/* "four", over everything so far; only before anything else. */
static bool take_preset(reading *r, const char *value)
{
    char near[64];
    if (r->any)
        return ztl_timing_error(r->message, sizeof r->message,
                                "preset must come before all parameters");
    if (ztl_timing_preset(value, r->machine))
        return true;
    ztl_timing_near_preset(value, near);
    return ztl_timing_error(r->message, sizeof r->message,
                            "preset: '%s' is not one of: four, one, wide%s", value, near);
}

/* inih knows ; behind a value, people write # too. */
static void cut_comment(char *value)
{
    for (char *hash = value; (hash = strchr(hash, '#')); hash++)
        if (hash > value && (hash[-1] == ' ' || hash[-1] == '\t')) {
            *hash = '\0';
            break;
        }
    size_t length = strlen(value);
    while (length && (value[length - 1] == ' ' || value[length - 1] == '\t'))
        value[--length] = '\0';
}

static int take_line(void *context, const char *section, const char *name, const char *value)
{
    reading *r = context;
    char whole[128], text[128];
    snprintf(text, sizeof text, "%s", value);
    cut_comment(text);
    if (!strcmp(name, "preset") && !*section)
        return take_preset(r, text);
    bool is_whole = !*section || strchr(name, '.');
    snprintf(whole, sizeof whole, is_whole ? "%.0s%s" : "%s.%s", section, name);
    r->any = true;
    return ztl_timing_set(r->machine, whole, text, r->message, sizeof r->message);
}

bool ztl_timing_read_file(const char *path, ztl_timing_machine *machine, char *error, size_t size)
{
    reading r = {.machine = machine};
    ztl_timing_preset("four", machine);
    errno = 0;
    int line = ini_parse(path, take_line, &r);
    if (line == 0)
        return true;
    if (line < 0)
        return ztl_timing_error(error, size, "%s: %s", path, strerror(errno ? errno : EIO));
    return ztl_timing_error(error, size, "%s:%d: %s", path, line,
                            *r.message ? r.message : "neither [SECTION] nor NAME = VALUE");
}
