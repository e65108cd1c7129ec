/* SPDX-License-Identifier: Apache-2.0
 * A Linux program without a library, for a hart without floats: makes system calls, good and bad
 * ones, and prints a line for each. What QEMU answers too is printed by both; the rest ("confined")
 * only with an argument.
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

#define CALL(n, a, b, c, d) call(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

enum { CWD = -100, CREATE = 0100, EXCLUSIVE = 0200, TRUNCATE = 01000, APPEND = 02000 };
enum { DIRECTORY = 0200000, READ_WRITE = 2, GET_FLAGS = 3, SET_FLAGS = 4 };
enum {
    GETCWD = 17,
    DUP = 23,
    DUP3 = 24,
    FCNTL = 25,
    IOCTL = 29,
    MKDIRAT = 34,
    UNLINKAT = 35,
    FTRUNCATE = 46,
    FACCESSAT = 48,
    CHDIR = 49,
    OPENAT = 56,
    CLOSE = 57,
    GETDENTS = 61,
    LSEEK = 62,
    READ = 63,
    WRITE = 64,
    READV = 65,
    WRITEV = 66,
    PREAD = 67,
    PWRITE = 68,
    READLINKAT = 78,
    FSTATAT = 79,
    FSTAT = 80,
    EXIT_GROUP = 94,
    FUTEX = 98,
    NANOSLEEP = 101,
    CLOCK_GETTIME = 113,
    TGKILL = 131,
    SIGACTION = 134,
    SIGPROCMASK = 135,
    SIGPENDING = 136,
    SIGALTSTACK = 132,
    UNAME = 160,
    GETTIMEOFDAY = 169,
    BRK = 214,
    MUNMAP = 215,
    MREMAP = 216,
    CLONE = 220,
    MMAP = 222,
    MPROTECT = 226,
    MSYNC = 227,
    MADVISE = 233,
    PRLIMIT = 261,
    RENAMEAT2 = 276,
    GETRANDOM = 278,
    STATX = 291
};

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static void print(const char *text)
{
    CALL(WRITE, 1, text, length(text), 0);
}

static void show(const char *what, long value)
{
    char digits[24], *at = digits + sizeof digits - 1;
    unsigned long rest = value < 0 ? -(unsigned long)value : (unsigned long)value;
    *at = '\0';
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    print(what);
    print(" ");
    print(at);
    print("\n");
}

/* Addresses differ between machines; that there is one does not. */
static void show_address(const char *what, long value)
{
    show(what, value > 0 && value % 4096 == 0 ? 1 : value);
}

static char buffer[8192] __attribute__((aligned(4096)));
static const char fixed[] = "fixed";

static const long wild[] = {0, 8, -1, -8, -4096, 0x7fffffffffffffff, 1L << 62, 0x123456789000};
enum { WILD = sizeof wild / sizeof wild[0] };

/* Every call that takes a pointer, with each wild one. */
static void try_wild_pointers(void)
{
    char name[] = "pointer 0";
    for (unsigned i = 0; i < WILD; i++, name[8]++) {
        long p = wild[i];
        print(name);
        print("\n");
        show("write", CALL(WRITE, 1, p, 8, 0));
        show("writev", CALL(WRITEV, 1, p, 1, 0));
        show("openat", CALL(OPENAT, CWD, p, 0, 0));
        show("fstat", CALL(FSTAT, 1, p, 0, 0));
        show("fstatat", CALL(FSTATAT, CWD, p, buffer, 0));
        show("readlinkat", CALL(READLINKAT, CWD, p, buffer, 100));
        show("uname", CALL(UNAME, p, 0, 0, 0));
        show("clock_gettime", CALL(CLOCK_GETTIME, 1, p, 0, 0));
        show("getrandom", CALL(GETRANDOM, p, 8, 0, 0));
        if (p) {
            show("sigaction", CALL(SIGACTION, 10, p, 0, 8));
            show("sigprocmask", CALL(SIGPROCMASK, 0, p, 0, 8));
            show("sigpending", CALL(SIGPENDING, p, 8, 0, 0));
            show("sigaltstack", CALL(SIGALTSTACK, p, 0, 0, 0));
            show("sigaltstack", CALL(SIGALTSTACK, 0, p, 0, 0));
            show("prlimit", CALL(PRLIMIT, 0, 3, 0, p));
        }
    }
    show("random to constants", CALL(GETRANDOM, fixed, 4, 0, 0));
    show("write across the end", CALL(UNAME, buffer + sizeof buffer + (1 << 20), 0, 0, 0));
}

static void try_bad_numbers(void)
{
    static const long files[] = {-1, 77, 1000000, 0x100000001};
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
        show("read", CALL(READ, files[i], buffer, 8, 0) < 0);
        show("close", i < 3 ? CALL(CLOSE, files[i], 0, 0, 0) : -9);
        show("fstat", i < 3 ? CALL(FSTAT, files[i], buffer, 0, 0) : -9);
        show("lseek", i < 3 ? CALL(LSEEK, files[i], 0, 0, 0) : -9);
    }
    show("terminal", CALL(IOCTL, 1, 0x5401, buffer, 0));
    show("clock", CALL(CLOCK_GETTIME, 99, buffer, 0, 0));
    show("signal 0", CALL(SIGACTION, 0, 0, 0, 8));
    show("signal 65", CALL(SIGACTION, 65, 0, 0, 8));
    show("set of 4", CALL(SIGACTION, 10, 0, 0, 4));
    show("pending of 16", CALL(SIGPENDING, buffer, 16, 0, 0));
    show("dup", CALL(DUP, 77, 0, 0, 0));
    show("dup3 of itself", CALL(DUP3, 1, 1, 0, 0));
}

static void fill(char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)i;
}

static void try_memory(void)
{
    long start = CALL(BRK, 0, 0, 0, 0), a, b;
    show("brk grows", CALL(BRK, start + 100000, 0, 0, 0) - start);
    fill((char *)start, 100000);
    show("brk shrinks", CALL(BRK, start + 5000, 0, 0, 0) - start);
    show("brk below", CALL(BRK, start - 1000000, 0, 0, 0) - start);
    CALL(BRK, start + 100000, 0, 0, 0);
    show("fresh again", ((char *)start)[50000]);
    show_address("mmap", a = call(MMAP, 0, 65536, 3, 0x22, -1, 0));
    fill((char *)a, 65536);
    show("mprotect", CALL(MPROTECT, a, 4096, 1, 0));
    show("to what is fixed", CALL(GETRANDOM, a, 8, 0, 0));
    show("from it", CALL(WRITE, 1, "", 0, 0));
    show("mprotect of nothing", CALL(MPROTECT, 0x1000, 4096, 1, 0));
    show("mprotect, odd", CALL(MPROTECT, a + 1, 4096, 1, 0));
    show("mremap of two kinds", CALL(MREMAP, a, 65536, 1 << 20, 1));
    CALL(MPROTECT, a, 4096, 3, 0);
    show_address("mremap", b = CALL(MREMAP, a, 65536, 1 << 20, 1));
    show("moved", ((unsigned char *)b)[4321]);
    show("new is zero", ((unsigned char *)b)[65536]);
    show("munmap", CALL(MUNMAP, b, 1 << 20, 0, 0));
    show("of unmapped", CALL(UNAME, b, 0, 0, 0));
    show("munmap of nothing", CALL(MUNMAP, b, 0, 0, 0));
    show("mmap of nothing", call(MMAP, 0, 0, 3, 0x22, -1, 0));
    show("mmap of far too much", call(MMAP, 0, 1L << 62, 3, 0x22, -1, 0));
    show("mmap of all", call(MMAP, 0, -4096, 3, 0x22, -1, 0));
    show("mmap, neither private nor shared", call(MMAP, 0, 4096, 3, 0x20, -1, 0));
    show("mmap of no file", call(MMAP, 0, 4096, 3, 2, 77, 0));
    show("mmap, odd", call(MMAP, 0x20001, 4096, 3, 0x32, -1, 0));
    show_address("mmap", a = call(MMAP, 0, 8192, 3, 0x22, -1, 0));
    *(char *)a = 1;
    show("given back", CALL(MADVISE, a, 4096, 4, 0));
    show("reads as", *(char *)a);
}

/* Sizes near 2^64, some of which are whole pages once rounded up, and others that no memory has. */
static void try_huge_sizes(void)
{
    static const long huge[] = {-1,      -4095, -4096, -8192, (long)(1ul << 63), 0x7fffffffffffffff,
                                1L << 62};
    long a = call(MMAP, 0, 16384, 3, 0x22, -1, 0), f = CALL(OPENAT, CWD, "data", 0, 0);
    struct piece {
        const void *base;
        size_t size;
    } pieces[] = {{"not moved\n", 10}, {buffer, 0}};
    for (unsigned i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        show("size", huge[i]);
        show("mremap", CALL(MREMAP, a, 4096, huge[i], 1));
        show("mremap in place", CALL(MREMAP, a, 4096, huge[i], 0));
        show("mremap of it", CALL(MREMAP, a, huge[i], 4096, 1));
        show("mremap of it to it", CALL(MREMAP, a, huge[i], huge[i], 1));
        show("munmap", CALL(MUNMAP, a, huge[i], 0, 0));
        show("mprotect", CALL(MPROTECT, a, huge[i], 3, 0));
        show("madvise", CALL(MADVISE, a, huge[i], 4, 0));
        show("msync", CALL(MSYNC, a, huge[i], 4, 0));
        show("mmap", call(MMAP, 0, huge[i], 3, 0x22, -1, 0));
        show("mmap there", call(MMAP, a, huge[i], 3, 0x32, -1, 0));
        show("mmap there if free", call(MMAP, a, huge[i], 3, 0x100022, -1, 0));
        show("mmap of a file", call(MMAP, 0, huge[i], 1, 2, f, 0));
        show_address("mmap of a file from", call(MMAP, 0, 8192, 1, 2, f, huge[i] & -4096));
        show("brk", CALL(BRK, huge[i], 0, 0, 0) == CALL(BRK, 0, 0, 0, 0));
        show("read", CALL(READ, f, buffer, huge[i], 0));
        show("pread", CALL(PREAD, f, buffer, huge[i], 0));
        show("pread from", CALL(PREAD, f, buffer, 4, huge[i]));
        show("write", CALL(WRITE, 1, buffer, huge[i], 0));
        pieces[1].size = (size_t)huge[i];
        show("writev", CALL(WRITEV, 1, pieces, 2, 0));
        show("writev of so many", CALL(WRITEV, 1, pieces, huge[i], 0));
        show("readlinkat", CALL(READLINKAT, CWD, "link", buffer, huge[i]));
        show("getcwd", CALL(GETCWD, a, huge[i], 0, 0) > 0);
        show("sigpending", CALL(SIGPENDING, a, huge[i], 0, 0));
        show("ftruncate", CALL(FTRUNCATE, f, huge[i], 0, 0));
        show("all is there", CALL(MPROTECT, a, 16384, 3, 0));
    }
    show("mremap, odd", CALL(MREMAP, a + 1, 4096, 8192, 1));
    show("mremap, odd to all", CALL(MREMAP, a + 1, 4096, -1, 1));
    show("madvise of nothing", CALL(MADVISE, a, 0, 0, 0));
    show("msync, odd", CALL(MSYNC, a + 1, 4096, 4, 0));
    show("read to the top", CALL(READ, f, -8, 4, 0));
}

static void try_time(void)
{
    int64_t t[2] = {0, 20000000}, before[2], after[2];
    show("clock", CALL(CLOCK_GETTIME, 1, before, 0, 0));
    show("sleep", CALL(NANOSLEEP, t, 0, 0, 0));
    CALL(CLOCK_GETTIME, 1, after, 0, 0);
    int64_t passed = (after[0] - before[0]) * 1000000000 + after[1] - before[1];
    show("slept", passed >= 20000000);
    t[1] = 1000000000;
    show("too many nanoseconds", CALL(NANOSLEEP, t, 0, 0, 0));
    t[0] = -1, t[1] = 0;
    show("negative", CALL(NANOSLEEP, t, 0, 0, 0));
    uint32_t word = 5;
    show("futex of another value", CALL(FUTEX, &word, 128, 6, 0));
    show("futex wakes", CALL(FUTEX, &word, 129, 1, 0));
    show("futex, odd", CALL(FUTEX, (char *)&word + 1, 128, 6, 0));
}

/* In the directory: there are "data" with "hello, file\n" and a directory "sub". */
static void try_files(void)
{
    struct piece {
        const void *base;
        size_t size;
    } pieces[] = {{"one ", 4}, {"", 0}, {"two", 3}}, wrong[] = {{"ab", 2}, {(void *)8, 8}};
    long f = CALL(OPENAT, CWD, "data", 0, 0), g;
    show("open", f);
    show("read", CALL(READ, f, buffer, 5, 0));
    CALL(WRITE, 1, buffer, 5, 0);
    show(" rest, huge", CALL(READ, f, buffer, sizeof buffer, 0));
    show("at the end", CALL(READ, f, buffer, 10, 0));
    show("pread", CALL(PREAD, f, buffer, 4, 7));
    show("pread at -1", CALL(PREAD, f, buffer, 4, -1));
    show("lseek", CALL(LSEEK, f, -5, 2, 0));
    show("lseek before", CALL(LSEEK, f, -500, 1, 0));
    show("lseek how", CALL(LSEEK, f, 0, 99, 0));
    show("write to it", CALL(WRITE, f, buffer, 1, 0));
    show("flags", CALL(FCNTL, f, GET_FLAGS, 0, 0) & 3);
    show("is a directory", CALL(GETDENTS, f, buffer, 1000, 0));
    show_address("mapped", g = call(MMAP, 0, 100, 1, 2, f, 0));
    show("first byte", g > 0 ? *(char *)g : -1);
    show("past the end", g > 0 ? ((char *)g)[50] : -1);
    show("close", CALL(CLOSE, f, 0, 0, 0));
    show("close again", CALL(CLOSE, f, 0, 0, 0));
    show("create", f = CALL(OPENAT, CWD, "sub/new", CREATE | EXCLUSIVE | READ_WRITE, 0644));
    show("create again", CALL(OPENAT, CWD, "sub/new", CREATE | EXCLUSIVE | READ_WRITE, 0644));
    show("writev", CALL(WRITEV, f, pieces, 3, 0));
    show("writev, wrong", CALL(WRITEV, f, wrong, 2, 0));
    show("writev of too many", CALL(WRITEV, f, pieces, 5000, 0));
    show("pwrite", CALL(PWRITE, f, "X", 1, 20));
    show("dup", g = CALL(DUP, f, 0, 0, 0));
    show("append", CALL(FCNTL, f, SET_FLAGS, APPEND, 0));
    show("the other too", CALL(FCNTL, g, GET_FLAGS, 0, 0) & (APPEND | 3));
    CALL(LSEEK, g, 0, 0, 0);
    show("at the end", CALL(WRITE, g, "end", 3, 0));
    show("which is", CALL(LSEEK, g, 0, 1, 0));
    show("no more", CALL(FCNTL, g, SET_FLAGS, 0, 0));
    show("flags", CALL(FCNTL, f, GET_FLAGS, 0, 0) & (APPEND | 3));
    CALL(LSEEK, f, 3, 0, 0);
    show("shares the place", CALL(LSEEK, g, 0, 1, 0));
    show("truncate", CALL(FTRUNCATE, f, 6, 0, 0));
    CALL(CLOSE, f, 0, 0, 0);
    show("fstat", CALL(FSTAT, g, buffer, 0, 0));
    show("mode", *(uint32_t *)(buffer + 16));
    show("size", *(int64_t *)(buffer + 48));
    CALL(CLOSE, g, 0, 0, 0);
    show("stat of sub", CALL(FSTATAT, CWD, "sub", buffer, 0));
    show("kind", *(uint32_t *)(buffer + 16) >> 12);
    show("statx", call(STATX, CWD, (long)"sub/new", 0, 0x7ff, (long)buffer, 0));
    show("size", *(int64_t *)(buffer + 40));
    show("access", CALL(FACCESSAT, CWD, "data", 4, 0));
    show("no access", CALL(FACCESSAT, CWD, "nothing", 0, 0));
    show("directory", f = CALL(OPENAT, CWD, "sub", DIRECTORY, 0));
    show("in it", g = CALL(OPENAT, f, "new", 0, 0));
    show("read a directory", CALL(READ, f, buffer, 10, 0));
    show("entries", CALL(GETDENTS, f, buffer, sizeof buffer, 0) > 0);
    show("no more", CALL(GETDENTS, f, buffer, sizeof buffer, 0));
    show("from a file", CALL(OPENAT, g, "new", 0, 0));
    show("a file's file", CALL(OPENAT, CWD, "data/x", 0, 0));
    show("file as a directory", CALL(OPENAT, CWD, "data/", 0, 0));
    show("and a dot", CALL(OPENAT, CWD, "data/.", 0, 0));
    show("stat of it", CALL(FSTATAT, CWD, "data/", buffer, 0));
    show("unlink it", CALL(UNLINKAT, CWD, "data/", 0, 0));
    show("directory with a slash", CALL(FSTATAT, CWD, "sub//", buffer, 0));
    show("and a dot", CALL(FSTATAT, CWD, "sub/.", buffer, 0));
    show("create with a slash", CALL(OPENAT, CWD, "sub/fresh/", CREATE | READ_WRITE, 0644));
    show("root", CALL(FSTATAT, CWD, "/", buffer, 0));
    show("mkdir", CALL(MKDIRAT, CWD, "sub/deep", 0755, 0));
    show("mkdir again", CALL(MKDIRAT, CWD, "sub/deep", 0755, 0));
    show("rename", call(RENAMEAT2, CWD, (long)"sub/new", CWD, (long)"sub/deep/old", 0, 0));
    show("not empty", CALL(UNLINKAT, CWD, "sub/deep", 0x200, 0));
    show("unlink a directory", CALL(UNLINKAT, CWD, "sub/deep", 0, 0) < 0);
    show("unlink", CALL(UNLINKAT, CWD, "sub/./deep/../deep/old", 0, 0));
    show("rmdir", CALL(UNLINKAT, CWD, "sub/deep", 0x200, 0));
    show("unlink nothing", CALL(UNLINKAT, CWD, "sub/new", 0, 0));
    show("empty name", CALL(OPENAT, CWD, "", 0, 0));
    show("link, as it is", CALL(READLINKAT, CWD, "link", buffer, 3));
    show("too long", CALL(OPENAT, CWD, buffer + 100, 0, 0) < 0);
}

/* What only a confined process is refused. */
static void try_to_leave(void)
{
    static const char *const names[] = {
        "../secret", "sub/../../secret", "/../secret", "/etc/passwd",
        "link",      "away/secret",      "sub/link",   "pipe"};
    char cwd[100];
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        print(names[i]);
        print("\n");
        show("open", CALL(OPENAT, CWD, names[i], 0, 0));
        show("write", CALL(OPENAT, CWD, names[i], CREATE | TRUNCATE | READ_WRITE, 0666) < 0);
        show("stat", CALL(FSTATAT, CWD, names[i], buffer, 0) < 0 || i == 7);
        show("unlink", i == 4 || i > 5 ? -1 : CALL(UNLINKAT, CWD, names[i], 0, 0));
        show("mkdir", CALL(MKDIRAT, CWD, names[i], 0777, 0) < 0);
        show("rename", call(RENAMEAT2, CWD, (long)"data", CWD, (long)names[i], 0, 0) < 0 || i > 3);
        show("back", call(RENAMEAT2, CWD, (long)names[i], CWD, (long)"data", 0, 0) < 0 || i > 3);
    }
    show("cwd", CALL(GETCWD, cwd, sizeof cwd, 0, 0));
    print(cwd);
    show(" chdir", CALL(CHDIR, "sub", 0, 0, 0));
    show("cwd", CALL(GETCWD, cwd, sizeof cwd, 0, 0));
    print(cwd);
    show(" out", CALL(CHDIR, "../..", 0, 0, 0));
    show("shared", call(MMAP, 0, 4096, 3, 1, 0, 0));
    for (long i = 0; i < 3; i++)
        show("clone", CALL(CLONE, 0x100, 0, 0, 0));
    for (long i = 0; i < 2; i++) {
        show("unknown", CALL(5000, 0, 0, 0, 0));
        show("another", CALL(6000, 0, 0, 0, 0));
        show("none", CALL(-1, 0, 0, 0, 0));
        show("the first", CALL(0, 0, 0, 0, 0));
    }
    char *three = (char *)call(MMAP, 0, 3 * 4096, 3, 0x22, -1, 0);
    three[4096] = 7;
    for (long i = 0; i < 20000; i++) /* more pieces than there can be */
        if (call(MMAP, 0x10000000 + 8192 * i, 4096, 3, 0x32, -1, 0) < 0) {
            show("pieces end", 1);
            break;
        }
    show("no hole can be made", CALL(MUNMAP, three + 4096, 4096, 0, 0));
    show("so all is there", three[4096]);
}

__attribute__((used)) static long run(const long *stack)
{
    const char *const *argument = (const char *const *)(stack + 1);
    show("arguments", stack[0]);
    if (stack[0] < 2)
        return 1;
    switch (argument[1][0]) {
    case 'p':
        try_wild_pointers();
        try_bad_numbers();
        break;
    case 'm':
        try_memory();
        try_time();
        break;
    case 'h':
        try_huge_sizes();
        break;
    case 'f':
        try_files();
        break;
    case 'l':
        try_to_leave();
        break;
    case 'e': {
        const char *const *variable = argument + stack[0] + 1;
        for (; *variable; variable++) {
            print(*variable);
            print("\n");
        }
        break;
    }
    case 'g': { /* a file as large as it may be */
        long f = CALL(OPENAT, CWD, "large", CREATE | READ_WRITE, 0644), size = 0, got;
        while ((got = CALL(WRITE, f, buffer, sizeof buffer, 0)) > 0 && size < 1 << 20)
            size += got;
        show("size", size);
        show("then", got);
        show("truncate", CALL(FTRUNCATE, f, 1 << 20, 0, 0));
        break;
    }
    case 's': /* dies of a store to what is fixed */
        *(volatile char *)fixed = 1;
        break;
    case 'n':
        return *(volatile long *)8;
    case 'j':
        ((void (*)(void))buffer)();
        break;
    case 'a':
        CALL(TGKILL, CALL(172, 0, 0, 0, 0), CALL(178, 0, 0, 0, 0), 6, 0);
        break;
    default:
        return 77;
    }
    return 0;
}

__attribute__((naked)) void _start(void)
{
    __asm__("mv a0, sp\n"
            "andi sp, sp, -16\n"
            "call run\n"
            "li a7, 94\n"
            "ecall\n");
}
