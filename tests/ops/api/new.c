/* SPDX-License-Identifier: Apache-2.0
 * The constructors, each against the operator written out.
 */
#include <ztl/ops.h>

#include "tests/unit.h"

static const int64_t a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, c[] = {9, 8, 7, 6}, d[] = {5, 4, 3, 2};
static const double r[] = {1, 2, 0.5, 3};

static void expect_lists(const ztl_ops_op *x, const ztl_ops_op *y)
{
#define SAME(list)                                                                                 \
    assert_ptr_equal(x->list.value, y->list.value);                                                \
    assert_int_equal(x->list.count, y->list.count)
    SAME(perm);
    SAME(axes);
    SAME(starts);
    SAME(ends);
    SAME(steps);
    SAME(pads);
    SAME(indices);
    SAME(indices_shape);
    SAME(condition);
    SAME(shape);
    SAME(split);
    SAME(repeats);
    SAME(shift);
    SAME(scales);
    SAME(roi);
    SAME(sizes);
    SAME(sequence_lens);
    SAME(kernel);
    SAME(strides);
    SAME(dilations);
#undef SAME
}

static void expect(ztl_ops_op x, ztl_ops_op y)
{
    assert_string_equal(ztl_ops_name(x.kind), ztl_ops_name(y.kind));
    assert_int_equal(x.mode, y.mode);
    assert_int_equal(x.layout, y.layout);
    assert_int_equal(x.has_axis, y.has_axis);
    assert_int_equal(x.has_indices_shape, y.has_indices_shape);
    assert_int_equal(x.axis, y.axis);
    assert_int_equal(x.blocksize, y.blocksize);
    assert_int_equal(x.allowzero, y.allowzero);
    assert_int_equal(x.groups, y.groups);
    assert_int_equal(x.num_outputs, y.num_outputs);
    assert_int_equal(x.batch_dims, y.batch_dims);
    assert_int_equal(x.value, y.value);
    assert_memory_equal(x.wide, y.wide, sizeof x.wide);
    assert_int_equal(x.addend, y.addend);
    assert_int_equal(x.type, y.type);
    assert_int_equal(x.coordinate, y.coordinate);
    assert_int_equal(x.nearest, y.nearest);
    assert_int_equal(x.aspect, y.aspect);
    assert_int_equal(x.format, y.format);
    assert_int_equal(x.k, y.k);
    assert_int_equal(x.lower, y.lower);
    assert_int_equal(x.depth, y.depth);
    assert_int_equal(x.batch_axis, y.batch_axis);
    assert_int_equal(x.time_axis, y.time_axis);
    assert_int_equal(x.bits, y.bits);
    assert_memory_equal(x.on, y.on, sizeof x.on);
    expect_lists(&x, &y);
}

#define OP(ID, ...) ((ztl_ops_op){.kind = ZTL_OPS_##ID, __VA_ARGS__})
#define AXIS(n)     .has_axis = true, .axis = (n)

static void test_shapes(void **state)
{
    (void)state;
    expect(ztl_ops_transpose(a, 4), OP(TRANSPOSE, .perm = {a, 4}));
    expect(ztl_ops_transpose(NULL, 4), OP(TRANSPOSE, .axis = 0));
    expect(ztl_ops_reshape(a, 3), OP(RESHAPE, .shape = {a, 3}));
    expect(ztl_ops_flatten(2), OP(FLATTEN, AXIS(2)));
    expect(ztl_ops_squeeze(a, 2), OP(SQUEEZE, .axes = {a, 2}));
    expect(ztl_ops_squeeze(NULL, 0), OP(SQUEEZE, .axis = 0));
    expect(ztl_ops_unsqueeze(a, 1), OP(UNSQUEEZE, .axes = {a, 1}));
    expect(ztl_ops_tile(a, 4), OP(TILE, .repeats = {a, 4}));
    expect(ztl_ops_expand(a, 3), OP(EXPAND, .shape = {a, 3}));
    expect(ztl_ops_roll(a, b, 2), OP(ROLL, .shift = {a, 2}, .axes = {b, 2}));
    expect(ztl_ops_roll(a, NULL, 1), OP(ROLL, .shift = {a, 1}));
    expect(ztl_ops_flip(a, 3), OP(FLIP, .axes = {a, 3}));
}

static void test_parts(void **state)
{
    (void)state;
    expect(ztl_ops_concat(-1), OP(CONCAT, AXIS(-1)));
    expect(ztl_ops_split(1, a, 4), OP(SPLIT, AXIS(1), .split = {a, 4}));
    expect(ztl_ops_split(1, NULL, 0), OP(SPLIT, AXIS(1)));
    expect(ztl_ops_slice(a, b, c, d, 4),
           OP(SLICE, .starts = {a, 4}, .ends = {b, 4}, .axes = {c, 4}, .steps = {d, 4}));
    expect(ztl_ops_slice(a, b, NULL, NULL, 2), OP(SLICE, .starts = {a, 2}, .ends = {b, 2}));
    expect(ztl_ops_pad(a, 4, ZTL_OPS_CONSTANT, 7), OP(PAD, .pads = {a, 4}, .value = 7));
    expect(ztl_ops_pad(a, 4, ZTL_OPS_WRAP, 0), OP(PAD, .pads = {a, 4}, .mode = ZTL_OPS_WRAP));
    expect(ztl_ops_gather(2, a, 3), OP(GATHER, AXIS(2), .indices = {a, 3}));
    expect(ztl_ops_compress(0, a, 4), OP(COMPRESS, AXIS(0), .condition = {a, 4}));
    expect(ztl_ops_where(), OP(WHERE, .axis = 0));
}

static void test_indices(void **state)
{
    (void)state;
    expect(ztl_ops_gather_elements(1), OP(GATHER_ELEMENTS, AXIS(1)));
    expect(ztl_ops_gather_nd(2), OP(GATHER_ND, .batch_dims = 2));
    expect(ztl_ops_scatter_elements(-1), OP(SCATTER_ELEMENTS, AXIS(-1)));
    expect(ztl_ops_scatter_nd(), OP(SCATTER_ND, .axis = 0));
    expect(ztl_ops_tensor_scatter(2, ZTL_OPS_CIRCULAR),
           OP(TENSOR_SCATTER, AXIS(2), .mode = ZTL_OPS_CIRCULAR));
}

static void test_images(void **state)
{
    (void)state;
    expect(ztl_ops_depth_to_space(2, ZTL_OPS_CRD),
           OP(DEPTH_TO_SPACE, .blocksize = 2, .mode = ZTL_OPS_CRD));
    expect(ztl_ops_space_to_depth(3, ZTL_OPS_DCR),
           OP(SPACE_TO_DEPTH, .blocksize = 3, .mode = ZTL_OPS_DCR));
    expect(ztl_ops_pack(ZTL_OPS_NC1HWC0), OP(PACK, .format = ZTL_OPS_NC1HWC0));
    expect(ztl_ops_unpack(ZTL_OPS_VNNI4, a, 2),
           OP(UNPACK, .format = ZTL_OPS_VNNI4, .shape = {a, 2}));
    expect(ztl_ops_unpack(ZTL_OPS_VNNI4, NULL, 2), OP(UNPACK, .format = ZTL_OPS_VNNI4));
    expect(ztl_ops_resize(r, b, 2), OP(RESIZE, .scales = {r, 2}, .axes = {b, 2}));
    expect(ztl_ops_resize(r, NULL, 4), OP(RESIZE, .scales = {r, 4}));
    expect(ztl_ops_resize_to(a, b, 2), OP(RESIZE, .sizes = {a, 2}, .axes = {b, 2}));
    expect(ztl_ops_upsample(r, 3), OP(UPSAMPLE, .scales = {r, 3}));
    expect(ztl_ops_im2col(a, b, c, d),
           OP(IM2COL, .kernel = {a, 2}, .strides = {b, 2}, .dilations = {c, 2}, .pads = {d, 4}));
    expect(ztl_ops_im2col(a, NULL, NULL, NULL), OP(IM2COL, .kernel = {a, 2}));
    expect(ztl_ops_col2im(a, b, c, d, a),
           OP(COL2IM, .shape = {a, 4}, .kernel = {b, 2}, .strides = {c, 2}, .dilations = {d, 2},
              .pads = {a, 4}));
    expect(ztl_ops_focus(1, 2), OP(FOCUS, AXIS(1), .blocksize = 2));
    expect(ztl_ops_add(ZTL_TYPE_INT8, -3), OP(ADD, .type = ZTL_TYPE_INT8, .addend = -3));
    expect(ztl_ops_fill(UINT64_C(1) << 63), OP(FILL, .value = UINT64_C(1) << 63));
}

static void test_onnx(void **state)
{
    (void)state;
    expect(ztl_ops_identity(), OP(IDENTITY, .axis = 0));
    expect(ztl_ops_reverse_sequence(a, 4), OP(REVERSE_SEQUENCE, .sequence_lens = {a, 4}));
    expect(ztl_ops_trilu(true, -2), OP(TRILU, .k = -2));
    expect(ztl_ops_trilu(false, 3), OP(TRILU, .k = 3, .lower = 1));
    expect(ztl_ops_center_crop_pad(a, b, 2), OP(CENTER_CROP_PAD, .shape = {a, 2}, .axes = {b, 2}));
    expect(ztl_ops_eye_like(1, 16, 0x3c00), OP(EYE_LIKE, .k = 1, .bits = 16, .on = {0x3c00}));
    expect(ztl_ops_one_hot(a, 3, 9, 8, 2, 7),
           OP(ONE_HOT, .indices = {a, 3}, .depth = 9, .bits = 8, .value = 2, .on = {7}));
    expect(ztl_ops_constant_of_shape(a, 2, 32, 5),
           OP(CONSTANT_OF_SHAPE, .shape = {a, 2}, .bits = 32, .value = 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_parts),
        cmocka_unit_test(test_images),  cmocka_unit_test(test_onnx),
        cmocka_unit_test(test_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
