/* SPDX-License-Identifier: Apache-2.0
 * Plans on a simulated hart: an image of the executor, compiled for RISC-V, is embedded here;
 * plan and tensors go into the hart's memory.
 */
#include "ops/drive/drive.h"

#include <stdio.h>
#include <stdlib.h>

#include <ztl/hart.h>
#include <ztl/intrin/host.h>

#include "ops/api/check.h"
#include "ops/drive/embed.h"
#include "ops/drive/words.h"
#include "ops/exec/exec.h"
#include "ops/map/lookup.h"
#include "ops/operators/table.h"
#include "ops/scalar/scalar.h"
#include "host/error.h"

#ifdef ZTL_OPS_GUEST
OPS_EMBED(ops_guest, ZTL_OPS_GUEST);
#else
static const uint8_t ops_guest_image[1];
#define ops_guest_end ops_guest_image
#endif

enum { STACK = 1 << 20, GAP = 4096 };
enum { ENTRY_RUN = 4, ENTRY_MOVE = 8, ENTRY_ADD = 12, ENTRY_WHERE = 16, ENTRY_LOOK_UP = 20 };
#define BASE UINT64_C(0x80000000)

/* The hart's memory as it is being filled. */
typedef struct guest {
    ztl_hart *hart;
    uint8_t *ram;
    uint64_t used, top; /* top: of the stack, behind the image */
    uint64_t in, out;   /* where the arrays of addresses are */
    uint64_t target[ZTL_OPS_BUFFERS];
    uint64_t result; /* of the entry that was called */
} guest;

static uint64_t put(guest *g, const void *bytes, uint64_t size)
{
    uint64_t at = g->used;
    if (bytes && size)
        memcpy(g->ram + at, bytes, size);
    g->used = (at + size + GAP + 63) & ~UINT64_C(63);
    return BASE + at;
}

static ops_image image_of(const ops_job *job)
{
    return job->image
               ? *job->image
               : (ops_image){ops_guest_image, (size_t)(ops_guest_end - ops_guest_image), ENTRY_RUN};
}

static uint64_t memory_needed(const ops_job *job, uint64_t more)
{
    uint64_t bytes = 4 * STACK + image_of(job).size + more;
    for (size_t i = 0; i < job->inputs; i++)
        bytes += job->in[i].size + 2 * GAP;
    for (size_t i = 0; i < job->outputs; i++)
        bytes += job->out[i].size + 2 * GAP;
    return (bytes + 0xffff) & ~UINT64_C(0xffff);
}

static bool start(guest *g, const ops_job *job, uint64_t more, ztl_error *error)
{
    ztl_window ram = {BASE, memory_needed(job, more)};
    ops_image image = image_of(job);
    if (!image.size)
        return ztl_fail(
            error, "ztl was built without riscv64-unknown-elf-gcc; Debian has it in the package "
                   "gcc-riscv64-unknown-elf");
    ztl_hart_config config = ztl_hart_default_config();
    config.ram = &ram;
    config.ram_count = 1;
    config.trap_policy = ZTL_TRAP_STOP_ALWAYS;
    if (!ztl_intrin_prepare())
        return ztl_fail(error, "out of memory for this thread's hart");
    config.bodies = ztl_bodies_in_use(ztl_intrin_state()); /* as this thread's intrinsics */
    g->hart = ztl_hart_create(&config, error);
    if (!g->hart)
        return false;
    g->ram = ztl_hart_ram(g->hart, 0)->bytes;
    ztl_hart_write_memory(g->hart, BASE, image.bytes, image.size);
    g->used = g->top = STACK + ((image.size + 0xffff) & ~UINT64_C(0xffff));
    uint64_t source[ZTL_OPS_BUFFERS];
    for (size_t i = 0; i < job->inputs; i++)
        source[i] = put(g, job->source[i], job->in[i].size);
    for (size_t i = 0; i < job->outputs; i++)
        g->target[i] = put(g, job->target[i], job->out[i].size);
    g->in = put(g, source, sizeof source);
    g->out = put(g, g->target, sizeof g->target);
    return true;
}

/* Calls an entry, which returns to the stop at the start of the image; then takes the outputs. */
static bool call_entry(guest *g, const ops_job *job, unsigned entry, const uint64_t *argument,
                       unsigned count, uint64_t *retired, ztl_error *error)
{
    for (unsigned i = 0; i < count; i++)
        ztl_hart_set_x(g->hart, 10 + i, argument[i]);
    ztl_hart_set_x(g->hart, 1, BASE);
    ztl_hart_set_x(g->hart, 2, BASE + g->top - 64);
    ztl_hart_set_pc(g->hart, BASE + entry);
    if (job->watch)
        job->watch(job->watcher, g->hart);
    uint64_t before = ztl_hart_retired(g->hart);
    bool good = ztl_hart_run(g->hart, UINT64_MAX) == ZTL_STOP_TRAP && ztl_hart_pc(g->hart) == BASE;
    *retired = ztl_hart_retired(g->hart) - before;
    g->result = ztl_hart_x(g->hart, 10);
    if (!good)
        ztl_fail(error, "the hart stopped at 0x%llx", (unsigned long long)ztl_hart_pc(g->hart));
    for (size_t i = 0; i < job->outputs; i++)
        if (job->target[i])
            memcpy(job->target[i], g->ram + (g->target[i] - BASE), job->out[i].size);
    return good;
}

/* The same, and ends the hart. */
static bool call(guest *g, const ops_job *job, unsigned entry, const uint64_t *argument,
                 unsigned count, uint64_t *retired, ztl_error *error)
{
    bool good = call_entry(g, job, entry, argument, count, retired, error);
    ztl_hart_destroy(g->hart);
    return good;
}

bool ztl_ops_sim_run(const ops_job *job, const ztl_ops_plan *plan, uint64_t *retired,
                     ztl_error *error)
{
    guest g;
    uint64_t scratch = ztl_ops_scratch_bytes(plan), bytes = ztl_ops_plan_bytes(plan);
    if (!start(&g, job, scratch + bytes, error))
        return false;
    uint64_t argument[] = {put(&g, plan, bytes), g.in, g.out, put(&g, NULL, scratch),
                           put(&g, NULL, sizeof(ops_bad_index))};
    bool good = call_entry(&g, job, image_of(job).entry, argument, 5, retired, error);
    if (good && !job->image && !g.result)
        good = ztl_ops_say_bad(error, (const ops_bad_index *)(g.ram + (argument[4] - BASE)));
    ztl_hart_destroy(g.hart);
    return good;
}

/* The elements of constants; those of less than 8 bytes fill the first word. */
static void take_fill(const ops_job *job, uint64_t fill[2][4])
{
    unsigned bits = job->out->bits;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned w = 0; w < 4; w++)
            fill[i][w] = ops_fill_word(job->op, OPS_FILL + i, w);
        if (bits < 64)
            fill[i][0] &= (UINT64_C(1) << bits) - 1;
        for (unsigned b = bits; b < 64; b *= 2)
            fill[i][0] |= fill[i][0] << b;
    }
}

/* Pieces of the operator's map, as they are or with an addend. */
static bool run_pieces(const ops_job *job, const ops_piece *piece, size_t count, unsigned element,
                       uint64_t *retired, ztl_error *error)
{
    guest g;
    uint64_t fill[2][4], bytes = count * sizeof *piece, now;
    if (!start(&g, job, bytes, error))
        return false;
    take_fill(job, fill);
    bool adds = ops_does(job->op, OPS_ADDS);
    uint64_t argument[] = {put(&g, piece, bytes),
                           count,
                           g.in,
                           g.out,
                           element,
                           adds ? job->op->type : put(&g, fill, sizeof fill),
                           (uint64_t)job->op->addend};
    bool good = call(&g, job, adds ? ENTRY_ADD : ENTRY_MOVE, argument, 7, &now, error);
    *retired += now;
    return good;
}

/* Pieces of the same width that follow each other are one call. */
static bool run_words(const ops_job *job, ops_map *map, uint64_t *retired, ztl_error *error)
{
    unsigned width = 0;
    bool good = true;
    for (size_t from = 0, to = 0; good && from < map->count; to++) {
        unsigned next = to < map->count ? ztl_ops_widen_piece(&map->piece[to], map->element) : 0;
        if (to > from && (to == map->count || next != width)) {
            good = run_pieces(job, &map->piece[from], to - from, width, retired, error);
            from = to;
        }
        width = next;
    }
    return good;
}

static bool run_where(const ops_job *job, uint64_t *retired, ztl_error *error)
{
    guest g;
    const ztl_ops_tensor *tensor[SCALAR_TENSORS] = {&job->in[0], &job->in[1], &job->in[2],
                                                    job->out};
    ops_loops loops = ztl_ops_loops_of(tensor, SCALAR_TENSORS);
    if (!start(&g, job, sizeof loops, error))
        return false;
    uint64_t argument[] = {put(&g, &loops, sizeof loops), g.in, g.out, job->out->bits / 8};
    return call(&g, job, ENTRY_WHERE, argument, 4, retired, error);
}

/* After the pieces of the map, if there are any. */
static bool run_look_up(const ops_job *job, const ops_lookup *x, unsigned element,
                        uint64_t *retired, ztl_error *error)
{
    guest g;
    uint64_t now;
    if (!start(&g, job, sizeof *x, error))
        return false;
    uint64_t argument[] = {put(&g, x, sizeof *x), g.in, g.out, element};
    bool good = call(&g, job, ENTRY_LOOK_UP, argument, 4, &now, error);
    *retired += now;
    return good;
}

static bool run_scalar(const ops_job *job, bool by_words, uint64_t *retired, ztl_error *error)
{
    ops_tensors tensors;
    ztl_error why = {"out of memory"};
    if (ops_does(job->op, OPS_SELECTS))
        return run_where(job, retired, error);
    ops_call whole = {.op = job->op, .in = job->in, .inputs = job->inputs, .error = &why};
    size_t space = ztl_ops_plan_space(job->op, job->in, job->inputs, job->out, job->outputs);
    ops_arena arena = {.base = malloc(space), .high = space & ~(size_t)7};
    ops_map map = {.scratch_limit = 0};
    bool good = arena.base && ztl_ops_check_call(&whole, job->out, job->outputs, &tensors) &&
                ztl_ops_build_map(&whole, &arena, &map);
    if (!good)
        ztl_fail(error, "%s", why.text);
    if (good && !map.element)
        ztl_ops_to_bytes(&map);
    ops_lookup x;
    *retired = 0;
    bool looks_up = good && ztl_ops_look_up(&whole, &x);
    unsigned element = job->out->bits / 8;
    if (by_words && !ops_does(job->op, OPS_ADDS))
        good = good && run_words(job, &map, retired, error);
    else if (!looks_up || map.count)
        good = good && run_pieces(job, map.piece, map.count, map.element, retired, error);
    if (looks_up)
        good = good && run_look_up(job, &x, by_words ? ztl_ops_widen_lookup(&x, element) : element,
                                   retired, error);
    free(arena.base);
    return good;
}

bool ztl_ops_sim_scalar(const ops_job *job, uint64_t *retired, ztl_error *error)
{
    return run_scalar(job, false, retired, error);
}

bool ztl_ops_sim_words(const ops_job *job, uint64_t *retired, ztl_error *error)
{
    return run_scalar(job, true, retired, error);
}
