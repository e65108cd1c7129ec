/* SPDX-License-Identifier: Apache-2.0
 *
 * Disassembly of files: GNU objdump's, with our decoder where it sees only a word.
 */
#ifndef ZTL_TOOLCHAIN_DUMP_H
#define ZTL_TOOLCHAIN_DUMP_H

#include "host/process/process.h"

typedef struct ztl_dump {
    unsigned revision; /* 0: what the file says, or 2 */
    bool assembly;     /* text that assembles back to the same bytes, in place of a listing */
    bool source;       /* file names, line numbers and source text, where the file knows them */
    ztl_args option;   /* for objdump, as they are */
} ztl_dump;

/* Prints the disassembly of an object file, a program or an archive. False and a message when it
 * is none of RISC-V, or objdump failed. */
bool ztl_dump_file(const ztl_dump *dump, const char *path, FILE *out, ztl_error *error);

void ztl_dump_free(ztl_dump *dump);

#endif
