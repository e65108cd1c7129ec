/* SPDX-License-Identifier: Apache-2.0
 *
 * An object assembled for Ztl 1 says so in an ELF note, for the disassembler to know: owner "Ztl",
 * type 1, four bytes with the revision. One without the note is of Ztl 2. The note is not loaded,
 * and code and data are the same with it and without.
 */
#ifndef ZTL_TOOLCHAIN_NOTE_H
#define ZTL_TOOLCHAIN_NOTE_H

#include "host/process/buffer.h"

/* The note as assembly text. */
void ztl_note_print(unsigned revision, ztl_buffer *out);

/* The revision that an ELF file says it is of, or that of the first member of an archive that says
 * one; 0 when none does. */
unsigned ztl_note_revision(const char *path);

#endif
