/* SPDX-License-Identifier: Apache-2.0
 * Interleave and deinterleave three planes, in the seven registers from `t` on. PERMUTE alone can
 * only do powers of two, so four planes are interleaved, the fourth being whatever is in its
 * register, and CONCAT drops it:
 *
 *     r g b ? r g b ? …  →  r g b r g b …
 *
 * The other way, CONCAT takes one plane out, and PERMUTE separates the other two.
 */
#ifndef ZTL_OPS_EXEC_PLANES_H
#define ZTL_OPS_EXEC_PLANES_H

#include "ops/exec/engines.h"

#define OPS_MASKED_CONCAT_TL(k, d, a, b, first, second)                                            \
    do {                                                                                           \
        __riscv_ztl_csrw_tmask_concat_1(first);                                                    \
        __riscv_ztl_csrw_tmask_concat_2(second);                                                   \
        OPS_CONCAT_TL(k, d, a, b);                                                                 \
    } while (0)

enum { OPS_KEPT = 0x77777777, OPS_FIRST_8 = 0x00000377, OPS_FIRST_16 = 0x00177777 };

#define OPS_FOUR_PLANES_TL(w, t)                                                                   \
    do {                                                                                           \
        OPS_PERMUTE_TL(0, w, t, (t) + 2, halves);                                                  \
        OPS_PERMUTE_TL(1, w, (t) + 1, (t) + 3, halves);                                            \
        OPS_PERMUTE_TL(0, w, t, (t) + 1, quarters);                                                \
        OPS_PERMUTE_TL(1, w, (t) + 2, (t) + 3, quarters);                                          \
    } while (0)

/* Planes in t … t+2 to alternating elements in t+4 … t+6; bytes of an element. */
#define OPS_INTERLEAVE3_TL(t, bytes)                                                               \
    do {                                                                                           \
        unsigned long halves = ZTL_DIMS(2, 64 / (bytes), 2, 8);                                    \
        unsigned long quarters = ZTL_DIMS(2, 32 / (bytes), 2, 16);                                 \
        switch (bytes) {                                                                           \
        case 1:                                                                                    \
            OPS_FOUR_PLANES_TL(b, t);                                                              \
            break;                                                                                 \
        case 2:                                                                                    \
            OPS_FOUR_PLANES_TL(h, t);                                                              \
            break;                                                                                 \
        case 4:                                                                                    \
            OPS_FOUR_PLANES_TL(w, t);                                                              \
            break;                                                                                 \
        default:                                                                                   \
            OPS_FOUR_PLANES_TL(d, t);                                                              \
        }                                                                                          \
        OPS_MASKED_CONCAT_TL(0, (t) + 4, t, (t) + 2, OPS_KEPT, OPS_FIRST_8);                       \
        OPS_MASKED_CONCAT_TL(1, (t) + 5, (t) + 2, (t) + 1, OPS_KEPT & ~OPS_FIRST_8, OPS_FIRST_16); \
        OPS_MASKED_CONCAT_TL(0, (t) + 6, (t) + 1, (t) + 3, OPS_KEPT & ~OPS_FIRST_16, OPS_KEPT);    \
    } while (0)

/* Masks: which of the 32 elements of each register belong to plane 2; and half a register. */
#define OPS_PLANE_2_OF_0 UINT32_C(0x24924924)
#define OPS_PLANE_2_OF_1 UINT32_C(0x49249249)
#define OPS_PLANE_2_OF_2 UINT32_C(0x92492492)
#define OPS_LOW_HALF     UINT32_C(0xffff)

/* The reverse. Planes 0 and 1 stay together, 16 elements of each in a block, until PERMUTE
 * separates them; only plane 2 needs CONCATs of its own. */
#define OPS_DEINTERLEAVE3_TL(t, bytes)                                                             \
    do {                                                                                           \
        unsigned long blocks = ZTL_DIMS(2, 32 / (bytes), 16, 2);                                   \
        OPS_MASKED_CONCAT_TL(0, (t) + 4, t, (t) + 1, ~OPS_PLANE_2_OF_0,                            \
                             ~OPS_PLANE_2_OF_1 & OPS_LOW_HALF);                                    \
        OPS_MASKED_CONCAT_TL(1, (t) + 5, (t) + 1, (t) + 2, ~OPS_PLANE_2_OF_1 & ~OPS_LOW_HALF,      \
                             ~OPS_PLANE_2_OF_2);                                                   \
        OPS_MASKED_CONCAT_TL(0, (t) + 3, t, (t) + 1, OPS_PLANE_2_OF_0, OPS_PLANE_2_OF_1);          \
        OPS_MASKED_CONCAT_TL(1, (t) + 6, (t) + 3, (t) + 2, (UINT32_C(1) << 21) - 1,                \
                             OPS_PLANE_2_OF_2);                                                    \
        switch (bytes) {                                                                           \
        case 1:                                                                                    \
            OPS_PERMUTE_TL(0, b, (t) + 4, (t) + 5, blocks);                                        \
            break;                                                                                 \
        case 2:                                                                                    \
            OPS_PERMUTE_TL(0, h, (t) + 4, (t) + 5, blocks);                                        \
            break;                                                                                 \
        case 4:                                                                                    \
            OPS_PERMUTE_TL(0, w, (t) + 4, (t) + 5, blocks);                                        \
            break;                                                                                 \
        default:                                                                                   \
            OPS_PERMUTE_TL(0, d, (t) + 4, (t) + 5, blocks);                                        \
        }                                                                                          \
    } while (0)

#endif
