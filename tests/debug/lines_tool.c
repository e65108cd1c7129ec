/* SPDX-License-Identifier: Apache-2.0
 * The lines of addresses, which ascend, one below the other.
 *
 * usage: lines_tool ELF BASE ADDRESS...
 */
#include "debug/lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    size_t count = (size_t)argc - 3;
    uint64_t *address = malloc(count * sizeof *address);
    if (!address)
        return 1;
    for (size_t i = 0; i < count; i++)
        address[i] = strtoull(argv[3 + i], NULL, 0);
    ztl_lines *lines =
        ztl_lines_find(open(argv[1], O_RDONLY), strtoull(argv[2], NULL, 0), address, count);
    for (size_t i = 0; i < count; i++)
        puts(ztl_lines_at(lines, address[i]));
    printf("unknown: '%s'\n", ztl_lines_at(lines, address[count - 1] + 1));
    ztl_lines_free(lines);
    free(address);
    return 0;
}
