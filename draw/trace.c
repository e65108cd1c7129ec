/* SPDX-License-Identifier: Apache-2.0
 * An instruction executed on places that carry their own names.
 */
#include "draw/trace.h"

#include <stdlib.h>
#include <string.h>

#include "host/error.h"

enum { PLANES = 5, PLANE_BITS = 4 };

/* One of the runs. */
typedef struct run {
    ztl_trace *trace;
    unsigned plane;
    uint8_t memory[ZTL_REG_BYTES];
} run;

static uint8_t plane_of(uint32_t low, unsigned plane)
{
    unsigned shift = plane * PLANE_BITS;
    return (uint8_t)((low >> shift & 15) | ((low + 1) >> shift & 15) << 4);
}

static void collect(uint32_t *names, const uint8_t *bytes, size_t count, unsigned plane)
{
    for (size_t i = 0; i < 2 * count; i++)
        names[i] |= (uint32_t)(bytes[i / 2] >> (i % 2 * 4) & 15) << (plane * PLANE_BITS);
}

/* Which byte of the list of accessed ones an address is; a new one carries its own name. */
static size_t byte_at(run *r, uint64_t address)
{
    ztl_trace *trace = r->trace;
    size_t i = 0;
    while (i < trace->bytes && trace->address[i] != address)
        i++;
    if (i == trace->bytes && i < ZTL_REG_BYTES) {
        trace->address[trace->bytes++] = address;
        r->memory[i] = plane_of(ZTL_TRACE_MEMORY + 2 * (uint32_t)i, r->plane);
    }
    return i;
}

static void note_access(run *r, uint64_t address, size_t size)
{
    ztl_trace *trace = r->trace;
    ztl_trace_access *last = trace->accesses ? &trace->access[trace->accesses - 1] : NULL;
    bool is_rest = address == 0 && last && last->address && last->address + last->size == 0;
    if (r->plane == 0 && is_rest)
        last->size += size; /* of a slice that runs over the end of the address space */
    else if (r->plane == 0 && trace->accesses < sizeof trace->access / sizeof trace->access[0])
        trace->access[trace->accesses++] = (ztl_trace_access){address, size};
}

/* At most 1024 bytes are accessed by any instruction; more is not mapped. */
static size_t load(void *context, uint64_t address, void *bytes, size_t size)
{
    run *r = context;
    uint8_t *to = bytes;
    for (size_t i = 0; bytes && i < size; i++) {
        size_t at = byte_at(r, address + i);
        if (at == ZTL_REG_BYTES)
            return i;
        to[i] = r->memory[at];
    }
    if (bytes)
        note_access(r, address, size);
    return size;
}

static size_t store(void *context, uint64_t address, const void *bytes, size_t size)
{
    run *r = context;
    const uint8_t *from = bytes;
    for (size_t i = 0; bytes && i < size; i++) {
        size_t at = byte_at(r, address + i);
        if (at == ZTL_REG_BYTES)
            return i;
        r->memory[at] = from[i];
    }
    if (bytes)
        note_access(r, address, size);
    return size;
}

static void name_registers(ztl_state *hart, unsigned plane)
{
    uint8_t bytes[ZTL_REG_BYTES];
    for (unsigned n = 0; n < ZTL_REGISTERS; n++) {
        for (unsigned i = 0; i < ZTL_REG_BYTES; i++)
            bytes[i] = plane_of(ztl_trace_name(n, 2 * i), plane);
        ztl_set_register(hart, n, bytes);
    }
}

static bool run_plane(const ztl_scene *scene, ztl_trace *trace, unsigned plane, ztl_error *error)
{
    run r = {.trace = trace, .plane = plane};
    for (uint32_t i = 0; i < trace->bytes; i++)
        r.memory[i] = plane_of(ZTL_TRACE_MEMORY + 2 * i, plane);
    ztl_state hart = scene->hart;
    name_registers(&hart, plane);
    const ztl_memory memory = {.load = load, .store = store, .context = &r};
    ztl_result result = ztl_execute(&hart, scene->insn.word, scene->x, &memory);
    if (result.status != ZTL_OK) {
        char why[256];
        ztl_explain(&result, why, sizeof why);
        return ztl_fail(error, "%s: %s", scene->text, why);
    }
    for (unsigned n = 0; n < ZTL_REGISTERS; n++)
        collect(trace->tl[n], ztl_get_register(&hart, n), ZTL_REG_BYTES, plane);
    collect(trace->memory, r.memory, trace->bytes, plane);
    return true;
}

ztl_trace *ztl_trace_run(const ztl_scene *scene, ztl_error *error)
{
    ztl_trace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        ztl_fail(error, "no memory");
        return NULL;
    }
    for (unsigned plane = 0; plane < PLANES; plane++)
        if (!run_plane(scene, trace, plane, error)) {
            free(trace);
            return NULL;
        }
    return trace;
}
