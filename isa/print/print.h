/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction-set table in forms that are not C. Unlike the rest of isa/ this needs a hosted C
 * library. A revision of 0 means both.
 */
#ifndef ZTL_ISA_PRINT_H
#define ZTL_ISA_PRINT_H

#include <stdio.h>

#include <ztl/isa.h>

enum ztl_table_style { ZTL_TABLE_TEXT, ZTL_TABLE_MARKDOWN };

/* One of the lists of isa/ by name ("insn", "csr", …) as a table; false when there is none. Text is
 * a line a row, or so many that it fits `columns`, where that is not 0. */
bool ztl_print_table(FILE *out, const char *name, unsigned revision, enum ztl_table_style style,
                     size_t columns);

/* The name of the index-th list, NULL past the last. */
const char *ztl_table_name(size_t index);

/* Everything known about an instruction, by mnemonic ("tl.xpose.01") or by what it does with all
 * its variants ("xpose"); false when there is none of that name. */
bool ztl_print_entry(FILE *out, const char *name, unsigned revision, enum ztl_table_style style);

/* All lists in one JSON object. */
void ztl_print_json(FILE *out, unsigned revision);

/* The instructions of one revision in the syntax of the riscv-opcodes project. */
void ztl_print_riscv_opcodes(FILE *out, unsigned revision);

/* The registers of one revision as a <feature> of a gdb target description. */
void ztl_print_gdb_xml(FILE *out, unsigned revision);

/* The intrinsics of all revisions, as <ztl/intrin/names.h>. */
void ztl_print_intrinsics(FILE *out);

/* Colours of assembly in editors, of all revisions: Vim's syntax, VS Code's grammar, a lexer of
 * Pygments. */
void ztl_print_vim(FILE *out);
void ztl_print_vscode(FILE *out);
void ztl_print_pygments(FILE *out);

/* What the printers share. */

/* A part of the word: an operand, or bits that are fixed (operand NULL). */
typedef struct ztl_field {
    const ztl_operand_row *operand;
    unsigned high, low;
} ztl_field;

enum { ZTL_MAX_FIELDS = 12 };

/* Splits a word into its fields, highest first; returns how many. */
size_t ztl_fields(enum ztl_format format, ztl_field fields[ZTL_MAX_FIELDS]);

/* The encoding as a picture of boxes; fixed bits outside `known` are shown as x. */
void ztl_print_picture(FILE *out, const ztl_insn_row *row, uint32_t known);

/* "tlrd, offset(rs) [, engine]" */
void ztl_operands_text(enum ztl_format format, char *text, size_t size);

/* "loads, masked", and "ttype, tshape": what an operation does, and the CSRs that it may read. */
void ztl_effects_text(enum ztl_op op, char *text, size_t size);
void ztl_reads_text(enum ztl_op op, char *text, size_t size);

static inline bool ztl_in_revision(unsigned wanted, unsigned first, unsigned last)
{
    return !wanted || (wanted >= first && wanted <= last);
}

#endif
