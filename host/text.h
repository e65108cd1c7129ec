/* SPDX-License-Identifier: Apache-2.0
 * Text that a file or a guest chose, made fit for a terminal.
 */
#ifndef ZTL_HOST_TEXT_H
#define ZTL_HOST_TEXT_H

#include <stddef.h>

/* Copies `source`, up to its end, to `size` bytes, terminated and cut between characters where they
 * do not suffice. Printable UTF-8 stays; each byte of anything else, escape sequences above all,
 * becomes \xNN. Returns the length of the copy. */
size_t ztl_safe_text(char *text, size_t size, const char *source);

#endif
