/* SPDX-License-Identifier: Apache-2.0
 * ztl conform: judges an implementation of Ztl by the programs of conformance/.
 */
#include "cli/command.h"
#include "cli/kit.h"

int ztl_cli_conform(int argc, char **argv)
{
    (void)argc;
    return ztl_kit_become("conform", argv);
}
