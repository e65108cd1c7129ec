/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <ztl/ztl.h>

int main(void)
{
    static ztl_state hart; /* Ztl 2 on RV64, everything present */
    ztl_init(&hart, NULL);

    /* A tensor of 32 rows of 64 bytes lies in tl1 and tl2; a0 gives its shape, D0 lowest. */
    uint8_t block[ZTL_REG_BYTES] = {0, 1, 2, 3};
    uint64_t x[32] = {[10] = 0x01014020};
    ztl_set_register(&hart, 1, block);

    uint32_t word;
    ztl_assemble(2, "tl.xpose.01 tl1, tl2, a0", &word, NULL);
    ztl_execute(&hart, word, x, NULL);
    const uint8_t *tl1 = ztl_get_register(&hart, 1);
    printf("0x%08x moves row 0 to column 0: %u %u %u %u\n", (unsigned)word, tl1[0], tl1[32],
           tl1[64], tl1[96]);

    x[10] = 0x04080804; /* 4·8·8·4 bytes: half of what a pair of registers holds */
    ztl_result result = ztl_execute(&hart, word, x, NULL);
    char message[128];
    ztl_explain(&result, message, sizeof message);
    printf("a trap is a return value: %s\n", message);
    return 0;
}
