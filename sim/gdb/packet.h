/* SPDX-License-Identifier: Apache-2.0
 * Packets of the remote serial protocol over a socket.
 */
#ifndef ZTL_GDB_PACKET_H
#define ZTL_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/gdb/gdb.h"

enum { ZTL_PACKET_SIZE = 16384 };

typedef struct ztl_packets {
    int connection;
    const ztl_gdb_config *config;
    bool greeted; /* the first byte was a debugger's */
    bool no_ack;
    uint8_t buffer[2 * ZTL_PACKET_SIZE]; /* received, not yet taken */
    size_t next, end;
} ztl_packets;

enum ztl_packet_kind { ZTL_PACKET_DATA, ZTL_PACKET_INTERRUPT, ZTL_PACKET_CLOSED };

/* Whether a debugger may begin with this byte. A browser cannot: it begins with a method. */
bool ztl_packet_may_begin(uint8_t byte);

/* Waits for the next packet and unescapes it into `data`, terminated; *length is its size. Packets
 * with a wrong checksum or of more than ZTL_PACKET_SIZE bytes are refused and not returned. Closed
 * is a connection that is lost, cut, or whose first byte is not a debugger's. */
enum ztl_packet_kind ztl_packet_receive(ztl_packets *packets, char data[ZTL_PACKET_SIZE + 1],
                                        size_t *length);

/* Sends a packet; false when the connection is lost. */
bool ztl_packet_send(ztl_packets *packets, const char *data, size_t length);

/* Whether the debugger asked for an interrupt, or left, without waiting. Packets that come
 * meanwhile are kept, up to the size of the buffer; whoever sends more counts as gone. */
bool ztl_packet_interrupted(ztl_packets *packets, bool *closed);

#endif
