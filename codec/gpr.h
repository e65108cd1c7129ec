/* SPDX-License-Identifier: Apache-2.0
 * The names of the integer and floating-point registers.
 */
#ifndef ZTL_GPR_H
#define ZTL_GPR_H

#include <stddef.h>

/* The ABI name of a register below 32. */
const char *ztl_gpr_name(unsigned index);

/* The index of a register by ABI name, x0 … x31 or fp; -1 for anything else. */
int ztl_gpr_index(const char *start, size_t length);

/* The same for floating point: ABI names and f0 … f31. */
const char *ztl_fpr_name(unsigned index);
int ztl_fpr_index(const char *start, size_t length);

#endif
