/* SPDX-License-Identifier: Apache-2.0
 * The call stack of a program of which only pc and ra are left.
 *
 * usage: backtrace_tool ELF BASE PC RA
 */
#include <fcntl.h>
#include <stdlib.h>

#include "debug/backtrace.h"

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    ztl_stopped stopped = {.pc = strtoull(argv[3], NULL, 0)};
    stopped.x[1] = strtoull(argv[4], NULL, 0);
    ztl_backtrace_print(open(argv[1], O_RDONLY), strtoull(argv[2], NULL, 0), &stopped, stderr);
    return 0;
}
