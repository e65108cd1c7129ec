/* SPDX-License-Identifier: Apache-2.0
 * Movers of where: random broadcast tensors, dense, with gaps and backwards, against a loop over
 * single elements.
 */
#include <string.h>

#include "tests/movers/placed.h"

enum { TENSORS = 4 };

static uint8_t buffer[TENSORS][SPACE], expected[SPACE];

static int64_t place_of(const ztl_ops_tensor *t, const int64_t *k)
{
    int64_t at = t->offset;
    for (unsigned d = 0; d < RANK; d++)
        at += t->extent[d] == 1 ? 0 : k[d] * t->stride[d];
    return at;
}

static void expect(const ztl_ops_tensor *in, const ztl_ops_tensor *out, unsigned bytes)
{
    int64_t k[RANK];
    memcpy(expected, buffer[3], SPACE);
    for (k[0] = 0; k[0] < out->extent[0]; k[0]++)
        for (k[1] = 0; k[1] < out->extent[1]; k[1]++)
            for (k[2] = 0; k[2] < out->extent[2]; k[2]++) {
                unsigned chosen = buffer[0][place_of(&in[0], k)] ? 1 : 2;
                memcpy(expected + place_of(out, k), buffer[chosen] + place_of(&in[chosen], k),
                       bytes);
            }
}

static void test_where(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 600; round++) {
        const unsigned bytes = 1u << draw(6);
        const int64_t extent[RANK] = {1 + draw(3), 1 + draw(4), 1 + draw(40)};
        ztl_ops_tensor in[3];
        const ztl_ops_op op = ztl_ops_where();
        const void *from[] = {buffer[0], buffer[1], buffer[2]};
        void *to[] = {buffer[3]};
        ztl_error error;
        for (unsigned i = 0; i < 3; i++) {
            int64_t own[RANK];
            for (unsigned d = 0; d < RANK; d++) /* one of them has the whole extent */
                own[d] = round % 3 == i || draw(3) ? extent[d] : 1;
            in[i] = place(i ? bytes : 1, own, RANK);
        }
        const ztl_ops_tensor out = place(bytes, extent, RANK);
        for (unsigned i = 0; i < TENSORS * SPACE; i++)
            buffer[i / SPACE][i % SPACE] = i >= SPACE || draw(2) ? (uint8_t)draw(256) : 0;
        expect(in, &out, bytes);
        ztl_mover *mover = ztl_mover_new(&op, in, 3, &out, 1, &error);
        if (!mover)
            fail_msg("%s", error.text);
        assert_true(ztl_mover_run(mover, from, to, 1, &error));
        assert_memory_equal(buffer[3], expected, SPACE);
        to[0] = buffer[1] + in[1].offset - out.offset; /* what it reads */
        assert_false(ztl_mover_run(mover, from, to, 1, &error));
        ztl_mover_free(mover);
    }
}

/* Nothing to select. */
static void test_empty(void **state)
{
    (void)state;
    ztl_ops_tensor in[3];
    const ztl_ops_op op = ztl_ops_where();
    for (unsigned i = 0; i < 3; i++)
        assert_true(ztl_ops_dense(&in[i], 8, 2, (int64_t[]){3, 0}));
    ztl_mover *mover = ztl_mover_new(&op, in, 3, in, 1, NULL);
    assert_non_null(mover);
    assert_true(ztl_mover_run(mover, NULL, NULL, 1, NULL));
    ztl_mover_free(mover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_where), cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
