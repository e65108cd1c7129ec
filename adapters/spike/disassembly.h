/* SPDX-License-Identifier: Apache-2.0
 * The texts of Ztl for Spike's disassembler.
 */
#ifndef ZTL_SPIKE_DISASSEMBLY_H
#define ZTL_SPIKE_DISASSEMBLY_H

#include <vector>

#include <riscv/disasm.h>

namespace ztl_spike
{

/* All instructions of a revision, and those that access its CSRs. Spike deletes what it gets. */
std::vector<disasm_insn_t *> disassembly(unsigned revision);

} // namespace ztl_spike

#endif
