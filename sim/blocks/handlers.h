/* SPDX-License-Identifier: Apache-2.0
 * The initializers of the interpreter's table: how far each operation's label is from `look_up`.
 */
/* clang-format off */
#define HANDLER(label) (int32_t)((const char *)&&label - (const char *)&&look_up)
#define INSN(ID)       [OP_##ID] = HANDLER(insn_##ID),
#include "sim/execute/bodies.def"
#define FUSED(A, B) [OP_##A##_##B] = HANDLER(insn_##A##_##B),
#if XLEN == 32
#define FUSED_64(A, B)
#endif
#include "sim/blocks/fused.def"
        [OP_LEAVE] = HANDLER(leave),
#define OWN(ID) [OP_##ID] = HANDLER(insn_##ID),
#include "sim/blocks/own.def"
