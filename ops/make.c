/* SPDX-License-Identifier: Apache-2.0
 * Making a plan: arguments are checked, the operator gives its index map, every part of it is
 * solved.
 */
#include "ops/odd.h"
#include "ops/selecting.h"
#include "ops/solve.h"
#include "ops/tensor.h"

static const struct {
    const char *name;
    size_t inputs;
    ops_shape *shape;
    ops_mapper *map;
} operators[] = {
#define ZTL_OPERATOR(ID, name, command, inputs, summary)                                           \
    {command, inputs, ops_shape_##name, ops_map_##name},
#include "ops/operators.def"
};

const char *ztl_ops_name(enum ztl_ops_kind kind)
{
    return (unsigned)kind < ZTL_OPS_KINDS ? operators[kind].name : "";
}

static bool check_inputs(ops_call *call)
{
    unsigned kind = call->op->kind;
    if (kind >= ZTL_OPS_KINDS)
        return ops_fail(call, "unknown operator %u", kind);
    size_t needs = operators[kind].inputs;
    if (needs && call->inputs != needs)
        return ops_fail(call, "%s takes %zu input%s, not %zu", operators[kind].name, needs,
                        needs > 1 ? "s" : "", call->inputs);
    if (call->inputs < 1 || call->inputs > ZTL_OPS_BUFFERS)
        return ops_fail(call, "%s takes 1 to %d inputs, not %zu", operators[kind].name,
                        ZTL_OPS_BUFFERS, call->inputs);
    for (size_t i = 0; i < call->inputs; i++)
        if (!ops_check_tensor(call, "input", i, &call->in[i]))
            return false;
    return true;
}

size_t ztl_ops_infer(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                     ztl_ops_tensor *out, size_t room, ztl_ops_error *error)
{
    ztl_ops_tensor all[ZTL_OPS_BUFFERS];
    ops_call call = {.op = op, .in = in, .inputs = inputs, .out = all, .error = error};
    if (!check_inputs(&call) || !operators[op->kind].shape(&call))
        return 0;
    if (call.outputs > room) {
        ops_fail(&call, "there are %zu outputs, room is for %zu", call.outputs, room);
        return 0;
    }
    memcpy(out, all, call.outputs * sizeof *out);
    return call.outputs;
}

/* The outputs as given must have the shape that the operator makes. */
static bool check_output(ops_call *call, size_t i, const ztl_ops_tensor *out)
{
    const ztl_ops_tensor *made = &call->out[i];
    if (out->rank != made->rank || out->bits != made->bits)
        return ops_fail(call, "output %zu has rank %u and %u bits, must have %u and %u", i,
                        out->rank, out->bits, made->rank, made->bits);
    for (unsigned d = 0; d < out->rank; d++)
        if (out->extent[d] != made->extent[d])
            return ops_fail(call, "output %zu has extent %lld in dimension %u, must have %lld", i,
                            (long long)out->extent[d], d, (long long)made->extent[d]);
    return ops_check_tensor(call, "output", i, out) && ops_check_distinct(call, i, out);
}

bool ops_check_call(ops_call *call, const ztl_ops_tensor *out, size_t outputs, ops_tensors *tensors)
{
    call->out = tensors->out;
    if (!check_inputs(call) || !operators[call->op->kind].shape(call))
        return false;
    if (call->outputs != outputs)
        return ops_fail(call, "there are %zu outputs, not %zu", call->outputs, outputs);
    for (size_t i = 0; i < outputs; i++) {
        if (!check_output(call, i, &out[i]))
            return false;
        tensors->out[i] = ops_tensor_plain(&out[i]);
    }
    for (size_t i = 0; i < call->inputs; i++)
        tensors->in[i] = ops_tensor_plain(&call->in[i]);
    call->in = tensors->in;
    return true;
}

static uint64_t tensor_bytes(const ztl_ops_tensor *tensor)
{
    return ((uint64_t)ops_tensor_elements(tensor) * tensor->bits + 7) / 8;
}

size_t ztl_ops_plan_bytes(const ztl_ops_plan *plan)
{
    return plan->bytes;
}

uint64_t ztl_ops_scratch_bytes(const ztl_ops_plan *plan)
{
    return plan->scratch;
}

ztl_ops_stats ztl_ops_plan_stats(const ztl_ops_plan *plan)
{
    return plan->stats;
}

uint64_t ztl_ops_total(const ztl_ops_stats *stats)
{
    return stats->load + stats->store + stats->xpose + stats->permute + stats->concat +
           stats->merge + stats->addi;
}

uint64_t ztl_ops_lower_bound(const ztl_ops_plan *plan)
{
    return plan->lower_bound;
}

/* The bytes of its input that a gather reads, each counted once. */
static uint64_t gathered_bytes(const ops_call *call, ops_arena *arena)
{
    ztl_ops_tensor in = *call->in;
    int axis = ops_axis((ops_call *)call, call->op->axis, in.rank);
    in.extent[axis] = (int64_t)ops_gather_positions(call, arena);
    return tensor_bytes(&in);
}

/* What a map reads of each input at most, and what it writes. */
static uint64_t lower_bound(const ops_call *call, const ops_map *map)
{
    uint64_t in = 0, out = 0, unit = call->in[call->inputs - 1].bits;
    for (size_t i = 0; i < call->inputs; i++) {
        bool gathers = call->op->kind == ZTL_OPS_GATHER;
        uint64_t all = gathers ? gathered_bytes(call, map->arena) : tensor_bytes(&call->in[i]);
        uint64_t used = 0;
        for (size_t k = 0; k < map->count; k++) {
            uint64_t n = map->piece[k].src == i;
            for (unsigned d = 0; d < map->piece[k].rank; d++)
                n *= map->piece[k].dim[d].in ? (uint64_t)map->piece[k].dim[d].n : 1;
            used += (n * unit + 7) / 8;
        }
        bool selects = call->op->kind == ZTL_OPS_WHERE;
        in += used < all && !selects ? used : all;
    }
    for (size_t i = 0; i < call->outputs; i++)
        out += tensor_bytes(&call->out[i]);
    return (in + 1023) / 1024 + (out + 1023) / 1024;
}

/* What each of the 16 half-bytes becomes. */
static uint64_t half_byte_table(const ops_call *call, unsigned src, uint64_t fill)
{
    uint64_t table = 0;
    if (src == OPS_FILL)
        return fill * UINT64_C(0x0101010101010101);
    if (call->op->kind != ZTL_OPS_ADD)
        return OPS_UNCHANGED;
    for (unsigned k = 0; k < 16; k++)
        table |= (ops_add_value(ztl_isa_type(call->op->type), k, call->op->addend) & 15) << 4 * k;
    return table;
}

/* Elements that no instruction can move: half-bytes at odd places. */
static void write_scalar(ops_planner *planner, const ops_call *call, const ops_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        const ops_piece *piece = &map->piece[i];
        ops_pass *pass = ops_keep(planner->arena, sizeof *pass);
        if (!pass)
            return;
        *pass = (ops_pass){.bytes = sizeof *pass,
                           .kind = OPS_PASS_SCALAR,
                           .src = piece->src,
                           .dst = piece->dst,
                           .element = map->element,
                           .value = {half_byte_table(call, piece->src, planner->fill[0])},
                           .in = piece->in,
                           .out = piece->out,
                           .loops = piece->rank};
        memcpy(pass->loop, piece->dim, sizeof pass->loop);
        planner->plan->passes++;
        planner->plan->stats.scalar += (uint64_t)ops_elements(piece);
    }
}

/* Pieces with the same buffers next to each other, in the order of the first of them. */
static void sort_pieces(ops_map *map)
{
    for (size_t i = 1; i < map->count; i++) {
        size_t to = i;
        while (to > 0 && (map->piece[to - 1].src != map->piece[i].src ||
                          map->piece[to - 1].dst != map->piece[i].dst))
            to--;
        if (to == 0 || to == i)
            continue;
        ops_piece moved = map->piece[i];
        memmove(&map->piece[to + 1], &map->piece[to], (i - to) * sizeof moved);
        map->piece[to] = moved;
    }
}

/* The one output as a single run; false where it is not. */
static bool is_one_run(const ops_call *call, unsigned element, bool anywhere, ops_piece *whole)
{
    const ztl_ops_tensor *out = call->out;
    *whole = (ops_piece){.src = OPS_FILL, .dst = OPS_OUT, .anywhere = anywhere};
    int64_t unit = out->bits == 4 ? 2 : 1;
    whole->out = out->offset;
    for (unsigned d = 0; d < out->rank; d++)
        ops_add_dim(whole, out->extent[d], 0, out->stride[d]);
    ops_canonical_piece(whole);
    if (whole->rank != 1 || whole->dim[0].out != (out->bits == 4 ? 1 : element) ||
        whole->dim[0].n % unit || whole->out % unit || call->outputs != 1)
        return false;
    whole->out /= unit;
    whole->dim[0].n /= unit;
    return true;
}

/* A border that takes more stores than the whole output may be filled with all of it, before
 * anything else is there. */
static void write_fill(ops_planner *planner, const ops_call *call, const ops_map *map,
                       const ops_piece *fill, size_t fills)
{
    ops_piece whole;
    unsigned width;
    if (!map->fills_last && is_one_run(call, planner->element, fill->anywhere, &whole) &&
        ops_cheaper(ops_slices_cost(planner, &whole, 1, &width),
                    ops_pieces_cost(planner, fill, fills)))
        ops_explain_whole(planner, &whole, fill, fills);
    else
        ops_explain_pieces(planner, fill, fills);
}

/* Whether the first bytes of a constant are also the next ones. */
static bool halves_agree(const uint64_t *word, unsigned bytes)
{
    bool agree = true;
    if (bytes < 8)
        return ((word[0] ^ word[0] >> 8 * bytes) & ((UINT64_C(1) << 8 * bytes) - 1)) == 0;
    for (unsigned w = 0; w < bytes / 8; w++)
        agree = agree && word[w] == word[w + bytes / 8];
    return agree;
}

/* The constant, and how much of it repeats. Half-bytes make bytes of two. */
static void set_fill(ops_planner *planner, const ztl_ops_op *op, unsigned bits)
{
    for (unsigned w = 0; w < OPS_WORDS; w++)
        planner->fill[w] = ops_fill_word(op, w);
    if (bits == 4)
        planner->fill[0] = (planner->fill[0] & 15) * 0x11;
    planner->constant = bits == 4 ? 1 : bits / 8;
    while (planner->constant > 1 && halves_agree(planner->fill, planner->constant / 2))
        planner->constant /= 2;
}

/* Constants are in elements, also where everything else is in words of 8 bytes. */
static void write_fills(ops_planner *planner, const ops_call *call, const ops_map *map,
                        const ops_piece *fill, size_t fills)
{
    unsigned element = planner->element;
    if (call->out->bits > 64)
        planner->element = call->out->bits / 8;
    if (fills)
        write_fill(planner, call, map, fill, fills);
    planner->element = element;
}

/* Pieces with the same buffers are solved together. */
static void write_groups(ops_planner *planner, ops_map *map)
{
    sort_pieces(map);
    for (size_t i = 0, n; i < map->count; i += n) {
        n = ops_beside(planner, &map->piece[i], map->count - i);
        if (n)
            continue;
        n = 1;
        while (i + n < map->count && map->piece[i + n].src == map->piece[i].src &&
               map->piece[i + n].dst == map->piece[i].dst)
            n++;
        ops_explain_pieces(planner, &map->piece[i], n);
    }
}

/* Constants come first: what is moved may then lie over them; or last, if it lies where they
 * belong. */
static void write_bytes(ops_planner *planner, const ops_call *call, ops_map *map)
{
    size_t kept = 0, fills = 0, high = planner->arena->high;
    ops_piece *fill = ops_borrow(planner->arena, map->count * sizeof *fill);
    for (size_t i = 0; fill && i < map->count; i++)
        if (map->piece[i].src == OPS_FILL)
            fill[fills++] = map->piece[i];
        else
            map->piece[kept++] = map->piece[i];
    map->count = kept;
    if (!map->fills_last)
        write_fills(planner, call, map, fill, fills);
    write_groups(planner, map);
    if (map->fills_last)
        write_fills(planner, call, map, fill, fills);
    planner->arena->high = high;
}

/* Half-bytes: directly, or one to a byte in scratch memory. */
static void write_halves(ops_planner *planner, const ops_call *call, ops_map *map)
{
    ops_halves halves;
    ops_odd odd;
    bool selects = call->op->kind == ZTL_OPS_WHERE;
    size_t high = planner->arena->high;
    bool fits = ops_odd_cut(planner, map, &odd);
    bool suits = fits && !selects && ops_odd_suits(planner, &odd, ops_halves_singles(call));
    if (!suits && ops_halves_open(planner, call, map, &halves)) {
        write_groups(planner, map);
        if (selects)
            ops_write_select(planner, call, &halves);
        ops_halves_close(planner, call, &halves);
    } else if (!fits) {
        write_scalar(planner, call, map);
        if (selects)
            ops_write_select(planner, call, NULL);
    } else {
        planner->element = 1;
        write_bytes(planner, call, &odd.part[OPS_ODD_BYTES]);
        ops_odd_write(planner, &odd);
        write_scalar(planner, call, &odd.part[OPS_ODD_SINGLE]);
        if (selects)
            ops_write_select(planner, call, NULL);
    }
    planner->arena->high = high;
}

static void write_passes(ops_planner *planner, const ops_call *call, ops_map *map)
{
    if (!map->element) {
        write_halves(planner, call, map);
        return;
    }
    write_bytes(planner, call, map);
    if (call->op->kind == ZTL_OPS_WHERE)
        ops_write_select(planner, call, NULL);
}

/* Where the tensors lie in their buffers: a run checks with this that they do not overlap. */
static void write_spans(ops_planner *planner, const ops_call *call)
{
    ztl_ops_plan *plan = planner->plan;
    size_t count = call->inputs + call->outputs;
    ops_span *spans = ops_keep(planner->arena, count * sizeof *spans);
    if (!spans)
        return;
    plan->inputs = (uint32_t)call->inputs;
    plan->outputs = (uint32_t)call->outputs;
    plan->spans = (uint64_t)((uint8_t *)spans - (uint8_t *)plan);
    for (size_t i = 0; i < count; i++)
        ops_tensor_span(i < call->inputs ? &call->in[i] : &call->out[i - call->inputs],
                        &spans[i].low, &spans[i].high);
}

static ops_planner start(ops_call *call, const ztl_ops_machine *machine, ops_arena *arena,
                         enum ops_thrift thrift)
{
    ops_planner planner = {.arena = arena, .thrift = thrift};
    planner.scratch_limit = machine ? machine->scratch : UINT64_MAX;
    planner.may_reload = !(machine && machine->disjoint_windows) && planner.scratch_limit > 0;
    planner.adds = call->op->kind == ZTL_OPS_ADD;
    if (planner.adds)
        planner.type = ztl_isa_type(call->op->type)->ttype;
    planner.addend = call->op->addend;
    if (thrift < OPS_TIGHTEST)
        planner.cost = ops_borrow(arena, OPS_KNOWN_COSTS * sizeof *planner.cost);
    if (planner.cost)
        memset(planner.cost, 0, OPS_KNOWN_COSTS * sizeof *planner.cost);
    return planner;
}

bool ops_build_map(ops_call *call, ops_arena *arena, ops_map *map)
{
    unsigned bits = call->out[0].bits;
    bool empty = true;
    map->arena = arena;
    map->element = bits / 8;
    for (size_t i = 0; i < call->outputs; i++)
        empty = empty && ops_tensor_elements(&call->out[i]) == 0;
    if (!empty)
        operators[call->op->kind].map(call, map);
    if (arena->full)
        return ops_fail(call, "the memory for the plan is too small");
    ops_in_order(map);
    ops_canonical(map);
    return true;
}

/* Plans in the given memory; false where it does not do. */
static bool plan_in(ops_call *call, const ztl_ops_machine *machine, ztl_ops_plan *plan,
                    size_t space, enum ops_thrift thrift)
{
    const ztl_ops_tensor *out = call->out;
    ops_arena arena = {.base = (uint8_t *)plan, .low = 0, .high = space & ~(size_t)7};
    ops_keep(&arena, sizeof *plan);
    *plan = (ztl_ops_plan){.element = out[0].bits, .stats = {.csr = 1}};
    uint64_t effort = 0;
    ops_planner planner = start(call, machine, &arena, thrift);
    planner.effort = &effort;
    /* Half-bytes have another use for scratch memory. */
    bool by_scratch = planner.may_reload && out[0].bits != 4;
    ops_map map = {.scratch_limit = by_scratch ? planner.scratch_limit : 0,
                   .may_overwrite = out[0].bits != 4};
    if (!ops_build_map(call, &arena, &map))
        return false;
    for (size_t i = 0; machine && machine->byte_strides && i < map.count; i++)
        map.piece[i].anywhere = true;
    planner.plan = plan;
    plan->only_counts = machine && machine->byte_strides;
    plan->lower_bound = lower_bound(call, &map);
    plan->scratch = map.scratch;
    planner.scratch_top = (plan->scratch + 63) & ~UINT64_C(63);
    if (map.element == 0 && call->op->kind != ZTL_OPS_WHERE) /* it selects single half-bytes */
        ops_to_bytes(&map);
    if (map.element > 8)
        ops_to_words(&map);
    planner.element = map.element;
    set_fill(&planner, call->op, out[0].bits);
    write_passes(&planner, call, &map);
    write_spans(&planner, call);
    ops_write_choices(&planner);
    plan->effort = effort;
    plan->bytes = arena.low;
    return !arena.full;
}

bool ztl_ops_make(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                  const ztl_ops_tensor *out, size_t outputs, const ztl_ops_machine *machine,
                  ztl_ops_plan *plan, size_t space, ztl_ops_error *error)
{
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    if (!ops_check_call(&call, out, outputs, &tensors))
        return false;
    if (!plan || (uintptr_t)plan % 8 || space < sizeof *plan)
        return ops_fail(&call, "the memory for the plan is missing, misaligned or too small");
    for (enum ops_thrift thrift = OPS_EASY; thrift <= OPS_TIGHTEST; thrift++)
        if (plan_in(&call, machine, plan, space, thrift))
            return true;
    return ops_fail(&call, "the memory for the plan is too small");
}
