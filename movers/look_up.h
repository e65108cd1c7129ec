/* SPDX-License-Identifier: Apache-2.0
 * Gathers and conditions whose indices are read when a mover runs.
 */
#ifndef ZTL_MOVERS_LOOK_UP_H
#define ZTL_MOVERS_LOOK_UP_H

#include "ops/map/lookup.h"
#include "movers/job.h"

typedef struct native_look_up {
    ops_lookup x; /* the loops that remain around a run */
    int64_t run;  /* its bytes */
} native_look_up;

/* False for what is done otherwise: scatters, and where there is nothing to do. */
bool ztl_native_look_up_new(native_look_up *l, const ops_lookup *x, int64_t element);

/* False, and nothing written, where an index is out of range. */
bool ztl_native_look_up(const native_look_up *l, const native_buffers *buffers);

#endif
