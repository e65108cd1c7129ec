/* SPDX-License-Identifier: Apache-2.0
 *
 * Random Ztl programs: the same for the same seed, whichever engine runs them. About half of the
 * instructions are legal, the others trap in every way the contract knows.
 */
#ifndef ZTL_DIFF_GENERATE_H
#define ZTL_DIFF_GENERATE_H

#include <ztl/isa.h>

/* Memory: two writable pages, a hole, a page that can only be read, holes around all of it. */
enum {
    DIFF_MEMORY = 0x30000000,
    DIFF_PAGE = 4096,
    DIFF_RW_SIZE = 2 * DIFF_PAGE,
    DIFF_RO_OFFSET = 3 * DIFF_PAGE,
    DIFF_RO_SIZE = DIFF_PAGE,
    DIFF_MEMORY_SIZE = DIFF_RO_OFFSET + DIFF_RO_SIZE,
};

/* Programs use the integer registers x0 and a0 … a7, and set a0 and a1 before each word. */
enum { DIFF_A0 = 10, DIFF_GPRS = 8, DIFF_MAX_STEPS = 40 };

typedef struct diff_step {
    uint32_t word;
    uint64_t a0, a1;
} diff_step;

typedef struct diff_program {
    unsigned count;
    diff_step step[DIFF_MAX_STEPS];
} diff_program;

/* The next of a sequence of random numbers. */
uint64_t diff_random(uint64_t *state);

void diff_generate(uint64_t seed, unsigned revision, diff_program *program);

#endif
