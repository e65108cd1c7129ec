/* SPDX-License-Identifier: Apache-2.0
 * Movers with indices that are read when they run: random gathers and conditions against loops over
 * single elements; wrong indices are named, and nothing is written.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/movers/placed.h"

static uint8_t source[SPACE], indices[SPACE], target[SPACE], expected[SPACE];

static int64_t index_at(int64_t at, unsigned bytes)
{
    int32_t narrow;
    int64_t wide;
    memcpy(&narrow, indices + at, sizeof narrow);
    memcpy(&wide, indices + at, sizeof wide);
    return bytes == 4 ? narrow : wide;
}

static void set_index(int64_t at, unsigned bytes, int64_t value)
{
    int32_t narrow = (int32_t)value;
    if (bytes == 4)
        memcpy(indices + at, &narrow, sizeof narrow);
    else
        memcpy(indices + at, &value, sizeof value);
}

static ztl_mover *mover_of(const ztl_ops_op *op, const ztl_ops_tensor *in,
                           const ztl_ops_tensor *out, size_t outputs)
{
    ztl_error error;
    ztl_mover *mover = ztl_mover_new(op, in, 2, out, outputs, &error);
    if (!mover)
        fail_msg("%s", error.text);
    return mover;
}

static void fill(void)
{
    for (unsigned i = 0; i < SPACE; i++) {
        source[i] = (uint8_t)draw(256);
        target[i] = expected[i] = 0x5a;
    }
}

/* Expected: out[i, j, l] of a gather of rank-1 indices. */
static void look_at(const ztl_ops_tensor *in, const ztl_ops_tensor *out, unsigned axis,
                    unsigned bytes)
{
    int64_t k[RANK];
    for (k[0] = 0; k[0] < out->extent[0]; k[0]++)
        for (k[1] = 0; k[1] < out->extent[1]; k[1]++)
            for (k[2] = 0; k[2] < out->extent[2]; k[2]++) {
                int64_t from = in->offset, to = out->offset;
                int64_t value = index_at(in[1].offset + k[axis] * in[1].stride[0], bytes);
                for (unsigned d = 0; d < RANK; d++) {
                    int64_t at = d != axis ? k[d] : value < 0 ? value + in->extent[axis] : value;
                    from += at * in->stride[d];
                    to += k[d] * out->stride[d];
                }
                memcpy(expected + to, source + from, in->bits / 8);
            }
}

static void test_gathers(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        const unsigned bytes = 1u << draw(5), wide = draw(2) ? 4 : 8, axis = draw(RANK);
        const int64_t extent[RANK] = {1 + draw(5), 1 + draw(5), 1 + draw(5)}, n = 1 + draw(6);
        int64_t shape[RANK];
        memcpy(shape, extent, sizeof shape);
        shape[axis] = n;
        const ztl_ops_tensor in[] = {place(bytes, extent, RANK), place(wide, &n, 1)};
        const ztl_ops_tensor out = place(bytes, shape, RANK);
        const ztl_ops_op op = ztl_ops_gather(axis, NULL, 0);
        const void *from[] = {source, indices};
        void *to[] = {target};
        ztl_error error;
        fill();
        for (int64_t i = 0; i < n; i++)
            set_index(in[1].offset + i * in[1].stride[0], wide,
                      (int64_t)draw((unsigned)(2 * extent[axis])) - extent[axis]);
        ztl_mover *mover = mover_of(&op, in, &out, 1);
        look_at(in, &out, axis, wide);
        assert_true(ztl_mover_run(mover, from, to, 1, &error));
        assert_memory_equal(target, expected, SPACE);
        /* One that is too large: the text of the plan, and the target stays. */
        const int64_t bad = draw((unsigned)n);
        set_index(in[1].offset + bad * in[1].stride[0], wide, draw(2) ? extent[axis] : -99);
        memset(source, 0, sizeof source);
        assert_false(ztl_mover_run(mover, from, to, 1, &error));
        assert_non_null(strstr(error.text, "is outside dimension"));
        assert_memory_equal(target, expected, SPACE);
        ztl_mover_free(mover);
    }
}

/* Each element has an index of its own. */
static void test_elements(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        const unsigned bytes = 1u << draw(5), wide = draw(2) ? 4 : 8, axis = draw(RANK);
        const int64_t extent[RANK] = {1 + draw(5), 1 + draw(5), 1 + draw(5)};
        int64_t shape[RANK], k[RANK];
        memcpy(shape, extent, sizeof shape);
        shape[axis] = 1 + draw(6);
        const ztl_ops_tensor in[] = {place(bytes, extent, RANK), place(wide, shape, RANK)};
        const ztl_ops_tensor out = place(bytes, shape, RANK);
        const ztl_ops_op op = ztl_ops_gather_elements(axis);
        const void *from[] = {source, indices};
        void *to[] = {target};
        fill();
        for (k[0] = 0; k[0] < shape[0]; k[0]++)
            for (k[1] = 0; k[1] < shape[1]; k[1]++)
                for (k[2] = 0; k[2] < shape[2]; k[2]++) {
                    int64_t value = draw((unsigned)extent[axis]), taken = in->offset;
                    int64_t at = in[1].offset, put = out.offset;
                    for (unsigned d = 0; d < RANK; d++) {
                        at += k[d] * in[1].stride[d];
                        put += k[d] * out.stride[d];
                        taken += (d == axis ? value : k[d]) * in->stride[d];
                    }
                    set_index(at, wide, value);
                    memcpy(expected + put, source + taken, bytes);
                }
        ztl_mover *mover = mover_of(&op, in, &out, 1);
        assert_true(ztl_mover_run(mover, from, to, 1, NULL));
        assert_memory_equal(target, expected, SPACE);
        ztl_mover_free(mover);
    }
}

/* Expected: what a condition keeps of `in` along an axis, or of all; returns how many. */
static int64_t keep(const ztl_ops_tensor *in, const ztl_ops_tensor *out, int axis)
{
    int64_t k[RANK], place[RANK], count = 0, number = 0;
    for (k[0] = 0; k[0] < in->extent[0]; k[0]++)
        for (k[1] = 0; k[1] < in->extent[1]; k[1]++)
            for (k[2] = 0; k[2] < in->extent[2]; k[2]++, number++) {
                int64_t from = in->offset, to = out->offset, position = axis < 0 ? number : k[axis];
                const int64_t at = in[1].offset, step = in[1].stride[0];
                if (position >= in[1].extent[0] || !indices[at + position * step])
                    continue;
                memcpy(place, k, sizeof place);
                if (axis >= 0)
                    place[axis] = 0;
                for (int64_t i = 0; axis >= 0 && i < position; i++)
                    place[axis] += indices[at + i * step] != 0;
                for (unsigned d = 0; d < RANK; d++)
                    from += k[d] * in->stride[d];
                for (unsigned d = 0; axis >= 0 && d < RANK; d++)
                    to += place[d] * out->stride[d];
                memcpy(expected + (axis < 0 ? to + count * out->stride[0] : to), source + from,
                       in->bits / 8);
                count++;
            }
    if (axis < 0)
        return count;
    count = 0;
    for (int64_t i = 0; i < in[1].extent[0]; i++)
        count += indices[in[1].offset + i * in[1].stride[0]] != 0;
    return count;
}

static void test_conditions(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        const unsigned bytes = 1u << draw(5);
        const int axis = (int)draw(RANK + 1) - 1;
        const int64_t extent[RANK] = {1 + draw(5), 1 + draw(5), 1 + draw(5)};
        int64_t n = axis < 0 ? extent[0] * extent[1] * extent[2] : extent[axis], count = -1;
        n -= draw(3) == 0 && n > 1; /* a condition may be shorter */
        const ztl_ops_tensor in[] = {place(bytes, extent, RANK), place(1, &n, 1)};
        ztl_ops_tensor out[2];
        ztl_ops_op op = ztl_ops_compress(axis, NULL, 0);
        const void *from[] = {source, indices};
        void *to[] = {target, &count};
        ztl_error error;
        op.has_axis = axis >= 0;
        op.axis = axis < 0 ? 0 : axis;
        assert_int_equal(ztl_ops_infer(&op, in, 2, out, 2, &error), 2);
        fill();
        for (unsigned i = 0; i < SPACE; i++)
            indices[i] = draw(2) ? (uint8_t)draw(256) : 0;
        ztl_mover *mover = mover_of(&op, in, out, 2);
        int64_t kept = keep(in, out, axis);
        assert_true(ztl_mover_run(mover, from, to, 1, &error));
        assert_int_equal(count, kept);
        assert_memory_equal(target, expected, SPACE);
        ztl_mover_free(mover);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
