/* SPDX-License-Identifier: Apache-2.0
 * The header of a .npy file: a Python dictionary with the keys descr, fortran_order and shape.
 */
#ifndef ZTL_NPY_HEADER_H
#define ZTL_NPY_HEADER_H

#include <ztl/ops.h>

typedef struct ztl_npy_header {
    char descr[32]; /* the dtype as NumPy itself writes it: <f4, |i1, <M8[ns] */
    char kind;      /* of its numbers, numpy's letter: b i u f c m M V */
    unsigned bits;  /* of an element */
    bool fortran;
    unsigned rank;
    int64_t extent[ZTL_OPS_RANK];
} ztl_npy_header;

/* What NumPy understands: literals with white space and comments wherever Python allows them. A key
 * that is there twice is refused, though, as either value may be meant. `version`: of the file, as
 * Python 2 wrote 3L for 3. False with a message. */
bool ztl_npy_header_read(const char *text, size_t length, unsigned version, ztl_npy_header *header,
                         ztl_error *error);

/* A dtype by name or by its letter and size; false with a message. */
bool ztl_npy_dtype(const char *text, ztl_npy_header *header, ztl_error *error);

#endif
