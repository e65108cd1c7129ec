/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction-set table in the forms of other projects, one revision at a time.
 */
#ifndef ZTL_ISA_EXPORT_H
#define ZTL_ISA_EXPORT_H

#include "isa/print/print.h"

void ztl_export_udb(FILE *out, unsigned revision);        /* riscv-unified-db, YAML documents */
void ztl_export_tablegen(FILE *out, unsigned revision);   /* LLVM's RISC-V target */
void ztl_export_decodetree(FILE *out, unsigned revision); /* QEMU */
void ztl_export_binutils(FILE *out, unsigned revision);   /* riscv-opc.h and riscv-opc.c */
void ztl_export_verilog(FILE *out, unsigned revision);    /* a package of SystemVerilog */
void ztl_export_latex(FILE *out, unsigned revision);      /* tables of encodings and CSRs */
void ztl_export_sail(FILE *out, unsigned revision);       /* clauses, whose execution is open */

/* What the exporters share. */

/* The first row of the revision from *index on, which then is the one behind it; NULL for none. */
const ztl_insn_row *ztl_export_insn(unsigned revision, size_t *index);
const ztl_csr_row *ztl_export_csr(unsigned revision, size_t *index);

/* tl_xpose_01 or TL_XPOSE_01 of tl.xpose.01. */
enum { ZTL_EXPORT_NAME = 32 };
typedef struct ztl_export_name {
    char text[ZTL_EXPORT_NAME];
} ztl_export_name;
ztl_export_name ztl_export_lower(const char *mnemonic);
ztl_export_name ztl_export_upper(const char *mnemonic);

/* Bits high … low of a word, as zeros and ones. */
void ztl_export_bits(FILE *out, uint32_t word, unsigned high, unsigned low);

/* The letter of the row's sub-extension. */
char ztl_export_subset(const ztl_insn_row *row);

/* The operands as the assembly text has them, each between `before` and `after`; the engine comes
 * last, if it is wanted. */
void ztl_export_operands(FILE *out, const ztl_insn_row *row, const char *before, const char *after,
                         bool engine);

/* Whether an operand of the row is of a kind. */
bool ztl_export_has(const ztl_insn_row *row, enum ztl_operand_kind kind);

#endif
