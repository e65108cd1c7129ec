/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/revision.h"

#include <stdio.h>
#include <string.h>

enum ztl_revision_option ztl_cli_revision(const char *command, char **argv, int *i,
                                          unsigned *revision)
{
    static const char name[] = "--revision";
    const char *rest = argv[*i] + sizeof name - 1;
    if (strncmp(argv[*i], name, sizeof name - 1) || (*rest && *rest != '='))
        return ZTL_NO_REVISION;
    const char *value = *rest ? rest + 1 : argv[*i + 1];
    if (!value || (strcmp(value, "1") && strcmp(value, "2"))) {
        fprintf(stderr, "ztl %s: --revision %s: must be 1 or 2\n", command, value ? value : "");
        return ZTL_REVISION_WRONG;
    }
    *revision = value[0] == '1' ? 1 : 2;
    *i += !*rest;
    return ZTL_REVISION_TAKEN;
}
