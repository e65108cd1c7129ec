/* SPDX-License-Identifier: Apache-2.0
 * Plans of CONCAT: a list of runs, cut into pieces to copy, or into byte shuffles whose union is a
 * vector of the result.
 */
#include "fast/concat.h"

/* Units [start, start + count) of the sources laid end to end: old target, first, second. */
typedef struct run {
    unsigned start, count;
} run;

enum {
    NOTHING = 0x80,
    MOST_VECTORS = 2 * ZTL_REG_VECTORS,
    MOST_PARTS = 16,
    COPIED = MOST_PARTS + 1,
    NOT_OPEN = 0xffff
};

/* The position in the result, and the shuffles of its current vector: at most one open per source.
 * Shuffles are counted in a first pass and written in a second, so that vectors that take equally
 * many can be listed together. */
typedef struct writer {
    ztl_concat_plan *plan;
    unsigned source_units;      /* of one source; a power of two */
    unsigned bytes, window;     /* of a shuffle; 0: pieces */
    unsigned source_bits, bits; /* logarithms of source_units and bytes */
    unsigned at;                /* in the result */
    bool counts;
    uint8_t parts[MOST_VECTORS];   /* the shuffles of each vector */
    uint16_t first[MOST_VECTORS];  /* the number of its first one */
    uint16_t origin[MOST_VECTORS]; /* its source if it is one run, else 0xffff */
    unsigned open[3], start[3];    /* number and start of the shuffles that are open */
    unsigned used[3];              /* bytes of their windows, up to the last one needed */
} writer;

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

/* A window of several vectors begins at the start of one if that covers what is needed too: loads
 * then cross no border, and find what an earlier instruction has just stored. */
static void close_gather(writer *w, unsigned source)
{
    const unsigned slack = w->start[source] & (w->bytes - 1);
    if (w->counts || w->open[source] == NOT_OPEN || w->window == w->bytes || slack == 0 ||
        w->used[source] + slack > w->window)
        return;
    uint8_t *shuffle = w->plan->as.gather.shuffle + (size_t)w->open[source] * w->bytes;
    for (unsigned i = 0; i < w->bytes; i += sizeof(uint64_t)) {
        uint64_t eight; /* none of them overflows, and what is nothing remains so */
        ztl_copy_bytes(&eight, shuffle + i, sizeof eight);
        eight += slack * UINT64_C(0x0101010101010101);
        ztl_copy_bytes(shuffle + i, &eight, sizeof eight);
    }
    w->plan->as.gather.start[w->open[source]] =
        (uint16_t)(source << 11 | (w->start[source] - slack));
}

/* Runs of a source ascend, so a shuffle that starts at the first byte needed covers the most. */
static void open_gather(writer *w, unsigned source, unsigned offset)
{
    unsigned vector = w->at >> w->bits, last = w->source_units - w->window;
    w->start[source] = offset < last ? offset : last;
    w->open[source] = (unsigned)w->first[vector] + w->parts[vector]++;
    if (w->counts)
        return;
    w->plan->as.gather.start[w->open[source]] = (uint16_t)(source << 11 | w->start[source]);
    ztl_fill_bytes(w->plan->as.gather.shuffle + (size_t)w->open[source] * w->bytes, NOTHING,
                   w->bytes);
}

/* Writes as much of a run as one shuffle covers. */
static unsigned write_gather(writer *w, unsigned source, unsigned offset, unsigned count)
{
    unsigned in_vector = w->at & (w->bytes - 1);
    if (w->open[source] == NOT_OPEN || offset - w->start[source] >= w->window) {
        close_gather(w, source);
        open_gather(w, source, offset);
    }
    unsigned in_window = offset - w->start[source];
    count = count < w->bytes - in_vector ? count : w->bytes - in_vector;
    count = count < w->window - in_window ? count : w->window - in_window;
    w->used[source] = in_window + count;
    if (count == w->bytes)
        w->origin[w->at >> w->bits] = (uint16_t)(source << 11 | offset);
    uint8_t *shuffle = w->plan->as.gather.shuffle + (size_t)w->open[source] * w->bytes + in_vector;
    for (unsigned i = 0; i < count && !w->counts; i++)
        shuffle[i] = (uint8_t)(in_window + i);
    return count;
}

static void close_gathers(writer *w)
{
    for (unsigned source = 0; source < 3; source++) {
        close_gather(w, source);
        w->open[source] = NOT_OPEN;
    }
}

static void write_gathers(writer *w, run r)
{
    unsigned source = r.start >> w->source_bits, offset = r.start & (w->source_units - 1);
    for (unsigned count; r.count; offset += count, r.count -= count, w->at += count) {
        count = write_gather(w, source, offset, r.count);
        if (((w->at + count) & (w->bytes - 1)) == 0)
            close_gathers(w);
    }
}

/* Two adjacent vectors with adjacent sources are copied; their shuffles go last, unused. */
static void find_copies(writer *w, unsigned vectors)
{
    unsigned copies = 0;
    for (unsigned v = 0; v < vectors; v += 2) {
        if (w->origin[v] == NOT_OPEN || w->origin[v + 1] != w->origin[v] + w->bytes)
            continue;
        w->parts[v] = w->parts[v + 1] = COPIED;
        w->plan->as.gather.copy_to[copies] = (uint8_t)v;
        w->plan->as.gather.copy_from[copies++] = w->origin[v];
    }
    w->plan->as.gather.copies = (uint8_t)copies;
}

/* Sorts the vectors by the number of their shuffles, and numbers the shuffles. */
static void order_gathers(writer *w)
{
    uint8_t *made_of = w->plan->as.gather.made_of;
    unsigned vectors = w->source_units >> w->bits, place[COPIED + 1], number[COPIED + 1];
    w->plan->as.gather.most = 0;
    find_copies(w, vectors);
    ztl_fill_bytes(made_of, 0, sizeof w->plan->as.gather.made_of);
    for (unsigned v = 0; v < vectors; v++)
        made_of[w->parts[v]]++;
    for (unsigned parts = 0, places = 0, numbers = 0; parts <= COPIED; parts++) {
        place[parts] = places;
        number[parts] = numbers;
        if (made_of[parts] && parts <= MOST_PARTS)
            w->plan->as.gather.most = (uint8_t)parts;
        places += made_of[parts];
        numbers += made_of[parts] * parts;
    }
    for (unsigned v = 0; v < vectors; v++) {
        unsigned parts = w->parts[v];
        w->plan->as.gather.place[place[parts]++] = (uint8_t)v;
        w->first[v] = (uint16_t)number[parts];
        number[parts] += parts == COPIED ? 1 : parts;
    }
    ztl_fill_bytes(w->parts, 0, sizeof w->parts);
}

static void write_run(writer *w, run r)
{
    if (w->bytes)
        write_gathers(w, r);
    else
        write_pieces(w, r);
}

/* Extends the last run if this one continues it in the same source; else writes the last one. */
static void extend(writer *w, run *last, run next)
{
    if (last->start + last->count == next.start && (next.start & (w->source_units - 1)) != 0) {
        last->count += next.count;
        return;
    }
    write_run(w, *last);
    *last = next;
}

/* The source of each position of the result, as a position in the three blocks laid end to end.
 * Returns how many positions the masks keep; more than the length is an error. */
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

static void write_runs(writer *w, const ztl_rows *rows, const uint8_t source[32],
                       const uint8_t position[32])
{
    unsigned units = w->source_units, end = rows->outer * rows->length * rows->inner;
    run last = {0, 0};
    w->at = 0;
    for (unsigned o = 0; o < rows->outer; o++)
        for (unsigned n = 0; n < rows->length; n++) {
            unsigned at = (o * rows->length + position[n]) * rows->inner;
            extend(w, &last, (run){source[n] * units + at, rows->inner});
        }
    if (end < units)
        extend(w, &last, (run){end, units - end});
    write_run(w, last);
}

bool ztl_plan_concat(ztl_concat_plan *plan, const ztl_rows *rows, uint64_t masks,
                     const ztl_bodies *bodies)
{
    uint8_t source[32], position[32];
    if (positions(source, position, rows->length, masks) > rows->length)
        return false;
    plan->nibbles = rows->nibbles;
    plan->pieces = 0;
    writer w = {.plan = plan,
                .source_bits = rows->nibbles ? 11 : 10,
                .bits = bodies->gather_bytes == 64 ? 6 : 4,
                .bytes = bodies->gather_bytes,
                .window = bodies->gather_window,
                .counts = true,
                .open = {NOT_OPEN, NOT_OPEN, NOT_OPEN}};
    w.source_units = 1u << w.source_bits;
    ztl_fill_bytes(w.origin, 0xff, sizeof w.origin);
    write_runs(&w, rows, source, position);
    if (w.bytes) {
        order_gathers(&w);
        w.counts = false;
        write_runs(&w, rows, source, position);
    }
    return true;
}
