/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text: the bits of one element.
 */
#ifndef ZTL_OP_VALUE_H
#define ZTL_OP_VALUE_H

#include <ztl/error.h>
#include <ztl/isa.h>

enum { ZTL_OP_WORDS = 4 }; /* of 64 bits: of the widest element */

/* The bits of a number of numpy's kind (b i u f c m M V) and so many bits, or of a type of the
 * contract where that is given; floating point is rounded to nearest, complex numbers are written
 * 1.5-2j, and 0x… are the bits themselves. False with a message when the text is no number or the
 * element cannot hold it. */
bool ztl_op_value(const char *text, char kind, unsigned bits, const ztl_type_row *type,
                  uint64_t word[ZTL_OP_WORDS], ztl_error *error);

#endif
