/* SPDX-License-Identifier: Apache-2.0
 * ztl gen: random programs for implementations of Ztl, from conformance/.
 */
#include "cli/command.h"
#include "cli/kit.h"

int ztl_cli_gen(int argc, char **argv)
{
    (void)argc;
    return ztl_kit_become("gen", argv);
}
