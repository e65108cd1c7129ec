/* SPDX-License-Identifier: Apache-2.0
 * Which hart executes the intrinsics of plans; and RAM that is this module's own memory.
 */
#ifndef ZTL_PLAY_EXECUTED_H
#define ZTL_PLAY_EXECUTED_H

#include <ztl/hart.h>

/* Whether none trapped on the hart before. */
bool play_execute_on(ztl_hart *hart);

/* RAM of so many bytes of a hart that is made now is the module's own, at the same addresses, from
 * PLAY_OWN on; 0: no more. */
enum { PLAY_OWN = 65536 };
void play_map_own_memory(size_t size);

#endif
