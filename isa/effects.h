/* SPDX-License-Identifier: Apache-2.0
 * ztl_op_effects for the library itself, which asks at each execution.
 */
#ifndef ZTL_ISA_EFFECTS_H
#define ZTL_ISA_EFFECTS_H

#include <ztl/isa.h>

extern const uint32_t ztl_effects_by_op[ZTL_OPS];

/* 0 for no instruction. */
static inline uint32_t ztl_effects(const ztl_insn_row *row)
{
    return row ? ztl_effects_by_op[row->op] : 0;
}

#endif
