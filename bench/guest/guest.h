/* SPDX-License-Identifier: Apache-2.0
 * A guest program of the benchmark: it runs without a library, on the hart as on Linux, and leaves
 * its checksum as the exit status of system call 93.
 */
#ifndef ZTL_BENCH_GUEST_H
#define ZTL_BENCH_GUEST_H

#include <stddef.h>
#include <stdint.h>

/* How often the work is done; chosen by the build. */
#ifndef ROUNDS
#define ROUNDS 1
#endif

/* The work; its result is checked to be the same everywhere. */
uint64_t work(void);

/* A generator of numbers that are the same everywhere. */
static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#endif
