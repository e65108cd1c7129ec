/* SPDX-License-Identifier: Apache-2.0
 * The interpreter's labels: each operation's body, and the jump to the next slot's.
 */
#define INSN(ID)                                                                                   \
    insn_##ID:                                                                                     \
    {                                                                                              \
        BODY_##ID;                                                                                 \
        NEXT;                                                                                      \
    }
#include "sim/execute/bodies.def"

#define FUSED(A, B)                                                                                \
    insn_##A##_##B:                                                                                \
    {                                                                                              \
        BODY_##A;                                                                                  \
    }                                                                                              \
    ip++;                                                                                          \
    {                                                                                              \
        BODY_##B;                                                                                  \
        NEXT;                                                                                      \
    }
#if XLEN == 32
#define FUSED_64(A, B)
#endif
#include "sim/blocks/fused.def"

#define OWN(ID)                                                                                    \
    insn_##ID:                                                                                     \
    {                                                                                              \
        BODY_##ID;                                                                                 \
        NEXT;                                                                                      \
    }
#include "sim/blocks/own.def"
