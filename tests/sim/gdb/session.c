/* SPDX-License-Identifier: Apache-2.0
 * The debugger's stub fed with packets by hand: right ones, damaged ones and garbage.
 */
#define _DEFAULT_SOURCE
#include "tests/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "sim/gdb/gdb.h"

enum { BASE = 0x80000000u };

typedef struct fixture {
    ztl_hart *hart;
    ztl_gdb_config config;
    int ours, theirs;
    pthread_t server;
    enum ztl_gdb_end end;
    char answer[70000];
} fixture;

static void *serve(void *context)
{
    fixture *f = context;
    f->end = ztl_gdb_session(f->hart, f->theirs, &f->config);
    close(f->theirs);
    return NULL;
}

/* addi a0, a0, 1 / addi a0, a0, 2 / j . */
static const uint32_t program[] = {0x00150513, 0x00250513, 0x0000006f};

static int start(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    int pair[2];
    f->hart = ztl_hart_create(NULL, NULL);
    ztl_hart_write_memory(f->hart, BASE, program, sizeof program);
    ztl_hart_set_pc(f->hart, BASE);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    /* What never comes fails the test instead of holding it up. */
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 120},
               sizeof(struct timeval));
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

/* While the program runs nothing but the interrupt and the end of the connection count, and these
 * whatever came before. */
static void noise_while_running(void **state)
{
    fixture *f = *state;
    static const char *const noise[] = {"",
                                        "+-+",
                                        "hello",
                                        "#00",
                                        "}",
                                        "$",
                                        "$unfinished",
                                        "$m80000000,4",
                                        "++GET / HTTP/1.1\r\n\r\n"};
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
        send_packet(f, "c");
        send_raw(f, noise[i], strlen(noise[i]));
        usleep(1000);
        send_raw(f, "\x03", 1);
        expect(f, "S02");
        ask(f, "m80000000,4", "13051500");
    }
    send_packet(f, "c");
    for (int i = 0; i < 100; i++) {
        char block[4096];
        memset(block, 'x', sizeof block);
        send_raw(f, block, sizeof block);
    }
    send_raw(f, "\x03", 1);
    expect(f, "S02");
}

/* Packets that come while the program runs wait until it stops. */
static void packets_while_running(void **state)
{
    fixture *f = *state;
    send_packet(f, "c");
    send_packet(f, "?");
    send_packet(f, "X80000100,3:a\x03z"); /* 0x03 as data */
    usleep(1000);
    send_raw(f, "\x03", 1);
    expect(f, "S02");
    expect(f, "S02");
    expect(f, "OK");
    ask(f, "m80000100,3", "61037a");
}

static void expect_end(fixture *f, enum ztl_gdb_end end)
{
    while (read(f->ours, &(char){0}, 1) > 0)
        continue;
    assert_int_equal(f->end, end);
}

static void leaving_while_running(void **state)
{
    fixture *f = *state;
    send_packet(f, "c");
    send_raw(f, "noise $and more", 15);
    usleep(1000);
    shutdown(f->ours, SHUT_WR);
    expect_end(f, ZTL_GDB_LOST);
}

/* A debugger that sends more than the buffer holds, and never the interrupt, is not one. */
static void flooding(void **state)
{
    fixture *f = *state;
    send_packet(f, "c");
    for (int i = 0; i < 20000; i++)
        send_raw(f, "$m80000000,4#5b", 15);
    expect_end(f, ZTL_GDB_LOST);
}

/* Browsers and others who talk to every port get no answer, and none of their words counts. */
static void strangers_are_hung_up_on(void **state)
{
    fixture *f = *state;
    static const char request[] = "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                  "$Pa=2a00000000000000#c8$M80000000,1:00#4d$k#6b";
    char c;
    send_raw(f, request, sizeof request - 1);
    assert_true(read(f->ours, &c, 1) <= 0);
    assert_int_equal(f->end, ZTL_GDB_LOST);
    assert_int_equal(ztl_hart_x(f->hart, 10), 0);
}

/* What is not understood whole does not happen at all. */
static void malformed_packets_do_nothing(void **state)
{
    fixture *f = *state;
    static const char *const packets[] = {"vCont",
                                          "vCont;",
                                          "vCont;c;",
                                          "vCont;x",
                                          "vCont;t",
                                          "vCont;r80000000,80000008",
                                          "vCont;cc",
                                          "vCont;c:",
                                          "vCont;c:2",
                                          "vCont;c:-2",
                                          "vCont;c:p1.1",
                                          "vCont;C",
                                          "vCont;Czz",
                                          "vCont;s:1x",
                                          "vCont;c;x",
                                          "vCont;s:1;;c",
                                          "vCont;s:2;c:3",
                                          "vKill;",
                                          "vKill;x",
                                          "vKill;1;2",
                                          "cx",
                                          "c80000004x",
                                          "s80000004,",
                                          "c;80000004",
                                          "C",
                                          "Cx",
                                          "C05;",
                                          "C05;x",
                                          "C0580000004x",
                                          "S05x",
                                          "D;1",
                                          "Dx",
                                          "kx",
                                          "gx",
                                          "?x",
                                          "Hc",
                                          "Hx1",
                                          "Hg2",
                                          "Hc-2",
                                          "Hg1x",
                                          "T",
                                          "T2",
                                          "T1x",
                                          "G",
                                          "G00",
                                          "p",
                                          "px",
                                          "pa,",
                                          "P",
                                          "Pa",
                                          "Pa=",
                                          "Pa=2",
                                          "Pa=2a0000000000000000",
                                          "m",
                                          "m80000000",
                                          "m80000000,4x",
                                          "M80000000,1",
                                          "M80000000,1:0",
                                          "M80000000,1:000",
                                          "M80000000,2:00",
                                          "X80000000,2:a",
                                          "X80000000",
                                          "Z0",
                                          "Z0,80000004",
                                          "Z0,80000004,4;X1,0",
                                          "z0,80000004,4x",
                                          "qXfer:features:read:target.xml:0,5x",
                                          "qRcmd,7",
                                          "qRcmd,zz"};
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        send_packet(f, packets[i]);
        const char *answer = receive(f);
        if (answer[0] != 'E')
            fail_msg("%s: answered '%s'", packets[i], answer);
    }
    static const char *const unknown[] = {
        "",   "!",   "R00",         "A",          "vContx", "vKill",  "vFile:open:",
        "qZ", "qCx", "qSupportedx", "qAttachedx", "QX",     "Z5,0,0", "_"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        ask(f, unknown[i], "");
    send_raw(f, "$c\0#63", 6); /* a NUL hides nothing */
    assert_true(receive(f)[0] == 'E');
    assert_int_equal(ztl_hart_pc(f->hart), BASE);
    assert_int_equal(ztl_hart_x(f->hart, 10), 0);
    ask(f, "m80000000,4", "13051500");
}

static void threads_and_addresses(void **state)
{
    fixture *f = *state;
    static const char *const steps[] = {"vCont;s",       "vCont;s:1",     "vCont;s:-1", "vCont;s:0",
                                        "vCont;S05:1;c", "vCont;c:2;s:1", "s",          "S05"};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        ztl_hart_set_pc(f->hart, BASE);
        ask(f, steps[i], "S05");
        assert_int_equal(ztl_hart_pc(f->hart), BASE + 4);
    }
    ask(f, "s80000004", "S05");
    assert_int_equal(ztl_hart_pc(f->hart), BASE + 8);
    ask(f, "S05;80000004", "S05");
    assert_int_equal(ztl_hart_pc(f->hart), BASE + 8);
    ask(f, "Hc-1", "OK");
    ask(f, "Hg1", "OK");
    ask(f, "T1", "OK");
}

/* Steps count as well; the program ends by a signal, as gdb sees it. */
static void limits(void **state)
{
    fixture *f = *state;
    f->config.max_insns = 3000000;
    ask(f, "s", "S05");
    ask(f, "c", "X18");
    expect_end(f, ZTL_GDB_LIMIT);
    assert_int_equal(ztl_hart_attempted(f->hart), 3000000);
}

static bool cut_after_a_while(void *context)
{
    const fixture *f = context;
    return ztl_hart_attempted(f->hart) > 2000000;
}

static void cutting(void **state)
{
    fixture *f = *state;
    f->config.context = f;
    f->config.is_cut = cut_after_a_while;
    ask(f, "c", "X0f");
    expect_end(f, ZTL_GDB_CUT);
}

static void explain(void *context, FILE *out)
{
    (void)context;
    fputs("because", out);
}

/* qRcmd's answer as text. */
static const char *command(fixture *f, const char *text)
{
    static char answer[40000];
    char packet[600] = "qRcmd,";
    for (size_t i = 0; text[i]; i++)
        sprintf(packet + 6 + 2 * i, "%02x", (unsigned char)text[i]);
    send_packet(f, packet);
    size_t length = 0;
    const char *hex = receive(f);
    for (; *hex == 'O' && hex[1] != 'K'; hex = f->answer) { /* pieces come without another + */
        for (hex++; *hex; hex += 2)
            sscanf(hex, "%2hhx", (unsigned char *)&answer[length++]);
        assert_int_equal(next(f), '$');
        size_t size = 0;
        for (char c; (c = next(f)) != '#';)
            f->answer[size++] = c;
        f->answer[size] = '\0';
        next(f);
        next(f);
    }
    for (; *hex && *hex != 'O'; hex += 2)
        sscanf(hex, "%2hhx", (unsigned char *)&answer[length++]);
    answer[length] = '\0';
    return answer;
}

static void monitor(void **state)
{
    fixture *f = *state;
    assert_string_equal(command(f, "explain"), "no trap so far\n");
    f->config.explain = explain;
    ztl_hart_execute(f->hart, 0); /* illegal */
    assert_string_equal(command(f, "explain"), "because");
    assert_string_equal(command(f, "grid tl1:2x2"), "tl1 [2, 2] byte\n      0  1\n  0: 00 00\n"
                                                    "  1: 00 00\n");
    assert_non_null(strstr(command(f, "grid tl1:0"), "dimension 0"));
    assert_non_null(strstr(command(f, "grid "), "usage"));
    assert_non_null(strstr(command(f, "help"), "explain"));
    const char *all = command(f, "grid tl1+tl2:2048 20"); /* takes several packets */
    assert_true(strlen(all) > 10000);
    assert_non_null(strstr(all, " 2047\n"));
    assert_string_equal(command(f, "reset"), "");
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
        cmocka_unit_test_setup_teardown(noise_while_running, start, stop),
        cmocka_unit_test_setup_teardown(packets_while_running, start, stop),
        cmocka_unit_test_setup_teardown(leaving_while_running, start, stop),
        cmocka_unit_test_setup_teardown(flooding, start, stop),
        cmocka_unit_test_setup_teardown(strangers_are_hung_up_on, start, stop),
        cmocka_unit_test_setup_teardown(malformed_packets_do_nothing, start, stop),
        cmocka_unit_test_setup_teardown(threads_and_addresses, start, stop),
        cmocka_unit_test_setup_teardown(limits, start, stop),
        cmocka_unit_test_setup_teardown(cutting, start, stop),
        cmocka_unit_test_setup_teardown(monitor, start, stop),
        cmocka_unit_test_setup_teardown(damaged_packets_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(garbage_is_survived, start, stop),
        cmocka_unit_test_setup_teardown(oversized_packets_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(leaving, start, stop),
        cmocka_unit_test_setup_teardown(description, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
