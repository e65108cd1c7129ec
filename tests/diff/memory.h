/* SPDX-License-Identifier: Apache-2.0
 * The memory of random programs for the golden model, as the other engines have it mapped.
 */
#ifndef ZTL_DIFF_MEMORY_H
#define ZTL_DIFF_MEMORY_H

#include <ztl/ztl.h>

#include "tests/diff/harness.h"

/* Where the bytes of the engine are. */
typedef struct diff_memory {
    uint8_t *memory; /* DIFF_MEMORY_SIZE bytes */
    uint8_t *dump;   /* ZTL_REG_BYTES */
} diff_memory;

/* Holes fault, and so do stores to what can only be read. */
ztl_memory diff_model_memory(diff_memory *bytes);

diff_outcome diff_model_outcome(const ztl_result *result);

#endif
