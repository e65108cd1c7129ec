/* SPDX-License-Identifier: Apache-2.0
 * From an operator's index map to passes: what each kind of element needs, and in which order.
 */
#include "ops/lower/lower.h"

#include "ops/operators/table.h"

/* What each of the 16 nibbles becomes. */
static uint64_t nibble_table(const ops_call *call, unsigned src, uint64_t fill)
{
    uint64_t table = 0;
    if (src == OPS_FILL)
        return fill * UINT64_C(0x0101010101010101);
    if (!ops_does(call->op, OPS_ADDS))
        return OPS_UNCHANGED;
    for (unsigned k = 0; k < 16; k++)
        table |= (ztl_ops_add_value(ztl_isa_type(call->op->type), k, call->op->addend) & 15)
                 << 4 * k;
    return table;
}

/* Elements that no instruction can move: nibbles at odd places. */
static void lower_scalar(ops_planner *planner, const ops_call *call, const ops_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        const ops_piece *piece = &map->piece[i];
        ops_pass pass = {.kind = OPS_PASS_SCALAR,
                         .src = piece->src,
                         .dst = piece->dst,
                         .element = map->element,
                         .value = {nibble_table(call, piece->src, planner->fill[0])},
                         .in = piece->in,
                         .out = piece->out,
                         .loops = piece->rank};
        memcpy(pass.loop, piece->dim, sizeof pass.loop);
        if (ztl_ops_write_head(planner->draft, &pass))
            planner->draft->plan->stats.scalar += (uint64_t)ztl_ops_elements(piece);
    }
}

/* Groups pieces with the same buffers, in the order of the first of each group. */
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

/* The moves of a stage, and its constants: these come first, so that moves may overwrite them, or
 * last, if they overwrite moves. */
static void lower_stage(ops_planner *planner, const ops_call *call, ops_map *map)
{
    size_t kept = 0, fills = 0, high = planner->arena->high;
    for (size_t i = 0; i < map->count; i++)
        fills += map->piece[i].src == OPS_FILL;
    ops_piece *fill = ztl_ops_borrow(planner->arena, fills * sizeof *fill);
    fills = 0;
    for (size_t i = 0; fill && i < map->count; i++)
        if (map->piece[i].src == OPS_FILL)
            fill[fills++] = map->piece[i];
        else
            map->piece[kept++] = map->piece[i];
    map->count = kept;
    sort_pieces(map);
    ztl_ops_lower_pieces(planner, call, map, fill, fills);
    planner->arena->high = high;
}

/* Which pieces come first: those to scratch memory, then those within it, then all others. */
static unsigned stage_of(const ops_piece *piece)
{
    return piece->dst != OPS_SCRATCH ? 2 : piece->src == OPS_SCRATCH;
}

/* An operator may go through scratch memory by itself: all of that comes before what reads it. */
static void lower_bytes(ops_planner *planner, const ops_call *call, ops_map *map)
{
    ops_map stage = *map;
    size_t left = map->count;
    do {
        stage.count = 0;
        while (stage.count < left && stage_of(&stage.piece[stage.count]) == stage_of(stage.piece))
            stage.count++;
        size_t count = stage.count; /* lowering drops the constants */
        lower_stage(planner, call, &stage);
        left -= count;
        if (left) /* else there may be no pieces at all */
            stage.piece += count;
    } while (left);
}

/* Nibbles: directly, or one to a byte in scratch memory. */
static void lower_nibbles(ops_planner *planner, const ops_call *call, ops_map *map)
{
    ops_unpacked unpacked;
    ops_nibbles nibbles;
    bool selects = ops_does(call->op, OPS_SELECTS);
    size_t high = planner->arena->high;
    bool fits = ztl_ops_nibbles_cut(planner, map, &nibbles);
    bool suits =
        fits && !selects && ztl_ops_nibbles_suit(planner, &nibbles, ztl_ops_unpacked_singles(call));
    bool unpacks = !suits && ztl_ops_unpack_nibbles(planner, call, map, &unpacked);
    if (unpacks) {
        sort_pieces(map);
        ztl_ops_lower_pieces(planner, call, map, NULL, 0);
    } else if (!fits) {
        lower_scalar(planner, call, map);
    } else {
        planner->element = 1;
        lower_bytes(planner, call, &nibbles.part[OPS_NIBBLES_BYTES]);
        ztl_ops_nibbles_write(planner, &nibbles);
        lower_scalar(planner, call, &nibbles.part[OPS_NIBBLES_SINGLE]);
    }
    if (selects)
        ztl_ops_lower_where(planner, call, unpacks ? &unpacked : NULL);
    if (unpacks)
        ztl_ops_repack(planner, call, &unpacked);
    planner->arena->high = high;
}

/* All pieces of the first constant, or none of it. */
static void lower_map(ops_planner *planner, const ops_call *call, ops_map *map)
{
    if (map->element == 0 && !ops_does(call->op, OPS_SELECTS)) /* which selects single nibbles */
        ztl_ops_to_bytes(map);
    if (map->element > 8)
        ztl_ops_to_words(map);
    planner->element = map->element;
    if (!map->element) {
        lower_nibbles(planner, call, map);
        return;
    }
    lower_bytes(planner, call, map);
    if (ops_does(call->op, OPS_SELECTS))
        ztl_ops_lower_where(planner, call, NULL);
}

/* The second constant, over what is there already: never all of the output. */
static void lower_second(ops_planner *planner, const ops_call *call, ops_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        map->piece[i].src = OPS_FILL;
    map->fills_last = true;
    planner->draft->has_constant = false;
    ztl_ops_set_fill(planner, call->op, OPS_FILL_ON, call->out->bits);
    if (map->element == 0 && !ztl_ops_to_bytes(map)) {
        lower_scalar(planner, call, map);
        return;
    }
    planner->element = map->element > 8 ? 8 : map->element;
    ops_map none = *map;
    none.count = 0;
    ztl_ops_lower_pieces(planner, call, &none, map->piece, map->count);
}

void ztl_ops_lower(ops_planner *planner, const ops_call *call, ops_map *map)
{
    ops_map second = *map;
    size_t first = 0;
    while (first < map->count && map->piece[first].src != OPS_FILL_ON)
        first++;
    if (first) /* operators add these last */
        second.piece += first;
    second.count -= first;
    map->count = first;
    ztl_ops_set_fill(planner, call->op, OPS_FILL, call->out->bits);
    lower_map(planner, call, map);
    if (second.count)
        lower_second(planner, call, &second);
    ztl_ops_lower_indexed(planner, call);
}
