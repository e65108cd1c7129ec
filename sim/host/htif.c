/* SPDX-License-Identifier: Apache-2.0
 * HTIF: a 64-bit command stored to `tohost` (device, command, payload), answered in `fromhost`.
 */
#include "sim/host/host.h"

enum { LOW = 1, HIGH = 2, BOTH = LOW | HIGH };
enum { DEVICE_SYSTEM = 0, DEVICE_CONSOLE = 1 };
enum { CONSOLE_READ = 0, CONSOLE_WRITE = 1 };
enum { SYSCALL_WRITE = 64, SYSCALL_EXIT = 93 };

/* A program that has stored one half does not need this many instructions for the other. */
enum { PATIENCE = 100000 };

/* Linux's numbers, which the proxy's callers expect. */
enum { LINUX_EBADF = 9, LINUX_EFAULT = 14, LINUX_ENOSYS = 38 };

static uint64_t load64(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (unsigned i = 8; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static void store64(ztl_hart *hart, uint64_t address, uint64_t value)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    ztl_hart_write_memory(hart, address, bytes, sizeof bytes);
}

static void answer(ztl_host *host, ztl_hart *hart, uint64_t value)
{
    if (host->has_fromhost)
        store64(hart, host->fromhost, value);
}

/* write(fd, address, size) of a program that has only the console. */
static int64_t proxy_write(ztl_host *host, ztl_hart *hart, uint64_t fd, uint64_t address,
                           uint64_t size)
{
    if (fd != 1 && fd != 2)
        return -LINUX_EBADF;
    bool good;
    uint64_t left = ztl_host_output_memory(host, hart, fd == 2, address, size, &good);
    return good ? (int64_t)(size - left) : -LINUX_EFAULT;
}

/* The payload is the address of eight words: the number of the call and its arguments; the result
 * takes the place of the number. */
static void proxy(ztl_host *host, ztl_hart *hart, uint64_t block)
{
    uint8_t bytes[32];
    if (ztl_hart_read_memory(hart, block, bytes, sizeof bytes) < sizeof bytes)
        return;
    int64_t result = -LINUX_ENOSYS;
    switch (load64(bytes)) {
    case SYSCALL_WRITE:
        result = proxy_write(host, hart, load64(bytes + 8), load64(bytes + 16), load64(bytes + 24));
        break;
    case SYSCALL_EXIT:
        ztl_hart_request_exit(hart, (int)load64(bytes + 8));
        result = 0;
        break;
    default:
        break;
    }
    store64(hart, block, (uint64_t)result);
    answer(host, hart, 1);
}

static void console(ztl_host *host, ztl_hart *hart, unsigned command, uint8_t character)
{
    if (command == CONSOLE_WRITE)
        ztl_host_output(host, false, &character, 1);
    else if (command == CONSOLE_READ && ztl_host_input(host, &character, 1))
        answer(host, hart, (uint64_t)DEVICE_CONSOLE << 56 | 0x100 | character);
}

/* Acts on what is in tohost and empties it. True: the program has ended. */
static bool obey(ztl_host *host, ztl_hart *hart)
{
    uint8_t bytes[8];
    host->halves = 0;
    if (ztl_hart_read_memory(hart, host->tohost, bytes, sizeof bytes) < sizeof bytes)
        return false;
    uint64_t command = load64(bytes), payload = command << 16 >> 16;
    unsigned device = (unsigned)(command >> 56);
    if (!command)
        return false;
    store64(hart, host->tohost, 0);
    if (device == DEVICE_CONSOLE) {
        console(host, hart, command >> 48 & 0xff, (uint8_t)payload);
    } else if (device == DEVICE_SYSTEM && (payload & 1)) {
        host->end_value = command;
        ztl_hart_request_exit(hart, (int)(payload >> 1));
        return true;
    } else if (device == DEVICE_SYSTEM) {
        proxy(host, hart, payload);
    }
    return false;
}

/* A store of 32 bits is half a command. The second half, in either order, completes it; a program
 * that stores the low one again and again means it as it stands. */
void ztl_host_tohost(void *context, ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    ztl_host *host = context;
    (void)value;
    unsigned half = size == 8 ? BOTH : address < host->tohost + 4 ? LOW : HIGH;
    bool is_again = half == LOW && host->halves == LOW;
    host->halves |= half;
    host->half_since = ztl_hart_retired(hart);
    if (host->halves == BOTH || is_again)
        obey(host, hart);
}

bool ztl_host_poll(ztl_host *host, ztl_hart *hart)
{
    return host->halves == LOW && ztl_hart_retired(hart) - host->half_since >= PATIENCE &&
           obey(host, hart);
}
