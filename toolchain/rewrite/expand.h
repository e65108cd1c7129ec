/* SPDX-License-Identifier: Apache-2.0
 *
 * One statement of ours as statements that a stock assembler takes, all on one line. What is wrong
 * becomes an `.error`, so that the assembler reports it at its file and line, and only where the
 * statement is assembled at all.
 */
#ifndef ZTL_TOOLCHAIN_EXPAND_H
#define ZTL_TOOLCHAIN_EXPAND_H

#include "host/process/buffer.h"
#include "toolchain/rewrite/lexer.h"
#include "toolchain/rewrite/names.h"

typedef struct ztl_statement {
    unsigned revision;
    ztl_span mnemonic;
    ztl_span operands; /* without comments */
    bool alternate;    /* in a macro of .altmacro: a word such as x1 may be a parameter there */
    const ztl_names *names; /* of the source; may be NULL */
} ztl_statement;

/* A Ztl instruction. Adds to *parts what it needs of the prelude. False, and nothing written, when
 * only the assembler can know which one it is. */
bool ztl_expand_insn(const ztl_statement *statement, ztl_buffer *out, unsigned *parts);

/* A CSR instruction; false, and nothing written, when no Ztl CSR is meant. */
bool ztl_expand_csr(const ztl_statement *statement, ztl_buffer *out, unsigned *parts);

/* A macro's arguments that hold a CSR instruction, as in `run csrw tshape, a0`; false, and nothing
 * written, when no Ztl CSR stands behind the name of one. */
bool ztl_expand_csr_argument(const ztl_statement *statement, ztl_buffer *out);

/* `.error "…"` */
void ztl_expand_error(ztl_buffer *out, const char *message);

#endif
