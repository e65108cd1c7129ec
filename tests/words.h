/* SPDX-License-Identifier: Apache-2.0
 * Instruction words put together by hand from sections 3 and 4 of the contract, so that tests of
 * the model depend on neither the table nor the assembler.
 */
#ifndef ZTL_TEST_WORDS_H
#define ZTL_TEST_WORDS_H

#include <stdint.h>

enum { OPCODE_CUSTOM_2 = 0x5b, OPCODE_SYSTEM = 0x73 };

static inline uint32_t r_type(unsigned high7, unsigned f24, unsigned f19, unsigned funct3,
                              unsigned f11)
{
    return (uint32_t)high7 << 25 | f24 << 20 | f19 << 15 | funct3 << 12 | f11 << 7 |
           OPCODE_CUSTOM_2;
}

/* Ztl 2. */
static inline uint32_t word_ls(unsigned st, unsigned tm, unsigned tl, int imm8, unsigned rs)
{
    return st << 29 | tm << 28 | ((uint32_t)imm8 & 0xff) << 20 | tl << 15 | rs << 7 |
           OPCODE_CUSTOM_2;
}
static inline uint32_t word_load(unsigned tlrd, int imm8, unsigned rs)
{
    return word_ls(0, 0, tlrd, imm8, rs);
}
static inline uint32_t word_mload(unsigned tlrd, int imm8, unsigned rs)
{
    return word_ls(0, 1, tlrd, imm8, rs);
}
static inline uint32_t word_store(unsigned tlrs, int imm8, unsigned rs)
{
    return word_ls(1, 0, tlrs, imm8, rs);
}
static inline uint32_t word_mstore(unsigned tlrs, int imm8, unsigned rs)
{
    return word_ls(1, 1, tlrs, imm8, rs);
}
static inline uint32_t word_concat(unsigned d, unsigned tlrd, unsigned tlrs1, unsigned tlrs2)
{
    return r_type(d, tlrs2, tlrs1, 1, tlrd);
}
static inline uint32_t word_merge(unsigned d, unsigned tlrd, unsigned tlrs1, unsigned tlrs2)
{
    return r_type(4 + d, tlrs2, tlrs1, 1, tlrd);
}
static inline uint32_t word_addi(unsigned tlrd, unsigned tlrs, int imm8)
{
    return ((uint32_t)imm8 & 0xff) << 20 | tlrs << 15 | 2 << 12 | tlrd << 7 | OPCODE_CUSTOM_2;
}
/* code: [28:25] of XPOSE. */
static inline uint32_t word_xpose(unsigned code, unsigned tlrs1, unsigned tlrs2, unsigned rs)
{
    return r_type(code, tlrs2, tlrs1, 3, rs);
}
/* bits: 8, 16, 32 or 64. */
static inline uint32_t word_permute(unsigned bits, unsigned tlrs1, unsigned tlrs2, unsigned rs)
{
    unsigned funct5 = bits == 8 ? 0x11 : bits == 32 ? 0x12 : bits == 16 ? 0x13 : 0x14;
    return r_type(funct5, tlrs2, tlrs1, 3, rs);
}

/* Ztl 1. */
static inline uint32_t word1_xpose(unsigned code, unsigned first, unsigned second, unsigned rs)
{
    return r_type(0x30 | code, rs, second, 0, first);
}
static inline uint32_t word1_concat(unsigned d, unsigned td, unsigned ts1, unsigned ts2)
{
    return r_type(0x40 | d, ts2, ts1, 1, td);
}
static inline uint32_t word1_addi(unsigned td, unsigned ts, int imm12)
{
    return ((uint32_t)imm12 & 0xfff) << 20 | ts << 15 | 2 << 12 | td << 7 | OPCODE_CUSTOM_2;
}
static inline uint32_t word1_mload(unsigned td, unsigned rshape, unsigned rbase)
{
    return r_type(0x50, rbase, rshape, 3, td);
}
static inline uint32_t word1_mstore(unsigned ts, unsigned rbase, unsigned rshape)
{
    return r_type(0x51, rbase, ts, 4, rshape);
}

/* Zicsr: funct3 1 csrrw, 2 csrrs, 3 csrrc, 5 … 7 the same with an immediate. */
static inline uint32_t word_csr(unsigned funct3, unsigned rd, unsigned address, unsigned source)
{
    return (uint32_t)address << 20 | source << 15 | funct3 << 12 | rd << 7 | OPCODE_SYSTEM;
}

#endif
