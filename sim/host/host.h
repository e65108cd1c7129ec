/* SPDX-License-Identifier: Apache-2.0
 * What semihosting, its files and HTIF share.
 */
#ifndef ZTL_SIM_HOST_H
#define ZTL_SIM_HOST_H

#include <sys/types.h>
#include <time.h>

#include <ztl/host.h>

enum { ZTL_HOST_HANDLES = 64, ZTL_HOST_MAX_NAME = 1024 };

/* Errors that guests see, by the numbers of newlib and picolibc. */
enum ztl_guest_error {
    ZTL_GUEST_ENOENT = 2,
    ZTL_GUEST_EIO = 5,
    ZTL_GUEST_EBADF = 9,
    ZTL_GUEST_EACCES = 13,
    ZTL_GUEST_EFAULT = 14,
    ZTL_GUEST_EINVAL = 22,
    ZTL_GUEST_EMFILE = 24,
    ZTL_GUEST_ENOSYS = 88,
    ZTL_GUEST_ENOTEMPTY = 90,
    ZTL_GUEST_ENAMETOOLONG = 91,
    ZTL_GUEST_ELOOP = 92,
};

/* What an open handle is. */
enum ztl_handle_kind {
    ZTL_HANDLE_FREE,
    ZTL_HANDLE_INPUT,
    ZTL_HANDLE_OUTPUT,
    ZTL_HANDLE_ERROR,
    ZTL_HANDLE_FEATURES,
    ZTL_HANDLE_FILE,
};

typedef struct ztl_handle {
    enum ztl_handle_kind kind;
    int file;
    size_t position; /* in the features */
} ztl_handle;

struct ztl_host {
    ztl_host_config config;
    int directory; /* -1: none */
    int error;     /* the guest's errno */
    struct timespec start;
    ztl_handle handle[ZTL_HOST_HANDLES];
    uint64_t heap; /* where the guest's heap may start; 0: not known */
    uint64_t tohost, fromhost;
    bool has_fromhost;
    unsigned halves;     /* of tohost stored since it was last read: 1 low, 2 high */
    uint64_t end_value;  /* of tohost, that ended the program; 0: none did */
    uint64_t half_since; /* instructions retired at the last such store */
};

void ztl_host_output(ztl_host *host, bool is_error, const void *bytes, size_t size);
size_t ztl_host_input(ztl_host *host, void *bytes, size_t size);

/* Sends guest memory to the console; returns how many bytes were not sent, because they are not
 * memory (false in *good) or a stop was requested meanwhile. */
uint64_t ztl_host_output_memory(ztl_host *host, ztl_hart *hart, bool is_error, uint64_t address,
                                uint64_t size, bool *good);

/* The hooks. */
bool ztl_host_semihost(void *context, ztl_hart *hart);
void ztl_host_tohost(void *context, ztl_hart *hart, uint64_t address, unsigned size,
                     uint64_t value);

/* Files below the directory, by the rules of include/ztl/host.h. Results are 0 or more; what fails
 * gives -1 and sets host->error. */
int ztl_host_open(ztl_host *host, const char *name, int flags);
int ztl_host_remove(ztl_host *host, const char *name);
int ztl_host_rename(ztl_host *host, const char *from, const char *to);

/* The same step by step, for whoever keeps the rules in another way; -1 and errno. The directory
 * that the last component of a name is in; a file or directory in one, with O_… flags. */
int ztl_host_open_parent(int directory, const char *name, const char **leaf);
int ztl_host_open_at(int parent, const char *leaf, int flags, mode_t mode);

/* The guest's number of a host's errno. */
int ztl_host_guest_error(int error);

#endif
