# SPDX-License-Identifier: Apache-2.0
# Every instruction of Ztl 2, in assembly. Prints for each a checksum of the pair tl4, tl5, into
# which it puts its result. Bare metal; output by semihosting.

        .equ    SYS_WRITE0, 0x04
        .equ    SYS_EXIT, 0x18
        .equ    EXIT_GOOD, 0x20026

# show "text": prints the text and the checksum of tl4 and tl5.
        .macro  show text
        .section .rodata
9:      .asciz  "\text"
        .text
        la      a0, 9b
        call    print_pair
        .endm

# pair: tl4, tl5 = the first and the second KiB of the data.
        .macro  pair
        csrwi   ttype, 0
        li      t0, 0x202001            # 32 slices of 32 bytes
        csrw    tshape, t0
        la      t0, data
        tl.load tl4, 0(t0)
        tl.load tl5, 32(t0)
        .endm

        .text
        .globl  _start
_start:
        la      sp, stack_top
        la      t0, data                # data[i] = i * 7 + (i >> 8)
        li      t1, 0
        li      t2, 2048
1:      slli    t3, t1, 3
        sub     t3, t3, t1
        srli    t4, t1, 8
        add     t3, t3, t4
        add     t5, t0, t1
        sb      t3, 0(t5)
        addi    t1, t1, 1
        bne     t1, t2, 1b

# Loads and stores.
        pair
        show    "tl.load       "
        li      t0, 0x0f0f00ff
        csrw    tl_load_mask, t0
        csrwi   tl_load_stride3, 30     # slice 3 from where slice 30 is
        la      t0, data
        tl.mload tl4, 16(t0), load
        csrwi   tl_load_stride3, 3
        show    "tl.mload      "
        pair
        la      t0, scratch
        tl.store tl4, 0(t0), store
        tl.load tl5, 0(t0)
        show    "tl.store      "
        li      t0, 0xaaaaaaaa
        csrw    tl_store_mask, t0
        la      t0, data + 1024
        tl.load tl4, 0(t0)
        la      t0, scratch
        tl.mstore tl4, 0(t0)
        tl.load tl5, 0(t0)
        show    "tl.mstore     "

# Positions of two blocks [8,16,8].
        .irp    d, 0, 1, 2
        pair
        li      t0, 0x081008
        csrw    tshape, t0
        csrwi   tmask_concat_1, 0x0c
        csrwi   tmask_concat_2, 0x13
        tl.concat.\d tl5, tl4, tl5, reshape
        show    "tl.concat.\d   "
        pair
        li      t0, 0x081008
        csrw    tshape, t0
        li      t0, 0x55
        csrw    tmask_concat_1, t0
        tl.merge.\d tl4, tl4, tl5
        show    "tl.merge.\d    "
        .endr

# Arithmetic, untyped and as bfloat16.
        pair
        tl.addi tl4, tl4, 100
        csrwi   ttype, 0
        li      t0, 0x200
        csrw    ttype, t0
        tl.addi tl5, tl5, -128, comp
        show    "tl.addi       "

# Dimensions of the pair [8,16,8,2].
        li      s1, 0x02081008
        .irp    ab, 01, 02, 03, 12, 13, 23, 00, 11, 33
        pair
        tl.xpose.\ab tl4, tl5, s1
        show    "tl.xpose.\ab   "
        .endr
        li      t0, 0x4b                # output 0, 1, 2, 3 from input 3, 2, 0, 1
        csrw    tl_transpose_perm, t0
        pair
        tl.permute.b tl4, tl5, s1
        show    "tl.permute.b  "
        li      s1, 0x01081008
        pair
        tl.permute.h tl4, tl5, s1
        show    "tl.permute.h  "
        li      s1, 0x01041008
        pair
        tl.permute.w tl4, tl5, s1
        show    "tl.permute.w  "
        li      s1, 0x01021008
        pair
        tl.permute.d tl4, tl5, s1
        show    "tl.permute.d  "

        li      a0, SYS_EXIT
        la      a1, exit_block
        call    host
2:      j       2b

# a0: text. Stores tl4 and tl5, prints the text and the bytes' 32-bit FNV-1a hash.
print_pair:
        addi    sp, sp, -16
        sd      ra, 8(sp)
        mv      a1, a0
        li      a0, SYS_WRITE0
        call    host
        csrwi   ttype, 0
        li      t0, 0x202001
        csrw    tshape, t0
        la      t0, result
        tl.store tl4, 0(t0)
        tl.store tl5, 32(t0)
        li      t1, 2048
        li      a1, 2166136261
        li      t3, 16777619
1:      lbu     t2, 0(t0)
        xor     a1, a1, t2
        mul     a1, a1, t3
        addi    t0, t0, 1
        addi    t1, t1, -1
        bnez    t1, 1b
        la      t0, digits
        li      t1, 28                  # eight digits, highest first
2:      srl     t2, a1, t1
        andi    t2, t2, 15
        addi    t2, t2, '0'
        li      t3, '9'
        ble     t2, t3, 3f
        addi    t2, t2, 'a' - '0' - 10
3:      sb      t2, 0(t0)
        addi    t0, t0, 1
        addi    t1, t1, -4
        bgez    t1, 2b
        li      a0, SYS_WRITE0
        la      a1, digits
        call    host
        ld      ra, 8(sp)
        addi    sp, sp, 16
        ret

# A call to the host: a0 the operation, a1 its argument.
        .balign 16
        .option push
        .option norvc
host:   slli    zero, zero, 0x1f
        ebreak
        srai    zero, zero, 7
        ret
        .option pop

        .data
        .balign 8
exit_block:
        .dword  EXIT_GOOD, 0
digits: .asciz  "........\n"

        .bss
        .balign 64
data:   .space  2048
scratch: .space 1024
result: .space  2048
        .space  1024
stack_top:
