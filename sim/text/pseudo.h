/* SPDX-License-Identifier: Apache-2.0
 * Pseudo-instructions of the assembler, by pseudo.def.
 */
#ifndef ZTL_SIM_PSEUDO_H
#define ZTL_SIM_PSEUDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_LIMIT = 200, MOST_OPERANDS = 3 };

/* What a pseudo-instruction stands for; false when the text is none. */
bool ztl_pseudo_expand(const char *name, const char *operands, char *text, size_t size);

/* Whether there is a pseudo-instruction of this name, and how many operands it takes. */
bool ztl_pseudo_is(const char *name, size_t *operands);

/* A number with its sign, decimal, 0x, 0b or 0; what is too large for 64 bits is none. */
bool ztl_assembly_number(const char *text, size_t length, int64_t *value);

#endif
