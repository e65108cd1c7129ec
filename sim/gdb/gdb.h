/* SPDX-License-Identifier: Apache-2.0
 * A debugger's view of a hart: gdb's remote serial protocol.
 */
#ifndef ZTL_GDB_H
#define ZTL_GDB_H

#include <stdio.h>

#include <ztl/hart.h>

enum ztl_gdb_end {
    ZTL_GDB_EXITED,   /* the program ended: ztl_hart_exit_code */
    ZTL_GDB_KILLED,   /* the debugger ended it */
    ZTL_GDB_DETACHED, /* the debugger left, the program shall run on */
    ZTL_GDB_LOST,     /* the connection broke, or what came over it is no debugger's */
    ZTL_GDB_LIMIT,    /* max_insns are used up */
    ZTL_GDB_CUT,      /* is_cut said so */
};

/* What the owner of the hart has to say meanwhile; each function may be NULL. */
typedef struct ztl_gdb_config {
    void *context;
    uint64_t base;                             /* what was added to the program's addresses */
    uint64_t max_insns;                        /* that ztl_hart_attempted may reach; 0: no limit */
    void (*ready)(const char *place);          /* a debugger can connect there */
    bool (*is_cut)(void *context);             /* asked between runs and after each signal */
    bool (*has_ended)(void *context);          /* asked between runs: ztl_host_poll */
    void (*explain)(void *context, FILE *out); /* writes the reason of the last trap */
} ztl_gdb_config;

/* Whether a text is "PORT" or "unix:PATH"; false and a message when it is neither. */
bool ztl_gdb_check_place(const char *where, ztl_error *error);

/* Opens a socket at "PORT" (on the loopback interface; 0: any free port) or "unix:PATH", tells
 * `ready` the place, waits for one debugger and serves it. Whoever connects and does not speak the
 * protocol is turned away. A unix socket that nobody listens at any more is replaced, and ours is
 * removed when a debugger is there or none is waited for any more. False and a message when there
 * can be no socket. */
bool ztl_gdb_serve(ztl_hart *hart, const char *where, const ztl_gdb_config *config,
                   enum ztl_gdb_end *end, ztl_error *error);

/* Serves a debugger that is connected already. */
enum ztl_gdb_end ztl_gdb_session(ztl_hart *hart, int connection, const ztl_gdb_config *config);

#endif
