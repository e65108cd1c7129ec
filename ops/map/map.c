/* SPDX-License-Identifier: Apache-2.0
 * Index maps: building them, and their canonical form.
 */
#include "ops/map/map.h"

int64_t ztl_ops_gcd(int64_t a, int64_t b)
{
    a = ops_magnitude(a);
    b = ops_magnitude(b);
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Pieces are borrowed one below the other, so the array has the newest first. Those that do not fit
 * are counted too. */
ops_piece *ztl_ops_add_piece(ops_map *map, unsigned src, unsigned dst, int64_t in, int64_t out)
{
    ops_piece *piece = ztl_ops_borrow(map->arena, sizeof *piece);
    map->count++;
    map->constants += ops_is_constant(src);
    if (!piece)
        return NULL;
    map->piece = piece;
    *piece = (ops_piece){.src = src, .dst = dst, .in = in, .out = out};
    return piece;
}

void ztl_ops_add_dim(ops_piece *piece, int64_t n, int64_t in, int64_t out)
{
    if (piece)
        piece->dim[piece->rank++] = (ops_dim){n, in, out};
}

int64_t ztl_ops_elements(const ops_piece *piece)
{
    int64_t n = 1;
    for (unsigned d = 0; d < piece->rank; d++)
        n *= piece->dim[d].n;
    return n;
}

static void remove_dim(ops_piece *piece, unsigned d)
{
    for (piece->rank--; d < piece->rank; d++)
        piece->dim[d] = piece->dim[d + 1];
}

static bool is_inner(const ops_dim *a, const ops_dim *b)
{
    if (a->out != b->out)
        return a->out < b->out;
    return ops_magnitude(a->in) < ops_magnitude(b->in);
}

/* Outermost first, by the step in the target, which is made positive. */
static void sort_dims(ops_piece *piece)
{
    for (unsigned d = 0; d < piece->rank; d++) {
        ops_dim *dim = &piece->dim[d];
        if (dim->out < 0 || (dim->out == 0 && dim->in < 0)) {
            piece->in += (dim->n - 1) * dim->in;
            piece->out += (dim->n - 1) * dim->out;
            dim->in = -dim->in;
            dim->out = -dim->out;
        }
    }
    for (unsigned d = 1; d < piece->rank; d++)
        for (unsigned k = d; k > 0 && is_inner(&piece->dim[k - 1], &piece->dim[k]); k--) {
            ops_dim swap = piece->dim[k];
            piece->dim[k] = piece->dim[k - 1];
            piece->dim[k - 1] = swap;
        }
}

/* Joins an outer dimension with the inner one that it continues. */
static bool join_dims(ops_piece *piece)
{
    for (unsigned a = 0; a < piece->rank; a++)
        for (unsigned b = 0; b < piece->rank; b++) {
            ops_dim *outer = &piece->dim[a], *inner = &piece->dim[b];
            if (a == b || outer->in != inner->n * inner->in || outer->out != inner->n * inner->out)
                continue;
            inner->n *= outer->n;
            remove_dim(piece, a);
            return true;
        }
    return false;
}

void ztl_ops_canonical_piece(ops_piece *piece)
{
    for (unsigned d = 0; d < piece->rank;)
        if (piece->dim[d].n == 1)
            remove_dim(piece, d);
        else
            d++;
    sort_dims(piece);
    while (join_dims(piece)) {
    }
}

static bool may_join(const ops_map *map, const ops_piece *a, const ops_piece *b)
{
    if (map->keep_apart && !ops_is_constant(a->src) && a->dst != OPS_SCRATCH)
        return false;
    return a->src == b->src && a->dst == b->dst && a->rank == b->rank &&
           !memcmp(a->dim, b->dim, a->rank * sizeof a->dim[0]);
}

/* Pieces that are a constant step apart become one piece with a dimension more. */
static bool join_pieces(ops_map *map)
{
    size_t kept = 0;
    bool joined = false;
    for (size_t i = 0; i < map->count;) {
        ops_piece piece = map->piece[i];
        size_t n = 1;
        int64_t in = 0, out = 0;
        while (i + n < map->count && may_join(map, &piece, &map->piece[i + n])) {
            const ops_piece *last = &map->piece[i + n - 1], *next = last + 1;
            if (n == 1) {
                in = next->in - last->in;
                out = next->out - last->out;
            }
            if (next->in - last->in != in || next->out - last->out != out)
                break;
            n++;
        }
        if (n > 1 && piece.rank < OPS_MAP_DIMS) {
            ztl_ops_add_dim(&piece, (int64_t)n, in, out);
            ztl_ops_canonical_piece(&piece);
            joined = true;
        } else {
            n = 1;
        }
        map->piece[kept++] = piece;
        i += n;
    }
    map->count = kept;
    return joined;
}

/* Pieces were added newest first. */
void ztl_ops_in_order(ops_map *map)
{
    for (size_t i = 0; i < map->count / 2; i++) {
        ops_piece swap = map->piece[i];
        map->piece[i] = map->piece[map->count - 1 - i];
        map->piece[map->count - 1 - i] = swap;
    }
}

void ztl_ops_canonical(ops_map *map)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++)
        if (ztl_ops_elements(&map->piece[i]) > 0)
            map->piece[kept++] = map->piece[i];
    map->count = kept;
    for (size_t i = 0; i < map->count; i++)
        ztl_ops_canonical_piece(&map->piece[i]);
    while (join_pieces(map)) {
    }
}

static bool is_even(const ops_piece *piece)
{
    bool has_run = false;
    int64_t odd = piece->in | piece->out;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        if (!has_run && (dim->in == 1 || ops_is_constant(piece->src)) && dim->out == 1 &&
            dim->n % 2 == 0)
            has_run = true;
        else
            odd |= dim->in | dim->out;
    }
    return has_run && (odd & 1) == 0;
}

bool ztl_ops_to_bytes(ops_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        if (!is_even(&map->piece[i]))
            return false;
    for (size_t i = 0; i < map->count; i++) {
        ops_piece *piece = &map->piece[i];
        piece->in /= 2;
        piece->out /= 2;
        for (unsigned d = 0; d < piece->rank; d++) {
            ops_dim *dim = &piece->dim[d];
            if (dim->out == 1) {
                dim->n /= 2;
            } else {
                dim->in /= 2;
                dim->out /= 2;
            }
        }
    }
    map->element = 1;
    ztl_ops_canonical(map);
    return true;
}

void ztl_ops_to_words(ops_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        if (!ops_is_constant(map->piece[i].src))
            ztl_ops_add_dim(&map->piece[i], map->element / 8, 8, 8);
    map->element = 8;
    ztl_ops_canonical(map);
}
