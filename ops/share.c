/* SPDX-License-Identifier: Apache-2.0
 * Sharing loads: pieces that read the same elements to different places, as the taps of a
 * convolution do. The boxes that a family of pieces reads are cut where they differ; every cell is
 * loaded once and stored for each piece that has it.
 */
#include "ops/solve.h"

enum { MOST_FAMILY = 64, MOST_CUTS = 16 };

/* A member of a family: its box in steps from the first member's origin, and where it stores what
 * lies there. */
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
    int64_t half = b < 0 ? -b / 2 : b / 2;
    int64_t shifted = a < 0 ? a - half : a + half;
    return shifted / b;
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

/* The origin of a piece in steps of the first one's dimensions, largest step first. */
static bool place(const ops_piece *first, const ops_piece *piece, member *m)
{
    bool done[OPS_DIMS] = {false};
    int64_t rest = piece->in - first->in;
    m->out = piece->out;
    for (unsigned k = 0; k < first->rank; k++) {
        unsigned best = OPS_DIMS;
        for (unsigned d = 0; d < first->rank; d++) {
            int64_t step = first->dim[d].in < 0 ? -first->dim[d].in : first->dim[d].in;
            if (!done[d] &&
                (best == OPS_DIMS ||
                 step > (first->dim[best].in < 0 ? -first->dim[best].in : first->dim[best].in)))
                best = d;
        }
        done[best] = true;
        m->low[best] = nearest(rest, first->dim[best].in);
        m->high[best] = m->low[best] + piece->dim[best].n;
        rest -= m->low[best] * first->dim[best].in;
        m->out -= m->low[best] * first->dim[best].out;
    }
    return rest == 0;
}

/* Cutting a run into crumbs costs more than loading it twice. */
static bool cuts_well(const ops_planner *planner, const family *f, const member *m)
{
    for (unsigned d = 0; d < f->first->rank; d++) {
        const ops_dim *dim = &f->first->dim[d];
        if (dim->in != planner->element || dim->out != planner->element)
            continue;
        for (size_t i = 0; i < f->count; i++) {
            int64_t a = m->low[d] - f->of[i].low[d], b = m->high[d] - f->of[i].high[d];
            int64_t least = 32 / (int64_t)planner->element;
            if ((a && (a < 0 ? -a : a) < least) || (b && (b < 0 ? -b : b) < least))
                return false;
        }
    }
    return true;
}

/* Takes a family out of the pieces that are left. */
static void gather_family(const ops_planner *planner, const ops_piece *piece, size_t count,
                          bool *taken, family *f)
{
    f->count = 0;
    for (size_t i = 0; i < count && f->count < MOST_FAMILY; i++) {
        member m;
        if (taken[i])
            continue;
        if (f->count == 0)
            f->first = &piece[i];
        if (!same_steps(f->first, &piece[i]) || !place(f->first, &piece[i], &m) ||
            !cuts_well(planner, f, &m)) {
            if (f->count > 0)
                continue;
            f->count = 1;
            taken[i] = true;
            return;
        }
        f->of[f->count++] = m;
        taken[i] = true;
    }
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

/* The piece of one cell, with every place it goes to; false when no member has it. */
static bool cell_of(const family *f, const int64_t *low, const int64_t *high, ops_piece *cell,
                    ops_copies *copies)
{
    *cell = *f->first;
    copies->count = 0;
    for (size_t i = 0; i < f->count; i++) {
        bool inside = true;
        for (unsigned d = 0; d < f->first->rank; d++)
            inside &= f->of[i].low[d] <= low[d] && high[d] <= f->of[i].high[d];
        if (!inside)
            continue;
        if (copies->count == 0)
            cell->out = f->of[i].out;
        copies->offset[copies->count++] = f->of[i].out - cell->out;
    }
    for (unsigned d = 0; d < f->first->rank; d++) {
        cell->dim[d].n = high[d] - low[d];
        cell->in += low[d] * f->first->dim[d].in;
        cell->out += low[d] * f->first->dim[d].out;
    }
    return copies->count > 0;
}

/* All cells of a family: their cost, or the passes. */
static ops_cost do_family(ops_planner *planner, const family *f, bool write)
{
    unsigned rank = f->first->rank, cuts[OPS_DIMS], at[OPS_DIMS] = {0};
    int64_t cut[OPS_DIMS][MOST_CUTS];
    ops_cost sum = {0, 0};
    for (unsigned d = 0; d < rank; d++)
        if ((cuts[d] = cuts_of(f, d, cut[d])) == 0)
            return OPS_NEVER;
    unsigned d;
    do {
        int64_t low[OPS_DIMS], high[OPS_DIMS];
        ops_piece cell;
        ops_copies copies;
        for (d = 0; d < rank; d++) {
            low[d] = cut[d][at[d]];
            high[d] = cut[d][at[d] + 1];
        }
        if (cell_of(f, low, high, &cell, &copies)) {
            unsigned width;
            ops_canonical_piece(&cell);
            ops_cost cost = ops_copied_cost(planner, &cell, 1, &copies, &width);
            sum.ztl += cost.ztl;
            sum.other += cost.other;
            if (write)
                ops_copied_write(planner, &cell, 1, &copies, width);
        }
        for (d = rank; d-- > 0;) {
            if (++at[d] + 1 < cuts[d])
                break;
            at[d] = 0;
        }
    } while (d < rank);
    return sum;
}

bool ops_share(ops_planner *planner, const ops_piece *piece, size_t count, ops_cost limit)
{
    size_t high = planner->arena->high;
    if (piece[0].src == OPS_FILL || planner->adds || count > 256)
        return false;
    bool *taken = ops_borrow(planner->arena, count);
    family *f = ops_borrow(planner->arena, sizeof *f);
    ops_cost sum = {0, 0};
    bool shared = false;
    for (unsigned round = 0; f && round < 2; round++) {
        memset(taken, 0, count);
        for (;;) {
            gather_family(planner, piece, count, taken, f);
            if (f->count == 0)
                break;
            shared |= f->count > 1;
            ops_cost cost = {0, 0};
            if (f->count > 1)
                cost = do_family(planner, f, round == 1);
            else
                cost = ops_solve(planner, f->first, count > 8 ? 0 : OPS_DEPTH, round == 1);
            sum.ztl += cost.ztl;
            sum.other += cost.other;
        }
        if (shared && round == 0)
            ops_note(planner, OPS_WAY_SHARED, 0, sum);
        if (!shared || !ops_cheaper(sum, limit)) {
            planner->arena->high = high;
            return false;
        }
        ops_take(planner, OPS_WAY_SHARED);
        limit = OPS_NEVER;
    }
    planner->arena->high = high;
    return f != NULL;
}
