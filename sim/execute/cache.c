/* SPDX-License-Identifier: Apache-2.0
 * Instructions on a block of memory of the size of a cache line. There is no cache: cbo.zero stores
 * zeros, the others only look whether they may.
 */
#include "sim/hart.h"
#include "sim/privileged/csr.h"

enum { BLOCK = 64, WORD = 8 };

bool ztl_cache_allowed(const ztl_hart *hart, unsigned op)
{
    uint64_t enabled = op == OP_CBO_ZERO    ? MENVCFG_CBZE
                       : op == OP_CBO_INVAL ? MENVCFG_CBIE
                                            : MENVCFG_CBCFE;
    return hart->privilege == ZTL_MACHINE || (hart->csr.menvcfg & enabled);
}

static bool may_use(const ztl_hart *hart, uint64_t block, enum ztl_use use)
{
    for (unsigned k = 0; k < BLOCK; k += WORD)
        if (!ztl_memory_allows(hart, block + k, WORD, use))
            return false;
    return true;
}

void ztl_execute_cache(ztl_hart *hart, const decoded *insn)
{
    bool zeroes = insn->op == OP_CBO_ZERO;
    uint64_t address = hart->x[insn->rs1], block = address & ~(uint64_t)(BLOCK - 1);
    if (!ztl_cache_allowed(hart, insn->op))
        return ztl_raise(hart, CAUSE_ILLEGAL, insn->word);
    if (!may_use(hart, block, USE_STORE) && (zeroes || !may_use(hart, block, USE_LOAD)))
        return ztl_raise(hart, CAUSE_STORE_FAULT, address);
    for (unsigned k = 0; zeroes && k < BLOCK; k += WORD)
        ztl_store(hart, block + k, WORD, 0);
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}
