/* SPDX-License-Identifier: Apache-2.0
 * Opening a program's ELF file with libdw, at the address that it runs at.
 */
#include "debug/file/module.h"

/* Nothing but the program's own file is looked for. */
static int find_nothing(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

Dwfl_Module *ztl_module_open(int file, uint64_t base, Dwfl **dwfl)
{
    static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_nothing};
    if (!(*dwfl = dwfl_begin(&callbacks)))
        return NULL;
    Dwfl_Module *module = dwfl_report_elf(*dwfl, "program", "program", file, base, true);
    return module && !dwfl_report_end(*dwfl, NULL, NULL) ? module : NULL;
}
