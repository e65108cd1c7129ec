# SPDX-License-Identifier: Apache-2.0
# As riscv-tests do it: a character, a proxied write, and an exit code, through tohost.
    .globl _start, tohost, fromhost
_start:
    la t0, tohost
    li t1, 'H'
    sw t1, 0(t0)
    li t1, 0x01010000
    sw t1, 4(t0)
    la t1, call
    la t2, message
    sw t2, 16(t1)
#if __riscv_xlen == 64
    sd t1, 0(t0)
#else
    sw zero, 4(t0)
    sw t1, 0(t0)
#endif
    la t2, fromhost
1:  lw t3, 0(t2)
    beqz t3, 1b
    la t1, call
    lw a0, 0(t1)
    slli a0, a0, 1
    ori a0, a0, 1
2:  sw a0, 0(t0)
#ifdef LOOP
    j 2b
#endif
3:  j 3b
    .data
    .balign 64
tohost: .dword 0
fromhost: .dword 0
call: .dword 64, 1, 0, 5, 0, 0, 0, 0
message: .ascii "TIF!\n"
