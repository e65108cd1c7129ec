/* SPDX-License-Identifier: Apache-2.0
 * A RISC-V program without any library: the model transposes inside the guest. The exit status
 * names the first step that went wrong.
 */
#include <ztl/ztl.h>

/* What a freestanding compiler may call. */
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
void _start(void);

void *memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}

static int transpose(ztl_state *hart)
{
    static uint8_t block[ZTL_REG_BYTES];
    uint64_t x[32] = {[10] = 0x01014020}; /* D0=32 D1=64 D2=1 D3=1 */
    uint32_t word;
    block[1] = 42; /* element [0][1] */
    if (ztl_init(hart, NULL) != ZTL_OK || ztl_set_register(hart, 1, block) != ZTL_OK)
        return 1;
    if (!ztl_assemble(2, "tl.xpose.01 tl1, tl2, a0", &word, NULL) || word != 0x0220b55b)
        return 2;
    if (ztl_execute(hart, word, x, NULL).status != ZTL_OK)
        return 3;
    return ztl_get_register(hart, 1)[32] == 42 && ztl_get_register(hart, 1)[1] == 0 ? 0 : 4;
}

void _start(void)
{
    static ztl_state hart;
    register long status __asm__("a0") = transpose(&hart);
    register long exit_call __asm__("a7") = 93;
    __asm__ volatile("ecall" : : "r"(status), "r"(exit_call));
    __builtin_unreachable();
}
