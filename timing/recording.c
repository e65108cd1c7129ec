/* SPDX-License-Identifier: Apache-2.0
 * Steps as bytes. Each begins with a byte: 0, then how many plain instructions follow each other;
 * PLAIN and its flags, then the addresses if it accesses memory; or ZTL, its kind and whether it is
 * after a jump. Numbers have seven bits a byte, the lowest first; addresses are differences.
 */
#include "timing/machine.h"

#include <stdlib.h>

enum { PLAIN = 0x40, ZTL = 0x80, KIND_SHIFT = 1, ENGINE_SHIFT = 4, LONGEST = 80 };

struct ztl_recording {
    uint8_t *bytes;
    size_t count, size;
    uint64_t instructions;
    uint64_t repeat; /* plain instructions that are not written yet */
    uint64_t address;
    timing_reader reader;
    bool failed;
};

/* Where a recording is read, or written, with the address that differences count from. */
typedef struct cursor {
    uint8_t *at;
    uint64_t address;
} cursor;

ztl_recording *ztl_recording_create(void)
{
    return calloc(1, sizeof(ztl_recording));
}

void ztl_recording_destroy(ztl_recording *recording)
{
    if (!recording)
        return;
    free(recording->bytes);
    free(recording);
}

bool ztl_recording_failed(const ztl_recording *recording)
{
    return recording->failed;
}

uint64_t ztl_recording_instructions(const ztl_recording *recording)
{
    return recording->instructions;
}

static bool make_room(ztl_recording *recording)
{
    enum { FIRST = 1 << 16 };
    if (recording->failed || recording->size - recording->count >= LONGEST)
        return !recording->failed;
    size_t size = recording->size ? 2 * recording->size : FIRST;
    uint8_t *bytes = realloc(recording->bytes, size);
    if (!bytes) {
        recording->failed = true;
        return false;
    }
    recording->bytes = bytes;
    recording->size = size;
    return true;
}

static void put(cursor *c, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *c->at++ = (uint8_t)(value | 0x80);
    *c->at++ = (uint8_t)value;
}

static uint64_t get(cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *c->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

/* Small differences of either sign are small numbers. */
static void put_range(cursor *c, const timing_step *step)
{
    uint64_t difference = step->low - c->address;
    put(c, difference >> 63 ? ~(difference << 1) : difference << 1);
    put(c, step->high - step->low);
    c->address = step->low;
}

static void get_range(cursor *c, timing_step *step)
{
    uint64_t difference = get(c);
    step->low = c->address + (difference & 1 ? ~(difference >> 1) : difference >> 1);
    step->high = step->low + get(c);
    c->address = step->low;
}

static void put_ztl(cursor *c, const timing_step *step)
{
    *c->at++ = (uint8_t)(ZTL | step->kind << KIND_SHIFT | (step->flags & TIMING_AFTER_JUMP));
    if (step->kind == TIMING_TRAP)
        return;
    *c->at++ = (uint8_t)(step->engine_id << ENGINE_SHIFT | step->engine_kind);
    put(c, step->reads);
    put(c, step->writes);
    put(c, step->bytes);
    put(c, step->slices);
    if (step->slices)
        put_range(c, step);
}

static void get_ztl(cursor *c, timing_step *step)
{
    if (step->kind == TIMING_TRAP)
        return;
    uint8_t engines = *c->at++;
    step->engine_id = engines >> ENGINE_SHIFT;
    step->engine_kind = engines & ((1 << ENGINE_SHIFT) - 1);
    step->reads = (uint32_t)get(c);
    step->writes = (uint32_t)get(c);
    step->bytes = (uint32_t)get(c);
    step->slices = (uint32_t)get(c);
    if (step->slices)
        get_range(c, step);
}

static void put_repeat(ztl_recording *recording, cursor *c)
{
    if (!recording->repeat)
        return;
    *c->at++ = 0;
    put(c, recording->repeat);
    recording->repeat = 0;
}

static void put_step(ztl_recording *recording, const timing_step *step)
{
    cursor c = {recording->bytes + recording->count, recording->address};
    put_repeat(recording, &c);
    if (step->kind != TIMING_PLAIN) {
        put_ztl(&c, step);
    } else {
        *c.at++ = (uint8_t)(PLAIN | step->flags);
        if (step->flags & (TIMING_READS | TIMING_WRITES))
            put_range(&c, step);
    }
    recording->count = (size_t)(c.at - recording->bytes);
    recording->address = c.address;
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    ztl_recording *recording = context;
    timing_step step;
    if (!ztl_timing_read(&recording->reader, hart, event, &step))
        return;
    recording->instructions++;
    if (step.kind == TIMING_PLAIN && !step.flags)
        recording->repeat++;
    else if (make_room(recording))
        put_step(recording, &step);
}

ztl_observer ztl_recording_observer(ztl_recording *recording)
{
    return (ztl_observer){recording, happened};
}

static void replay_plain(ztl_timing *timing, uint64_t count)
{
    timing->t += count;
    timing->counts.issuing += count;
    timing->counts.instructions += count;
}

static void replay_step(ztl_timing *timing, cursor *c)
{
    uint8_t first = *c->at++;
    timing_step step = {.flags = first & TIMING_AFTER_JUMP};
    if (first & ZTL) {
        step.kind = first >> KIND_SHIFT & 7;
        get_ztl(c, &step);
        ztl_timing_step(timing, &step);
    } else if (first & PLAIN) {
        step.flags = first & (PLAIN - 1);
        if (step.flags & (TIMING_READS | TIMING_WRITES))
            get_range(c, &step);
        ztl_timing_step(timing, &step);
    } else {
        replay_plain(timing, get(c));
    }
}

bool ztl_recording_replay(const ztl_recording *recording, const ztl_timing_machine *machine,
                          ztl_timing_counts *counts)
{
    ztl_timing *timing = ztl_timing_create(machine);
    if (!timing)
        return false;
    cursor c = {recording->bytes, 0};
    while (recording->count && c.at < recording->bytes + recording->count)
        replay_step(timing, &c);
    replay_plain(timing, recording->repeat);
    *counts = ztl_timing_result(timing);
    bool good = !ztl_timing_failed(timing) && !recording->failed;
    ztl_timing_destroy(timing);
    return good;
}
