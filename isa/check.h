/* SPDX-License-Identifier: Apache-2.0
 * The table as one value, so that its check can be tried on tables broken on purpose.
 */
#ifndef ZTL_ISA_CHECK_H
#define ZTL_ISA_CHECK_H

#include <ztl/isa.h>

typedef struct ztl_isa_table {
    const ztl_insn_row *insns;
    size_t insn_count;
    const ztl_alias_row *aliases;
    size_t alias_count;
    const ztl_csr_row *csrs;
    size_t csr_count;
} ztl_isa_table;

extern const ztl_isa_table ztl_isa;

enum ztl_isa_fault {
    ZTL_ISA_SOUND,
    ZTL_ISA_MATCH_OUTSIDE_MASK, /* a match bit that the mask ignores */
    ZTL_ISA_WRONG_OPCODE,       /* not in custom-2 */
    ZTL_ISA_BIT_NOT_DECODED,    /* a fixed bit that the decoder does not look at */
    ZTL_ISA_BIT_TWICE,          /* a bit is both fixed and an operand, or in two operands */
    ZTL_ISA_BIT_UNUSED,         /* a bit is neither fixed nor an operand */
    ZTL_ISA_OVERLAP,            /* two rows of a revision accept one word */
    ZTL_ISA_SAME_MNEMONIC,      /* two rows of a revision have one name */
    ZTL_ISA_CSR_OVERLAP,        /* two CSRs share an address */
    ZTL_ISA_CSR_RESET,          /* a reset value with bits that are not writable */
    ZTL_ISA_CSR_SAME_NAME,      /* two CSRs share a spelling */
};

/* The first fault of a table; *a and *b receive the rows it is in (instructions before aliases). */
enum ztl_isa_fault ztl_isa_check(const ztl_isa_table *table, size_t *a, size_t *b);

#endif
