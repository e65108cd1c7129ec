/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembling: the C preprocessor where asked for, the rewriter, then the real assembler.
 */
#ifndef ZTL_TOOLCHAIN_ASSEMBLER_H
#define ZTL_TOOLCHAIN_ASSEMBLER_H

#include "host/process/process.h"

/* All zero but `input` is a good default. Paths are borrowed. */
typedef struct ztl_assembler {
    bool clang;         /* clang's assembler in place of GNU as */
    unsigned revision;  /* 0: that of march, else 2 */
    const char *march;  /* the ISA string, with or without Ztl; may be NULL */
    const char *output; /* NULL: a.out */
    const char *name;   /* of a single input in messages; NULL: its path */
    ztl_args input;     /* .S files are preprocessed; "-" is standard input */
    ztl_args include_dirs;
    ztl_args define; /* -DNAME=VALUE, for the preprocessor */
    ztl_args option; /* for the assembler, as they are */
    bool follow_loc; /* the input is a compiler's: messages name the lines of its .loc */
    bool quiet;      /* show the assembler's messages only when it succeeds */
    bool print;      /* write the rewritten text to standard output, and assemble nothing */
} ztl_assembler;

/* Returns the assembler's exit status; 1 and a message when it could not be reached. Messages on
 * the source come from the assembler itself; then `error` is empty. */
int ztl_assembler_run(ztl_assembler *assembler, ztl_error *error);

void ztl_assembler_free(ztl_assembler *assembler);

/* The GNU assembler to use: ZTL_AS, that of the gcc that runs us, or the first that there is. */
void ztl_assembler_program(char *program, size_t size);

#endif
