/* SPDX-License-Identifier: Apache-2.0
 * The child that reads a file ends with its parent, however that ends.
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debug/file/sandbox.h"

/* Says that it has begun, and takes for ever. */
static void wait_for_ever(const void *context, FILE *out)
{
    const int *to = context;
    (void)out;
    if (write(*to, "x", 1) == 1)
        for (;;)
            pause();
}

static void killed_parent(void **state)
{
    (void)state;
    int ends[2];
    char byte, text[16];
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        ztl_sandbox_run(wait_for_ever, &ends[1], text, sizeof text);
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    alarm(10); /* the sandbox itself gives up after 20 seconds */
    assert_int_equal(read(ends[0], &byte, 1), 0);
    alarm(0);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_parent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
