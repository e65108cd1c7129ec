/* SPDX-License-Identifier: Apache-2.0
 * Spike with the extension of adapters/spike: console and exit by HTIF.
 */
/* clang-format off */
#define RVMODEL_DATA_SECTION \
    .pushsection .tohost, "aw", @progbits; \
    .balign 64; \
    .globl tohost; \
    tohost: \
    .skip 64; \
    .globl fromhost; \
    fromhost: \
    .skip 64; \
    .popsection

#define RVMODEL_BOOT
#define RVMODEL_IO_INIT(r1, r2, r3)

/* Device 1, command 1, a character; the high word is stored last, as it is what counts. */
#define RVMODEL_IO_WRITE_STR(r1, r2, r3, string) \
    lla r1, tohost; \
1: \
    lbu r2, 0(string); \
    beqz r2, 3f; \
2: \
    lw r3, 4(r1); \
    bnez r3, 2b; \
    sw r2, 0(r1); \
    li r3, 0x01010000; \
    sw r3, 4(r1); \
    addi string, string, 1; \
    j 1b; \
3:

#define RVMODEL_EXIT(status) \
    lla t0, tohost; \
9: \
    lw t1, 4(t0); \
    bnez t1, 9b; \
    li t1, status; \
8: \
    sw t1, 0(t0); \
    sw zero, 4(t0); \
    j 8b

#define RVMODEL_HALT_PASS RVMODEL_EXIT(1)
#define RVMODEL_HALT_FAIL RVMODEL_EXIT(3)

#define RVMODEL_ACCESS_FAULT_ADDRESS 0x70000000
#define RVMODEL_MEMORY_END           0x80010000
