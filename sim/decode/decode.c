/* SPDX-License-Identifier: Apache-2.0
 * From a word to an instruction and its operands.
 */
#include "sim/decode/decode.h"

#include "float/float.h"

/* What rows need several of. */
enum {
    ZTL_EXT_D_ZFHMIN = ZTL_EXT_D | ZTL_EXT_ZFHMIN,
    ZTL_EXT_D_ZFA = ZTL_EXT_D | ZTL_EXT_ZFA,
    ZTL_EXT_ZFH_ZFA = ZTL_EXT_ZFH | ZTL_EXT_ZFA,
};

const base_row ztl_base_rows[BASE_INSNS] = {
#define BASE_INSN(ID, mnemonic, match, mask, format, extension, xlen)                              \
    {mnemonic, match, mask, ZTL_EXT_##extension, FORMAT_##format, xlen},
#include "sim/decode/base.def"
#define FLOAT_INSN(ID, mnemonic, match, mask, format, extension, xlen, ...)                        \
    {mnemonic, match, mask, ZTL_EXT_##extension, FORMAT_##format, xlen},
#include "sim/decode/float.def"
};

unsigned ztl_hart_insn_length(uint32_t word)
{
    return (word & 3) == 3 ? 4 : 2;
}

static bool row_fits(const ztl_hart_isa *isa, const base_row *row, uint32_t word)
{
    unsigned rounding = bits(word, 14, 12);
    if ((word & row->mask) != row->match || (row->extension & ~isa->extensions))
        return false;
    if (row->xlen != 0 && row->xlen != isa->xlen)
        return false;
    if (ztl_has_rounding(row->format) && rounding > ZTL_ROUND_NEAREST_AWAY)
        return rounding == ROUND_DYNAMIC;
    return row->format != FORMAT_SHIFT || isa->xlen == 64 || !bits(word, 25, 25);
}

bool ztl_has_rounding(enum base_format format)
{
    return format == FORMAT_FR_RM || format == FORMAT_FR4 || format == FORMAT_FF_RM ||
           format == FORMAT_FF_EXACT || format == FORMAT_FX_RM || format == FORMAT_FX_EXACT ||
           format == FORMAT_XF_RM;
}

bool ztl_writes_float(unsigned op)
{
    enum base_format format = op < BASE_INSNS ? ztl_base_rows[op].format : FORMAT_NONE;
    return format == FORMAT_FLOAD || (format >= FORMAT_FR && format <= FORMAT_FX_EXACT);
}

static int32_t immediate(enum base_format format, uint32_t word)
{
    switch (format) {
    case FORMAT_I:
    case FORMAT_LOAD:
    case FORMAT_FLOAD:
    case FORMAT_JALR:
        return (int32_t)word >> 20;
    case FORMAT_STORE:
    case FORMAT_FSTORE:
        return sign_extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
    case FORMAT_BRANCH:
        return sign_extend(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                               bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
                           13);
    case FORMAT_U:
        return (int32_t)(word & 0xfffff000);
    case FORMAT_JUMP:
        return sign_extend(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                               bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                           21);
    case FORMAT_SHIFT:
        return (int32_t)bits(word, 25, 20);
    case FORMAT_SHIFTW:
        return (int32_t)bits(word, 24, 20);
    case FORMAT_LR:
    case FORMAT_AMO:
        return (int32_t)bits(word, 26, 25);
    case FORMAT_FENCE:
    case FORMAT_CSR:
    case FORMAT_CSRI:
        return (int32_t)bits(word, 31, 20);
    default:
        return 0;
    }
}

static bool writes_rd(enum base_format format)
{
    return format != FORMAT_STORE && format != FORMAT_FSTORE && format != FORMAT_BRANCH &&
           format != FORMAT_FENCE && format != FORMAT_CACHE && format != FORMAT_NONE;
}

void ztl_base_fields(unsigned op, uint32_t word, decoded *insn)
{
    enum base_format format = ztl_base_rows[op].format;
    *insn = (decoded){.word = word,
                      .imm = immediate(format, word),
                      .op = (uint16_t)op,
                      .rd = (uint8_t)(writes_rd(format) ? bits(word, 11, 7) : 0),
                      .rs1 = (uint8_t)bits(word, 19, 15),
                      .rs2 = (uint8_t)bits(word, 24, 20),
                      .length = 4,
                      .rs3 = (uint8_t)bits(word, 31, 27),
                      .rm = (uint8_t)bits(word, 14, 12)};
}

void ztl_decode_base(const ztl_hart_isa *isa, uint32_t word, decoded *insn)
{
    *insn = (decoded){.word = word, .op = OP_ILLEGAL, .length = 4};
    if (ztl_hart_insn_length(word) == 2) {
        if (!ztl_decode_compressed(isa, word & 0xffff, insn))
            *insn = (decoded){.word = word & 0xffff, .op = OP_ILLEGAL, .length = 2};
        return;
    }
    if ((word & ZTL_OPCODE_MASK) == ZTL_OPCODE && isa->ztl_subsets) {
        insn->op = OP_ZTL;
        return;
    }
    for (unsigned op = 0; op < BASE_INSNS; op++) {
        if (!row_fits(isa, &ztl_base_rows[op], word))
            continue;
        ztl_base_fields(op, word, insn);
        return;
    }
}

bool ztl_decode_is_ztl(const ztl_hart_isa *isa, uint32_t word)
{
    decoded insn;
    ztl_decode_base(isa, word, &insn);
    if (insn.op >= BASE_INSNS)
        return insn.op == OP_ZTL;
    enum base_format format = ztl_base_rows[insn.op].format;
    return (format == FORMAT_CSR || format == FORMAT_CSRI) && isa->ztl_subsets &&
           ztl_isa_csr_at(isa->ztl_revision, (unsigned)insn.imm, NULL);
}
