/* SPDX-License-Identifier: Apache-2.0
 * The names that a source defines: what is theirs is not ours.
 */
#ifndef ZTL_TOOLCHAIN_NAMES_H
#define ZTL_TOOLCHAIN_NAMES_H

#include "host/process/buffer.h"
#include "host/process/process.h"
#include "toolchain/rewrite/lexer.h"

/* All zero at the start. */
typedef struct ztl_names {
    ztl_args macros;     /* of .macro; their case does not matter, as for GNU as */
    ztl_args symbols;    /* of .set and the like */
    ztl_args parameters; /* of the macros around, in .altmacro, where they need no backslash */
    bool any_macro;      /* a macro has a name that only the assembler knows */
    bool any_symbol;     /* so has a symbol */
    bool alternate;      /* .altmacro */
} ztl_names;

/* Takes note of what a directive or an assignment (word `=`) defines. */
void ztl_names_directive(ztl_names *names, ztl_span word, ztl_span rest);
void ztl_names_symbol(ztl_names *names, ztl_span name);

bool ztl_names_is_macro(const ztl_names *names, ztl_span name);
bool ztl_names_is_symbol(const ztl_names *names, const char *name);

/* The text with a backslash before each parameter: what .altmacro would make of it. */
void ztl_names_mark(const ztl_names *names, ztl_span text, ztl_buffer *out);

void ztl_names_free(ztl_names *names);

#endif
