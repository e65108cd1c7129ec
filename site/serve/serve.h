/* SPDX-License-Identifier: Apache-2.0
 * The files of a folder for browsers on this machine, and for no one else.
 */
#ifndef ZTL_SITE_SERVE_H
#define ZTL_SITE_SERVE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ztl/error.h>

typedef struct ztl_server ztl_server;

/* Listens on the loopback, at a port, 0: any that is free. NULL and a message. */
ztl_server *ztl_serve_open(const char *folder, unsigned port, ztl_error *error);
unsigned ztl_serve_port(const ztl_server *server);

/* Answers until *stop is true, which a signal handler may set. */
void ztl_serve_run(ztl_server *server, const atomic_bool *stop);
void ztl_serve_close(ztl_server *server);

#endif
