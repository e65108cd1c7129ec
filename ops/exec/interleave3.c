/* SPDX-License-Identifier: Apache-2.0
 * Interleave and deinterleave three planes. PERMUTE alone can only do powers of two, so four planes
 * are interleaved, the fourth being whatever is in its register, and CONCAT drops it:
 *
 *     r g b ? r g b ? …  →  r g b r g b …
 *
 * The other way, CONCAT takes one plane out, and PERMUTE separates the other two.
 */
#include "ops/exec/exec.h"
#include "ops/exec/insn.h"

enum { KEPT = 0x77777777, FIRST_8 = 0x00000377, FIRST_16 = 0x00177777 };

static void concat_masks(uint32_t first, uint32_t second)
{
    __riscv_ztl_csrw_tmask_concat_1(first);
    __riscv_ztl_csrw_tmask_concat_2(second);
}

void ztl_ops_run_interleave3(unsigned element)
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

/* Masks: which of the 32 elements of each register belong to plane 2; and half a register. */
#define PLANE_2_OF_0 UINT32_C(0x24924924)
#define PLANE_2_OF_1 UINT32_C(0x49249249)
#define PLANE_2_OF_2 UINT32_C(0x92492492)
#define LOW_HALF     UINT32_C(0xffff)

/* Planes 0 and 1 stay together, 16 elements of each in a block, until PERMUTE separates them; only
 * plane 2 needs CONCATs of its own. */
void ztl_ops_run_deinterleave3(unsigned element)
{
    unsigned long blocks = ZTL_DIMS(2, 32 / element, 16, 2);
    concat_masks(~PLANE_2_OF_0, ~PLANE_2_OF_1 & LOW_HALF);
    __riscv_ztl_concat_1(5, 1, 2);
    concat_masks(~PLANE_2_OF_1 & ~LOW_HALF, ~PLANE_2_OF_2);
    __riscv_ztl_concat_1(6, 2, 3);
    concat_masks(PLANE_2_OF_0, PLANE_2_OF_1);
    __riscv_ztl_concat_1(4, 1, 2);
    concat_masks((UINT32_C(1) << 21) - 1, PLANE_2_OF_2);
    __riscv_ztl_concat_1(7, 4, 3);
    switch (element) {
    case 1:
        __riscv_ztl_permute_b(5, 6, blocks);
        break;
    case 2:
        __riscv_ztl_permute_h(5, 6, blocks);
        break;
    case 4:
        __riscv_ztl_permute_w(5, 6, blocks);
        break;
    default:
        __riscv_ztl_permute_d(5, 6, blocks);
        break;
    }
}
