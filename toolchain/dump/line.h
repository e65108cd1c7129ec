/* SPDX-License-Identifier: Apache-2.0
 * A line of objdump -d, taken apart.
 */
#ifndef ZTL_TOOLCHAIN_DUMP_LINE_H
#define ZTL_TOOLCHAIN_DUMP_LINE_H

#include <stdint.h>

#include "host/process/buffer.h"

enum { ZTL_LINE_TEXT = 128 };

/* "  8:\t06e7a0db  \ttext", an instruction. */
typedef struct ztl_insn_line {
    uint64_t address;
    uint64_t word;
    size_t bytes;
    const char *text;
    size_t length; /* of the text, without the end of the line */
} ztl_insn_line;

/* False for a line that is no instruction. */
bool ztl_line_parse(const char *line, ztl_insn_line *insn);

bool ztl_line_is_ztl(const ztl_insn_line *insn);

/* The name of the Ztl CSR of a CSR instruction; false for everything else. */
bool ztl_line_csr(unsigned revision, const ztl_insn_line *insn, char name[ZTL_LINE_TEXT]);

/* The instruction with that name in place of the number that objdump prints. */
void ztl_line_print_csr(const ztl_insn_line *insn, const char *name, ztl_buffer *out);

/* One line in our words; as it is when there is no Ztl in it. */
void ztl_line_print(unsigned revision, const char *line, ztl_buffer *out);

#endif
