/* SPDX-License-Identifier: Apache-2.0
 * ztl isa: the table, for people and for tools.
 */
#include <stdio.h>

#include <ztl/ztl.h>

#include "cli/command.h"

int ztl_cli_isa(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        printf("Ztl %u  %-14s %s\n", row->revision, row->mnemonic, row->meaning);
    return ZTL_EXIT_OK;
}
