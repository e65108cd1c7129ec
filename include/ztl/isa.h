/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction-set table as C constants, and questions about it. Everything here comes from
 * the lists in isa/; nothing is written twice.
 */
#ifndef ZTL_ISA_H
#define ZTL_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(ZTL_API)
#define ZTL_API __attribute__((visibility("default")))
#elif !defined(ZTL_API)
#define ZTL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZTL_REVISIONS = 2,    /* Ztl 1 and Ztl 2 */
    ZTL_REGISTERS = 32,   /* tl0 … tl31 */
    ZTL_REG_BYTES = 1024, /* of each register */
    ZTL_OPCODE = 0x5b,    /* custom-2 */
    ZTL_OPCODE_MASK = 0x7f,
    ZTL_MAX_OPERANDS = 4,
    ZTL_MAX_SLICES = 32, /* bits of a mask */
};

enum ztl_subset_index {
#define ZTL_SUBSET(ID, ...) ZTL_SUBSET_INDEX_##ID,
#include "isa/ztl.def"
    ZTL_SUBSETS
};

/* Sub-extensions as a set of bits. */
enum ztl_subset {
#define ZTL_SUBSET(ID, ...) ZTL_SUBSET_##ID = 1 << ZTL_SUBSET_INDEX_##ID,
#include "isa/ztl.def"
    ZTL_SUBSET_ALL = (1 << ZTL_SUBSETS) - 1
};

enum ztl_op {
#define ZTL_OP(ID, ...) ZTL_OP_##ID,
#include "isa/ztl.def"
    ZTL_OPS
};

/* What an instruction does besides writing its first operand, and ZTL_READS_TSHAPE and so on: the
 * CSRs that it reads. Ztl 1, which has fewer CSRs, reads fewer. */
enum ztl_effect_index {
#define ZTL_EFFECT(ID, ...) ZTL_EFFECT_INDEX_##ID,
#include "isa/effect.def"
    ZTL_EFFECTS,
    ZTL_READS_FIRST = ZTL_EFFECTS - 1,
#define ZTL_CSR(ID, ...) ZTL_READS_INDEX_##ID,
#include "isa/csr.def"
};

enum ztl_effect {
#define ZTL_EFFECT(ID, ...) ZTL_##ID = 1 << ZTL_EFFECT_INDEX_##ID,
#include "isa/effect.def"
#define ZTL_CSR(ID, ...) ZTL_READS_##ID = 1 << ZTL_READS_INDEX_##ID,
#include "isa/csr.def"
};

/* The effects of each operation. */
enum ztl_effects {
#define ZTL_OP(ID, name, body, effects, ...) ZTL_EFFECTS_##ID = effects,
#include "isa/ztl.def"
};

/* One id for each mnemonic of each revision; those of Ztl 1 start with V1_. */
enum ztl_insn_id {
#define ZTL_INSN(ID, ...) ZTL_INSN_##ID,
#include "isa/ztl.def"
    ZTL_INSNS
};

enum ztl_format {
#define ZTL_FORMAT(ID, ...) ZTL_FORMAT_##ID,
#include "isa/ztl.def"
    ZTL_FORMATS
};

enum ztl_operand_kind {
    ZTL_KIND_TL,     /* a tensor register */
    ZTL_KIND_GPR,    /* an integer register */
    ZTL_KIND_IMM,    /* a signed immediate */
    ZTL_KIND_OFFSET, /* a signed immediate before a base: imm(rs) */
    ZTL_KIND_BASE,   /* the base of an offset */
    ZTL_KIND_ENGINE, /* the engine's name, optional */
};

enum ztl_engine {
#define ZTL_ENGINE(ID, value, name) ZTL_ENGINE_##ID = value,
#include "isa/engine.def"
};

enum ztl_type {
#define ZTL_TYPE(ID, ...) ZTL_TYPE_##ID,
#include "isa/type.def"
    ZTL_TYPES
};

/* Causes of exceptions, as mcause has them. */
enum ztl_cause {
#define ZTL_CAUSE(ID, code, words) ZTL_CAUSE_##ID = code,
#include "isa/cause.def"
};

enum ztl_reason {
#define ZTL_REASON(ID, code, words) ZTL_REASON_##ID = code,
#include "isa/reason.def"
};

/* The single checks of the contract; each belongs to a reason. */
enum ztl_rule {
#define ZTL_RULE(ID, ...) ZTL_RULE_##ID,
#include "isa/reason.def"
    ZTL_RULES
};

/* Where a state keeps its CSRs: ZTL_SLOT_LOAD_STRIDE + i for the indexed ones. */
enum ztl_slot {
#define ZTL_CSR(ID, address, count, ...)                                                           \
    ZTL_SLOT_##ID, ZTL_SLOT_LAST_##ID = ZTL_SLOT_##ID + (count)-1,
#include "isa/csr.def"
    ZTL_SLOTS
};

enum ztl_csr_address {
#define ZTL_CSR(ID, address, ...) ZTL_CSR_##ID = address,
#include "isa/csr.def"
};

enum ztl_csr_kind { ZTL_CSR_PLAIN, ZTL_CSR_MASK, ZTL_CSR_VIEW, ZTL_CSR_STRIDE };

/* A row of the instruction table. A word is this instruction when (word & mask) == match. */
typedef struct ztl_insn_row {
    const char *mnemonic;
    const char *meaning;
    uint32_t match;
    uint32_t mask;
    uint8_t id; /* enum ztl_insn_id */
    uint8_t revision;
    uint8_t subset; /* one bit of enum ztl_subset */
    uint8_t format; /* enum ztl_format */
    uint8_t op;     /* enum ztl_op */
    uint8_t arg;    /* the variant: dimension, 4a+b, or log2 of the element's bytes */
} ztl_insn_row;

/* A second encoding of an instruction: decoded, never emitted. */
typedef struct ztl_alias_row {
    uint32_t match;
    uint32_t mask;
    uint8_t id; /* enum ztl_insn_id */
} ztl_alias_row;

typedef struct ztl_operand_row {
    const char *name;
    uint8_t kind; /* enum ztl_operand_kind */
    uint8_t lsb;
    uint8_t width;
} ztl_operand_row;

typedef struct ztl_csr_row {
    const char *name;
    const char *also; /* further spellings, separated by spaces */
    const char *meaning;
    uint32_t reset;
    uint32_t writable;
    uint16_t address;
    uint8_t count;
    uint8_t first_revision;
    uint8_t kind; /* enum ztl_csr_kind */
    uint8_t slot; /* of the first */
} ztl_csr_row;

enum ztl_number_kind { ZTL_NUMBER_UNSIGNED, ZTL_NUMBER_SIGNED, ZTL_NUMBER_FLOAT };
enum ztl_special { ZTL_SPECIAL_NONE, ZTL_SPECIAL_NAN_ONLY, ZTL_SPECIAL_IEEE };

typedef struct ztl_type_row {
    const char *name;
    const char *meaning;
    uint16_t ttype;
    uint8_t bits;
    uint8_t kind; /* enum ztl_number_kind */
    uint8_t exponent_bits;
    uint8_t fraction_bits;
    uint8_t special; /* enum ztl_special */
} ztl_type_row;

/* An instruction taken apart: operand[k] belongs to the k-th operand of the row's format. */
typedef struct ztl_insn {
    const ztl_insn_row *row;
    uint32_t word;
    int32_t operand[ZTL_MAX_OPERANDS];
} ztl_insn;

/* The row that a word decodes to, NULL when it is no Ztl instruction of the revision. */
ZTL_API const ztl_insn_row *ztl_isa_lookup(unsigned revision, uint32_t word);

/* Takes a word apart; false when it is no Ztl instruction of the revision. */
ZTL_API bool ztl_decode(unsigned revision, uint32_t word, ztl_insn *insn);

/* Walks the tables; NULL past the end. Instruction rows are in the order of enum ztl_insn_id. */
ZTL_API const ztl_insn_row *ztl_isa_insn(size_t index);
ZTL_API const ztl_alias_row *ztl_isa_alias(size_t index);
ZTL_API const ztl_csr_row *ztl_isa_csr(size_t index);
ZTL_API const ztl_type_row *ztl_isa_type(size_t index);

/* The k-th operand of a format, NULL past the last. */
ZTL_API const ztl_operand_row *ztl_isa_operand(enum ztl_format format, size_t k);

/* The CSR of a revision at an address (*index: which of an indexed row; may be NULL), NULL when
 * there is none. */
ZTL_API const ztl_csr_row *ztl_isa_csr_at(unsigned revision, unsigned address, unsigned *index);

/* The address of the CSR that a slot keeps. */
ZTL_API unsigned ztl_isa_slot_address(enum ztl_slot slot);

/* The type that a value of ttype selects, NULL for none. */
ZTL_API const ztl_type_row *ztl_isa_type_of(uint32_t ttype);

/* Names; an empty string for a value outside the table. */
ZTL_API const char *ztl_op_name(enum ztl_op op);
ZTL_API const char *ztl_op_meaning(enum ztl_op op);
ZTL_API const char *ztl_engine_name(unsigned engine);
ZTL_API const char *ztl_cause_words(uint64_t cause);
ZTL_API const char *ztl_reason_name(unsigned reason);
ZTL_API const char *ztl_reason_words(unsigned reason);
ZTL_API enum ztl_reason ztl_rule_reason(enum ztl_rule rule);
ZTL_API const char *ztl_rule_text(enum ztl_rule rule);

/* What an operation does: enum ztl_effect bits; 0 for a value outside the table. */
ZTL_API uint32_t ztl_op_effects(enum ztl_op op);

/* The effect that is a read of the index-th row of CSRs. */
#define ZTL_READS_CSR(index) (UINT32_C(1) << (ZTL_EFFECTS + (index)))

/* The letter, the meaning and the revisions of the index-th sub-extension. */
ZTL_API char ztl_subset_letter(size_t index);
ZTL_API const char *ztl_subset_meaning(size_t index);
ZTL_API bool ztl_subset_in(size_t index, unsigned revision);

/* All sub-extensions of a revision. */
ZTL_API unsigned ztl_subsets_of(unsigned revision);

#ifdef __cplusplus
}
#endif
#endif
