/* SPDX-License-Identifier: Apache-2.0
 *
 * Ztl in C and C++: one intrinsic for every instruction and every CSR.
 *
 *     #include <ztl/intrin.h>
 *
 *     __riscv_ztl_csrw_tshape(0x200101);                 // 32 slices
 *     __riscv_ztl_csrw_tl_load_width(32);                // of 32 bytes
 *     __riscv_ztl_load(1, picture, 0);                   // tl1 = the block at picture
 *     __riscv_ztl_load(2, picture + 1024, 0);
 *     __riscv_ztl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
 *
 * On RISC-V each is the instruction itself and nothing else; elsewhere it is a call of the model
 * on a hart of the calling thread, whose memory is the program's own (link with libztl). Tensor
 * registers, immediates, engines and CSRs are compile-time constants, checked by the compiler;
 * addresses, dimensions and CSR values are ordinary values. A constant dimension that does not fit
 * its field does not compile; one that turns up at run time is 0 in the field, which traps.
 *
 * Strides: those of slices 0 to n-1 at once, n up to 32, from an array of int32_t or at equal
 * distances. With a constant n this is one write each; else a jump to the first of them.
 *
 *     __riscv_ztl_set_load_strides(rows, n);
 *     __riscv_ztl_set_store_strides_linear(0, 8, 32);    // 0, 8, 16, ...
 *
 * Rounds: the same instructions over and over, on other addresses.
 *
 *     ztl_intrin_rounds_begin();
 *     for (; n > 0; n--, from += 2048, to += 2048)
 *         if (ztl_intrin_round_begin(from, to)) {
 *             __riscv_ztl_load(1, from, 0);
 *             ...
 *             __riscv_ztl_store(2, to + 1024, 0);
 *             ztl_intrin_round_end();
 *         }
 *     ztl_intrin_rounds_end();
 *
 * On RISC-V this is the loop inside and nothing else. On the host the first round is recorded, and
 * the model executes it and all further ones as a whole, several instructions at a time, with the
 * addresses of loads moved along with `from` and those of stores along with `to`. Rounds must not
 * differ in anything else, and hold nothing but Ztl instructions and writes of CSRs; between rounds
 * everything is allowed. Where stores of one round overlap, they store the same bytes. Tensor
 * registers that a round writes are not defined after it, nor in the next one.
 *
 * Where rounds follow each other at equal distances, as these do,
 *
 *     size_t done = ztl_intrin_rounds_ahead(n, from, 2048, to, 2048);
 *
 * executes as many of the n rounds to come as the model can execute at once. It says how many: 0
 * where there is nothing to gain, as on RISC-V, and before the first round is recorded.
 *
 * Every instruction of Ztl 2 also has a form NAME_e(..., engine) that names the engine.
 * Define before the first include:
 *   ZTL_REVISION               1 or 2 (the default): whose instructions these are
 *   ZTL_INTRIN_SHORT_NAMES     tl_load, tl_xpose_01, ... for __riscv_ztl_load, ...
 */
#ifndef ZTL_INTRIN_H
#define ZTL_INTRIN_H

#include <ztl/isa.h>

#ifndef ZTL_REVISION
#define ZTL_REVISION 2
#endif

/* The fixed fields of each instruction, from the table. */
#define ZTL_BITS(high, low, value) ((uint32_t)(value) << (low))
enum ztl_intrin_fields {
#define ZTL_INSN(ID, rev, text, sub, form, op, arg, encoding, words)                               \
    ZTL_FUNCT3_##ID = (encoding) >> 12 & 7, ZTL_FUNCT7_##ID = (encoding) >> 25,                    \
    ZTL_FUNCT12_##ID = (encoding) >> 20,
#include "isa/ztl.def"
};
#undef ZTL_BITS

#include <ztl/intrin/range.h>

/* The GPR operand of XPOSE and PERMUTE, and the shape of Ztl 1's MLOAD and MSTORE. */
#define ZTL_DIMS(d0, d1, d2, d3)                                                                   \
    (ZTL_INTRIN_DIMENSION(d0) | ZTL_INTRIN_DIMENSION(d1) << 8 | ZTL_INTRIN_DIMENSION(d2) << 16 |   \
     ZTL_INTRIN_DIMENSION(d3) << 24)

/* The value of tshape. */
#define ZTL_SHAPE(d0, d1, d2)                                                                      \
    (ZTL_INTRIN_DIMENSION(d0) << 16 | ZTL_INTRIN_DIMENSION(d1) << 8 | ZTL_INTRIN_DIMENSION(d2))

/* The value of ttype of every type, by its name in the table: ZTL_TTYPE_INT16. */
enum ztl_intrin_ttype {
#define ZTL_TYPE(ID, ttype, ...) ZTL_TTYPE_##ID = ttype,
#include "isa/type.def"
};

/* A name of its own for each use. */
#define ZTL_INTRIN_PASTE(a, b) a##b
#define ZTL_INTRIN_NUMBERED(n) ZTL_INTRIN_PASTE(ztl_intrin_, n)
#define ZTL_INTRIN_UNIQUE      ZTL_INTRIN_NUMBERED(__COUNTER__)

/* How an instruction of each format is executed here. */
#ifdef __riscv
#include <ztl/intrin/riscv.h>
#else
#include <ztl/intrin/host.h>
#endif

#define ZTL_INTRIN_MOVE1(ID, td, ts1, ts2) ZTL_INTRIN_MOVE(ID, td, ts1, ts2, 0)

#if ZTL_REVISION != 1 && ZTL_REVISION != 2
#error "ZTL_REVISION must be 1 or 2"
#endif
#include <ztl/intrin/csr.h>
#include <ztl/intrin/names.h>

#endif
