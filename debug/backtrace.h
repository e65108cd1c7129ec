/* SPDX-License-Identifier: Apache-2.0
 * The call stack of a program that has stopped, by names, files and lines: what its ELF file says
 * about its code (DWARF, if built with -g, else symbols) and what its hart left behind. It knows no
 * engine.
 */
#ifndef ZTL_DEBUG_BACKTRACE_H
#define ZTL_DEBUG_BACKTRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ztl_stopped {
    uint64_t pc;
    uint64_t x[32];
    /* Copies from the program's memory and returns how many bytes from `address` on there were.
     * NULL: only the registers are left, and with them the caller that ra names. */
    size_t (*read)(void *context, uint64_t address, void *bytes, size_t size);
    void *context;
} ztl_stopped;

/* Prints the stack, innermost frame first, as "  #0 main at prog.c:12"; an inlined function is a
 * frame of its own. Nothing where that would only repeat the symbol that pc is in. `file` is the
 * open ELF file, `base` what was added to its addresses (0 unless it is position-independent). A
 * damaged file costs frames, never more: it is read in a process of its own, with limits. */
void ztl_backtrace_print(int file, uint64_t base, const ztl_stopped *stopped, FILE *out);

#endif
