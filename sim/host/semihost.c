/* SPDX-License-Identifier: Apache-2.0
 * RISC-V semihosting: a0 is the operation, a1 its parameter or the address of a block of them, and
 * the result goes to a0. Blocks consist of words of XLEN bits.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/host/host.h"

enum { A0 = 10, A1 = 11, MAX_ARGUMENTS = 4 };

/* The reason of SYS_EXIT that means a program ended by itself. */
enum { APPLICATION_EXIT = 0x20026 };

/* One call under way. */
typedef struct ztl_call {
    ztl_host *host;
    ztl_hart *hart;
    uint64_t parameter;               /* a1 */
    uint64_t argument[MAX_ARGUMENTS]; /* of the block */
} ztl_call;

static const uint8_t features[] = {'S', 'H', 'F', 'B', 3}; /* EXIT_EXTENDED, STDOUT_STDERR */

static unsigned word_size(const ztl_call *call)
{
    return ztl_hart_isa_of(call->hart)->xlen / 8;
}

static int64_t fail(const ztl_call *call, int guest_error)
{
    call->host->error = guest_error;
    return -1;
}

static bool read_block(ztl_call *call, size_t count)
{
    uint8_t bytes[8 * MAX_ARGUMENTS];
    size_t size = word_size(call);
    if (ztl_hart_read_memory(call->hart, call->parameter, bytes, count * size) < count * size)
        return false;
    for (size_t i = 0; i < count; i++) {
        call->argument[i] = 0;
        for (size_t k = size; k-- > 0;)
            call->argument[i] = call->argument[i] << 8 | bytes[i * size + k];
    }
    return true;
}

static bool write_words(const ztl_call *call, uint64_t address, const uint64_t *value, size_t count)
{
    uint8_t bytes[8 * MAX_ARGUMENTS];
    size_t size = word_size(call);
    for (size_t i = 0; i < count * size; i++)
        bytes[i] = (uint8_t)(value[i / size] >> (8 * (i % size)));
    return ztl_hart_write_memory(call->hart, address, bytes, count * size) == count * size;
}

/* A name of `length` bytes without a NUL in it. */
static bool read_name(const ztl_call *call, uint64_t address, uint64_t length, char *name)
{
    if (length >= ZTL_HOST_MAX_NAME) {
        fail(call, ZTL_GUEST_ENAMETOOLONG);
        return false;
    }
    if (ztl_hart_read_memory(call->hart, address, name, (size_t)length) < length) {
        fail(call, ZTL_GUEST_EFAULT);
        return false;
    }
    name[length] = '\0';
    if (strlen(name) != length) {
        fail(call, ZTL_GUEST_EINVAL);
        return false;
    }
    return true;
}

static ztl_handle *handle_of(const ztl_call *call)
{
    uint64_t index = call->argument[0];
    if (index < ZTL_HOST_HANDLES && call->host->handle[index].kind != ZTL_HANDLE_FREE)
        return &call->host->handle[index];
    fail(call, ZTL_GUEST_EBADF);
    return NULL;
}

static int64_t new_handle(const ztl_call *call, enum ztl_handle_kind kind, int file)
{
    for (size_t i = 1; i < ZTL_HOST_HANDLES; i++) { /* 0 would say that the open failed */
        if (call->host->handle[i].kind != ZTL_HANDLE_FREE)
            continue;
        call->host->handle[i] = (ztl_handle){.kind = kind, .file = file};
        return (int64_t)i;
    }
    if (kind == ZTL_HANDLE_FILE)
        close(file);
    return fail(call, ZTL_GUEST_EMFILE);
}

/* The twelve modes of fopen: r, rb, r+, r+b, then the same for w and a. */
static int flags_of(uint64_t mode)
{
    static const int kind[] = {0, O_CREAT | O_TRUNC, O_CREAT | O_APPEND};
    int access = mode & 2 ? O_RDWR : mode < 4 ? O_RDONLY : O_WRONLY;
    return access | kind[mode / 4];
}

static int64_t open_console(const ztl_call *call, uint64_t mode)
{
    return new_handle(call,
                      mode < 4   ? ZTL_HANDLE_INPUT
                      : mode < 8 ? ZTL_HANDLE_OUTPUT
                                 : ZTL_HANDLE_ERROR,
                      -1);
}

static int64_t call_open(ztl_call *call)
{
    char name[ZTL_HOST_MAX_NAME];
    uint64_t mode = call->argument[1];
    if (!read_name(call, call->argument[0], call->argument[2], name))
        return -1;
    if (mode > 11)
        return fail(call, ZTL_GUEST_EINVAL);
    if (!strcmp(name, ":tt"))
        return open_console(call, mode);
    if (!strcmp(name, ":semihosting-features"))
        return mode < 2 ? new_handle(call, ZTL_HANDLE_FEATURES, -1) : fail(call, ZTL_GUEST_EACCES);
    int file = ztl_host_open(call->host, name, flags_of(mode));
    return file < 0 ? -1 : new_handle(call, ZTL_HANDLE_FILE, file);
}

static int64_t call_close(ztl_call *call)
{
    ztl_handle *handle = handle_of(call);
    if (!handle)
        return -1;
    int result = handle->kind == ZTL_HANDLE_FILE ? close(handle->file) : 0;
    *handle = (ztl_handle){.kind = ZTL_HANDLE_FREE};
    return result ? fail(call, ztl_host_guest_error(errno)) : 0;
}

static int64_t call_write_character(ztl_call *call)
{
    bool good;
    ztl_host_output_memory(call->host, call->hart, false, call->parameter, 1, &good);
    return good ? 0 : fail(call, ZTL_GUEST_EFAULT);
}

static int64_t call_write_string(ztl_call *call)
{
    uint64_t address = call->parameter;
    for (;;) {
        char bytes[4096];
        size_t got = ztl_hart_read_memory(call->hart, address, bytes, sizeof bytes);
        const char *end = memchr(bytes, '\0', got);
        ztl_host_output(call->host, false, bytes, end ? (size_t)(end - bytes) : got);
        if (end || ztl_hart_stop_requested(call->hart))
            return 0;
        if (got < sizeof bytes)
            return fail(call, ZTL_GUEST_EFAULT);
        address += got;
    }
}

/* Writes to a file from guest memory; returns what could not be written. */
static uint64_t write_file(const ztl_call *call, int file, uint64_t address, uint64_t size)
{
    uint8_t bytes[4096];
    while (size && !ztl_hart_stop_requested(call->hart)) {
        size_t now = size < sizeof bytes ? (size_t)size : sizeof bytes;
        if (ztl_hart_read_memory(call->hart, address, bytes, now) < now) {
            fail(call, ZTL_GUEST_EFAULT);
            break;
        }
        ssize_t done = write(file, bytes, now);
        if (done <= 0) {
            fail(call, ztl_host_guest_error(errno));
            break;
        }
        address += (uint64_t)done;
        size -= (uint64_t)done;
    }
    return size;
}

static int64_t call_write(ztl_call *call)
{
    const ztl_handle *handle = handle_of(call);
    uint64_t address = call->argument[1], size = call->argument[2];
    bool good;
    if (!handle)
        return (int64_t)size;
    switch (handle->kind) {
    case ZTL_HANDLE_OUTPUT:
    case ZTL_HANDLE_ERROR:
        size = ztl_host_output_memory(call->host, call->hart, handle->kind == ZTL_HANDLE_ERROR,
                                      address, size, &good);
        if (!good)
            fail(call, ZTL_GUEST_EFAULT);
        return (int64_t)size;
    case ZTL_HANDLE_FILE:
        return (int64_t)write_file(call, handle->file, address, size);
    default:
        fail(call, ZTL_GUEST_EBADF);
        return (int64_t)size;
    }
}

/* At most `size` bytes from whatever the handle is; 0 at the end, or when it cannot be read. */
static size_t read_some(const ztl_call *call, ztl_handle *handle, uint8_t *bytes, size_t size)
{
    switch (handle->kind) {
    case ZTL_HANDLE_INPUT:
        return ztl_host_input(call->host, bytes, size);
    case ZTL_HANDLE_FEATURES: {
        size_t left = sizeof features - handle->position;
        size_t now = left < size ? left : size;
        memcpy(bytes, features + handle->position, now);
        handle->position += now;
        return now;
    }
    case ZTL_HANDLE_FILE: {
        ssize_t got = read(handle->file, bytes, size);
        if (got < 0)
            fail(call, ztl_host_guest_error(errno));
        return got > 0 ? (size_t)got : 0;
    }
    default:
        fail(call, ZTL_GUEST_EBADF);
        return 0;
    }
}

static int64_t call_read(ztl_call *call)
{
    ztl_handle *handle = handle_of(call);
    uint64_t address = call->argument[1], size = call->argument[2];
    while (handle && size && !ztl_hart_stop_requested(call->hart)) {
        uint8_t bytes[4096];
        size_t want = size < sizeof bytes ? (size_t)size : sizeof bytes;
        size_t got = read_some(call, handle, bytes, want);
        if (got && ztl_hart_write_memory(call->hart, address, bytes, got) < got) {
            fail(call, ZTL_GUEST_EFAULT);
            break;
        }
        address += got;
        size -= got;
        if (got < want || handle->kind == ZTL_HANDLE_INPUT) /* a console gives a line at a time */
            break;
    }
    return (int64_t)size;
}

static int64_t call_read_character(ztl_call *call)
{
    uint8_t character;
    return ztl_host_input(call->host, &character, 1) ? character : -1;
}

static int64_t call_is_error(ztl_call *call)
{
    uint64_t sign = (uint64_t)1 << (8 * word_size(call) - 1);
    return (call->argument[0] & sign) != 0;
}

static int64_t call_is_terminal(ztl_call *call)
{
    const ztl_handle *handle = handle_of(call);
    if (!handle)
        return -1;
    return handle->kind == ZTL_HANDLE_INPUT || handle->kind == ZTL_HANDLE_OUTPUT ||
           handle->kind == ZTL_HANDLE_ERROR;
}

static int64_t call_seek(ztl_call *call)
{
    ztl_handle *handle = handle_of(call);
    uint64_t position = call->argument[1];
    if (!handle)
        return -1;
    if (handle->kind == ZTL_HANDLE_FEATURES && position <= sizeof features) {
        handle->position = (size_t)position;
        return 0;
    }
    if (handle->kind != ZTL_HANDLE_FILE || position > INT64_MAX ||
        lseek(handle->file, (off_t)position, SEEK_SET) < 0)
        return fail(call, ZTL_GUEST_EINVAL);
    return 0;
}

static int64_t call_length(ztl_call *call)
{
    const ztl_handle *handle = handle_of(call);
    struct stat status;
    if (!handle)
        return -1;
    if (handle->kind == ZTL_HANDLE_FEATURES)
        return sizeof features;
    if (handle->kind != ZTL_HANDLE_FILE)
        return fail(call, ZTL_GUEST_EINVAL);
    return fstat(handle->file, &status) ? fail(call, ztl_host_guest_error(errno)) : status.st_size;
}

/* A name for each of the 256 identifiers; whether such a file exists is the guest's affair. */
static int64_t call_temporary_name(ztl_call *call)
{
    char name[16];
    if (call->host->directory < 0)
        return fail(call, ZTL_GUEST_EACCES);
    size_t size =
        (size_t)snprintf(name, sizeof name, "tmp-%03u", (unsigned)(call->argument[1] & 0xff)) + 1;
    if (call->argument[2] < size)
        return fail(call, ZTL_GUEST_EINVAL);
    return ztl_hart_write_memory(call->hart, call->argument[0], name, size) == size
               ? 0
               : fail(call, ZTL_GUEST_EFAULT);
}

static int64_t call_remove(ztl_call *call)
{
    char name[ZTL_HOST_MAX_NAME];
    return read_name(call, call->argument[0], call->argument[1], name)
               ? ztl_host_remove(call->host, name)
               : -1;
}

static int64_t call_rename(ztl_call *call)
{
    char from[ZTL_HOST_MAX_NAME], to[ZTL_HOST_MAX_NAME];
    return read_name(call, call->argument[0], call->argument[1], from) &&
                   read_name(call, call->argument[2], call->argument[3], to)
               ? ztl_host_rename(call->host, from, to)
               : -1;
}

/* Nanoseconds since the host was made. */
static uint64_t elapsed(const ztl_call *call)
{
    struct timespec now, start = call->host->start;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)(now.tv_sec - start.tv_sec) * UINT64_C(1000000000) + (uint64_t)now.tv_nsec -
           (uint64_t)start.tv_nsec;
}

static int64_t call_clock(ztl_call *call)
{
    return (int64_t)(elapsed(call) / 10000000);
}

static int64_t call_time(ztl_call *call)
{
    (void)call;
    return (int64_t)time(NULL);
}

static int64_t call_elapsed(ztl_call *call)
{
    uint64_t ticks = elapsed(call), words[] = {ticks, ticks >> 32};
    return write_words(call, call->parameter, words, word_size(call) == 4 ? 2 : 1)
               ? 0
               : fail(call, ZTL_GUEST_EFAULT);
}

static int64_t call_tick_frequency(ztl_call *call)
{
    (void)call;
    return 1000000000;
}

static int64_t call_errno(ztl_call *call)
{
    return call->host->error;
}

static int64_t call_command_line(ztl_call *call)
{
    const ztl_host_config *config = &call->host->config;
    const char *line = config->command_line ? config->command_line : "";
    size_t size = strlen(line) + 1;
    if (call->argument[1] < size) {
        if (*line && config->no_room)
            config->no_room(config->context, size, (size_t)call->argument[1]);
        return fail(call, ZTL_GUEST_EINVAL);
    }
    uint64_t words[] = {call->argument[0], size - 1};
    return ztl_hart_write_memory(call->hart, call->argument[0], line, size) == size &&
                   write_words(call, call->parameter, words, 2)
               ? 0
               : fail(call, ZTL_GUEST_EFAULT);
}

/* The heap grows up from the end of the program, the stack down from the end of that RAM. Zero
 * tells the guest to use what it was linked with. */
static int64_t call_heap_info(ztl_call *call)
{
    uint64_t words[4] = {0}, heap = (call->host->heap + 15) & ~UINT64_C(15);
    const ztl_ram *ram;
    for (size_t i = 0; call->host->heap && (ram = ztl_hart_ram(call->hart, i)); i++) {
        if (heap - ram->base >= ram->size)
            continue;
        uint64_t end = (ram->base + ram->size) & ~UINT64_C(15);
        words[0] = words[3] = heap;
        words[1] = words[2] = end;
    }
    return write_words(call, call->argument[0], words, 4) ? 0 : fail(call, ZTL_GUEST_EFAULT);
}

static int64_t leave(ztl_call *call, uint64_t reason, uint64_t code)
{
    ztl_hart_request_exit(call->hart, reason == APPLICATION_EXIT ? (int)code : 1);
    return 0;
}

/* RV32 gives the reason itself, and no code; RV64 a block of both. */
static int64_t call_exit(ztl_call *call)
{
    if (word_size(call) == 4)
        return leave(call, call->parameter, 0);
    return read_block(call, 2) ? leave(call, call->argument[0], call->argument[1])
                               : leave(call, 0, 0);
}

static int64_t call_exit_extended(ztl_call *call)
{
    return leave(call, call->argument[0], call->argument[1]);
}

static int64_t call_refused(ztl_call *call)
{
    return fail(call, ZTL_GUEST_ENOSYS);
}

/* By operation: how many words the block has, and what it does. */
static const struct {
    uint8_t arguments;
    int64_t (*perform)(ztl_call *call);
} operations[] = {
    [0x01] = {3, call_open},
    [0x02] = {1, call_close},
    [0x03] = {0, call_write_character},
    [0x04] = {0, call_write_string},
    [0x05] = {3, call_write},
    [0x06] = {3, call_read},
    [0x07] = {0, call_read_character},
    [0x08] = {1, call_is_error},
    [0x09] = {1, call_is_terminal},
    [0x0a] = {2, call_seek},
    [0x0c] = {1, call_length},
    [0x0d] = {3, call_temporary_name},
    [0x0e] = {2, call_remove},
    [0x0f] = {4, call_rename},
    [0x10] = {0, call_clock},
    [0x11] = {0, call_time},
    [0x12] = {0, call_refused}, /* SYS_SYSTEM: no commands on the host */
    [0x13] = {0, call_errno},
    [0x15] = {2, call_command_line},
    [0x16] = {1, call_heap_info},
    [0x18] = {0, call_exit},
    [0x20] = {2, call_exit_extended},
    [0x30] = {0, call_elapsed},
    [0x31] = {0, call_tick_frequency},
};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

bool ztl_host_semihost(void *context, ztl_hart *hart)
{
    ztl_call call = {.host = context, .hart = hart, .parameter = ztl_hart_x(hart, A1)};
    uint64_t operation = ztl_hart_x(hart, A0);
    int64_t result;
    if (operation >= OPERATIONS || !operations[operation].perform)
        result = call_refused(&call);
    else if (!read_block(&call, operations[operation].arguments))
        result = fail(&call, ZTL_GUEST_EFAULT);
    else
        result = operations[operation].perform(&call);
    uint64_t mask = ztl_hart_isa_of(hart)->xlen == 32 ? UINT32_MAX : UINT64_MAX;
    ztl_hart_set_x(hart, A0, (uint64_t)result & mask);
    return true;
}
