/* SPDX-License-Identifier: Apache-2.0
 * What a program of the suite is written with: the same text for RV32 and RV64.
 */
/* clang-format off */
#if __riscv_xlen == 64
#define PTR .dword
    .macro loadx target, place
    lla     \target, \place
    ld      \target, 0(\target)
    .endm
#else
#define PTR .word
    .macro loadx target, place
    lla     \target, \place
    lw      \target, 0(\target)
    .endm
#endif

/* A bin: the instruction under test is at the label insn_N. */
    .macro bin n, rule, name, begin
    .section .rodata
name_\n:
    .asciz  "\name"
    .data
    .balign 8
bin_\n:
    PTR     insn_\n, \rule, name_\n
    .text
    lla     a0, bin_\n
    jal     \begin
    .endm

/* For each bin mcause, mtval, tl_xpose_status and a sum; a canary before and behind. */
    .macro signature bins
    .section .signature, "aw"
    .balign 64
    .globl begin_signature, end_signature
begin_signature:
    .word   0x6f5ca309
    .skip   16 * \bins, 0
    .word   0x6f5ca309
    .balign 16, 0
end_signature:
    .endm
