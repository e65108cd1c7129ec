/* SPDX-License-Identifier: Apache-2.0
 * Shared loads: pieces that read the same elements but store them at different places, as the taps
 * of a convolution do. Each family of them is loaded once, in one of two manners:
 *
 *     a reads  |-----------|          cells:  |--|--------|--|   each stored for whoever reads it
 *     b reads     |-----------|       core:      |--------|      stored for all; the rest of each
 *                                                                 by itself
 */
#include "ops/search/ways/way.h"

enum { MOST_SHARING = 256, MOST_FAMILY = 64, MOST_CUTS = 16 };

/* A member of a family: its box in steps from the first member's origin, and where it stores that
 * origin. */
typedef struct member {
    int64_t low[OPS_DIMS], high[OPS_DIMS];
    int64_t out;
} member;

typedef struct family {
    const ops_piece *first;
    size_t count;
    member of[MOST_FAMILY];
} family;

static int64_t nearest(int64_t a, int64_t b)
{
    int64_t shifted = (b < 0 ? -a : a) + ops_magnitude(b) / 2;
    return (shifted - ops_mod(shifted, ops_magnitude(b))) / ops_magnitude(b);
}

static bool same_steps(const ops_piece *a, const ops_piece *b)
{
    if (a->rank != b->rank)
        return false;
    for (unsigned d = 0; d < a->rank; d++)
        if (a->dim[d].in != b->dim[d].in || a->dim[d].out != b->dim[d].out || !a->dim[d].in)
            return false;
    return true;
}

/* The dimension with the largest step that is not done. */
static unsigned largest_step(const ops_piece *piece, const bool *done)
{
    unsigned best = OPS_DIMS;
    for (unsigned d = 0; d < piece->rank; d++)
        if (!done[d] && (best == OPS_DIMS ||
                         ops_magnitude(piece->dim[d].in) > ops_magnitude(piece->dim[best].in)))
            best = d;
    return best;
}

/* The origin of a piece in steps of the first one's dimensions; false if their boxes are disjoint.
 * */
static bool place(const ops_piece *first, const ops_piece *piece, member *m)
{
    bool done[OPS_DIMS] = {false};
    int64_t rest = piece->in - first->in;
    m->out = piece->out;
    for (unsigned k = 0; k < first->rank; k++) {
        unsigned d = largest_step(first, done);
        done[d] = true;
        m->low[d] = nearest(rest, first->dim[d].in);
        m->high[d] = m->low[d] + piece->dim[d].n;
        if (m->high[d] <= 0 || m->low[d] >= first->dim[d].n)
            return false;
        rest -= m->low[d] * first->dim[d].in;
        m->out -= m->low[d] * first->dim[d].out;
    }
    return rest == 0;
}

/* True if no cut leaves a fragment of a run below 32 bytes: with many rows these cost more than
 * loading a row twice. */
static bool cuts_well(const ops_planner *planner, const family *f, const member *m)
{
    for (unsigned d = 0; d < f->first->rank; d++) {
        const ops_dim *dim = &f->first->dim[d];
        if (dim->in != planner->element || dim->out != planner->element)
            continue;
        for (size_t i = 0; i < f->count; i++) {
            int64_t a = ops_magnitude(m->low[d] - f->of[i].low[d]),
                    b = ops_magnitude(m->high[d] - f->of[i].high[d]);
            int64_t least = OPS_SLICE_BYTES / (int64_t)planner->element;
            if ((a && a < least) || (b && b < least))
                return false;
        }
    }
    return true;
}

/* Takes a family out of the pieces that are left, with or without fragments. Returns whether any
 * fragment occurred. */
static bool gather_family(const ops_planner *planner, const ops_piece *piece, size_t count,
                          bool fragments, bool *taken, family *f)
{
    bool any = false;
    f->count = 0;
    for (size_t i = 0; i < count && f->count < MOST_FAMILY; i++) {
        member m;
        if (taken[i])
            continue;
        if (f->count == 0)
            f->first = &piece[i];
        bool fits = same_steps(f->first, &piece[i]) && place(f->first, &piece[i], &m);
        bool breaks = fits && !cuts_well(planner, f, &m);
        any |= breaks;
        if (!fits || (breaks && !fragments)) {
            if (f->count > 0)
                continue;
            f->count = 1;
            taken[i] = true;
            return any;
        }
        f->of[f->count++] = m;
        taken[i] = true;
    }
    return any;
}

/* The places along one dimension where members begin or end, ascending. */
static unsigned cuts_of(const family *f, unsigned d, int64_t *cut)
{
    unsigned n = 0;
    for (size_t i = 0; i < 2 * f->count; i++) {
        int64_t at = i % 2 ? f->of[i / 2].high[d] : f->of[i / 2].low[d];
        unsigned k = 0;
        while (k < n && cut[k] < at)
            k++;
        if (k < n && cut[k] == at)
            continue;
        if (n == MOST_CUTS)
            return 0;
        for (unsigned j = n++; j > k; j--)
            cut[j] = cut[j - 1];
        cut[k] = at;
    }
    return n;
}

/* A box of the family as a piece that stores where `target` does. */
static ops_piece box_of(const family *f, const member *target, const int64_t *low,
                        const int64_t *high)
{
    ops_piece box = *f->first;
    box.out = target->out;
    for (unsigned d = 0; d < box.rank; d++) {
        box.dim[d].n = high[d] - low[d];
        box.in += low[d] * box.dim[d].in;
        box.out += low[d] * box.dim[d].out;
    }
    ztl_ops_canonical_piece(&box);
    return box;
}

/* A box that is loaded once and stored for every member that has it; false if none has. */
static bool cell_of(const family *f, const int64_t *low, const int64_t *high, ops_piece *cell,
                    ops_copies *copies)
{
    const member *first = NULL;
    copies->count = 0;
    for (size_t i = 0; i < f->count; i++) {
        bool inside = true;
        for (unsigned d = 0; d < f->first->rank; d++)
            inside &= f->of[i].low[d] <= low[d] && high[d] <= f->of[i].high[d];
        if (!inside)
            continue;
        first = first ? first : &f->of[i];
        copies->offset[copies->count++] = f->of[i].out - first->out;
    }
    if (first)
        *cell = box_of(f, first, low, high);
    return first;
}

static ops_cost do_cell(ops_planner *planner, const family *f, const int64_t *low,
                        const int64_t *high, bool write)
{
    ops_piece cell;
    ops_copies copies;
    unsigned width;
    if (!cell_of(f, low, high, &cell, &copies))
        return (ops_cost){0, 0, 0};
    ops_cost cost = ztl_ops_runs_cost(planner, &cell, 1, &copies, OPS_NEVER.key, &width);
    if (write)
        ztl_ops_runs_write(planner, &cell, 1, &copies, width);
    return cost;
}

/* All cells of a family: their cost, or the passes. */
static ops_cost do_cells(ops_planner *planner, const family *f, bool write)
{
    unsigned rank = f->first->rank, cuts[OPS_DIMS], at[OPS_DIMS] = {0};
    int64_t cut[OPS_DIMS][MOST_CUTS] = {{0}}, cells = 1;
    ops_cost sum = {0, 0, 0};
    for (unsigned d = 0; d < rank; d++) {
        if ((cuts[d] = cuts_of(f, d, cut[d])) == 0)
            return OPS_NEVER;
        cells *= cuts[d] - 1;
    }
    if (cells > MOST_FAMILY)
        return OPS_NEVER;
    unsigned d;
    do {
        int64_t low[OPS_DIMS] = {0}, high[OPS_DIMS] = {0};
        for (d = 0; d < rank; d++) {
            low[d] = cut[d][at[d]];
            high[d] = cut[d][at[d] + 1];
        }
        sum = ops_sum(sum, do_cell(planner, f, low, high, write));
        for (d = rank; d-- > 0;) {
            if (++at[d] + 1 < cuts[d])
                break;
            at[d] = 0;
        }
    } while (d < rank);
    return sum;
}

/* A box, if it is not empty along this dimension; returns how many that is. */
static size_t peel_off(const family *f, const member *m, const member *left, unsigned d,
                       ops_piece *rest)
{
    bool is_any = left->low[d] < left->high[d];
    if (is_any && rest)
        *rest = box_of(f, m, left->low, left->high);
    return is_any;
}

/* What is left of a member around the core, dimension by dimension; only counted without `rest`. */
static size_t peel(const family *f, const member *m, const member *core, ops_piece *rest)
{
    size_t n = 0;
    member left = *m;
    for (unsigned d = 0; d < f->first->rank; d++) {
        int64_t low = left.low[d], high = left.high[d];
        left.high[d] = core->low[d];
        n += peel_off(f, m, &left, d, rest ? rest + n : NULL);
        left.low[d] = core->high[d];
        left.high[d] = high;
        n += peel_off(f, m, &left, d, rest ? rest + n : NULL);
        left.low[d] = low > core->low[d] ? low : core->low[d];
        left.high[d] = high < core->high[d] ? high : core->high[d];
    }
    return n;
}

/* The box that all members have, and the rest of all members as runs. */
static ops_cost do_core(ops_planner *planner, const family *f, bool write)
{
    size_t high = planner->arena->high, n = 0;
    member core = f->of[0];
    for (unsigned d = 0; d < f->first->rank; d++) {
        for (size_t i = 1; i < f->count; i++) {
            core.low[d] = core.low[d] > f->of[i].low[d] ? core.low[d] : f->of[i].low[d];
            core.high[d] = core.high[d] < f->of[i].high[d] ? core.high[d] : f->of[i].high[d];
        }
        if (core.low[d] >= core.high[d])
            return OPS_NEVER;
    }
    for (size_t i = 0; i < f->count; i++)
        n += peel(f, &f->of[i], &core, NULL);
    ops_piece *rest = ztl_ops_borrow(planner->arena, n * sizeof *rest);
    n = 0;
    for (size_t i = 0; rest && i < f->count; i++)
        n += peel(f, &f->of[i], &core, rest + n);
    ops_cost sum = do_cell(planner, f, core.low, core.high, write);
    if (n)
        sum = ops_sum(sum, ztl_ops_runs_by_length(planner, rest, n, write));
    planner->arena->high = high;
    return sum;
}

/* The cheaper manner. */
static ops_cost do_family(ops_planner *planner, const family *f, bool write)
{
    ops_cost cells = do_cells(planner, f, false), core = do_core(planner, f, false);
    bool by_cells = ops_cheaper(cells, core);
    if (write)
        by_cells ? do_cells(planner, f, true) : do_core(planner, f, true);
    return by_cells ? cells : core;
}

/* What is known of the families of all pieces. */
typedef struct families {
    ops_node *node; /* the cost, and the nodes of those that share with none */
    bool found_fragments, shares;
} families;

/* All pieces, family by family: what they cost, or the passes of a node. */
static void do_families(const ops_query *q, bool fragments, families *all, const ops_node *written)
{
    ops_planner *planner = q->planner;
    size_t high = planner->arena->high;
    bool *taken = ztl_ops_borrow(planner->arena, q->count);
    family *f = ztl_ops_borrow(planner->arena, sizeof *f);
    unsigned part = 0;
    if (!f || !taken)
        return;
    memset(taken, 0, q->count);
    all->node->cost = (ops_cost){0, 0, 0};
    for (;;) {
        all->found_fragments |= gather_family(planner, q->piece, q->count, fragments, taken, f);
        if (!f->count)
            break;
        all->shares |= f->count > 1;
        if (f->count > 1)
            all->node->cost = ops_sum(all->node->cost, do_family(planner, f, written));
        else if (written)
            ztl_ops_write_one(q, f->first, written, &part);
        else
            all->node->cost = ops_sum(all->node->cost, ztl_ops_plan_one(q, f->first, all->node));
    }
    planner->arena->high = high;
}

static bool find(const ops_query *q, ops_node *found)
{
    ops_node other = *found;
    families all = {.node = found}, whole = {.node = &other};
    if (q->count < 2 || q->count > MOST_SHARING || q->piece->src == OPS_FILL || q->planner->adds)
        return false;
    found->pick.fragments = true;
    do_families(q, true, &all, NULL);
    if (!all.shares)
        return false;
    if (all.found_fragments)
        do_families(q, false, &whole, NULL);
    if (whole.shares && ops_cheaper(other.cost, found->cost)) {
        ztl_ops_drop_parts(q->planner, found);
        *found = other;
    } else {
        ztl_ops_drop_parts(q->planner, &other);
    }
    return true;
}

static void write(const ops_query *q, const ops_node *node)
{
    ops_node unused = {.cost = OPS_NEVER};
    do_families(q, node->pick.fragments, &(families){.node = &unused}, node);
}

const ops_way ztl_ops_way_shared_loads = {"loads that pieces share", find, NULL, write};
