/* SPDX-License-Identifier: Apache-2.0
 * Programs are loaded as the ELF file says, and files that are wrong are refused with the reason.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/program/program.h"

#include "tests/sim/program/image.h"
#include "tests/unit.h"

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
enum { MUTATIONS = 2000 };
#else
enum { MUTATIONS = 20000 };
#endif

/* A file without a name, so that nothing is left behind. */
typedef struct file {
    int descriptor;
    char path[64];
} file;

static file write_file(const void *bytes, size_t size)
{
    file f = {.descriptor = memfd_create("image", 0)};
    assert_true(f.descriptor >= 0);
    assert_int_equal(write(f.descriptor, bytes, size), (ssize_t)size);
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.descriptor);
    return f;
}

static ztl_program *open_bytes(const void *bytes, size_t size, ztl_error *error)
{
    file f = write_file(bytes, size);
    *error->text = '\0';
    ztl_program *program = ztl_program_open(f.path, error);
    if (!program)
        assert_memory_equal(error->text, f.path, strlen(f.path)); /* messages start with the file */
    close(f.descriptor);
    return program;
}

static void refused(const void *bytes, size_t size, const char *why)
{
    ztl_error error;
    ztl_program *program = open_bytes(bytes, size, &error);
    if (program || !strstr(error.text, why))
        fail_msg("'%s' instead of '%s'", program ? "opened" : error.text, why);
}

static ztl_hart *new_hart(const char *isa)
{
    ztl_error error;
    ztl_hart_config config = ztl_hart_default_config();
    config.isa = isa;
    ztl_hart *hart = ztl_hart_create(&config, &error);
    if (!hart)
        fail_msg("%s", error.text);
    return hart;
}

static void check_loaded(ztl_program *program, const char *isa)
{
    ztl_error error;
    ztl_hart *hart = new_hart(isa);
    uint8_t bytes[IMAGE_DATA_ALL + 1];
    memset(bytes, 0x55, sizeof bytes);
    ztl_hart_write_memory(hart, IMAGE_DATA_BASE, bytes, sizeof bytes);
    assert_true(ztl_program_load(program, hart, &error));
    assert_int_equal(ztl_hart_pc(hart), IMAGE_BASE);
    ztl_hart_read_memory(hart, IMAGE_BASE, bytes, IMAGE_CODE);
    for (unsigned i = 0; i < IMAGE_CODE; i++)
        assert_int_equal(bytes[i], i + 1);
    ztl_hart_read_memory(hart, IMAGE_DATA_BASE, bytes, sizeof bytes);
    for (unsigned i = 0; i < IMAGE_DATA_ALL; i++)
        assert_int_equal(bytes[i], i < IMAGE_DATA ? 0xda : 0);
    assert_int_equal(bytes[IMAGE_DATA_ALL], 0x55); /* nothing behind is touched */
    ztl_hart_destroy(hart);
}

static void loads_both_classes(void **state)
{
    (void)state;
    ztl_error error;
    image32 small;
    image64 large;
    make_image32(&small);
    make_image64(&large);
    ztl_program *program = open_bytes(&small, sizeof small, &error);
    assert_non_null(program);
    assert_int_equal(ztl_program_xlen(program), 32);
    check_loaded(program, "rv32i_zicsr");
    ztl_program_close(program);
    program = open_bytes(&large, sizeof large, &error);
    assert_non_null(program);
    assert_int_equal(ztl_program_xlen(program), 64);
    assert_int_equal(ztl_program_entry(program), IMAGE_BASE);
    assert_int_equal(ztl_program_end(program), IMAGE_DATA_BASE + IMAGE_DATA_ALL);
    check_loaded(program, "rv64i_zicsr");
    ztl_program_close(program);
}

static void describe(const ztl_program *program, uint64_t address, const char *expected)
{
    char text[100];
    assert_int_equal(ztl_program_describe(program, address, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static void finds_symbols(void **state)
{
    (void)state;
    ztl_error error;
    image64 image;
    ztl_symbol symbol;
    make_image64(&image);
    ztl_program *program = open_bytes(&image, sizeof image, &error);
    assert_non_null(program);
    assert_true(ztl_program_find(program, "table", &symbol));
    assert_int_equal(symbol.address, IMAGE_DATA_BASE + 8);
    assert_int_equal(symbol.size, 8);
    assert_true(ztl_program_find(program, "limit", &symbol)); /* a number has a name too, */
    assert_false(ztl_program_find(program, "tabl", &symbol));
    describe(program, IMAGE_BASE, "_start");
    describe(program, IMAGE_BASE + 15, "_start+0xf");
    describe(program, IMAGE_BASE + 24, "helper+0x8"); /* but names no place */
    describe(program, IMAGE_BASE + IMAGE_CODE, "");
    describe(program, IMAGE_DATA_BASE, ""); /* nothing before it in its segment */
    describe(program, IMAGE_DATA_BASE + 9, "table+0x1");
    describe(NULL, IMAGE_BASE, "");
    ztl_program_close(program);
}

/* Cut anywhere, a file is refused. */
static void refuses_truncated(void **state)
{
    (void)state;
    image32 small;
    image64 large;
    make_image32(&small);
    make_image64(&large);
    for (size_t size = 0; size < sizeof small; size++)
        refused(&small, size, "");
    for (size_t size = 0; size < sizeof large; size++)
        refused(&large, size, "");
    refused(&large, 0, "not an ELF file");
    refused(&large, 40, "has no ELF header in its 40 bytes; is it cut short?");
    refused(&large, offsetof(image64, code) - 1, "2 program headers leave the file");
    refused(&large, offsetof(image64, data), "segment 1 leaves the file");
    refused(&large, sizeof large - 1, "4 section headers leave the file");
}

static image64 fresh(void)
{
    image64 image;
    make_image64(&image);
    return image;
}

#define REFUSED(change, why)                                                                       \
    do {                                                                                           \
        image64 image = fresh();                                                                   \
        image.change;                                                                              \
        refused(&image, sizeof image, why);                                                        \
    } while (0)

static void refuses_other_kinds(void **state)
{
    (void)state;
    REFUSED(header.e_machine = EM_X86_64, "is for x86-64 (machine 62), not for RISC-V");
    REFUSED(header.e_machine = EM_AARCH64, "AArch64");
    REFUSED(header.e_machine = 9999, "another architecture (machine 9999)");
    REFUSED(header.e_type = ET_REL, "is an object file");
    REFUSED(header.e_type = ET_DYN, "position-independent");
    REFUSED(header.e_type = ET_CORE, "no executable (ELF type 4)");
    REFUSED(header.e_flags = EF_RISCV_RVE, "RV32E");
    REFUSED(header.e_ident[EI_CLASS] = 7, "");
    REFUSED(header.e_ident[0] = 'E', "not an ELF file");
    REFUSED(segment[1].p_type = PT_INTERP, "dynamically linked");
    REFUSED(segment[1].p_type = PT_DYNAMIC, "dynamically linked");
    refused("!<arch>\n", 8, "is an archive");
    refused("#!/bin/sh\n", 10, "not an ELF file");
}

static void refuses_bad_segments(void **state)
{
    (void)state;
    REFUSED(segment[0].p_filesz = IMAGE_CODE + 1,
            "more bytes in the file (65) than in memory (64)");
    REFUSED(segment[1].p_offset = UINT64_MAX, "segment 1 leaves the file");
    REFUSED(segment[1].p_offset = sizeof image - 15, "segment 1 leaves the file");
    REFUSED(segment[1].p_memsz = UINT64_MAX, "wraps around");
    REFUSED(segment[1].p_paddr = UINT64_MAX - 4094, "wraps around");
    REFUSED(segment[1].p_paddr = IMAGE_BASE + 63, "segments 0 (from 0x80000000) and 1 (from "
                                                  "0x8000003f) overlap");
    REFUSED(segment[1].p_paddr = IMAGE_BASE, "overlap");
    REFUSED(header.e_phnum = 0, "no segment to load");
    REFUSED(header.e_phnum = 60000, "60000 program headers leave the file");
    REFUSED(header.e_phentsize = 8, "program headers have 8 bytes each, must be 56");
    REFUSED(header.e_phnum = PN_XNUM, "more segments or sections than can be");
    REFUSED(header.e_shnum = 0, "more segments or sections than can be");
    REFUSED(header.e_phoff = UINT64_MAX - 8, "program headers cannot be read");
    REFUSED(header.e_entry = IMAGE_BASE + IMAGE_CODE, "entry 0x80000040 is in no segment");
    image32 small;
    make_image32(&small);
    small.segment[1].p_paddr = UINT32_MAX - 4094;
    refused(&small, sizeof small, "wraps around");
}

static void refuses_bad_symbols(void **state)
{
    (void)state;
    REFUSED(symbol[2].st_name = 4000, "symbol 2 is damaged");
    REFUSED(section[1].sh_link = 77, "is damaged");
    REFUSED(section[1].sh_entsize = 5, "the symbol table is damaged");
    REFUSED(section[1].sh_offset = 1 << 30, "is damaged");
    REFUSED(section[1].sh_size = (uint64_t)1 << 40, "the symbol table has 1099511627776 bytes");
    REFUSED(section[2].sh_size = (uint64_t)1 << 40, "and 1099511627776 of names");
    REFUSED(names[sizeof image_names - 1] = 'x', "is damaged"); /* no NUL at the end */
    REFUSED(header.e_shnum = 60000, "60000 section headers leave the file");
    image64 stripped = fresh();
    stripped.header.e_shoff = stripped.header.e_shnum = 0;
    ztl_error error;
    ztl_program *program = open_bytes(&stripped, sizeof stripped, &error);
    assert_non_null(program); /* symbols are not needed */
    ztl_program_close(program);
}

/* The most memory that this process has had, in bytes. */
static uint64_t peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss << 10;
}

/* Thousands of symbols whose names are one text of a megabyte, or its endings. */
static void shares_names(void **state)
{
    (void)state;
    enum { SYMBOLS = 4000, NAMES = 1 << 20 };
    ztl_error error;
    struct {
        image64 image;
        Elf64_Sym symbol[SYMBOLS];
        char names[NAMES];
    } *large = calloc(1, sizeof *large);
    assert_non_null(large);
    large->image = fresh();
    large->image.section[1].sh_offset = offsetof(image64, section) + sizeof large->image.section;
    large->image.section[1].sh_size = sizeof large->symbol;
    large->image.section[2].sh_offset = large->image.section[1].sh_offset + sizeof large->symbol;
    large->image.section[2].sh_size = NAMES;
    memset(large->names + 1, 'n', NAMES - 2);
    for (unsigned i = 1; i < SYMBOLS; i++)
        large->symbol[i] =
            (Elf64_Sym){.st_name = i % 2 ? 1 : i, .st_value = IMAGE_BASE, .st_shndx = 3};
    uint64_t before = peak_memory();
    ztl_program *program = open_bytes(large, sizeof *large, &error);
    if (!program)
        fail_msg("%s", error.text);
    assert_in_range(peak_memory() - before, 0, 64 << 20);
    char text[100];
    ztl_program_describe(program, IMAGE_BASE, text, sizeof text);
    assert_int_equal(strspn(text, "n"), sizeof text - 1);
    ztl_program_close(program);
    free(large);
}

/* Names are the file's; a terminal shall not obey them. */
static void shows_names_safely(void **state)
{
    (void)state;
    ztl_error error;
    char text[100];
    image64 image = fresh();
    memcpy(strstr(image.names + 1, "_start"), "\033[2J;m", 6);
    ztl_program *program = open_bytes(&image, sizeof image, &error);
    assert_non_null(program);
    ztl_program_describe(program, IMAGE_BASE + 4, text, sizeof text);
    assert_string_equal(text, "\\x1b[2J;m+0x4");
    ztl_program_close(program);
}

/* Zeros of 64 GiB take neither time nor memory. */
static void clears_much(void **state)
{
    (void)state;
    ztl_error error = {""};
    image64 image = fresh();
    image.segment[1].p_memsz = (uint64_t)64 << 30;
    ztl_program *program = open_bytes(&image, sizeof image, &error);
    const ztl_window ram = {IMAGE_BASE, ((uint64_t)64 << 30) + (1 << 20)};
    ztl_hart_config config = {.isa = "rv64i_zicsr", .ram = &ram, .ram_count = 1};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    if (!program || !hart)
        fail_msg("%s", error.text);
    static const uint64_t inside[] = {0, 1, 4095, 4096, 10000, (uint64_t)40 << 30};
    uint8_t byte = 0x55;
    for (unsigned i = 0; i < sizeof inside / sizeof inside[0]; i++)
        ztl_hart_write_memory(hart, IMAGE_DATA_BASE + IMAGE_DATA + inside[i], &byte, 1);
    ztl_hart_write_memory(hart, IMAGE_DATA_BASE + image.segment[1].p_memsz, &byte, 1);
    uint64_t before = peak_memory();
    assert_true(ztl_program_load(program, hart, &error));
    assert_in_range(peak_memory() - before, 0, 16 << 20);
    for (unsigned i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        ztl_hart_read_memory(hart, IMAGE_DATA_BASE + IMAGE_DATA + inside[i], &byte, 1);
        assert_int_equal(byte, 0);
    }
    ztl_hart_read_memory(hart, IMAGE_DATA_BASE + IMAGE_DATA - 1, &byte, 1);
    assert_int_equal(byte, 0xda);
    ztl_hart_read_memory(hart, IMAGE_DATA_BASE + image.segment[1].p_memsz, &byte, 1);
    assert_int_equal(byte, 0x55);
    ztl_hart_request_stop(hart); /* such as by a signal */
    assert_false(ztl_program_load(program, hart, &error));
    assert_non_null(strstr(error.text, "stopped while segment 0 was loaded"));
    ztl_program_close(program);
    ztl_hart_destroy(hart);
}

/* A file of a tebibyte, nearly all of it a hole, that says to use all of it. */
static void refuses_huge(void **state)
{
    (void)state;
    ztl_error error;
    const uint64_t size = (uint64_t)1 << 40;
    image64 images[] = {fresh(), fresh(), fresh()};
    images[0].section[1].sh_size = size / 2;
    images[1].section[2].sh_size = size / 2;
    images[2].section[0].sh_size = size / 64; /* the count of sections, if e_shnum says so */
    images[2].header.e_shnum = 0;
    for (unsigned i = 0; i < 3; i++) {
        file f = write_file(&images[i], sizeof images[i]);
        assert_int_equal(ftruncate(f.descriptor, (off_t)size), 0);
        assert_null(ztl_program_open(f.path, &error));
        assert_non_null(
            strstr(error.text, i < 2 ? "must be at most" : "more segments or sections"));
        close(f.descriptor);
    }
}

static void load_fails(const image64 *image, const char *isa, const char *why)
{
    ztl_error error = {""};
    ztl_hart *hart = new_hart(isa);
    ztl_program *program = open_bytes(image, sizeof *image, &error);
    assert_non_null(program);
    bool loaded = ztl_program_load(program, hart, &error);
    if (loaded || !strstr(error.text, why))
        fail_msg("'%s' instead of '%s'", error.text, why);
    uint8_t byte;
    ztl_hart_read_memory(hart, IMAGE_BASE, &byte, 1);
    assert_int_equal(byte, 0); /* nothing was loaded */
    ztl_program_close(program);
    ztl_hart_destroy(hart);
}

static void refuses_to_load(void **state)
{
    (void)state;
    image64 image = fresh();
    load_fails(&image, "rv32i_zicsr", "is a program for RV64, the hart is RV32");
    image.segment[1].p_paddr = 0x10000800;
    load_fails(&image, "rv64i_zicsr",
               "segment 1, 0x10000800 to 0x100017ff, is outside RAM (which starts at 0x80000000); "
               "give the hart RAM there, as with --mem 0x10000000:0x2000");
    image = fresh();
    image.segment[1].p_memsz = (uint64_t)1 << 40; /* starts in RAM, and leaves it */
    load_fails(&image, "rv64i_zicsr", "is outside RAM");
}

/* The RAM that a program with one segment elsewhere gets, and whether it loads there. */
static void has_ram(uint64_t physical, uint64_t virtual, uint64_t size, size_t count,
                    const ztl_window *expected)
{
    ztl_error error = {""};
    ztl_window ram[ZTL_HART_MAX_RAM];
    image64 image = fresh();
    image.segment[1].p_paddr = physical;
    image.segment[1].p_vaddr = virtual;
    image.segment[1].p_memsz = size;
    ztl_program *program = open_bytes(&image, sizeof image, &error);
    if (!program)
        fail_msg("%s", error.text);
    assert_int_equal(ztl_program_ram(program, ram, ZTL_HART_MAX_RAM), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ram[i].base, expected[i].base);
        assert_int_equal(ram[i].size, expected[i].size);
    }
    assert_int_equal(ztl_program_ram(program, ram, 1), 1);
    ztl_program_close(program);
}

static void has_ram_where_it_is(void **state)
{
    (void)state;
    const uint64_t block = 128 << 20, standard = 0x80000000;
    has_ram(standard + 0x4000, standard + 0x4000, 0x2000, 1, (ztl_window[]){{standard, block}});
    has_ram(0x10000800, 0x20000000, 0x2000, 3,
            (ztl_window[]){{0x10000000, block}, {0x20000000, block}, {standard, block}});
    has_ram(0x1000, 0xffffffffffffd000, 0x2000, 3,
            (ztl_window[]){{0, block}, {standard, block}, {-block, block}});
    has_ram(0x1000, 0x1000, 0x2000, 2, (ztl_window[]){{0, block}, {standard, block}});
    has_ram(standard + 0x4000, standard - 0x2000, 0x2000, 1,
            (ztl_window[]){{standard - block, 2 * block}});
    has_ram(standard + block, standard + block, 2 * block + 1, 1,
            (ztl_window[]){{standard, 4 * block}});
    has_ram(0x100000000, 0x100000000, UINT64_C(1) << 40, 1, (ztl_window[]){{standard, block}});
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    ztl_error error;
    assert_null(ztl_program_open("no/such/file", &error));
    assert_string_equal(error.text, "no/such/file: No such file or directory");
    assert_null(ztl_program_open("/", &error));
    assert_string_equal(error.text, "/: is not a regular file");
    assert_null(ztl_program_open("/dev/zero", &error));
    assert_string_equal(error.text, "/dev/zero: is not a regular file");
}

/* Any damage gives a message or a program that can be loaded or refused: never a crash. */
static void survives_damage(void **state)
{
    (void)state;
    ztl_error error;
    uint64_t random = 0x9e3779b97f4a7c15;
    ztl_hart *hart = new_hart("rv64i_zicsr");
    unsigned opened = 0;
    for (unsigned n = 0; n < MUTATIONS; n++) {
        image64 image = fresh();
        for (unsigned k = 0; k <= n % 3; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            ((uint8_t *)&image)[(random >> 33) % sizeof image] = (uint8_t)(random >> 24);
        }
        ztl_program *program = open_bytes(&image, sizeof image, &error);
        if (program) {
            opened++;
            ztl_program_load(program, hart, &error);
            ztl_program_describe(program, random, error.text, sizeof error.text);
        }
        ztl_program_close(program);
    }
    assert_in_range(opened, MUTATIONS / 20, MUTATIONS - MUTATIONS / 20); /* both happen */
    ztl_hart_destroy(hart);
}

/* Another note before it, of another type. */
static void add_notes(image64 *image, uint32_t size_of_first)
{
    const uint32_t notes[] = {
        4,  size_of_first,  NT_GNU_BUILD_ID, 0x554e47,          0x12345678, 4,
        16, NT_GNU_ABI_TAG, 0x554e47,        ELF_NOTE_OS_LINUX, 4,          15,
        0};
    memcpy(image->code, notes, sizeof notes);
    image->segment[1].p_type = PT_NOTE;
    image->segment[1].p_offset = offsetof(image64, code);
    image->segment[1].p_filesz = sizeof notes;
    image->segment[1].p_align = 4;
}

static bool is_linux(const image64 *image)
{
    ztl_error error = {""};
    file f = write_file(image, sizeof *image);
    ztl_program *program = ztl_program_open_any(f.path, &error);
    close(f.descriptor);
    if (!program)
        fail_msg("%s", error.text);
    bool answer = ztl_program_is_linux(program);
    ztl_program_close(program);
    return answer;
}

static void tells_linux_programs(void **state)
{
    (void)state;
    image64 image = fresh();
    assert_false(is_linux(&image));
    image.header.e_flags = EF_RISCV_FLOAT_ABI_DOUBLE;
    image.header.e_type = ET_DYN;
    assert_false(is_linux(&image));
    image.segment[1].p_type = PT_INTERP;
    assert_true(is_linux(&image));
    image = fresh();
    image.header.e_ident[EI_OSABI] = ELFOSABI_GNU;
    assert_true(is_linux(&image));
    image = fresh();
    add_notes(&image, 4);
    assert_true(is_linux(&image));
    add_notes(&image, 0xfffffff0); /* a first note that leaves the segment hides the second */
    assert_false(is_linux(&image));
    add_notes(&image, 4);
    image.segment[1].p_filesz = 20;
    assert_false(is_linux(&image));
    image.segment[1].p_filesz = 1 << 30; /* notes that leave the file are none */
    assert_false(is_linux(&image));
    image = fresh(); /* without a note: the layout of Linux's linkers */
    image.segment[1].p_type = PT_GNU_STACK;
    assert_false(is_linux(&image));
    uint64_t base = image.segment[0].p_vaddr, offset = image.segment[0].p_offset;
    image.segment[0].p_offset = 0;
    image.segment[0].p_vaddr = image.segment[0].p_paddr = 0x10000;
    image.segment[0].p_filesz = image.segment[0].p_memsz = sizeof image;
    image.header.e_entry += 0x10000 - base + offset;
    assert_true(is_linux(&image));
    image.segment[1].p_type = PT_NULL;
    assert_false(is_linux(&image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_linux_programs),
        cmocka_unit_test(loads_both_classes),
        cmocka_unit_test(finds_symbols),
        cmocka_unit_test(refuses_truncated),
        cmocka_unit_test(refuses_other_kinds),
        cmocka_unit_test(refuses_bad_segments),
        cmocka_unit_test(refuses_bad_symbols),
        cmocka_unit_test(refuses_to_load),
        cmocka_unit_test(has_ram_where_it_is),
        cmocka_unit_test(refuses_huge),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(shares_names),
        cmocka_unit_test(shows_names_safely),
        cmocka_unit_test(clears_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
