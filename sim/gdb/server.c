/* SPDX-License-Identifier: Apache-2.0
 * The socket that a debugger connects to: the loopback interface or a path, nothing else.
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/gdb/packet.h"

#include "host/error.h"

enum { WAITING = 8 };

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

bool ztl_gdb_check_place(const char *where, ztl_error *error)
{
    uint16_t port;
    const char *path = path_of(where);
    if (path && strlen(path) >= sizeof((struct sockaddr_un *)NULL)->sun_path)
        ztl_fail(error, "the path %s is too long for a socket", path);
    else if (path ? !*path : !parse_port(where, &port))
        ztl_fail(error, "'%s' is neither a port, 0 to 65535, nor unix:PATH", where);
    else
        return true;
    return false;
}

static int fail(int listener, const char *what, const char *where, ztl_error *error)
{
    ztl_fail(error, "%s %s: %s", what, where, strerror(errno));
    if (listener >= 0)
        close(listener);
    return -1;
}

static bool is_socket(const char *path)
{
    struct stat status;
    return !lstat(path, &status) && S_ISSOCK(status.st_mode);
}

/* Whether a socket is left of a process that is no more: nobody listens there. */
static bool is_stale(const struct sockaddr_un *address)
{
    if (!is_socket(address->sun_path))
        return false;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool refused = probe >= 0 &&
                   connect(probe, (const struct sockaddr *)address, sizeof *address) < 0 &&
                   errno == ECONNREFUSED;
    if (probe >= 0)
        close(probe);
    return refused;
}

/* As bind, but in the place of a stale socket too. */
static int bind_anew(int listener, const struct sockaddr_un *address)
{
    int result = bind(listener, (const struct sockaddr *)address, sizeof *address);
    if (result == 0 || errno != EADDRINUSE)
        return result;
    if (is_stale(address) && !unlink(address->sun_path))
        return bind(listener, (const struct sockaddr *)address, sizeof *address);
    errno = EADDRINUSE;
    return -1;
}

/* Only the user may connect, whatever the umask is. */
static int listen_unix(const char *path, ztl_error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener >= 0 && !fchmod(listener, S_IRUSR | S_IWUSR) && !bind_anew(listener, &address) &&
        !listen(listener, SOMAXCONN))
        return listener;
    const char *what = errno != EADDRINUSE ? "cannot listen at"
                       : is_socket(path)   ? "somebody listens already at"
                                           : "there is a file that is no socket at";
    return fail(listener, what, path, error);
}

static int listen_loopback(const char *text, uint16_t *port, ztl_error *error)
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
        listen(listener, SOMAXCONN) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0)
        return fail(listener, "cannot listen on port", text, error);
    *port = ntohs(address.sin_port);
    return listener;
}

/* Clients that connected and have said nothing yet, after the listener. */
typedef struct waiting_room {
    struct pollfd place[1 + WAITING];
    nfds_t count;
} waiting_room;

static void leave(waiting_room *room, nfds_t index)
{
    room->count--;
    memmove(&room->place[index], &room->place[index + 1],
            (room->count - index) * sizeof room->place[0]);
}

/* Who has waited longest in silence makes room. */
static void welcome(waiting_room *room)
{
    int connection = accept(room->place[0].fd, NULL, NULL);
    if (connection < 0)
        return;
    fcntl(connection, F_SETFD, FD_CLOEXEC);
    if (room->count == 1 + WAITING) {
        close(room->place[1].fd);
        leave(room, 1);
    }
    room->place[room->count++] = (struct pollfd){.fd = connection, .events = POLLIN};
}

/* The first who begins as a debugger does, or -1; others who speak or hang up are shown out. */
static int find_debugger(waiting_room *room)
{
    for (nfds_t i = 1; i < room->count;) {
        uint8_t first;
        int connection = room->place[i].fd;
        if (!room->place[i].revents) {
            i++;
            continue;
        }
        leave(room, i);
        if (recv(connection, &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1 &&
            ztl_packet_may_begin(first))
            return connection;
        close(connection);
    }
    return -1;
}

/* A connection to a debugger; -1 when the wait is cut. */
static int wait_for_debugger(int listener, const ztl_gdb_config *config)
{
    waiting_room room = {.place = {{.fd = listener, .events = POLLIN}}, .count = 1};
    int debugger = -1, yes = 1;
    while (debugger < 0 && !(config->is_cut && config->is_cut(config->context))) {
        if (poll(room.place, room.count, -1) < 0)
            continue;
        debugger = find_debugger(&room);
        if (debugger < 0 && room.place[0].revents)
            welcome(&room);
    }
    for (nfds_t i = 1; i < room.count; i++)
        close(room.place[i].fd);
    if (debugger >= 0) /* fails, harmlessly, on a unix socket */
        setsockopt(debugger, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return debugger;
}

/* The socket that we made, and no other file that came to its place. */
static void remove_socket(const char *path, const struct stat *ours)
{
    struct stat now;
    if (!lstat(path, &now) && now.st_dev == ours->st_dev && now.st_ino == ours->st_ino)
        unlink(path);
}

bool ztl_gdb_serve(ztl_hart *hart, const char *where, const ztl_gdb_config *config,
                   enum ztl_gdb_end *end, ztl_error *error)
{
    const char *path = path_of(where);
    struct stat ours = {0};
    uint16_t port = 0;
    if (!ztl_gdb_check_place(where, error))
        return false;
    int listener = path ? listen_unix(path, error) : listen_loopback(where, &port, error);
    if (listener < 0)
        return false;
    char place[128];
    if (path)
        snprintf(place, sizeof place, "%s", path);
    else
        snprintf(place, sizeof place, "localhost:%u", port);
    if (path)
        lstat(path, &ours);
    if (config->ready)
        config->ready(place);
    int connection = wait_for_debugger(listener, config);
    close(listener);
    if (path)
        remove_socket(path, &ours);
    *end = connection < 0 ? ZTL_GDB_CUT : ztl_gdb_session(hart, connection, config);
    if (connection >= 0)
        close(connection);
    return true;
}
