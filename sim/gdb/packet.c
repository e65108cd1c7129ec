/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gdb/packet.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

enum { INTERRUPT = 0x03, ESCAPE = '}', ESCAPE_XOR = 0x20 };

/* Fills the empty buffer; false when the connection is lost. */
static bool fill(ztl_packets *p, int flags)
{
    ssize_t got;
    do
        got = recv(p->connection, p->buffer, sizeof p->buffer, flags);
    while (got < 0 && errno == EINTR);
    p->next = 0;
    p->end = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static int next_byte(ztl_packets *p)
{
    if (p->next == p->end && !fill(p, 0))
        return -1;
    return p->buffer[p->next++];
}

static bool send_all(ztl_packets *p, const char *data, size_t length)
{
    while (length) {
        ssize_t sent = send(p->connection, data, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        length -= (size_t)sent;
    }
    return true;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* What stands between $ and #, and the checksum behind. -1: lost; 0: damaged; 1: good. */
static int receive_body(ztl_packets *p, char *data, size_t *length)
{
    uint8_t sum = 0;
    bool fits = true, escaped = false;
    int c;
    *length = 0;
    while ((c = next_byte(p)) != '#') {
        if (c < 0)
            return -1;
        sum = (uint8_t)(sum + c);
        if (c == ESCAPE && !escaped) {
            escaped = true;
            continue;
        }
        if (*length < ZTL_PACKET_SIZE)
            data[(*length)++] = (char)(escaped ? c ^ ESCAPE_XOR : c);
        else
            fits = false;
        escaped = false;
    }
    data[*length] = '\0';
    int high = next_byte(p);
    int low = next_byte(p);
    if (high < 0 || low < 0)
        return -1;
    high = hex_digit(high);
    low = hex_digit(low);
    return fits && (p->no_ack || (high >= 0 && low >= 0 && (high << 4 | low) == sum));
}

enum ztl_packet_kind ztl_packet_receive(ztl_packets *p, char data[ZTL_PACKET_SIZE + 1],
                                        size_t *length)
{
    for (;;) {
        int c = next_byte(p);
        if (c < 0)
            return ZTL_PACKET_CLOSED;
        if (c == INTERRUPT)
            return ZTL_PACKET_INTERRUPT;
        if (c != '$')
            continue; /* an acknowledgement, or noise between packets */
        int good = receive_body(p, data, length);
        if (good < 0 || (!p->no_ack && !send_all(p, good ? "+" : "-", 1)))
            return ZTL_PACKET_CLOSED;
        if (good)
            return ZTL_PACKET_DATA;
    }
}

bool ztl_packet_send(ztl_packets *p, const char *data, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t sum = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + (uint8_t)data[i]);
    char trailer[3] = {'#', digits[sum >> 4], digits[sum & 0xf]};
    return send_all(p, "$", 1) && send_all(p, data, length) && send_all(p, trailer, 3);
}

bool ztl_packet_interrupted(ztl_packets *p, bool *closed)
{
    *closed = false;
    if (p->next == p->end) {
        struct pollfd poll_for = {.fd = p->connection, .events = POLLIN};
        if (poll(&poll_for, 1, 0) <= 0)
            return false;
        *closed = !fill(p, 0);
    }
    while (p->next < p->end && (p->buffer[p->next] == '+' || p->buffer[p->next] == '-'))
        p->next++;
    if (p->next == p->end || p->buffer[p->next] != INTERRUPT)
        return false;
    p->next++;
    return true;
}
