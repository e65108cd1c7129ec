/* SPDX-License-Identifier: Apache-2.0
 * What the program's own instructions say about an address.
 */
#ifndef ZTL_DEBUG_CODE_H
#define ZTL_DEBUG_CODE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether an address lies in a section of code. */
bool ztl_code_has(Dwfl_Module *module, uint64_t address);

/* The `size` bytes of code at an address, as a number; 0, which is no instruction, if there are
 * none. */
uint32_t ztl_code_fetch(Dwfl_Module *module, uint64_t address, unsigned size);

/* Whether a call that returns to `ra` can have led to `pc`, in code that says nothing about its
 * frames. */
bool ztl_code_called(Dwfl_Module *module, uint64_t ra, uint64_t pc);

/* Whether the instruction before `ra` is a call. */
bool ztl_code_returns(Dwfl_Module *module, uint64_t ra);

#endif
