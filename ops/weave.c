/* SPDX-License-Identifier: Apache-2.0
 * Factor 3: PERMUTE moves bits of an index, so planes are woven four ways with a register of
 * anything as the fourth, and CONCAT leaves its elements out. The other way CONCAT does alone.
 */
#include "ops/weave.h"
#include "ops/engine.h"

enum { KEPT = 0x77777777, FIRST_8 = 0x00000377, FIRST_16 = 0x00177777 };

static void concat_masks(uint32_t first, uint32_t second)
{
    __riscv_ztl_csrw_tmask_concat_1(first);
    __riscv_ztl_csrw_tmask_concat_2(second);
}

void ops_weave(unsigned element)
{
    unsigned long halves = ZTL_DIMS(2, 64 / element, 2, 8);
    unsigned long quarters = ZTL_DIMS(2, 32 / element, 2, 16);
#define FOUR(name)                                                                                 \
    do {                                                                                           \
        __riscv_ztl_permute_##name(1, 3, halves);                                                  \
        __riscv_ztl_permute_##name(2, 4, halves);                                                  \
        __riscv_ztl_permute_##name(1, 2, quarters);                                                \
        __riscv_ztl_permute_##name(3, 4, quarters);                                                \
    } while (0)
    switch (element) {
    case 1:
        FOUR(b);
        break;
    case 2:
        FOUR(h);
        break;
    case 4:
        FOUR(w);
        break;
    default:
        FOUR(d);
        break;
    }
#undef FOUR
    concat_masks(KEPT, FIRST_8);
    __riscv_ztl_concat_1(5, 1, 3);
    concat_masks(KEPT & ~FIRST_8, FIRST_16);
    __riscv_ztl_concat_1(6, 3, 2);
    concat_masks(KEPT & ~FIRST_16, KEPT);
    __riscv_ztl_concat_1(7, 2, 4);
}

/* Every third position, from 0, 1 or 2 on. */
#define THIRDS_0 UINT32_C(0x49249249)
#define THIRDS_1 UINT32_C(0x92492492)
#define THIRDS_2 UINT32_C(0x24924924)

/* A plane: its elements of the first two blocks, then of the third. */
#define TAKE_PLANE(to, first, second, taken, third)                                                \
    do {                                                                                           \
        concat_masks(first, second);                                                               \
        __riscv_ztl_concat_1(4, 1, 2);                                                             \
        concat_masks((UINT32_C(1) << (taken)) - 1, third);                                         \
        __riscv_ztl_concat_1(to, 4, 3);                                                            \
    } while (0)

void ops_unweave(void)
{
    TAKE_PLANE(5, THIRDS_0, THIRDS_1, 22, THIRDS_2);
    TAKE_PLANE(6, THIRDS_1, THIRDS_2, 21, THIRDS_0);
    TAKE_PLANE(7, THIRDS_2, THIRDS_0, 21, THIRDS_1);
}
