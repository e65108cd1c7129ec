/* SPDX-License-Identifier: Apache-2.0
 * Host floating-point arithmetic with the rounding that the contract asks for, whatever mode the
 * program around us has set: the mode is saved with its flags, set to nearest-even with subnormals
 * kept and traps masked, and put back. The barriers keep the arithmetic between the two. A target
 * that is not named here has no such arithmetic; its floats go the plain way, in integers. RISC-V
 * is one: there the model may run in a trap handler, which must leave the float registers alone.
 */
#ifndef ZTL_FLOAT_MODE_H
#define ZTL_FLOAT_MODE_H

#include <stdint.h>

#if defined(__x86_64__)
#define ZTL_FLOAT_MODE 1
typedef uint32_t ztl_float_mode;
enum { ZTL_MXCSR_DEFAULT = 0x1f80 };

static inline ztl_float_mode ztl_begin_float(void)
{
    ztl_float_mode saved, plain = ZTL_MXCSR_DEFAULT;
    __asm__ volatile("stmxcsr %0" : "=m"(saved));
    if (saved != plain)
        __asm__ volatile("ldmxcsr %0" : : "m"(plain) : "memory");
    __asm__ volatile("" : : : "memory");
    return saved;
}

static inline void ztl_end_float(ztl_float_mode saved)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(saved) : "memory");
}

#elif defined(__aarch64__)
#define ZTL_FLOAT_MODE 1
typedef struct ztl_float_mode {
    uint64_t control, flags;
} ztl_float_mode;

static inline ztl_float_mode ztl_begin_float(void)
{
    ztl_float_mode saved;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(saved.control), "=r"(saved.flags));
    __asm__ volatile("msr fpcr, xzr" : : : "memory");
    return saved;
}

static inline void ztl_end_float(ztl_float_mode saved)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                     :
                     : "r"(saved.control), "r"(saved.flags)
                     : "memory");
}

#elif defined(__wasm__)
#define ZTL_FLOAT_MODE 1 /* there is no other mode */
typedef int ztl_float_mode;

static inline ztl_float_mode ztl_begin_float(void)
{
    return 0;
}

static inline void ztl_end_float(ztl_float_mode saved)
{
    (void)saved;
}
#endif

#endif
