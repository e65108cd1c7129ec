/* SPDX-License-Identifier: Apache-2.0
 *
 * Disassembly of files: GNU objdump's, with our decoder where it sees only a word.
 */
#ifndef ZTL_TOOLCHAIN_DUMP_H
#define ZTL_TOOLCHAIN_DUMP_H

#include "toolchain/buffer.h"
#include "toolchain/process.h"

typedef struct ztl_dump {
    unsigned revision;
    bool assembly;   /* text that assembles back to the same bytes, in place of a listing */
    bool source;     /* file names, line numbers and source text, where the file knows them */
    ztl_args option; /* for objdump, as they are */
} ztl_dump;

/* Prints the disassembly of an object file, a program or an archive. False and a message when it
 * is none of RISC-V, or objdump failed. */
bool ztl_dump_file(const ztl_dump *dump, const char *path, FILE *out, char *error,
                   size_t error_size);

/* One line of objdump -d in our words, to `text`; the line as it is when there is no Ztl in it. */
void ztl_dump_line(unsigned revision, const char *line, ztl_buffer *text);

/* The same as source for `ztl as`. `*size` is that of the instruction before, in bytes; 0 at
 * first. */
void ztl_dump_assembly(unsigned revision, const char *line, size_t *size, ztl_buffer *text);

void ztl_dump_free(ztl_dump *dump);

#endif
