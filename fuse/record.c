/* SPDX-License-Identifier: Apache-2.0
 * The recorder of loops.
 */
#include "fuse/record.h"

void ztl_recorder_reset(ztl_recorder *r)
{
    r->in_loop = r->recording = false;
    for (unsigned k = 0; k < ZTL_KEPT_LOOPS; k++)
        r->kept[k].recognised = false;
}

bool ztl_record_step(ztl_recorder *r, const ztl_insn *insn, uint64_t a0, uint64_t a1,
                     const void *site)
{
    if (r->steps == ZTL_LOOP_STEPS)
        return false;
    r->step[r->steps] = (ztl_loop_step){*insn, a0 - ztl_record_base(r, insn), a1};
    r->site[r->steps++] = site;
    return true;
}

/* A few copies that differ in strides only are kept side by side, unless strides change within the
 * loop: finding where all slices are would take as long as copying some KiB. */
static ztl_loop *find_loop(ztl_recorder *r, const ztl_state *state)
{
    enum { KEPT_COPIES = 4 };
    ztl_loop *similar = NULL;
    unsigned count = 0;
    for (unsigned k = 0; k < ZTL_KEPT_LOOPS; k++) {
        ztl_loop *kept = &r->kept[k];
        if (!ztl_loop_has(kept, state, r->step, r->steps))
            continue;
        if (ztl_loop_is_placed(kept, state))
            return kept;
        similar = !similar || kept->strides_change ? kept : similar;
        count++;
    }
    if (similar &&
        (similar->kind != ZTL_LOOP_COPY || similar->strides_change || count == KEPT_COPIES))
        return similar;
    ztl_loop *loop = &r->kept[r->oldest++ % ZTL_KEPT_LOOPS];
    ztl_loop_set(loop, r->step, r->steps);
    return loop;
}

void ztl_record_end(ztl_recorder *r, const ztl_state *state)
{
    r->recording = false;
    r->recorded = true;
    r->loop = find_loop(r, state);
    ztl_loop_csr_written(r->loop);
}
