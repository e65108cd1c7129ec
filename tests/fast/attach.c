/* SPDX-License-Identifier: Apache-2.0
 * Accelerators: attached, detached, shared by copies of a state, refused.
 */
#include "tests/hart.h"

enum { XPOSE_01 = 0x0220b55b }; /* tl.xpose.01 tl1, tl2, a0 */

static void *new_memory(size_t shift)
{
    char *memory = malloc(ztl_accelerator_size() + shift);
    assert_non_null(memory);
    return memory + shift;
}

/* Memory of any alignment will do, and a reset keeps it; ztl_init starts without. */
static void life(void **unused)
{
    (void)unused;
    char *memory = new_memory(1);
    assert_int_equal(ztl_init(&hart, NULL), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(&hart), "plain");
    assert_int_equal(ztl_attach_accelerator(&hart, memory, NULL), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(&hart), ztl_bodies_name(0));
    assert_int_equal(ztl_reset(&hart), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(&hart), ztl_bodies_name(0));
    assert_int_equal(ztl_attach_accelerator(&hart, NULL, "plain"), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(&hart), "plain");
    assert_int_equal(ztl_attach_accelerator(&hart, memory, "portable"), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(&hart), "portable");
    assert_int_equal(ztl_init(&hart, NULL), ZTL_OK);
    assert_string_equal(ztl_bodies_in_use(&hart), "plain");
    free(memory - 1);
}

static void refused(void **unused)
{
    (void)unused;
    void *memory = new_memory(0);
    assert_int_equal(ztl_init(&hart, NULL), ZTL_OK);
    assert_int_equal(ztl_attach_accelerator(&hart, memory, "portable"), ZTL_OK);
    assert_int_equal(ztl_attach_accelerator(&hart, NULL, "portable"), ZTL_MISUSE);
    assert_int_equal(ztl_attach_accelerator(&hart, memory, "abacus"), ZTL_MISUSE);
    assert_int_equal(ztl_attach_accelerator(&hart, memory, ""), ZTL_MISUSE);
    assert_int_equal(ztl_attach_accelerator(NULL, memory, NULL), ZTL_MISUSE);
    assert_string_equal(ztl_bodies_in_use(&hart), "portable");
    assert_null(ztl_bodies_in_use(NULL));
    free(memory);
}

/* Both halves go on with the accelerator that they share, each with its own registers. */
static void copies(void **unused)
{
    (void)unused;
    static ztl_state copy;
    void *memory = new_memory(0);
    uint8_t block[ZTL_REG_BYTES] = {0, 42};
    start_hart(2, 64);
    assert_int_equal(ztl_attach_accelerator(&hart, memory, NULL), ZTL_OK);
    x[10] = 0x01014020;
    assert_int_equal(ztl_set_register(&hart, 1, block), ZTL_OK);
    run_ok(XPOSE_01);
    memcpy(&copy, &hart, sizeof copy);
    for (unsigned n = 0; n < 5; n++) {
        x[10] = shape4(64, 32, 1, 1);
        assert_int_equal(ztl_execute(&copy, XPOSE_01, x, NULL).status, ZTL_OK);
        assert_int_equal(ztl_get_register(&copy, 1)[1], 42);
        assert_int_equal(ztl_get_register(&hart, 1)[32], 42);
        x[10] = shape4(32, 64, 1, 1);
        assert_int_equal(ztl_execute(&copy, XPOSE_01, x, NULL).status, ZTL_OK);
        run_ok(XPOSE_01);
        x[10] = shape4(64, 32, 1, 1);
        run_ok(XPOSE_01);
    }
    expect_register(1, ztl_get_register(&copy, 1));
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(life),
        cmocka_unit_test(refused),
        cmocka_unit_test(copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
