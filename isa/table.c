/* SPDX-License-Identifier: Apache-2.0
 * The lists of isa/ as constant arrays, and questions about them.
 */
#include <ztl/isa.h>

#include "isa/check.h"
#include "isa/effects.h"

/* Match in the low half, mask in the high half, so that one expression gives both. */
#define ZTL_BITS(high, low, value)                                                                 \
    ((uint64_t)(value) << (low) | (((UINT64_C(2) << (high)) - (UINT64_C(1) << (low))) << 32))
#define MATCH(encoding) ((uint32_t)(encoding) | ZTL_OPCODE)
#define MASK(encoding)  ((uint32_t)((encoding) >> 32) | ZTL_OPCODE_MASK)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum operand_id {
    OPERAND_END,
#define ZTL_OPERAND(ID, ...) OPERAND_##ID,
#include "isa/ztl.def"
    OPERANDS
};

static const ztl_operand_row operands[OPERANDS] = {
#define ZTL_OPERAND(ID, kind, name, lsb, width)                                                    \
    [OPERAND_##ID] = {name, ZTL_KIND_##kind, lsb, width},
#include "isa/ztl.def"
};

#define FIRST_FOUR(a, b, c, d, ...)                                                                \
    {                                                                                              \
        OPERAND_##a, OPERAND_##b, OPERAND_##c, OPERAND_##d                                         \
    }
#define PAD_WITH_END(...) FIRST_FOUR(__VA_ARGS__, END, END, END, END)

static const uint8_t formats[ZTL_FORMATS][ZTL_MAX_OPERANDS] = {
#define ZTL_FORMAT(ID, ...) [ZTL_FORMAT_##ID] = PAD_WITH_END(__VA_ARGS__),
#include "isa/ztl.def"
};

static const ztl_insn_row insns[ZTL_INSNS] = {
#define ZTL_INSN(ID, rev, text, sub, form, what, variant, encoding, words)                         \
    [ZTL_INSN_##ID] = {.mnemonic = text,                                                           \
                       .meaning = words,                                                           \
                       .match = MATCH(encoding),                                                   \
                       .mask = MASK(encoding),                                                     \
                       .id = ZTL_INSN_##ID,                                                        \
                       .revision = rev,                                                            \
                       .subset = ZTL_SUBSET_##sub,                                                 \
                       .format = ZTL_FORMAT_##form,                                                \
                       .op = ZTL_OP_##what,                                                        \
                       .arg = variant},
#include "isa/ztl.def"
};

static const ztl_alias_row aliases[] = {
#define ZTL_ALIAS(ID, rev, encoding) {MATCH(encoding), MASK(encoding), ZTL_INSN_##ID},
#include "isa/ztl.def"
};

/* The bits that tell instructions apart, packed: funct3 above funct5 (Ztl 2) or funct7 (Ztl 1).
 * Bits that a row leaves free are the lowest of the key, so each row is a range of keys. */
#define KEY_2(word) (((word) >> 25 & 0x1f) | ((word) >> 12 & 7) << 5)
#define KEY_1(word) (((word) >> 25 & 0x7f) | ((word) >> 12 & 7) << 7)
#define KEYS_OF(KEY, ID, encoding)                                                                 \
    [KEY(MATCH(encoding))... KEY(MATCH(encoding) | ~MASK(encoding))] = ZTL_INSN_##ID + 1,
#define ONLY_1(rev, ...) ONLY_1_##rev(__VA_ARGS__)
#define ONLY_1_1(...)    KEYS_OF(KEY_1, __VA_ARGS__)
#define ONLY_1_2(...)
#define ONLY_2(rev, ...) ONLY_2_##rev(__VA_ARGS__)
#define ONLY_2_1(...)
#define ONLY_2_2(...) KEYS_OF(KEY_2, __VA_ARGS__)

/* Instruction id plus one by key; 0 is illegal. */
static const uint8_t by_key_1[1 << 10] = {
#define ZTL_INSN(ID, rev, text, sub, form, op, arg, encoding, words) ONLY_1(rev, ID, encoding)
#define ZTL_ALIAS(ID, rev, encoding)                                 ONLY_1(rev, ID, encoding)
#include "isa/ztl.def"
};

static const uint8_t by_key_2[1 << 8] = {
#define ZTL_INSN(ID, rev, text, sub, form, op, arg, encoding, words) ONLY_2(rev, ID, encoding)
#define ZTL_ALIAS(ID, rev, encoding)                                 ONLY_2(rev, ID, encoding)
#include "isa/ztl.def"
};

static const ztl_csr_row csrs[] = {
#define ZTL_CSR(ID, at, n, rev, how, initial, bits, text, others, words)                           \
    {.name = text,                                                                                 \
     .also = others,                                                                               \
     .meaning = words,                                                                             \
     .reset = initial,                                                                             \
     .writable = bits,                                                                             \
     .address = at,                                                                                \
     .count = n,                                                                                   \
     .first_revision = rev,                                                                        \
     .kind = ZTL_CSR_##how,                                                                        \
     .slot = ZTL_SLOT_##ID},
#include "isa/csr.def"
};

static const ztl_type_row types[ZTL_TYPES] = {
#define ZTL_TYPE(ID, value, text, size, number, exponent, fraction, top, words)                    \
    [ZTL_TYPE_##ID] = {.name = text,                                                               \
                       .meaning = words,                                                           \
                       .ttype = value,                                                             \
                       .bits = size,                                                               \
                       .kind = ZTL_NUMBER_##number,                                                \
                       .exponent_bits = exponent,                                                  \
                       .fraction_bits = fraction,                                                  \
                       .special = ZTL_SPECIAL_##top},
#include "isa/type.def"
};

static const struct {
    char letter;
    uint8_t first, last;
    const char *meaning;
} subsets[ZTL_SUBSETS] = {
#define ZTL_SUBSET(ID, letter, first, last, meaning) {letter, first, last, meaning},
#include "isa/ztl.def"
};

static const struct {
    const char *name, *meaning;
} ops[ZTL_OPS] = {
#define ZTL_OP(ID, name, body, effects, meaning) {name, meaning},
#include "isa/ztl.def"
};

const uint32_t ztl_effects_by_op[ZTL_OPS] = {
#define ZTL_OP(ID, ...) ZTL_EFFECTS_##ID,
#include "isa/ztl.def"
};

static const char *const engines[] = {
#define ZTL_ENGINE(ID, value, name) [value] = name,
#include "isa/engine.def"
};

static const char *const causes[] = {
#define ZTL_CAUSE(ID, code, words) [code] = words,
#include "isa/cause.def"
};

static const struct {
    const char *name, *words;
} reasons[] = {
#define ZTL_REASON(ID, code, words) [code] = {#ID, words},
#include "isa/reason.def"
};

static const struct {
    uint8_t reason;
    const char *text;
} rules[ZTL_RULES] = {
#define ZTL_RULE(ID, reason, text) {ZTL_REASON_##reason, text},
#include "isa/reason.def"
};

const ztl_isa_table ztl_isa = {insns, COUNT(insns), aliases, COUNT(aliases), csrs, COUNT(csrs)};

const ztl_insn_row *ztl_isa_lookup(unsigned revision, uint32_t word)
{
    if ((word & ZTL_OPCODE_MASK) != ZTL_OPCODE)
        return NULL;
    unsigned found = 0;
    if (revision == 2)
        found = by_key_2[KEY_2(word)];
    else if (revision == 1)
        found = by_key_1[KEY_1(word)];
    return found ? &insns[found - 1] : NULL;
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = UINT32_C(1) << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

bool ztl_decode(unsigned revision, uint32_t word, ztl_insn *insn)
{
    const ztl_insn_row *row = ztl_isa_lookup(revision, word);
    if (!row || !insn)
        return false;
    *insn = (ztl_insn){.row = row, .word = word};
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        uint32_t value = word >> operand->lsb & ((UINT32_C(1) << operand->width) - 1);
        bool is_signed = operand->kind == ZTL_KIND_IMM || operand->kind == ZTL_KIND_OFFSET;
        insn->operand[k] = is_signed ? sign_extend(value, operand->width) : (int32_t)value;
    }
    return true;
}

const ztl_insn_row *ztl_isa_insn(size_t index)
{
    return index < COUNT(insns) ? &insns[index] : NULL;
}

const ztl_alias_row *ztl_isa_alias(size_t index)
{
    return index < COUNT(aliases) ? &aliases[index] : NULL;
}

const ztl_csr_row *ztl_isa_csr(size_t index)
{
    return index < COUNT(csrs) ? &csrs[index] : NULL;
}

const ztl_type_row *ztl_isa_type(size_t index)
{
    return index < COUNT(types) ? &types[index] : NULL;
}

const ztl_operand_row *ztl_isa_operand(enum ztl_format format, size_t k)
{
    if ((unsigned)format >= ZTL_FORMATS || k >= ZTL_MAX_OPERANDS || !formats[format][k])
        return NULL;
    return &operands[formats[format][k]];
}

/* The row of each CSR address, counted from 1; programs write CSRs by the dozen. */
enum { CSR_FIRST = 0x800, CSR_ADDRESSES = 0x100 };

static const uint8_t csr_index_at[CSR_ADDRESSES] = {
#define ZTL_CSR(ID, at, n, ...)                                                                    \
    [(at)-CSR_FIRST...(at) - CSR_FIRST + (n)-1] = ZTL_READS_INDEX_##ID - ZTL_READS_FIRST,
#include "isa/csr.def"
};

const ztl_csr_row *ztl_isa_csr_at(unsigned revision, unsigned address, unsigned *index)
{
    unsigned place = address - CSR_FIRST;
    if (place >= CSR_ADDRESSES || !csr_index_at[place])
        return NULL;
    const ztl_csr_row *row = &csrs[csr_index_at[place] - 1];
    if (revision < row->first_revision || revision > ZTL_REVISIONS)
        return NULL;
    if (index)
        *index = address - row->address;
    return row;
}

unsigned ztl_isa_slot_address(enum ztl_slot slot)
{
    for (size_t i = 0; i < COUNT(csrs); i++)
        if ((unsigned)slot - csrs[i].slot < csrs[i].count)
            return csrs[i].address + ((unsigned)slot - csrs[i].slot);
    return 0;
}

const ztl_type_row *ztl_isa_type_of(uint32_t ttype)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].ttype == ttype)
            return &types[i];
    return NULL;
}

const char *ztl_op_name(enum ztl_op op)
{
    return (unsigned)op < ZTL_OPS ? ops[op].name : "";
}

const char *ztl_op_meaning(enum ztl_op op)
{
    return (unsigned)op < ZTL_OPS ? ops[op].meaning : "";
}

uint32_t ztl_op_effects(enum ztl_op op)
{
    return (unsigned)op < ZTL_OPS ? ztl_effects_by_op[op] : 0;
}

const char *ztl_engine_name(unsigned engine)
{
    return engine < COUNT(engines) ? engines[engine] : "";
}

const char *ztl_cause_words(uint64_t cause)
{
    return cause < COUNT(causes) && causes[cause] ? causes[cause] : "";
}

const char *ztl_reason_name(unsigned reason)
{
    return reason < COUNT(reasons) ? reasons[reason].name : "";
}

const char *ztl_reason_words(unsigned reason)
{
    return reason < COUNT(reasons) ? reasons[reason].words : "";
}

enum ztl_reason ztl_rule_reason(enum ztl_rule rule)
{
    return (unsigned)rule < ZTL_RULES ? (enum ztl_reason)rules[rule].reason : ZTL_REASON_NONE;
}

const char *ztl_rule_text(enum ztl_rule rule)
{
    return (unsigned)rule < ZTL_RULES ? rules[rule].text : "";
}

char ztl_subset_letter(size_t index)
{
    return index < ZTL_SUBSETS ? subsets[index].letter : '\0';
}

const char *ztl_subset_meaning(size_t index)
{
    return index < ZTL_SUBSETS ? subsets[index].meaning : "";
}

bool ztl_subset_in(size_t index, unsigned revision)
{
    return index < ZTL_SUBSETS && revision >= subsets[index].first &&
           revision <= subsets[index].last;
}

unsigned ztl_subsets_of(unsigned revision)
{
    unsigned set = 0;
    for (size_t i = 0; i < ZTL_SUBSETS; i++)
        if (ztl_subset_in(i, revision))
            set |= 1u << i;
    return set;
}
