/* SPDX-License-Identifier: Apache-2.0
 * ISA strings of harts: parsed, printed, refused.
 */
#include "tests/sim/code.h"

static void good(const char *text, const char *canonical)
{
    ztl_hart_isa isa;
    ztl_error error = {""};
    char printed[160];
    if (!ztl_hart_isa_parse(text, &isa, &error))
        fail_msg("%s", error.text);
    size_t length = ztl_hart_isa_print(&isa, printed, sizeof printed);
    assert_string_equal(printed, canonical);
    assert_int_equal(length, strlen(canonical));
    ztl_hart_isa again;
    assert_true(ztl_hart_isa_parse(printed, &again, NULL));
    assert_memory_equal(&isa, &again, sizeof isa);
}

static void bad(const char *text, const char *part)
{
    ztl_hart_isa isa = {.xlen = 7};
    ztl_error error = {""};
    assert_false(ztl_hart_isa_parse(text, &isa, &error));
    if (!strstr(error.text, part))
        fail_msg("'%s' gives '%s', which does not say '%s'", text, error.text, part);
    assert_int_equal(isa.xlen, 7);
}

static void test_good(void **state)
{
    (void)state;
    good("rv64imac_zicsr_ztl", "rv64imac_zicsr_ztl");
    good("rv32im_zicsr_ztlx1p0_ztlm1p0", "rv32im_zicsr_ztlx1p0_ztlm1p0");
    good("rv32imac_zicsr_ztlm_ztlx", "rv32imac_zicsr_ztlx_ztlm");
    good("RV64IMAC_Zicsr_Ztl2p0", "rv64imac_zicsr_ztl");
    good("rv64i2p1m2p0a2p1c2p0_zicsr2p0_zifencei2p0", "rv64imac_zicsr_zifencei");
    good("rv64imaczicsr_zba1p0_zbb1p0", "rv64imac_zicsr_zba_zbb");
    good("rv32i_m_c", "rv32imc");
    good("rv64i_zicsr_ztl1p0", "rv64i_zicsr_ztl1p0");
    good("rv64i_zicsr_ztlx1p0_ztlc1p0_ztla1p0_ztlm1p0", "rv64i_zicsr_ztl1p0");
    good("rv64i_zicsr_ztl_ztlx", "rv64i_zicsr_ztl");
    good("rv64gc", "rv64imafdc_zicsr_zifencei");
    good("rv64gcb_zicsr_zifencei_ztl", "rv64imafdc_zicsr_zifencei_zba_zbb_zbs_ztl");
    good("rv64g2p0_zba_zbb_zbs", "rv64imafd_zicsr_zifencei_zba_zbb_zbs");
    good("rv32imf", "rv32imf_zicsr");
    good("rv32imd_zfh", "rv32imfd_zicsr_zfh");
    good("rv64imac_zicsr_zicntr_zihpm_zicclsm_zmmul_zaamo_zalrsc_zca", "rv64imac_zicsr");
    good("rv32gc_zcf_zcd_zfh_zfhmin", "rv32imafdc_zicsr_zifencei_zfh");
    good("rv64gc_u", "rv64imafdc_zicsr_zifencei");
    good("rv64gcu_zba", "rv64imafdc_zicsr_zifencei_zba");
    good("rv64gc_zihintpause_zihintntl1p0_zkt_ziccif_ziccrse_ziccamoa_za64rs1p0_zic64b_zicbop_ztso",
         "rv64imafdc_zicsr_zifencei");
    good("rv64i_zfa_zbkc_zcb_zicond1p0", "rv64ifc_zicond_zicsr_zfa_zcb_zbkc");
    good("rv64i_zicbom_zicboz_zbc_zbkb_zbkx", "rv64i_zicbom_zicboz_zbc_zbkb_zbkx");
    good("rv64if_zfhmin", "rv64if_zicsr_zfhmin");
}

static void test_parts_of_c(void **state)
{
    (void)state;
    good("rv64ima_zca", "rv64imac");
    good("rv64g_zca_zcd", "rv64imafdc_zicsr_zifencei");
    good("rv32g_zca_zcd_zcf", "rv32imafdc_zicsr_zifencei");
    good("rv32i_zca_zcb", "rv32ic_zcb");
    bad("rv64g_zca", "'zca' needs c here, or zcd beside it");
    bad("rv32g_zca", "'zca' needs c here, or zcd and zcf beside it");
    bad("rv32if_zca", "'zca' needs c here, or zcf beside it");
}

static void test_profiles(void **state)
{
    (void)state;
    good("rvi20u32", "rv32i");
    good("rvi20u64_m", "rv64im");
    good("rva20u64", "rv64imafdc_zicsr");
    good("RVA22U64_Zba_ztl", "rv64imafdc_zicbom_zicboz_zicsr_zfhmin_zba_zbb_zbs_ztl");
    bad("rva23u64", "lacks what 'rva23u64' asks for: v, ");
    bad("rva22s64", "supervisor mode");
    bad("rva22u64x", "or with a profile");
    bad("rva22u64_zve32x", "unknown extension 'zve32x'");
}

static void test_bad(void **state)
{
    (void)state;
    bad("", "rv32 or rv64");
    bad("rv128i", "rv32 or rv64");
    bad("rv64", "'i' is missing");
    bad("rv64mac", "'m'");
    bad("rv64iam", "'m' must stand before 'a'");
    bad("rv64imm", "'m' stands there twice");
    bad("rv64gq", "'q'");
    bad("rv64gi", "'i' must stand before 'd'");
    bad("rv64imafdc_zcf", "only RV32 has 'zcf'");
    bad("rv32imac_zcf", "'zcf' needs c and f");
    bad("rv64imac_zcd", "'zcd' needs c and d");
    bad("rv64im_zalrsc", "'zalrsc' needs a");
    bad("rv64i_zmmul", "'zmmul' needs m");
    bad("rv64i_zicntr", "'zicntr' needs zicsr");
    bad("rv32e", "'e'");
    bad("rv64imac_zicsr_foo", "unknown extension 'foo'");
    bad("rv64imac_zicsr_zfoo", "unknown extension 'zfoo'");
    bad("rv64gc_zve32x_zba", "unknown extension 'zve32x'");
    bad("rv64imac_ztl", "Ztl needs zicsr");
    bad("rv64i_zicsr_ztlx1p0_ztlm", "'ztlm': Ztl 1 and Ztl 2 cannot be mixed");
    bad("rv64i_zicsr_ztlx_ztlm1p0", "'ztlm1p0': Ztl 1 and Ztl 2 cannot be mixed");
    bad("rv64i_zicsr_ztlp1p0", "'ztlp1p0': Ztl 1 has no such sub-extension");
    bad("rv64i_zicsr_ztl3p0", "'ztl3p0' is no Ztl extension");
    bad("rv64i_zicsr_ztl1p1", "'ztl1p1' is no Ztl extension");
    bad("rv64i_zicsr_ztlq", "'ztlq' is no Ztl extension");
    bad("rv64i_zicsr_ztl2", "'ztl2' is no Ztl extension");
    bad("rv64i_zicsr_ztl_ZTL", "'ZTL' stands there twice");
    bad("rv64i_zicsr_ztlx_ztlx", "'ztlx' stands there twice");
    bad("rv64i_zicsr_zicsr", "'zicsr' stands there twice");
    bad("rv64i_zicsr_m", "must stand before the long names");
    bad("rv64i__zicsr", "underscore");
    bad("rv64i_", "underscore");
    bad("rv64i3p0", "'i' exists here in version 2");
    bad("rv64i99999999999999999999", "too large");
    bad("rv64i?", "'?'");
    bad("rv64i_zkt1p", "unknown extension 'zkt1p'");
    bad("rv64i_za64rsx", "unknown extension 'za64rsx'");
    bad("rv64i_zbc3p0", "'zbc' exists here in version 1");
    bad("rv64i_ziccamoa", "'ziccamoa' needs a");
    bad("rv64iua", "'a' must stand before 'u'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good),
                                       cmocka_unit_test(test_parts_of_c),
                                       cmocka_unit_test(test_profiles), cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
