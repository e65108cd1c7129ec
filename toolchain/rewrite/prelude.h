/* SPDX-License-Identifier: Apache-2.0
 *
 * What rewritten assembly asks the assembler to know. An operand that is a macro argument has no
 * value yet when the source is rewritten; the assembler finds it later by a symbol whose name ends
 * in the operand's text: `\d`, which becomes tl5, is the value of `.Lztl.tl.\d`.
 */
#ifndef ZTL_TOOLCHAIN_PRELUDE_H
#define ZTL_TOOLCHAIN_PRELUDE_H

#include "host/process/buffer.h"
#include "toolchain/rewrite/names.h"

#define ZTL_SYMBOL_TL     ".Lztl.tl."
#define ZTL_SYMBOL_GPR    ".Lztl.x."
#define ZTL_SYMBOL_ENGINE ".Lztl.engine."
#define ZTL_SYMBOL_INSN   ".Lztl.insn."

/* Where ztl.address leaves an offset, and the number of a base as that of a register's name. */
#define ZTL_ADDRESS_OFFSET ".Lztl.offset"
#define ZTL_ADDRESS_BASE   "ztl.base"

/* The parts of the prelude, as a set of bits. */
enum ztl_prelude {
    ZTL_PRELUDE_TL = 1 << 0,
    ZTL_PRELUDE_GPR = 1 << 1,
    ZTL_PRELUDE_ENGINE = 1 << 2,
    ZTL_PRELUDE_INSN = 1 << 3, /* the fixed bits of each mnemonic */
    ZTL_PRELUDE_EMIT = 1 << 4, /* ztl.emit: the word of .Lztl.rd and .Lztl.high ([31:12]) */
    ZTL_PRELUDE_CSR = 1 << 5,  /* ztl.csr NAME: .Lztl.csr is its address, or -1 */
    /* ztl.address TEXT: whether 4(a0) or the like is .Lztl.bad, and its two values */
    ZTL_PRELUDE_ADDRESS = 1 << 6,
    ZTL_PRELUDE_MACROS = 1 << 7, /* the mnemonics as macros: toolchain/rewrite/mnemonics.h */
};

/* What the source defines is not defined here too. */
void ztl_prelude_print(unsigned revision, unsigned parts, const ztl_names *names, ztl_buffer *out);

#endif
