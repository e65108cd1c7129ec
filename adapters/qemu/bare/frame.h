/* SPDX-License-Identifier: Apache-2.0
 * The registers of interrupted code, as entry.S lays them out; for C and assembly.
 */
#ifndef ZTL_QEMU_FRAME_H
#define ZTL_QEMU_FRAME_H

#define FRAME_PC     32 /* places of one register each */
#define FRAME_STATUS 33
#define FRAME_PLACES 34

#ifndef __ASSEMBLER__
#include <stdint.h>

typedef struct ztl_frame {
    uintptr_t x[32];
    uintptr_t pc;
    uintptr_t status;
} ztl_frame;
#endif
#endif
