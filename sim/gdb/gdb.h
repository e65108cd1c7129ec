/* SPDX-License-Identifier: Apache-2.0
 * A debugger's view of a hart: gdb's remote serial protocol.
 */
#ifndef ZTL_GDB_H
#define ZTL_GDB_H

#include <ztl/hart.h>

enum ztl_gdb_end {
    ZTL_GDB_EXITED,   /* the program ended: ztl_hart_exit_code */
    ZTL_GDB_KILLED,   /* the debugger ended it */
    ZTL_GDB_DETACHED, /* the debugger left, the program shall run on */
    ZTL_GDB_LOST,     /* the connection broke */
};

/* Whether a text is "PORT" or "unix:PATH"; false and a message when it is neither. */
bool ztl_gdb_check_place(const char *where, char *error, size_t error_size);

/* Opens a socket at "PORT" (on the loopback interface; 0: any free port) or "unix:PATH", tells
 * `ready` the place, waits for one debugger and serves it. False and a message when that cannot
 * be done. The path of a unix socket is removed at the end. */
bool ztl_gdb_serve(ztl_hart *hart, const char *where, void (*ready)(const char *place),
                   enum ztl_gdb_end *end, char *error, size_t error_size);

/* Serves a debugger that is connected already. */
enum ztl_gdb_end ztl_gdb_session(ztl_hart *hart, int connection);

#endif
