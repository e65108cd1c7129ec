/* SPDX-License-Identifier: Apache-2.0
 *
 * From source files to a bare-metal program.
 */
#ifndef ZTL_TOOLCHAIN_BUILD_H
#define ZTL_TOOLCHAIN_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ztl/error.h>

/* Zero is a good default for every field but the arguments. */
typedef struct ztl_build_options {
    const char *isa; /* as rv64imac_zicsr_ztl; NULL: what the simulator is by default */
    uint64_t base;   /* where RAM starts and the program is linked; without base and size:
                      * 0x80000000 */
    uint64_t size;   /* of RAM, for C programs; 0: 128 MiB */
    bool clang;      /* compile and assemble with clang */
    const char *const *arguments; /* sources, objects and compiler options, ended by NULL */
} ztl_build_options;

/* Builds the ELF file `elf_out`. Assembly alone is linked as it is, from `_start`; C and C++ have
 * picolibc with semihosting around them. Compiler messages go to stderr. False and a message when
 * the program was not built; nothing is left behind then. */
bool ztl_build_program(const ztl_build_options *options, const char *elf_out, ztl_error *error);

#endif
