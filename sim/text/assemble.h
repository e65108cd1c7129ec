/* SPDX-License-Identifier: Apache-2.0
 * The counterpart of ztl_hart_disassemble, for the commands.
 */
#ifndef ZTL_SIM_ASSEMBLE_H
#define ZTL_SIM_ASSEMBLE_H

#include <ztl/hart.h>

/* The word of an instruction of the ISA, base or Ztl, or of a pseudo-instruction that is one. A
 * number as target of a jump or branch is an address, or, where that is out of reach, the distance
 * from pc, which can also be written as .+8. False and a message when the text is wrong. */
bool ztl_hart_assemble(const ztl_hart_isa *isa, uint64_t pc, const char *text, uint32_t *word,
                       ztl_error *error);

#endif
