/* SPDX-License-Identifier: Apache-2.0
 * The function symbol that covers an address.
 */
#include "debug/file/symbol.h"

#include <stdbool.h>

/* Where functions and labels are; not the marks $x and $d that the assembler leaves. */
static bool names_code(const char *name, const GElf_Sym *symbol)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return name && *name && *name != '$' && symbol->st_shndx != SHN_ABS &&
           symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_NOTYPE);
}

/* Of several at one address: a function before a label, a global name before a local one. */
static int rank(const GElf_Sym *symbol)
{
    return 2 * (GELF_ST_TYPE(symbol->st_info) == STT_FUNC) +
           (GELF_ST_BIND(symbol->st_info) != STB_LOCAL);
}

const char *ztl_symbol_at(Dwfl_Module *module, uint64_t address, uint64_t *start)
{
    const char *best = NULL;
    GElf_Addr bias, at;
    Elf *elf = dwfl_module_getelf(module, &bias);
    int best_rank = 0, count = elf ? dwfl_module_getsymtab(module) : 0;
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &at, NULL, NULL, NULL);
        if (!names_code(name, &symbol) || at > address)
            continue;
        if (best && (at < *start || (at == *start && rank(&symbol) <= best_rank)))
            continue;
        best = name;
        best_rank = rank(&symbol);
        *start = at;
    }
    return best;
}
