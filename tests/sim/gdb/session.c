/* SPDX-License-Identifier: Apache-2.0
 * The debugger's stub fed with packets by hand: right ones, damaged ones and garbage.
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/gdb/gdb.h"

enum { BASE = 0x80000000u };

typedef struct fixture {
    ztl_hart *hart;
    int ours, theirs;
    pthread_t server;
    enum ztl_gdb_end end;
    char answer[70000];
} fixture;

static void *serve(void *context)
{
    fixture *f = context;
    f->end = ztl_gdb_session(f->hart, f->theirs);
    close(f->theirs);
    return NULL;
}

/* addi a0, a0, 1 / addi a0, a0, 2 / j . */
static const uint32_t program[] = {0x00150513, 0x00250513, 0x0000006f};

static int start(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    int pair[2];
    f->hart = ztl_hart_create(NULL, NULL, 0);
    ztl_hart_write_memory(f->hart, BASE, program, sizeof program);
    ztl_hart_set_pc(f->hart, BASE);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    f->ours = pair[0];
    f->theirs = pair[1];
    pthread_create(&f->server, NULL, serve, f);
    *state = f;
    return 0;
}

static int stop(void **state)
{
    fixture *f = *state;
    shutdown(f->ours, SHUT_RDWR);
    pthread_join(f->server, NULL);
    close(f->ours);
    ztl_hart_destroy(f->hart);
    free(f);
    return 0;
}

static void send_raw(fixture *f, const void *bytes, size_t size)
{
    send(f->ours, bytes, size, MSG_NOSIGNAL);
}

static void send_packet(fixture *f, const char *body)
{
    unsigned char sum = 0;
    char tail[8];
    for (const char *c = body; *c; c++)
        sum = (unsigned char)(sum + (unsigned char)*c);
    send_raw(f, "$", 1);
    send_raw(f, body, strlen(body));
    snprintf(tail, sizeof tail, "#%02x", sum);
    send_raw(f, tail, 3);
}

static char next(fixture *f)
{
    char c;
    assert_int_equal(read(f->ours, &c, 1), 1);
    return c;
}

/* The acknowledgement of what was sent, and the body of the answer, which is returned. */
static const char *receive(fixture *f)
{
    size_t length = 0;
    assert_int_equal(next(f), '+');
    assert_int_equal(next(f), '$');
    for (char c; (c = next(f)) != '#';)
        f->answer[length++] = c;
    f->answer[length] = '\0';
    next(f);
    next(f);
    send_raw(f, "+", 1);
    return f->answer;
}

static void expect(fixture *f, const char *body)
{
    assert_string_equal(receive(f), body);
}

static void ask(fixture *f, const char *body, const char *answer)
{
    send_packet(f, body);
    expect(f, answer);
}

static void registers(void **state)
{
    fixture *f = *state;
    ask(f, "p20", "0000008000000000");
    ask(f, "Pa=2a00000000000000", "OK");
    ask(f, "pa", "2a00000000000000");
    assert_int_equal(ztl_hart_x(f->hart, 10), 0x2a);
    ask(f, "P0=ff00000000000000", "OK");
    ask(f, "p0", "0000000000000000");
    ask(f, "pffff", "E01");
    ask(f, "p", "E01");
    ask(f, "Pa=2a", "E01");
    ask(f, "Pffff=00", "E01");
}

static void memory(void **state)
{
    fixture *f = *state;
    ask(f, "m80000000,4", "13051500");
    ask(f, "M80000100,2:beef", "OK");
    ask(f, "m80000100,3", "beef00");
    ask(f, "X80000102,1:}\x03", "OK"); /* an escaped '#' */
    ask(f, "m80000102,1", "23");
    ask(f, "m0,4", "E01");
    ask(f, "M0,1:00", "E01");
    ask(f, "M80000100,2:be", "E01");
    ask(f, "M80000100,ffffffffffffffff:00", "E01");
    ask(f, "m80000000,", "E01");
}

static void running(void **state)
{
    fixture *f = *state;
    ask(f, "?", "S05");
    ask(f, "s", "S05");
    assert_int_equal(ztl_hart_x(f->hart, 10), 1);
    ask(f, "Z0,80000008,4", "OK");
    ask(f, "vCont;c", "S05");
    assert_int_equal(ztl_hart_pc(f->hart), BASE + 8);
    assert_int_equal(ztl_hart_x(f->hart, 10), 3);
    ask(f, "z0,80000008,4", "OK");
    ask(f, "z0,80000008,4", "E01");
    send_packet(f, "c");
    send_raw(f, "\x03", 1);
    expect(f, "S02");
    ask(f, "Z9,0,0", "");
}

static void damaged_packets_are_refused(void **state)
{
    fixture *f = *state;
    send_raw(f, "$?#00", 5);
    assert_int_equal(next(f), '-');
    send_raw(f, "$?#zz", 5);
    assert_int_equal(next(f), '-');
    send_raw(f, "$\x1f#1z", 5);
    assert_int_equal(next(f), '-');
    ask(f, "?", "S05");
}

static void garbage_is_survived(void **state)
{
    fixture *f = *state;
    unsigned seed = 7;
    for (int i = 0; i < 200; i++) {
        char body[64];
        size_t length = 1 + (unsigned)rand_r(&seed) % 40;
        for (size_t k = 0; k < length; k++) {
            char c = (char)(1 + rand_r(&seed) % 126);
            body[k] = strchr("$#}\x03", c) ? 'q' : c;
        }
        body[length] = '\0';
        if (strchr("cCsSDkv", body[0]))
            body[0] = 'm';
        send_packet(f, body);
        receive(f);
    }
    ask(f, "?", "S05");
}

static void oversized_packets_are_refused(void **state)
{
    fixture *f = *state;
    char *body = malloc(100001);
    memset(body, 'M', 100000);
    body[100000] = '\0';
    send_packet(f, body);
    assert_int_equal(next(f), '-');
    free(body);
    ask(f, "?", "S05");
}

static void leaving(void **state)
{
    fixture *f = *state;
    ask(f, "D", "OK");
    assert_true(read(f->ours, &(char){0}, 1) <= 0);
    assert_int_equal(f->end, ZTL_GDB_DETACHED);
}

static void description(void **state)
{
    fixture *f = *state;
    ask(f, "qXfer:features:read:nothing.xml:0,100", "E00");
    ask(f, "qXfer:features:read:target.xml", "E01");
    ask(f, "qXfer:features:read:target.xml:ffffff,10", "l");
    ask(f, "qXfer:features:read:target.xml:0,5", "m<?xml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(registers, start, stop),
        cmocka_unit_test_setup_teardown(memory, start, stop),
        cmocka_unit_test_setup_teardown(running, start, stop),
        cmocka_unit_test_setup_teardown(damaged_packets_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(garbage_is_survived, start, stop),
        cmocka_unit_test_setup_teardown(oversized_packets_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(leaving, start, stop),
        cmocka_unit_test_setup_teardown(description, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
