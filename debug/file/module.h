/* SPDX-License-Identifier: Apache-2.0
 * A program's file, as libdw sees it.
 */
#ifndef ZTL_DEBUG_MODULE_H
#define ZTL_DEBUG_MODULE_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

/* The program of an open ELF file at `base`; NULL when it cannot be read. It lives in *dwfl and as
 * long as the process, which is a sandbox's. */
Dwfl_Module *ztl_module_open(int file, uint64_t base, Dwfl **dwfl);

#endif
