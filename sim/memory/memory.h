/* SPDX-License-Identifier: Apache-2.0
 * What the files of memory share; sim/hart.h has what others use.
 */
#ifndef ZTL_SIM_MEMORY_H
#define ZTL_SIM_MEMORY_H

#include "sim/hart.h"

/* One bit for each two bytes of RAM. */
enum { CODE_UNIT_SHIFT = 1, CODE_BYTE_SHIFT = CODE_UNIT_SHIFT + 3 };

/* ---- sim/memory/ram.c ---- */
/* Forgets what is known of all granules, and the code. */
void ztl_memory_unmark(region *piece);

/* ---- sim/memory/span.c ---- */
/* How many bytes from an address on lie in one region, may be used so (0: are mapped), at most
 * `size`; and where. */
size_t ztl_memory_span_for(const ztl_hart *hart, uint64_t address, size_t size, unsigned use,
                           region **piece);
size_t ztl_memory_span(const ztl_hart *hart, uint64_t address, size_t size, region **piece);
/* Ranges that are all mapped. */
void ztl_memory_copy_out(const ztl_hart *hart, uint64_t address, uint8_t *bytes, size_t size);
void ztl_memory_copy_in(ztl_hart *hart, uint64_t address, const uint8_t *bytes, size_t size);

/* ---- sim/memory/access.c ---- */
/* Makes the window around an address the one that is looked at first; forgets all of them. */
void ztl_memory_set_hot(ztl_hart *hart, const region *piece, uint64_t address);
void ztl_memory_forget_windows(ztl_hart *hart);
/* Notes an access for the observer and the watchpoints. */
void ztl_memory_note(ztl_hart *hart, uint64_t address, size_t size, uint64_t value, bool is_store);

/* ---- sim/memory/code.c ---- */
/* Does decoded code come from these bytes? The flags of the granules answer first. */
bool ztl_memory_touches_code(const region *piece, uint64_t offset, size_t size);

/* ---- sim/memory/model.c ---- */
void ztl_memory_serve_model(ztl_hart *hart);
/* Lists anew what Ztl instructions may reach by pointer. To stores that is all RAM but the granules
 * between the first and the last decoded code. */
void ztl_memory_list_ram(ztl_hart *hart);

#endif
