/* SPDX-License-Identifier: Apache-2.0
 * Lists of batches: instances of one class of residues after the other, sorted by stride vector so
 * that the CSRs are written once for each.
 */
#include "ops/pack/packing.h"

/* Heapsort: there is no memory for anything else. */
void ztl_ops_sort_by_key(uint32_t *index, size_t n, const uint64_t *key)
{
    for (size_t end = n, root = n / 2; end > 1;) {
        if (root > 0) {
            root--;
        } else {
            end--;
            uint32_t swap = index[0];
            index[0] = index[end];
            index[end] = swap;
        }
        for (size_t at = root, child; (child = 2 * at + 1) < end; at = child) {
            if (child + 1 < end && key[index[child]] < key[index[child + 1]])
                child++;
            if (key[index[at]] >= key[index[child]])
                break;
            uint32_t swap = index[at];
            index[at] = index[child];
            index[child] = swap;
        }
    }
}

/* The residue class of an instance: its source and target modulo the widths. */
static uint32_t class_key(uint32_t in, uint32_t out)
{
    return in << 16 | out;
}

/* A step along a dimension, or back from its end to its start: how it changes the residues. */
typedef struct residue_step {
    uint32_t in, out;
} residue_step;

static residue_step step_of(const ops_tile *tile, const ops_dim *dim, int64_t steps)
{
    int64_t wi = tile->in_width, wo = tile->out_width;
    return (residue_step){(uint32_t)ops_mod(dim->in % wi * (steps % wi), wi),
                          (uint32_t)ops_mod(dim->out % wo * (steps % wo), wo)};
}

/* The instances of all grids, one after the other, innermost dimension first. */
typedef struct stream {
    const ops_tile *tile;
    const ops_piece *grid;
    size_t grids; /* from this one on */
    ops_instance at;
    uint32_t in, out; /* the residues of the instance */
    int64_t index[OPS_DIMS];
    residue_step step[OPS_DIMS], back[OPS_DIMS];
} stream;

static void start_grid(stream *s)
{
    if (!s->grids)
        return;
    s->at = (ops_instance){s->grid->in, s->grid->out};
    s->in = (uint32_t)ops_mod(s->at.in, s->tile->in_width);
    s->out = (uint32_t)ops_mod(s->at.out, s->tile->out_width);
    for (unsigned d = 0; d < s->grid->rank; d++) {
        const ops_dim *dim = &s->grid->dim[d];
        s->index[d] = 0;
        s->step[d] = step_of(s->tile, dim, 1);
        s->back[d] = step_of(s->tile, dim, 1 - dim->n);
    }
}

static void add_residues(stream *s, residue_step by)
{
    uint32_t wi = s->tile->in_width, wo = s->tile->out_width;
    s->in += by.in;
    s->in -= s->in < wi ? 0 : wi;
    s->out += by.out;
    s->out -= s->out < wo ? 0 : wo;
}

static void next_instance(stream *s)
{
    for (unsigned d = s->grid->rank; d-- > 0;) {
        const ops_dim *dim = &s->grid->dim[d];
        bool goes_on = ++s->index[d] < dim->n;
        int64_t steps = goes_on ? 1 : 1 - dim->n;
        s->at.in += dim->in * steps;
        s->at.out += dim->out * steps;
        add_residues(s, goes_on ? s->step[d] : s->back[d]);
        if (goes_on)
            return;
        s->index[d] = 0;
    }
    s->grid++;
    s->grids--;
    start_grid(s);
}

/* A hash table of numbers: that of an equal thing seen before, or the next one. */
typedef struct numbering {
    uint32_t *slot;
    size_t slots; /* a power of two */
} numbering;

static void clear_numbering(numbering *table)
{
    memset(table->slot, 0, table->slots * sizeof *table->slot);
}

static bool start_numbering(ops_arena *arena, numbering *table, size_t things)
{
    table->slots = 64;
    while (table->slots < 2 * things)
        table->slots *= 2;
    table->slot = ztl_ops_borrow(arena, table->slots * sizeof *table->slot);
    if (table->slot)
        clear_numbering(table);
    return table->slot;
}

static uint32_t hash_words(const int32_t *word, size_t n)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)word[i]) * 16777619u + (hash >> 15);
    return hash ^ hash >> 16;
}

static uint32_t number_vector(numbering *table, ops_vector *known, uint32_t *used,
                              const ops_vector *vector, unsigned slices)
{
    size_t at = hash_words(vector->stride, slices) & (table->slots - 1);
    for (; table->slot[at]; at = (at + 1) & (table->slots - 1))
        if (!memcmp(&known[table->slot[at] - 1], vector, sizeof *vector))
            return table->slot[at] - 1;
    known[*used] = *vector;
    table->slot[at] = ++*used;
    return *used - 1;
}

/* Numbers of residue classes: by a direct table if that is small, else by hash. */
typedef struct class_numbers {
    numbering table;
    uint32_t *known, used;
    bool is_direct;
    uint32_t wo;
} class_numbers;

static bool start_classes(ops_arena *arena, class_numbers *all, const ops_tile *tile, size_t most)
{
    size_t places = (size_t)tile->in_width * tile->out_width;
    *all = (class_numbers){.wo = tile->out_width, .is_direct = places <= 4 * most};
    all->known = ztl_ops_borrow(arena, most * sizeof *all->known);
    return start_numbering(arena, &all->table, all->is_direct ? (places + 1) / 2 : most) &&
           !arena->full;
}

static void clear_classes(class_numbers *all)
{
    all->used = 0;
    clear_numbering(&all->table);
}

/* The number of a class: that of an equal one, or the next. */
static uint32_t number_class(class_numbers *all, uint32_t key)
{
    numbering *table = &all->table;
    if (all->is_direct) {
        uint32_t *slot = &table->slot[(key >> 16) * all->wo + (key & 0xffff)];
        if (!*slot)
            all->known[all->used++] = key;
        *slot = *slot ? *slot : all->used;
        return *slot - 1;
    }
    size_t at = (key * 2654435761u >> 7) & (table->slots - 1);
    for (; table->slot[at]; at = (at + 1) & (table->slots - 1))
        if (all->known[table->slot[at] - 1] == key)
            return table->slot[at] - 1;
    all->known[all->used] = key;
    table->slot[at] = ++all->used;
    return all->used - 1;
}

/* The batches of a list while they are collected. */
typedef struct collection {
    ops_batch *batch;
    uint64_t *key; /* load vector, store vector, number */
    uint32_t *order;
    ops_vector *vector;
    uint32_t batches, vectors, most, most_vectors;
    numbering table;
} collection;

static size_t at_most(int64_t n, size_t most)
{
    return n < (int64_t)most ? (size_t)n : most;
}

static bool start_collection(ops_arena *arena, collection *all, size_t batches)
{
    size_t vectors = at_most(2 * (int64_t)batches, OPS_LISTED_VECTORS);
    *all = (collection){.most = (uint32_t)batches, .most_vectors = (uint32_t)vectors};
    all->batch = ztl_ops_borrow(arena, batches * sizeof *all->batch);
    all->key = ztl_ops_borrow(arena, batches * sizeof *all->key);
    all->order = ztl_ops_borrow(arena, batches * sizeof *all->order);
    all->vector = ztl_ops_borrow(arena, vectors * sizeof *all->vector);
    return start_numbering(arena, &all->table, vectors) && !arena->full;
}

/* How many batches begin less than a cache line from the one before, in the source or the target.
 * */
static uint32_t count_neighbours(const collection *all)
{
    enum { CACHE_LINE = 64 };
    uint32_t count = 0;
    for (uint32_t i = 1; i < all->batches; i++) {
        const ops_batch *a = &all->batch[all->order[i - 1]], *b = &all->batch[all->order[i]];
        int64_t in = b->in - a->in, out = b->out - a->out;
        count += (in < CACHE_LINE && -in < CACHE_LINE) || (out < CACHE_LINE && -out < CACHE_LINE);
    }
    return count;
}

/* Sorts by stride vectors, then in the order of collection, or by source address if more batches
 * then share cache lines with the one before. */
static void order_batches(ops_arena *arena, collection *all)
{
    uint64_t *source = ztl_ops_borrow(arena, all->batches * sizeof *source);
    ztl_ops_sort_by_key(all->order, all->batches, all->key);
    if (!source)
        return;
    uint32_t before = count_neighbours(all);
    for (uint32_t i = 0; i < all->batches; i++)
        source[i] = (uint64_t)all->batch[i].in + INT64_MAX;
    ztl_ops_sort_by_key(all->order, all->batches, source);
    for (uint32_t i = 0; i < all->batches; i++)
        source[all->order[i]] = (all->key[all->order[i]] & ~UINT64_C(0x1fffff)) | i;
    ztl_ops_sort_by_key(all->order, all->batches, source);
    if (count_neighbours(all) <= before)
        ztl_ops_sort_by_key(all->order, all->batches, all->key);
}

/* The batches that were collected, as a pass; then there are none. */
static void write_list(const ops_packing *p, collection *all)
{
    ops_arena *arena = p->draft->arena;
    size_t high = arena->high;
    ops_batch *batch = ztl_ops_borrow(arena, all->batches * sizeof *batch);
    ops_group *group = ztl_ops_borrow(arena, all->batches * sizeof *group);
    if (!batch || !group)
        return;
    order_batches(arena, all);
    ops_pass pass = *p->form;
    pass.slices = p->tile->slices;
    pass.vectors = all->vectors;
    pass.batches = all->batches;
    for (uint32_t i = 0; i < all->batches; i++) {
        uint64_t key = all->key[all->order[i]];
        if (!i || key >> 21 != all->key[all->order[i - 1]] >> 21)
            group[pass.groups++] = (ops_group){
                .load = (uint32_t)(key >> 42), .store = key >> 21 & 0x1fffff, .first = i};
        group[pass.groups - 1].count++;
    }
    ztl_ops_order_groups(&pass, all->vector, group);
    for (uint32_t g = 0, n = 0; g < pass.groups; g++) {
        const uint32_t *order = all->order + group[g].first;
        group[g].first = n;
        for (uint32_t i = 0; i < group[g].count; i++)
            batch[n++] = all->batch[order[i]];
    }
    ztl_ops_write_pass(p->draft, &pass, p->insn, all->vector, group, batch);
    all->batches = all->vectors = 0;
    clear_numbering(&all->table);
    arena->high = high;
}

/* Whether strides reach from the first instance to all others. */
static bool reaches(const ops_tile *tile, const ops_instance *at, unsigned present)
{
    bool all = true;
    for (unsigned i = 1; i < present; i++)
        all = all && ops_magnitude(at[i].in - at[0].in) / tile->width <= ops_reach_of(tile) &&
              ops_magnitude(at[i].out - at[0].out) / tile->store_width <= ops_reach_of(tile);
    return all;
}

/* A batch, or two halves of it where strides do not reach. */
static bool collect(const ops_packing *p, collection *all, const ops_instance *at, unsigned present)
{
    ops_vector load, store;
    if (!reaches(p->tile, at, present))
        return collect(p, all, at, present / 2) &&
               collect(p, all, at + present / 2, present - present / 2);
    if (p->counted) {
        *p->counted += ops_loop_runs(p->form);
        return true;
    }
    if (!ztl_ops_vectors_of(p->tile, at, present, p->tile->slices, &load, &store))
        return false;
    if (all->batches == all->most || all->vectors + 2 > all->most_vectors)
        write_list(p, all);
    if (p->draft->arena->full)
        return false;
    uint64_t a = number_vector(&all->table, all->vector, &all->vectors, &load, p->tile->slices);
    uint64_t b = number_vector(&all->table, all->vector, &all->vectors, &store, p->tile->slices);
    all->batch[all->batches] = (ops_batch){at[0].in, at[0].out};
    all->order[all->batches] = all->batches;
    all->key[all->batches] = a << 42 | b << 21 | all->batches;
    all->batches++;
    return true;
}

/* The instances of a list that are in memory. */
typedef struct listing {
    const ops_packing *p;
    stream from;
    size_t n, room;
    ops_instance *list;
    uint32_t *class_of, *order, *first;
    class_numbers classes;
    collection all;
} listing;

/* Marks instances that wait for others of their class. */
enum { KEPT = 1 << 30 };

/* The batches of a class. The last one is filled up with instances of the one before: moving them
 * again is harmless, and mostly keeps the stride vectors. Or it is kept for what is still to come.
 */
static bool collect_class(listing *l, size_t first, size_t end, bool is_last)
{
    ops_instance at[OPS_SLICES];
    size_t full = l->p->tile->instances;
    bool fits = true;
    for (size_t i = first; i < end; i += full) {
        if (end - i < full && !is_last) {
            for (size_t k = i; k < end; k++)
                l->class_of[l->order[k]] |= KEPT;
            break;
        }
        size_t from = end - i < full && end - first >= full ? end - full : i;
        unsigned present = (unsigned)(end - from < full ? end - from : full);
        for (unsigned k = 0; k < present; k++)
            at[k] = l->list[l->order[from + k]];
        fits = fits && collect(l->p, &l->all, at, present);
    }
    return fits;
}

/* Numbers the classes, and orders the instances by class: a counting sort. */
static void sort_classes(listing *l)
{
    clear_classes(&l->classes);
    memset(l->first, 0, (l->room + 1) * sizeof *l->first);
    for (size_t i = 0; i < l->n; i++) {
        l->class_of[i] = number_class(&l->classes, l->class_of[i]);
        l->first[l->class_of[i] + 1]++;
    }
    for (uint32_t c = 0; c < l->classes.used; c++)
        l->first[c + 1] += l->first[c];
    for (size_t i = 0; i < l->n; i++)
        l->order[l->first[l->class_of[i]]++] = (uint32_t)i;
}

/* As many instances as fit, all batches of them, and what is left of each class goes to the start.
 */
static bool list_some(listing *l)
{
    for (; l->n < l->room && l->from.grids; l->n++) {
        l->list[l->n] = l->from.at;
        l->class_of[l->n] = class_key(l->from.in, l->from.out);
        next_instance(&l->from);
    }
    sort_classes(l);
    bool fits = true, is_last = !l->from.grids || l->classes.used * l->p->tile->instances > l->room;
    for (size_t c = 0, i = 0; c < l->classes.used; i = l->first[c++])
        fits = fits && collect_class(l, i, l->first[c], is_last);
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (!(l->class_of[i] & KEPT))
            continue;
        l->list[kept] = l->list[i];
        l->class_of[kept++] = l->classes.known[l->class_of[i] & (KEPT - 1)];
    }
    l->n = kept;
    return fits;
}

static size_t most_classes(const ops_packing *p, int64_t batches, size_t held)
{
    size_t places = at_most((int64_t)p->tile->in_width * p->tile->out_width, held);
    return batches < 0 ? places : at_most(batches, places);
}

size_t ztl_ops_list_bytes(const ops_packing *p, int64_t n, int64_t batches)
{
    size_t held = at_most(n, OPS_LISTED), most = (size_t)(batches < 0 ? n : batches),
           once = at_most((int64_t)most, OPS_LISTED_BATCHES),
           vectors = at_most(2 * (int64_t)once, OPS_LISTED_VECTORS);
    size_t instance = sizeof(ops_instance) + 3 * sizeof(uint32_t), class = 9 * sizeof(uint32_t);
    size_t batch =
               2 * sizeof(ops_batch) + sizeof(ops_group) + 2 * sizeof(uint64_t) + sizeof(uint32_t),
           vector = sizeof(ops_vector) + 4 * sizeof(uint32_t);
    return held * instance + most_classes(p, batches, held) * class + once * batch +
           vectors * vector + most * (sizeof(ops_batch) + sizeof(ops_group)) + 4096;
}

void ztl_ops_pack_list(const ops_packing *p, const ops_piece *grid, size_t grids, int64_t batches)
{
    ops_arena *arena = p->draft->arena;
    size_t high = arena->high;
    int64_t n = 0;
    for (size_t i = 0; i < grids; i++)
        n += ztl_ops_elements(&grid[i]);
    p->draft->effort += (uint64_t)n;
    listing l = {.p = p,
                 .from = {.tile = p->tile, .grid = grid, .grids = grids},
                 .room = at_most(n, OPS_LISTED)};
    l.list = ztl_ops_borrow(arena, l.room * sizeof *l.list);
    l.order = ztl_ops_borrow(arena, l.room * sizeof *l.order);
    l.class_of = ztl_ops_borrow(arena, l.room * sizeof *l.class_of);
    l.first = ztl_ops_borrow(arena, (l.room + 1) * sizeof *l.first);
    bool fits =
        start_classes(arena, &l.classes, p->tile, most_classes(p, batches, l.room)) &&
        start_collection(arena, &l.all, at_most(batches < 0 ? n : batches, OPS_LISTED_BATCHES));
    start_grid(&l.from);
    while (fits && l.from.grids)
        fits = list_some(&l);
    if (fits && !p->counted)
        write_list(p, &l.all);
    arena->full |= !fits;
    arena->high = high;
}
