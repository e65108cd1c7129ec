/* SPDX-License-Identifier: Apache-2.0
 * ztl serve: the site and its playground for a browser on this machine.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "site/serve/serve.h"
#include "toolchain/install.h"

enum { PORT = 8000, MOST_PORT = 65535 };

static atomic_bool stop;

static void print_help(void)
{
    puts("usage: ztl serve [--port N]\n\n"
         "Shows the documentation and the playground, where programs are written, run and\n"
         "stepped through, in a browser on this machine. Nobody else can reach it, and the\n"
         "pages ask nobody else for anything. Ctrl-C ends it.\n\n"
         "  --port N       where to listen on 127.0.0.1; default: 8000; 0: any that is\n"
         "                 free\n"
         "  --folder DIR   show another folder\n\n"
         "Example:\n"
         "  ztl serve --port 0");
}

static void ask_to_stop(int signal)
{
    (void)signal;
    atomic_store(&stop, true);
}

int ztl_cli_serve(int argc, char **argv)
{
    char installed[PATH_MAX];
    const char *folder = NULL;
    unsigned port = PORT;
    const ztl_option table[] = {
        {"--port", .number = &port, .most = MOST_PORT}, {"--folder", .text = &folder}, {0}};
    int words = ztl_options_take("ztl serve", table, argc, argv);
    if (words == ZTL_OPTIONS_HELP)
        return print_help(), ZTL_EXIT_OK;
    if (words < 0)
        return ZTL_EXIT_USAGE;
    if (words > 0) {
        ztl_message("ztl serve", "takes no '%s'; see 'ztl serve --help'", argv[1]);
        return ZTL_EXIT_USAGE;
    }
    if (!folder && !ztl_install_site(installed, sizeof installed)) {
        ztl_message("ztl serve", "this installation has no site: 'make site' builds it");
        return ZTL_EXIT_FAILURE;
    }
    ztl_error error;
    ztl_server *server = ztl_serve_open(folder ? folder : installed, port, &error);
    if (!server) {
        ztl_message("ztl serve", "%s", error.text);
        return ZTL_EXIT_FAILURE;
    }
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    printf("http://127.0.0.1:%u/playground/\n", ztl_serve_port(server));
    fflush(stdout);
    ztl_serve_run(server, &stop);
    ztl_serve_close(server);
    return ZTL_EXIT_OK;
}
