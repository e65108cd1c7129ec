/* SPDX-License-Identifier: Apache-2.0
 * From the registers of a stopped program to the places that its functions are at.
 */
#ifndef ZTL_DEBUG_FRAMES_H
#define ZTL_DEBUG_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "debug/backtrace.h"

enum { ZTL_MAX_FRAMES = 64 };

typedef struct ztl_frames {
    uint64_t at[ZTL_MAX_FRAMES]; /* an address within the instruction that the frame is at */
    size_t count;
    bool cut; /* there were more */
} ztl_frames;

/* Walks up the stack: by the unwind tables of the module, and where it has none by ra and the frame
 * pointer, as far as they can be believed. */
void ztl_frames_find(Dwfl *dwfl, Dwfl_Module *module, const ztl_stopped *stopped,
                     ztl_frames *frames);

#endif
