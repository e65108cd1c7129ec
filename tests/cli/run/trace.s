# SPDX-License-Identifier: Apache-2.0
# Each kind of line that a trace can have.
    .globl _start
    .option norvc
_start:
    auipc t0, 0
    addi t1, t0, 256
    lui a0, 0x12345
    addi a1, a0, -1
    sw a1, 0(t1)
    lw a2, 0(t1)
    sb a1, 9(t1)
    .option rvc
    c.addi a2, 1
    .option norvc
    csrw mscratch, a2
    amoadd.w a3, a0, (t1)
    beq a0, a1, _start
    lui a4, 0x20
    addi a4, a4, 0x108
    csrw tshape, a4
    tl.load tl3, 0(t1)
    tl.store tl3, 2(t1)
    tl.addi tl12, tl3, 1
after:
    ecall
