/* SPDX-License-Identifier: Apache-2.0
 * isa/ and model/ by themselves: linked with nothing else, they execute instructions. And a state
 * is the architecture: small, and a value that can be copied.
 */
#include "tests/unit.h"

#include <string.h>

#include <ztl/ztl.h>

enum { XPOSE_01 = 0x0220b55b }; /* tl.xpose.01 tl1, tl2, a0 */

_Static_assert(sizeof(ztl_state) < 48 * 1024, "a state is the registers and little more");

static void executes(void **unused)
{
    (void)unused;
    static ztl_state hart;
    uint64_t x[32] = {[10] = 0x01014020}; /* D0=32 D1=64 D2=1 D3=1 */
    uint8_t block[ZTL_REG_BYTES] = {0, 42};
    memset(&hart, 0xff, sizeof hart); /* whatever was there */
    assert_int_equal(ztl_init(&hart, NULL), ZTL_OK);
    assert_null(hart.accelerator);
    assert_int_equal(ztl_set_register(&hart, 1, block), ZTL_OK);
    assert_int_equal(ztl_execute(&hart, XPOSE_01, x, NULL).status, ZTL_OK);
    assert_int_equal(ztl_get_register(&hart, 1)[32], 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(executes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
