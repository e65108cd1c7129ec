/* SPDX-License-Identifier: Apache-2.0
 * Taking the options of a suite: help, and words that are no options.
 */
#include "bench/bench.h"
#include "host/command/message.h"
#include "host/command/exit.h"

int ztl_bench_options(const char *command, const ztl_option *table, int argc, char **argv,
                      void (*print_usage)(FILE *out))
{
    int words = ztl_options_take(command, table, argc, argv);
    if (words == ZTL_OPTIONS_HELP) {
        print_usage(stdout);
        return ZTL_EXIT_OK;
    }
    if (words > 0)
        ztl_message(command, "'%s' is no option; '%s --help' lists them", argv[1], command);
    return words ? ZTL_EXIT_USAGE : -1;
}
