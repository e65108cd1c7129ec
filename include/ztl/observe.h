/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeing what a hart does: traces, counts, tensor registers as grids, signatures of memory.
 *
 *     ztl_stats stats = {0};
 *     ztl_observer observer = ztl_stats_observer(&stats);
 *     ztl_hart_set_observer(hart, &observer);
 */
#ifndef ZTL_OBSERVE_H
#define ZTL_OBSERVE_H

#include <stdio.h>

#include <ztl/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Trace ------------------------------------------------------------------------------ */

enum ztl_trace_format {
    ZTL_TRACE_SPIKE, /* Spike's commit log, and in it tensor registers, slices and Ztl CSRs */
    ZTL_TRACE_CSV,
    ZTL_TRACE_JSON,      /* one object a line */
    ZTL_TRACE_SPIKE_LOG, /* what Spike itself writes, its boot lines included */
    ZTL_TRACE_RVVI,      /* RVVI-TEXT 0.3 */
};

typedef struct ztl_trace_config {
    enum ztl_trace_format format;
    bool full;                  /* bytes of tensor registers and slices, instead of their CRC-32 */
    bool disassemble;           /* the text of each instruction too */
    const ztl_program *program; /* symbols for the disassembly; may be NULL */
} ztl_trace_config;

typedef struct ztl_trace ztl_trace;

/* Creates a file to trace one hart into: "-" is standard output, a name that ends in ".gz" is
 * compressed. NULL and a message when that fails. */
ZTL_API ztl_trace *ztl_trace_open(const char *path, const ztl_trace_config *config, ztl_hart *hart,
                                  ztl_error *error);

/* Writes out what is buffered, e.g. before others write to standard output. */
ZTL_API void ztl_trace_flush(ztl_trace *trace);

/* False and a message when something could not be written. Remove the observer before. */
ZTL_API bool ztl_trace_close(ztl_trace *trace, ztl_error *error);

ZTL_API ztl_observer ztl_trace_observer(ztl_trace *trace);

/* ---- Counts ----------------------------------------------------------------------------- */

/* Classes of instructions: ID, name. */
#define ZTL_CLASSES(CLASS)                                                                         \
    CLASS(ALU, "alu")                                                                              \
    CLASS(MULTIPLY, "multiply")                                                                    \
    CLASS(LOAD, "load")                                                                            \
    CLASS(STORE, "store")                                                                          \
    CLASS(BRANCH, "branch")                                                                        \
    CLASS(JUMP, "jump")                                                                            \
    CLASS(ATOMIC, "atomic")                                                                        \
    CLASS(FLOAT, "float")                                                                          \
    CLASS(CSR, "csr")                                                                              \
    CLASS(FENCE, "fence")                                                                          \
    CLASS(SYSTEM, "system")                                                                        \
    CLASS(ZTL, "ztl")

enum ztl_class {
#define ZTL_CLASS(ID, name) ZTL_CLASS_##ID,
    ZTL_CLASSES(ZTL_CLASS)
#undef ZTL_CLASS
        ZTL_CLASS_COUNT
};

enum { ZTL_STATS_CAUSES = 16 };

typedef struct ztl_stats {
    uint64_t by_class[ZTL_CLASS_COUNT];
    uint64_t by_insn[ZTL_INSNS]; /* Ztl instructions, by enum ztl_insn_id */
    uint64_t compressed;         /* of 16 bits */
    uint64_t loaded, stored;     /* bytes, by base instructions */
    uint64_t ztl_loaded, ztl_stored;
    uint64_t exceptions[ZTL_STATS_CAUSES]; /* by cause */
    uint64_t interrupts;
} ztl_stats;

ZTL_API ztl_observer ztl_stats_observer(ztl_stats *stats);
ZTL_API const char *ztl_class_name(enum ztl_class class_of);

/* The class of a base instruction of the given XLEN (16 bits when the low two are not 11). */
ZTL_API enum ztl_class ztl_class_of(unsigned xlen, uint32_t word);

/* ---- Tensor registers as grids ---------------------------------------------------------- */

enum { ZTL_VIEW_MAX_DIMENSIONS = 8 };

/* One register, or a pair that holds one tensor of up to 2048 bytes. */
typedef struct ztl_view {
    unsigned reg[2];
    unsigned reg_count; /* 1 or 2 */
    unsigned dimensions;
    unsigned dim[ZTL_VIEW_MAX_DIMENSIONS];
    enum ztl_type type;
} ztl_view;

/* Reads REGISTER[:SHAPE[:TYPE]]: "tl3", "tl3:4x16x16:int8", "tl1+tl2:32x64". Types have the names
 * of the ISA table; without one elements are bytes, without a shape it is rows of 32 elements.
 * False and a message that names the part that is wrong. */
ZTL_API bool ztl_view_parse(const char *text, ztl_view *view, ztl_error *error);

/* Prints a grid for each pair of the innermost dimensions, with indices. Where its rows are longer
 * than `width` characters (0: 80), its columns come in several parts. */
ZTL_API void ztl_view_print(const ztl_view *view, const ztl_state *state, bool colour,
                            unsigned width, FILE *out);

/* ---- Signature -------------------------------------------------------------------------- */

/* Writes the memory between the symbols begin_signature and end_signature in the form of
 * riscv-arch-test: `granularity` bytes (1, 2, 4, 8 or 16) a line, the highest first. False and a
 * message, and no file left behind, when that fails. */
ZTL_API bool ztl_signature_write(const ztl_program *program, const ztl_hart *hart, const char *path,
                                 unsigned granularity, ztl_error *error);

#ifdef __cplusplus
}
#endif
#endif
