/* SPDX-License-Identifier: Apache-2.0
 * The stack, which a program can only be short of by a signal.
 */
#ifndef ZTL_HOST_STACK_H
#define ZTL_HOST_STACK_H

#include <stdbool.h>

/* Takes as much of the stack as any command needs, now that this can fail with words. False with
 * errno set. To be called first, by the main thread. */
bool ztl_stack_reserve(void);

#endif
