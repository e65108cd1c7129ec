/* SPDX-License-Identifier: Apache-2.0
 * CSRs by every spelling of section 2, in either case, with …5 and …{5}; and names that are none.
 */
#include "tests/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <ztl/ztl.h>

/* The name first, then what is "also spelled"; `both`: whether Ztl 1 has it. */
static const struct {
    unsigned address;
    bool both;
    const char *names[5];
} plain[] = {
    {0x800, true, {"tshape", "tl_tensor_shape"}},
    {0x801, true, {"tl_transpose_perm"}},
    {0x802, true, {"tl_xpose_config"}},
    {0x803, true, {"tl_xpose_status"}},
    {0x804, false, {"ttype"}},
    {0x810,
     true,
     {"tmask_concat_1", "tl_mask1_csr", "TL_MASK1_CSR", "TL_CONCAT_MASK1_CSR",
      "TL_CONACT_MASK1_CSR"}},
    {0x811,
     true,
     {"tmask_concat_2", "tl_mask2_csr", "TL_MASK2_CSR", "TL_CONCAT_MASK2_CSR",
      "TL_CONACT_MASK2_CSR"}},
    {0x812, true, {"tl_load_mask", "tl_load_mask_csr", "TL_LOAD_MASK_CSR"}},
    {0x813, true, {"tl_store_mask", "tl_store_mask_csr", "TL_STORE_MASK_CSR"}},
    {0x814, false, {"tmask_ls"}},
    {0x815, false, {"tl_load_width", "TL_LOAD_WIDTH_CSR", "tmask_load_width"}},
    {0x816, false, {"tl_store_width", "TL_STORE_WIDTH_CSR"}},
};
enum { PLAIN = sizeof plain / sizeof plain[0] };

static void expect_address(unsigned revision, const char *name, unsigned expected)
{
    unsigned address = 0;
    if (!ztl_csr_address(revision, name, &address) || address != expected)
        fail_msg("%s: 0x%x, expected 0x%x", name, address, expected);
}

static void expect_none(unsigned revision, const char *name)
{
    unsigned address = 0x7777;
    if (ztl_csr_address(revision, name, &address) || address != 0x7777)
        fail_msg("'%s' is the CSR 0x%x of Ztl %u", name, address, revision);
}

static void in_case(char *to, const char *from, int (*convert)(int))
{
    while ((*to++ = (char)convert(*from++)))
        continue;
}

static void in_every_case(unsigned revision, const char *name, unsigned address)
{
    char other[64];
    expect_address(revision, name, address);
    in_case(other, name, toupper);
    expect_address(revision, other, address);
    in_case(other, name, tolower);
    expect_address(revision, other, address);
    other[0] = (char)toupper(other[0]);
    expect_address(revision, other, address);
}

static void every_spelling(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PLAIN; i++)
        for (unsigned n = 0; n < 5 && plain[i].names[n]; n++) {
            in_every_case(2, plain[i].names[n], plain[i].address);
            if (plain[i].both)
                in_every_case(1, plain[i].names[n], plain[i].address);
            else
                expect_none(1, plain[i].names[n]);
        }
}

static void strides(void **state)
{
    (void)state;
    static const struct {
        unsigned address;
        const char *name;
    } names[] = {{0x840, "tl_load_stride"},
                 {0x840, "TL_LOAD_STRIDE_CSR"},
                 {0x840, "tmask_load_stride"},
                 {0x860, "tl_store_stride"},
                 {0x860, "TL_STORE_STRIDE_CSR"}};
    char text[64];
    for (unsigned n = 0; n < 5; n++) {
        in_every_case(2, names[n].name, names[n].address);
        expect_none(1, names[n].name);
        for (unsigned i = 0; i < 32; i++) {
            snprintf(text, sizeof text, "%s%u", names[n].name, i);
            in_every_case(2, text, names[n].address + i);
            snprintf(text, sizeof text, "%s{%u}", names[n].name, i);
            in_every_case(2, text, names[n].address + i);
            expect_none(1, text);
        }
        static const char *const wrong[] = {"32", "{32}", "05", "{5", "5}",
                                            "{}", "{5}x", "-1", "x",  "999999"};
        for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            snprintf(text, sizeof text, "%s%s", names[n].name, wrong[i]);
            expect_none(2, text);
        }
    }
}

static void unknown_names(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",        "tshap",     "tshape0",       "tshape{0}",    "tshape ",
        " tshape", "mstatus",   "tl_load_mask1", "tl_mask3_csr", "ttype{0}",
        "tl_",     "tmask_ls_", "tmask_concat_"};
    unsigned address;
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (unsigned revision = 1; revision <= 2; revision++)
            expect_none(revision, wrong[i]);
    expect_none(0, "tshape");
    expect_none(3, "tshape");
    assert_false(ztl_csr_address(2, NULL, &address));
    assert_false(ztl_csr_address(2, "tshape", NULL));
}

/* The canonical name of every address that is a CSR, and none for the others. */
static void names(void **state)
{
    (void)state;
    for (unsigned revision = 0; revision <= 3; revision++)
        for (unsigned address = 0; address < 0x1000; address++) {
            char expected[32] = "", name[32] = "";
            for (unsigned i = 0; i < PLAIN; i++)
                if (plain[i].address == address &&
                    (revision == 2 || (revision == 1 && plain[i].both)))
                    strcpy(expected, plain[i].names[0]);
            if (revision == 2 && address >= 0x840 && address < 0x880)
                snprintf(expected, sizeof expected, "tl_%s_stride%u",
                         address < 0x860 ? "load" : "store", address % 32);
            assert_int_equal(ztl_csr_name(revision, address, name, sizeof name), expected[0] != 0);
            assert_string_equal(name, expected);
        }
    char small[8];
    assert_true(ztl_csr_name(2, 0x85f, small, sizeof small));
    assert_string_equal(small, "tl_load");
    assert_true(ztl_csr_name(2, 0x85f, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling),
        cmocka_unit_test(strides),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
