/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text: the bits of one element.
 */
#ifndef ZTL_OP_VALUE_H
#define ZTL_OP_VALUE_H

#include <ztl/isa.h>

/* The bits of a number in a type of the contract, rounded to nearest; false with a message when it
 * is no number or the type has none like it. Bits may be given in hexadecimal. */
bool ztl_op_float(const char *text, const ztl_type_row *type, uint64_t *bits, char *error,
                  size_t size);

/* An integer of so many bits, signed or unsigned. */
bool ztl_op_integer(const char *text, unsigned width, uint64_t *bits, char *error, size_t size);

/* binary64, which the contract does not have. */
bool ztl_op_double(const char *text, uint64_t *bits, char *error, size_t size);

#endif
