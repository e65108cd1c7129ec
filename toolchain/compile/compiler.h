/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling: a stock compiler whose assembler is ours.
 */
#ifndef ZTL_TOOLCHAIN_COMPILER_H
#define ZTL_TOOLCHAIN_COMPILER_H

#include <stdint.h>

#include <ztl/error.h>

#include "host/process/process.h"

enum ztl_compiler_kind { ZTL_COMPILER_ELF, ZTL_COMPILER_LINUX, ZTL_COMPILER_CLANG };

/* All zero is a good default. */
typedef struct ztl_compiler {
    enum ztl_compiler_kind kind;
    const char *program; /* in place of the kind's own; may be NULL */
    unsigned revision;   /* 0: that of -march, else 2 */
    bool semihost;       /* picolibc around the program: printf and files through semihosting */
    uint64_t base, size; /* of RAM, for semihost; both 0: 0x80000000, 128 MiB */
    ztl_args user;       /* the user's arguments, in their order */
} ztl_compiler;

/* Runs the compiler. Returns its exit status; 1 and a message when it could not be reached.
 * Messages on the source come from the compiler; then `error` is empty. */
int ztl_compiler_run(ztl_compiler *compiler, ztl_error *error);

void ztl_compiler_free(ztl_compiler *compiler);

#endif
