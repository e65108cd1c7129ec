/* SPDX-License-Identifier: Apache-2.0
 * Source lines, found by libdw.
 */
#include "cli/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwfl.h>

struct ztl_lines {
    Dwfl *dwfl;
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static bool report(Dwfl *dwfl, const char *path)
{
    return dwfl && dwfl_report_elf(dwfl, path, path, -1, 0, false) &&
           dwfl_report_end(dwfl, NULL, NULL) == 0;
}

ztl_lines *ztl_lines_open(const char *path)
{
    ztl_lines *lines = malloc(sizeof *lines);
    if (!lines)
        return NULL;
    lines->dwfl = dwfl_begin(&callbacks);
    if (!report(lines->dwfl, path)) {
        ztl_lines_close(lines);
        return NULL;
    }
    return lines;
}

void ztl_lines_close(ztl_lines *lines)
{
    if (!lines)
        return;
    dwfl_end(lines->dwfl);
    free(lines);
}

void ztl_lines_find(const ztl_lines *lines, uint64_t pc, char *text, size_t size)
{
    int number = 0;
    *text = '\0';
    Dwfl_Line *line = lines ? dwfl_getsrc(lines->dwfl, pc) : NULL;
    const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (!file)
        return;
    const char *slash = strrchr(file, '/');
    snprintf(text, size, "%s:%d", slash ? slash + 1 : file, number);
}
