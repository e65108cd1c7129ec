/* SPDX-License-Identifier: Apache-2.0
 * A server of files on the loopback: one request a connection, several connections at once.
 */
#include "site/serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/error.h"
#include "site/serve/request.h"

enum { CONNECTIONS = 64, LOOK_MS = 200 };

/* A browser, and what it has sent so far. */
typedef struct connection {
    int socket; /* -1: free */
    size_t length;
    char text[REQUEST_ROOM];
} connection;

struct ztl_server {
    int folder, socket;
    unsigned port;
    connection connection[CONNECTIONS];
};

ztl_server *ztl_serve_open(const char *folder, unsigned port, ztl_error *error)
{
    ztl_server *server = calloc(1, sizeof *server);
    if (!server)
        return ztl_fail(error, "out of memory"), NULL;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int yes = 1;
    server->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    server->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    for (size_t i = 0; i < CONNECTIONS; i++)
        server->connection[i].socket = -1;
    if (server->folder < 0) {
        ztl_fail(error, "%s: %s", folder, strerror(errno));
    } else if (server->socket < 0 ||
               setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
               bind(server->socket, (struct sockaddr *)&address, size) ||
               listen(server->socket, CONNECTIONS) ||
               getsockname(server->socket, (struct sockaddr *)&address, &size)) {
        ztl_fail(error, "port %u of 127.0.0.1: %s", port, strerror(errno));
    } else {
        server->port = ntohs(address.sin_port);
        return server;
    }
    ztl_serve_close(server);
    return NULL;
}

unsigned ztl_serve_port(const ztl_server *server)
{
    return server->port;
}

static void hang_up(connection *c)
{
    close(c->socket);
    c->socket = -1;
    c->length = 0;
}

static bool send_text(int socket, const char *text, size_t length)
{
    while (length) {
        ssize_t sent = send(socket, text, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

static void send_status(int socket, int status)
{
    char text[256];
    const char *words = status == 404   ? "Not Found"
                        : status == 403 ? "Forbidden"
                        : status == 405 ? "Method Not Allowed"
                        : status == 414 ? "URI Too Long"
                                        : "Bad Request";
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
                          "Connection: close\r\n\r\n%s\n",
                          status, words, strlen(words) + 1, words);
    send_text(socket, text, (size_t)length);
}

/* The file of a request, or -1. A folder without a slash leads to its index. */
static int open_file(const ztl_server *server, request *wanted, off_t *size)
{
    struct stat seen;
    int file = openat(server->folder, wanted->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &seen) || !S_ISREG(seen.st_mode)) {
        if (file >= 0)
            close(file);
        return -1;
    }
    *size = seen.st_size;
    return file;
}

static void send_file(int socket, int file, off_t size, const request *wanted)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %lld\r\n"
                          "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
                          "Connection: close\r\n\r\n",
                          ztl_request_type(wanted->path), (long long)size);
    if (!send_text(socket, text, (size_t)length) || wanted->only_head)
        return;
    while (size > 0) {
        ssize_t sent = sendfile(socket, file, NULL, (size_t)size);
        if (sent <= 0)
            return;
        size -= sent;
    }
}

static void answer(const ztl_server *server, connection *c)
{
    request wanted;
    off_t size;
    int refused = ztl_request_read(c->text, &wanted);
    int file = refused ? -1 : open_file(server, &wanted, &size);
    if (file < 0) {
        send_status(c->socket, refused ? refused : 404);
    } else {
        send_file(c->socket, file, size, &wanted);
        close(file);
    }
    shutdown(c->socket, SHUT_WR);
    hang_up(c);
}

static void receive(const ztl_server *server, connection *c)
{
    ssize_t got = recv(c->socket, c->text + c->length, sizeof c->text - 1 - c->length, 0);
    if (got <= 0) {
        hang_up(c);
        return;
    }
    c->length += (size_t)got;
    c->text[c->length] = '\0';
    if (strstr(c->text, "\r\n\r\n")) {
        answer(server, c);
    } else if (c->length == sizeof c->text - 1 || strlen(c->text) != c->length) {
        send_status(c->socket, 400);
        hang_up(c);
    }
}

/* A place for a new browser: where all are taken, the first one's, which says nothing. */
static void welcome(ztl_server *server)
{
    const struct timeval patience = {.tv_sec = 10};
    int socket = accept4(server->socket, NULL, NULL, SOCK_CLOEXEC);
    if (socket < 0)
        return;
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    size_t i = 0;
    while (i < CONNECTIONS && server->connection[i].socket >= 0)
        i++;
    if (i == CONNECTIONS)
        hang_up(&server->connection[i = 0]);
    server->connection[i].socket = socket;
}

void ztl_serve_run(ztl_server *server, const atomic_bool *stop)
{
    while (!atomic_load(stop)) {
        struct pollfd events[CONNECTIONS + 1];
        for (size_t i = 0; i < CONNECTIONS; i++)
            events[i] = (struct pollfd){.fd = server->connection[i].socket, .events = POLLIN};
        events[CONNECTIONS] = (struct pollfd){.fd = server->socket, .events = POLLIN};
        if (poll(events, CONNECTIONS + 1, LOOK_MS) <= 0)
            continue;
        for (size_t i = 0; i < CONNECTIONS; i++)
            if (events[i].fd >= 0 && events[i].revents)
                receive(server, &server->connection[i]);
        if (events[CONNECTIONS].revents)
            welcome(server);
    }
}

void ztl_serve_close(ztl_server *server)
{
    if (!server)
        return;
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (server->connection[i].socket >= 0)
            hang_up(&server->connection[i]);
    if (server->folder >= 0)
        close(server->folder);
    if (server->socket >= 0)
        close(server->socket);
    free(server);
}
