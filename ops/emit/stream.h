/* SPDX-License-Identifier: Apache-2.0
 * Batches one after the other, some of them under way: while one is stored, the next is permuted
 * and the one after it loaded, in sets of registers that take turns.
 */
#ifndef ZTL_OPS_EMIT_STREAM_H
#define ZTL_OPS_EMIT_STREAM_H

#include "ops/emit/clock.h"
#include "ops/emit/kernel.h"

enum {
    EMIT_STAGES = 3,   /* loads, moves, stores */
    EMIT_TOGETHER = 2, /* batches that begin in one step, often of far parts of a pass */
    EMIT_UNDER_WAY = EMIT_STAGES * EMIT_TOGETHER,
    EMIT_ITEMS = EMIT_UNDER_WAY * EMIT_MOST_INSNS
};

/* A batch: where it is, and its strides. */
typedef struct emit_place {
    int64_t in, out;
    const ops_vector *load, *store; /* NULL: 0 */
    unsigned track;                 /* whose pointers are near */
} emit_place;

typedef struct emit_flight {
    emit_place at;
    unsigned set, done; /* its registers; stages */
} emit_flight;

/* An instruction of a step that has not been written. */
typedef struct emit_item {
    const emit_insn *insn;
    const emit_place *at;
    const ops_vector *vector;
    unsigned first; /* register of its set */
    clock_event event;
} emit_item;

typedef struct emit_stream {
    emit_kernel *k;
    const emit_program *program;
    unsigned slices;                    /* that have strides */
    unsigned sets, together;            /* together: batches that begin in one step */
    unsigned stages, end[EMIT_STAGES];  /* of a batch: where the instructions of each end */
    unsigned engines;                   /* that move */
    bool varies[EMIT_SINGLE];           /* CSRs that instructions need with different values */
    emit_flight flight[EMIT_UNDER_WAY]; /* the oldest first */
    unsigned count, next;               /* how many; the set of the next one */
    int64_t p[EMIT_TOGETHER], q[EMIT_TOGETHER]; /* where the pointers of the C are */
    uint32_t tracks;                            /* whose pointers are in use: bits */
    emit_clock clock;
    emit_item *item;
    unsigned items;
} emit_stream;

/* Decides on stages and sets. False when memory is short. */
bool ztl_ops_stream_start(emit_stream *s, emit_kernel *k, const ops_pass *pass,
                          const emit_program *program);
void ztl_ops_stream_end(emit_stream *s);

/* One step: the first stage of the new batches, the next of each that is under way. */
void ztl_ops_stream_step(emit_stream *s, const emit_place *fresh, unsigned count);

/* All that is under way. */
void ztl_ops_stream_flush(emit_stream *s);

/* Moves a pair of pointers. */
void ztl_ops_stream_move(emit_stream *s, unsigned track, int64_t p, int64_t q);

/* CSRs that are the same in the whole pass. */
void ztl_ops_stream_hoist(emit_stream *s, const emit_place *at);

/* Says that a loop of C begins or ends, where what was written last is not known. */
void ztl_ops_stream_forget(emit_stream *s);

/* The bytes that a store of a vector reaches over, from its pointer on. */
void ztl_ops_stream_reach(const emit_stream *s, const ops_vector *vector, const emit_insn *insn,
                          int64_t *low, int64_t *high);

#endif
