/* SPDX-License-Identifier: Apache-2.0
 * How long passes take on a machine by the rules of doc/timing.md: how long the busiest of its
 * resources is busy, and what setting up takes.
 *
 *     load port, store port     a slice or 64 bytes a cycle
 *     engines of moves          a PERMUTE of 2 KiB takes 32 cycles; two engines take turns
 *     hart                      some instructions for each Ztl instruction, two for a CSR write
 *
 * Passes follow each other, so that their times are added up.
 */
#ifndef ZTL_OPS_TIME_H
#define ZTL_OPS_TIME_H

#include "ops/format/plan.h"

typedef struct ops_port {
    int64_t bytes, slices; /* a cycle */
} ops_port;

typedef struct ops_machine {
    ops_port load, store;
    int64_t move_bytes;   /* a cycle */
    int64_t move_engines; /* that moves take turns on */
    bool one_engine, one_port;
} ops_machine;

/* The machine that is asked for; `four` where none is. */
ops_machine ztl_ops_machine_of(const ztl_ops_machine *machine);

/* What one batch takes: instructions, and how long it keeps the ports and the engines busy. */
typedef struct ops_use {
    int64_t ztl, load, store, move;
} ops_use;

/* What a program takes: its slices are so wide, and so many unless it says otherwise. */
typedef struct ops_slicing {
    int64_t slices, load_width, store_width;
} ops_slicing;

ops_use ztl_ops_use(const ops_machine *machine, const ops_slicing *by, const ops_insn *insn,
                    unsigned count);

/* The cycles of the busiest resource in one batch, the hart apart; and of a pass of so many batches
 * and CSR writes. */
int64_t ztl_ops_busiest(const ops_machine *machine, const ops_use *use);
int64_t ztl_ops_pass_cycles(const ops_machine *machine, const ops_use *use, int64_t batches,
                            int64_t writes);

/* What the hart issues in the loop around a batch. */
int64_t ztl_ops_hart_cycles(const ops_use *use);

/* The least for so many bytes: each through its port once at full width. */
int64_t ztl_ops_floor_cycles(const ops_machine *machine, int64_t in, int64_t out);

/* A whole plan. */
uint64_t ztl_ops_plan_cycles(const ztl_ops_plan *plan, const ops_machine *machine);

#endif
