/* SPDX-License-Identifier: Apache-2.0
 * Programs from sources, as `ztl run` wants them: an ELF file that starts where RAM does.
 */
#include "toolchain/compile/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"

/* In a directory of its own, which the group's teardown removes. */
static char directory[] = "/tmp/ztl-build-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(directory) || chdir(directory);
}

static int tear_down(void **state)
{
    static const char *const files[] = {"in.s", "in.S", "in.c", "in.cpp", "out.elf"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    return chdir("/") || rmdir(directory);
}

static void write_source(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Byte n of the ELF header: class at 4, machine at 18, entry from 24 on. */
static void read_header(uint8_t header[32])
{
    FILE *file = fopen("out.elf", "rb");
    assert_non_null(file);
    assert_int_equal(fread(header, 1, 32, file), 32);
    fclose(file);
    assert_memory_equal(header, "\177ELF", 4);
    assert_int_equal(header[18], 243);
}

static uint32_t entry_of(const uint8_t header[32])
{
    return (uint32_t)header[24] | (uint32_t)header[25] << 8 | (uint32_t)header[26] << 16 |
           (uint32_t)header[27] << 24;
}

/* The options with one argument, a source. */
static bool try_build(ztl_build_options options, const char *source, ztl_error *error)
{
    const char *const arguments[] = {source, NULL};
    options.arguments = arguments;
    return ztl_build_program(&options, "out.elf", error);
}

static void build(const ztl_build_options *options, const char *source)
{
    ztl_error error = {""};
    bool ok = source ? try_build(*options, source, &error)
                     : ztl_build_program(options, "out.elf", &error);
    assert_string_equal(error.text, "");
    assert_true(ok);
}

static void test_assembly(void **state)
{
    uint8_t header[32];
    (void)state;
    write_source("in.s", ".globl _start\n_start: tl.addi tl1, tl2, 3\ncsrw tshape, a0\n");
    build(&(ztl_build_options){0}, "in.s");
    read_header(header);
    assert_int_equal(header[4], 2);
    assert_int_equal(entry_of(header), 0x80000000);
    build(&(ztl_build_options){.isa = "rv32im_zba_ztl1p0", .base = 0x1000, .clang = true}, "in.s");
    read_header(header);
    assert_int_equal(header[4], 1);
    assert_int_equal(entry_of(header), 0x1000);
}

static void test_preprocessed_assembly(void **state)
{
    static const char *const arguments[] = {"-DSTEP=3", "in.S", NULL};
    uint8_t header[32];
    (void)state;
    write_source("in.S", ".globl _start\n_start: tl.addi tl1, tl2, STEP\n");
    build(&(ztl_build_options){.arguments = arguments}, NULL);
    read_header(header);
    assert_int_equal(entry_of(header), 0x80000000);
}

static void test_c(void **state)
{
    uint8_t header[32];
    (void)state;
    write_source("in.c",
                 "#include <stdio.h>\nint main(void)\n{\n"
                 "__asm__ volatile(\"tl.addi tl1, tl2, 3\");\nputs(\"x\");\nreturn 0;\n}\n");
    build(&(ztl_build_options){.isa = "rv64imac_zicsr_zifencei_zba_zbb_ztl"}, "in.c");
    read_header(header);
    assert_int_equal(entry_of(header), 0x80000000);
    build(&(ztl_build_options){.isa = "rv32imac_ztl", .clang = true}, "in.c");
    read_header(header);
    assert_int_equal(header[4], 1);
}

static void test_several(void **state)
{
    static const char *const arguments[] = {"-D", "STEP=3", "in.S", "-O1", "in.c", "in.cpp", NULL};
    uint8_t header[32];
    (void)state;
    write_source("in.S", ".globl step\nstep: li a0, STEP\ntl.addi tl1, tl2, STEP\nret\n");
    write_source("in.c", "int step(void), more(void);\n"
                         "int main(void) { return step() + more() != 3 + STEP; }\n");
    write_source("in.cpp", "struct A { virtual int f() { return STEP; } };\n"
                           "extern \"C\" int more() { static A a; return a.f(); }\n");
    for (int clang = 0; clang < 2; clang++) {
        build(&(ztl_build_options){.arguments = arguments, .clang = clang}, NULL);
        read_header(header);
        assert_int_equal(entry_of(header), 0x80000000);
    }
}

static void test_failures(void **state)
{
    ztl_error error;
    ztl_build_options options = {0};
    (void)state;
    unlink("out.elf");
    assert_false(try_build(options, "none.s", &error));
    assert_string_equal(error.text, "none.s: No such file or directory");
    assert_false(try_build(options, "x.txt", &error));
    assert_string_equal(error.text, "no source: neither C, C++ nor assembly");
    write_source("in.s", "tl.bogus\n");
    assert_false(try_build(options, "in.s", &error));
    assert_string_equal(error.text, "in.s: not built");
    options.isa = "rv64i_ztl7p7";
    assert_false(try_build(options, "in.s", &error));
    assert_non_null(strstr(error.text, "'ztl7p7' is no Ztl extension"));
    assert_int_not_equal(access("out.elf", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembly), cmocka_unit_test(test_preprocessed_assembly),
        cmocka_unit_test(test_c),        cmocka_unit_test(test_several),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
