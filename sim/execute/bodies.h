/* SPDX-License-Identifier: Apache-2.0
 *
 * What the instructions do, one line each, in the words of the including file:
 *
 *   BODY_ID               the body of an instruction of sim/decode/base.def
 *   ux, sx                unsigned and signed types of XLEN bits; XLEN
 *   RS1 RS2 IMM           operands: registers as ux, the immediate as sx
 *   SET(value)            writes rd
 *   LOAD(type)            rd = the bytes at rs1 + imm, as a value of the type
 *   STORE(type)           the bytes at rs1 + imm = rs2
 *   BRANCH(condition)     jumps by imm where it holds
 *   AUIPC JAL JALR        as the instructions; they know pc
 *
 * bodies.def lists those that there are. What takes more than a line (CSRs, atomics, traps) is in
 * system.c and amo.c.
 */
#ifndef ZTL_SIM_BODIES_H
#define ZTL_SIM_BODIES_H

#define S(value)  ((sx)(value))
#define W(value)  ((ux)(sx)(int32_t)(uint32_t)(value))
#define LOW(v)    ((uint32_t)(v))
#define SHAMT(v)  ((unsigned)(v) & (XLEN - 1))
#define SHAMTW(v) ((unsigned)(v)&31)

/* clang-format off */
#define BODY_LB        LOAD(int8_t)
#define BODY_LH        LOAD(int16_t)
#define BODY_LW        LOAD(int32_t)
#define BODY_LBU       LOAD(uint8_t)
#define BODY_LHU       LOAD(uint16_t)
#define BODY_SB        STORE(uint8_t)
#define BODY_SH        STORE(uint16_t)
#define BODY_SW        STORE(uint32_t)

#define BODY_FENCE
#define BODY_FENCE_I

#define BODY_LUI       SET(IMM)
#define BODY_AUIPC     AUIPC
#define BODY_ADDI      SET(RS1 + (ux)IMM)
#define BODY_SLTI      SET(S(RS1) < IMM)
#define BODY_SLTIU     SET(RS1 < (ux)IMM)
#define BODY_XORI      SET(RS1 ^ (ux)IMM)
#define BODY_ORI       SET(RS1 | (ux)IMM)
#define BODY_ANDI      SET(RS1 & (ux)IMM)
#define BODY_SLLI      SET(RS1 << SHAMT(IMM))
#define BODY_SRLI      SET(RS1 >> SHAMT(IMM))
#define BODY_SRAI      SET(S(RS1) >> SHAMT(IMM))
#define BODY_ADD       SET(RS1 + RS2)
#define BODY_SUB       SET(RS1 - RS2)
#define BODY_SLL       SET(RS1 << SHAMT(RS2))
#define BODY_SLT       SET(S(RS1) < S(RS2))
#define BODY_SLTU      SET(RS1 < RS2)
#define BODY_XOR       SET(RS1 ^ RS2)
#define BODY_SRL       SET(RS1 >> SHAMT(RS2))
#define BODY_SRA       SET(S(RS1) >> SHAMT(RS2))
#define BODY_OR        SET(RS1 | RS2)
#define BODY_AND       SET(RS1 & RS2)

#define BODY_BEQ       BRANCH(RS1 == RS2)
#define BODY_BNE       BRANCH(RS1 != RS2)
#define BODY_BLT       BRANCH(S(RS1) < S(RS2))
#define BODY_BGE       BRANCH(S(RS1) >= S(RS2))
#define BODY_BLTU      BRANCH(RS1 < RS2)
#define BODY_BGEU      BRANCH(RS1 >= RS2)
#define BODY_JAL       JAL
#define BODY_JALR      JALR

#define BODY_MUL       SET(RS1 * RS2)
#define BODY_MULH      SET(((sx2)S(RS1) * (sx2)S(RS2)) >> XLEN)
#define BODY_MULHSU    SET(((sx2)S(RS1) * (sx2)(ux2)RS2) >> XLEN)
#define BODY_MULHU     SET(((ux2)RS1 * (ux2)RS2) >> XLEN)
#define BODY_DIV       SET(RS2 == 0 ? ~(ux)0 : RS2 == ~(ux)0 ? -RS1 : (ux)(S(RS1) / S(RS2)))
#define BODY_DIVU      SET(RS2 == 0 ? ~(ux)0 : RS1 / RS2)
#define BODY_REM       SET(RS2 == 0 ? RS1 : RS2 == ~(ux)0 ? 0 : (ux)(S(RS1) % S(RS2)))
#define BODY_REMU      SET(RS2 == 0 ? RS1 : RS1 % RS2)

#define BODY_SH1ADD    SET((RS1 << 1) + RS2)
#define BODY_SH2ADD    SET((RS1 << 2) + RS2)
#define BODY_SH3ADD    SET((RS1 << 3) + RS2)

#define BODY_ANDN      SET(RS1 & ~RS2)
#define BODY_ORN       SET(RS1 | ~RS2)
#define BODY_XNOR      SET(~(RS1 ^ RS2))
#define BODY_CLZ       SET(RS1 == 0 ? XLEN : __builtin_clzll(RS1) - (64 - XLEN))
#define BODY_CTZ       SET(RS1 == 0 ? XLEN : __builtin_ctzll(RS1))
#define BODY_CPOP      SET(__builtin_popcountll(RS1))
#define BODY_MIN       SET(S(RS1) < S(RS2) ? RS1 : RS2)
#define BODY_MINU      SET(RS1 < RS2 ? RS1 : RS2)
#define BODY_MAX       SET(S(RS1) > S(RS2) ? RS1 : RS2)
#define BODY_MAXU      SET(RS1 > RS2 ? RS1 : RS2)
#define BODY_SEXT_B    SET(S((int8_t)RS1))
#define BODY_SEXT_H    SET(S((int16_t)RS1))
#define BODY_ROL       SET(RS1 << SHAMT(RS2) | RS1 >> SHAMT(-RS2))
#define BODY_ROR       SET(RS1 >> SHAMT(RS2) | RS1 << SHAMT(-RS2))
#define BODY_RORI      SET(RS1 >> SHAMT(IMM) | RS1 << SHAMT(-IMM))
#define BODY_ORC_B     SET(ORC(RS1))

#define BODY_BCLR      SET(RS1 & ~((ux)1 << SHAMT(RS2)))
#define BODY_BCLRI     SET(RS1 & ~((ux)1 << SHAMT(IMM)))
#define BODY_BEXT      SET(RS1 >> SHAMT(RS2) & 1)
#define BODY_BEXTI     SET(RS1 >> SHAMT(IMM) & 1)
#define BODY_BINV      SET(RS1 ^ (ux)1 << SHAMT(RS2))
#define BODY_BINVI     SET(RS1 ^ (ux)1 << SHAMT(IMM))
#define BODY_BSET      SET(RS1 | (ux)1 << SHAMT(RS2))
#define BODY_BSETI     SET(RS1 | (ux)1 << SHAMT(IMM))

#define BODY_CLMUL     SET(CARRYLESS(RS1, RS2))
#define BODY_CLMULH    SET(CARRYLESS(RS1, RS2) >> XLEN)
#define BODY_CLMULR    SET(CARRYLESS(RS1, RS2) >> (XLEN - 1))
#define BODY_BREV8     SET(REVERSED_BITS(RS1))
#define BODY_PACK      SET(RS1 << (XLEN / 2) >> (XLEN / 2) | RS2 << (XLEN / 2))
#define BODY_PACKH     SET((uint8_t)RS1 | (ux)(uint8_t)RS2 << 8)
#define BODY_XPERM4    SET(PERMUTED(RS1, RS2, 4))
#define BODY_XPERM8    SET(PERMUTED(RS1, RS2, 8))

#define BODY_CZERO_EQZ SET(RS2 == 0 ? 0 : RS1)
#define BODY_CZERO_NEZ SET(RS2 != 0 ? 0 : RS1)

/* Only RV32. */
#define BODY_ZIP       SET(ZIPPED(RS1))
#define BODY_UNZIP     SET(UNZIPPED(RS1))
#define BODY_ZEXT_H_32 SET((uint16_t)RS1)
#define BODY_REV8_32   SET(__builtin_bswap32(RS1))

/* Only RV64. */
#define BODY_LD        LOAD(int64_t)
#define BODY_LWU       LOAD(uint32_t)
#define BODY_SD        STORE(uint64_t)
#define BODY_ADDIW     SET(W(RS1 + (ux)IMM))
#define BODY_SLLIW     SET(W(LOW(RS1) << SHAMTW(IMM)))
#define BODY_SRLIW     SET(W(LOW(RS1) >> SHAMTW(IMM)))
#define BODY_SRAIW     SET(S((int32_t)LOW(RS1) >> SHAMTW(IMM)))
#define BODY_ADDW      SET(W(RS1 + RS2))
#define BODY_SUBW      SET(W(RS1 - RS2))
#define BODY_SLLW      SET(W(LOW(RS1) << SHAMTW(RS2)))
#define BODY_SRLW      SET(W(LOW(RS1) >> SHAMTW(RS2)))
#define BODY_SRAW      SET(S((int32_t)LOW(RS1) >> SHAMTW(RS2)))
#define BODY_MULW      SET(W(RS1 * RS2))
#define BODY_DIVW      SET(LOW(RS2) == 0 ? ~(ux)0 : LOW(RS2) == UINT32_MAX ? W(-RS1) : W((int32_t)LOW(RS1) / (int32_t)LOW(RS2)))
#define BODY_DIVUW     SET(LOW(RS2) == 0 ? ~(ux)0 : W(LOW(RS1) / LOW(RS2)))
#define BODY_REMW      SET(LOW(RS2) == 0 ? W(RS1) : LOW(RS2) == UINT32_MAX ? 0 : W((int32_t)LOW(RS1) % (int32_t)LOW(RS2)))
#define BODY_REMUW     SET(LOW(RS2) == 0 ? W(RS1) : W(LOW(RS1) % LOW(RS2)))
#define BODY_ADD_UW    SET(LOW(RS1) + RS2)
#define BODY_SH1ADD_UW SET(((ux)LOW(RS1) << 1) + RS2)
#define BODY_SH2ADD_UW SET(((ux)LOW(RS1) << 2) + RS2)
#define BODY_SH3ADD_UW SET(((ux)LOW(RS1) << 3) + RS2)
#define BODY_SLLI_UW   SET((ux)LOW(RS1) << SHAMT(IMM))
#define BODY_CLZW      SET(LOW(RS1) == 0 ? 32 : __builtin_clz(LOW(RS1)))
#define BODY_CTZW      SET(LOW(RS1) == 0 ? 32 : __builtin_ctz(LOW(RS1)))
#define BODY_CPOPW     SET(__builtin_popcount(LOW(RS1)))
#define BODY_ROLW      SET(W(LOW(RS1) << SHAMTW(RS2) | LOW(RS1) >> SHAMTW(-RS2)))
#define BODY_RORW      SET(W(LOW(RS1) >> SHAMTW(RS2) | LOW(RS1) << SHAMTW(-RS2)))
#define BODY_RORIW     SET(W(LOW(RS1) >> SHAMTW(IMM) | LOW(RS1) << SHAMTW(-IMM)))
#define BODY_ZEXT_H    SET((uint16_t)RS1)
#define BODY_REV8      SET(__builtin_bswap64(RS1))
#define BODY_PACKW     SET(W((uint16_t)RS1 | LOW(RS2) << 16))
/* clang-format on */

#endif
