/* SPDX-License-Identifier: Apache-2.0
 * What the assembler cannot know: the name of a CSR that it refuses may be close to one of ours.
 */
#ifndef ZTL_TOOLCHAIN_HINT_H
#define ZTL_TOOLCHAIN_HINT_H

#include <stdio.h>

/* Prints the messages of GNU as or clang with a suggestion behind each about such a name. Which
 * names are good, of the base or the user's own, is thus the assembler's to say. */
void ztl_hint_print(const char *messages, unsigned revision, FILE *out);

#endif
