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

/* Appends the instances of a grid, innermost dimension first, and their residue classes. */
static size_t list_grid(const ops_tile *tile, const ops_piece *grid, ops_instance *list,
                        uint32_t *class_of, size_t n)
{
    uint32_t wi = tile->in_width, wo = tile->out_width;
    size_t first = n;
    list[n] = (ops_instance){grid->in, grid->out};
    class_of[n++] = class_key((uint32_t)ops_mod(grid->in, wi), (uint32_t)ops_mod(grid->out, wo));
    for (unsigned d = grid->rank; d-- > 0;) {
        const ops_dim dim = grid->dim[d];
        uint32_t in_step = (uint32_t)ops_mod(dim.in, wi), out_step = (uint32_t)ops_mod(dim.out, wo);
        size_t block = n - first;
        for (size_t end = n + block * (size_t)(dim.n - 1); n < end; n++) {
            uint32_t in = (class_of[n - block] >> 16) + in_step;
            uint32_t out = (class_of[n - block] & 0xffff) + out_step;
            class_of[n] = class_key(in < wi ? in : in - wi, out < wo ? out : out - wo);
            list[n] = (ops_instance){list[n - block].in + dim.in, list[n - block].out + dim.out};
        }
    }
    return n;
}

/* A hash table of numbers: that of an equal thing seen before, or the next one. */
typedef struct numbering {
    uint32_t *slot;
    size_t slots; /* a power of two */
} numbering;

static bool start_numbering(ops_arena *arena, numbering *table, size_t things)
{
    table->slots = 64;
    while (table->slots < 2 * things)
        table->slots *= 2;
    table->slot = ztl_ops_borrow(arena, table->slots * sizeof *table->slot);
    if (table->slot)
        memset(table->slot, 0, table->slots * sizeof *table->slot);
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

/* The number of a class: that of an equal one, or the next. */
static uint32_t number_class(class_numbers *all, uint32_t key)
{
    numbering *table = &all->table;
    if (all->is_direct) {
        uint32_t *slot = &table->slot[(key >> 16) * all->wo + (key & 0xffff)];
        *slot = *slot ? *slot : ++all->used;
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

/* Orders the list by class (a counting sort), and returns how many batches that makes. */
static size_t sort_classes(const ops_packing *p, size_t n, uint32_t *order, uint32_t *class_of)
{
    ops_arena *arena = p->draft->arena;
    int64_t wi = p->tile->in_width, wo = p->tile->out_width;
    size_t most = (int64_t)n < wi * wo ? n : (size_t)(wi * wo);
    uint32_t *first = ztl_ops_borrow(arena, (most + 1) * sizeof *first);
    class_numbers all;
    if (!start_classes(arena, &all, p->tile, most))
        return 0;
    memset(first, 0, (most + 1) * sizeof *first);
    for (size_t i = 0; i < n; i++) {
        class_of[i] = number_class(&all, class_of[i]);
        first[class_of[i] + 1]++;
    }
    size_t batches = 0;
    for (uint32_t c = 0; c < all.used; c++) {
        batches += (size_t)ops_ceil(first[c + 1], p->tile->instances);
        first[c + 1] += first[c];
    }
    for (size_t i = 0; i < n; i++)
        order[first[class_of[i]]++] = (uint32_t)i;
    return batches;
}

/* The batches of a list while they are collected. */
typedef struct collection {
    ops_batch *batch;
    uint64_t *key; /* load vector, store vector, number */
    uint32_t *order;
    ops_vector *vector;
    uint32_t batches, vectors;
    numbering table;
} collection;

static bool start_collection(ops_arena *arena, collection *all, size_t batches)
{
    memset(all, 0, sizeof *all);
    all->batch = ztl_ops_borrow(arena, batches * sizeof *all->batch);
    all->key = ztl_ops_borrow(arena, batches * sizeof *all->key);
    all->order = ztl_ops_borrow(arena, batches * sizeof *all->order);
    all->vector = ztl_ops_borrow(arena, 2 * batches * sizeof *all->vector);
    return start_numbering(arena, &all->table, 2 * batches) && !arena->full;
}

static bool collect(const ops_packing *p, collection *all, const ops_instance *at, unsigned present)
{
    ops_vector load, store;
    if (!ztl_ops_vectors_of(p->tile, at, present, p->tile->slices, &load, &store))
        return false;
    uint64_t a = number_vector(&all->table, all->vector, &all->vectors, &load, p->tile->slices);
    uint64_t b = number_vector(&all->table, all->vector, &all->vectors, &store, p->tile->slices);
    all->batch[all->batches] = (ops_batch){at[0].in, at[0].out};
    all->order[all->batches] = all->batches;
    all->key[all->batches] = a << 42 | b << 21 | all->batches;
    all->batches++;
    return true;
}

/* The batches of a class. The last one is filled up with instances of the one before: moving them
 * again is harmless, and mostly keeps the stride vectors. */
static bool collect_class(const ops_packing *p, collection *all, const ops_instance *list,
                          const uint32_t *order, size_t first, size_t end)
{
    ops_instance at[OPS_SLICES];
    size_t full = p->tile->instances;
    bool fits = true;
    for (size_t i = first; i < end; i += full) {
        size_t from = end - i < full && end - first >= full ? end - full : i;
        unsigned present = (unsigned)(end - from < full ? end - from : full);
        for (unsigned k = 0; k < present; k++)
            at[k] = list[order[from + k]];
        fits &= collect(p, all, at, present);
    }
    return fits;
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

static void write_list(const ops_packing *p, collection *all)
{
    ops_arena *arena = p->draft->arena;
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
}

/* Whether the stride from the first instance of a batch to this one fits a CSR. */
static bool is_near(const ops_tile *tile, const ops_instance *first, const ops_instance *at)
{
    int64_t in = (at->in - first->in) / (int64_t)tile->width,
            out = (at->out - first->out) / (int64_t)tile->store_width;
    int64_t most = INT32_MAX / 2; /* half of the range is left for the slices of an instance */
    return in <= most && in >= -most && out <= most && out >= -most;
}

/* The same, with only instances in reach of each other's strides together. */
static bool collect_near(const ops_packing *p, collection *all, const ops_instance *list,
                         const uint32_t *order, size_t n, const uint32_t *class_of)
{
    ops_instance at[OPS_SLICES];
    unsigned present = 0;
    bool fits = true;
    for (size_t i = 0; i < n; i++) {
        at[present++] = list[order[i]];
        bool ends = i + 1 == n || class_of[order[i]] != class_of[order[i + 1]] ||
                    !is_near(p->tile, at, &list[order[i + 1]]);
        if (ends || present == p->tile->instances) {
            fits &= collect(p, all, at, present);
            present = 0;
        }
    }
    return fits;
}

size_t ztl_ops_list_bytes(const ops_packing *p, int64_t n, int64_t batches)
{
    int64_t places = (int64_t)p->tile->in_width * p->tile->out_width;
    int64_t classes = n < places ? n : places, most = batches < 0 ? n : batches;
    size_t instance = sizeof(ops_instance) + 2 * sizeof(uint32_t), each = 10 * sizeof(uint32_t);
    size_t batch = 3 * sizeof(ops_batch) + 2 * sizeof(ops_group) + 2 * sizeof(ops_vector) +
                   2 * sizeof(uint64_t) + 17 * sizeof(uint32_t);
    return (size_t)n * instance + (size_t)classes * each + (size_t)most * batch + 4096;
}

void ztl_ops_pack_list(const ops_packing *p, const ops_piece *grid, size_t grids)
{
    ops_arena *arena = p->draft->arena;
    size_t high = arena->high, n = 0;
    for (size_t i = 0; i < grids; i++)
        n += (size_t)ztl_ops_elements(&grid[i]);
    p->draft->effort += n;
    ops_instance *list = ztl_ops_borrow(arena, n * sizeof *list);
    uint32_t *order = ztl_ops_borrow(arena, n * sizeof *order);
    uint32_t *class_of = ztl_ops_borrow(arena, n * sizeof *class_of);
    if (arena->full)
        return;
    n = 0;
    for (size_t i = 0; i < grids; i++)
        n = list_grid(p->tile, &grid[i], list, class_of, n);
    collection all;
    size_t batches = sort_classes(p, n, order, class_of);
    if (arena->full || !start_collection(arena, &all, batches))
        return;
    bool fits = true;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && class_of[order[end]] == class_of[order[i]];)
            end++;
        fits &= collect_class(p, &all, list, order, i, end);
    }
    if (!fits)
        fits = start_collection(arena, &all, n) && collect_near(p, &all, list, order, n, class_of);
    if (fits)
        write_list(p, &all);
    else
        arena->full = true;
    arena->high = high;
}
