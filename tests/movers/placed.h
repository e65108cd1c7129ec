/* SPDX-License-Identifier: Apache-2.0
 * Random tensors for tests of movers: dense or with gaps, and some dimensions backwards.
 */
#ifndef ZTL_TESTS_MOVERS_PLACED_H
#define ZTL_TESTS_MOVERS_PLACED_H

#include <ztl/movers.h>

#include "tests/unit.h"

enum { SPACE = 1 << 16, RANK = 3 };

static uint64_t chance = 1;

static unsigned draw(unsigned below)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance >> 33) % below;
}

static ztl_ops_tensor place(unsigned bytes, const int64_t *extent, unsigned rank)
{
    ztl_ops_tensor t;
    assert_true(ztl_ops_dense(&t, 8 * bytes, rank, extent));
    if (draw(2))
        return t;
    int64_t step = bytes;
    t.offset = bytes * draw(3);
    for (unsigned d = rank; d-- > 0;) {
        step *= 1 + (int64_t)draw(2);
        t.stride[d] = step;
        if (draw(3) == 0) {
            t.stride[d] = -step;
            t.offset += step * (extent[d] - 1);
        }
        step *= extent[d];
    }
    t.size = SPACE;
    return t;
}

#endif
