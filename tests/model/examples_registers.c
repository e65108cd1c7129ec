/* SPDX-License-Identifier: Apache-2.0
 * The worked examples of the five source documents, 000 to 004, on registers, each with
 * the line it stands at. Where one contradicts the contract the test shows what the contract says;
 * "point n" is the row of its list of contradictions.
 */
#include "tests/model/examples.h"

static uint32_t assembled(unsigned revision, const char *line)
{
    uint32_t word = 0;
    assert_true(ztl_assemble(revision, line, &word, NULL));
    return word;
}

/* The pair's tensor [d0,d1,d2,d3] with dimensions a and b swapped: 000:555-556 gives the address of
 * an element, and 000:421-433 where the tensor lies. */
static void expect_swap(const char *line, unsigned first, unsigned second, const unsigned dim[4],
                        unsigned a, unsigned b)
{
    uint8_t in[2048], out[2048];
    unsigned to[4] = {dim[0], dim[1], dim[2], dim[3]}, i[4];
    to[a] = dim[b];
    to[b] = dim[a];
    memcpy(in, tl(first), 1024);
    memcpy(in + 1024, tl(second), 1024);
    for (i[0] = 0; i[0] < dim[0]; i[0]++)
        for (i[1] = 0; i[1] < dim[1]; i[1]++)
            for (i[2] = 0; i[2] < dim[2]; i[2]++)
                for (i[3] = 0; i[3] < dim[3]; i[3]++) {
                    unsigned j[4] = {i[0], i[1], i[2], i[3]};
                    j[a] = i[b];
                    j[b] = i[a];
                    out[((j[0] * to[1] + j[1]) * to[2] + j[2]) * to[3] + j[3]] =
                        in[((i[0] * dim[1] + i[1]) * dim[2] + i[2]) * dim[3] + i[3]];
                }
    RUN(line);
    static const uint8_t zero[1024];
    expect_register(first, first ? out : zero);
    expect_register(second, second ? out + 1024 : zero);
}

/* 000:415-416, 001:420, 002:426, 003:433, 004 A.1 (311-317): [8,16,8,2] to [16,8,8,2]. */
static void xpose_01(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++) {
        start(revision);
        RUN("li x10, 0x02081008      # D3=2, D2=8, D1=16, D0=8");
        expect_swap("tl.xpose.01 t1, t2, x10", 1, 2, (unsigned[]){8, 16, 8, 2}, 0, 1);
    }
}

/* 000:406-411, 001:418, 002:424, 003:431; 004:151-152: every variant. */
static void xpose_variants(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        unsigned a, b, code;
    } variants[] = {
        {"tl.xpose.01 t1, t2, x10", 0, 1, 0x01}, {"tl.xpose.02 t1, t2, x10", 0, 2, 0x02},
        {"tl.xpose.03 t1, t2, x10", 0, 3, 0x03}, {"tl.xpose.12 t1, t2, x10", 1, 2, 0x09},
        {"tl.xpose.13 t1, t2, x10", 1, 3, 0x0a}, {"tl.xpose.23 t1, t2, x10", 2, 3, 0x0b},
    };
    for (unsigned revision = 1; revision <= 2; revision++) {
        start(revision);
        RUN("li x10, 0x02081008");
        for (unsigned i = 0; i < 6; i++) {
            expect_swap(variants[i].line, 1, 2, (unsigned[]){8, 16, 8, 2}, variants[i].a,
                        variants[i].b);
            uint32_t word = assembled(revision, variants[i].line);
            /* 000:394-399: funct5; 004:281-286: funct7 011xxxx */
            assert_int_equal(word >> 25, variants[i].code | (revision == 1 ? 0x30 : 0));
        }
    }
}

/* 000:564-572, 001:427-434, 002:433-441, 003:440-451: the first register is tl0, which stays zero
 * (point 28). */
static void xpose_with_tl0(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++) {
        start(revision);
        RUN("li x10, 0x02081008  # D3=2, D2=8, D1=16, D0=8",
            "li x11, 0x02080810  # D3=2, D2=8, D1=8, D0=16");
        expect_swap("tl.xpose.01 t0, t1, x10", 0, 1, (unsigned[]){8, 16, 8, 2}, 0, 1);
        fill_registers();
        expect_swap("tl.xpose.23 t0, t1, x11", 0, 1, (unsigned[]){16, 8, 8, 2}, 2, 3);
        expect_swap("tl.xpose.23 tl0, tl1, x11", 0, 1, (unsigned[]){16, 8, 8, 2}, 2, 3);
    }
}

/* 000:575-578: a matrix [32,64]. */
static void xpose_of_a_matrix(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++) {
        start(revision);
        RUN("li x11, 0x01014020        # D3=1, D2=1, D1=64, D0=32");
        expect_swap("tl.xpose.01 t2, t3, x11", 2, 3, (unsigned[]){32, 64, 1, 1}, 0, 1);
    }
}

/* 000:580-583: [4,8,8,4] is 1024 bytes, not 2048 (point 20): illegal for bytes, legal for 16-bit
 * elements. */
static void xpose_of_a_batch(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++) {
        start(revision);
        RUN("li x12, 0x04080804        # D3=4, D2=8, D1=8, D0=4");
        run_line_illegal("tl.xpose.23 t4, t5, x12", SHAPE);
    }
    static const uint32_t types_of_16_bits[] = {0x004, 0x100, 0x200};
    for (unsigned t = 0; t < 3; t++) {
        start(2);
        RUN("li x12, 0x04080804");
        set_csr(CSR_TTYPE, types_of_16_bits[t]);
        uint8_t in[2048], out[2048];
        memcpy(in, tl(4), 1024);
        memcpy(in + 1024, tl(5), 1024);
        for (unsigned n = 0; n < 1024; n++) /* [i][j][k][l] to [i][j][l][k] */
            memcpy(out + 2 * ((n & ~31u) | (n & 3) << 3 | (n >> 2 & 7)), in + 2 * n, 2);
        RUN("tl.xpose.23 t4, t5, x12");
        expect_register(4, out);
        expect_register(5, out + 1024);
    }
}

/* 000:684-686: an odd D0, a wrong product are illegal; one dimension twice is no error. */
static void xpose_errors(void **state)
{
    (void)state;
    start(1);
    RUN("li x10, 0x08101001");
    run_line_illegal("tl.xpose.01 t1, t2, x10", SHAPE);
    RUN("li x10, 0x02081008", "tl.xpose.11 t1, t2, x10");
}

/* 000:463-469 and 000:587-593, 001:440-445, 002:447-452, 003:457-462: {c,d,e,f}. */
static void concat_of_c_d_e_f(void **state)
{
    (void)state;
    uint8_t a[1024], b[1024];
    for (unsigned n = 0; n < 1024; n++) {
        a[n] = "abcd"[n % 4];
        b[n] = "efgh"[n % 4];
    }
    start(2);
    set_csr(CSR_TSHAPE, shape3(8, 8, 4));
    ztl_set_register(&hart, 11, a);
    ztl_set_register(&hart, 12, b);
    RUN("li x20, 0x0000000C        # mask1: 0011", "li x21, 0x00000003        # mask2: 1100",
        "csrrw x0, TL_MASK1_CSR, x20", "csrrw x0, TL_MASK2_CSR, x21");
    uint8_t before[1024];
    memcpy(before, tl(10), 1024);
    RUN("tl.concat.2 t10, t11, t12");
    for (unsigned n = 0; n < 256; n++)
        assert_int_equal(tl(10)[n], "cdef"[n % 4]);
    assert_memory_equal(tl(10) + 256, before + 256, 768);
    RUN("tl.concat.2 tl10, tl11, tl12");
}

/* 004 A.2 (319-328): the same masks in Ztl 1, where a block is 1024 bytes: [16,16,4]; the [8,8,4]
 * of 000:587 is illegal there (point 27). */
static void concat_in_revision_1(void **state)
{
    (void)state;
    uint8_t a[1024], b[1024];
    for (unsigned n = 0; n < 1024; n++) {
        a[n] = "abcd"[n % 4];
        b[n] = "efgh"[n % 4];
    }
    start(1);
    ztl_set_register(&hart, 11, a);
    ztl_set_register(&hart, 12, b);
    set_csr(CSR_TSHAPE, shape3(16, 16, 4));
    RUN("li x20, 0x0000000C", "li x21, 0x00000003", "csrrw x0, tl_mask1_csr, x20",
        "csrrw x0, tl_mask2_csr, x21", "tl.concat.2 t10, t11, t12");
    for (unsigned n = 0; n < 1024; n++)
        assert_int_equal(tl(10)[n], "cdef"[n % 4]);
    set_csr(CSR_TSHAPE, shape3(8, 8, 4));
    run_line_illegal("tl.concat.2 t10, t11, t12", SHAPE);
}

/* 000:595-601: odd positions of the first, even ones of the second, along D0 of [16,8,8]. */
static void concat_of_odd_and_even(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++) {
        start(revision);
        set_csr(CSR_TSHAPE, shape3(16, 8, 8));
        RUN("li x22, 0x0000AAAA", "li x23, 0x00005555", "csrrw x0, TL_MASK1_CSR, x22",
            "csrrw x0, TL_MASK2_CSR, x23", "tl.concat.0 t13, t14, t15");
        for (unsigned i = 0; i < 8; i++) {
            assert_memory_equal(tl(13) + 64 * i, tl(14) + 64 * (2 * i + 1), 64);
            assert_memory_equal(tl(13) + 64 * (8 + i), tl(15) + 64 * (2 * i), 64);
        }
    }
}

/* 000:603-609: the first 4 and the last 4 of 16 along D1 of [8,16,4]; illegal in Ztl 1 (point 27).
 */
static void concat_of_first_and_last(void **state)
{
    (void)state;
    uint8_t before[1024];
    start(2);
    set_csr(CSR_TSHAPE, shape3(8, 16, 4));
    memcpy(before, tl(16), sizeof before);
    RUN("li x24, 0x0000000F", "li x25, 0x0000F000", "csrrw x0, TL_MASK1_CSR, x24",
        "csrrw x0, TL_MASK2_CSR, x25", "tl.concat.1 t16, t17, t18");
    for (unsigned i = 0; i < 8; i++) {
        assert_memory_equal(tl(16) + 64 * i, tl(17) + 64 * i, 16);
        assert_memory_equal(tl(16) + 64 * i + 16, tl(18) + 64 * i + 48, 16);
        assert_memory_equal(tl(16) + 64 * i + 32, before + 64 * i + 32, 32);
    }
    assert_memory_equal(tl(16) + 512, before + 512, 512);
    start(1);
    set_csr(CSR_TSHAPE, shape3(8, 16, 4));
    RUN("li x24, 0x0000000F", "li x25, 0x0000F000", "csrrw x0, TL_MASK1_CSR, x24",
        "csrrw x0, TL_MASK2_CSR, x25");
    run_line_illegal("tl.concat.1 t16, t17, t18", SHAPE);
}

/* 000:286-292, 001:298-302, 002:301-305, 003:304-310: the target is tl0, which stays zero; the
 * funct7 of the comments, 0x40 to 0x42, is CONCAT on the TensorStore engine (point 8). */
static void concat_syntax(void **state)
{
    (void)state;
    static const char *const lines[] = {"tl.concat.0 tlr0, tlr1, tlr2",
                                        "tl.concat.1 tlr0, tlr1, tlr2",
                                        "tl.concat.2 tlr0, tlr1, tlr2"};
    static const uint8_t zero[1024];
    start(2);
    set_csr(CSR_TSHAPE, shape3(4, 4, 4));
    x[12] = 1;
    x[13] = 2;
    RUN("csrrw x0, TL_MASK1_CSR, x12", "csrrw x0, TL_MASK2_CSR, x13");
    for (unsigned d = 0; d < 3; d++) {
        RUN(lines[d]);
        expect_register(0, zero);
        uint32_t word = assembled(2, lines[d]);
        assert_int_equal(word >> 25, d); /* 000:247-249 */
        ztl_insn insn;
        assert_true(ztl_decode(2, (word & 0x01ffffff) | (0x40 + d) << 25, &insn));
        assert_int_equal(insn.row->op, ZTL_OP_CONCAT);
        assert_int_equal(insn.row->arg, d);
        assert_int_equal(insn.operand[3], ZTL_ENGINE_STORE);
    }
    ztl_insn reserved;
    assert_false(ztl_decode(2, r_type(3, 2, 1, 1, 0), &reserved)); /* 000:250: 0x3 reserved */
}

/* 000:349-355, 001:366-370, 002:372-376, 003:374-383: the funct7 of the comments, 0x08 to 0x0a,
 * decodes as MERGE too (point 7). */
static void merge_syntax(void **state)
{
    (void)state;
    static const char *const lines[] = {"tl.merge.0 tlr0, tlr1, tlr2",
                                        "tl.merge.1 tlr0, tlr1, tlr2",
                                        "tl.merge.2 tlr0, tlr1, tlr2"};
    static const uint8_t zero[1024];
    start(2);
    set_csr(CSR_TSHAPE, shape3(4, 4, 4));
    x[12] = 5;
    RUN("csrrw x0, TL_MASK1_CSR, x12", "csrrw x0, TL_MASK2_CSR, x13");
    for (unsigned d = 0; d < 3; d++) {
        RUN(lines[d]);
        expect_register(0, zero);
        char text[64];
        ztl_disassemble(2, r_type(0x08 + d, 2, 1, 1, 0), text, sizeof text);
        assert_int_equal(text[9], '0' + (int)d);
        text[9] = '_';
        assert_string_equal(text, "tl.merge._ tl0, tl1, tl2");
    }
}

/* 001:447-451, 002:454-458, 003:464-468: odd positions from tl14, even ones from tl15 (point 11).
 */
static void merge_of_odd_and_even(void **state)
{
    (void)state;
    start(2);
    set_csr(CSR_TSHAPE, shape3(8, 16, 8));
    RUN("li x22, 0x000000AA", "csrrw x0, TL_MASK1_CSR, x22", "tl.merge.0 tl13, tl14, tl15");
    for (unsigned i = 0; i < 8; i++)
        assert_memory_equal(tl(13) + 128 * i, tl(i % 2 ? 14 : 15) + 128 * i, 128);
}

/* 000:492-496: 200 + 100, 50 - 100, 128 + 10, 30 - 20. */
static void addi_of_single_elements(void **state)
{
    (void)state;
    static const struct {
        uint8_t value;
        const char *line;
        uint8_t result;
    } examples[] = {
        {200, "tl.addi t1, t2, 100", 255},
        {50, "tl.addi t1, t2, -100", 0},
        {128, "tl.addi t1, t2, 10", 138},
        {30, "tl.addi t1, t2, -20", 10},
    };
    for (unsigned revision = 1; revision <= 2; revision++)
        for (unsigned i = 0; i < 4; i++) {
            uint8_t block[1024], expected[1024];
            start(revision);
            memset(block, examples[i].value, sizeof block);
            memset(expected, examples[i].result, sizeof expected);
            ztl_set_register(&hart, 2, block);
            RUN(examples[i].line);
            expect_register(1, expected);
        }
}

static void expect_sum(unsigned target, const uint8_t *source, int imm)
{
    for (unsigned n = 0; n < 1024; n++) {
        int sum = source[n] + imm;
        assert_int_equal(tl(target)[n], sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
}

/* 000:223-224, 001:239, 002:230-231, 003:233-234; 000:613-629; 004:189-193. */
static void addi_lines(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++) {
        uint8_t old[1024];
        start(revision);
        RUN("tl.addi tlr1, tlr2, 10");
        expect_sum(1, tl(2), 10);
        memcpy(old, tl(3), sizeof old);
        RUN("tl.addi tlr3, tlr3, -5");
        expect_sum(3, old, -5);
        RUN("tl.addi t1, t0, 50"); /* t0 is zero (point 28): every element is 50 */
        assert_int_equal(tl(1)[0], 50);
        expect_sum(1, tl(0), 50);
        memcpy(old, tl(11), sizeof old);
        ztl_set_register(&hart, 1, old);
        RUN("tl.addi t2, t1, -128");
        expect_sum(2, old, -128);
        memcpy(old, tl(3), sizeof old);
        RUN("tl.addi t3, t3, 20");
        expect_sum(3, old, 20);
        RUN("tl.addi t10, t11, -32");
        expect_sum(10, tl(11), -32);
    }
}

/* 000:623-625: [250,10,128,200]. */
static void addi_saturates(void **state)
{
    (void)state;
    static const uint8_t plus[] = {255, 110, 228, 255}, minus[] = {200, 0, 78, 150};
    for (unsigned revision = 1; revision <= 2; revision++) {
        uint8_t block[1024] = {250, 10, 128, 200};
        start(revision);
        ztl_set_register(&hart, 4, block);
        RUN("tl.addi t5, t4, 100", "tl.addi t6, t4, -50");
        assert_memory_equal(tl(5), plus, 4);
        assert_memory_equal(tl(6), minus, 4);
    }
}

/* 001:457-458, 002:464-465, 003:474-475: a constant from tl0. */
static void addi_makes_a_constant(void **state)
{
    (void)state;
    uint8_t expected[1024];
    start(2);
    memset(expected, 50, sizeof expected);
    RUN("tl.addi tl1, tl0, 50");
    expect_register(1, expected);
}

/* 000:698 "truncated by hardware", 001:518, 002:525, 003:536 "-127 to +128": here an error of the
 * assembler, and the range is -128 to 127 (points 23 and 29). */
static void addi_range(void **state)
{
    (void)state;
    uint32_t word;
    assert_false(ztl_assemble(2, "tl.addi t1, t2, 128", &word, NULL));
    assert_true(ztl_assemble(2, "tl.addi t1, t2, -128", &word, NULL));
    assert_false(ztl_assemble(1, "tl.addi t1, t2, 2048", &word, NULL));
    assert_true(ztl_assemble(1, "tl.addi t1, t2, -2048", &word, NULL));
}

/* 000:742-745, 001:580-583, 002:585-588, 003:596-599: funct7 of XPOSE.W, .H, .D and the base are
 * PERMUTE on the TensorComp engine (point 21). */
static void permute_encodings(void **state)
{
    (void)state;
    char text[64];
    ztl_disassemble(2, r_type(0x32, 2, 1, 3, 10), text, sizeof text);
    assert_string_equal(text, "tl.permute.w tl1, tl2, a0, comp");
    ztl_disassemble(2, r_type(0x33, 2, 1, 3, 10), text, sizeof text);
    assert_string_equal(text, "tl.permute.h tl1, tl2, a0, comp");
    ztl_disassemble(2, r_type(0x34, 2, 1, 3, 10), text, sizeof text);
    assert_string_equal(text, "tl.permute.d tl1, tl2, a0, comp");
    ztl_disassemble(2, r_type(0x31, 2, 1, 3, 10), text, sizeof text);
    assert_string_equal(text, "tl.permute.b tl1, tl2, a0, comp");
}

/* 004:281-292: funct7 and funct3 of every instruction of Ztl 1. */
static void summary_of_revision_1(void **state)
{
    (void)state;
    assert_int_equal(assembled(1, "tl.xpose.01 t1, t2, x10"), r_type(0x31, 10, 2, 0, 1));
    assert_int_equal(assembled(1, "tl.xpose.23 t3, t4, x11"), r_type(0x3b, 11, 4, 0, 3));
    assert_int_equal(assembled(1, "tl.concat.0 t1, t2, t3"), r_type(0x40, 3, 2, 1, 1));
    assert_int_equal(assembled(1, "tl.concat.1 t1, t2, t3"), r_type(0x41, 3, 2, 1, 1));
    assert_int_equal(assembled(1, "tl.concat.2 t1, t2, t3"), r_type(0x42, 3, 2, 1, 1));
    assert_int_equal(assembled(1, "tl.addi t1, t2, -1"), 0xfff1205bu | 1 << 7);
    assert_int_equal(assembled(1, "tl.mload t1, x2, x3"), r_type(0x50, 3, 2, 3, 1));
    assert_int_equal(assembled(1, "tl.mstore t1, x3, x2"), r_type(0x51, 3, 1, 4, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xpose_01),
        cmocka_unit_test(xpose_variants),
        cmocka_unit_test(xpose_with_tl0),
        cmocka_unit_test(xpose_of_a_matrix),
        cmocka_unit_test(xpose_of_a_batch),
        cmocka_unit_test(xpose_errors),
        cmocka_unit_test(concat_of_c_d_e_f),
        cmocka_unit_test(concat_in_revision_1),
        cmocka_unit_test(concat_of_odd_and_even),
        cmocka_unit_test(concat_of_first_and_last),
        cmocka_unit_test(concat_syntax),
        cmocka_unit_test(merge_syntax),
        cmocka_unit_test(merge_of_odd_and_even),
        cmocka_unit_test(addi_of_single_elements),
        cmocka_unit_test(addi_lines),
        cmocka_unit_test(addi_saturates),
        cmocka_unit_test(addi_makes_a_constant),
        cmocka_unit_test(addi_range),
        cmocka_unit_test(permute_encodings),
        cmocka_unit_test(summary_of_revision_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
