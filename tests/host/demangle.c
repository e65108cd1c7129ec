/* SPDX-License-Identifier: Apache-2.0
 * A symbol a line, and its name.
 */
#include <stdio.h>
#include <string.h>

#include "host/demangle/demangle.h"

int main(void)
{
    static char symbol[1 << 16], name[1 << 18];
    while (fgets(symbol, sizeof symbol, stdin)) {
        symbol[strcspn(symbol, "\n")] = '\0';
        ztl_demangle(symbol, name, sizeof name);
        puts(name);
    }
    return 0;
}
