/* SPDX-License-Identifier: Apache-2.0
 * Parts of ISA strings: names, versions, and what is refused.
 */
#include "codec/isa_part.h"

#include <string.h>

#include "tests/unit.h"

/* Adds names that are separated by spaces; the last may be wrong, and then changes nothing. */
static bool add_all(const char *names, ztl_isa_part *part, ztl_error *error)
{
    ztl_text problem = ztl_text_error(error);
    memset(part, 0, sizeof *part);
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, " ");
        ztl_isa_part before = *part;
        assert_true(ztl_isa_part_is_ours(name, length));
        if (!ztl_isa_part_add(part, name, length, &problem)) {
            assert_memory_equal(part, &before, sizeof before);
            return false;
        }
        name += length + (name[length] == ' ');
    }
    return true;
}

/* The bits of sub-extensions are in the order x, c, a, m, p. */
static void good(const char *names, unsigned revision, unsigned subsets)
{
    ztl_isa_part part;
    ztl_error error = {""};
    assert_true(add_all(names, &part, &error));
    assert_string_equal(error.text, "");
    assert_int_equal(part.revision, revision);
    assert_int_equal(part.subsets, subsets);
}

static void bad(const char *names, const char *expected)
{
    ztl_isa_part part;
    ztl_error error = {""};
    assert_false(add_all(names, &part, &error));
    assert_string_equal(error.text, expected);
}

static void test_names(void **state)
{
    (void)state;
    good("", 0, 0);
    good("ztl", 2, 31);
    good("ztl1p0", 1, 15);
    good("ztlx ztlm2p0 ZTLP", 2, 1 | 8 | 16);
    good("ztlc1p0 Ztla1P0", 1, 2 | 4);
    good("ztl ztlx", 2, 31);
    assert_false(ztl_isa_part_is_ours("zt", 2));
    assert_false(ztl_isa_part_is_ours("zicsr", 5));
}

static void test_problems(void **state)
{
    (void)state;
    bad("ztlq", "'ztlq' is no Ztl extension; as in ztl, ztlx1p0, ztlm2p0");
    bad("ztl2", "'ztl2' is no Ztl extension; as in ztl, ztlx1p0, ztlm2p0");
    bad("ztlx3p0", "'ztlx3p0' is no Ztl extension; as in ztl, ztlx1p0, ztlm2p0");
    bad("ztlxc", "'ztlxc' is no Ztl extension; as in ztl, ztlx1p0, ztlm2p0");
    bad("ztlp1p0", "'ztlp1p0': Ztl 1 has no such sub-extension");
    bad("ztlx ztlm1p0", "'ztlm1p0': Ztl 1 and Ztl 2 cannot be mixed");
    bad("ztlm ztlM", "'ztlM' stands there twice");
    bad("ztl ztl", "'ztl' stands there twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_problems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
