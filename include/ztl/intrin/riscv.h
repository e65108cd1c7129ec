/* SPDX-License-Identifier: Apache-2.0
 *
 * On RISC-V an intrinsic is one instruction. Included by <ztl/intrin.h>.
 *
 * The .insn forms name integer registers; where a field is a tensor register, number n is written
 * xn. Instructions that touch memory clobber it, so the compiler keeps them in place among
 * ordinary accesses; volatile keeps all of them in order.
 */
#ifndef ZTL_INTRIN_RISCV_H
#define ZTL_INTRIN_RISCV_H

/* The operands that carry a type are converted as a function's arguments would be. */
static inline __attribute__((always_inline)) const void *ztl_intrin_source(const void *base)
{
    return base;
}

static inline __attribute__((always_inline)) void *ztl_intrin_target(void *base)
{
    return base;
}

/* [31:20] as the signed number that .insn i takes. */
#define ZTL_INTRIN_SIGNED12(bits) ((int)(((unsigned)(bits)&0xfff) ^ 0x800) - 0x800)
#define ZTL_INTRIN_HIGH12(ID, imm, engine)                                                         \
    ZTL_INTRIN_SIGNED12(ZTL_FUNCT12_##ID | ((unsigned)(imm)&0xff) | (unsigned)(engine) << 10)

/* .insn r: rd, rs1, rs2 are asm texts. */
#define ZTL_INTRIN_R(ID, engine, rd, rs1, rs2, clobbers, ...)                                      \
    __asm__ volatile(".insn r %[opcode], %[funct3], %[funct7], " rd ", " rs1 ", " rs2              \
                     :                                                                             \
                     : [opcode] "i"(ZTL_OPCODE), [funct3] "i"((int)ZTL_FUNCT3_##ID),               \
                       [funct7] "i"((int)ZTL_FUNCT7_##ID | (int)(engine) << 5), __VA_ARGS__        \
                     : clobbers)

/* .insn i: rd and rs1 are asm texts. */
#define ZTL_INTRIN_I(ID, high12, rd, rs1, clobbers, ...)                                           \
    __asm__ volatile(                                                                              \
        ".insn i %[opcode], %[funct3], " rd ", " rs1 ", %[high]"                                   \
        :                                                                                          \
        : [opcode] "i"(ZTL_OPCODE), [funct3] "i"((int)ZTL_FUNCT3_##ID), [high] "i"(high12),        \
          __VA_ARGS__                                                                              \
        : clobbers)
#define ZTL_INTRIN_NOTHING
#define ZTL_INTRIN_MEMORY "memory"

#define ZTL_INTRIN_LOAD(ID, td, base, imm, engine)                                                 \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_IMM8(imm);                                                                      \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_I(ID, ZTL_INTRIN_HIGH12(ID, imm, engine), "%[at]", "x%[t]",                     \
                     ZTL_INTRIN_MEMORY, [at] "r"(ztl_intrin_source(base)), [t] "i"((int)(td)));    \
    })

#define ZTL_INTRIN_STORE(ID, ts, base, imm, engine)                                                \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_IMM8(imm);                                                                      \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_I(ID, ZTL_INTRIN_HIGH12(ID, imm, engine), "%[at]", "x%[t]",                     \
                     ZTL_INTRIN_MEMORY, [at] "r"(ztl_intrin_target(base)), [t] "i"((int)(ts)));    \
    })

#define ZTL_INTRIN_MOVE(ID, td, ts1, ts2, engine)                                                  \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_REGISTER(ts1);                                                                  \
        ZTL_INTRIN_REGISTER(ts2);                                                                  \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_R(                                                                              \
            ID, engine, "x%[d]", "x%[s1]", "x%[s2]",                                               \
            ZTL_INTRIN_NOTHING, [d] "i"((int)(td)), [s1] "i"((int)(ts1)), [s2] "i"((int)(ts2)));   \
    })

#define ZTL_INTRIN_ADDI(ID, td, ts, imm, engine)                                                   \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_IMM8(imm);                                                                      \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_I(ID, ZTL_INTRIN_HIGH12(ID, imm, engine), "x%[d]", "x%[s]",                     \
                     ZTL_INTRIN_NOTHING, [d] "i"((int)(td)), [s] "i"((int)(ts)));                  \
    })

#define ZTL_INTRIN_XPOSE(ID, t1, t2, dims, engine)                                                 \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(t1);                                                                   \
        ZTL_INTRIN_REGISTER(t2);                                                                   \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_R(ID, engine, "%[gpr]", "x%[s1]", "x%[s2]", ZTL_INTRIN_NOTHING,                 \
                     [gpr] "r"((unsigned long)(dims)), [s1] "i"((int)(t1)), [s2] "i"((int)(t2)));  \
    })

/* Ztl 1 has the same instructions with their operands in other fields. */
#define ZTL_INTRIN_XPOSE1(ID, t1, t2, dims)                                                        \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(t1);                                                                   \
        ZTL_INTRIN_REGISTER(t2);                                                                   \
        ZTL_INTRIN_R(ID, 0, "x%[s1]", "x%[s2]", "%[gpr]", ZTL_INTRIN_NOTHING,                      \
                     [gpr] "r"((unsigned long)(dims)), [s1] "i"((int)(t1)), [s2] "i"((int)(t2)));  \
    })

#define ZTL_INTRIN_ADDI1(ID, td, ts, imm)                                                          \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_IMM12(imm);                                                                     \
        ZTL_INTRIN_I(ID, (int)(imm), "x%[d]", "x%[s]",                                             \
                     ZTL_INTRIN_NOTHING, [d] "i"((int)(td)), [s] "i"((int)(ts)));                  \
    })

#define ZTL_INTRIN_MLOAD1(ID, td, shape, base)                                                     \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_R(ID, 0, "x%[t]", "%[dims]", "%[at]", ZTL_INTRIN_MEMORY, [t] "i"((int)(td)),    \
                     [dims] "r"((unsigned long)(shape)), [at] "r"(ztl_intrin_source(base)));       \
    })

#define ZTL_INTRIN_MSTORE1(ID, ts, base, shape)                                                    \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_R(ID, 0, "%[dims]", "x%[t]", "%[at]", ZTL_INTRIN_MEMORY, [t] "i"((int)(ts)),    \
                     [dims] "r"((unsigned long)(shape)), [at] "r"(ztl_intrin_target(base)));       \
    })

/* CSRs. Zicsr does not write when csrrs and csrrc name x0 or the immediate 0; here they always
 * write, as on the host, so their operand is kept in a register whose value is not known. */
static inline __attribute__((always_inline)) unsigned long ztl_intrin_opaque(unsigned long value)
{
    __asm__("" : "+r"(value));
    return value;
}

#define ZTL_INTRIN_CSR_WRITE(csr, value)                                                           \
    __extension__({                                                                                \
        ZTL_INTRIN_CSR_NUMBER(csr);                                                                \
        __asm__ volatile("csrw %0, %1" : : "i"((int)(csr)), "rK"((unsigned long)(value)));         \
    })

/* `old` is a name of its own for each use, so that uses can be nested. */
#define ZTL_INTRIN_CSR_AS(old, text, csr, ...)                                                     \
    __extension__({                                                                                \
        unsigned long old;                                                                         \
        ZTL_INTRIN_CSR_NUMBER(csr);                                                                \
        __asm__ volatile(text : "=r"(old) : "i"((int)(csr)), __VA_ARGS__);                         \
        old;                                                                                       \
    })
#define ZTL_INTRIN_CSR_READ(csr) ZTL_INTRIN_CSR_AS(ZTL_INTRIN_UNIQUE, "csrr %0, %1", csr, "i"(0))
#define ZTL_INTRIN_CSR_SWAP(csr, value)                                                            \
    ZTL_INTRIN_CSR_AS(ZTL_INTRIN_UNIQUE, "csrrw %0, %1, %2", csr, "rK"((unsigned long)(value)))
#define ZTL_INTRIN_CSR_SET(csr, value)                                                             \
    ZTL_INTRIN_CSR_AS(ZTL_INTRIN_UNIQUE, "csrrs %0, %1, %2", csr, "r"(ztl_intrin_opaque(value)))
#define ZTL_INTRIN_CSR_CLEAR(csr, value)                                                           \
    ZTL_INTRIN_CSR_AS(ZTL_INTRIN_UNIQUE, "csrrc %0, %1, %2", csr, "r"(ztl_intrin_opaque(value)))

/* Strides n-1 down to 0. The number of a CSR is part of the instruction, so there is one for each;
 * a constant n leaves those that are wanted, any other jumps to the first of them. */
#define ZTL_INTRIN_DOWN(first, i, value)                                                           \
    case (i) + 1:                                                                                  \
        ZTL_INTRIN_CSR_WRITE((first) + (i), value(i));                                             \
        __attribute__((fallthrough));
#define ZTL_INTRIN_DOWN4(first, i, value)                                                          \
    ZTL_INTRIN_DOWN(first, (i) + 3, value)                                                         \
    ZTL_INTRIN_DOWN(first, (i) + 2, value)                                                         \
    ZTL_INTRIN_DOWN(first, (i) + 1, value) ZTL_INTRIN_DOWN(first, i, value)
#define ZTL_INTRIN_DOWN16(first, i, value)                                                         \
    ZTL_INTRIN_DOWN4(first, (i) + 12, value)                                                       \
    ZTL_INTRIN_DOWN4(first, (i) + 8, value)                                                        \
    ZTL_INTRIN_DOWN4(first, (i) + 4, value) ZTL_INTRIN_DOWN4(first, i, value)
#define ZTL_INTRIN_DOWN32(first, value)                                                            \
    switch (n) {                                                                                   \
    default:                                                                                       \
        __builtin_trap();                                                                          \
        ZTL_INTRIN_DOWN16(first, 16, value) ZTL_INTRIN_DOWN16(first, 0, value) case 0 : break;     \
    }
#define ZTL_INTRIN_ELEMENT(i)  (long)stride[i]
#define ZTL_INTRIN_PREVIOUS(i) (value -= step)

/* One copy of a function where it is used, and none where it is not, at -O0 too: it is inline, but
 * never inlined, which gcc takes for a mistake. */
#define ZTL_INTRIN_ONE_COPY static inline __attribute__((noinline)) void
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#define ZTL_INTRIN_STRIDE_FUNCTIONS(load, LOAD)                                                    \
    static inline __attribute__((always_inline)) void ztl_intrin_##load##_strides(                 \
        const int32_t *stride, unsigned long n)                                                    \
    {                                                                                              \
        ZTL_INTRIN_DOWN32(ZTL_CSR_##LOAD##_STRIDE, ZTL_INTRIN_ELEMENT)                             \
    }                                                                                              \
    static inline __attribute__((always_inline)) void ztl_intrin_##load##_linear(                  \
        unsigned long start, unsigned long step, unsigned long n)                                  \
    {                                                                                              \
        unsigned long value = start + n * step;                                                    \
        ZTL_INTRIN_DOWN32(ZTL_CSR_##LOAD##_STRIDE, ZTL_INTRIN_PREVIOUS)                            \
    }                                                                                              \
    /* Where n is not known. */                                                                    \
    ZTL_INTRIN_ONE_COPY ztl_intrin_##load##_strides_any(const int32_t *stride, unsigned long n)    \
    {                                                                                              \
        ztl_intrin_##load##_strides(stride, n);                                                    \
    }                                                                                              \
    ZTL_INTRIN_ONE_COPY ztl_intrin_##load##_linear_any(unsigned long start, unsigned long step,    \
                                                       unsigned long n)                            \
    {                                                                                              \
        ztl_intrin_##load##_linear(start, step, n);                                                \
    }
ZTL_INTRIN_STRIDE_FUNCTIONS(load, LOAD)
ZTL_INTRIN_STRIDE_FUNCTIONS(store, STORE)

#define ZTL_INTRIN_SET_STRIDES(load, LOAD, strides, n)                                             \
    (__builtin_constant_p(n) ? ztl_intrin_##load##_strides(strides, n)                             \
                             : ztl_intrin_##load##_strides_any(strides, n))
#define ZTL_INTRIN_SET_LINEAR(load, LOAD, start, step, n)                                          \
    (__builtin_constant_p(n)                                                                       \
         ? ztl_intrin_##load##_linear((unsigned long)(start), (unsigned long)(step), n)            \
         : ztl_intrin_##load##_linear_any((unsigned long)(start), (unsigned long)(step), n))
/* The hart is there. */
static inline __attribute__((always_inline)) bool ztl_intrin_prepare(void)
{
    return true;
}

/* Rounds are executed as they are written. */
static inline __attribute__((always_inline)) void ztl_intrin_rounds_begin(void)
{
}

static inline __attribute__((always_inline)) void ztl_intrin_rounds_end(void)
{
}

static inline __attribute__((always_inline)) bool ztl_intrin_round_begin(const void *from, void *to)
{
    (void)from;
    (void)to;
    return true;
}

static inline __attribute__((always_inline)) void ztl_intrin_round_end(void)
{
}

static inline __attribute__((always_inline)) size_t
ztl_intrin_rounds_ahead(size_t n, const void *from, ptrdiff_t in, void *to, ptrdiff_t out)
{
    (void)n;
    (void)from;
    (void)in;
    (void)to;
    (void)out;
    return 0;
}

#endif
