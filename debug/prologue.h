/* SPDX-License-Identifier: Apache-2.0
 * What a function's first instructions say about its frame, where no unwind table does: C libraries
 * have none for most of their functions.
 */
#ifndef ZTL_DEBUG_PROLOGUE_H
#define ZTL_DEBUG_PROLOGUE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ztl_prologue {
    int64_t size;   /* of the frame */
    int64_t ra, fp; /* where they were stored, from sp on */
    bool keeps_ra, keeps_fp;
} ztl_prologue;

/* The frame of the function that an address is in, as it is there; all 0 when nothing is known. */
ztl_prologue ztl_prologue_of(Dwfl_Module *module, uint64_t pc, unsigned word_size);

#endif
