/* SPDX-License-Identifier: Apache-2.0
 * Residue classes: how many instances agree modulo the slice's width, in the source and in the
 * target. Only those can share an instruction. Dimensions are added one by one, so that counting
 * takes far less time than there are instances.
 */
#include "ops/pack/pack.h"

enum { SLOTS = 2048, MOST = 1024 };

/* A hash table: the number of instances of each class (source mod width, target mod width). */
typedef struct classes {
    uint32_t used, most, round, slots; /* slots: a power of two */
    uint32_t steps;                    /* lookups so far */
    uint32_t slot[SLOTS];              /* the round in which it was filled, and an index into key */
    uint32_t key[MOST];
    int64_t count[MOST];
} classes;

/* The slot of a class, or the free one that it would get. */
static uint32_t *find(classes *set, uint32_t key)
{
    uint32_t at = (key * 2654435761u) >> 21;
    set->steps++;
    for (;; at++) {
        uint32_t *slot = &set->slot[at & (set->slots - 1)];
        if (*slot >> 12 != set->round || set->key[*slot & 0xfff] == key)
            return slot;
    }
}

static int64_t count_at(classes *set, uint32_t key)
{
    const uint32_t *slot = find(set, key);
    return *slot >> 12 == set->round ? set->count[*slot & 0xfff] : 0;
}

static bool add(classes *set, uint32_t key, int64_t count)
{
    uint32_t *slot = find(set, key);
    if (*slot >> 12 != set->round) {
        if (set->used == set->most)
            return false;
        set->key[set->used] = key;
        set->count[set->used] = 0;
        *slot = set->round << 12 | set->used++;
    }
    set->count[*slot & 0xfff] += count;
    return true;
}

static void clear(classes *set)
{
    set->used = 0;
    set->round++;
}

int64_t ztl_ops_residue_period(const ops_dim *dim, int64_t wi, int64_t wo)
{
    int64_t pi = wi / ztl_ops_gcd(dim->in, wi), po = wo / ztl_ops_gcd(dim->out, wo);
    return pi / ztl_ops_gcd(pi, po) * po;
}

/* A dimension that is added: its residues, which repeat after `period` steps. */
typedef struct cycle {
    int64_t period, in, out, wi, wo;
} cycle;

static uint32_t next_key(const cycle *t, uint32_t key)
{
    int64_t in = (key >> 16) + t->in, out = (key & 0xffff) + t->out;
    return (uint32_t)((in < t->wi ? in : in - t->wi) << 16 | (out < t->wo ? out : out - t->wo));
}

/* Adds every class at every one of n steps. */
static bool spread_each(const classes *from, classes *to, const cycle *t, int64_t n)
{
    int64_t rounds = n / t->period, rest = n % t->period;
    for (uint32_t c = 0; c < from->used; c++) {
        uint32_t key = from->key[c];
        for (int64_t k = 0; k < n && k < t->period; k++, key = next_key(t, key))
            if (!add(to, key, from->count[c] * (rounds + (k < rest))))
                return false;
    }
    return true;
}

/* The same for the cycle of classes through `key`, by a sliding sum: each class gets the instances
 * of the n classes before it. */
static bool spread_cycle(classes *from, classes *to, const cycle *t, int64_t n, uint32_t key)
{
    int64_t count[MOST], all = 0, last = 0, rest = n % t->period;
    for (int64_t k = 0; k < t->period; k++, key = next_key(t, key)) {
        count[k] = count_at(from, key);
        all += count[k];
        last += k >= t->period - rest ? count[k] : 0;
    }
    for (int64_t k = 0; k < t->period; k++, key = next_key(t, key)) {
        last += count[k] - count[k < rest ? k - rest + t->period : k - rest];
        int64_t sum = n / t->period * all + last;
        if (sum && !add(to, key, sum))
            return false;
    }
    return true;
}

/* Whichever takes fewer additions. */
static bool spread(classes *from, classes *to, const cycle *t, int64_t n)
{
    int64_t steps = n < t->period ? n : t->period;
    if (steps > to->most)
        return false;
    clear(to);
    int64_t cycles = to->most / steps < from->used ? to->most / steps : from->used;
    if (t->period > MOST || from->used * steps <= 2 * cycles * t->period)
        return spread_each(from, to, t, n);
    for (uint32_t c = 0; c < from->used; c++) {
        bool is_done = count_at(to, from->key[c]);
        if (!is_done && !spread_cycle(from, to, t, n, from->key[c]))
            return false;
    }
    return true;
}

static uint32_t key_of(int64_t in, int64_t out, int64_t wi, int64_t wo)
{
    return (uint32_t)(ops_mod(in, wi) << 16 | ops_mod(out, wo));
}

static bool classes_of(const ops_piece *grid, int64_t wi, int64_t wo, classes *a, classes *b,
                       classes *total)
{
    clear(a);
    add(a, key_of(grid->in, grid->out, wi, wo), 1);
    int64_t times = 1;
    for (unsigned d = 0; d < grid->rank; d++) {
        const ops_dim *dim = &grid->dim[d];
        cycle t = {ztl_ops_residue_period(dim, wi, wo), ops_mod(dim->in, wi), ops_mod(dim->out, wo),
                   wi, wo};
        if (t.period == 1) {
            times *= dim->n;
            continue;
        }
        if (!spread(a, b, &t, dim->n))
            return false;
        classes *swap = a;
        a = b;
        b = swap;
    }
    for (uint32_t c = 0; c < a->used; c++)
        if (!add(total, a->key[c], a->count[c] * times))
            return false;
    return true;
}

/* An upper bound of the classes: so few slots must be cleared. */
static int64_t most_classes(const ops_piece *grid, size_t count, int64_t wi, int64_t wo)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count && sum < MOST; i++) {
        int64_t product = 1;
        for (unsigned d = 0; d < grid[i].rank && product < MOST; d++) {
            int64_t p = ztl_ops_residue_period(&grid[i].dim[d], wi, wo);
            product *= grid[i].dim[d].n < p ? grid[i].dim[d].n : p;
        }
        sum += product;
    }
    return sum;
}

static bool is_one_class(const ops_piece *grid, int64_t wi, int64_t wo)
{
    for (unsigned d = 0; d < grid->rank; d++)
        if (grid->dim[d].n > 1 && (grid->dim[d].in % wi || grid->dim[d].out % wo))
            return false;
    return true;
}

int64_t ztl_ops_count_batches(uint64_t *effort, const ops_piece *grid, size_t count,
                              int64_t in_width, int64_t out_width, int64_t instances, int64_t most)
{
    if (count == 1 && is_one_class(grid, in_width, out_width))
        return ops_ceil(ztl_ops_elements(grid), instances);
    classes work[3];
    uint32_t slots = 64;
    for (int64_t n = most_classes(grid, count, in_width, out_width);
         slots < SLOTS && slots < 2 * n;)
        slots *= 2;
    for (unsigned i = 0; i < 3; i++) {
        work[i].round = work[i].steps = 0;
        work[i].slots = slots;
        work[i].most = most < MOST ? (uint32_t)(most > 0 ? most : 1) : MOST;
        memset(work[i].slot, 0, slots * sizeof work[i].slot[0]);
    }
    clear(&work[2]);
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = classes_of(&grid[i], in_width, out_width, &work[0], &work[1], &work[2]);
    *effort += work[0].steps + work[1].steps + work[2].steps;
    int64_t kept = work[2].used * (instances - 1), total = 0;
    for (size_t i = 0; i < count && kept > OPS_MOST_KEPT && total <= OPS_MOST_KEPT; i++)
        total += ztl_ops_elements(&grid[i]);
    fits = fits && total <= OPS_MOST_KEPT;
    int64_t batches = fits ? 0 : -1;
    for (uint32_t c = 0; fits && c < work[2].used; c++)
        batches += ops_ceil(work[2].count[c], instances);
    return batches;
}
