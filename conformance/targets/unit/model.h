/* SPDX-License-Identifier: Apache-2.0
 * The machine of examples/unit: a word for the console, and one for the status at the end.
 */
/* clang-format off */
#define RVMODEL_BOOT
#define RVMODEL_IO_INIT(r1, r2, r3)

#define RVMODEL_IO_WRITE_STR(r1, r2, r3, string) \
    li r1, 0x10000000; \
1: \
    lbu r2, 0(string); \
    beqz r2, 2f; \
    sb r2, 0(r1); \
    addi string, string, 1; \
    j 1b; \
2:

#define RVMODEL_EXIT(status) \
    li t0, 0x10000004; \
    li t1, status; \
    sw t1, 0(t0); \
    j .

#define RVMODEL_HALT_PASS RVMODEL_EXIT(0)
#define RVMODEL_HALT_FAIL RVMODEL_EXIT(1)
#define RVMODEL_DATA_SECTION

/* Every access here faults; RAM ends here. */
#define RVMODEL_ACCESS_FAULT_ADDRESS 0x1000
#define RVMODEL_MEMORY_END           0x80040000
