/* SPDX-License-Identifier: Apache-2.0
 * Compressed instructions: where their operands are, and what is reserved.
 */
#include "sim/decode/decode.h"

enum { RA = 1, SP = 2 };

/* Bits of a compressed immediate: [high:low] of the word go to bit `to` and up. */
#define PUT(high, low, to) (bits(word, high, low) << (to))

enum c_format {
    C_ADDI4SPN,
    C_LW,
    C_LD,
    C_SW,
    C_SD,
    C_NOP,
    C_ADDI,
    C_JAL,
    C_ADDIW,
    C_LI,
    C_ADDI16SP,
    C_LUI,
    C_SHIFT,
    C_ANDI,
    C_ARITH,
    C_J,
    C_BRANCH,
    C_SLLI,
    C_LWSP,
    C_LDSP,
    C_JR,
    C_MV,
    C_EBREAK,
    C_JALR,
    C_ADD,
    C_SWSP,
    C_SDSP,
    C_FLW,
    C_FLD,
    C_FSW,
    C_FSD,
    C_FLWSP,
    C_FLDSP,
    C_FSWSP,
    C_FSDSP,
    C_LB,
    C_LH,
    C_SB,
    C_SH,
    C_UNARY,
    C_ZEXT_B,
    C_NOT,
};

typedef struct c_row {
    const char *mnemonic;
    uint16_t match, mask;
    uint8_t format;
    uint8_t xlen;
    uint16_t op;
    uint32_t extension;
} c_row;

static const c_row rows[] = {
#define C_INSN(ID, mnemonic, match, mask, format, base, extension, xlen)                           \
    {mnemonic, match, mask, C_##format, xlen, OP_##base, ZTL_EXT_##extension},
#include "sim/decode/compressed.def"
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* All that a row needs. */
static uint32_t extension_of(const c_row *row)
{
    return ZTL_EXT_C | row->extension | ztl_base_rows[row->op].extension;
}

bool ztl_compressed_row(unsigned row, base_row *out)
{
    if (row >= ROWS)
        return false;
    *out = (base_row){rows[row].mnemonic,       rows[row].match,  rows[row].mask,
                      extension_of(&rows[row]), rows[row].format, rows[row].xlen};
    return true;
}

const char *ztl_compressed_operands(unsigned row)
{
    switch ((enum c_format)rows[row].format) {
    case C_ADDI4SPN:
        return "d, s, i";
    case C_LW:
    case C_LD:
    case C_LWSP:
    case C_LDSP:
    case C_LB:
    case C_LH:
        return "d, i(s)";
    case C_SB:
    case C_SH:
    case C_SW:
    case C_SD:
    case C_SWSP:
    case C_SDSP:
        return "t, i(s)";
    case C_FLW:
    case C_FLD:
    case C_FLWSP:
    case C_FLDSP:
        return "D, i(s)";
    case C_FSW:
    case C_FSD:
    case C_FSWSP:
    case C_FSDSP:
        return "T, i(s)";
    case C_ADDI:
    case C_ADDIW:
    case C_LI:
    case C_ADDI16SP:
    case C_ANDI:
        return "d, i";
    case C_LUI:
        return "d, u";
    case C_SHIFT:
    case C_SLLI:
        return "d, h";
    case C_ARITH:
    case C_MV:
    case C_ADD:
        return "d, t";
    case C_J:
    case C_JAL:
        return "a";
    case C_BRANCH:
        return "s, a";
    case C_JR:
    case C_JALR:
        return "s";
    case C_UNARY:
    case C_ZEXT_B:
    case C_NOT:
        return "d";
    default:
        return "";
    }
}

static int32_t jump_offset(uint32_t word)
{
    return sign_extend(PUT(12, 12, 11) | PUT(11, 11, 4) | PUT(10, 9, 8) | PUT(8, 8, 10) |
                           PUT(7, 7, 6) | PUT(6, 6, 7) | PUT(5, 3, 1) | PUT(2, 2, 5),
                       12);
}

static int32_t branch_offset(uint32_t word)
{
    return sign_extend(PUT(12, 12, 8) | PUT(11, 10, 3) | PUT(6, 5, 6) | PUT(4, 3, 1) | PUT(2, 2, 5),
                       9);
}

static int32_t sp_offset(uint32_t word)
{
    return sign_extend(PUT(12, 12, 9) | PUT(6, 6, 4) | PUT(5, 5, 6) | PUT(4, 3, 7) | PUT(2, 2, 5),
                       10);
}

static int32_t immediate(enum c_format format, uint32_t word)
{
    switch (format) {
    case C_ADDI4SPN:
        return (int32_t)(PUT(12, 11, 4) | PUT(10, 7, 6) | PUT(6, 6, 2) | PUT(5, 5, 3));
    case C_LW:
    case C_FLW:
    case C_SW:
    case C_FSW:
        return (int32_t)(PUT(12, 10, 3) | PUT(6, 6, 2) | PUT(5, 5, 6));
    case C_LD:
    case C_FLD:
    case C_SD:
    case C_FSD:
        return (int32_t)(PUT(12, 10, 3) | PUT(6, 5, 6));
    case C_LB:
    case C_SB:
        return (int32_t)(PUT(6, 6, 0) | PUT(5, 5, 1));
    case C_LH:
    case C_SH:
        return (int32_t)PUT(5, 5, 1);
    case C_ZEXT_B:
        return 255;
    case C_NOT:
        return -1;
    case C_NOP:
    case C_ADDI:
    case C_ADDIW:
    case C_LI:
    case C_ANDI:
        return sign_extend(PUT(12, 12, 5) | PUT(6, 2, 0), 6);
    case C_LUI:
        return sign_extend(PUT(12, 12, 17) | PUT(6, 2, 12), 18);
    case C_ADDI16SP:
        return sp_offset(word);
    case C_SHIFT:
    case C_SLLI:
        return (int32_t)(PUT(12, 12, 5) | PUT(6, 2, 0));
    case C_J:
    case C_JAL:
        return jump_offset(word);
    case C_BRANCH:
        return branch_offset(word);
    case C_LWSP:
    case C_FLWSP:
        return (int32_t)(PUT(12, 12, 5) | PUT(6, 4, 2) | PUT(3, 2, 6));
    case C_LDSP:
    case C_FLDSP:
        return (int32_t)(PUT(12, 12, 5) | PUT(6, 5, 3) | PUT(4, 2, 6));
    case C_SWSP:
    case C_FSWSP:
        return (int32_t)(PUT(12, 9, 2) | PUT(8, 7, 6));
    case C_SDSP:
    case C_FSDSP:
        return (int32_t)(PUT(12, 10, 3) | PUT(9, 7, 6));
    default:
        return 0;
    }
}

static void set_registers(decoded *insn, unsigned rd, unsigned rs1, unsigned rs2)
{
    insn->rd = (uint8_t)rd;
    insn->rs1 = (uint8_t)rs1;
    insn->rs2 = (uint8_t)rs2;
}

static void registers(enum c_format format, uint32_t word, decoded *insn)
{
    unsigned full = bits(word, 11, 7), second = bits(word, 6, 2);
    unsigned high = 8 + bits(word, 9, 7), low = 8 + bits(word, 4, 2);
    switch (format) {
    case C_ADDI4SPN:
        return set_registers(insn, low, SP, 0);
    case C_LW:
    case C_FLW:
    case C_LD:
    case C_FLD:
    case C_LB:
    case C_LH:
        return set_registers(insn, low, high, 0);
    case C_SB:
    case C_SH:
    case C_SW:
    case C_FSW:
    case C_SD:
    case C_FSD:
        return set_registers(insn, 0, high, low);
    case C_ADDI:
    case C_ADDIW:
    case C_ADDI16SP:
    case C_SLLI:
        return set_registers(insn, full, full, 0);
    case C_LI:
    case C_LUI:
        return set_registers(insn, full, 0, 0);
    case C_SHIFT:
    case C_ANDI:
    case C_UNARY:
    case C_ZEXT_B:
    case C_NOT:
        return set_registers(insn, high, high, 0);
    case C_ARITH:
        return set_registers(insn, high, high, low);
    case C_JAL:
        return set_registers(insn, RA, 0, 0);
    case C_BRANCH:
        return set_registers(insn, 0, high, 0);
    case C_LWSP:
    case C_FLWSP:
    case C_LDSP:
    case C_FLDSP:
        return set_registers(insn, full, SP, 0);
    case C_SWSP:
    case C_FSWSP:
    case C_SDSP:
    case C_FSDSP:
        return set_registers(insn, 0, SP, second);
    case C_JR:
        return set_registers(insn, 0, full, 0);
    case C_JALR:
        return set_registers(insn, RA, full, 0);
    case C_MV:
        return set_registers(insn, full, 0, second);
    case C_ADD:
        return set_registers(insn, full, full, second);
    default:
        return;
    }
}

static bool is_reserved(enum c_format format, const ztl_hart_isa *isa, const decoded *insn)
{
    switch (format) {
    case C_ADDI4SPN:
    case C_ADDI16SP:
    case C_LUI:
        return insn->imm == 0;
    case C_ADDIW:
    case C_LWSP:
    case C_LDSP:
        return insn->rd == 0;
    case C_JR:
        return insn->rs1 == 0;
    case C_SHIFT:
    case C_SLLI:
        return isa->xlen == 32 && insn->imm >= 32;
    default:
        return false;
    }
}

void ztl_compressed_fields(unsigned row, uint32_t word, decoded *insn)
{
    *insn = (decoded){.word = word,
                      .imm = immediate(rows[row].format, word),
                      .op = rows[row].op,
                      .length = 2,
                      .c_row = (uint8_t)row};
    registers(rows[row].format, word, insn);
}

bool ztl_decode_compressed(const ztl_hart_isa *isa, uint32_t word, decoded *insn)
{
    if (!(isa->extensions & ZTL_EXT_C))
        return false;
    for (unsigned k = 0; k < ROWS; k++) {
        const c_row *row = &rows[k];
        if ((word & row->mask) != row->match || (row->xlen != 0 && row->xlen != isa->xlen) ||
            (extension_of(row) & ~isa->extensions))
            continue;
        ztl_compressed_fields(k, word, insn);
        return !is_reserved(row->format, isa, insn);
    }
    return false;
}
