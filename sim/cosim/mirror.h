/* SPDX-License-Identifier: Apache-2.0
 *
 * A hart whose instructions another machine executes: it lends its memory, its hooks serve that
 * machine's host calls, and what ended the other is to be seen in it.
 */
#ifndef ZTL_SIM_MIRROR_H
#define ZTL_SIM_MIRROR_H

#include <ztl/hart.h>

/* Makes a file the hart's memory, shared with whoever else maps it: RAM is at its own address in
 * it. What was in the RAM is lost. False with errno. */
bool ztl_mirror_share(ztl_hart *hart, int file);

/* The trap becomes the hart's last one, with pc at it. */
void ztl_mirror_trap(ztl_hart *hart, const ztl_trap *trap);

/* A semihosting call, by the hart's registers; a store, which is in memory already. */
void ztl_mirror_call(ztl_hart *hart);
void ztl_mirror_store(ztl_hart *hart, uint64_t address, unsigned size);

/* The range whose stores are reported; size 0: none. */
ztl_window ztl_mirror_watched(const ztl_hart *hart);

/* The other machine has run on for a while. */
void ztl_mirror_advance(ztl_hart *hart);

/* ZTL_STOP_EXIT or ZTL_STOP_HOST once a hook has asked for that, else ZTL_STOP_LIMIT. */
enum ztl_stop ztl_mirror_asked(const ztl_hart *hart);

#endif
