/* SPDX-License-Identifier: Apache-2.0
 * How many Ztl instructions a second trap-and-emulate executes. A RISC-V program, Linux or bare
 * metal; takes about a second.
 */
#include <stdio.h>
#ifdef __linux__
#include <time.h>
#endif

#include <ztl/intrin.h>

static uint8_t block[2048];

static double now(void)
{
#ifdef __linux__
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
#else
    unsigned long ticks; /* of QEMU's virt machine: 10 MHz */
    __asm__ volatile("rdtime %0" : "=r"(ticks));
    return 1e-7 * (double)ticks;
#endif
}

#define RATE(name, ...)                                                                            \
    do {                                                                                           \
        double start = now(), seconds;                                                             \
        long count = 0;                                                                            \
        do {                                                                                       \
            for (int i = 0; i < 100; i++)                                                          \
                __VA_ARGS__;                                                                       \
            count += 100;                                                                          \
        } while ((seconds = now() - start) < 0.15);                                                \
        printf("%-10s %8ld instructions/s\n", name, (long)((double)count / seconds));              \
    } while (0)

int main(void)
{
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    __riscv_ztl_csrw_tmask_concat_1(0x55555555);
    RATE("csrw", __riscv_ztl_csrw_tl_load_width(0));
    RATE("tl.load", __riscv_ztl_load(1, block, 0));
    RATE("tl.store", __riscv_ztl_store(1, block, 0));
    RATE("tl.merge.0", __riscv_ztl_merge_0(3, 1, 2));
    RATE("tl.addi", __riscv_ztl_addi(3, 1, 5));
    RATE("tl.xpose.01", __riscv_ztl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1)));
    return 0;
}
