/* SPDX-License-Identifier: Apache-2.0
 * The worked examples of the source documents, Ztl 2, each with what it shows.
 */
#include <stdio.h>
#include <string.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { BLOCK = 1024 };
static uint8_t in[2 * BLOCK], out[2 * BLOCK];

static void load_pair(void)
{
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    tl_load(1, in, 0);
    tl_load(2, in, 32);
}

static void store_pair(void)
{
    unsigned long shape = tl_csrrw(ZTL_CSR_TSHAPE, ZTL_SHAPE(32, 32, 1));
    unsigned long type = tl_csrrw(ZTL_CSR_TTYPE, 0);
    tl_store(1, out, 0);
    tl_store(2, out, 32);
    tl_csrw_tshape(shape);
    tl_csrw_ttype(type);
}

static void show(const char *what, const uint8_t *bytes, int count)
{
    printf("%-44s", what);
    for (int i = 0; i < count; i++)
        printf(" %d", bytes[i]);
    printf("\n");
}

/* 5.1, 5.2: transposes. A byte says where it was: first its index in dimension 0, then all. */
static void transposes(void)
{
    for (int i = 0; i < 2 * BLOCK; i++)
        in[i] = (uint8_t)(i / 256);
    load_pair();
    tl_xpose_01(1, 2, 0x02081008);
    store_pair();
    uint8_t first[8];
    for (int i = 0; i < 8; i++)
        first[i] = out[i * 16];
    show("xpose.01 [8,16,8,2]: [0,i,0,0] was [i,0,0,0]", first, 8);
    for (int i = 0; i < 2 * BLOCK; i++)
        in[i] = (uint8_t)i;
    load_pair();
    tl_xpose_23(1, 2, 0x02080810);
    store_pair();
    show("xpose.23 [16,8,8,2]: first row", out, 8);
    load_pair();
    tl_xpose_01(1, 2, 0x01014020);
    store_pair();
    show("xpose.01 [32,64,1,1]: first row", out, 4);
    /* [4,8,8,4] is 1024 elements: legal when an element has 16 bits. */
    load_pair();
    tl_csrw_ttype(ZTL_TTYPE_INT16);
    tl_xpose_23(1, 2, 0x04080804);
    store_pair();
    show("xpose.23 [4,8,8,4] of int16: first elements", out, 6);
    tl_csrw_ttype(0);
}

/* 5.3 CONCAT {a,b,c,d}, {e,f,g,h}: {c,d,e,f}; MERGE of odd and even positions. */
static void moves(void)
{
    for (int i = 0; i < BLOCK; i++) {
        in[i] = (uint8_t)("abcd"[i % 4]);
        in[BLOCK + i] = (uint8_t)("efgh"[i % 4]);
    }
    load_pair();
    tl_csrw_tshape(ZTL_SHAPE(8, 8, 4));
    tl_csrw_tmask_concat_1(0x0c);
    tl_csrw_tmask_concat_2(0x03);
    tl_concat_2(1, 1, 2);
    store_pair();
    printf("%-44s %.4s\n", "concat.2 [8,8,4], masks 0xc and 0x3", (const char *)out);
    for (int i = 0; i < BLOCK; i++) {
        in[i] = (uint8_t)(10 + i / 128);
        in[BLOCK + i] = (uint8_t)(20 + i / 128);
    }
    load_pair();
    tl_csrw_tshape(ZTL_SHAPE(8, 16, 8));
    tl_csrw_tmask_concat_1(0xaa);
    tl_merge_0(1, 1, 2);
    store_pair();
    uint8_t first[8];
    for (int i = 0; i < 8; i++)
        first[i] = out[i * 128];
    show("merge.0 [8,16,8], mask 0xaa", first, 8);
}

/* 5.4 ADDI: a constant from tl0, and saturation at both ends. */
static void additions(void)
{
    static const uint8_t values[4] = {250, 10, 128, 200};
    memcpy(in, values, sizeof values);
    tl_addi(1, 0, 50);
    store_pair();
    show("addi tl1, tl0, 50", out, 4);
    load_pair();
    tl_addi(2, 1, -50);
    tl_addi(1, 1, 100);
    store_pair();
    show("addi of 250 10 128 200 and 100", out, 4);
    show("addi of 250 10 128 200 and -50", out + BLOCK, 4);
}

/* 5.4 to 5.6: mask 0xcc loads slices 2, 3, 6, 7; mask 0xaaaa stores the odd ones. */
static void memory(void)
{
    uint8_t first[8];
    for (int i = 0; i < BLOCK; i++)
        in[i] = (uint8_t)(100 + i / 128);
    tl_csrw_tshape(ZTL_SHAPE(8, 32, 4));
    tl_csrw_load_mask(0xcc);
    tl_mload(1, in, 0);
    tl_store(1, out, 0);
    for (int i = 0; i < 8; i++)
        first[i] = out[i * 128];
    show("mload [8,32,4], mask 0xcc: slices", first, 8);
    tl_load(2, in, 0);
    memset(out, 0, BLOCK);
    tl_csrw_store_mask(0xaaaa);
    tl_mstore(2, out, 0);
    for (int i = 0; i < 8; i++)
        first[i] = out[i * 128];
    show("mstore [8,32,4], mask 0xaaaa: slices", first, 8);
}

int main(void)
{
    transposes();
    moves();
    additions();
    memory();
    return 0;
}
