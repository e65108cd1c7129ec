/* SPDX-License-Identifier: Apache-2.0
 * Functions of one intrinsic each, for tests/intrin/overhead to look at. one_*: the operands are in
 * registers already, so nothing but the instruction may be there. load_*: a constant is loaded.
 * strides_*: several at once.
 */
#include <ztl/intrin.h>

#define ONE_GPR(name, type, ...)                                                                   \
    void one_##name(type a0);                                                                      \
    void one_##name(type a0)                                                                       \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define ONE(name, ...)                                                                             \
    void one_##name(void);                                                                         \
    void one_##name(void)                                                                          \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

ONE_GPR(load, const char *, __riscv_ztl_load(5, a0, -3))
ONE_GPR(
    round, char *, ztl_intrin_rounds_begin(); if (ztl_intrin_round_begin(a0, a0)) {
        __riscv_ztl_load(5, a0, -3);
        ztl_intrin_round_end();
    } ztl_intrin_rounds_end())
ONE_GPR(
    rounds, char *, ztl_intrin_rounds_begin();
    if (!ztl_intrin_rounds_ahead(8, a0, 2, a0, 4) && ztl_intrin_round_begin(a0, a0)) {
        __riscv_ztl_load(5, a0, -3);
        ztl_intrin_round_end();
    } ztl_intrin_rounds_end())
ONE_GPR(mload, const void *, __riscv_ztl_mload(31, a0, 127))
ONE_GPR(store, int *, __riscv_ztl_store(7, a0, 1))
ONE_GPR(mstore_e, void *, __riscv_ztl_mstore_e(8, a0, -128, ZTL_ENGINE_STORE))
ONE_GPR(xpose_13, unsigned long, __riscv_ztl_xpose_13(2, 3, a0))
ONE_GPR(permute_d, unsigned long, __riscv_ztl_permute_d(30, 29, a0))
ONE_GPR(csrw, unsigned long, __riscv_ztl_csrw_tshape(a0))
ONE(csrwi, __riscv_ztl_csrw_load_stride(31, 17))
ONE(concat_2, __riscv_ztl_concat_2(1, 2, 3))
ONE(merge_0_e, __riscv_ztl_merge_0_e(4, 5, 6, ZTL_ENGINE_RESHAPE))
ONE(addi, __riscv_ztl_addi(9, 10, -1))

unsigned long one_csrr(void);
unsigned long one_csrr(void)
{
    return __riscv_ztl_csrr_tl_xpose_status();
}

void load_dims(void);
void load_dims(void)
{
    __riscv_ztl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
}

void strides_constant(void);
void strides_constant(void)
{
    __riscv_ztl_set_load_strides_linear(1, 3, 4);
}

void strides_array(const int32_t *array);
void strides_array(const int32_t *array)
{
    __riscv_ztl_set_store_strides(array, 32);
}

void strides_step(unsigned long start, unsigned long step);
void strides_step(unsigned long start, unsigned long step)
{
    __riscv_ztl_set_store_strides_linear(start, step, 32);
}

void strides_any(const int32_t *array, unsigned long n);
void strides_any(const int32_t *array, unsigned long n)
{
    __riscv_ztl_set_load_strides(array, n);
    __riscv_ztl_set_load_strides_linear(n, 3, n);
}
