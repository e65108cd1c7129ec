/* SPDX-License-Identifier: Apache-2.0
 * The simulator of this project: console and exit by semihosting.
 */
/* clang-format off */
#define SEMIHOST \
    slli x0, x0, 0x1f; \
    ebreak; \
    srai x0, x0, 7

#define RVMODEL_BOOT
#define RVMODEL_IO_INIT(r1, r2, r3)

/* WRITE0; a0 and a1 are the call's. */
#define RVMODEL_IO_WRITE_STR(r1, r2, r3, string) \
    mv a1, string; \
    li a0, 4; \
    SEMIHOST

#define RVMODEL_EXIT(status) \
    lla a1, 9f; \
    li a0, 0x20; \
    SEMIHOST; \
    j .; \
    .balign 8; \
9: \
    WORDX 0x20026, status

#define RVMODEL_HALT_PASS RVMODEL_EXIT(0)
#define RVMODEL_HALT_FAIL RVMODEL_EXIT(1)
#define RVMODEL_DATA_SECTION

/* Every access here faults; RAM ends here. */
#define RVMODEL_ACCESS_FAULT_ADDRESS 0x1000
#define RVMODEL_MEMORY_END           0x80010000
