/* SPDX-License-Identifier: Apache-2.0
 * Functions, inlined ones too, file and line of an address, by DWARF or symbols.
 */
#include "debug/source.h"

#include <dwarf.h>
#include <stdlib.h>

#include "debug/code.h"
#include "debug/file/symbol.h"

/* The compilation unit that has an address. clang writes no .debug_aranges, so each is asked. */
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    return NULL;
}

/* The DIEs around an address, innermost first; -1 or 0 if there are none. What dwarf_getscopes
 * gives beyond the first is where an inlined function is defined, not where it was put. */
static int scopes_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
    Dwarf_Die *found = NULL;
    *scopes = NULL;
    int count = dwarf_getscopes(unit, address, &found);
    if (count > 0)
        count = dwarf_getscopes_die(&found[0], scopes);
    free(found);
    return count;
}

static int number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute value;
    Dwarf_Word number;
    return dwarf_formudata(dwarf_attr(die, attribute, &value), &number) || number > INT32_MAX
               ? 0
               : (int)number;
}

/* Where an inlined function was called. */
static void call_place(Dwarf_Die *unit, Dwarf_Die *inlined, ztl_place *caller)
{
    Dwarf_Files *files;
    size_t count, file = (size_t)number_of(inlined, DW_AT_call_file);
    caller->line = number_of(inlined, DW_AT_call_line);
    caller->file = caller->line && dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count
                       ? dwarf_filesrc(files, file, NULL, NULL)
                       : NULL;
}

static void line_at(Dwarf_Die *unit, Dwarf_Addr address, ztl_place *place)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    place->file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (!place->file || dwarf_lineno(line, &place->line))
        place->file = NULL;
}

/* The name of a function: as the linker has it, which tells the scope of one of C++, or its own. */
static const char *name_of(Dwarf_Die *function)
{
    Dwarf_Attribute value;
    const char *linked =
        dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &value));
    return linked ? linked : dwarf_diename(function);
}

/* The functions of the debugging information; false when it knows none there. */
static bool find_functions(Dwarf_Die *unit, Dwarf_Addr address, ztl_place *place, size_t *count)
{
    Dwarf_Die *scopes;
    int depth = scopes_at(unit, address, &scopes);
    bool whole = false;
    for (int i = 0; i < depth && !whole && *count < ZTL_MAX_INLINED; i++) {
        int tag = dwarf_tag(&scopes[i]);
        place[*count].inlined = tag == DW_TAG_inlined_subroutine;
        whole = tag == DW_TAG_subprogram;
        if (!whole && !place[*count].inlined)
            continue;
        place[*count].function = name_of(&scopes[i]);
        *count += 1;
        if (!whole && *count < ZTL_MAX_INLINED)
            call_place(unit, &scopes[i], &place[*count]);
    }
    free(scopes);
    return whole;
}

bool ztl_source_line(Dwfl_Module *module, uint64_t address, ztl_place *place)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = unit_at(module, address, &bias);
    *place = (ztl_place){.function = NULL};
    if (unit)
        line_at(unit, address - bias, place);
    return place->file;
}

size_t ztl_source_find(Dwfl_Module *module, uint64_t address, ztl_place place[ZTL_MAX_INLINED])
{
    size_t count = 0;
    Dwarf_Addr bias;
    uint64_t start = address;
    for (size_t i = 0; i < ZTL_MAX_INLINED; i++)
        place[i] = (ztl_place){.function = NULL};
    Dwarf_Die *unit = unit_at(module, address, &bias);
    if (unit)
        line_at(unit, address - bias, &place[0]);
    if (unit && find_functions(unit, address - bias, place, &count) && place[count - 1].function)
        return count;
    if (count == ZTL_MAX_INLINED)
        return count;
    if (ztl_code_has(module, address))
        place[count].function = ztl_symbol_at(module, address, &start);
    place[count].offset = address - start;
    return count + 1;
}
