/* SPDX-License-Identifier: Apache-2.0
 * A signature before it is written.
 */
#ifndef ZTL_SIM_SIGNATURE_H
#define ZTL_SIM_SIGNATURE_H

#include <ztl/observe.h>

typedef struct ztl_signature {
    const ztl_hart *hart;
    uint64_t begin, end;
    unsigned granularity;
} ztl_signature;

/* False with a message when the program has none. */
bool ztl_signature_find(const ztl_program *program, const ztl_hart *hart, unsigned granularity,
                        ztl_signature *signature, ztl_error *error);

/* Prints the ztl_signature that is the context; false with errno set. */
bool ztl_signature_print(FILE *out, const void *context);

#endif
