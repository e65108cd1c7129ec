/* SPDX-License-Identifier: Apache-2.0
 * Nibbles through scratch memory: the inputs are unpacked to one nibble a byte, the map works on
 * these bytes, and the outputs are packed again. The high nibble of such a byte may be anything.
 */
#include "ops/lower/lower.h"

#include "ops/format/insn.h"
#include "ops/operators/table.h"

/* With fewer elements, single moves take fewer instructions than setting up the passes; with
 * shorter rows of the output, each of which is stored by itself, too. */
enum { LEAST_ELEMENTS = 64, LEAST_ROW = 8 };

/* A tensor as a piece with equal source and target. */
static ops_piece piece_of(const ztl_ops_tensor *tensor)
{
    ops_piece piece = {.in = tensor->offset, .out = tensor->offset};
    for (unsigned d = 0; d < tensor->rank; d++)
        ztl_ops_add_dim(&piece, tensor->extent[d], tensor->stride[d], tensor->stride[d]);
    ztl_ops_canonical_piece(&piece);
    return piece;
}

/* An output as rows of nibbles; false where it has none, or short ones. */
static bool rows_of(const ztl_ops_tensor *out, ops_piece *rows)
{
    *rows = piece_of(out);
    if (!rows->rank || rows->dim[rows->rank - 1].out != 1)
        return false;
    return rows->rank == 1 || rows->dim[rows->rank - 1].n >= LEAST_ROW;
}

int64_t ztl_ops_unpacked_singles(const ops_call *call)
{
    int64_t singles = 0;
    for (size_t i = 0; i < call->outputs; i++) {
        ops_piece rows;
        if (!ztl_ops_tensor_elements(&call->out[i]) || !rows_of(&call->out[i], &rows))
            continue;
        int64_t length = rows.dim[rows.rank - 1].n, odd = 0;
        for (unsigned d = 0; d + 1 < rows.rank; d++)
            odd |= rows.dim[d].out & 1;
        int64_t ends = odd ? 1 : (rows.out & 1) + ((rows.out + length) & 1); /* 1: on average */
        singles += ends * (ztl_ops_elements(&rows) / length);
    }
    return singles;
}

static void include(ops_unpacked_buffer *buffer, const ops_piece *piece, bool is_source)
{
    int64_t low = is_source ? piece->in : piece->out, high = low;
    for (unsigned d = 0; d < piece->rank; d++) {
        int64_t step = is_source ? piece->dim[d].in : piece->dim[d].out;
        *(step < 0 ? &low : &high) += (piece->dim[d].n - 1) * step;
    }
    low &= ~INT64_C(1);
    high = (high + 2) & ~INT64_C(1);
    if (buffer->low == buffer->high)
        *buffer = (ops_unpacked_buffer){.low = low, .high = high};
    buffer->low = low < buffer->low ? low : buffer->low;
    buffer->high = high > buffer->high ? high : buffer->high;
}

/* Which part of each buffer is used, and whether unpacking it is worth while. */
static bool look(const ops_call *call, const ops_map *map, ops_unpacked *unpacked)
{
    int64_t elements = 0, bytes = 0;
    memset(unpacked, 0, sizeof *unpacked);
    for (size_t i = 0; i < map->count; i++) {
        const ops_piece *piece = &map->piece[i];
        elements += ztl_ops_elements(piece);
        include(&unpacked->buffer[piece->dst], piece, false);
        if (piece->src != OPS_FILL)
            include(&unpacked->buffer[piece->src], piece, true);
    }
    if (ops_does(call->op, OPS_SELECTS)) {
        ops_piece value = piece_of(&call->in[1]);
        include(&unpacked->buffer[1], &value, true);
    }
    for (unsigned b = 0; b < OPS_OUT; b++)
        bytes += unpacked->buffer[b].high - unpacked->buffer[b].low;
    return elements >= LEAST_ELEMENTS && bytes / 16 <= elements;
}

/* Scratch memory for all of them; false where there is not enough. */
static bool lay_out(ops_planner *planner, ops_unpacked *unpacked)
{
    uint64_t top = planner->scratch_top;
    for (unsigned b = 0; b < sizeof unpacked->buffer / sizeof unpacked->buffer[0]; b++) {
        ops_unpacked_buffer *buffer = &unpacked->buffer[b];
        buffer->base = (int64_t)top;
        top += ((uint64_t)(buffer->high - buffer->low) + 63) & ~UINT64_C(63);
    }
    if (top > planner->scratch_limit)
        return false;
    planner->scratch_top = top;
    if (planner->draft->plan->scratch < top)
        planner->draft->plan->scratch = top;
    return true;
}

static int64_t unpacked_at(const ops_unpacked_buffer *buffer, int64_t nibble)
{
    return buffer->base + nibble - buffer->low;
}

int64_t ztl_ops_unpacked_at(const ops_unpacked *unpacked, unsigned buffer, int64_t nibble)
{
    return unpacked_at(&unpacked->buffer[buffer], nibble);
}

static void write_pass(ops_planner *planner, const ops_pass *form)
{
    ztl_ops_stats *stats = &planner->draft->plan->stats;
    uint64_t runs = 1;
    for (unsigned d = 0; d < form->loops; d++)
        runs *= (uint64_t)form->loop[d].n;
    if (!ztl_ops_write_head(planner->draft, form))
        return;
    if (form->kind == OPS_PASS_SCALAR) {
        stats->scalar += runs;
        return;
    }
    bool pair = ops_fills_pair(form);
    ztl_ops_count(stats, OPS_START_NIBBLES, 1);
    if (form->kind == OPS_PASS_PACK)
        ztl_ops_count(stats, pair ? OPS_PACK_PAIR : OPS_PACK, runs);
    else
        ztl_ops_count(stats, pair ? OPS_UNPACK_PAIR : OPS_UNPACK, runs);
}

/* Runs of packed bytes in blocks; the last one of a run overlaps the one before. */
static void write_blocks(ops_planner *planner, ops_pass form, int64_t bytes)
{
    int64_t block = bytes >= OPS_BLOCK ? OPS_BLOCK : bytes >= OPS_BLOCK / 2 ? OPS_BLOCK / 2 : bytes;
    int64_t in = form.kind == OPS_PASS_PACK ? 2 : 1, out = form.kind == OPS_PASS_PACK ? 1 : 2;
    if (bytes == 0)
        return;
    form.load_width = (uint32_t)(block * in > OPS_BLOCK ? OPS_BLOCK : block * in);
    form.store_width = (uint32_t)(block * out > OPS_BLOCK ? OPS_BLOCK : block * out);
    ops_dim *blocks = &form.loop[form.loops++];
    *blocks = (ops_dim){bytes / block, block * in, block * out};
    write_pass(planner, &form);
    if (bytes % block == 0)
        return;
    form.in += (bytes - block) * in;
    form.out += (bytes - block) * out;
    blocks->n = 1;
    write_pass(planner, &form);
}

static void translate(const ops_unpacked *unpacked, ops_piece *piece)
{
    if (piece->src != OPS_FILL) {
        piece->in = unpacked_at(&unpacked->buffer[piece->src], piece->in);
        piece->src = OPS_SCRATCH;
    }
    piece->out = unpacked_at(&unpacked->buffer[piece->dst], piece->out);
    piece->dst = OPS_SCRATCH;
}

bool ztl_ops_unpack_nibbles(ops_planner *planner, const ops_call *call, ops_map *map,
                            ops_unpacked *unpacked)
{
    ops_piece rows;
    if (!planner->may_reload || !look(call, map, unpacked))
        return false;
    for (size_t i = 0; i < call->outputs; i++)
        if (ztl_ops_tensor_elements(&call->out[i]) && !rows_of(&call->out[i], &rows))
            return false;
    if (!lay_out(planner, unpacked))
        return false;
    for (unsigned b = 0; b < OPS_OUT; b++)
        write_blocks(planner,
                     (ops_pass){.kind = OPS_PASS_UNPACK,
                                .src = b,
                                .dst = OPS_SCRATCH,
                                .in = unpacked->buffer[b].low / 2,
                                .out = unpacked->buffer[b].base},
                     (unpacked->buffer[b].high - unpacked->buffer[b].low) / 2);
    for (size_t i = 0; i < map->count; i++)
        translate(unpacked, &map->piece[i]);
    map->element = planner->element = 1;
    return true;
}

/* A column of single nibbles, at the start or at the end of rows. */
static void write_column(ops_planner *planner, unsigned dst, const ops_unpacked_buffer *from,
                         const ops_piece *rows, int64_t at)
{
    ops_pass form = {.kind = OPS_PASS_SCALAR,
                     .src = OPS_SCRATCH,
                     .dst = dst,
                     .value = {OPS_UNCHANGED},
                     .in = 2 * unpacked_at(from, at),
                     .out = at,
                     .loops = rows->rank - 1};
    for (unsigned d = 0; d < form.loops; d++)
        form.loop[d] = (ops_dim){rows->dim[d].n, 2 * rows->dim[d].out, rows->dim[d].out};
    write_pass(planner, &form);
}

/* Rows that all start at the same nibble of a byte. */
static void pack_rows(ops_planner *planner, unsigned dst, const ops_unpacked_buffer *from,
                      const ops_piece *rows)
{
    int64_t at = rows->out, n = rows->dim[rows->rank - 1].n;
    if (at % 2) {
        write_column(planner, dst, from, rows, at);
        at++;
        n--;
    }
    if (n % 2)
        write_column(planner, dst, from, rows, at + n - 1);
    ops_pass form = {.kind = OPS_PASS_PACK,
                     .src = OPS_SCRATCH,
                     .dst = dst,
                     .in = unpacked_at(from, at),
                     .out = at / 2,
                     .loops = rows->rank - 1};
    for (unsigned d = 0; d < form.loops; d++)
        form.loop[d] = (ops_dim){rows->dim[d].n, rows->dim[d].out, rows->dim[d].out / 2};
    write_blocks(planner, form, n / 2);
}

static void pack_output(ops_planner *planner, unsigned dst, const ops_unpacked_buffer *from,
                        const ops_piece *rows)
{
    unsigned d = 0;
    while (d + 1 < rows->rank && rows->dim[d].out % 2 == 0)
        d++;
    if (d + 1 >= rows->rank) {
        pack_rows(planner, dst, from, rows);
        return;
    }
    for (unsigned second = 0; second < 2; second++) {
        ops_piece part = ztl_ops_every_other(rows, d, second);
        pack_output(planner, dst, from, &part);
    }
}

void ztl_ops_repack(ops_planner *planner, const ops_call *call, const ops_unpacked *unpacked)
{
    for (unsigned i = 0; i < call->outputs; i++) {
        ops_piece rows;
        if (ztl_ops_tensor_elements(&call->out[i]) && rows_of(&call->out[i], &rows))
            pack_output(planner, OPS_OUT + i, &unpacked->buffer[OPS_OUT + i], &rows);
    }
}
