/* SPDX-License-Identifier: Apache-2.0
 * Instructions of the hart taken apart.
 */
#ifndef ZTL_SIM_DECODE_H
#define ZTL_SIM_DECODE_H

#include <ztl/hart.h>

/* What an instruction is; a compressed one is the base instruction that it stands for. */
enum base_op {
#define BASE_INSN(ID, ...) OP_##ID,
#include "sim/decode/base.def"
    INTEGER_INSNS, /* those of sim/decode/float.def follow */
    LAST_INTEGER_INSN = INTEGER_INSNS - 1,
#define FLOAT_INSN(ID, ...) OP_##ID,
#include "sim/decode/float.def"
    BASE_INSNS,
    OP_ZTL = BASE_INSNS, /* anything in custom-2 of a hart with Ztl; the model decides the rest */
    OP_ILLEGAL,
    OPS
};

enum base_format {
    FORMAT_NONE,
    FORMAT_R,
    FORMAT_I,
    FORMAT_UNARY,
    FORMAT_SHIFT,  /* by up to XLEN-1 */
    FORMAT_SHIFTW, /* by up to 31 */
    FORMAT_LOAD,
    FORMAT_STORE,
    FORMAT_BRANCH,
    FORMAT_U,
    FORMAT_JUMP,
    FORMAT_JALR,
    FORMAT_LR,
    FORMAT_AMO,
    FORMAT_FENCE,
    FORMAT_CACHE, /* of a block of memory */
    FORMAT_CSR,
    FORMAT_CSRI,
    /* Of floating point, by the kinds of rd and then rs1 (F or X); _RM ones have a rounding mode,
     * and so have _EXACT ones, which do not need it. */
    FORMAT_FLOAD,
    FORMAT_FSTORE,
    FORMAT_FR,
    FORMAT_FR_RM,
    FORMAT_FR4, /* four registers and a rounding mode */
    FORMAT_FF_RM,
    FORMAT_FF_EXACT,
    FORMAT_FX,
    FORMAT_FX_RM,
    FORMAT_FXX,
    FORMAT_FLI, /* of a list of constants, by its number in rs1 */
    FORMAT_FX_EXACT,
    FORMAT_XF,
    FORMAT_XF_RM,
    FORMAT_XF_MOD, /* its only rounding mode is written, and is part of the opcode */
    FORMAT_FCMP,
};

/* The rounding mode that stands in frm. */
enum { ROUND_DYNAMIC = 7 };

typedef struct base_row {
    const char *mnemonic;
    uint32_t match, mask;
    uint32_t extension; /* enum ztl_extension bits: all of them are needed */
    uint8_t format;     /* enum base_format */
    uint8_t xlen;
} base_row;

extern const base_row ztl_base_rows[BASE_INSNS];

/* One instruction: imm is the immediate, the shift amount, the CSR's address or an AMO's aq/rl. */
typedef struct decoded {
    uint32_t word;
    int32_t imm;
    uint16_t op; /* enum base_op */
    uint8_t rd, rs1, rs2;
    uint8_t length;  /* in bytes */
    uint8_t c_row;   /* of a compressed instruction, its row in sim/decode/compressed.def */
    uint8_t rs3, rm; /* of floating point */
} decoded;

/* Takes a word apart; one that the ISA lacks is OP_ILLEGAL. */
void ztl_decode_base(const ztl_hart_isa *isa, uint32_t word, decoded *insn);

/* Whether rd is a floating-point register. */
bool ztl_writes_float(unsigned op);

/* Whether the instructions of a format round. */
bool ztl_has_rounding(enum base_format format);

/* Whether the hart takes a word for a Ztl instruction, or for a CSR instruction on a Ztl CSR. */
bool ztl_decode_is_ztl(const ztl_hart_isa *isa, uint32_t word);

/* ztl_decode_base for 16 bits; false when they are no instruction of the ISA. */
bool ztl_decode_compressed(const ztl_hart_isa *isa, uint32_t word, decoded *insn);

/* The fields of a word that is taken for this instruction, whatever its fixed bits are. */
void ztl_base_fields(unsigned op, uint32_t word, decoded *insn);
void ztl_compressed_fields(unsigned row, uint32_t word, decoded *insn);

/* A row of sim/decode/compressed.def as the others; false past the last. */
bool ztl_compressed_row(unsigned row, base_row *out);

/* The mnemonic without its suffix: ".aq", ".tso". */
const char *ztl_decoded_mnemonic(const decoded *insn);
const char *ztl_decoded_suffix(const decoded *insn);

/* How the operands are written: as this text, with values in place of its letters.
 *   d s t   the registers rd, rs1, rs2      i   a number         a   an address, from pc
 *   D S T R floating-point ones, rs3 too    m   a rounding mode
 *   h       a shift amount                  u   bits [31:12]     c   a CSR
 *   k       a constant of fli
 *   z       rs1 as a number                 p q the sets of a fence */
const char *ztl_decoded_operands(const decoded *insn);
const char *ztl_compressed_operands(unsigned row);

/* The constants of fli, in the order of their numbers. */
enum { FLI_CONSTANTS = 32 };
extern const char *const ztl_fli_names[FLI_CONSTANTS];

/* The rounding mode that is not written, and the names of all: "" for a reserved one. */
unsigned ztl_usual_rounding(enum base_format format);
const char *ztl_rounding_name(unsigned mode);

/* Bits high … low of a word. */
static inline uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (uint32_t)((UINT64_C(2) << (high - low)) - 1);
}

/* The low `width` bits of a value as a signed number. */
static inline int32_t sign_extend(uint32_t value, unsigned width)
{
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

#endif
