/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ZTL_SUGGEST_H
#define ZTL_SUGGEST_H

#include <stddef.h>

/* The mnemonic of the revision that is closest to what was typed, NULL when none is close. */
const char *ztl_suggest_mnemonic(unsigned revision, const char *typed, size_t length);

#endif
