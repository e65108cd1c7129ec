/* SPDX-License-Identifier: Apache-2.0
 * The worked examples of the five source documents, 000 to 004, each with the line it stands at.
 * Where an example contradicts the contract the test shows what the contract says; "point n" is the
 * row of its list of contradictions.
 */
#include "tests/hart.h"

#include <stdio.h>
#include <stdlib.h>

enum { MEMORY = 0x8000 };

static uint8_t bytes[MEMORY];
static const ztl_ram ram = {0, MEMORY, bytes};
static const ztl_memory memory = {.ram = &ram, .ram_count = 1};

static void start(unsigned revision)
{
    start_hart(revision, 64);
    fill_registers();
    random_bytes(bytes, sizeof bytes);
    hart_memory = &memory;
}

/* Runs one line as the sources print it: li, csrrw, or a Ztl instruction; comments are cut off. */
static ztl_result run_line(const char *line)
{
    char text[128], name[64];
    unsigned rd, address, source;
    unsigned long value;
    uint32_t word;
    uint64_t old;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "#;"), line);
    if (sscanf(text, " li x%u, %lx", &rd, &value) == 2) {
        x[rd] = value;
        return (ztl_result){.status = ZTL_OK};
    }
    if (sscanf(text, " csrrw x0, %63[^,], x%u", name, &source) == 2) {
        assert_true(ztl_csr_address(hart.config.revision, name, &address));
        return ztl_csr_execute(&hart, word_csr(1, 0, address, source), x, &old);
    }
    char error[128];
    if (!ztl_assemble(hart.config.revision, text, &word, error, sizeof error))
        fail_msg("%s: %s", text, error);
    return run_word(word);
}

/* Runs lines, all of which must succeed. */
static void run_lines(const char *const *lines)
{
    for (; *lines; lines++)
        assert_int_equal(run_line(*lines).status, ZTL_OK);
}
#define RUN(...) run_lines((const char *const[]){__VA_ARGS__, NULL})

static void run_line_illegal(const char *line, unsigned reason)
{
    ztl_result r = run_line(line);
    assert_int_equal(r.status, ZTL_TRAP);
    assert_int_equal(r.cause, 2);
    assert_int_equal(r.reason, reason);
}

static uint32_t assembled(unsigned revision, const char *line)
{
    uint32_t word = 0;
    assert_true(ztl_assemble(revision, line, &word, NULL, 0));
    return word;
}

static const uint8_t *tl(unsigned index)
{
    return ztl_get_register(&hart, index);
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
    assert_false(ztl_assemble(2, "tl.addi t1, t2, 128", &word, NULL, 0));
    assert_true(ztl_assemble(2, "tl.addi t1, t2, -128", &word, NULL, 0));
    assert_false(ztl_assemble(1, "tl.addi t1, t2, 2048", &word, NULL, 0));
    assert_true(ztl_assemble(1, "tl.addi t1, t2, -2048", &word, NULL, 0));
}

/* The slices of a loaded register are those of memory where the mask says so, else zero. */
static void expect_loaded(unsigned target, unsigned base, unsigned count, unsigned width,
                          uint32_t slices)
{
    static const uint8_t zero[1024];
    for (unsigned i = 0; i < count; i++)
        assert_memory_equal(tl(target) + i * width,
                            slices >> i & 1 ? bytes + base + i * width : zero, width);
}

enum { SLICES_2_3_6_7 = 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7 };

/* 000:520-524, 000:633-639, 004 A.3 (330-339): "slices 0,1,4,5" are 2,3,6,7 (point 12). */
static void mload_with_mask_cc_in_revision_1(void **state)
{
    (void)state;
    start(1);
    RUN("li x10, 0x01081008          # [8,16,8,1]", "li x11, 0x1000", "li x12, 0x000000CC",
        "csrrw x0, tl_load_mask_csr, x12", "tl.mload t1, x10, x11");
    expect_loaded(1, 0x1000, 8, 128, SLICES_2_3_6_7);
    start(1);
    RUN("li x10, 0x01081008", "li x11, 0x1000", "li x12, 0x000000CC",
        "csrrw x0, TL_LOAD_MASK_CSR, x12", "tl.mload t1, x10, x11");
    expect_loaded(1, 0x1000, 8, 128, SLICES_2_3_6_7);
}

/* 000:641-647: the first two and the last of four. */
static void mload_of_three_slices(void **state)
{
    (void)state;
    start(1);
    RUN("li x13, 0x01082004          # [4,32,8,1]", "li x14, 0x2000", "li x15, 0x0000000B",
        "csrrw x0, TL_LOAD_MASK_CSR, x15", "tl.mload t2, x13, x14");
    expect_loaded(2, 0x2000, 4, 256, 1 << 0 | 1 << 1 | 1 << 3);
}

/* 001:464-469, 002:471-476, 003:481-486: the same mask in Ztl 2, shape [8,32,4] (point 12). */
static void mload_with_mask_cc(void **state)
{
    (void)state;
    start(2);
    set_csr(CSR_TSHAPE, shape3(8, 32, 4));
    RUN("li x11, 0x1000", "li x12, 0x000000CC", "csrrw x0, TL_LOAD_MASK_CSR, x12",
        "tl.mload tl1, 0(x11)");
    expect_loaded(1, 0x1000, 8, 128, SLICES_2_3_6_7);
}

/* 001:471-473, 002:478-480, 003:488-490: three registers are an error in Ztl 2; what the comment
 * asks for is tl.load. */
static void load_of_a_whole_block(void **state)
{
    (void)state;
    uint32_t word;
    assert_false(ztl_assemble(2, "tl.load t2, x13, x14", &word, NULL, 0));
    start(2);
    set_csr(CSR_TSHAPE, shape3(8, 32, 4));
    RUN("li x14, 0x2000", "tl.load t2, 0(x14)");
    expect_loaded(2, 0x2000, 8, 128, 0xff);
}

/* 000:70, 001:73, 002:70, 003:70: [2,2,4] with tmask_ls = 01. */
static void mask_of_two_slices(void **state)
{
    (void)state;
    start(2);
    set_csr(CSR_TSHAPE, shape3(2, 2, 4));
    RUN("li x10, 0x1", "li x11, 0x1000", "csrrw x0, tmask_ls, x10", "tl.mload tl1, 0(x11)",
        "tl.mstore tl1, 8(x11)");
    expect_loaded(1, 0x1000, 2, 8, 1);
    assert_memory_equal(bytes + 0x1040, bytes + 0x1000, 8);
}

/* 000:131-150, 001:140-163, 002:135-153, 003:138-156: mask, stride and width by CSR. */
static void mload_with_stride_and_width(void **state)
{
    (void)state;
    static const uint8_t zero[1024];
    start(2);
    set_csr(CSR_TSHAPE, shape3(3, 1, 1));
    x[10] = 5;
    x[11] = 7;
    x[12] = 20;
    x[13] = 0x1000;
    RUN("csrrw x0, TL_LOAD_MASK_CSR,   x10  ;", "csrrw x0, TL_LOAD_STRIDE_CSR, x11  ;",
        "csrrw x0, TL_LOAD_WIDTH_CSR,  x12  ;", "tl.mload tlr9, -3(x13)");
    assert_memory_equal(tl(9), bytes + 0x1000 + (7 - 3) * 20, 20);
    assert_memory_equal(tl(9) + 20, zero, 20);
    assert_memory_equal(tl(9) + 40, bytes + 0x1000 + (2 - 3) * 20, 20);
}

/* 000:177-195, 001:191-211, 002:183-201, 003:186-204: the same for stores. */
static void mstore_with_stride_and_width(void **state)
{
    (void)state;
    uint8_t before[64];
    start(2);
    set_csr(CSR_TSHAPE, shape3(3, 1, 1));
    x[10] = 5;
    x[11] = 7;
    x[12] = 20;
    x[13] = 0x1000;
    memcpy(before, bytes + 0x1000, 20);
    RUN("csrrw x0, TL_STORE_MASK_CSR,   x10  ;", "csrrw x0, TL_STORE_STRIDE_CSR, x11  ;",
        "csrrw x0, TL_STORE_WIDTH_CSR,  x12  ;", "tl.mstore tlr9, -1(x13)");
    assert_memory_equal(bytes + 0x1000 + 6 * 20, tl(9), 20);
    assert_memory_equal(bytes + 0x1000, before, 20);
    assert_memory_equal(bytes + 0x1000 + 20, tl(9) + 40, 20);
}

static void expect_stored(unsigned source, const uint8_t *before, unsigned base, unsigned count,
                          unsigned width, uint32_t slices)
{
    for (unsigned i = 0; i < count; i++)
        assert_memory_equal(bytes + base + i * width,
                            slices >> i & 1 ? tl(source) + i * width : before + base + i * width,
                            width);
}

/* 000:548-552: [4,32,8,1], slices 1 and 3. */
static void mstore_of_slices_1_and_3(void **state)
{
    (void)state;
    uint8_t before[MEMORY];
    start(1);
    memcpy(before, bytes, sizeof before);
    RUN("li x10, 0x01082004", "li x11, 0x3000", "li x12, 0xA", "csrrw x0, TL_STORE_MASK_CSR, x12",
        "tl.mstore t3, x11, x10");
    expect_stored(3, before, 0x3000, 4, 256, 1 << 1 | 1 << 3);
}

/* 000:651-657: the value printed for [16,8,8,1] is another, illegal shape (point 26). */
static void mstore_of_odd_slices(void **state)
{
    (void)state;
    uint8_t before[MEMORY];
    start(1);
    memcpy(before, bytes, sizeof before);
    RUN("li x16, 0x01081010", "li x17, 0x3000", "li x18, 0x0000AAAA",
        "csrrw x0, TL_STORE_MASK_CSR, x18");
    run_line_illegal("tl.mstore t3, x17, x16", SHAPE);
    RUN("li x16, 0x01080810", "tl.mstore t3, x17, x16");
    expect_stored(3, before, 0x3000, 16, 64, 0xaaaa);
}

/* 000:659-665: the first four slices. */
static void mstore_of_first_slices(void **state)
{
    (void)state;
    uint8_t before[MEMORY];
    start(1);
    memcpy(before, bytes, sizeof before);
    RUN("li x19, 0x01081008", "li x20, 0x4000", "li x21, 0x0000000F",
        "csrrw x0, TL_STORE_MASK_CSR, x21", "tl.mstore t4, x20, x19");
    expect_stored(4, before, 0x4000, 8, 128, 0xf);
}

/* 000:667-675: load, add, store; the slices stored were masked off, so they are 0 + 50. */
static void load_add_store(void **state)
{
    (void)state;
    uint8_t before[MEMORY], fifty[512];
    memset(fifty, 50, sizeof fifty);
    start(1);
    memcpy(before, bytes, sizeof before);
    RUN("li x10, 0x01081008", "li x11, 0x1000", "li x20, 0x4000", "li x22, 0x000000F0",
        "li x23, 0x0000000F", "csrrw x0, TL_LOAD_MASK_CSR, x22", "tl.mload t5, x10, x11",
        "tl.addi t5, t5, 50", "csrrw x0, TL_STORE_MASK_CSR, x23", "tl.mstore t5, x20, x10");
    expect_stored(5, before, 0x4000, 8, 128, 0xf);
    assert_memory_equal(bytes + 0x4000, fifty, sizeof fifty);
}

/* 001:479-484, 002:486-491, 003:496-505: mask 0xAAAA on [8,32,4]; bits beyond D0 are ignored. */
static void mstore_of_odd_slices_in_revision_2(void **state)
{
    (void)state;
    uint8_t before[MEMORY];
    start(2);
    memcpy(before, bytes, sizeof before);
    set_csr(CSR_TSHAPE, shape3(8, 32, 4));
    RUN("li x17, 0x3000", "li x18, 0x0000AAAA", "csrrw x0, TL_STORE_MASK_CSR, x18",
        "tl.mstore t3, 0(x17)");
    expect_stored(3, before, 0x3000, 8, 128, 0xaa);
    assert_memory_equal(bytes + 0x3400, before + 0x3400, 0x400);
}

/* 001:486-490, 002:493-499, 003:507-510: a full store with no mask set (point 33). */
static void store_of_a_whole_block(void **state)
{
    (void)state;
    uint8_t before[MEMORY];
    start(2);
    memcpy(before, bytes, sizeof before);
    set_csr(CSR_TSHAPE, shape3(8, 32, 4));
    RUN("li x20, 0x4000");
    run_line_illegal("tl.mstore t4, 0(x20)", MASK_UNINITIALISED);
    RUN("tl.store t4, 0(x20)");
    expect_stored(4, before, 0x4000, 8, 128, 0xff);
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
        cmocka_unit_test(mload_with_mask_cc_in_revision_1),
        cmocka_unit_test(mload_of_three_slices),
        cmocka_unit_test(mload_with_mask_cc),
        cmocka_unit_test(load_of_a_whole_block),
        cmocka_unit_test(mask_of_two_slices),
        cmocka_unit_test(mload_with_stride_and_width),
        cmocka_unit_test(mstore_with_stride_and_width),
        cmocka_unit_test(mstore_of_slices_1_and_3),
        cmocka_unit_test(mstore_of_odd_slices),
        cmocka_unit_test(mstore_of_first_slices),
        cmocka_unit_test(load_add_store),
        cmocka_unit_test(mstore_of_odd_slices_in_revision_2),
        cmocka_unit_test(store_of_a_whole_block),
        cmocka_unit_test(permute_encodings),
        cmocka_unit_test(summary_of_revision_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
