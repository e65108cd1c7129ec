/* SPDX-License-Identifier: Apache-2.0
 *
 * Our mnemonics as macros of the assembler: for an instruction that only appears when it expands a
 * macro, such as \insn or \op \d, \s, 5, and so is not in the text that is rewritten.
 */
#ifndef ZTL_TOOLCHAIN_MNEMONICS_H
#define ZTL_TOOLCHAIN_MNEMONICS_H

#include "toolchain/rewrite/names.h"

/* All but those that the source has macros for. Adds to *parts what they need of the prelude. */
void ztl_mnemonics_print(unsigned revision, const ztl_names *names, ztl_buffer *out,
                         unsigned *parts);

#endif
