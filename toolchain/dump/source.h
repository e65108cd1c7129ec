/* SPDX-License-Identifier: Apache-2.0
 * The output of objdump -d as source for an assembler.
 */
#ifndef ZTL_TOOLCHAIN_DUMP_SOURCE_H
#define ZTL_TOOLCHAIN_DUMP_SOURCE_H

#include "host/process/buffer.h"
#include "host/process/process.h"

/* Prints source that `ztl as` turns into the bytes that the lines show. */
void ztl_dump_source(unsigned revision, const ztl_args *lines, ztl_buffer *out);

#endif
