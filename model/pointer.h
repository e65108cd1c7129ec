/* SPDX-License-Identifier: Apache-2.0
 * The one check that every public function makes of its state.
 */
#ifndef ZTL_POINTER_H
#define ZTL_POINTER_H

#include <ztl/ztl.h>

static inline bool ztl_usable(const ztl_state *state)
{
    return state && (uintptr_t)state % _Alignof(ztl_state) == 0;
}

#endif
