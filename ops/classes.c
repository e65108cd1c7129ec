/* SPDX-License-Identifier: Apache-2.0
 * Residue classes: slices that one instruction can move agree modulo the slice's width.
 */
#include "ops/plan.h"

enum { SLOTS = 2048, MOST = 1024 };

/* How many instances are at each (source mod width, target mod width). */
typedef struct classes {
    uint32_t used, most, round;
    uint32_t slot[SLOTS]; /* the round in which it was filled, and the index into key */
    uint32_t key[MOST];
    int64_t count[MOST];
} classes;

static bool add(classes *set, uint32_t key, int64_t count)
{
    uint32_t at = (key * 2654435761u) >> 21;
    while (set->slot[at] >> 12 == set->round && set->key[set->slot[at] & 0xfff] != key)
        at = (at + 1) % SLOTS;
    if (set->slot[at] >> 12 != set->round) {
        if (set->used == set->most)
            return false;
        set->key[set->used] = key;
        set->count[set->used] = 0;
        set->slot[at] = set->round << 12 | set->used++;
    }
    set->count[set->slot[at] & 0xfff] += count;
    return true;
}

static void clear(classes *set)
{
    set->used = 0;
    set->round++;
}

static int64_t period(const ops_dim *dim, int64_t wi, int64_t wo)
{
    int64_t pi = wi / ops_gcd(dim->in, wi), po = wo / ops_gcd(dim->out, wo);
    return pi / ops_gcd(pi, po) * po;
}

/* One more dimension, whose classes repeat after p steps: every class of `from` at every residue of
 * k·step. */
static bool spread(const classes *from, classes *to, const ops_dim *dim, int64_t p, int64_t wi,
                   int64_t wo)
{
    int64_t n = dim->n < p ? dim->n : p, step_in = ops_mod(dim->in, wi),
            step_out = ops_mod(dim->out, wo);
    int64_t rounds = dim->n / p, rest = dim->n % p;
    if (n > to->most)
        return false;
    clear(to);
    for (uint32_t c = 0; c < from->used; c++) {
        int64_t in = from->key[c] >> 16, out = from->key[c] & 0xffff;
        for (int64_t k = 0; k < n; k++) {
            if (!add(to, (uint32_t)(in << 16 | out), from->count[c] * (rounds + (k < rest))))
                return false;
            in += step_in - (in + step_in < wi ? 0 : wi);
            out += step_out - (out + step_out < wo ? 0 : wo);
        }
    }
    return true;
}

static bool classes_of(const ops_piece *grid, int64_t wi, int64_t wo, classes *a, classes *b,
                       classes *total)
{
    clear(a);
    add(a, (uint32_t)(ops_mod(grid->in, wi) << 16 | ops_mod(grid->out, wo)), 1);
    int64_t times = 1;
    for (unsigned d = 0; d < grid->rank; d++) {
        int64_t p = period(&grid->dim[d], wi, wo);
        if (p == 1) {
            times *= grid->dim[d].n;
            continue;
        }
        if (!spread(a, b, &grid->dim[d], p, wi, wo))
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

static bool is_one_class(const ops_piece *grid, int64_t wi, int64_t wo)
{
    for (unsigned d = 0; d < grid->rank; d++)
        if (grid->dim[d].n > 1 && (grid->dim[d].in % wi || grid->dim[d].out % wo))
            return false;
    return true;
}

int64_t ops_count_batches(const ops_piece *grid, size_t count, int64_t in_width, int64_t out_width,
                          int64_t instances, int64_t most)
{
    if (count && grid->anywhere)
        in_width = out_width = 1;
    if (count == 1 && is_one_class(grid, in_width, out_width))
        return ops_ceil(ops_elements(grid), instances);
    classes work[3];
    for (unsigned i = 0; i < 3; i++) {
        work[i].round = 0;
        work[i].most = most < MOST ? (uint32_t)(most > 0 ? most : 1) : MOST;
        memset(work[i].slot, 0, sizeof work[i].slot);
    }
    clear(&work[2]);
    for (size_t i = 0; i < count; i++)
        if (!classes_of(&grid[i], in_width, out_width, &work[0], &work[1], &work[2]))
            return -1;
    int64_t batches = 0;
    for (uint32_t c = 0; c < work[2].used; c++)
        batches += ops_ceil(work[2].count[c], instances);
    return batches;
}
