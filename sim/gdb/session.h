/* SPDX-License-Identifier: Apache-2.0
 * One debugger's session: what its parts share.
 */
#ifndef ZTL_GDB_SESSION_H
#define ZTL_GDB_SESSION_H

#include "sim/gdb/gdb.h"
#include "sim/gdb/packet.h"
#include "sim/gdb/registers.h"

enum { ZTL_GDB_THREADS = 256 };

typedef struct ztl_gdb_state {
    ztl_hart *hart;
    const ztl_gdb_config *config;
    ztl_packets packets;
    ztl_gdb_registers registers;
    char in[ZTL_PACKET_SIZE + 1];
    size_t in_length;
    char out[ZTL_PACKET_SIZE + 1];
    size_t out_length;
    char last_stop[96]; /* the answer to `?` */
    unsigned running;   /* the thread that stopped */
    bool behind;        /* the instruction that gdb sees pc at was executed already ... */
    uint64_t behind_pc; /* ... and this is where the hart stands */
    bool over;
    enum ztl_gdb_end end;
} ztl_gdb_state;

/* ---- sim/gdb/words.c: building answers, taking packets apart ---- */
void ztl_gdb_say(ztl_gdb_state *s, const char *text);
void ztl_gdb_say_hex(ztl_gdb_state *s, const uint8_t *bytes, size_t size);
void ztl_gdb_say_ok(ztl_gdb_state *s, bool good); /* OK or an error */
bool ztl_gdb_starts_with(const char *text, const char *prefix);

/* Each takes what it is named after from *at on, and says whether it was there. */
bool ztl_gdb_take_number(const char **at, uint64_t *value);
bool ztl_gdb_take_char(const char **at, char wanted);
bool ztl_gdb_take_range(const char **at, uint64_t *address, uint64_t *size);
/* A thread: one of the hart's, any (0) or all (-1). *ours: it is one of these; any and all are the
 * one that stopped. gdb counts them from 1 on. */
bool ztl_gdb_take_thread(const ztl_gdb_state *s, const char **at, bool *ours, unsigned *thread);

/* The threads of the hart: how many, of which at most `size` are listed; and shows one of them. */
size_t ztl_gdb_threads(const ztl_gdb_state *s, unsigned *list, size_t size);
void ztl_gdb_show(ztl_gdb_state *s, unsigned thread);

/* Pairs of digits up to the end of the packet; the number of bytes, or -1. */
int ztl_gdb_take_bytes(const char *at, uint8_t *bytes, size_t size);

/* ---- sim/gdb/resume.c: running. What is malformed is answered by an error, and nothing runs. ----
 */
/* The answer to `?` before anything ran. */
void ztl_gdb_stopped_first(ztl_gdb_state *s);
/* c, s, C and S; the text is the packet. */
void ztl_gdb_resume(ztl_gdb_state *s, const char *packet);
/* The text after vCont. */
void ztl_gdb_resume_threads(ztl_gdb_state *s, const char *actions);
/* Ends the session, if it is to be cut, and says so. */
bool ztl_gdb_cut(ztl_gdb_state *s);

/* ---- sim/gdb/monitor.c: qRcmd, the command in hexadecimal digits ---- */
void ztl_gdb_monitor(ztl_gdb_state *s, const char *hex);

#endif
