/* SPDX-License-Identifier: Apache-2.0
 * The worked examples of the source documents, Ztl 1: shapes in integer registers, every load and
 * store masked, blocks of exactly 1024 bytes.
 */
#include <stdio.h>
#include <string.h>

#define ZTL_REVISION 1
#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { BLOCK = 1024, SLICE = 128 };
static uint8_t in[BLOCK], out[BLOCK];

/* The first byte of each of the slices of 128 bytes. */
static void show(const char *what)
{
    printf("%-44s", what);
    for (int i = 0; i < BLOCK; i += SLICE)
        printf(" %d", out[i]);
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < BLOCK; i++)
        in[i] = (uint8_t)(100 + i / SLICE);

    /* 5.5: [8,16,8,1], mask 0xcc; [4,32,8,1], mask 0xb. */
    tl_csrw_store_mask(0xffffffff);
    tl_csrw_load_mask(0xcc);
    tl_mload(1, 0x01081008, in);
    tl_mstore(1, out, 0x01081008);
    show("mload [8,16,8,1], mask 0xcc");
    tl_csrw_load_mask(0xb);
    tl_mload(2, 0x01082004, in);
    tl_mstore(2, out, 0x01081008);
    show("mload [4,32,8,1], mask 0xb");

    /* 5.6: [16,8,8,1], odd slices; then load the upper four, add 50, store the lower four. */
    tl_csrw_load_mask(0xffffffff);
    tl_mload(3, 0x01080810, in);
    memset(out, 0, BLOCK);
    tl_csrw_store_mask(0xaaaa);
    tl_mstore(3, out, 0x01080810);
    printf("%-44s %d %d %d %d\n", "mstore [16,8,8,1], mask 0xaaaa: slices of 64", out[0], out[64],
           out[128], out[192]);
    memset(out, 0, BLOCK);
    tl_csrw_load_mask(0xf0);
    tl_mload(5, 0x01081008, in);
    tl_addi(5, 5, 50);
    tl_csrw_store_mask(0x0f);
    tl_mstore(5, out, 0x01081008);
    show("mload 0xf0, addi 50, mstore 0x0f");

    /* 5.3: concat along dimension 0 of [16,8,8], odd positions of one, even positions of the other;
     * 5.4: immediates of 12 bits. */
    tl_csrw_load_mask(0xffffffff);
    tl_mload(14, 0x01080810, in);
    tl_addi(15, 0, 7);
    tl_csrw_tshape(ZTL_SHAPE(16, 8, 8));
    tl_csrw_tmask_concat_1(0xaaaa);
    tl_csrw_tmask_concat_2(0x5555);
    tl_concat_0(13, 14, 15);
    tl_csrw_store_mask(0xffffffff);
    tl_mstore(13, out, 0x01080810);
    show("concat.0 [16,8,8], masks 0xaaaa, 0x5555");
    tl_addi(13, 13, -2048);
    tl_mstore(13, out, 0x01080810);
    show("addi -2048");
    return 0;
}
