/* SPDX-License-Identifier: Apache-2.0
 * Each semihosting call does what the specification says, on RV32 and RV64; files stay below the
 * directory.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/sim/host/machine.h"

enum {
    OPEN = 0x01,
    CLOSE,
    WRITEC,
    WRITE0,
    WRITE,
    READ,
    READC,
    ISERROR,
    ISTTY,
    SEEK,
    FLEN = 0x0c,
    TMPNAM,
    REMOVE,
    RENAME,
    CLOCK,
    TIME,
    SYSTEM,
    ERRNO,
    GET_CMDLINE = 0x15,
    HEAPINFO,
    EXIT = 0x18,
    EXIT_EXTENDED = 0x20,
    ELAPSED = 0x30,
    TICKFREQ,
};

static machine m;
static char directory[64];

static unsigned word_size(void)
{
    return ztl_hart_isa_of(m.hart)->xlen / 8;
}

/* The call with a1 as it is; results are sign-extended from XLEN. */
static int64_t call_plain(unsigned operation, uint64_t parameter)
{
    ztl_hart_set_x(m.hart, 10, operation);
    ztl_hart_set_x(m.hart, 11, parameter);
    assert_true(ztl_host_semihost(m.host, m.hart));
    uint64_t result = ztl_hart_x(m.hart, 10);
    return word_size() == 4 ? (int32_t)result : (int64_t)result;
}

static int64_t call(unsigned operation, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t words[] = {a, b, c, d};
    uint8_t bytes[32];
    for (unsigned i = 0; i < 4 * word_size(); i++)
        bytes[i] = (uint8_t)(words[i / word_size()] >> (8 * (i % word_size())));
    ztl_hart_write_memory(m.hart, BLOCK, bytes, 4 * word_size());
    return call_plain(operation, BLOCK);
}

static uint64_t word_at(uint64_t address)
{
    uint64_t value = 0;
    ztl_hart_read_memory(m.hart, address, &value, word_size());
    return value;
}

static uint64_t put(uint64_t address, const char *text)
{
    ztl_hart_write_memory(m.hart, address, text, strlen(text) + 1);
    return address;
}

static int64_t open_file(const char *name, unsigned mode)
{
    return call(OPEN, put(TEXT, name), mode, strlen(name), 0);
}

static int64_t guest_errno(void)
{
    return call_plain(ERRNO, 0);
}

/* Each test runs on both. */
static void start(const char *isa)
{
    machine_start(&m, isa, directory);
}
#define ON_BOTH(body)                                                                              \
    do {                                                                                           \
        static const char *const isas[] = {"rv32i_zicsr", "rv64i_zicsr"};                          \
        for (unsigned on = 0; on < 2; on++) {                                                      \
            start(isas[on]);                                                                       \
            body();                                                                                \
            machine_end(&m);                                                                       \
        }                                                                                          \
    } while (0)

static void console_body(void)
{
    put(TEXT, "xyz");
    assert_int_equal(call_plain(WRITEC, TEXT + 1), 0);
    assert_int_equal(call_plain(WRITE0, TEXT), 0);
    assert_int_equal(call(WRITE, 1, TEXT, 2, 0), 0);
    assert_string_equal(m.output[0], "yxyzxy");
    int64_t errors = open_file(":tt", 8), normal = open_file(":tt", 4);
    put(TEXT, "xyz");
    assert_true(errors > 0 && normal > 0);
    assert_int_equal(call(WRITE, (uint64_t)errors, TEXT, 3, 0), 0);
    assert_int_equal(call(WRITE, (uint64_t)normal, TEXT + 2, 1, 0), 0);
    assert_string_equal(m.output[1], "xyz");
    assert_string_equal(m.output[0], "yxyzxyz");
    assert_int_equal(call(ISTTY, (uint64_t)errors, 0, 0, 0), 1);
    assert_int_equal(call(CLOSE, (uint64_t)errors, 0, 0, 0), 0);
    assert_int_equal(call(ISTTY, (uint64_t)errors, 0, 0, 0), -1);
    assert_int_equal(call(WRITE, (uint64_t)errors, TEXT, 3, 0), 3);
    assert_int_equal(guest_errno(), 9);
    m.input = "abcde";
    assert_int_equal(call_plain(READC, 0), 'a');
    assert_int_equal(call(READ, 0, TEXT, 3, 0), 0);
    assert_int_equal(call(READ, 0, TEXT + 3, 10, 0), 9);
    assert_int_equal(call(READ, 0, TEXT + 4, 10, 0), 10);
    assert_int_equal(call_plain(READC, 0), -1);
    char text[5] = "";
    ztl_hart_read_memory(m.hart, TEXT, text, 4);
    assert_string_equal(text, "bcde");
}

static void console(void **state)
{
    (void)state;
    ON_BOTH(console_body);
}

static void files_body(void)
{
    char bytes[16] = "";
    int64_t file = open_file("data.bin", 5); /* wb */
    assert_true(file > 0);
    put(TEXT, "0123456789");
    assert_int_equal(call(WRITE, (uint64_t)file, TEXT, 10, 0), 0);
    assert_int_equal(call(READ, (uint64_t)file, TEXT, 4, 0), 4); /* not open for reading */
    assert_int_equal(call(FLEN, (uint64_t)file, 0, 0, 0), 10);
    assert_int_equal(call(ISTTY, (uint64_t)file, 0, 0, 0), 0);
    assert_int_equal(call(CLOSE, (uint64_t)file, 0, 0, 0), 0);
    file = open_file("data.bin", 9); /* ab */
    put(TEXT, "AB");
    assert_int_equal(call(WRITE, (uint64_t)file, TEXT, 2, 0), 0);
    assert_int_equal(call(CLOSE, (uint64_t)file, 0, 0, 0), 0);
    file = open_file("data.bin", 1); /* rb */
    assert_int_equal(call(SEEK, (uint64_t)file, 8, 0, 0), 0);
    assert_int_equal(call(READ, (uint64_t)file, TEXT, 16, 0), 12);
    ztl_hart_read_memory(m.hart, TEXT, bytes, 4);
    assert_string_equal(bytes, "89AB");
    assert_int_equal(call(WRITE, (uint64_t)file, TEXT, 2, 0), 2); /* not open for writing */
    assert_int_equal(call(CLOSE, (uint64_t)file, 0, 0, 0), 0);
    put(TEXT, "data.bin");
    put(TEXT + 100, "moved");
    assert_int_equal(call(RENAME, TEXT, 8, TEXT + 100, 5), 0);
    assert_int_equal(open_file("data.bin", 0), -1);
    assert_int_equal(guest_errno(), 2);
    put(TEXT, "moved");
    assert_int_equal(call(REMOVE, TEXT, 5, 0, 0), 0);
    assert_int_equal(call(REMOVE, TEXT, 5, 0, 0), -1);
    assert_int_equal(open_file("moved", 12), -1); /* no such mode */
}

static void files(void **state)
{
    (void)state;
    ON_BOTH(files_body);
}

/* Below the directory: inside/file, a link to it, links out of it, a pipe. */
static void in_directory(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", directory, name);
}

static void make_traps(void)
{
    char path[128], outside[140];
    in_directory("inside", path);
    assert_int_equal(mkdir(path, 0700), 0);
    in_directory("inside/file", path);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(file >= 0);
    close(file);
    in_directory("link", path);
    assert_int_equal(symlink("inside/file", path), 0);
    in_directory("out", path);
    assert_int_equal(symlink("/etc", path), 0);
    in_directory("passwd", path);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    in_directory("new", path);
    snprintf(outside, sizeof outside, "%s-outside", directory);
    assert_int_equal(symlink(outside, path), 0);
    in_directory("up", path);
    assert_int_equal(symlink("..", path), 0);
    in_directory("pipe", path);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void remove_traps(void)
{
    static const char *const names[] = {"inside/file", "link", "out", "passwd",
                                        "new",         "up",   "pipe"};
    char path[128];
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        in_directory(names[i], path);
        unlink(path);
    }
    in_directory("inside", path);
    rmdir(path);
}

static void sandbox_body(void)
{
    static const char *const refused[] = {
        "/etc/passwd", "../x", "inside/../../x", "inside/..",  "..",
        ".",           "",     "inside/",        "out/passwd", "passwd",
        "link",        "new",  "up/x",           "pipe",       "inside",
        "./x",         "/",    "//etc/passwd"};
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++)
        for (unsigned mode = 0; mode < 12; mode++)
            if (open_file(refused[i], mode) != -1)
                fail_msg("'%s' was opened in mode %u", refused[i], mode);
    char outside[140];
    snprintf(outside, sizeof outside, "%s-outside", directory);
    assert_int_equal(access(outside, F_OK), -1); /* nothing was made through the link */
    int64_t file = open_file("inside/file", 0);
    assert_true(file > 0);
    assert_true(open_file("inside//file", 0) > 0);
    put(TEXT, "up/x");
    assert_int_equal(call(REMOVE, TEXT, 4, 0, 0), -1);
    put(TEXT, "inside/file");
    put(TEXT + 100, "../stolen");
    assert_int_equal(call(RENAME, TEXT, 11, TEXT + 100, 9), -1);
    assert_int_equal(call(RENAME, TEXT + 100, 9, TEXT, 11), -1);
    ztl_hart_write_memory(m.hart, TEXT, "inside/file\0x", 13); /* a NUL within the name */
    assert_int_equal(call(OPEN, TEXT, 0, 13, 0), -1);
    assert_int_equal(call(OPEN, TEXT, 0, 1u << 20, 0), -1);
    assert_int_equal(guest_errno(), 91);
}

static void sandbox(void **state)
{
    (void)state;
    make_traps();
    ON_BOTH(sandbox_body);
    remove_traps();
}

static void no_directory(void **state)
{
    (void)state;
    machine_start(&m, "rv64i_zicsr", NULL);
    for (unsigned mode = 0; mode < 12; mode++)
        assert_int_equal(open_file("file", mode), -1);
    assert_int_equal(guest_errno(), 13);
    put(TEXT, "file");
    assert_int_equal(call(REMOVE, TEXT, 4, 0, 0), -1);
    assert_int_equal(call(RENAME, TEXT, 4, TEXT, 4), -1);
    assert_int_equal(call(TMPNAM, TEXT, 1, 100, 0), -1);
    machine_end(&m);
    ztl_error error;
    ztl_host_config config = {.directory = "no/such/directory"};
    assert_null(ztl_host_create(&config, &error));
    assert_string_equal(error.text, "no/such/directory: No such file or directory");
}

static void too_many_body(void)
{
    put(TEXT, ":tt");
    int opened = 0;
    while (call(OPEN, TEXT, 0, 3, 0) != -1)
        assert_in_range(++opened, 1, 1000);
    assert_int_equal(guest_errno(), 24);
    assert_int_equal(opened, ZTL_HOST_HANDLES - 3);
}

static void too_many(void **state)
{
    (void)state;
    ON_BOTH(too_many_body);
}

static void features_body(void)
{
    int64_t file = open_file(":semihosting-features", 0);
    uint8_t bytes[5];
    assert_true(file > 0);
    assert_int_equal(open_file(":semihosting-features", 4), -1);
    assert_int_equal(call(FLEN, (uint64_t)file, 0, 0, 0), 5);
    assert_int_equal(call(READ, (uint64_t)file, TEXT, 5, 0), 0);
    ztl_hart_read_memory(m.hart, TEXT, bytes, 5);
    assert_memory_equal(bytes, "SHFB\3", 5);
    assert_int_equal(call(SEEK, (uint64_t)file, 4, 0, 0), 0);
    assert_int_equal(call(READ, (uint64_t)file, TEXT, 5, 0), 4);
    assert_int_equal(call(SEEK, (uint64_t)file, 6, 0, 0), -1);
}

static void features(void **state)
{
    (void)state;
    ON_BOTH(features_body);
}

static void others_body(void)
{
    char line[8];
    assert_int_equal(call(GET_CMDLINE, TEXT, 100, 0, 0), 0);
    ztl_hart_read_memory(m.hart, TEXT, line, 8);
    assert_string_equal(line, "one two");
    assert_int_equal(word_at(BLOCK + word_size()), 7);
    assert_int_equal(call(GET_CMDLINE, TEXT, 7, 0, 0), -1); /* no room for the NUL */
    assert_in_range(call_plain(TIME, 0), time(NULL) - 10, time(NULL) + 1);
    assert_in_range(call_plain(CLOCK, 0), 0, 6000);
    assert_int_equal(call_plain(TICKFREQ, 0), 1000000000);
    assert_int_equal(call_plain(ELAPSED, TEXT), 0);
    uint64_t ticks;
    ztl_hart_read_memory(m.hart, TEXT, &ticks, 8);
    assert_in_range(ticks, 1, UINT64_C(60000000000));
    assert_int_equal(call(ISERROR, UINT64_MAX, 0, 0, 0), 1);
    assert_int_equal(call(ISERROR, 0, 0, 0, 0), 0);
    assert_int_equal(call(TMPNAM, TEXT, 7, 8, 0), 0);
    ztl_hart_read_memory(m.hart, TEXT, line, 8);
    assert_string_equal(line, "tmp-007");
    assert_int_equal(call(TMPNAM, TEXT, 7, 7, 0), -1);
    assert_int_equal(call(SYSTEM, put(TEXT, "true"), 4, 0, 0), -1);
    assert_int_equal(guest_errno(), 88);
    assert_int_equal(call_plain(0x99, 0), -1);
    assert_int_equal(call_plain(0, 0), -1);
    assert_int_equal(call(HEAPINFO, TEXT, 0, 0, 0), 0); /* no program: the guest knows better */
    assert_int_equal(word_at(TEXT), 0);
}

static void others(void **state)
{
    (void)state;
    ON_BOTH(others_body);
}

static void exits(void **state)
{
    (void)state;
    start("rv32i_zicsr");
    call_plain(EXIT, 0x20026);
    assert_int_equal(ztl_hart_exit_code(m.hart), 0);
    call_plain(EXIT, 0x20023);
    assert_int_equal(ztl_hart_exit_code(m.hart), 1);
    call(EXIT_EXTENDED, 0x20026, 42, 0, 0);
    assert_int_equal(ztl_hart_exit_code(m.hart), 42);
    machine_end(&m);
    start("rv64i_zicsr");
    call(EXIT, 0x20026, 41, 0, 0);
    assert_int_equal(ztl_hart_exit_code(m.hart), 41);
    call(EXIT, 0x20023, 0, 0, 0);
    assert_int_equal(ztl_hart_exit_code(m.hart), 1);
    call_plain(EXIT, 0x10); /* a block that is not there */
    assert_int_equal(ztl_hart_exit_code(m.hart), 1);
    machine_end(&m);
}

/* Addresses that lead nowhere are an answer, not a crash. */
static void bad_addresses_body(void)
{
    static const uint64_t bad[] = {0, 8, RAM - 1, RAM + RAM_SIZE - 2, UINT32_MAX, UINT64_MAX};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t address = word_size() == 4 ? (uint32_t)bad[i] : bad[i];
        for (unsigned operation = 0; operation < 0x34; operation++)
            if (operation != EXIT && operation != EXIT_EXTENDED && operation != CLOCK)
                call_plain(operation, address);
        assert_int_equal(call(OPEN, address, 0, 5, 0), -1);
        assert_int_equal(guest_errno(), 14);
        assert_int_equal(call(WRITE, 1, address, 5, 0), 5);
        m.input = "abc";
        assert_int_equal(call(READ, 0, address, 3, 0), 3);
        assert_int_equal(call(GET_CMDLINE, address, 100, 0, 0), -1);
        assert_int_equal(call(HEAPINFO, address, 0, 0, 0), -1);
        assert_int_equal(call(WRITE, address, TEXT, 1, 0), 1); /* as a handle */
        m.length[0] = 0;
    }
}

static void bad_addresses(void **state)
{
    (void)state;
    ON_BOTH(bad_addresses_body);
}

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "semihost-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(console),  cmocka_unit_test(files),        cmocka_unit_test(sandbox),
        cmocka_unit_test(features), cmocka_unit_test(no_directory), cmocka_unit_test(too_many),
        cmocka_unit_test(others),   cmocka_unit_test(exits),        cmocka_unit_test(bad_addresses),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
