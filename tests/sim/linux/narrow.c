/* SPDX-License-Identifier: Apache-2.0
 * A Linux program for RV32 without a library: system calls whose registers and structures differ
 * from those of RV64, and a line for each answer.
 */
#include <stddef.h>
#include <stdint.h>

static long call(long number, long a, long b, long c, long d, long e, long f)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d, a4 __asm__("a4") = e, a5 __asm__("a5") = f;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
                     : "memory");
    return a0;
}

#define CALL(n, a, b, c, d, e, f)                                                                  \
    call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

enum { CWD = -100, SIGUSR1_ = 10, SIGALRM_ = 14 };
enum {
    EPOLL_CREATE = 20,
    EPOLL_CTL = 21,
    EPOLL_PWAIT = 22,
    UNLINKAT = 35,
    FTRUNCATE = 46,
    FALLOCATE = 47,
    OPENAT = 56,
    CLOSE = 57,
    PIPE2 = 59,
    LLSEEK = 62,
    READ = 63,
    WRITE = 64,
    READV = 65,
    WRITEV = 66,
    PREAD = 67,
    PWRITE = 68,
    EXIT = 93,
    EXIT_GROUP = 94,
    SETITIMER = 103,
    KILL = 129,
    SIGALTSTACK = 132,
    SIGACTION = 134,
    SIGRETURN = 139,
    UNAME = 160,
    BRK = 214,
    MUNMAP = 215,
    MREMAP = 216,
    CLONE = 220,
    MMAP2 = 222,
    STATX = 291,
    CLOCK_GETTIME64 = 403,
    CLOCK_NANOSLEEP64 = 407,
    UTIMENSAT64 = 412,
    PSELECT64 = 413,
    PPOLL64 = 414,
    FUTEX64 = 422
};

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

static void put(const char *text)
{
    CALL(WRITE, 1, text, length_of(text), 0, 0, 0);
}

static void put_number(long value)
{
    char digits[12];
    size_t at = sizeof digits;
    unsigned long rest = value < 0 ? -(unsigned long)value : (unsigned long)value;
    digits[--at] = '\0';
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    put(value < 0 ? "-" : "");
    put(digits + at);
}

static void told(const char *what, long value)
{
    put(what);
    put(" ");
    put_number(value);
    put("\n");
}

void *memset(void *at, int value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((volatile char *)at)[i] = (char)value;
    return at;
}

void *memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

static void files(void)
{
    enum { CREATE = 0102 };
    const struct {
        const void *base;
        size_t size;
    } out[] = {{"of two ", 7}, {"pieces", 6}};
    char text[40] = "";
    int64_t place = 0;
    uint8_t status[256] = {0};
    const int64_t times[4] = {1000, 5, 2000, 999};
    long file = CALL(OPENAT, CWD, "narrow.txt", CREATE, 0644, 0, 0);
    told("open", file);
    told("writev", CALL(WRITEV, file, out, 2, 0, 0, 0));
    told("pwrite", CALL(PWRITE, file, "far", 3, 0, 1, 0)); /* behind 4 GiB */
    told("llseek", CALL(LLSEEK, file, 0, 0, &place, 2, 0));
    told("end low", (long)place);
    told("end high", (long)(place >> 32));
    told("pread", CALL(PREAD, file, text, 3, 0, 1, 0));
    put(text);
    told("ftruncate", CALL(FTRUNCATE, file, 13, 0, 0, 0, 0));
    told("fallocate", CALL(FALLOCATE, file, 0, 0, 0, 5000, 0));
    told("llseek", CALL(LLSEEK, file, 0, 3, &place, 0, 0));
    told("read", CALL(READ, file, text, 10, 0, 0, 0));
    put(text);
    told("llseek back", CALL(LLSEEK, file, -1, -4, &place, 1, 0));
    told("place", (long)place);
    told("utimensat", CALL(UTIMENSAT64, CWD, "narrow.txt", times, 0, 0, 0));
    told("statx", CALL(STATX, file, "", 0x1000, 0x7ff, status, 0));
    told("size", *(int32_t *)(status + 40));
    told("time", *(int32_t *)(status + 112));
    char *mapped = (char *)CALL(MMAP2, 0, 8192, 1, 2, file, 0);
    told("mapped", (unsigned long)mapped < -4096ul && mapped[3] == 't');
    char *second = (char *)CALL(MMAP2, 0, 4096, 1, 2, file, 1);
    told("second page", (unsigned long)second < -4096ul && second[0] == 0);
    told("unmap", CALL(MUNMAP, mapped, 8192, 0, 0, 0, 0));
    told("close", CALL(CLOSE, file, 0, 0, 0, 0, 0));
    told("unlink", CALL(UNLINKAT, CWD, "narrow.txt", 0, 0, 0, 0));
}

static void memory(void)
{
    char *top = (char *)CALL(BRK, 0, 0, 0, 0, 0, 0);
    told("brk", CALL(BRK, top + 100000, 0, 0, 0, 0, 0) == (long)(top + 100000));
    top[99999] = 1;
    char *some = (char *)CALL(MMAP2, 0, 10000, 3, 0x22, -1, 0);
    some[9999] = 7;
    some = (char *)CALL(MREMAP, some, 10000, 1000000, 1, 0, 0);
    told("moved", some[9999]);
    told("too large", CALL(MMAP2, 0, 0xf0000000, 3, 0x22, -1, 0));
    told("bad", CALL(WRITE, 1, 16, 5, 0, 0, 0));
}

typedef struct action {
    void (*handler)(int, int32_t *, uint8_t *);
    unsigned long flags;
    uint64_t mask;
} action;

static volatile int seen, blocked;
static volatile double kept;

static void on_signal(int signal, int32_t *info, uint8_t *context)
{
    seen = signal * 1000 + info[2] + 100;
    blocked = context[20 + 1]; /* the mask of before */
    kept = 0;
    __asm__ volatile("li s2, 5\n" : : : "s2");
}

static void signals(void)
{
    enum { SIGINFO = 4, ONSTACK = 0x08000000 };
    static char stack[16384];
    const struct {
        void *base;
        int flags;
        size_t size;
    } fresh = {stack, 0, sizeof stack};
    action mine = {on_signal, SIGINFO | ONSTACK, 0}, old;
    told("sigaction", CALL(SIGACTION, SIGUSR1_, &mine, 0, 8, 0, 0));
    told("sigaltstack", CALL(SIGALTSTACK, &fresh, 0, 0, 0, 0, 0));
    register long kept_register __asm__("s2") = 77;
    __asm__ volatile("" : "+r"(kept_register));
    told("kill", CALL(KILL, CALL(172, 0, 0, 0, 0, 0, 0), SIGUSR1_, 0, 0, 0, 0));
    __asm__ volatile("" : "+r"(kept_register));
    told("seen", seen);
    told("kept", kept_register);
    told("sigaction", CALL(SIGACTION, SIGUSR1_, 0, &old, 8, 0, 0));
    told("the same", old.handler == mine.handler && old.flags == mine.flags);
    told("sigaction", CALL(SIGACTION, SIGALRM_, &mine, 0, 8, 0, 0));
    const long soon[4] = {0, 0, 0, 1000};
    told("setitimer", CALL(SETITIMER, 0, soon, 0, 0, 0, 0));
    told("ppoll", CALL(PPOLL64, 0, 0, 0, 0, 8, 0));
    told("seen", seen / 1000);
}

static void waits(void)
{
    int ends[2];
    const int64_t some[2] = {0, 1000000}, none[2] = {0, 0};
    int64_t before[2], after[2];
    told("time", CALL(CLOCK_GETTIME64, 1, before, 0, 0, 0, 0));
    told("sleep", CALL(CLOCK_NANOSLEEP64, 1, 0, some, 0, 0, 0));
    told("time", CALL(CLOCK_GETTIME64, 1, after, 0, 0, 0, 0));
    told("later", after[0] > before[0] || after[1] >= before[1] + 1000000);
    told("pipe", CALL(PIPE2, ends, 0, 0, 0, 0, 0));
    struct {
        int file;
        short events, found;
    } list[] = {{ends[0], 1, 0}, {ends[1], 4, 0}};
    told("ppoll", CALL(PPOLL64, list, 2, none, 0, 8, 0));
    told("found", list[0].found * 100 + list[1].found);
    told("write", CALL(WRITE, ends[1], "hello", 5, 0, 0, 0));
    unsigned long set[2] = {1ul << ends[0], 0};
    told("pselect", CALL(PSELECT64, ends[0] + 1, set, 0, 0, none, 0));
    told("found", set[0] == 1ul << ends[0]);
    long epoll = CALL(EPOLL_CREATE, 0, 0, 0, 0, 0, 0);
    struct {
        uint32_t events;
        uint64_t data;
    } event = {1, 0x123456789}, found = {0, 0};
    told("epoll", CALL(EPOLL_CTL, epoll, 1, ends[0], &event, 0, 0));
    told("epoll", CALL(EPOLL_PWAIT, epoll, &found, 1, -1, 0, 8));
    told("found", found.data == event.data);
}

static volatile int word, answer;

static void other(void)
{
    const int64_t some[2] = {0, 2000000};
    CALL(CLOCK_NANOSLEEP64, 1, 0, some, 0, 0, 0);
    answer = 42;
    word = 1;
    CALL(FUTEX64, &word, 1, 1, 0, 0, 0);
    CALL(EXIT, 0, 0, 0, 0, 0, 0);
}

static void threads(void)
{
    static char stack[16384] __attribute__((aligned(16)));
    enum { FLAGS = 0x50f00 };
    const int64_t some[2] = {0, 1000};
    long made = -1;
    register long a0 __asm__("a0") = FLAGS, a7 __asm__("a7") = CLONE;
    register char *a1 __asm__("a1") = stack + sizeof stack;
    register void (*s1)(void) __asm__("s1") = other;
    register long a2 __asm__("a2") = 0, a3 __asm__("a3") = 0, a4 __asm__("a4") = 0;
    __asm__ volatile("ecall\n\tbnez a0, 1f\n\tjalr s1\n1:"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7), "r"(s1)
                     : "memory", "ra");
    made = a0;
    told("made", made > 0);
    told("too soon", CALL(FUTEX64, &word, 0, 0, some, 0, 0));
    while (!word)
        CALL(FUTEX64, &word, 0, 0, 0, 0, 0);
    told("answer", answer);
}

void begin(const unsigned long *stack)
{
    char names[6 * 65];
    told("arguments", (long)stack[0]);
    for (unsigned long i = 1; i < stack[0]; i++)
        put((const char *)stack[1 + i]);
    const unsigned long *at = stack + 1 + stack[0] + 1;
    while (*at++)
        ;
    for (; at[0]; at += 2)
        if (at[0] == 6 || at[0] == 4)
            told("auxiliary", (long)at[1]);
    told("aligned", (unsigned long)stack % 16 == 0);
    told("uname", CALL(UNAME, names, 0, 0, 0, 0, 0));
    put(names + 4 * 65);
    files();
    memory();
    signals();
    waits();
    threads();
    CALL(EXIT_GROUP, 9, 0, 0, 0, 0, 0);
}

__asm__(".globl _start\n_start:\n\tmv a0, sp\n\tcall begin\n");
