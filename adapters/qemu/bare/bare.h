/* SPDX-License-Identifier: Apache-2.0
 *
 * The bare-metal twin of libztl-trap: hooks mtvec and executes the Ztl instructions that the core
 * does not know. For one hart.
 *
 *     set up your own mtvec, if you have one;      // direct mode, within 1 MiB of the twin
 *     ztl_trap_install("rv64imac_ztl");            // NULL: Ztl 2, all of it
 *
 * Every other trap, and every trap of a Ztl instruction, goes on to the handler that mtvec named
 * before, with mcause, mtval, mepc and mstatus as a core with Ztl would give them. A trap handler
 * that uses Ztl itself must save mepc, mcause, mtval and mstatus first, and restore mepc and
 * mstatus before its mret: emulation is a trap within the trap. Emulation uses the stack of the
 * code that is interrupted, some 12 KiB of it.
 *
 * A program that links the twin whole (-u ztl_trap_install) need not call anything: a constructor
 * does, with the string ztl_trap_isa if the program defines one.
 */
#ifndef ZTL_QEMU_BARE_H
#define ZTL_QEMU_BARE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* False when the Ztl part of the string is wrong, or the handler before cannot be reached; nothing
 * is hooked then. */
bool ztl_trap_install(const char *isa);

/* "ztl" unless the program defines it. */
extern const char *ztl_trap_isa;

#ifdef __cplusplus
}
#endif
#endif
