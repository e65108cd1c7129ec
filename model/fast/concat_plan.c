/* SPDX-License-Identifier: Apache-2.0
 * CONCAT as a list of runs, cut either into pieces that are copied one after the other or into byte
 * shuffles that together make 16 bytes of the result.
 */
#include "model/fast/concat.h"

/* Units from `start` on of the three sources laid end to end: what stays, first, second. */
typedef struct run {
    unsigned start, count;
} run;

/* Where the next run goes, and the shuffles of the current 16 bytes: one open for each source. */
typedef struct writer {
    ztl_concat_plan *plan;
    unsigned source_units; /* of one source */
    unsigned at;           /* in the result */
    unsigned gathers;
    unsigned open[3];
} writer;

enum { NOT_OPEN = ZTL_CONCAT_GATHERS, NOTHING = 0x80 };

/* From so many on, shuffles are faster than copies. */
enum { MANY_PIECES = 192 };

static void write_pieces(writer *w, run r)
{
    for (unsigned code = 7; r.count;) {
        while (ztl_piece_length[code] > r.count)
            code--;
        w->plan->as.piece[w->plan->pieces++] = (uint16_t)(r.start * 8 + code);
        r.start += ztl_piece_length[code];
        r.count -= ztl_piece_length[code];
    }
}

static void open_gather(writer *w, unsigned source, unsigned offset)
{
    unsigned last = ZTL_REG_BYTES - ZTL_VECTOR;
    unsigned start = source * ZTL_REG_BYTES + (offset < last ? offset : last);
    w->plan->as.gather.start[w->gathers] = (uint16_t)start;
    ztl_fill_bytes(w->plan->as.gather.shuffle[w->gathers], NOTHING, ZTL_VECTOR);
    w->plan->as.gather.count[w->at / ZTL_VECTOR]++;
    w->open[source] = w->gathers++;
}

/* Runs of one source ascend, so a shuffle that begins where the first byte is reaches farthest. */
static void write_gathers(writer *w, run r)
{
    unsigned source = r.start / ZTL_REG_BYTES;
    for (; r.count; r.start++, r.count--, w->at++) {
        if (w->at % ZTL_VECTOR == 0)
            w->open[0] = w->open[1] = w->open[2] = NOT_OPEN;
        unsigned gather = w->open[source];
        if (gather == NOT_OPEN || r.start - w->plan->as.gather.start[gather] >= ZTL_VECTOR) {
            open_gather(w, source, r.start % ZTL_REG_BYTES);
            gather = w->open[source];
        }
        w->plan->as.gather.shuffle[gather][w->at % ZTL_VECTOR] =
            (uint8_t)(r.start - w->plan->as.gather.start[gather]);
    }
}

static void write_run(writer *w, run r)
{
    if (w->plan->gathers)
        write_gathers(w, r);
    else
        write_pieces(w, r);
}

/* Adds to the last run when it goes on there and in the same source, else writes that one out. */
static void extend(writer *w, run *last, run next)
{
    if (last->start + last->count == next.start && next.start % w->source_units != 0) {
        last->count += next.count;
        return;
    }
    write_run(w, *last);
    *last = next;
}

/* Where position n of the result comes from, as a position of three blocks laid end to end.
 * Returns how many positions are kept; more than the length is too many. */
static unsigned positions(uint8_t source[32], uint8_t position[32], unsigned length, uint64_t masks)
{
    unsigned kept = 0;
    for (unsigned s = 1; s <= 2; s++, masks >>= 32)
        for (unsigned i = 0; i < length; i++)
            if (masks >> i & 1) {
                if (kept < length) {
                    source[kept] = (uint8_t)s;
                    position[kept] = (uint8_t)i;
                }
                kept++;
            }
    for (unsigned n = kept; n < length; n++) {
        source[n] = 0;
        position[n] = (uint8_t)n;
    }
    return kept;
}

static void write_plan(ztl_concat_plan *plan, const ztl_rows *rows, const uint8_t source[32],
                       const uint8_t position[32])
{
    plan->pieces = 0;
    if (plan->gathers)
        ztl_fill_bytes(plan->as.gather.count, 0, sizeof plan->as.gather.count);
    unsigned units = (rows->nibbles ? 2 : 1) * ZTL_REG_BYTES;
    writer w = {.plan = plan, .source_units = units};
    run last = {0, 0};
    for (unsigned o = 0; o < rows->outer; o++)
        for (unsigned n = 0; n < rows->length; n++) {
            unsigned at = (o * rows->length + position[n]) * rows->inner;
            extend(&w, &last, (run){source[n] * units + at, rows->inner});
        }
    unsigned end = rows->outer * rows->length * rows->inner;
    if (end < units)
        extend(&w, &last, (run){end, units - end});
    write_run(&w, last);
}

bool ztl_plan_concat(ztl_concat_plan *plan, const ztl_rows *rows, uint64_t masks, bool gathers)
{
    uint8_t source[32], position[32];
    if (positions(source, position, rows->length, masks) > rows->length)
        return false;
    plan->nibbles = rows->nibbles;
    plan->gathers = false;
    write_plan(plan, rows, source, position);
    if (gathers && !rows->nibbles && plan->pieces > MANY_PIECES) {
        plan->gathers = true;
        write_plan(plan, rows, source, position);
    }
    return true;
}
