/* SPDX-License-Identifier: Apache-2.0
 * What a process asks about itself and its machine: the same answers on every host.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/linux/process.h"

int64_t ztl_linux_exit_group(ztl_linux *l, const uint64_t *a)
{
    ztl_hart_request_exit(l->hart, (int)(a[0] & 0xff));
    return 0;
}

#define CONSTANT(name, value)                                                                      \
    int64_t ztl_linux_##name(ztl_linux *l, const uint64_t *a)                                      \
    {                                                                                              \
        (void)l;                                                                                   \
        (void)a;                                                                                   \
        return value;                                                                              \
    }
CONSTANT(getpid, PROCESS)
CONSTANT(getppid, 1)
CONSTANT(getpgid, PROCESS)
CONSTANT(getsid, PROCESS)
CONSTANT(getuid, USER)
CONSTANT(geteuid, USER)
CONSTANT(getgid, USER)
CONSTANT(getegid, USER)
CONSTANT(socket, -EAFNOSUPPORT) /* of no family: C libraries ask for one, and do without */
CONSTANT(set_robust_list, 0)
CONSTANT(riscv_flush_icache, 0) /* the hart sees that code changes */

int64_t ztl_linux_uname(ztl_linux *l, const uint64_t *a)
{
    enum { FIELD = 65 };
    static const char *const texts[] = {"Linux", "ztl", "6.1.0", "#1", "riscv64", "(none)"};
    char bytes[6 * FIELD] = {0};
    const size_t machine = 4;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        strcpy(bytes + FIELD * i, texts[i]);
    if (word_size(l) == 4)
        strcpy(bytes + FIELD * machine, "riscv32");
    return ztl_linux_put(l, a[0], bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_sysinfo(ztl_linux *l, const uint64_t *a)
{
    uint8_t bytes[112] = {0};
    uint64_t used = 0;
    for (size_t i = 0; i < l->map.count; i++)
        used += l->mapping[i].end - l->mapping[i].start;
    put64(bytes, ztl_linux_running(l) / 1000000000);
    put64(bytes + 32, l->space.size);
    put64(bytes + 40, l->space.size - used);
    bytes[80] = 1; /* process */
    put32(bytes + 104, 1);
    return ztl_linux_put(l, a[0], bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_getrandom(ztl_linux *l, const uint64_t *a)
{
    uint64_t size = a[1] < INT32_MAX ? a[1] : INT32_MAX, done = 0;
    while (done < size && !ztl_hart_stop_requested(l->hart)) {
        uint8_t bytes[8];
        uint64_t left = size - done, now = left < sizeof bytes ? left : sizeof bytes;
        put64(bytes, ztl_linux_random(l));
        if (!ztl_linux_put(l, a[0] + done, bytes, now))
            return done ? (int64_t)done : -EFAULT;
        done += now;
    }
    return (int64_t)done;
}

int64_t ztl_linux_prlimit64(ztl_linux *l, const uint64_t *a)
{
    enum { DATA = 2, STACK = 3, FILES = 7, SPACE = 9, RESOURCES = 16 };
    uint8_t bytes[16];
    uint64_t limit = UINT64_MAX;
    if (a[1] >= RESOURCES)
        return -EINVAL;
    if (a[0] && a[0] != PROCESS)
        return -ESRCH;
    if (a[2])
        return -EPERM;
    if (a[1] == STACK)
        limit = STACK_SIZE;
    else if (a[1] == FILES)
        limit = MAX_FILES;
    else if (a[1] == SPACE || a[1] == DATA)
        limit = l->space.size;
    put64(bytes, limit);
    put64(bytes + 8, limit);
    return !a[3] || ztl_linux_put(l, a[3], bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_getrlimit(ztl_linux *l, const uint64_t *a)
{
    const uint64_t as[] = {0, a[0], 0, a[1]};
    return ztl_linux_prlimit64(l, as);
}

int64_t ztl_linux_sched_getaffinity(ztl_linux *l, const uint64_t *a)
{
    uint8_t bytes[8];
    put64(bytes, 1);
    if (a[1] < sizeof bytes || a[1] % sizeof bytes)
        return -EINVAL;
    return ztl_linux_put(l, a[2], bytes, sizeof bytes) ? (int64_t)sizeof bytes : -EFAULT;
}

int64_t ztl_linux_getcpu(ztl_linux *l, const uint64_t *a)
{
    const uint8_t zero[4] = {0};
    for (unsigned i = 0; i < 2; i++)
        if (a[i] && !ztl_linux_put(l, a[i], zero, sizeof zero))
            return -EFAULT;
    return 0;
}

int64_t ztl_linux_prctl(ztl_linux *l, const uint64_t *a)
{
    enum { SET_NAME = 15 };
    (void)l;
    return a[0] == SET_NAME ? 0 : -EINVAL;
}

/* What the hart can do, by keys. */
static bool probe(const ztl_linux *l, uint64_t key, uint64_t *value)
{
    enum { VENDOR, ARCHITECTURE, IMPLEMENTATION, BASE, EXTENSIONS, MISALIGNED };
    enum { BASE_IMA = 1, HAS_FD = 1, HAS_C = 2, HAS_ZBA = 8, HAS_ZBB = 16, IS_FAST = 3 };
    uint64_t letters = ztl_linux_letters(l);
    unsigned parts = l->hart->isa.extensions;
    *value = 0;
    switch (key) {
    case BASE:
        *value = BASE_IMA;
        return true;
    case EXTENSIONS:
        *value = (letters >> ('d' - 'a') & 1 ? HAS_FD : 0) | (parts & ZTL_EXT_C ? HAS_C : 0) |
                 (parts & ZTL_EXT_ZBA ? HAS_ZBA : 0) | (parts & ZTL_EXT_ZBB ? HAS_ZBB : 0);
        return true;
    case MISALIGNED:
        *value = IS_FAST;
        return true;
    default:
        return key <= IMPLEMENTATION;
    }
}

int64_t ztl_linux_riscv_hwprobe(ztl_linux *l, const uint64_t *a)
{
    if (a[4])
        return -EINVAL;
    for (uint64_t i = 0; i < a[1] && !ztl_hart_stop_requested(l->hart); i++) {
        uint8_t pair[16];
        uint64_t value;
        if (!ztl_linux_get(l, a[0] + 16 * i, pair, sizeof pair))
            return -EFAULT;
        if (!probe(l, get64(pair), &value))
            put64(pair, UINT64_MAX);
        put64(pair + 8, value);
        if (!ztl_linux_put(l, a[0] + 16 * i, pair, sizeof pair))
            return -EFAULT;
    }
    return 0;
}
