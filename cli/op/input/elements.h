/* SPDX-License-Identifier: Apache-2.0
 * The elements of outputs, and of constants among them.
 */
#ifndef ZTL_OP_ELEMENTS_H
#define ZTL_OP_ELEMENTS_H

#include <ztl/error.h>

#include "cli/npy/npy.h"

/* An element: its dtype in files, and its type where bytes do not tell (--type). */
typedef struct ztl_op_element {
    char descr[32];
    char kind; /* numpy's letter */
    unsigned bits;
    const ztl_type_row *type; /* or NULL */
} ztl_op_element;

ztl_op_element ztl_op_element_of(const ztl_npy *npy, const ztl_type_row *type);

/* float32, <f4 and what else NumPy understands; false with a message. */
bool ztl_op_element_named(const char *dtype, ztl_op_element *element, ztl_error *error);

/* That of a type of the contract, as files have it: bytes of two for 4 bits, |V1 for e4m3. */
ztl_op_element ztl_op_element_typed(const ztl_type_row *type);

/* --value, and --values OFF,ON, as bits of the operator; NULL is 0, and 0,1. */
bool ztl_op_set_value(const char *text, const ztl_op_element *element, ztl_ops_op *op,
                      ztl_error *error);
bool ztl_op_set_values(const char *text, const ztl_op_element *element, ztl_ops_op *op,
                       ztl_error *error);

#endif
