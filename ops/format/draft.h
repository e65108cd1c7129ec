/* SPDX-License-Identifier: Apache-2.0
 * A plan while it is written.
 */
#ifndef ZTL_OPS_DRAFT_H
#define ZTL_OPS_DRAFT_H

#include "ops/format/plan.h"

/* How long a list of batches may be: as long as the memory for it, a quarter of that, or there are
 * none, only loops. A level is for a whole plan: what is costed is then what is written. */
enum ops_lists { OPS_LONG_LISTS, OPS_SHORT_LISTS, OPS_NO_LISTS, OPS_LIST_LEVELS };

enum { OPS_MOST_CHOICES = 48, OPS_MOST_NOTES = 24 };

/* The ways that were tried for pieces. */
typedef struct ops_note {
    uint32_t count;
    ops_tried tried[OPS_MOST_TRIED];
} ops_note;

typedef struct ops_draft {
    ops_arena *arena;
    ztl_ops_plan *plan;
    enum ops_lists lists;
    size_t room; /* bytes that were free when planning began, as far as lists may use them */
    enum ztl_ops_effort level;
    unsigned halvings;             /* of the steps that a piece may take */
    bool is_cut_off;               /* the search for some piece ended when its steps were used up */
    bool has_constant;             /* the pass before has made the constant in its register */
    uint64_t effort;               /* steps of planning so far: the same on every machine */
    ops_note note[OPS_MOST_NOTES]; /* while planning, */
    ops_choice choice[OPS_MOST_CHOICES]; /* and of what is written */
    uint32_t notes, choices;
} ops_draft;

/* Everything from here on can be taken back. */
typedef struct ops_mark {
    ops_arena arena;
    ztl_ops_plan plan;
    bool has_constant;
    uint32_t choices;
} ops_mark;

ops_mark ztl_ops_set_mark(const ops_draft *draft);
void ztl_ops_roll_back(ops_draft *draft, const ops_mark *mark);

/* A pass without a program, with room for so many batches; NULL when memory is short. */
ops_pass *ztl_ops_write_head(ops_draft *draft, const ops_pass *form);

/* A pass as it is given: its vectors, groups and batches are counted in `form`. Nothing without
 * groups. */
void ztl_ops_write_pass(ops_draft *draft, const ops_pass *form, const ops_insn *insn,
                        const ops_vector *vector, const ops_group *group, const ops_batch *batch);

#endif
