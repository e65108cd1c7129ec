/* SPDX-License-Identifier: Apache-2.0
 *
 * GNU assembly with Ztl in it to GNU assembly without: our mnemonics become .insn, the names of our
 * CSRs numbers, everything else stays as it is, and every line keeps its number.
 */
#ifndef ZTL_TOOLCHAIN_REWRITE_H
#define ZTL_TOOLCHAIN_REWRITE_H

#include "host/process/buffer.h"
#include "host/process/process.h"
#include "toolchain/rewrite/names.h"

/* One assembly, of one or more files. */
typedef struct ztl_rewriter {
    unsigned revision;
    bool follow_loc;       /* line numbers are those of .loc, in a compiler's output */
    ztl_args loc_files;    /* by the numbers of .file */
    ztl_args include_dirs; /* where .include looks, after the current directory */
    ztl_buffer body;       /* what was rewritten so far */
    unsigned parts;        /* of the prelude that it needs */
    bool changed;          /* whether it differs from the source */
    ztl_names names;       /* that the source defines */
    ztl_args open;         /* files being read, for .include in a circle */
    size_t depth;          /* of .macro, .rept, .irp around the current statement */
} ztl_rewriter;

/* Rewrites a text; `file` is its name in messages. */
void ztl_rewrite_text(ztl_rewriter *rewriter, const char *file, const char *text, size_t length);

/* The whole result: the note of Ztl 1, the prelude, where needed, and the body. False when memory
 * ran out. */
bool ztl_rewrite_result(ztl_rewriter *rewriter, ztl_buffer *out);

void ztl_rewriter_free(ztl_rewriter *rewriter);

#endif
