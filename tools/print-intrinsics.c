/* SPDX-License-Identifier: Apache-2.0
 * Prints <ztl/intrin/names.h> while the build is configured, before there is a `ztl`.
 */
#include "isa/print/print.h"

int main(void)
{
    ztl_print_intrinsics(stdout);
    return fflush(stdout) != 0;
}
