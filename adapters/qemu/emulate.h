/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction that the CPU does not know, executed by the model. Freestanding: the same for
 * Linux programs and for bare metal.
 */
#ifndef ZTL_QEMU_EMULATE_H
#define ZTL_QEMU_EMULATE_H

#include <ztl/ztl.h>

#include "adapters/qemu/statistics.h"

enum ztl_emulated {
    ZTL_NOT_OURS, /* no Ztl instruction and no access to a Ztl CSR of this hart */
    ZTL_EMULATED, /* done: go on after it */
    ZTL_TRAPPED,  /* a Ztl instruction that traps: see the result */
};

/* Executes the word on the state and on the program's own memory. x: the integer registers, of
 * which a CSR instruction writes one; x[0] is neither read nor written. reach: the memory that the
 * instruction may touch, up to a piece of size 0; NULL: all that does not fault. */
enum ztl_emulated ztl_emulate(ztl_state *state, uint32_t word, uint64_t x[32],
                              const ztl_window *reach, ztl_statistics *statistics,
                              ztl_result *result);

/* How many bytes from `address` on are within reach, `size` at the most. */
size_t ztl_within_reach(const ztl_window *reach, uint64_t address, size_t size);

/* The Ztl part of an ISA string, e.g. rv64gc_ztl1p0 or ztlx_ztlm; the rest is the CPU's business.
 * False, and *config as it was, when the Ztl part is wrong; `error`, which may be NULL, says how.
 */
bool ztl_config_of_isa(const char *isa, ztl_config *config, ztl_error *error);

#endif
