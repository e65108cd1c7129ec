/* SPDX-License-Identifier: Apache-2.0
 * Tiles of 32 by 32 bytes, loaded, transposed in pairs and stored: three Ztl instructions a round.
 */
#include <ztl/intrin.h>

#include "guest.h"

static uint8_t from[1024], to[1024];

uint64_t work(void)
{
    uint32_t seed = 1;
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)next_random(&seed);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    for (unsigned i = 0; i < ROUNDS; i++) {
        __riscv_ztl_load(1, from, 0);
        __riscv_ztl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
        __riscv_ztl_store(1, to, 0);
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < sizeof to; i++)
        sum = sum * 31 + to[i];
    return sum;
}
