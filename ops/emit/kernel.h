/* SPDX-License-Identifier: Apache-2.0
 * A kernel while it is written.
 */
#ifndef ZTL_OPS_EMIT_KERNEL_H
#define ZTL_OPS_EMIT_KERNEL_H

#include <stdio.h>

#include <ztl/error.h>

#include "ops/format/plan.h"

/* CSRs: single ones, then the strides of slices. */
enum emit_csr {
    EMIT_TTYPE,
    EMIT_TSHAPE,
    EMIT_LOAD_WIDTH,
    EMIT_STORE_WIDTH,
    EMIT_ORDER,
    EMIT_MASK_1,
    EMIT_MASK_2,
    EMIT_SINGLE,
    EMIT_LOAD_STRIDE = EMIT_SINGLE,
    EMIT_STORE_STRIDE = EMIT_LOAD_STRIDE + OPS_SLICES,
    EMIT_CSRS = EMIT_STORE_STRIDE + OPS_SLICES
};

/* A Ztl instruction of a pass, with the CSR values that it needs. */
enum emit_code {
    EMIT_LOAD,
    EMIT_STORE,
    EMIT_PERMUTE,
    EMIT_XPOSE,
    EMIT_CONCAT,
    EMIT_MERGE,
    EMIT_ADDI
};

typedef struct emit_insn {
    enum emit_code code;
    const char *variant; /* the end of its name: "b", "01" */
    uint8_t reg[3];      /* of the plan; the target first */
    int32_t immediate;
    uint32_t dims;
    int64_t offset;
    bool needs[EMIT_SINGLE];
    uint32_t csr[EMIT_SINGLE];
} emit_insn;

enum { EMIT_MOST_INSNS = 256 };

/* What a batch executes: loads, what lies between, stores. */
typedef struct emit_program {
    emit_insn insn[EMIT_MOST_INSNS];
    unsigned count, loads, stores; /* loads lead, stores are last; what is between is moves */
    unsigned registers;            /* of a batch; 0: the same for all of them */
} emit_program;

/* The program of a pass that has one; false and a message. */
bool ztl_ops_emit_program(const ops_pass *pass, emit_program *program, ztl_error *error);

typedef struct emit_kernel {
    FILE *out;
    unsigned indent;
    int64_t csr[EMIT_CSRS]; /* values; EMIT_UNKNOWN where paths differ */
    int64_t value, step;    /* of the C's variables for strides, or EMIT_UNKNOWN */
    uint64_t lines;         /* so far */
    bool failed;            /* memory was short */
} emit_kernel;

#define EMIT_UNKNOWN INT64_MIN

/* A line, indented. */
__attribute__((format(printf, 2, 3))) void ztl_ops_emit_line(emit_kernel *k, const char *format,
                                                             ...);

/* Sets a CSR unless it has the value. */
void ztl_ops_emit_csr(emit_kernel *k, unsigned csr, int64_t value);

/* Says that what the variables for strides have is not known. */
void ztl_ops_emit_forget(emit_kernel *k);

/* One instruction of a batch, whose register r is tl(first + r); `apart` bytes from the pointer of
 * a track. */
void ztl_ops_emit_insn(emit_kernel *k, const emit_insn *insn, unsigned first, unsigned engine,
                       unsigned track, int64_t apart);

/* All batches of a pass with a program, from pointers `from` and `to`. */
void ztl_ops_emit_batches(emit_kernel *k, const ops_pass *pass, const emit_program *program,
                          const char *from, const char *to);

/* Passes whose elements are moved one by one, or under a mask that is read. */
void ztl_ops_emit_scalar(emit_kernel *k, const ops_pass *pass, const char *from, const char *to);
void ztl_ops_emit_where(emit_kernel *k, const ops_pass *pass, const char *from, const char *to);

/* The functions that these two need. */
void ztl_ops_emit_helpers(FILE *out);

#endif
