/* SPDX-License-Identifier: Apache-2.0
 * The socket that a debugger connects to: the loopback interface or a path, nothing else.
 */
#define _POSIX_C_SOURCE 200809L
#include "sim/gdb/gdb.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char unix_prefix[] = "unix:";

/* The path of a unix socket; NULL for a port. */
static const char *path_of(const char *where)
{
    bool is_path = !strncmp(where, unix_prefix, sizeof unix_prefix - 1);
    return is_path ? where + sizeof unix_prefix - 1 : NULL;
}

static bool parse_port(const char *text, uint16_t *port)
{
    if (!*text || text[strspn(text, "0123456789")] || strlen(text) > 5 || atoi(text) > 65535)
        return false;
    *port = (uint16_t)atoi(text);
    return true;
}

bool ztl_gdb_check_place(const char *where, char *error, size_t error_size)
{
    uint16_t port;
    const char *path = path_of(where);
    if (path && strlen(path) >= sizeof((struct sockaddr_un *)NULL)->sun_path)
        snprintf(error, error_size, "the path %s is too long for a socket", path);
    else if (path ? !*path : !parse_port(where, &port))
        snprintf(error, error_size, "'%s' is neither a port, 0 to 65535, nor unix:PATH", where);
    else
        return true;
    return false;
}

static int fail(int listener, const char *what, const char *where, char *error, size_t size)
{
    snprintf(error, size, "%s %s: %s", what, where, strerror(errno));
    if (listener >= 0)
        close(listener);
    return -1;
}

static int listen_unix(const char *path, char *error, size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(listener, 1) < 0)
        return fail(listener, "cannot listen at", path, error, size);
    return listener;
}

static int listen_loopback(const char *text, uint16_t *port, char *error, size_t size)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    parse_port(text, port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(*port);
    int yes = 1;
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
        bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(listener, 1) < 0 || getsockname(listener, (struct sockaddr *)&address, &length) < 0)
        return fail(listener, "cannot listen on port", text, error, size);
    *port = ntohs(address.sin_port);
    return listener;
}

static int wait_for_debugger(int listener)
{
    int connection, yes = 1;
    do
        connection = accept(listener, NULL, NULL);
    while (connection < 0 && errno == EINTR);
    if (connection >= 0) /* fails, harmlessly, on a unix socket */
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

bool ztl_gdb_serve(ztl_hart *hart, const char *where, void (*ready)(const char *place),
                   enum ztl_gdb_end *end, char *error, size_t error_size)
{
    const char *path = path_of(where);
    uint16_t port = 0;
    if (!ztl_gdb_check_place(where, error, error_size))
        return false;
    int listener = path ? listen_unix(path, error, error_size)
                        : listen_loopback(where, &port, error, error_size);
    if (listener < 0)
        return false;
    char place[128];
    if (path)
        snprintf(place, sizeof place, "%s", path);
    else
        snprintf(place, sizeof place, "localhost:%u", port);
    if (ready)
        ready(place);
    int connection = wait_for_debugger(listener);
    close(listener);
    if (path)
        unlink(path);
    if (connection < 0) {
        fail(-1, "no debugger came to", place, error, error_size);
        return false;
    }
    *end = ztl_gdb_session(hart, connection);
    close(connection);
    return true;
}
