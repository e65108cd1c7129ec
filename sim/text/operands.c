/* SPDX-License-Identifier: Apache-2.0
 * How an instruction of the hart is written: read by the disassembler and by the assembler.
 */
#include "sim/decode/decode.h"

enum { FENCE_TSO = 8 }; /* the mode, in imm[11:8] */

const char *ztl_decoded_mnemonic(const decoded *insn)
{
    base_row row;
    if (insn->length == 2 && ztl_compressed_row(insn->c_row, &row))
        return row.mnemonic;
    return ztl_base_rows[insn->op].mnemonic;
}

const char *ztl_decoded_suffix(const decoded *insn)
{
    static const char *const ordering[] = {"", ".rl", ".aq", ".aqrl"};
    enum base_format format = ztl_base_rows[insn->op].format;
    if (format == FORMAT_LR || format == FORMAT_AMO)
        return ordering[insn->imm & 3];
    return format == FORMAT_FENCE && insn->imm >> 8 == FENCE_TSO ? ".tso" : "";
}

unsigned ztl_usual_rounding(enum base_format format)
{
    bool exact = format == FORMAT_FF_EXACT || format == FORMAT_FX_EXACT;
    return exact ? 0 : ROUND_DYNAMIC;
}

const char *ztl_rounding_name(unsigned mode)
{
    static const char *const names[] = {"rne", "rtz", "rdn", "rup", "rmm"};
    return mode == ROUND_DYNAMIC ? "dyn" : mode < sizeof names / sizeof names[0] ? names[mode] : "";
}

const char *const ztl_fli_names[FLI_CONSTANTS] = {
    "-1.0", "min",    "0x1p-16", "0x1p-15", "0x1p-8",  "0x1p-7",  "0.0625", "0.125",
    "0.25", "0.3125", "0.375",   "0.4375",  "0.5",     "0.625",   "0.75",   "0.875",
    "1.0",  "1.25",   "1.5",     "1.75",    "2.0",     "2.5",     "3.0",    "4.0",
    "8.0",  "16.0",   "128.0",   "256.0",   "32768.0", "65536.0", "inf",    "nan",
};

const char *ztl_decoded_operands(const decoded *insn)
{
    static const char *const operands[] = {
        [FORMAT_NONE] = "",          [FORMAT_R] = "d, s, t",      [FORMAT_I] = "d, s, i",
        [FORMAT_UNARY] = "d, s",     [FORMAT_SHIFT] = "d, s, h",  [FORMAT_SHIFTW] = "d, s, h",
        [FORMAT_LOAD] = "d, i(s)",   [FORMAT_STORE] = "t, i(s)",  [FORMAT_BRANCH] = "s, t, a",
        [FORMAT_U] = "d, u",         [FORMAT_JUMP] = "d, a",      [FORMAT_JALR] = "d, i(s)",
        [FORMAT_LR] = "d, (s)",      [FORMAT_AMO] = "d, t, (s)",  [FORMAT_FENCE] = "p, q",
        [FORMAT_CACHE] = "(s)",      [FORMAT_FXX] = "D, s, t",    [FORMAT_FLI] = "D, k",
        [FORMAT_XF_MOD] = "d, S, m", [FORMAT_CSR] = "d, c, s",    [FORMAT_CSRI] = "d, c, z",
        [FORMAT_FLOAD] = "D, i(s)",  [FORMAT_FSTORE] = "T, i(s)", [FORMAT_FR] = "D, S, T",
        [FORMAT_FR_RM] = "D, S, T",  [FORMAT_FR4] = "D, S, T, R", [FORMAT_FF_RM] = "D, S",
        [FORMAT_FF_EXACT] = "D, S",  [FORMAT_FX] = "D, s",        [FORMAT_FX_RM] = "D, s",
        [FORMAT_FX_EXACT] = "D, s",  [FORMAT_XF] = "d, S",        [FORMAT_XF_RM] = "d, S",
        [FORMAT_FCMP] = "d, S, T",
    };
    static const char *const rounded[] = {
        [FORMAT_FR_RM] = "D, S, T, m", [FORMAT_FR4] = "D, S, T, R, m",
        [FORMAT_FF_RM] = "D, S, m",    [FORMAT_FF_EXACT] = "D, S, m",
        [FORMAT_FX_RM] = "D, s, m",    [FORMAT_FX_EXACT] = "D, s, m",
        [FORMAT_XF_RM] = "d, S, m",
    };
    if (insn->length == 2)
        return ztl_compressed_operands(insn->c_row);
    enum base_format format = ztl_base_rows[insn->op].format;
    if (ztl_has_rounding(format) && insn->rm != ztl_usual_rounding(format))
        return rounded[format];
    return format == FORMAT_FENCE && *ztl_decoded_suffix(insn) ? "" : operands[format];
}
