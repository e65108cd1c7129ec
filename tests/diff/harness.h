/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs random programs on an engine and prints one line for each: its seed, how many instructions
 * trapped, and a hash of everything that can be seen: traps, integer registers, CSRs, tensor
 * registers, memory. Two engines agree when their lines do.
 */
#ifndef ZTL_DIFF_HARNESS_H
#define ZTL_DIFF_HARNESS_H

#include <ztl/ztl.h>

#include "tests/diff/generate.h"

/* What a program can tell about an exception: illegal instruction, misaligned or access fault. */
enum diff_trap { DIFF_NO_TRAP, DIFF_ILLEGAL, DIFF_MISALIGNED, DIFF_FAULT };

typedef struct diff_outcome {
    enum diff_trap trap;
    uint64_t address; /* of a misaligned access or a fault */
} diff_outcome;

/* Where engines that have addresses keep the dump: far from all that programs reach. */
enum { DIFF_DUMP = 0x28000000 };

typedef struct diff_engine {
    /* Hart at reset, memory as `memory` says, then body(context). */
    void (*with_fresh_hart)(void (*body)(void *), void *context);
    /* Executes a word; x[0 … 7] are a0 … a7. */
    diff_outcome (*execute)(uint32_t word, uint64_t x[DIFF_GPRS]);
    uint8_t *memory; /* DIFF_MEMORY_SIZE bytes, the hole among them */
    uint8_t *dump;   /* 1024 writable bytes */
    uint64_t dump_address;
} diff_engine;

/* main of an engine's program: ISA FIRST_SEED COUNT [-v]. ISA is the Ztl part of an ISA string,
 * after rv32_ for a hart of 32 bits. */
int diff_main(int argc, char **argv, const diff_engine *engine);

/* What the ISA argument says, for the engine. */
ztl_config diff_config_of(const char *isa);

#endif
