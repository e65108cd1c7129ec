/* SPDX-License-Identifier: Apache-2.0
 * Finding the PERMUTEs that turn one layout of index bits into another. The 2048 bytes of a
 * register pair have eleven index bits. One PERMUTE keeps up to three of the lowest, cuts the
 * others into up to four groups of neighbours, and puts the groups into any order:
 *
 *     s | i4 i3 i2 i1 i0 | b4 b3 b2 b1 b0     s selects the register, i the slice, b its byte
 *     dims [2,32,32,1], order 1,0,2: (s)(i4…i0)(b4…b0) → (i4…i0)(s)(b4…b0)
 *
 * Each stage brings one bit of the target's run from the register number into the registers, to its
 * place among those that are there, and one bit of the source's run out. The search goes depth
 * first through the stages, with a limited number of tries. For a single stage all are tried.
 */
#include "ops/search/ways/way.h"

enum { PAIR_BITS = 11, LARGEST_GROUP = 7, MOST_TRIES = 1500 };

/* The pair's bits, from the top: the select bit first. */
typedef struct word {
    uint8_t bit[PAIR_BITS];
} word;

/* One PERMUTE: group g is `size[g]` bits long, output group k is group order[k]. */
typedef struct cut {
    unsigned groups, fixed;
    unsigned size[4], start[4], order[4];
} cut;

static bool is_moved_out(const ops_tiles *tiles, unsigned b)
{
    return tiles->bit[b].in_low >= 0 && tiles->bit[b].out_low < 0;
}

/* The bits of the target's run in a pair, lowest first: their order after the stage. */
typedef struct goal {
    unsigned count;
    uint8_t bit[PAIR_BITS];
} goal;

static goal goal_of(const ops_tiles *tiles, const word *w)
{
    goal g = {.count = 0};
    for (int low = 0; low < (int)tiles->run[1]; low++)
        for (unsigned k = 0; k < PAIR_BITS; k++)
            if (tiles->bit[w->bit[k]].out_low == low)
                g.bit[g.count++] = w->bit[k];
    return g;
}

/* Whether a group of `size` bits is right above the `below` lowest ones. */
static bool fits(const ops_tiles *tiles, const goal *g, const uint8_t *bit, unsigned size,
                 unsigned below)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned at = below + size - 1 - i;
        if (at < g->count ? bit[i] != g->bit[at] : tiles->bit[bit[i]].out_low >= 0)
            return false;
    }
    return true;
}

static void reorder(const cut *c, const word *from, word *to)
{
    unsigned n = 0;
    for (unsigned k = 0; k < c->groups; k++)
        for (unsigned i = 0; i < c->size[c->order[k]]; i++)
            to->bit[n++] = from->bit[c->start[c->order[k]] + i];
    for (; n < PAIR_BITS; n++)
        to->bit[n] = from->bit[n];
}

static ops_stage stage_of(const cut *c, unsigned select)
{
    ops_stage stage = {.select = (uint8_t)select, .width = (uint8_t)c->fixed};
    for (unsigned k = 0; k < 4; k++) {
        unsigned size = k < c->groups ? c->size[k] : 0;
        unsigned from = k < c->groups ? c->order[k] : k;
        stage.dims |= 1u << size << (8 * k);
        stage.order |= (uint8_t)(from << (2 * k));
    }
    return stage;
}

typedef struct search {
    ops_tiles *tiles;
    uint8_t layout[OPS_BITS];
    unsigned fixed_out;  /* bits that must select the register at the end, as a set */
    unsigned tries_left; /* bounds the time */
} search;

static bool next_stage(search *s, unsigned depth);

/* Continues after one PERMUTE; undoes it if that leads nowhere. */
static bool try_word(search *s, unsigned depth, unsigned select, const cut *c, const word *to)
{
    uint8_t before[OPS_BITS];
    memcpy(before, s->layout, sizeof before);
    s->layout[10 + select] = to->bit[0];
    for (unsigned k = 1; k < PAIR_BITS; k++)
        s->layout[PAIR_BITS - 1 - k] = to->bit[k];
    s->tiles->stage[depth] = stage_of(c, select);
    if (next_stage(s, depth + 1))
        return true;
    memcpy(s->layout, before, sizeof before);
    return false;
}

/* Whether a bit may become a register bit now: once no more stages are left than bits that must,
 * only those may. */
static bool may_leave(const search *s, unsigned depth, unsigned bit)
{
    unsigned outside = 0, missing = 0;
    for (unsigned k = 0; k < s->tiles->stages; k++)
        outside |= 1u << s->layout[10 + k];
    for (unsigned set = s->fixed_out & ~outside; set; set &= set - 1)
        missing++;
    return is_moved_out(s->tiles, bit) &&
           (missing < s->tiles->stages - depth || s->fixed_out >> bit & 1);
}

/* All orders of the groups of a cut, from the bottom up; the top bit becomes the register bit. */
static bool try_orders(search *s, unsigned depth, unsigned select, cut *c, const word *from,
                       const goal *g, unsigned left, unsigned used, unsigned below)
{
    if (left == 0) {
        word to;
        reorder(c, from, &to);
        return try_word(s, depth, select, c, &to);
    }
    for (unsigned k = 0; k < c->groups; k++) {
        const uint8_t *bit = &from->bit[c->start[k]];
        if (used >> k & 1 || (left == 1 && !may_leave(s, depth, bit[0])) ||
            !fits(s->tiles, g, bit, c->size[k], below))
            continue;
        c->order[left - 1] = k;
        if (try_orders(s, depth, select, c, from, g, left - 1, used | 1u << k, below + c->size[k]))
            return true;
    }
    return false;
}

/* All cuts of the bits above the fixed ones from `start` on. */
static bool try_cuts(search *s, unsigned depth, unsigned select, cut *c, const word *from,
                     const goal *g, unsigned start)
{
    unsigned end = PAIR_BITS - c->fixed;
    if (start == end)
        return s->tries_left && s->tries_left-- &&
               try_orders(s, depth, select, c, from, g, c->groups, 0, c->fixed);
    if (c->groups == 4)
        return false;
    unsigned last = c->groups++;
    c->start[last] = start;
    for (unsigned size = 1; size <= LARGEST_GROUP && start + size <= end; size++) {
        if (c->groups == 4 && start + size != end)
            continue;
        c->size[last] = size;
        if (try_cuts(s, depth, select, c, from, g, start + size))
            return true;
    }
    c->groups--;
    return false;
}

static bool ends_well(const search *s)
{
    unsigned outside = 0;
    for (unsigned k = 0; k < s->tiles->stages; k++)
        outside |= 1u << s->layout[10 + k];
    bool idle_stays = s->tiles->run[0] >= 5 || s->layout[9] == s->tiles->bits - 1;
    return (s->fixed_out & ~outside) == 0 && idle_stays;
}

static bool next_stage(search *s, unsigned depth)
{
    if (depth == s->tiles->stages) {
        memcpy(s->tiles->end, s->layout, sizeof s->layout);
        return ends_well(s);
    }
    for (int low = 9; low >= 0; low--)
        for (unsigned select = 0; select < s->tiles->stages; select++) {
            if (s->tiles->bit[s->layout[10 + select]].out_low != low)
                continue;
            word from;
            from.bit[0] = s->layout[10 + select];
            for (unsigned k = 1; k < PAIR_BITS; k++)
                from.bit[k] = s->layout[PAIR_BITS - 1 - k];
            goal g = goal_of(s->tiles, &from);
            for (unsigned fixed = 0; fixed < 4; fixed++) {
                cut c = {.fixed = fixed};
                if (!fits(s->tiles, &g, &from.bit[PAIR_BITS - fixed], fixed, 0))
                    break;
                if (try_cuts(s, depth, select, &c, &from, &g, 0))
                    return true;
            }
        }
    return false;
}

/* The layout of the loads: the source's run, the slices, the register bits. Variants choose among
 * the bits that may select the register, and put the instances below or above. */
static void lay_out(search *s, unsigned variant)
{
    ops_tiles *tiles = s->tiles;
    uint8_t rest[OPS_BITS];
    unsigned rests = 0, at = 10, slice = tiles->run[0], idle = slice < 5 ? 5 - slice : 0;
    int run = (int)(tiles->run[0] > tiles->run[1] ? tiles->run[0] : tiles->run[1]);
    bool chosen[OPS_BITS] = {false};
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < run; k++) {
            int low = variant & 1 ? run - 1 - k : k;
            for (unsigned b = 0; b < tiles->bits; b++) {
                const ops_bit *bit = &tiles->bit[b];
                if (bit->out_low != low || bit->in_low >= 0 || chosen[b] ||
                    at == 10 + tiles->stages || (round == 0 && bit->in_fits))
                    continue;
                chosen[b] = true;
                s->layout[at++] = (uint8_t)b;
            }
        }
    for (int low = 0; low < run; low++)
        for (unsigned b = 0; b < tiles->bits; b++) {
            if (tiles->bit[b].in_low == low)
                s->layout[low] = (uint8_t)b;
            if (tiles->bit[b].out_low == low && tiles->bit[b].in_low < 0 && !chosen[b])
                rest[rests++] = (uint8_t)b;
        }
    unsigned first_instance = tiles->bits - tiles->instance_bits;
    for (unsigned i = 0; (variant & 2) && i < tiles->instance_bits - idle; i++)
        s->layout[slice++] = (uint8_t)(first_instance + i);
    for (unsigned i = 0; i < rests; i++)
        s->layout[slice++] = rest[i];
    for (unsigned i = 0; !(variant & 2) && i < tiles->instance_bits - idle; i++)
        s->layout[slice++] = (uint8_t)(first_instance + i);
    if (idle)
        s->layout[slice] = (uint8_t)(tiles->bits - 1);
}

/* ---- One stage ----------------------------------------------------------------------------- */

enum { NO_BIT = 0xff };

/* The bit at a place of the run of a side. */
static uint8_t bit_of_run(const ops_tiles *tiles, bool is_source, int low)
{
    for (unsigned b = 0; b < tiles->bits; b++)
        if ((is_source ? tiles->bit[b].in_low : tiles->bit[b].out_low) == low)
            return (uint8_t)b;
    return NO_BIT;
}

/* What must be at places of the pair when it is loaded: the source's run, and the idle halves. */
static void set_fixed(const ops_tiles *tiles, uint8_t *start)
{
    memset(start, NO_BIT, PAIR_BITS);
    for (unsigned t = 0; t < tiles->run[0]; t++)
        start[t] = bit_of_run(tiles, true, (int)t);
    if (tiles->run[0] < 5)
        start[9] = (uint8_t)(tiles->bits - 1);
}

/* Which place of the pair comes to each place, lowest first. */
static void sources_of(const cut *c, uint8_t *source)
{
    word from, to;
    for (unsigned k = 0; k < PAIR_BITS; k++)
        from.bit[k] = (uint8_t)(PAIR_BITS - 1 - k);
    reorder(c, &from, &to);
    for (unsigned k = 0; k < PAIR_BITS; k++)
        source[PAIR_BITS - 1 - k] = to.bit[k];
}

/* Whether a PERMUTE makes the target's run of what may be loaded; `start` becomes the layout of the
 * loads, whose other bits may number slices or registers as they like. */
static bool makes_run(const ops_tiles *tiles, const uint8_t *source, uint8_t *start)
{
    for (unsigned t = 0; t < tiles->run[1]; t++) {
        uint8_t want = bit_of_run(tiles, false, (int)t), *at = &start[source[t]];
        const ops_bit *bit = &tiles->bit[want];
        if (*at == NO_BIT && bit->in_low < 0 && (source[t] == 10 || bit->in_fits))
            *at = want;
        if (*at != want)
            return false;
    }
    return true;
}

/* Whether what numbers slices may: its step is a multiple of their width. The idle halves stay. */
static bool may_slice(const ops_tiles *tiles, const uint8_t *layout, bool is_source)
{
    for (unsigned t = tiles->run[!is_source]; t < 10; t++) {
        const ops_bit *bit = &tiles->bit[layout[t]];
        if (!bit->is_instance && !(is_source ? bit->in_fits : bit->out_fits))
            return false;
    }
    return tiles->run[0] >= 5 || layout[9] == tiles->bits - 1;
}

/* The register is selected by a bit of the piece, on both sides: one that is in no run, if need be.
 * The instances take the places that are left. */
static bool fill_rest(const ops_tiles *tiles, uint8_t *start, uint8_t last)
{
    unsigned next = tiles->bits - tiles->instance_bits;
    unsigned spare = next - tiles->spare_bits;
    if (start[10] == NO_BIT && spare < next)
        start[10] = (uint8_t)spare++;
    if (start[last] == NO_BIT && spare < next)
        start[last] = (uint8_t)spare++;
    if (start[10] == NO_BIT || start[last] == NO_BIT || spare < next)
        return false;
    for (unsigned t = 0; t < PAIR_BITS; t++)
        if (start[t] == NO_BIT)
            start[t] = (uint8_t)next++;
    return true;
}

/* How many neighbours among the bits that number slices double the step: equal steps need no list
 * of strides. */
static int count_doubles(const ops_tiles *tiles, const uint8_t *layout, bool is_source)
{
    int count = 0;
    for (unsigned k = tiles->run[!is_source]; k < 9; k++) {
        const ops_bit *low = &tiles->bit[layout[k]], *high = low - layout[k] + layout[k + 1];
        int64_t step = is_source ? low->in : low->out, next = is_source ? high->in : high->out;
        count += step && next == 2 * step;
    }
    return count;
}

/* The search among all PERMUTEs: any of them, or that with the simplest strides. */
typedef struct singles {
    ops_tiles *tiles;
    int best; /* doubles so far; below 0 for none */
    bool any;
} singles;

static void try_single(singles *s, const cut *c)
{
    ops_tiles *tiles = s->tiles;
    uint8_t source[PAIR_BITS], start[PAIR_BITS], end[PAIR_BITS];
    set_fixed(tiles, start);
    sources_of(c, source);
    if (!makes_run(tiles, source, start) || !fill_rest(tiles, start, source[10]))
        return;
    for (unsigned t = 0; t < PAIR_BITS; t++)
        end[t] = start[source[t]];
    if (!may_slice(tiles, start, true) || !may_slice(tiles, end, false))
        return;
    int doubles = count_doubles(tiles, start, true) + count_doubles(tiles, end, false);
    if (doubles <= s->best)
        return;
    s->best = doubles;
    memcpy(tiles->start, start, sizeof start);
    memcpy(tiles->end, end, sizeof end);
    tiles->stage[0] = stage_of(c, 0);
}

/* All orders of the groups, the lowest first. */
static void single_orders(singles *s, cut *c, unsigned left, unsigned used)
{
    if (left == 0)
        try_single(s, c);
    for (unsigned k = 0; left && k < c->groups && !(s->any && s->best >= 0); k++) {
        if (used >> k & 1)
            continue;
        c->order[left - 1] = k;
        single_orders(s, c, left - 1, used | 1u << k);
    }
}

static void single_cuts(singles *s, cut *c, unsigned start)
{
    unsigned end = PAIR_BITS - c->fixed, last = c->groups;
    if (start == end)
        single_orders(s, c, c->groups, 0);
    if (start == end || c->groups == 4)
        return;
    c->groups++;
    c->start[last] = start;
    for (unsigned size = 1; size <= LARGEST_GROUP && start + size <= end; size++) {
        if (c->groups == 4 && start + size != end)
            continue;
        c->size[last] = size;
        single_cuts(s, c, start + size);
    }
    c->groups--;
}

/* Every PERMUTE of a pair is tried: the answer is exact. Bits that it leaves at the bottom must be
 * the lowest of both runs. */
static bool find_single(ops_tiles *tiles, bool any)
{
    singles s = {tiles, -1, any};
    for (unsigned fixed = 0; fixed < 4; fixed++) {
        cut c = {.fixed = fixed};
        if (fixed &&
            bit_of_run(tiles, true, (int)fixed - 1) != bit_of_run(tiles, false, (int)fixed - 1))
            break;
        single_cuts(&s, &c, 0);
    }
    return s.best >= 0;
}

static bool find_permutes(ops_tiles *tiles, bool any, uint64_t *effort)
{
    search s = {.tiles = tiles};
    if (tiles->stages == 1) {
        *effort += MOST_TRIES / 4; /* most are turned down at once */
        return find_single(tiles, any);
    }
    for (unsigned b = 0; b < tiles->bits; b++)
        if (is_moved_out(tiles, b) && !tiles->bit[b].out_fits)
            s.fixed_out |= 1u << b;
    for (unsigned variant = 0; variant < 4; variant++) {
        s.tries_left = MOST_TRIES;
        lay_out(&s, variant);
        memcpy(tiles->start, s.layout, sizeof s.layout);
        bool found = next_stage(&s, 0);
        *effort += MOST_TRIES - s.tries_left;
        if (found)
            return true;
    }
    return false;
}

bool ztl_ops_find_permutes(ops_tiles *tiles)
{
    uint64_t effort = 0;
    return find_permutes(tiles, false, &effort);
}

/* All that the search depends on. */
static void key_of(const ops_tiles *tiles, uint8_t key[16])
{
    memset(key, 0, 16);
    for (unsigned b = 0; b < tiles->bits; b++) {
        const ops_bit *bit = &tiles->bit[b];
        key[b] = (uint8_t)((bit->in_low + 1) << 5 | (bit->out_low + 1) << 2 | !bit->in_fits << 1 |
                           !bit->out_fits);
    }
    key[14] = (uint8_t)(tiles->run[0] << 4 | tiles->run[1] | tiles->spare_bits << 3);
    key[15] = (uint8_t)tiles->stages;
}

bool ztl_ops_has_permutes(ops_planner *planner, const ops_tiles *tiles)
{
    uint8_t key[16];
    key_of(tiles, key);
    for (unsigned i = 0; i < planner->known_forms && i < OPS_KNOWN_FORMS; i++)
        if (!memcmp(planner->known[i].key, key, sizeof key))
            return planner->known[i].has_permutes;
    ops_tiles copy = *tiles;
    ops_known_form *form = &planner->known[planner->known_forms++ % OPS_KNOWN_FORMS];
    memcpy(form->key, key, sizeof key);
    form->has_permutes = find_permutes(&copy, true, &planner->draft->effort);
    return form->has_permutes;
}
