/* SPDX-License-Identifier: Apache-2.0
 * NumPy's .npy files, versions 1 to 3.
 */
#ifndef ZTL_NPY_H
#define ZTL_NPY_H

#include <stdio.h>

#include <ztl/ops.h>

typedef struct ztl_npy {
    char descr[32];        /* the dtype as NumPy writes it: <f4, |i1, |V1 */
    char kind;             /* of its numbers, numpy's letter: b i u f c m M V */
    ztl_ops_tensor tensor; /* over `data`, offset 0 */
    bool fortran;          /* its order; a dense tensor's strides may be those of both */
    uint8_t *data;
    size_t bytes;
} ztl_npy;

/* Reads a file, "-" is standard input; false with a message that says what is wrong with it.
 * `bits`: of an element where the file's dtype does not tell (4 for packed half-bytes), else 0.
 * ztl_npy_free frees it. */
bool ztl_npy_read(const char *path, unsigned bits, ztl_npy *npy, ztl_error *error);

/* Gives a tensor the strides and the size that it has in a file, in C or Fortran order. Rows of
 * half-bytes start with a byte of their own. */
void ztl_npy_lay_out(ztl_ops_tensor *tensor, bool fortran);

/* Writes the ztl_npy that is the context, whose tensor is laid out so; false with errno set. */
bool ztl_npy_write(FILE *file, const void *context);

/* Whether two arrays have elements of the same kind, size and unit. */
bool ztl_npy_alike(const ztl_npy *a, const ztl_npy *b);

void ztl_npy_free(ztl_npy *npy);

#endif
