/* SPDX-License-Identifier: Apache-2.0
 * What pipes, event counters and lists of files to wait for hold.
 */
#ifndef ZTL_SIM_LINUX_PIPES_H
#define ZTL_SIM_LINUX_PIPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PIPE_SIZE = 1 << 16, MAX_FILES = 64 };

/* What a file is ready for, as poll says it. */
enum { READY_IN = 1, READY_OUT = 4, READY_ERR = 8, READY_HUP = 16 };

typedef struct guest_pipe {
    unsigned ends[2];     /* files for reading, and for writing; of an event counter the first */
    bool is_impatient[2]; /* O_NONBLOCK */
    uint64_t changes;
    bool is_semaphore;
    uint64_t counter;   /* of events */
    size_t start, used; /* of the ring */
    uint8_t bytes[PIPE_SIZE];
} guest_pipe;

typedef struct polled_file {
    bool is_used;
    uint32_t events;
    uint64_t data;
    uint64_t seen; /* 1 and the changes of the pipe that were told last; 0: none */
} polled_file;

typedef struct guest_epoll {
    unsigned users;
    polled_file entry[MAX_FILES]; /* by their numbers */
} guest_epoll;

#endif
