/* SPDX-License-Identifier: Apache-2.0
 *
 * A trap handler that repairs: it reads why a Ztl instruction was illegal, sets right what it
 * lacked, and lets it execute again. Bare metal, machine mode.
 */
#include <stdio.h>
#include <stdlib.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { ILLEGAL_INSTRUCTION = 2 };

static uint8_t block[1024], copy[1024];
static volatile unsigned repairs[8]; /* by reason */

#define READ_CSR(name)                                                                             \
    __extension__({                                                                                \
        unsigned long value_;                                                                      \
        __asm__ volatile("csrr %0, " #name : "=r"(value_));                                        \
        value_;                                                                                    \
    })

/* Returns to the instruction that trapped: mepc still names it. */
static void __attribute__((interrupt("machine"), aligned(4))) repair(void)
{
    unsigned long cause = READ_CSR(mcause);
    unsigned long reason = tl_csrr_xpose_status() & 0xff;
    if (cause != ILLEGAL_INSTRUCTION)
        abort();
    repairs[reason]++;
    switch (reason) {
    case ZTL_REASON_TYPE:
        tl_csrw_ttype(ZTL_TTYPE_BYTE);
        break;
    case ZTL_REASON_SHAPE:
        tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
        break;
    case ZTL_REASON_WIDTH:
        tl_csrw_load_width(0);
        break;
    case ZTL_REASON_MASK_UNINITIALISED:
        tl_csrw_load_mask(0xffffffff);
        break;
    default:
        abort();
    }
}

int main(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"(repair));
    for (unsigned i = 0; i < sizeof block; i++)
        block[i] = (uint8_t)(i * 7);

    tl_csrw_ttype(3);          /* no type has two fields */
    tl_csrw_load_width(0x400); /* 32 slices of a whole register each */
    tl_mload(1, block, 0);     /* and neither shape nor mask were ever set */
    tl_store(1, copy, 0);

    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof block; i++)
        wrong += copy[i] != block[i];
    for (unsigned reason = 0; reason < sizeof repairs / sizeof repairs[0]; reason++)
        if (repairs[reason])
            printf("reason %u repaired %u time(s)\n", reason, repairs[reason]);
    printf("block copied, %u bytes wrong\n", wrong);
    return wrong != 0;
}
