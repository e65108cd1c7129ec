/* SPDX-License-Identifier: Apache-2.0
 *
 * What every program of the suite is linked with: boot, traps, comparison, report, end. It needs
 * RV32I or RV64I with Zicsr and machine mode, the target's model.h, and about 3 KiB.
 *
 * A program has the symbol ztl_program and jumps to ztl_end. Between them, each bin calls ztl_begin,
 * fills registers (ztl_put_N), sets CSRs, has one instruction under test, and compares: ztl_expect
 * for the trap, ztl_check_N for a register, ztl_check_memory, ztl_check_value. None of these keeps an
 * integer register.
 */
#include "model.h"

#ifndef ZTL_REVISION
#error "ZTL_REVISION is 1 or 2, or 0 for a hart without Ztl"
#endif

#if __riscv_xlen == 64
#define LOADX ld
#define STOREX sd
#define WORDX .dword
#else
#define LOADX lw
#define STOREX sw
#define WORDX .word
#endif
#define SIZEX (__riscv_xlen / 8)

/* What tl_xpose_status holds before each bin. */
#define STATUS_BEFORE 0x5a5
#define SCRATCH_BYTES 2048

/* What is compared; 0 to 31 are tl0 to tl31. The order is that of the names at `kinds`. */
#define KIND_MEMORY 32
#define KIND_VALUE 33
#define KIND_CAUSE 34
#define KIND_TVAL 35
#define KIND_STATUS 36
#define KIND_STRAY 37

/* Places that the target may have; 0 where it has not, and then no program asks. */
#ifndef RVMODEL_ACCESS_FAULT_ADDRESS
#define RVMODEL_ACCESS_FAULT_ADDRESS 0
#endif
#ifndef RVMODEL_MEMORY_END
#define RVMODEL_MEMORY_END 0
#endif
#ifndef RVMODEL_L1M_BASE
#define RVMODEL_L1M_BASE 0
#define RVMODEL_L1M_END 0
#define RVMODEL_L0M_BASE 0
#define RVMODEL_L0M_END 0
#endif

/* ---- Start and traps -------------------------------------------------------------------------- */

    .section .text.init, "ax"
    .globl rvtest_entry_point
rvtest_entry_point:
    RVMODEL_BOOT
    lla     t0, trap
    csrw    mtvec, t0
    RVMODEL_IO_INIT(t0, t1, t2)
    j       ztl_program

/* Notes cause, mtval and pc, and goes on behind the instruction under test. A trap of any other
 * instruction ends the program. */
    .balign 4
trap:
    csrw    mscratch, t0
    lla     t0, saved
    STOREX  t1, 0(t0)
    STOREX  t2, SIZEX(t0)
    lla     t0, trapped
    csrr    t1, mcause
    STOREX  t1, SIZEX(t0)
    csrr    t1, mtval
    STOREX  t1, 2 * SIZEX(t0)
    LOADX   t1, 0(t0)
    addi    t1, t1, 1
    STOREX  t1, 0(t0)
    lla     t0, current
    LOADX   t0, 0(t0)
    LOADX   t0, 0(t0)           /* the instruction under test */
    csrr    t1, mepc
    bne     t0, t1, stray
    addi    t1, t1, 4
    csrw    mepc, t1
    lla     t0, saved
    LOADX   t1, 0(t0)
    LOADX   t2, SIZEX(t0)
    csrr    t0, mscratch
    mret

stray:
    mv      a0, t0
    mv      a1, t1
    li      a2, KIND_STRAY
    li      a3, -1
    jal     report
    j       halt_fail

/* ---- A bin ------------------------------------------------------------------------------------ */

    .text
/* Without touching a CSR of Ztl. a0: the bin: pointers to the instruction, the rule's name, the bin's
 * name. */
    .globl ztl_begin_bare
ztl_begin_bare:
    mv      t5, ra
    mv      t4, a0
    jal     close
    lla     t0, current
    STOREX  t4, 0(t0)
    lla     t0, bins
    lw      t1, 0(t0)
    addi    t1, t1, 1
    sw      t1, 0(t0)
    jr      t5

/* The same, and gives every CSR but the masks its value of reset; then ztl_plain. */
    .globl ztl_begin
ztl_begin:
    mv      t6, ra
    jal     ztl_begin_bare
    mv      ra, t6
#if ZTL_REVISION
    li      t0, STATUS_BEFORE
    csrw    0x803, t0
    li      t0, 0xe4
    csrw    0x801, t0
#if ZTL_REVISION == 2
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    csrwi   0x840 + \n, \n
    csrwi   0x860 + \n, \n
    .endr
#endif
#endif
    /* falls through */

/* One slice of 1024 bytes of byte elements, where address and stride say. */
    .globl ztl_plain
ztl_plain:
#if ZTL_REVISION
    li      t0, 0x010101
    csrw    0x800, t0
#if ZTL_REVISION == 2
    li      t0, 1024
    csrw    0x804, zero
    csrw    0x815, t0
    csrw    0x816, t0
    csrw    0x840, zero
    csrw    0x860, zero
#endif
#endif
    ret

/* Ends the bin before this one: its words of the signature. */
close:
    lla     t0, bins
    lw      t1, 0(t0)
    beqz    t1, 1f
    slli    t1, t1, 4
    lla     t0, begin_signature - 12
    add     t0, t0, t1
    lla     t1, trapped
    lw      t2, SIZEX(t1)
    sw      t2, 0(t0)
    lla     t1, noted
    lw      t2, 0(t1)
    sw      t2, 4(t0)
    lw      t2, 4(t1)
    sw      t2, 8(t0)
    lw      t2, 8(t1)
    sw      t2, 12(t0)
    lla     t1, failed
    lw      t2, 0(t1)
    beqz    t2, 1f
    lla     t1, bins_failed
    lw      t2, 0(t1)
    addi    t2, t2, 1
    sw      t2, 0(t1)
1:  lla     t0, trapped
    STOREX  zero, 0(t0)
    STOREX  zero, SIZEX(t0)
    STOREX  zero, 2 * SIZEX(t0)
    lla     t0, noted
    sw      zero, 0(t0)
    sw      zero, 4(t0)
    sw      zero, 8(t0)
    lla     t0, failed
    sw      zero, 0(t0)
    ret

#if ZTL_REVISION == 2
    .macro put n
    .globl ztl_put_\n
ztl_put_\n:                     /* a1: a block of 1024 bytes */
    .4byte  0x5b | \n << 15 | 11 << 7                   /* tl.load tlN, 0(a1) */
    ret
    .endm
    .macro check n
    .globl ztl_check_\n
ztl_check_\n:                   /* a0: patch or 0, a1: block */
    lla     a2, buffer
    .4byte  0x5b | 1 << 29 | \n << 15 | 12 << 7         /* tl.store tlN, 0(a2) */
    li      a3, 256
    li      a4, \n
    j       compare
    .globl ztl_sum_\n
ztl_sum_\n:                     /* a0: the sum due */
    lla     a2, buffer
    .4byte  0x5b | 1 << 29 | \n << 15 | 12 << 7
    li      a3, 256
    li      a4, \n
    j       sum
    .endm
#elif ZTL_REVISION == 1
    .macro put n
    .globl ztl_put_\n
ztl_put_\n:
    li      a2, 0x04080804
    csrwi   0x812, 15
    .4byte  0xa000305b | 11 << 20 | 12 << 15 | \n << 7  /* tl.mload tlN, a2, a1 */
    ret
    .endm
    .macro check n
    .globl ztl_check_\n
ztl_check_\n:
    li      a3, 0x04080804
    lla     a2, buffer
    csrwi   0x813, 15
    .4byte  0xa200405b | 12 << 20 | \n << 15 | 13 << 7  /* tl.mstore tlN, a2, a3 */
    li      a3, 256
    li      a4, \n
    j       compare
    .globl ztl_sum_\n
ztl_sum_\n:
    li      a3, 0x04080804
    lla     a2, buffer
    csrwi   0x813, 15
    .4byte  0xa200405b | 12 << 20 | \n << 15 | 13 << 7
    li      a3, 256
    li      a4, \n
    j       sum
    .endm
#endif
#if ZTL_REVISION
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    put     \n
    check   \n
    .endr
#endif

/* Copies 2048 bytes from a1 to the scratch memory. */
    .globl ztl_fill
ztl_fill:
    lla     a0, ztl_scratch
    li      a2, SCRATCH_BYTES / 4
/* Copies a2 words from a1 to a0. */
    .globl ztl_copy
ztl_copy:
1:  lw      t0, 0(a1)
    sw      t0, 0(a0)
    addi    a0, a0, 4
    addi    a1, a1, 4
    addi    a2, a2, -1
    bnez    a2, 1b
    ret

/* ---- Comparison ------------------------------------------------------------------------------- */

/* The scratch memory with a1, where the patch a0 does not say otherwise. */
    .globl ztl_check_memory
ztl_check_memory:
    lla     a2, ztl_scratch
    li      a3, SCRATCH_BYTES / 4
/* The same for a3 words at a2. */
    .globl ztl_check_area
ztl_check_area:
    li      a4, KIND_MEMORY
/* a3 words at a2 with those at a1; a patch a0, if not 0, is .half FIRST, END and the words from FIRST
 * to END - 1. The sum of the signature is 3 * sum + word. */
compare:
    mv      t5, ra
    li      t0, 0
    li      t1, 0
    li      t2, 0
    beqz    a0, 1f
    lhu     t1, 0(a0)
    lhu     t2, 2(a0)
    addi    a0, a0, 4
1:  lla     t6, noted
    lw      a5, 8(t6)
2:  beq     t0, a3, 5f
    lw      t3, 0(a1)
    lw      t4, 0(a2)
    bltu    t0, t1, 3f
    bgeu    t0, t2, 3f
    lw      t3, 0(a0)
    addi    a0, a0, 4
3:  slli    t6, a5, 1
    add     a5, a5, t6
    add     a5, a5, t4
    bne     t3, t4, 6f
4:  addi    a1, a1, 4
    addi    a2, a2, 4
    addi    t0, t0, 1
    j       2b
5:  lla     t6, noted
    sw      a5, 8(t6)
    jr      t5
6:  mv      a0, t3
    mv      a1, t4
    mv      a2, a4
    slli    a3, t0, 2
    mv      ra, t5
    j       report

/* The same by sums alone, where the words themselves would take too much room: a0 the sum due, which
 * begins at 0. It is left at ztl_last_sum. */
    .globl ztl_sum_memory
ztl_sum_memory:
    lla     a2, ztl_scratch
    li      a3, SCRATCH_BYTES / 4
    li      a4, KIND_MEMORY
sum:
    li      a1, 0
1:  lw      t0, 0(a2)
    slli    t1, a1, 1
    add     a1, a1, t1
    add     a1, a1, t0
    addi    a2, a2, 4
    addi    a3, a3, -1
    bnez    a3, 1b
#if __riscv_xlen == 64
    sext.w  a0, a0
    sext.w  a1, a1
#endif
    lla     t6, ztl_last_sum
    sw      a1, 0(t6)
    mv      a2, a4
    li      a3, -1
    lla     t6, noted
    lw      t0, 8(t6)
    slli    t1, t0, 1
    add     t0, t0, t1
    add     t0, t0, a1
    sw      t0, 8(t6)
    bne     a0, a1, report
    ret

/* An integer register or CSR: expected a0, actual a1. */
    .globl ztl_check_value
ztl_check_value:
    lla     t6, noted
    lw      t0, 8(t6)
    slli    t1, t0, 1
    add     t0, t0, t1
    add     t0, t0, a1
    sw      t0, 8(t6)
    li      a2, KIND_VALUE
    li      a3, -1
    bne     a0, a1, report
    ret

/* What the instruction under test did to the hart: a0 the cause (0: no trap), a1 mtval, a2
 * tl_xpose_status, a3 whether the signature has mtval, which it has where no address is in it. */
    .globl ztl_expect
ztl_expect:
    mv      t5, ra
    mv      s0, a1
    mv      s1, a2
    lla     s2, trapped
    lla     t0, noted
    beqz    a3, 1f
    sw      a1, 0(t0)
1:
#if ZTL_REVISION
    csrr    s3, 0x803
    sw      s3, 4(t0)
#endif
    LOADX   a1, SIZEX(s2)
    LOADX   t0, 0(s2)
    bnez    t0, 2f
    li      a1, 0
2:  li      a2, KIND_CAUSE
    li      a3, -1
    mv      ra, t5
    bne     a0, a1, report
    beqz    a0, 3f
    LOADX   a1, 2 * SIZEX(s2)
    mv      a0, s0
    li      a2, KIND_TVAL
    bne     a0, a1, report
3:
#if ZTL_REVISION
    mv      a0, s1
    mv      a1, s3
    li      a2, KIND_STATUS
    bne     a0, a1, report
#endif
    ret

/* ---- Report ----------------------------------------------------------------------------------- */

/* Of a bin that has failed nothing yet: expected a0, actual a1, a2 what (0-31: tlN, or a KIND), a3
 * which byte of it, or -1. It is printed and left at ztl_failure: pc, rule, bin, expected, actual,
 * what, byte. */
report:
    lla     t0, failed
    lw      t1, 0(t0)
    beqz    t1, 1f
    ret
1:  li      t1, 1
    sw      t1, 0(t0)
    mv      s11, ra
    lla     s4, ztl_failure
    lla     t0, current
    LOADX   t0, 0(t0)
    LOADX   t1, 0(t0)
    STOREX  t1, 0(s4)
    LOADX   t1, SIZEX(t0)
    STOREX  t1, SIZEX(s4)
    LOADX   t1, 2 * SIZEX(t0)
    STOREX  t1, 2 * SIZEX(s4)
    STOREX  a0, 3 * SIZEX(s4)
    STOREX  a1, 4 * SIZEX(s4)
    STOREX  a2, 5 * SIZEX(s4)
    STOREX  a3, 6 * SIZEX(s4)
    lla     a0, text_fail
    jal     print
    LOADX   a0, 0(s4)
    jal     print_hex
    lla     a0, text_rule
    jal     print
    LOADX   a0, SIZEX(s4)
    jal     print
    lla     a0, text_bin
    jal     print
    LOADX   a0, 2 * SIZEX(s4)
    jal     print
    lla     a0, text_space
    jal     print
    LOADX   t0, 5 * SIZEX(s4)
    slli    t0, t0, 3
    lla     a0, kinds
    add     a0, a0, t0
    jal     print
    LOADX   a0, 6 * SIZEX(s4)
    li      t0, -1
    beq     a0, t0, 2f
    lla     a0, text_byte
    jal     print
    LOADX   a0, 6 * SIZEX(s4)
    jal     print_hex
2:  lla     a0, text_expected
    jal     print
    LOADX   a0, 3 * SIZEX(s4)
    jal     print_hex
    lla     a0, text_actual
    jal     print
    LOADX   a0, 4 * SIZEX(s4)
    jal     print_hex
    lla     a0, text_end
    jal     print
    jr      s11

print:
    mv      s10, ra
    RVMODEL_IO_WRITE_STR(t0, t1, t2, a0)
    jr      s10

print_hex:
    lla     t0, digits_end
    li      t3, 10
1:  andi    t1, a0, 15
    addi    t2, t1, '0'
    blt     t1, t3, 2f
    addi    t2, t1, 'a' - 10
2:  addi    t0, t0, -1
    sb      t2, 0(t0)
    srli    a0, a0, 4
    bnez    a0, 1b
    addi    t0, t0, -2
    li      t1, '0'
    sb      t1, 0(t0)
    li      t1, 'x'
    sb      t1, 1(t0)
    mv      a0, t0
    j       print

    .globl ztl_end
ztl_end:
    jal     close
    lla     a0, text_bins
    jal     print
    lla     t0, bins
    lw      a0, 0(t0)
    jal     print_hex
    lla     a0, text_failed
    jal     print
    lla     t0, bins_failed
    lw      a0, 0(t0)
    jal     print_hex
    lla     a0, text_end
    jal     print
    lla     t0, bins_failed
    lw      t0, 0(t0)
    bnez    t0, halt_fail
    RVMODEL_HALT_PASS
halt_fail:
    RVMODEL_HALT_FAIL

/* ---- Data ------------------------------------------------------------------------------------- */

    .section .rodata
text_fail:     .asciz "ztl: FAIL pc "
text_rule:     .asciz " rule "
text_bin:      .asciz " bin "
text_space:    .asciz " "
text_byte:     .asciz " byte "
text_expected: .asciz " expected "
text_actual:   .asciz " actual "
text_bins:     .asciz "ztl: END bins "
text_failed:   .asciz " failed "
text_end:      .asciz "\n"
    .balign 8
kinds:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .balign 8
    .asciz "tl\n"
    .endr
    .balign 8
    .asciz "memory"
    .balign 8
    .asciz "value"
    .balign 8
    .asciz "mcause"
    .balign 8
    .asciz "mtval"
    .balign 8
    .asciz "status"
    .balign 8
    .asciz "trap at"

/* Where the target ends memory, lacks it, and limits it. */
    .balign SIZEX
    .globl ztl_end_place, ztl_fault_place, ztl_l1m_place, ztl_l1m_end_place, ztl_l0m_place
    .globl ztl_l0m_end_place
ztl_end_place:     WORDX RVMODEL_MEMORY_END
ztl_fault_place:   WORDX RVMODEL_ACCESS_FAULT_ADDRESS
ztl_l1m_place:     WORDX RVMODEL_L1M_BASE
ztl_l1m_end_place: WORDX RVMODEL_L1M_END
ztl_l0m_place:     WORDX RVMODEL_L0M_BASE
ztl_l0m_end_place: WORDX RVMODEL_L0M_END

    .data
    .balign SIZEX
current:     WORDX no_bin
saved:       WORDX 0, 0
trapped:     WORDX 0, 0, 0      /* how many, mcause, mtval */
    .globl ztl_failure
ztl_failure: WORDX 0, 0, 0, 0, 0, 0, 0
no_bin:      WORDX 0, no_name, no_name
    .globl ztl_last_sum
ztl_last_sum: .word 0
noted:       .word 0, 0, 0      /* of the signature: mtval, tl_xpose_status, sum */
failed:      .word 0
bins:        .word 0
bins_failed: .word 0
no_name:     .asciz "start"
    .skip   20
digits_end:  .byte 0

    .bss
    .balign 1024
    .globl ztl_scratch
ztl_scratch: .skip SCRATCH_BYTES
buffer:      .skip 1024

RVMODEL_DATA_SECTION
