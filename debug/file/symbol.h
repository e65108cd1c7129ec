/* SPDX-License-Identifier: Apache-2.0
 * Symbols of a program, for code that has no debugging information.
 */
#ifndef ZTL_DEBUG_SYMBOL_H
#define ZTL_DEBUG_SYMBOL_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

/* The name of the symbol of code that an address belongs to, the last at or before it; NULL when
 * there is none. *start becomes its address. */
const char *ztl_symbol_at(Dwfl_Module *module, uint64_t address, uint64_t *start);

#endif
