/* SPDX-License-Identifier: Apache-2.0
 * What a browser asks for: a file below a folder, nothing else.
 */
#include "site/serve/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { BAD_REQUEST = 400, FORBIDDEN = 403, NOT_FOUND = 404, NOT_ALLOWED = 405, TOO_LONG = 414 };

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* %20 and the like. */
static int decode(const char *from, char *to, size_t room)
{
    size_t n = 0;
    for (; *from && *from != '?' && *from != '#'; from++) {
        int c = (unsigned char)*from;
        if (c == '%') {
            int high = digit(from[1]), low = high < 0 ? -1 : digit(from[2]);
            c = low < 0 ? 0 : high * 16 + low;
            from += low < 0 ? 0 : 2;
        }
        if (c == 0)
            return BAD_REQUEST;
        if (n + 1 == room)
            return TOO_LONG;
        to[n++] = (char)c;
    }
    to[n] = '\0';
    return 0;
}

/* No way out of the folder, and nothing hidden in it. */
static bool stays_inside(const char *path)
{
    for (const char *at = path; *at; at += strcspn(at, "/"), at += *at == '/')
        if (*at == '.' || *at == '/')
            return false;
    return !strchr(path, '\\');
}

/* A page of another site may have a name that leads here: it is not asked for by ours. */
static bool is_our_host(const char *headers)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (const char *line = headers; line; line = strstr(line, "\r\n")) {
        line += strspn(line, "\r\n");
        if (strncasecmp(line, "host:", 5) != 0)
            continue;
        const char *name = line + 5 + strspn(line + 5, " \t");
        size_t length = strcspn(name, ": \t\r\n");
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (length == strlen(names[i]) && !strncasecmp(name, names[i], length))
                return true;
        return false;
    }
    return false;
}

int ztl_request_read(char *text, request *wanted)
{
    char *end = strstr(text, "\r\n");
    if (!end)
        return BAD_REQUEST;
    *end = '\0';
    char *method = text, *target = strchr(text, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version || strncmp(version, " HTTP/1.", 8) != 0)
        return BAD_REQUEST;
    *target++ = '\0';
    *version = '\0';
    wanted->only_head = !strcmp(method, "HEAD");
    if (!wanted->only_head && strcmp(method, "GET") != 0)
        return NOT_ALLOWED;
    if (!is_our_host(end + 2))
        return FORBIDDEN;
    if (*target++ != '/')
        return BAD_REQUEST;
    int refused = decode(target, wanted->path, sizeof wanted->path - 16);
    if (refused)
        return refused;
    if (!stays_inside(wanted->path))
        return NOT_FOUND;
    size_t length = strlen(wanted->path);
    if (length == 0 || wanted->path[length - 1] == '/')
        strcpy(wanted->path + length, "index.html");
    return 0;
}

const char *ztl_request_type(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".json", "application/json"},
                 {".wasm", "application/wasm"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".txt", "text/plain; charset=utf-8"},
                 {".s", "text/plain; charset=utf-8"},
                 {".c", "text/plain; charset=utf-8"}};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(ending, types[i].ending))
            return types[i].type;
    return "application/octet-stream";
}
