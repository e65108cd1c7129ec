/* SPDX-License-Identifier: Apache-2.0
 * Random nests of loops by every set of kernels, in one part and in several, against loops over
 * single elements. The source has no byte more than its elements take, so that a sanitizer sees
 * what is read behind them; what lies between and behind elements of the target must stay.
 */
#include "movers/job.h"

#include <stdlib.h>

#include "tests/unit.h"

#ifndef ROUNDS
#define ROUNDS 4000
#endif

enum { MOST_BYTES = 1 << 16, MOST_PIECES = 8, GUARD = 64 /* bytes behind the target */ };

static uint32_t seed = 1;

static int64_t below(int64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % n;
}

/* Extents that tiles and windows fill, nearly fill, and overfill. */
static int64_t extent(void)
{
    static const uint16_t extents[] = {1,  2,  3,  4,  5,  7,  8,  9,   12,   15,
                                       16, 17, 24, 31, 33, 64, 65, 130, 1000, 3001};
    return extents[below(sizeof extents / sizeof extents[0])];
}

/* Loops from the innermost of a buffer on, in an order of their own; gaps now and then. Returns the
 * bytes that they take. */
static int64_t lay_out(ops_dim *dim, unsigned rank, int64_t element, bool target, bool gaps)
{
    unsigned order[OPS_DIMS];
    int64_t step = element;
    for (unsigned d = 0; d < rank; d++) {
        unsigned k = (unsigned)below(d + 1);
        order[d] = order[k];
        order[k] = d;
    }
    int64_t reach = element;
    for (unsigned d = 0; d < rank; d++) {
        ops_dim *one = &dim[order[d]];
        step += gaps && below(3) == 0 ? below(4) * (below(2) ? 1 : element) : 0;
        *(target ? &one->out : &one->in) = step;
        reach += (one->n - 1) * step;
        step = step * one->n > reach ? step * one->n : reach;
    }
    return reach;
}

/* Turns a loop round in the source, or lets it stay where it is: a flip, a broadcast. */
static void bend(ops_piece *piece)
{
    for (unsigned d = 0; d < piece->rank; d++) {
        ops_dim *dim = &piece->dim[d];
        if (below(8) == 0) {
            piece->in += (dim->n - 1) * dim->in;
            dim->in = -dim->in;
        } else if (below(12) == 0) {
            dim->in = 0;
        }
    }
}

static void move_plainly(const ops_piece *piece, unsigned d, unsigned element, const uint8_t *value,
                         const uint8_t *from, uint8_t *to)
{
    if (d == piece->rank) {
        memcpy(to, piece->src == OPS_FILL ? value : from, element);
        return;
    }
    for (int64_t k = 0; k < piece->dim[d].n; k++)
        move_plainly(piece, d + 1, element, value, from + k * piece->dim[d].in,
                     to + k * piece->dim[d].out);
}

typedef struct nests {
    ops_map map;
    ops_piece piece[MOST_PIECES];
    int64_t in_bytes, out_bytes;
    uint8_t value[32];
} nests;

/* One nest; or several that interleave in the target, some of them constants: channels. */
static bool draw(nests *n)
{
    static const uint8_t elements[] = {1, 1, 2, 2, 4, 4, 8, 16, 32};
    const unsigned element = elements[below(sizeof elements)];
    const bool gaps = below(2), channels = below(3) == 0;
    const unsigned count = channels ? 1 + (unsigned)below(MOST_PIECES) : 1;
    ops_piece one = {.dst = OPS_OUT, .rank = (unsigned)below(6)};
    int64_t bytes = (int64_t)element * count;
    for (unsigned d = 0; d < one.rank; d++) {
        one.dim[d].n = extent();
        bytes *= one.dim[d].n;
    }
    if (bytes > MOST_BYTES)
        return false;
    n->out_bytes = lay_out(one.dim, one.rank, (int64_t)element * count, true, gaps);
    n->in_bytes =
        lay_out(one.dim, one.rank, (int64_t)element * (below(2) ? count : 1), false, gaps);
    n->in_bytes += (int64_t)element * count;
    bend(&one);
    for (unsigned i = 0; i < count; i++) {
        n->piece[i] = one;
        n->piece[i].src = channels && below(5) == 0 ? OPS_FILL : 0;
        n->piece[i].in = n->piece[i].src == OPS_FILL ? 0 : one.in + below(count) * element;
        n->piece[i].out += (int64_t)i * element;
        for (unsigned d = 0; n->piece[i].src == OPS_FILL && d < one.rank; d++)
            n->piece[i].dim[d].in = 0;
    }
    for (unsigned b = 0; b < sizeof n->value; b++)
        n->value[b] = (uint8_t)below(256);
    n->map = (ops_map){.piece = n->piece, .count = count, .element = element};
    ztl_ops_canonical(&n->map);
    return true;
}

static void run(const native_set *set, const nests *n, const uint8_t *from, uint8_t *to,
                unsigned parts)
{
    nests copy = *n;
    int64_t *list[MOST_PIECES];
    native_job *job = malloc(n->map.count * (sizeof *job + 1));
    const native_buffers buffers = {.in = {from}, .in_end = {from + n->in_bytes}, .out = {to}};
    assert_non_null(job);
    copy.map.piece = copy.piece;
    size_t jobs = ztl_native_build(set, &copy.map, n->value, job);
    assert_true(jobs <= n->map.count);
    for (size_t i = 0; i < jobs; i++) {
        const int64_t words = ztl_native_listed(&job[i]);
        list[i] = aligned_alloc(64, (size_t)(words + 8) * sizeof *list[i]);
        assert_non_null(list[i]);
        if (words && (job[i].kind == NATIVE_BLOCK || below(4))) /* the others do without as well */
            ztl_native_list(&job[i], list[i]);
    }
    for (unsigned k = parts; k-- > 0;)
        for (size_t i = 0; i < jobs; i++)
            ztl_native_run(set, &job[i], &buffers, k, parts);
    for (size_t i = 0; i < jobs; i++)
        free(list[i]);
    free(job);
}

static void check(unsigned round, const nests *n)
{
    const size_t guarded = (size_t)n->out_bytes + GUARD;
    uint8_t *from = malloc((size_t)n->in_bytes), *to = malloc(guarded);
    uint8_t *expected = malloc(guarded);
    const native_set *set;
    assert_true(from && to && expected);
    for (int64_t b = 0; b < n->in_bytes; b++)
        from[b] = (uint8_t)below(251);
    memset(expected, 0xee, guarded);
    for (size_t i = 0; i < n->map.count; i++)
        move_plainly(&n->map.piece[i], 0, n->map.element, n->value, from + n->map.piece[i].in,
                     expected + n->map.piece[i].out);
    for (size_t s = 0; (set = ztl_native_set(s)); s++)
        for (unsigned parts = 1; parts <= 5; parts += 2) {
            memset(to, 0xee, guarded);
            run(set, n, from, to, parts);
            for (size_t b = 0; b < guarded; b++)
                if (to[b] != expected[b]) {
                    for (size_t i = 0; i < n->map.count; i++) {
                        const ops_piece *p = &n->map.piece[i];
                        print_message("piece %zu: element %u, input %u at %lld, target at %lld", i,
                                      n->map.element, p->src, (long long)p->in, (long long)p->out);
                        for (unsigned d = 0; d < p->rank; d++)
                            print_message(" (%lld: %lld, %lld)", (long long)p->dim[d].n,
                                          (long long)p->dim[d].in, (long long)p->dim[d].out);
                        print_message("\n");
                    }
                    fail_msg("round %u, %s, %u parts: byte %lld is %02x, must be %02x", round,
                             set->name, parts, (long long)b, to[b], expected[b]);
                }
        }
    free(from);
    free(to);
    free(expected);
}

static void test_random_nests(void **state)
{
    (void)state;
    nests n;
    for (unsigned round = 0; round < ROUNDS; round++)
        if (draw(&n))
            check(round, &n);
}

/* A plain copy is one run, and in parts each byte is still written once. */
static void test_one_run(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes < 3000; bytes += bytes < 200 ? 1 : 97) {
        nests n = {.in_bytes = bytes, .out_bytes = bytes};
        n.piece[0] = (ops_piece){.dst = OPS_OUT, .rank = 1, .dim = {{bytes, 1, 1}}};
        n.map = (ops_map){.piece = n.piece, .count = 1, .element = 1};
        check((unsigned)bytes, &n);
    }
}

/* Rows at multiples of parts of a page share few lines of a cache, and are moved another way. */
static void test_rows_of_pages(void **state)
{
    (void)state;
    static const int64_t steps[] = {512, 1024, 2048, 4096};
    for (unsigned round = 0; round < 36; round++) {
        const int64_t element = 1 << round % 3, rows = 33 + below(200), step = steps[round % 4];
        const int64_t columns = (step / (2 * element)) + below(step / (2 * element));
        nests n = {.in_bytes = (rows - 1) * step + columns * element,
                   .out_bytes = rows * columns * element};
        n.piece[0] =
            (ops_piece){.dst = OPS_OUT,
                        .rank = 2,
                        .dim = {{columns, element, rows * element}, {rows, step, element}}};
        n.map = (ops_map){.piece = n.piece, .count = 1, .element = (unsigned)element};
        check(round, &n);
    }
}

/* RGB to RGBA: a pad's constants come with the last turns of their loops apart, and still the whole
 * is one job. */
static void test_fills_in_parts(void **state)
{
    (void)state;
    enum { ROWS = 9, COLUMNS = 11, LINE = 4 * COLUMNS };
    nests n = {.in_bytes = 3 * ROWS * COLUMNS, .out_bytes = LINE * ROWS, .value = {7}};
    const ops_piece fill = {.src = OPS_FILL, .dst = OPS_OUT, .out = 3};
    for (unsigned i = 1; i < 4; i++)
        n.piece[i] = fill;
    n.piece[0] = (ops_piece){.dst = OPS_OUT, .rank = 2, .dim = {{ROWS * COLUMNS, 3, 4}, {3, 1, 1}}};
    ztl_ops_add_dim(&n.piece[1], ROWS, 0, LINE);
    ztl_ops_add_dim(&n.piece[1], COLUMNS - 1, 0, 4);
    ztl_ops_add_dim(&n.piece[2], ROWS - 1, 0, LINE);
    n.piece[2].out += LINE - 4;
    n.piece[3].out += LINE * ROWS - 4;
    n.map = (ops_map){.piece = n.piece, .count = 4, .element = 1};
    check(0, &n);
    native_job *job = malloc(4 * (sizeof *job + 1));
    assert_non_null(job);
    assert_int_equal(ztl_native_build(ztl_native_set(0), &n.map, n.value, job), 1);
    free(job);
}

static void test_sets(void **state)
{
    (void)state;
    size_t sets = 0;
    while (ztl_native_set(sets))
        sets++;
    assert_true(sets >= 1);
    assert_string_equal(ztl_native_set(sets - 1)->name, "portable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),          cmocka_unit_test(test_one_run),
        cmocka_unit_test(test_rows_of_pages), cmocka_unit_test(test_fills_in_parts),
        cmocka_unit_test(test_random_nests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
