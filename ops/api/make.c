/* SPDX-License-Identifier: Apache-2.0
 * Making a plan: the call is checked, the operator gives its index map, the map becomes passes.
 */
#include "ops/api/check.h"
#include "ops/format/time.h"
#include "ops/lower/lower.h"
#include "ops/map/lookup.h"
#include "ops/operators/table.h"

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
    uint64_t sum = 0;
    for (unsigned op = 0; op < ZTL_OPS; op++)
        sum += stats->insn[op];
    return sum;
}

uint64_t ztl_ops_lower_bound(const ztl_ops_plan *plan)
{
    return (plan->used + 1023) / 1024 + (plan->made + 1023) / 1024;
}

void ztl_ops_moved_bytes(const ztl_ops_plan *plan, uint64_t *in, uint64_t *out)
{
    *in = plan->used;
    *out = plan->made;
}

static uint64_t tensor_bytes(const ztl_ops_tensor *tensor)
{
    return ((uint64_t)ztl_ops_tensor_elements(tensor) * tensor->bits + 7) / 8;
}

/* The bytes of its input that a gather reads, each counted once. */
static uint64_t gathered_bytes(const ops_call *call, ops_arena *arena)
{
    ztl_ops_tensor in = *call->in;
    int axis = ztl_ops_axis(call, call->op->axis, in.rank);
    in.extent[axis] = (int64_t)ztl_ops_gather_positions(call, arena);
    return tensor_bytes(&in);
}

/* With indices at run time nothing is known of what they have in common: what each of them names
 * is loaded; of what elements are then replaced in, all is. */
static uint64_t looked_up_bytes(const ops_call *call, const ops_lookup *x)
{
    uint64_t elements = 1;
    for (unsigned d = 0; d < x->rank; d++)
        elements *= (uint64_t)x->dim[d].n;
    if (x->most < (int64_t)elements)
        elements = (uint64_t)x->most;
    uint64_t moved = (elements * call->in->bits + 7) / 8;
    return ops_does(call->op, OPS_SCATTERS) ? tensor_bytes(call->in) + moved : moved;
}

/* The bytes that the map reads, each once, and those of the outputs. */
static void count_bytes(const ops_call *call, const ops_map *map, ztl_ops_plan *plan)
{
    uint64_t unit = call->out->bits;
    ops_lookup x;
    if (ztl_ops_look_up(call, &x)) {
        plan->used = looked_up_bytes(call, &x);
        plan->made = tensor_bytes(call->out);
        return;
    }
    for (size_t i = 0; i < call->inputs; i++) {
        bool gathers = call->op->indices.count;
        uint64_t all = gathers ? gathered_bytes(call, map->arena) : tensor_bytes(&call->in[i]);
        uint64_t used = 0;
        for (size_t k = 0; k < map->count; k++) {
            uint64_t n = map->piece[k].src == i;
            for (unsigned d = 0; d < map->piece[k].rank; d++)
                n *= map->piece[k].dim[d].in ? (uint64_t)map->piece[k].dim[d].n : 1;
            used += (n * unit + 7) / 8;
        }
        bool selects = ops_does(call->op, OPS_SELECTS);
        plan->used += used < all && !selects ? used : all;
    }
    for (size_t i = 0; i < call->outputs; i++)
        plan->made += tensor_bytes(&call->out[i]);
}

/* Where the tensors lie in their buffers: ztl_ops_run checks that they do not overlap. */
static void write_spans(ops_draft *draft, const ops_call *call)
{
    ztl_ops_plan *plan = draft->plan;
    size_t count = call->inputs + call->outputs;
    ops_span *spans = ztl_ops_keep(draft->arena, count * sizeof *spans);
    if (!spans)
        return;
    plan->inputs = (uint32_t)call->inputs;
    plan->outputs = (uint32_t)call->outputs;
    plan->spans = (uint64_t)((uint8_t *)spans - (uint8_t *)plan);
    for (size_t i = 0; i < count; i++)
        ztl_ops_tensor_span(i < call->inputs ? &call->in[i] : &call->out[i - call->inputs],
                            &spans[i].low, &spans[i].high);
}

static uint64_t scratch_limit(const ztl_ops_machine *machine)
{
    if (machine && machine->no_scratch)
        return 0;
    return machine && machine->scratch_limit ? machine->scratch_limit : UINT64_MAX;
}

static bool counts_cycles(const ztl_ops_machine *machine)
{
    return !machine || machine->aim == ZTL_OPS_FEW_CYCLES;
}

/* The memory that a call is planned in, again and again. */
typedef struct workplace {
    ztl_ops_plan *plan;
    size_t space;
    ops_pool pool; /* at its end: nodes of pieces of this call, for these: */
    enum ops_lists lists;
    enum ztl_ops_effort level;
    bool is_cut_off;          /* the search of some plan ended when its steps were used up */
    unsigned halvings;        /* of those steps */
    unsigned choice, choices; /* of ways through scratch memory in the middle of an operator */
    uint64_t least_direct;    /* that the last of them takes */
    uint64_t effort;
} workplace;

/* Nodes of a plan before may be of use; but not those of a search that ended early, as how far it
 * comes depends on what is known before. */
static bool start_pool(const ops_draft *draft, workplace *w)
{
    bool few = draft->lists == OPS_NO_LISTS;
    size_t nodes = few ? w->space / 8 / sizeof(ops_node) : OPS_NODES;
    nodes = nodes < OPS_FEWEST_NODES ? OPS_FEWEST_NODES : nodes < OPS_NODES ? nodes : OPS_NODES;
    ops_pool pool;
    if (!ztl_ops_borrow_pool(draft->arena, &pool, (unsigned)nodes, few ? 0 : OPS_KNOWN))
        return false;
    if (w->pool.node != pool.node || w->lists != draft->lists || w->level != draft->level ||
        w->is_cut_off) {
        w->pool = pool;
        w->lists = draft->lists;
        w->level = draft->level;
        ztl_ops_clear_pool(&w->pool);
    }
    return true;
}

static ops_planner start(const ops_call *call, const ztl_ops_machine *machine, ops_draft *draft,
                         workplace *w)
{
    ops_planner planner = {.draft = draft, .arena = draft->arena, .pool = &w->pool};
    planner.scratch_limit = scratch_limit(machine);
    planner.may_reload = !(machine && machine->disjoint_windows) && planner.scratch_limit > 0;
    planner.by_time = counts_cycles(machine);
    planner.machine = ztl_ops_machine_of(machine);
    planner.adds = ops_does(call->op, OPS_ADDS);
    if (planner.adds)
        planner.type = ztl_isa_type(call->op->type)->ttype;
    planner.addend = call->op->addend;
    return planner;
}

/* Whether the output can be input 0 itself: its elements are where they are in the input. */
static bool may_be_in_place(const ops_call *call)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    return ops_does(call->op, OPS_SCATTERS) && in->offset == out->offset &&
           !memcmp(in->stride, out->stride, in->rank * sizeof *in->stride);
}

/* So many times the tensor of scratch memory need no excuse. */
enum { PLENTY_OF_SCRATCH = 4 };

/* The tensor: the larger of all that is read and all that is written. */
static uint64_t tensor_of(const ztl_ops_plan *plan)
{
    return plan->used > plan->made ? plan->used : plan->made;
}

/* Quick effort does not look at more than plenty of scratch memory: it rarely helps, and every size
 * of it must be compared with the smaller ones. Nibbles need it to be unpacked. */
static void bound_scratch(ops_planner *planner)
{
    const ops_draft *draft = planner->draft;
    uint64_t plenty = PLENTY_OF_SCRATCH * tensor_of(draft->plan);
    if (draft->level == ZTL_OPS_QUICK && draft->plan->element != 4 &&
        planner->scratch_limit > plenty)
        planner->scratch_limit = plenty;
}

/* Plans in the given memory, with lists up to a length; false if it is too small for that. */
static bool plan_in(ops_call *call, const ztl_ops_machine *machine, enum ops_lists lists,
                    workplace *w)
{
    ztl_ops_plan *plan = w->plan;
    unsigned bits = call->out[0].bits;
    ops_arena arena = {.base = (uint8_t *)plan, .low = 0, .high = w->space & ~(size_t)7};
    ztl_ops_keep(&arena, sizeof *plan);
    *plan = (ztl_ops_plan){.element = bits, .stats = {.csr = 1}};
    ops_draft draft = {.arena = &arena,
                       .plan = plan,
                       .lists = lists,
                       .level = machine ? machine->effort : ZTL_OPS_NORMAL,
                       .halvings = w->halvings};
    ops_planner planner = start(call, machine, &draft, w);
    /* Nibbles have another use for scratch memory. */
    bool by_scratch = planner.may_reload && bits != 4;
    ops_map map = {.scratch_limit = by_scratch ? planner.scratch_limit : 0,
                   .choice = w->choice,
                   .may_overwrite = bits != 4};
    if (!start_pool(&draft, w) || !ztl_ops_build_map(call, &arena, &map))
        return false;
    w->choices = map.choices;
    w->least_direct = map.least_direct;
    count_bytes(call, &map, plan);
    plan->scratch = map.scratch;
    planner.scratch_top = (plan->scratch + 63) & ~UINT64_C(63);
    bound_scratch(&planner);
    draft.room = arena.high - arena.low;
    ztl_ops_lower(&planner, call, &map);
    plan->by_time = planner.by_time;
    if (ztl_ops_index_input(call->op, call->inputs) >= 0)
        plan->indexed = may_be_in_place(call) ? OPS_IN_PLACE : OPS_INDEXED_PLAN;
    write_spans(&draft, call);
    ztl_ops_write_choices(&draft);
    plan->effort = w->effort += draft.effort;
    plan->bytes = arena.low;
    w->is_cut_off |= draft.is_cut_off;
    return !arena.full;
}

/* Plans with lists as long as the memory allows. */
static bool plan_sparingly(ops_call *call, const ztl_ops_machine *machine, workplace *w)
{
    for (enum ops_lists lists = OPS_LONG_LISTS; lists < OPS_LIST_LEVELS; lists++)
        if (plan_in(call, machine, lists, w))
            return true;
    return false;
}

/* What a plan is measured by: instructions, or cycles. */
static uint64_t worth(const workplace *w, const ztl_ops_machine *machine)
{
    ops_machine engines = ztl_ops_machine_of(machine);
    return counts_cycles(machine) ? ztl_ops_plan_cycles(w->plan, &engines)
                                  : ztl_ops_total(&w->plan->stats);
}

/* Where the operator has the choice, the best plan; the last of equal ones. */
static bool plan_within(ops_call *call, const ztl_ops_machine *machine, workplace *w)
{
    bool is_best = plan_sparingly(call, machine, w);
    if (!is_best)
        return false;
    uint64_t least = worth(w, machine);
    unsigned best = 0, choices = w->choices;
    for (w->choice = 1; w->choice <= choices; w->choice++) {
        if (w->choice == choices && least < w->least_direct && !counts_cycles(machine))
            break;
        is_best = plan_sparingly(call, machine, w) && worth(w, machine) <= least;
        best = is_best ? w->choice : best;
        least = is_best ? worth(w, machine) : least;
    }
    w->choice = best;
    bool made = is_best || plan_sparingly(call, machine, w);
    w->choice = 0;
    return made;
}

/* A plan that was made, and how to make it again. */
typedef struct candidate {
    uint64_t limit;    /* of scratch memory */
    unsigned halvings; /* of the steps */
    uint64_t total, scalar, scratch;
} candidate;

static bool plan_candidate(ops_call *call, const ztl_ops_machine *machine, workplace *w,
                           candidate *c)
{
    ztl_ops_machine limited = machine ? *machine : (ztl_ops_machine){.scratch_limit = 0};
    limited.no_scratch = c->limit == 0;
    limited.scratch_limit = c->limit == UINT64_MAX ? 0 : c->limit;
    w->halvings = c->halvings;
    if (!plan_within(call, &limited, w))
        return false;
    c->total = worth(w, machine);
    c->scalar = w->plan->stats.scalar;
    c->scratch = w->plan->scratch;
    return true;
}

/* Scratch memory beyond plenty is only for a tenth less instructions. */
static bool is_better(const candidate *c, const candidate *than, uint64_t plenty)
{
    if (c->scalar != than->scalar)
        return c->scalar < than->scalar;
    if (c->scratch > plenty && than->scratch <= plenty)
        return 10 * c->total <= 9 * than->total;
    return c->total < than->total;
}

/* Limits of scratch memory that plans are compared for, in quarters of the tensor; quick effort
 * looks at every third. */
static const uint8_t rungs[] = {0, 1, 2, 4, 8, 16, 32, 64, 128};
enum { RUNGS = sizeof rungs, QUICK_STEP = 3, HALVINGS = 3 };

/* The best plan within a limit. A search that is not cut off finds it. One that is may end with a
 * shorter plan where fewer ways are open to it: then plans within all lower rungs are compared,
 * each with an eighth of the steps, and none of them depends on the limit. So more scratch memory
 * never makes a plan longer. `any` is the plan without a limit. */
static bool plan_below(ops_call *call, const ztl_ops_machine *machine, workplace *w,
                       const candidate *any, uint64_t limit)
{
    uint64_t tensor = tensor_of(w->plan), plenty = PLENTY_OF_SCRATCH * tensor;
    uint64_t within = limit < plenty ? limit : plenty;
    bool is_cut_off = w->is_cut_off, is_planned = false;
    candidate best = {.scalar = UINT64_MAX};
    unsigned step = machine && machine->effort == ZTL_OPS_QUICK ? QUICK_STEP : 1;
    for (unsigned i = is_cut_off ? 0 : RUNGS - 4; i < RUNGS; i += step) {
        uint64_t rung = rungs[i] * tensor / 4;
        candidate c = {.limit = rung <= plenty && !is_cut_off ? within : rung,
                       .halvings = is_cut_off && i ? HALVINGS : 0};
        if (c.limit > limit || (rung > plenty && any->scratch <= plenty))
            continue;
        is_planned = plan_candidate(call, machine, w, &c) && is_better(&c, &best, plenty);
        best = is_planned ? c : best;
    }
    if (any->scratch <= limit && is_better(any, &best, plenty)) {
        best = *any;
        is_planned = false;
    }
    return is_planned || (best.scalar < UINT64_MAX && plan_candidate(call, machine, w, &best));
}

static bool plan_fairly(ops_call *call, const ztl_ops_machine *machine, workplace *w)
{
    uint64_t limit = machine && machine->disjoint_windows ? 0 : scratch_limit(machine);
    candidate any = {.limit = limit ? UINT64_MAX : 0};
    w->is_cut_off = false;
    if (!plan_candidate(call, machine, w, &any))
        return false;
    uint64_t plenty = PLENTY_OF_SCRATCH * tensor_of(w->plan);
    if (!limit || (!w->is_cut_off && any.scratch <= (limit < plenty ? limit : plenty)))
        return true;
    return plan_below(call, machine, w, &any, limit);
}

/* A search that goes on longer ends elsewhere, and now and then with a longer plan: thorough effort
 * takes the better of two. */
static bool plan_well(ops_call *call, const ztl_ops_machine *machine, workplace *w)
{
    if (!machine || machine->effort != ZTL_OPS_THOROUGH)
        return plan_fairly(call, machine, w);
    ztl_ops_machine normal = *machine;
    normal.effort = ZTL_OPS_NORMAL;
    if (!plan_fairly(call, &normal, w))
        return false;
    uint64_t least = worth(w, machine);
    if (plan_fairly(call, machine, w) && worth(w, machine) <= least)
        return true;
    return plan_fairly(call, &normal, w);
}

/* What is more than enough is left alone: a few ways would find use for it, at many times the
 * effort.
 */
bool ztl_ops_make(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                  const ztl_ops_tensor *out, size_t outputs, const ztl_ops_machine *machine,
                  ztl_ops_plan *plan, size_t space, ztl_error *error)
{
    size_t enough = ztl_ops_plan_space(op, in, inputs, out, outputs);
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return false;
    if (machine && machine->effort > ZTL_OPS_THOROUGH)
        return ztl_ops_fail(call.error, "unknown effort %u", (unsigned)machine->effort);
    if (machine && machine->aim > ZTL_OPS_FEW_INSTRUCTIONS)
        return ztl_ops_fail(call.error, "unknown aim %u", (unsigned)machine->aim);
    if (!plan || (uintptr_t)plan % 8 || space < sizeof *plan)
        return ztl_ops_fail(call.error,
                            "the memory for the plan is missing, misaligned or too small");
    workplace w = {.plan = plan, .space = space < enough ? space : enough};
    if (plan_well(&call, machine, &w))
        return true;
    return ztl_ops_fail(call.error, "the memory for the plan is too small: %zu bytes, not %zu",
                        space, enough);
}
