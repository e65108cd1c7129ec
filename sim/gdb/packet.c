/* SPDX-License-Identifier: Apache-2.0
 * Sending and receiving packets: checksums, acknowledgements, interrupts.
 */
#include "sim/gdb/packet.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { INTERRUPT = 0x03, ESCAPE = '}', ESCAPE_XOR = 0x20, CHECKSUM = 3 /* # and two digits */ };

bool ztl_packet_may_begin(uint8_t byte)
{
    return byte == '+' || byte == '-' || byte == '$' || byte == INTERRUPT;
}

/* A signal interrupted a call: whether that is the end. */
static bool is_cut(const ztl_packets *p)
{
    return p->config->is_cut && p->config->is_cut(p->config->context);
}

/* Adds what has come to the buffer; as recv. */
static ssize_t receive_some(ztl_packets *p, int flags)
{
    memmove(p->buffer, p->buffer + p->next, p->end - p->next);
    p->end -= p->next;
    p->next = 0;
    ssize_t got;
    do
        got = recv(p->connection, p->buffer + p->end, sizeof p->buffer - p->end, flags);
    while (got < 0 && errno == EINTR && !is_cut(p));
    p->end += got > 0 ? (size_t)got : 0;
    return got;
}

static int next_byte(ztl_packets *p)
{
    if (p->next == p->end && receive_some(p, 0) <= 0)
        return -1;
    return p->buffer[p->next++];
}

static bool send_all(ztl_packets *p, const char *data, size_t length)
{
    while (length) {
        ssize_t sent = send(p->connection, data, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR && !is_cut(p))
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

/* The text between $ and #, and the checksum after it; another $ begins anew. -1: lost; 0:
 * damaged; 1: good. */
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
        if (c == '$') {
            *length = sum = 0;
            fits = true;
            escaped = false;
            continue;
        }
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
        if (c < 0 || (!p->greeted && !ztl_packet_may_begin((uint8_t)c)))
            return ZTL_PACKET_CLOSED;
        p->greeted = true;
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
    char trailer[CHECKSUM] = {'#', digits[sum >> 4], digits[sum & 0xf]};
    return send_all(p, "$", 1) && send_all(p, data, length) && send_all(p, trailer, CHECKSUM);
}

/* The size of the packet that starts here; 0 when its end has not come. */
static size_t whole_packet(const uint8_t *start, size_t size)
{
    const uint8_t *end = memchr(start, '#', size);
    size_t length = end ? (size_t)(end - start) + CHECKSUM : 0;
    return length <= size ? length : 0;
}

/* Takes the first interrupt out of the buffer, and with it a packet that it breaks off: 0x03 is
 * part of a packet only in the binary data of X. Noise at the beginning goes too, so that no amount
 * of it fills the buffer. */
static bool take_interrupt(ztl_packets *p)
{
    while (p->next < p->end && p->buffer[p->next] != '$' && p->buffer[p->next] != INTERRUPT)
        p->next++;
    for (size_t at = p->next; at < p->end; at++) {
        const uint8_t *here = p->buffer + at;
        size_t size = p->end - at, packet = *here == '$' ? whole_packet(here, size) : 0;
        if (packet) {
            at += packet - 1;
            continue;
        }
        if (*here != '$' && *here != INTERRUPT)
            continue;
        if (*here == '$' && (size < 2 || here[1] == 'X'))
            return false;
        const uint8_t *interrupt = memchr(here, INTERRUPT, size);
        if (!interrupt)
            return false;
        size_t behind = (size_t)(interrupt - p->buffer) + 1;
        memmove(p->buffer + at, p->buffer + behind, p->end - behind);
        p->end -= behind - at;
        return true;
    }
    return false;
}

bool ztl_packet_interrupted(ztl_packets *p, bool *closed)
{
    ssize_t got = receive_some(p, MSG_DONTWAIT);
    bool lost = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    if (take_interrupt(p))
        return true; /* what was lost, or did not fit, shows at the next look */
    *closed = lost;
    return false;
}
