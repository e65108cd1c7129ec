/* SPDX-License-Identifier: Apache-2.0
 * Opening closed standard streams as /dev/null; reporting output that was lost at the end.
 */
#define _GNU_SOURCE
#include "host/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ztl_standard_open(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        bool is_closed = fcntl(number, F_GETFD) < 0;
        if (is_closed && open("/dev/null", O_RDONLY) != number) /* so that writing fails */
            return false;
    }
    return true;
}

int ztl_standard_close(const char *program, int status)
{
    errno = 0;
    bool lost = ferror(stdout); /* some time ago: nobody knows why any more */
    if (fflush(stdout) == 0 && !lost && close(STDOUT_FILENO) == 0)
        return status;
    fprintf(stderr, "%s: standard output: %s\n", program,
            errno ? strerror(errno) : "cannot be written");
    return status ? status : EXIT_FAILURE;
}
