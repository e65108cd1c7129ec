/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks around a part of a program, which ztl run --stats and --timing then count by itself.
 *
 *     ztl_region_begin("transpose");
 *     transpose(in, out);
 *     ztl_region_end();
 *
 * In assembly (.S): ztl_region_begin "transpose" uses t0, or the register given second;
 * ztl_region_end uses none. Regions may nest. A mark is a RISC-V HINT of the space for custom use,
 * slti zero, REG, 0x7a1 with the name's address in REG, or slti zero, zero, 0x7a2: it does nothing
 * on any hart. Elsewhere than on RISC-V it is no code at all.
 */
#ifndef ZTL_REGION_H
#define ZTL_REGION_H

#if defined(__riscv) && defined(__ASSEMBLER__)

/* clang-format off */
    .macro ztl_region_begin name, reg=t0
    .pushsection .rodata.ztl_region, "a"
.Lztl_region_\@:
    .asciz "\name"
    .popsection
    lla \reg, .Lztl_region_\@
    slti zero, \reg, 0x7a1
    .endm

    .macro ztl_region_end
    slti zero, zero, 0x7a2
    .endm
/* clang-format on */

#elif !defined(__ASSEMBLER__)

#ifdef __cplusplus
extern "C" {
#endif

static inline void ztl_region_begin(const char *name)
{
#ifdef __riscv
    __asm__ volatile("slti zero, %0, 0x7a1" : : "r"(name) : "memory");
#else
    (void)name;
#endif
}

static inline void ztl_region_end(void)
{
#ifdef __riscv
    __asm__ volatile("slti zero, zero, 0x7a2" : : : "memory");
#endif
}

#ifdef __cplusplus
}
#endif
#endif
#endif
