/* SPDX-License-Identifier: Apache-2.0
 * Blocks against loops over single elements: channels that come apart or together, in one buffer or
 * in several, and small matrices in many dimensions. Blocks run by the kernels of this machine, if
 * it has any, and by a plain reading of their tables. Buffers start anywhere and end with their
 * last element, so that a sanitizer sees what is read behind them; what is behind targets must
 * stay.
 */
#include "movers/job.h"

#include <stdlib.h>

#include "tests/unit.h"

#ifndef ROUNDS
#define ROUNDS 3000
#endif

enum { BUFFERS = 8, MOST_BYTES = 1 << 15, GUARD = 64 };

static uint32_t seed = 7;

static int64_t below(int64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % n;
}

/* What the tables say, byte by byte. */
static void one_plain_block(const native_block *b, int64_t in, int64_t out, uint8_t *const *to,
                            const uint8_t *const *from, const uint8_t *const *end)
{
    const unsigned pairs = (b->sources + 1) / 2;
    for (unsigned t = 0; t < b->targets; t++)
        for (int64_t k = 0; k < b->target[t].length; k++) {
            unsigned p = 0, found = 0;
            for (unsigned i = 0; i < pairs; i++)
                if (b->mask[t * pairs + i] >> k & 1) {
                    p = i;
                    found++;
                }
            assert_int_equal(found, 1);
            const uint8_t pick = b->pick[(t * pairs + p) * NATIVE_WINDOW + k];
            const unsigned s = 2 * p + pick / NATIVE_WINDOW;
            assert_true(s < b->sources && pick % NATIVE_WINDOW < b->source[s].length);
            const uint8_t *at = from[s] + in + pick % NATIVE_WINDOW;
            assert_true(at < end[s]);
            to[t][out + k] = *at;
        }
}

static void plain_block(const native_block *b, const native_loop *outer, const native_loop *rows,
                        uint8_t *const *to, const uint8_t *const *from, const uint8_t *const *end)
{
    for (int64_t j = 0; j < outer->n; j++)
        for (int64_t i = 0; i < rows->n; i++)
            for (int64_t k = 0; k < b->n; k += b->take) {
                const int64_t at = k + b->take > b->n ? b->n - b->take : k;
                one_plain_block(b, j * outer->in[0] + i * rows->in[0] + at * b->in,
                                j * outer->out + i * rows->out + at * b->out, to, from, end);
            }
}

static const native_set plain = {.name = "tables", .block = plain_block};

/* Pieces, and how many bytes their buffers have. */
typedef struct nests {
    ops_piece piece[BUFFERS];
    unsigned pieces, element, sources, targets;
    int64_t in_bytes[BUFFERS], out_bytes[BUFFERS];
} nests;

/* A matrix whose columns are pieces, of one buffer or of one each, on either side. */
static void draw_channels(nests *n)
{
    const bool one_source = below(2), one_target = !one_source;
    const int64_t rows = 1 + below(300);
    n->pieces = 2 + (unsigned)below(BUFFERS - 1);
    n->sources = one_source ? 1 : n->pieces;
    n->targets = one_target ? 1 : n->pieces;
    for (unsigned i = 0; i < n->pieces; i++) {
        const int64_t all = (int64_t)n->element * n->pieces, at = (int64_t)i * n->element;
        n->piece[i] = (ops_piece){.src = one_source ? 0 : i,
                                  .dst = OPS_OUT + (one_target ? 0 : i),
                                  .in = one_source ? at : 0,
                                  .out = one_target ? at : 0,
                                  .rank = 1};
        n->piece[i].dim[0] =
            (ops_dim){rows, one_source ? all : n->element, one_target ? all : n->element};
    }
    for (unsigned i = 0; i < n->pieces; i++) {
        n->in_bytes[i] = rows * n->element * (one_source ? n->pieces : 1);
        n->out_bytes[i] = rows * n->element * (one_target ? n->pieces : 1);
    }
}

/* A transpose: the first dimension of the source is anywhere in the target. */
static bool draw_transpose(nests *n)
{
    ops_piece *p = &n->piece[0];
    unsigned order[6];
    int64_t in = n->element, out = n->element;
    *p = (ops_piece){.dst = OPS_OUT, .rank = 2 + (unsigned)below(5)};
    n->pieces = n->sources = n->targets = 1;
    for (unsigned d = 0; d < p->rank; d++) {
        const unsigned k = (unsigned)below(d + 1);
        p->dim[d].n = below(6) ? 1 + below(13) : 1 + below(200);
        order[d] = order[k];
        order[k] = d;
    }
    for (unsigned d = p->rank; d-- > 0;) {
        p->dim[d].out = out;
        out *= p->dim[d].n;
        p->dim[order[d]].in = in;
        in *= p->dim[order[d]].n;
    }
    n->in_bytes[0] = n->out_bytes[0] = out;
    return out <= MOST_BYTES;
}

static void move_plainly(const ops_piece *piece, unsigned d, unsigned element, const uint8_t *from,
                         uint8_t *to)
{
    if (d == piece->rank) {
        memcpy(to, from, element);
        return;
    }
    for (int64_t k = 0; k < piece->dim[d].n; k++)
        move_plainly(piece, d + 1, element, from + k * piece->dim[d].in,
                     to + k * piece->dim[d].out);
}

static void check(const nests *n, const native_job *job)
{
    uint8_t *in[BUFFERS], *out[BUFFERS], *expected[BUFFERS];
    native_buffers buffers = {.in = {NULL}};
    const int64_t in_skip = below(70), out_skip = below(70);
    for (unsigned i = 0; i < n->sources; i++) {
        in[i] = malloc((size_t)(n->in_bytes[i] + in_skip));
        assert_non_null(in[i]);
        buffers.in[i] = in[i] + in_skip;
        buffers.in_end[i] = buffers.in[i] + n->in_bytes[i];
        for (int64_t b = 0; b < n->in_bytes[i]; b++)
            in[i][in_skip + b] = (uint8_t)below(251);
    }
    for (unsigned i = 0; i < n->targets; i++) {
        out[i] = malloc((size_t)(n->out_bytes[i] + out_skip + GUARD));
        expected[i] = malloc((size_t)n->out_bytes[i] + GUARD);
        assert_true(out[i] && expected[i]);
        buffers.out[i] = out[i] + out_skip;
        memset(expected[i], 0xee, (size_t)n->out_bytes[i] + GUARD);
    }
    for (unsigned i = 0; i < n->pieces; i++)
        move_plainly(&n->piece[i], 0, n->element, buffers.in[n->piece[i].src] + n->piece[i].in,
                     expected[n->piece[i].dst - OPS_OUT] + n->piece[i].out);
    const native_set *set = &plain;
    for (size_t s = 0; set; set = ztl_native_set(s++))
        for (unsigned parts = 1; set->block && parts <= 5; parts += 2) {
            for (unsigned i = 0; i < n->targets; i++)
                memset(buffers.out[i], 0xee, (size_t)n->out_bytes[i] + GUARD);
            for (unsigned k = parts; k-- > 0;)
                ztl_native_run(set, job, &buffers, k, parts);
            for (unsigned i = 0; i < n->targets; i++)
                if (memcmp(buffers.out[i], expected[i], (size_t)n->out_bytes[i] + GUARD) != 0)
                    fail_msg("%s, %u parts: target %u of %u pieces of %u bytes, rank %u, is wrong",
                             set->name, parts, i, n->pieces, n->element, n->piece[0].rank);
        }
    for (unsigned i = 0; i < n->sources; i++)
        free(in[i]);
    for (unsigned i = 0; i < n->targets; i++) {
        free(out[i]);
        free(expected[i]);
    }
}

static void test_random_blocks(void **state)
{
    (void)state;
    unsigned done = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        nests n = {.element = 1u << below(5)};
        if (below(2))
            draw_channels(&n);
        else if (!draw_transpose(&n))
            continue;
        ops_map map = {.piece = n.piece, .count = n.pieces, .element = n.element};
        ztl_ops_canonical(&map);
        n.pieces = (unsigned)map.count;
        const bool used[BUFFERS] = {false};
        if (ztl_native_alike(&map, used, 0) < n.pieces)
            continue;
        native_job job = ztl_native_block(n.piece, n.pieces, n.element);
        if (job.cost < 0)
            continue;
        int64_t *list =
            aligned_alloc(NATIVE_WINDOW, (size_t)ztl_native_listed(&job) * sizeof *list);
        assert_non_null(list);
        ztl_native_list(&job, list);
        check(&n, &job);
        free(list);
        done++;
    }
    assert_true(done > ROUNDS / 2);
}

/* Three channels: 16 pixels of words are three vectors on either side, loaded and stored once. */
static void test_three_channels(void **state)
{
    (void)state;
    ops_piece piece[3];
    for (unsigned i = 0; i < 3; i++)
        piece[i] = (ops_piece){
            .dst = OPS_OUT + i, .in = 4 * i, .rank = 1, .dim = {{.n = 1000, .in = 12, .out = 4}}};
    const native_job job = ztl_native_block(piece, 3, 4);
    assert_true(job.cost > 0);
    assert_int_equal(job.block.sources, 3);
    assert_int_equal(job.block.targets, 3);
    assert_int_equal(job.block.take, 16);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(job.block.source[i].length, NATIVE_WINDOW);
        assert_int_equal(job.block.target[i].length, NATIVE_WINDOW);
    }
}

/* Pieces with other loops, and constants, are not alike. */
static void test_alike(void **state)
{
    (void)state;
    const bool used[3] = {false}, taken[3] = {false, true, false};
    ops_piece piece[3];
    for (unsigned i = 0; i < 3; i++)
        piece[i] = (ops_piece){.dst = OPS_OUT + i, .rank = 1, .dim = {{.n = 9, .in = 3, .out = 1}}};
    const ops_map map = {.piece = piece, .count = 3, .element = 1};
    assert_int_equal(ztl_native_alike(&map, used, 0), 3);
    assert_int_equal(ztl_native_alike(&map, used, 1), 2);
    assert_int_equal(ztl_native_alike(&map, taken, 0), 1);
    piece[2].dim[0].out = 2;
    assert_int_equal(ztl_native_alike(&map, used, 0), 2);
    piece[1].src = OPS_FILL;
    assert_int_equal(ztl_native_alike(&map, used, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_three_channels),
        cmocka_unit_test(test_random_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
