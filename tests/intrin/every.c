/* SPDX-License-Identifier: Apache-2.0
 * Every intrinsic once, C and C++, either revision: prints what it left behind. The host, QEMU and
 * the simulator must print the same.
 */
#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#define LANGUAGE "C++"
#else
#define LANGUAGE "C"
#endif

enum { BLOCK = 1024 };
static uint8_t input[4 * BLOCK], output[2 * BLOCK];

static unsigned hash(const uint8_t *bytes, size_t size)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * 16777619u;
    return h;
}

/* What tl1 and tl2 hold now. */
static void show(const char *what)
{
    memset(output, 0, sizeof output);
#if ZTL_REVISION == 1
    tl_csrw_store_mask(0xffffffff);
    tl_mstore(1, output, ZTL_DIMS(32, 32, 1, 1));
    tl_mstore(2, output + BLOCK, ZTL_DIMS(32, 32, 1, 1));
#else
    unsigned long shape = tl_csrr_tshape(), type = tl_csrr_ttype();
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    tl_csrw_ttype(0);
    tl_store(1, output, 0);
    tl_store(2, output, 32);
    tl_csrw_tshape(shape);
    tl_csrw_ttype(type);
#endif
    printf("%-12s %08x %08x\n", what, hash(output, BLOCK), hash(output + BLOCK, BLOCK));
}

/* A fresh pair, then the instruction. */
#define PAIR(name, ...)                                                                            \
    do {                                                                                           \
        fill_pair();                                                                               \
        tl_##name(__VA_ARGS__);                                                                    \
        show(#name);                                                                               \
    } while (0)

static void every_csr(void)
{
    unsigned long old = tl_csrrw(ZTL_CSR_MASK1, 0xf0f0);
    printf("csrrw %lx, ", old);
    old = tl_csrrs(ZTL_CSR_MASK1, 0x0f);
    printf("csrrs %lx, ", old);
    old = tl_csrrc(ZTL_CSR_MASK1, 0xf000);
    tl_csrs(ZTL_CSR_MASK1, 0x10000);
    tl_csrc(ZTL_CSR_MASK1, 1);
    printf("csrrc %lx, now %lx\n", old, tl_csrr_tmask_concat_1());
    tl_csrw_xpose_config(0xffffffff);
    tl_csrw_xpose_status(0x12345678);
    tl_csrw_transpose_perm(0x1b);
    printf("config %lx status %lx perm %lx\n", tl_csrr_xpose_config(), tl_csrr_xpose_status(),
           tl_csrr_transpose_perm());
}

#if ZTL_REVISION == 1
static void fill_pair(void)
{
    tl_csrw_load_mask(0xffffffff);
    tl_mload(1, ZTL_DIMS(32, 32, 1, 1), input);
    tl_mload(2, ZTL_DIMS(16, 8, 4, 2), input + BLOCK);
}

static void every_instruction(void)
{
    tl_csrw_tshape(ZTL_SHAPE(16, 32, 2));
    tl_csrw_tmask_concat_2(0x00ff);
    tl_csrw_tmask_concat_1(0x5500);
    PAIR(concat_0, 1, 1, 2);
    PAIR(concat_1, 1, 1, 2);
    tl_csrw_tshape(ZTL_SHAPE(32, 2, 16));
    PAIR(concat_2, 2, 1, 2);
    PAIR(addi, 1, 2, -300);
    PAIR(addi, 2, 1, 100);
    tl_csrw_load_mask(0x0f0f0f0f);
    tl_mload(1, ZTL_DIMS(32, 4, 8, 1), input + 77);
    show("mload");
}
#else
static void fill_pair(void)
{
    unsigned long shape = tl_csrrw(ZTL_CSR_TSHAPE, ZTL_SHAPE(32, 32, 1));
    unsigned long type = tl_csrrw(ZTL_CSR_TTYPE, 0);
    tl_load(1, input, 0);
    tl_load(2, input, 32);
    tl_csrw_tshape(shape);
    tl_csrw_ttype(type);
}

static void every_move(void)
{
    tl_csrw_tshape(ZTL_SHAPE(8, 16, 4));
    tl_csrw_tmask_concat_1(0x5);
    tl_csrw_tmask_concat_2(0x2);
    PAIR(concat_0, 1, 1, 2);
    PAIR(concat_1, 2, 1, 2);
    PAIR(concat_2, 1, 2, 1);
    PAIR(merge_0, 1, 1, 2);
    PAIR(merge_1, 2, 2, 1);
    PAIR(merge_2, 1, 1, 2);
    PAIR(merge_2_e, 1, 1, 2, ZTL_ENGINE_RESHAPE);
    tl_csrw_ttype(ZTL_TTYPE_INT16);
    PAIR(addi, 1, 2, -128);
    tl_csrw_ttype(ZTL_TTYPE_BF16);
    PAIR(addi_e, 2, 1, 127, ZTL_ENGINE_COMP);
    tl_csrw_ttype(0);
}

static void every_memory(void)
{
    tl_csrw_tshape(ZTL_SHAPE(8, 1, 1));
    tl_csrw_load_width(40);
    tl_csrw_load_stride(3, 20);
    tl_csrw_load_stride(7, tl_csrr_load_stride(6));
    tl_csrs(ZTL_CSR_LOAD_STRIDE + 1, 8);
    tl_csrw_tmask_ls(0xda);
    tl_mload(1, input, 2);
    tl_load_e(2, input + 400, -10, ZTL_ENGINE_STORE);
    show("mload load");
    tl_csrw_store_width(24);
    tl_csrw_store_stride(2, 5);
    memset(output, 0x11, sizeof output);
    tl_mstore(1, output + 24, -1);
    tl_store_e(2, output, 20, ZTL_ENGINE_STORE);
    printf("%-12s %08x\n", "mstore store", hash(output, sizeof output));
}

/* Strides together: known when it is compiled, and not. */
static void every_stride(void)
{
    int32_t rows[32];
    volatile int few = 5, all = 32, none = 0;
    for (int i = 0; i < 32; i++)
        rows[i] = i * 37 % 32 - 3;
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    tl_csrw_load_width(0);
    tl_csrw_store_width(0);
    tl_set_load_strides(rows, 32);
    tl_set_store_strides_linear(31, -1, 32);
    tl_load(1, input, 3);
    tl_store(1, output, 0);
    printf("%-12s %08x\n", "strides", hash(output, BLOCK));
    tl_set_load_strides(rows, few);
    tl_set_load_strides_linear(few, 3, 2);
    tl_set_load_strides_linear(1, 1, none);
    tl_set_store_strides(rows, none);
    tl_set_store_strides(rows + 1, 31);
    tl_load(1, input, 3);
    tl_store(1, output, 3);
    printf("%-12s %08x\n", "strides", hash(output, BLOCK));
    tl_set_load_strides_linear(few, few - 2, all);
    tl_set_store_strides_linear(0, 1, all);
    tl_load(1, input, -4);
    tl_store(1, output, 0);
    printf("%-12s %08x", "strides", hash(output, BLOCK));
    printf(" %lx", tl_csrr_load_stride(0));
    printf(" %lx\n", tl_csrr_load_stride(31));
}

static void every_instruction(void)
{
    every_move();
    tl_csrw_transpose_perm(0x4b);
    PAIR(permute_b, 1, 2, ZTL_DIMS(8, 16, 4, 4));
    PAIR(permute_h, 1, 2, ZTL_DIMS(8, 16, 4, 2));
    PAIR(permute_w, 2, 1, ZTL_DIMS(8, 16, 2, 2));
    PAIR(permute_d, 1, 2, ZTL_DIMS(8, 16, 2, 1));
    every_memory();
    every_stride();
}
#endif

static void every_xpose(void)
{
    PAIR(xpose_00, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_01, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_02, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_03, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_11, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_12, 2, 1, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_13, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_23, 1, 2, ZTL_DIMS(4, 8, 16, 4));
    PAIR(xpose_33, 1, 2, ZTL_DIMS(4, 8, 16, 4));
}

int main(void)
{
    for (size_t i = 0; i < sizeof input; i++)
        input[i] = (uint8_t)(i * 2654435761u >> 13);
    printf("Ztl %d in %s\n", ZTL_REVISION, LANGUAGE);
    every_csr();
    every_xpose();
    every_instruction();
    return 0;
}
