/* SPDX-License-Identifier: Apache-2.0
 * Static Linux programs on the hart: it runs them in user mode, and their system calls come here.
 *
 *     ztl_window ram;
 *     ztl_linux_window(program, 1 << 30, &ram, &error);      // the RAM of the hart
 *     ztl_linux *process = ztl_linux_create(&config, &error);
 *     ztl_linux_start(process, program, hart, &error);       // loads it, sets pc and sp
 *
 * A process reaches the console and the directory of the host it is given, and nothing else: no
 * other file, no network, no other process, no clock unless that is asked for.
 */
#ifndef ZTL_LINUX_H
#define ZTL_LINUX_H

#include <ztl/host.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ztl_linux ztl_linux;

typedef struct ztl_linux_config {
    ztl_host *host;                 /* console and directory */
    const char *const *argument;    /* of the program, from its name on; ended by NULL */
    const char *const *environment; /* NAME=VALUE; ended by NULL */
    uint64_t seed;                  /* of its random numbers */
    bool has_host_clock;            /* else a nanosecond passes with each instruction */
    /* What a user should know about the program: a line without its end. */
    void (*say)(void *context, const char *line);
    void *context;
} ztl_linux_config;

/* The address space of a program, if it is to have so many bytes; false and a message. */
ZTL_API bool ztl_linux_window(const ztl_program *program, uint64_t size, ztl_window *window,
                              ztl_error *error);

ZTL_API ztl_linux *ztl_linux_create(const ztl_linux_config *config, ztl_error *error);

/* Closes its files. The hart must be gone, or have other hooks. */
ZTL_API void ztl_linux_destroy(ztl_linux *process);

/* Loads the program into a hart whose first RAM is the window, lays out its stack and takes its
 * calls from then on. */
ZTL_API bool ztl_linux_start(ztl_linux *process, const ztl_program *program, ztl_hart *hart,
                             ztl_error *error);

/* The signal that ended a process, sent by itself or because a handler's frame had no room; 0:
 * none, or a fault. */
ZTL_API int ztl_linux_signal(const ztl_linux *process);

/* Whether it ended because all its threads wait for what never comes; it was said. */
ZTL_API bool ztl_linux_is_stuck(const ztl_linux *process);

/* After a trap: whether the process has a handler for it, which the hart then goes on with. */
ZTL_API bool ztl_linux_catch(ztl_linux *process);

/* The signal that a trap means, and the name of a signal. */
ZTL_API int ztl_linux_signal_of(const ztl_trap *trap);
ZTL_API const char *ztl_linux_signal_name(int signal);

#ifdef __cplusplus
}
#endif
#endif
