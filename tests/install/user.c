/* SPDX-License-Identifier: Apache-2.0
 * A user's program against the installed library: swaps two dimensions and looks at one byte.
 */
#include <stdio.h>

#include <ztl/ztl.h>

int main(void)
{
    static ztl_state hart;
    static uint8_t first[ZTL_REG_BYTES];
    uint64_t x[32] = {0};
    uint32_t word;
    ztl_error error;
    x[10] = 0x01014020; /* D0=32 D1=64 D2=1 D3=1 */
    first[1] = 42;      /* element [0][1] */
    if (ztl_init(&hart, NULL) != ZTL_OK || ztl_set_register(&hart, 1, first) != ZTL_OK)
        return 1;
    if (!ztl_assemble(2, "tl.xpose.01 tl1, tl2, a0", &word, &error))
        return 2;
    if (ztl_execute(&hart, word, x, NULL).status != ZTL_OK)
        return 3;
    printf("%s 0x%08x %u\n", ztl_version(), (unsigned)word, ztl_get_register(&hart, 1)[32]);
    return 0;
}
