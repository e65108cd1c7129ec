/* SPDX-License-Identifier: Apache-2.0
 *
 * Elsewhere than on RISC-V an intrinsic is a call of the model. Included by <ztl/intrin.h>.
 *
 * Every thread has a hart of its own, at reset when the thread first uses it, XLEN 64, with the
 * program's memory as its memory. A trap goes to the thread's handler; the first one prints what
 * happened and where, and aborts.
 */
#ifndef ZTL_INTRIN_HOST_H
#define ZTL_INTRIN_HOST_H

#include <ztl/ztl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where an intrinsic stands in the program, and the instruction it stands for. The instruction's
 * GPR operand is a0; a1 is the shape of Ztl 1, and the value of a CSR instruction. */
typedef struct ztl_intrin_site {
    const char *file;
    const char *function;
    int line;
    uint32_t word;
    int32_t operand[ZTL_MAX_OPERANDS]; /* as ztl_decode gives them */
    uint8_t id;                        /* enum ztl_insn_id; ZTL_INSNS for a CSR instruction */
    uint8_t revision;
} ztl_intrin_site;

typedef struct ztl_intrin_trap {
    const ztl_intrin_site *site;
    ztl_result result;
    uint64_t a0, a1; /* the values that the instruction was given */
} ztl_intrin_trap;

/* What the hart does after a trap was handled. */
enum ztl_intrin_resume {
    ZTL_INTRIN_SKIP,  /* goes on after the instruction; a CSR then reads 0 */
    ZTL_INTRIN_AGAIN, /* executes it again */
};

typedef enum ztl_intrin_resume ztl_intrin_handler(const ztl_intrin_trap *trap, void *context);

/* Replaces this thread's trap handler; NULL is the one that prints and aborts. */
ZTL_API void ztl_intrin_set_trap_handler(ztl_intrin_handler *handler, void *context);

/* Gets the memory of this thread's hart; false when there is none. Without this call the first use
 * of the hart does, and aborts then. */
ZTL_API bool ztl_intrin_prepare(void);

/* This thread's hart. */
ZTL_API ztl_state *ztl_intrin_state(void);

/* Gives this thread's hart a configuration (NULL: the default one), and resets it. Without this
 * call it has everything of the revision that its first intrinsic belongs to. */
ZTL_API enum ztl_status ztl_intrin_init(const ztl_config *config);

/* Makes this thread's hart use a set of bodies, now and after each ztl_intrin_init: see
 * ztl_attach_accelerator. NULL is the fastest, as without this call. */
ZTL_API enum ztl_status ztl_intrin_use_bodies(const char *name);

/* A trap in words, with the place and the instruction: the line that the first handler prints.
 * Returns the length of the whole text. */
ZTL_API size_t ztl_intrin_describe(const ztl_intrin_trap *trap, char *text, size_t size);

/* What the intrinsics call. */
ZTL_API void ztl_intrin_execute(const ztl_intrin_site *site, uint64_t a0, uint64_t a1);
ZTL_API unsigned long ztl_intrin_csr(const ztl_intrin_site *site, uint64_t value);

/* Plain writes of the n stride registers from the one of `site` on, from an array or at equal
 * distances. More than 32 are no trap, but a mistake of the program: it aborts. */
ZTL_API void ztl_intrin_strides(const ztl_intrin_site *site, const int32_t *stride, size_t n);
ZTL_API void ztl_intrin_strides_linear(const ztl_intrin_site *site, uint64_t start, uint64_t step,
                                       size_t n);

/* See <ztl/intrin.h>. */
ZTL_API void ztl_intrin_rounds_begin(void);
ZTL_API void ztl_intrin_rounds_end(void);
ZTL_API bool ztl_intrin_round_begin(const void *from, void *to);
ZTL_API void ztl_intrin_round_end(void);
ZTL_API size_t ztl_intrin_rounds_ahead(size_t n, const void *from, ptrdiff_t in, void *to,
                                       ptrdiff_t out);

static inline void ztl_intrin_load(const ztl_intrin_site *site, const void *base, uint64_t shape)
{
    ztl_intrin_execute(site, (uint64_t)(uintptr_t)base, shape);
}

static inline void ztl_intrin_store(const ztl_intrin_site *site, void *base, uint64_t shape)
{
    ztl_intrin_execute(site, (uint64_t)(uintptr_t)base, shape);
}

#ifdef __cplusplus
}
#endif

enum { ZTL_INTRIN_A0 = 10, ZTL_INTRIN_A1 = 11 };

/* Words from their fields. */
#define ZTL_INTRIN_WORD(high7, rs2, rs1, funct3, rd, opcode)                                       \
    ((uint32_t)(high7) << 25 | (uint32_t)(rs2) << 20 | (uint32_t)(rs1) << 15 |                     \
     (uint32_t)(funct3) << 12 | (uint32_t)(rd) << 7 | (opcode))
#define ZTL_INTRIN_R(ID, engine, rd, rs1, rs2)                                                     \
    ZTL_INTRIN_WORD((unsigned)ZTL_FUNCT7_##ID | (unsigned)(engine) << 5, rs2, rs1,                 \
                    ZTL_FUNCT3_##ID, rd, ZTL_OPCODE)
#define ZTL_INTRIN_I(ID, high12, rd, rs1)                                                          \
    (ZTL_INTRIN_WORD(0, 0, rs1, ZTL_FUNCT3_##ID, rd, ZTL_OPCODE) | (uint32_t)(high12) << 20)
#define ZTL_INTRIN_HIGH12(ID, imm, engine)                                                         \
    (ZTL_FUNCT12_##ID | ((unsigned)(imm)&0xff) | (unsigned)(engine) << 10)

/* `site` is a name of its own for each use, so that uses can be nested. */
#define ZTL_INTRIN_CALL(function, site, ID, word, o0, o1, o2, o3, ...)                             \
    static const ztl_intrin_site site = {                                                          \
        __FILE__,      __func__,    __LINE__, word, {(int)(o0), (int)(o1), (int)(o2), (int)(o3)},  \
        ZTL_INSN_##ID, ZTL_REVISION};                                                              \
    function(&site, __VA_ARGS__)

#define ZTL_INTRIN_MEMORY(function, site, ID, t, base, imm, engine)                                \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(t);                                                                    \
        ZTL_INTRIN_IMM8(imm);                                                                      \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_CALL(function, site, ID,                                                        \
                        ZTL_INTRIN_I(ID, ZTL_INTRIN_HIGH12(ID, imm, engine), ZTL_INTRIN_A0, t), t, \
                        imm, ZTL_INTRIN_A0, engine, base, 0);                                      \
    })
#define ZTL_INTRIN_LOAD(ID, td, base, imm, engine)                                                 \
    ZTL_INTRIN_MEMORY(ztl_intrin_load, ZTL_INTRIN_UNIQUE, ID, td, base, imm, engine)
#define ZTL_INTRIN_STORE(ID, ts, base, imm, engine)                                                \
    ZTL_INTRIN_MEMORY(ztl_intrin_store, ZTL_INTRIN_UNIQUE, ID, ts, base, imm, engine)

#define ZTL_INTRIN_MOVE(ID, td, ts1, ts2, engine)                                                  \
    ZTL_INTRIN_MOVE_AT(ZTL_INTRIN_UNIQUE, ID, td, ts1, ts2, engine)
#define ZTL_INTRIN_MOVE_AT(site, ID, td, ts1, ts2, engine)                                         \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_REGISTER(ts1);                                                                  \
        ZTL_INTRIN_REGISTER(ts2);                                                                  \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_CALL(ztl_intrin_execute, site, ID, ZTL_INTRIN_R(ID, engine, td, ts1, ts2), td,  \
                        ts1, ts2, engine, 0, 0);                                                   \
    })

#define ZTL_INTRIN_ADDI(ID, td, ts, imm, engine)                                                   \
    ZTL_INTRIN_ADDI_AT(ZTL_INTRIN_UNIQUE, ID, td, ts, imm, engine)
#define ZTL_INTRIN_ADDI_AT(site, ID, td, ts, imm, engine)                                          \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_IMM8(imm);                                                                      \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_CALL(ztl_intrin_execute, site, ID,                                              \
                        ZTL_INTRIN_I(ID, ZTL_INTRIN_HIGH12(ID, imm, engine), td, ts), td, ts, imm, \
                        engine, 0, 0);                                                             \
    })

#define ZTL_INTRIN_XPOSE(ID, t1, t2, dims, engine)                                                 \
    ZTL_INTRIN_XPOSE_AT(ZTL_INTRIN_UNIQUE, ID, t1, t2, dims, engine)
#define ZTL_INTRIN_XPOSE_AT(site, ID, t1, t2, dims, engine)                                        \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(t1);                                                                   \
        ZTL_INTRIN_REGISTER(t2);                                                                   \
        ZTL_INTRIN_ENGINE(engine);                                                                 \
        ZTL_INTRIN_CALL(ztl_intrin_execute, site, ID,                                              \
                        ZTL_INTRIN_R(ID, engine, ZTL_INTRIN_A0, t1, t2), t1, t2, ZTL_INTRIN_A0,    \
                        engine, dims, 0);                                                          \
    })

/* Ztl 1 has the same instructions with their operands in other fields. */
#define ZTL_INTRIN_XPOSE1(ID, t1, t2, dims)                                                        \
    ZTL_INTRIN_XPOSE1_AT(ZTL_INTRIN_UNIQUE, ID, t1, t2, dims)
#define ZTL_INTRIN_XPOSE1_AT(site, ID, t1, t2, dims)                                               \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(t1);                                                                   \
        ZTL_INTRIN_REGISTER(t2);                                                                   \
        ZTL_INTRIN_CALL(ztl_intrin_execute, site, ID, ZTL_INTRIN_R(ID, 0, t1, t2, ZTL_INTRIN_A0),  \
                        t1, t2, ZTL_INTRIN_A0, 0, dims, 0);                                        \
    })

#define ZTL_INTRIN_ADDI1(ID, td, ts, imm) ZTL_INTRIN_ADDI1_AT(ZTL_INTRIN_UNIQUE, ID, td, ts, imm)
#define ZTL_INTRIN_ADDI1_AT(site, ID, td, ts, imm)                                                 \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_IMM12(imm);                                                                     \
        ZTL_INTRIN_CALL(ztl_intrin_execute, site, ID, ZTL_INTRIN_I(ID, imm, td, ts), td, ts, imm,  \
                        0, 0, 0);                                                                  \
    })

#define ZTL_INTRIN_MLOAD1(ID, td, shape, base)                                                     \
    ZTL_INTRIN_MLOAD1_AT(ZTL_INTRIN_UNIQUE, ID, td, shape, base)
#define ZTL_INTRIN_MLOAD1_AT(site, ID, td, shape, base)                                            \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(td);                                                                   \
        ZTL_INTRIN_CALL(ztl_intrin_load, site, ID,                                                 \
                        ZTL_INTRIN_R(ID, 0, td, ZTL_INTRIN_A1, ZTL_INTRIN_A0), td, ZTL_INTRIN_A1,  \
                        ZTL_INTRIN_A0, 0, base, shape);                                            \
    })

#define ZTL_INTRIN_MSTORE1(ID, ts, base, shape)                                                    \
    ZTL_INTRIN_MSTORE1_AT(ZTL_INTRIN_UNIQUE, ID, ts, base, shape)
#define ZTL_INTRIN_MSTORE1_AT(site, ID, ts, base, shape)                                           \
    __extension__({                                                                                \
        ZTL_INTRIN_REGISTER(ts);                                                                   \
        ZTL_INTRIN_CALL(ztl_intrin_store, site, ID,                                                \
                        ZTL_INTRIN_R(ID, 0, ZTL_INTRIN_A1, ts, ZTL_INTRIN_A0), ts, ZTL_INTRIN_A0,  \
                        ZTL_INTRIN_A1, 0, base, shape);                                            \
    })

/* CSRs: csrrw, csrrs or csrrc of Zicsr, with a1, or x0 for a plain read; to x0 for a plain write.
 */
enum { ZTL_INTRIN_CSRRW = 1, ZTL_INTRIN_CSRRS = 2, ZTL_INTRIN_CSRRC = 3 };
#define ZTL_INTRIN_CSR_AT(function, site, csr, funct3, rd, rs1, ...)                               \
    __extension__({                                                                                \
        ZTL_INTRIN_CSR_NUMBER(csr);                                                                \
        static const ztl_intrin_site site = {                                                      \
            __FILE__,     __func__,                                                                \
            __LINE__,     ZTL_INTRIN_WORD(0, 0, rs1, funct3, rd, 0x73) | (uint32_t)(csr) << 20,    \
            {0, 0, 0, 0}, ZTL_INSNS,                                                               \
            ZTL_REVISION};                                                                         \
        function(&site, __VA_ARGS__);                                                              \
    })
#define ZTL_INTRIN_CSR(csr, funct3, rd, rs1, value)                                                \
    ZTL_INTRIN_CSR_AT(ztl_intrin_csr, ZTL_INTRIN_UNIQUE, csr, funct3, rd, rs1, value)
#define ZTL_INTRIN_CSR_READ(csr) ZTL_INTRIN_CSR(csr, ZTL_INTRIN_CSRRS, ZTL_INTRIN_A0, 0, 0)
#define ZTL_INTRIN_CSR_WRITE(csr, value)                                                           \
    ((void)ZTL_INTRIN_CSR(csr, ZTL_INTRIN_CSRRW, 0, ZTL_INTRIN_A1, value))
#define ZTL_INTRIN_CSR_SWAP(csr, value)                                                            \
    ZTL_INTRIN_CSR(csr, ZTL_INTRIN_CSRRW, ZTL_INTRIN_A0, ZTL_INTRIN_A1, value)
#define ZTL_INTRIN_CSR_SET(csr, value)                                                             \
    ZTL_INTRIN_CSR(csr, ZTL_INTRIN_CSRRS, ZTL_INTRIN_A0, ZTL_INTRIN_A1, value)
#define ZTL_INTRIN_CSR_CLEAR(csr, value)                                                           \
    ZTL_INTRIN_CSR(csr, ZTL_INTRIN_CSRRC, ZTL_INTRIN_A0, ZTL_INTRIN_A1, value)

#define ZTL_INTRIN_STRIDES_AT(function, LOAD, ...)                                                 \
    ZTL_INTRIN_CSR_AT(function, ZTL_INTRIN_UNIQUE, ZTL_CSR_##LOAD##_STRIDE, ZTL_INTRIN_CSRRW, 0,   \
                      ZTL_INTRIN_A1, __VA_ARGS__)
#define ZTL_INTRIN_SET_STRIDES(load, LOAD, strides, n)                                             \
    ZTL_INTRIN_STRIDES_AT(ztl_intrin_strides, LOAD, strides, n)
#define ZTL_INTRIN_SET_LINEAR(load, LOAD, start, step, n)                                          \
    ZTL_INTRIN_STRIDES_AT(ztl_intrin_strides_linear, LOAD, (unsigned long)(start),                 \
                          (unsigned long)(step), n)

#endif
