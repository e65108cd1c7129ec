/* SPDX-License-Identifier: Apache-2.0
 * A Linux process from inside.
 */
#ifndef ZTL_SIM_LINUX_PROCESS_H
#define ZTL_SIM_LINUX_PROCESS_H

#include <sys/stat.h>
#include <time.h>

#include <ztl/linux.h>

#include "sim/hart.h"
#include "sim/host/host.h"
#include "sim/linux/files/pipes.h"
#include "sim/linux/threads.h"

enum {
    PAGE = 4096,
    MAX_MAPPINGS = 4096,
    SIGNALS = 64,
    CALLS = 512,
    UNKNOWN = 16,    /* numbers of no call that are named */
    CHUNK = 1 << 16, /* bytes that are copied at once */
    STACK_SIZE = 8 << 20,
    USER = 1000, /* of the process, and the owner of its files */
    PROCESS = 1000
};

/* The addresses of a process are below this, however large the pages' tables are (Sv57). */
#define USER_END (UINT64_C(1) << 56)

/* Numbers of Linux on RISC-V, where another host may have others. */
enum guest_constants {
    GUEST_O_APPEND = 02000,
    GUEST_O_NONBLOCK = 04000,
    GUEST_O_CLOEXEC = 02000000,
    GUEST_AT_FDCWD = -100,
    GUEST_AT_SYMLINK_NOFOLLOW = 0x100,
    GUEST_AT_REMOVEDIR = 0x200,
    GUEST_AT_EMPTY_PATH = 0x1000,
    GUEST_PROT_READ = 1,
    GUEST_PROT_WRITE = 2,
    GUEST_PROT_EXEC = 4,
    GUEST_SIGSEGV = 11,
};

enum file_kind {
    FILE_FREE,
    FILE_INPUT,
    FILE_OUTPUT,
    FILE_ERROR,
    FILE_REGULAR,
    FILE_DIRECTORY,
    FILE_NULL, /* the devices */
    FILE_ZERO,
    FILE_RANDOM,
    FILE_URANDOM,
    FILE_PIPE_IN,
    FILE_PIPE_OUT,
    FILE_EVENT,
    FILE_EPOLL
};

typedef struct guest_file {
    enum file_kind kind;
    int file;        /* the host's */
    unsigned flags;  /* how it was opened: to read, to write or both */
    bool is_closing; /* FD_CLOEXEC */
    char *path;      /* of a directory, from the root */
    guest_pipe *pipe;
    guest_epoll *epoll;
} guest_file;

/* What is done with a signal, and the code of the last one that was sent. */
typedef struct guest_signal {
    uint64_t handler, flags, mask;
    int code;
} guest_signal;

typedef struct sent_signal {
    int signal;
    int code;         /* above 0: of a fault */
    uint64_t address; /* of a fault */
} sent_signal;

struct ztl_linux {
    ztl_linux_config config;
    ztl_host *host;
    ztl_hart *hart;
    ztl_window space;
    ztl_mapping mapping[MAX_MAPPINGS + 2];
    ztl_map map;
    uint64_t first_break, current_break; /* the heap of brk */
    uint64_t top;                        /* mmap gives out what is below */
    guest_file file[MAX_FILES];
    char directory[ZTL_HOST_MAX_NAME]; /* the current one, from the root; "" is the root */
    guest_signal signal[SIGNALS + 1];
    guest_thread thread[MAX_THREADS];
    size_t current;                /* the one that runs; these are its own: */
    uint64_t signal_mask, waiting; /* signals that are blocked, and that were sent */
    ztl_window handler_stack;      /* size 0: none */
    unsigned thread_count;
    uint64_t waits; /* that were begun */
    bool waited;    /* the call that is served waits */
    bool is_stuck;
    uint64_t alarm, alarm_interval; /* on ztl_linux_clock; NEVER: none */
    uint64_t way_back;              /* the code that a handler returns to */
    uint64_t next;                  /* pc behind the call that is served */
    uint64_t random;
    uint64_t slept; /* nanoseconds */
    unsigned umask;
    int ended_by;
    bool said[CALLS];
    uint64_t unknown[UNKNOWN]; /* that were named */
    size_t unknown_count;
};

/* A system call: its arguments, and its result or -errno. */
typedef int64_t ztl_linux_call(ztl_linux *l, const uint64_t *a);
#define SERVED(number, name) ztl_linux_call ztl_linux_##name;
#include "sim/linux/syscalls.def"

bool ztl_linux_serve(void *context, ztl_hart *hart);
__attribute__((format(printf, 2, 3))) void ztl_linux_say(ztl_linux *l, const char *format, ...);

/* ---- copy.c: to and from the process's memory; each false where it must not be touched. ---- */
bool ztl_linux_get(ztl_linux *l, uint64_t address, void *bytes, uint64_t size);
bool ztl_linux_put(ztl_linux *l, uint64_t address, const void *bytes, uint64_t size);
/* A text of fewer than `size` bytes: 0 or -errno. */
int ztl_linux_get_text(ztl_linux *l, uint64_t address, char *text, size_t size);
/* How many bytes from an address on may be used, at most so many and a chunk. */
size_t ztl_linux_chunk(const ztl_linux *l, uint64_t address, uint64_t size, unsigned use);

static inline void put32(uint8_t *bytes, uint32_t value)
{
    for (unsigned k = 0; k < 4; k++)
        bytes[k] = (uint8_t)(value >> (8 * k));
}

static inline void put64(uint8_t *bytes, uint64_t value)
{
    put32(bytes, (uint32_t)value);
    put32(bytes + 4, (uint32_t)(value >> 32));
}

static inline uint32_t get32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t get64(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (unsigned k = 8; k-- > 0;)
        value = value << 8 | bytes[k];
    return value;
}

/* A word of the process, of 4 or 8 bytes: how many, and one in an array of them. */
static inline unsigned word_size(const ztl_linux *l)
{
    return l->hart->isa.xlen / 8;
}

static inline uint64_t get_word(const ztl_linux *l, const uint8_t *words, size_t index)
{
    return word_size(l) == 8 ? get64(words + 8 * index) : get32(words + 4 * index);
}

static inline void put_word(const ztl_linux *l, uint8_t *words, size_t index, uint64_t value)
{
    if (word_size(l) == 8)
        put64(words + 8 * index, value);
    else
        put32(words + 4 * index, (uint32_t)value);
}

/* ---- narrow.c ---- */
/* The number and arguments of a call of RV64 that does the same as one of RV32; UINT64_MAX: none.
 */
uint64_t ztl_linux_widen(uint64_t number, uint64_t *a);

/* ---- space.c: the address space. ---- */
/* Maps, for enum ztl_use bits, or unmaps whole pages; false when there are too many pieces. What is
 * not mapped is zero. */
bool ztl_linux_map(ztl_linux *l, uint64_t start, uint64_t end, unsigned allows);
bool ztl_linux_unmap(ztl_linux *l, uint64_t start, uint64_t end);
bool ztl_linux_is_free(const ztl_linux *l, uint64_t start, uint64_t end);
bool ztl_linux_is_mapped(const ztl_linux *l, uint64_t start, uint64_t end);
/* The highest free pages below the stack; 0: none. */
uint64_t ztl_linux_find_room(const ztl_linux *l, uint64_t size);

/* ---- files.c ---- */
guest_file *ztl_linux_file(ztl_linux *l, uint64_t number); /* NULL: none */
int64_t ztl_linux_new_file(ztl_linux *l, uint64_t from, guest_file file);
void ztl_linux_close_files(ztl_linux *l);
/* Reads from a file into memory that is there, from a place in it; what it got or -errno. */
int64_t ztl_linux_pread(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size,
                        uint64_t offset);

/* ---- files/change.c: fcntl's locks; `asks` about one that is in the way. ---- */
int64_t ztl_linux_lock_part(ztl_linux *l, const guest_file *file, bool asks, uint64_t address);

/* ---- devices.c ---- */
enum file_kind ztl_linux_device_named(const char *path); /* from the root; FILE_FREE: none */
bool ztl_linux_is_device(enum file_kind kind);
int64_t ztl_linux_open_device(ztl_linux *l, enum file_kind kind, uint64_t flags);
size_t ztl_linux_read_device(ztl_linux *l, enum file_kind kind, uint8_t *bytes, size_t size);
void ztl_linux_describe_device(enum file_kind kind, struct stat *status);

/* ---- pipes.c: of files that have a pipe ---- */
void ztl_linux_share_pipe(const guest_file *file); /* one more that is open */
void ztl_linux_close_pipe(ztl_linux *l, const guest_file *file);
int64_t ztl_linux_move_pipe(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size,
                            bool writes);
unsigned ztl_linux_pipe_state(const guest_file *file); /* READY_… bits */

/* ---- poll.c ---- */
void ztl_linux_close_epoll(const guest_file *file);
void ztl_linux_forget_polled(ztl_linux *l, size_t number); /* a file that is closed */

/* ---- threads.c ---- */
bool ztl_linux_first_thread(ztl_linux *l);
void ztl_linux_free_threads(ztl_linux *l);
guest_thread *ztl_linux_current(ztl_linux *l);
int ztl_linux_thread_id(size_t index);
guest_thread *ztl_linux_thread(ztl_linux *l, uint64_t id); /* NULL: none */
void ztl_linux_switch(ztl_linux *l, size_t index);
/* The hook of the hart: who goes on. */
void ztl_linux_turn(void *context, ztl_hart *hart);
size_t ztl_linux_list_threads(void *context, unsigned *list, size_t size);
void ztl_linux_show_thread(void *context, unsigned thread);
/* Looks at the times anew that somebody waits for. */
void ztl_linux_plan(ztl_linux *l);
/* The call that is served waits: its result, if the wait is over at once, else anything. */
int64_t ztl_linux_wait(ztl_linux *l, const guest_wait *wait);
void ztl_linux_end_wait(ztl_linux *l, guest_thread *t, int64_t result);
void ztl_linux_wake_files(ztl_linux *l); /* those that wait for a pipe try again */

/* ---- futex.c: wakes at most so many that wait at an address; how many. ---- */
int64_t ztl_linux_wake(ztl_linux *l, uint64_t address, uint32_t most, uint32_t bits);

/* ---- signals.c ---- */
/* A signal for a thread; NULL: for any. */
void ztl_linux_send(ztl_linux *l, guest_thread *t, int signal, int code);

static inline uint64_t ztl_linux_signal_bit(int signal)
{
    return UINT64_C(1) << (signal - 1);
}

/* What of a set of signals can be blocked: not SIGKILL and SIGSTOP. */
static inline uint64_t ztl_linux_can_block(uint64_t set)
{
    return set & ~(ztl_linux_signal_bit(9) | ztl_linux_signal_bit(19));
}

/* The frame of a signal's handler cannot be written, or (0) cannot be read, which is a fault in its
 * turn: SIGSEGV's handler gets it, or the process ends. */
void ztl_linux_force_fault(ztl_linux *l, int signal);
/* Does what is to be done with signals that wait and are not blocked. */
void ztl_linux_deliver(ztl_linux *l);

/* ---- frame.c ---- */
/* Leads the hart to a handler, and back behind l->next; false when its stack has no room. */
bool ztl_linux_enter_handler(ztl_linux *l, const sent_signal *sent);

/* ---- start.c ---- */
uint64_t ztl_linux_random(ztl_linux *l);
/* The base extensions by their letters' places. */
uint64_t ztl_linux_letters(const ztl_linux *l);

/* ---- clock.c ---- */
uint64_t ztl_linux_running(const ztl_linux *l); /* nanoseconds */
/* The clock of deadlines, in nanoseconds, and a deadline by a time in memory: 0 or -errno. */
uint64_t ztl_linux_clock(const ztl_linux *l);
int64_t ztl_linux_get_deadline(ztl_linux *l, uint64_t address, uint64_t clock, bool is_absolute,
                               uint64_t *deadline);
/* Lets time pass; false when the run is to stop before that. */
bool ztl_linux_sleep_until(ztl_linux *l, uint64_t deadline);
void ztl_linux_ring(ztl_linux *l); /* the alarm's time has come */
void ztl_linux_time_of_day(const ztl_linux *l, struct timespec *time);

static inline uint64_t page_up(uint64_t address)
{
    return (address + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static inline uint64_t page_down(uint64_t address)
{
    return address & ~(uint64_t)(PAGE - 1);
}

#endif
