/* SPDX-License-Identifier: Apache-2.0
 * A way on its own: a plan takes what was reckoned, and moves what the pieces say, by a reading of
 * the instructions that is independent of the executor's.
 */
#ifndef ZTL_TEST_OPS_MOVED_H
#define ZTL_TEST_OPS_MOVED_H

#include "tests/ops/search/asked.h"

enum { REGISTERS = 16, SIDE = 4, BUFFERS = 2 * SIDE + 1 };

typedef struct memory {
    uint8_t *byte[BUFFERS]; /* sources, targets, scratch memory */
    int64_t size[BUFFERS];
} memory;

static unsigned place_of(unsigned buffer)
{
    return buffer == OPS_SCRATCH ? 2 * SIDE : buffer >= OPS_OUT ? SIDE + buffer - OPS_OUT : buffer;
}

static uint8_t *memory_at(const memory *m, unsigned buffer, int64_t at, int64_t bytes)
{
    unsigned k = place_of(buffer);
    assert_true(k < BUFFERS && at >= 0 && at + bytes <= m->size[k]);
    return m->byte[k] + at;
}

static void read_slices(const memory *m, const ops_pass *pass, const ops_vector *v, unsigned slices,
                        int64_t at, uint8_t *reg)
{
    for (unsigned i = 0; i < slices; i++)
        memcpy(reg + i * pass->load_width,
               memory_at(m, pass->src, at + (int64_t)v->stride[i] * pass->load_width,
                         pass->load_width),
               pass->load_width);
}

static void write_slices(const memory *m, const ops_pass *pass, const ops_vector *v,
                         unsigned slices, int64_t at, const uint8_t *reg)
{
    for (unsigned i = 0; i < slices; i++)
        memcpy(memory_at(m, pass->dst, at + (int64_t)v->stride[i] * pass->store_width,
                         pass->store_width),
               reg + i * pass->store_width, pass->store_width);
}

/* Dimension k of the result is dimension order[k] of what was there. */
static void permute(uint8_t *a, uint8_t *b, uint32_t dims, uint32_t order, unsigned width)
{
    uint8_t from[2 * OPS_BLOCK], to[2 * OPS_BLOCK];
    unsigned n[4], step[4], next = 1;
    memcpy(from, a, OPS_BLOCK);
    memcpy(from + OPS_BLOCK, b, OPS_BLOCK);
    for (unsigned d = 4; d-- > 0; next *= n[d]) {
        n[d] = dims >> 8 * d & 0xff;
        step[d] = next;
    }
    assert_int_equal(next << width, 2 * OPS_BLOCK);
    unsigned at[4], k = 0;
#define EACH(d) for (at[d] = 0; at[d] < n[order >> 2 * (d)&3]; at[d]++)
    EACH(0) EACH(1) EACH(2) EACH(3)
    {
        unsigned place = 0;
        for (unsigned d = 0; d < 4; d++)
            place += at[d] * step[order >> 2 * d & 3];
        memcpy(&to[k++ << width], &from[place << width], 1u << width);
    }
#undef EACH
    memcpy(a, to, OPS_BLOCK);
    memcpy(b, to + OPS_BLOCK, OPS_BLOCK);
}

/* Of each row of 32 elements, those of a whose bits are set, then those of b. */
static void concat(uint8_t *to, const uint8_t *a, const uint8_t *b, uint64_t from_a,
                   uint64_t from_b, const ops_pass *pass)
{
    uint8_t result[OPS_BLOCK];
    unsigned e = pass->element;
    memcpy(result, to, sizeof result);
    for (unsigned row = 0; row < pass->slices; row++) {
        unsigned k = 32 * row;
        for (unsigned i = 0; i < 64; i++)
            if ((i < 32 ? from_a >> i : from_b >> (i - 32)) & 1)
                memcpy(&result[k++ * e], &(i < 32 ? a : b)[(32 * row + i % 32) * e], e);
        assert_true(k <= 32 * (row + 1));
    }
    memcpy(to, result, sizeof result);
}

/* Rows of 32 elements of three planes in registers 0 to 2; rows of 96 in 4 to 6, a third in each.
 */
static void interleave3(uint8_t reg[][OPS_BLOCK], unsigned element, unsigned rows, bool joins)
{
    for (unsigned k = 0; k < 96 * rows; k++) {
        unsigned row = k / 96 * 32, at = k % 96;
        uint8_t *plane = &reg[joins ? at % 3 : 4 + at % 3][(row + at / 3) * element],
                *third = &reg[joins ? 4 + at / 32 : at / 32][(row + at % 32) * element];
        memcpy(joins ? third : plane, joins ? plane : third, element);
    }
}

static void run_batch(const memory *m, const ops_pass *pass, const ops_group *group, ops_batch at)
{
    static uint8_t reg[REGISTERS][OPS_BLOCK];
    const ops_vector *vector = ops_pass_vectors(pass);
    uint32_t order = pass->order;
    unsigned slices = pass->slices;
    for (unsigned i = 0; pass->kind == OPS_PASS_FILL && i < OPS_BLOCK; i++)
        reg[0][i] = (uint8_t)(planner.fill[0] >> i % planner.constant * 8);
    for (unsigned i = 0; i < pass->insns; i++) {
        const ops_insn *insn = &ops_pass_insns(pass)[i];
        unsigned r = insn->op >> 4;
        switch (ops_code_of(insn)) {
        case OPS_LOAD:
            read_slices(m, pass, &vector[group->load], slices, at.in + insn->offset, reg[r]);
            break;
        case OPS_STORE:
            write_slices(m, pass, &vector[group->store], slices, at.out + insn->offset, reg[r]);
            break;
        case OPS_ORDER:
            order = insn->arg;
            break;
        case OPS_SHAPE:
            slices = insn->arg >> 16;
            break;
        case OPS_INTERLEAVE3:
        case OPS_DEINTERLEAVE3:
            interleave3(reg, insn->arg, slices, ops_code_of(insn) == OPS_INTERLEAVE3);
            break;
        case OPS_PERMUTE:
            permute(reg[r], reg[r + (1u << insn->bit)], insn->arg, order, insn->width);
            break;
        case OPS_CONCAT:
            concat(reg[8], reg[insn->bit ? 8 : 0], reg[r], (uint64_t)insn->offset, insn->arg, pass);
            break;
        default:
            fail_msg("instruction %u", ops_code_of(insn));
        }
    }
}

static void run_loops(const memory *m, const ops_pass *pass, const ops_group *group, ops_batch at,
                      unsigned loop)
{
    if (loop == pass->loops) {
        run_batch(m, pass, group, at);
        return;
    }
    for (int64_t k = 0; k < pass->loop[loop].n; k++)
        run_loops(m, pass, group,
                  (ops_batch){at.in + k * pass->loop[loop].in, at.out + k * pass->loop[loop].out},
                  loop + 1);
}

static void run_pass(const memory *m, const ops_pass *pass)
{
    for (uint32_t g = 0; g < pass->groups; g++) {
        const ops_group *group = &ops_pass_groups(pass)[g];
        for (uint32_t i = 0; i < group->count; i++)
            run_loops(m, pass, group, ops_pass_batches(pass)[group->first + i], 0);
    }
}

/* One past the last byte of a side, whose first is not before 0. */
static int64_t end_of(const ops_piece *piece, int64_t element, bool is_source)
{
    int64_t low = is_source ? piece->in : piece->out, high = low + element;
    for (unsigned d = 0; d < piece->rank; d++) {
        int64_t all = (piece->dim[d].n - 1) * (is_source ? piece->dim[d].in : piece->dim[d].out);
        low += all < 0 ? all : 0;
        high += all > 0 ? all : 0;
    }
    assert_true(low >= 0);
    return high;
}

/* Element by element, by the loops of the piece. */
static void move_plainly(const ops_piece *piece, int64_t element, const uint8_t *in, uint8_t *out)
{
    int64_t n = ztl_ops_elements(piece);
    for (int64_t k = 0; k < n; k++) {
        int64_t from = piece->in, to = piece->out, left = k;
        for (unsigned d = 0; d < piece->rank; left /= piece->dim[d].n, d++) {
            from += left % piece->dim[d].n * piece->dim[d].in;
            to += left % piece->dim[d].n * piece->dim[d].out;
        }
        memcpy(out + to, in + from, (size_t)element);
    }
}

/* Buffers that end where the pieces do, so that nothing beyond is read or written. */
static memory memory_for(const ops_piece *piece, size_t count, int64_t element)
{
    memory m = {.size = {[2 * SIDE] = (int64_t)draft.plan->scratch}};
    for (size_t i = 0; i < count; i++)
        for (unsigned side = piece[i].src == OPS_FILL; side < 2; side++) {
            int64_t end = end_of(&piece[i], element, side == 0),
                    *size = &m.size[place_of(side ? piece[i].dst : piece[i].src)];
            *size = end > *size ? end : *size;
        }
    for (unsigned k = 0; k < BUFFERS; k++) {
        m.byte[k] = malloc((size_t)m.size[k] + 1);
        for (int64_t i = 0; i < m.size[k]; i++)
            m.byte[k][i] = (uint8_t)(i * 7 + i / 251 + 3 * k);
    }
    return m;
}

/* Runs the plan: it must write what the pieces say, and nothing else. */
static void check_all_moves(const ops_piece *piece, size_t count, int64_t element)
{
    memory m = memory_for(piece, count, element);
    uint8_t *wanted[SIDE];
    for (unsigned k = 0; k < SIDE; k++) {
        wanted[k] = malloc((size_t)m.size[SIDE + k] + 1);
        memcpy(wanted[k], m.byte[SIDE + k], (size_t)m.size[SIDE + k]);
    }
    for (size_t i = 0; i < count; i++)
        move_plainly(&piece[i], element,
                     piece[i].src == OPS_FILL ? (const uint8_t *)planner.fill
                                              : m.byte[place_of(piece[i].src)],
                     wanted[piece[i].dst - OPS_OUT]);
    const ops_pass *pass = ops_first_pass(draft.plan);
    for (uint32_t i = 0; i < draft.plan->passes; i++, pass = ops_next_pass(pass))
        run_pass(&m, pass);
    for (unsigned k = 0; k < SIDE; k++) {
        assert_memory_equal(m.byte[SIDE + k], wanted[k], (size_t)m.size[SIDE + k]);
        free(wanted[k]);
    }
    for (unsigned k = 0; k < BUFFERS; k++)
        free(m.byte[k]);
}

/* What a way takes for pieces with the same buffers, as reckoned, written and run; NEVER where it
 * does not know them. */
static inline int64_t try_pieces(enum ops_way_id way, const ops_piece *piece, size_t count,
                                 unsigned element, uint64_t scratch)
{
    begin_planner(element, scratch);
    ops_query q = ask(piece, count);
    int64_t taken = carry_out(way, &q);
    if (taken < NEVER)
        check_all_moves(piece, count, element);
    return taken;
}

static inline int64_t try_way(enum ops_way_id way, const ops_piece *piece, unsigned element,
                              uint64_t scratch)
{
    return try_pieces(way, piece, 1, element, scratch);
}

/* A dense tensor of these extents, its dimensions in this order in the target. */
static inline ops_piece transpose(unsigned element, unsigned rank, const int64_t *extent,
                                  const unsigned *order)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    int64_t in = element, out = element;
    for (unsigned d = rank; d-- > 0; in *= extent[d])
        piece.dim[d] = (ops_dim){extent[d], in, 0};
    for (unsigned d = rank; d-- > 0; out *= extent[order[d]])
        piece.dim[order[d]].out = out;
    piece.rank = rank;
    ztl_ops_canonical_piece(&piece);
    return piece;
}

/* Random transposes, some of them backwards; how many of them the way knows. */
static inline unsigned try_transposes(enum ops_way_id way, unsigned rounds, uint64_t scratch)
{
    unsigned found = 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned element = 1u << below(4), rank = 2 + (unsigned)below(4), order[5];
        int64_t extent[5];
        for (unsigned d = 0; d < rank; d++) {
            extent[d] = 1 + below(below(2) ? 40 : 12);
            unsigned k = (unsigned)below(d + 1);
            order[d] = order[k];
            order[k] = d;
        }
        ops_piece piece = transpose(element, rank, extent, order);
        if (ztl_ops_elements(&piece) > 20000)
            continue;
        if (below(4) == 0 && piece.rank > 1 && piece.dim[0].in > 0) { /* from the end on */
            piece.in += (piece.dim[0].n - 1) * piece.dim[0].in;
            piece.dim[0].in *= -1;
        }
        found += try_way(way, &piece, element, scratch) < NEVER;
    }
    return found;
}

#define EXTENTS(...) ((const int64_t[]){__VA_ARGS__})
#define ORDER(...)   ((const unsigned[]){__VA_ARGS__})

#endif
