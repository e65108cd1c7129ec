/* SPDX-License-Identifier: Apache-2.0
 * Words of base instructions, put together as the manual draws them, and a hart to run them.
 */
#ifndef ZTL_TESTS_SIM_CODE_H
#define ZTL_TESTS_SIM_CODE_H

#include <stdio.h>
#include <string.h>

#include <ztl/hart.h>

#include "tests/unit.h"

enum { ZERO = 0, RA = 1, SP = 2, T0 = 5, T1 = 6, A0 = 10, A1 = 11, A2 = 12, A3 = 13 };

#define WORD_I(opcode, funct3, rd, rs1, imm)                                                       \
    ((uint32_t)(imm) << 20 | (uint32_t)(rs1) << 15 | (funct3) << 12 | (rd) << 7 | (opcode))
#define WORD_S(funct3, rs2, rs1, imm)                                                              \
    (((uint32_t)(imm) >> 5 & 0x7f) << 25 | (uint32_t)(rs2) << 20 | (uint32_t)(rs1) << 15 |         \
     (funct3) << 12 | ((uint32_t)(imm)&0x1f) << 7 | 0x23)

#define ADDI(rd, rs1, imm)   WORD_I(0x13, 0, rd, rs1, imm)
#define LW(rd, imm, rs1)     WORD_I(0x03, 2, rd, rs1, imm)
#define LD(rd, imm, rs1)     WORD_I(0x03, 3, rd, rs1, imm)
#define SW(rs2, imm, rs1)    WORD_S(2, rs2, rs1, imm)
#define SD(rs2, imm, rs1)    WORD_S(3, rs2, rs1, imm)
#define JALR(rd, rs1, imm)   WORD_I(0x67, 0, rd, rs1, imm)
#define LUI(rd, imm20)       ((uint32_t)(imm20) << 12 | (rd) << 7 | 0x37)
#define CSRRW(rd, csr, rs1)  WORD_I(0x73, 1, rd, rs1, csr)
#define CSRRS(rd, csr, rs1)  WORD_I(0x73, 2, rd, rs1, csr)
#define CSRRWI(rd, csr, imm) WORD_I(0x73, 5, rd, imm, csr)
#define BNE_BACK(rs1, rs2, back)                                                                   \
    (1u << 31 | ((uint32_t)(-(back)) >> 5 & 0x3f) << 25 | (uint32_t)(rs2) << 20 |                  \
     (uint32_t)(rs1) << 15 | 1 << 12 | ((uint32_t)(-(back)) >> 1 & 0xf) << 8 |                     \
     ((uint32_t)(-(back)) >> 11 & 1) << 7 | 0x63)
#define ECALL   0x00000073u
#define EBREAK  0x00100073u
#define MRET    0x30200073u
#define WFI     0x10500073u
#define FENCE_I 0x0000100fu
#define JUMP_0  0x0000006fu /* to itself */

enum { BASE = 0x80000000, RAM_BYTES = 1 << 20, DATA = BASE + 0x10000, HANDLER = BASE + 0x800 };

static inline ztl_hart *make_hart(const char *isa, enum ztl_trap_policy policy)
{
    ztl_error error = {""};
    static const ztl_window ram = {BASE, RAM_BYTES};
    ztl_hart_config config = {
        .isa = isa, .ram = &ram, .ram_count = 1, .reset_pc = BASE, .trap_policy = policy};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    assert_string_equal(error.text, "");
    assert_non_null(hart);
    return hart;
}

static inline void put_code(ztl_hart *hart, uint64_t address, const uint32_t *words, size_t bytes)
{
    assert_int_equal(ztl_hart_write_memory(hart, address, words, bytes), bytes);
}

#define CODE(hart, address, ...)                                                                   \
    put_code(hart, address, (const uint32_t[]){__VA_ARGS__},                                       \
             sizeof((const uint32_t[]){__VA_ARGS__}))

static inline uint64_t csr_of(ztl_hart *hart, unsigned address)
{
    uint64_t value = 0;
    assert_true(ztl_hart_debug_csr_read(hart, address, &value));
    return value;
}

#endif
