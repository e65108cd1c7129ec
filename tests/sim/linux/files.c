/* SPDX-License-Identifier: Apache-2.0
 * What programs do with files beside reading and writing them; a line for each answer. Numbers that
 * differ from host to host, such as those of files, are not printed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void told(const char *what, long result)
{
    printf("%s %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
    errno = 0;
}

#define TELL(call) told(#call, (long)(call))

static void show(const char *name)
{
    struct stat s;
    if (lstat(name, &s)) {
        told(name, -1);
        return;
    }
    printf("%s mode %o links %d size %lld times %lld.%09ld %lld\n", name, (unsigned)s.st_mode,
           S_ISDIR(s.st_mode) ? 0 : (int)s.st_nlink, S_ISDIR(s.st_mode) ? 0 : (long long)s.st_size,
           s.st_mtim.tv_sec < 2000 ? (long long)s.st_mtim.tv_sec : 0,
           s.st_mtim.tv_sec < 2000 ? s.st_mtim.tv_nsec : 0,
           s.st_atim.tv_sec < 2000 ? (long long)s.st_atim.tv_sec : 0);
}

static void make(const char *name, const char *text)
{
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    TELL(write(file, text, strlen(text)));
    close(file);
}

static void print_file(const char *name)
{
    char bytes[100] = "";
    int file = open(name, O_RDONLY);
    told(name, file < 0 ? -1 : read(file, bytes, sizeof bytes - 1));
    puts(bytes);
    close(file);
}

static void rights_and_times(void)
{
    const struct timespec both[] = {{1000, 5}, {1500, 123456789}};
    const struct timespec one[] = {{0, UTIME_OMIT}, {1700, 0}}, bad[] = {{0, 1000000000}, {0, 0}};
    make("one", "hello, file");
    TELL(chmod("one", 0600));
    TELL(utimensat(AT_FDCWD, "one", both, 0));
    show("one");
    int file = open("one", O_RDWR);
    TELL(fchmod(file, 0644));
    TELL(futimens(file, one));
    show("one");
    TELL(utimensat(AT_FDCWD, "one", bad, 0));
    TELL(utimensat(AT_FDCWD, "none", both, 0));
    TELL(chmod("none", 0600));
    TELL(fchmod(99, 0600));
    TELL(truncate("one", 5));
    TELL(truncate("one", -1));
    TELL(truncate("none", 1));
    print_file("one");
    TELL(fallocate(file, 0, 0, 4096));
    TELL(fallocate(file, 0, -1, 5));
    TELL(fallocate(99, 0, 0, 5));
    TELL(flock(file, LOCK_EX));
    TELL(flock(file, LOCK_UN));
    TELL(flock(99, LOCK_UN));
    struct flock part = {.l_type = F_WRLCK, .l_start = 1, .l_len = 5}, asked = part;
    TELL(fcntl(file, F_SETLK, &part));
    TELL(fcntl(file, F_GETLK, &asked));
    TELL(asked.l_type == F_UNLCK);
    part.l_type = F_UNLCK;
    TELL(fcntl(file, F_SETLKW, &part));
    TELL(fcntl(file, F_SETLK, NULL));
    show("one");
    close(file);
    unlink("one");
}

static void links(void)
{
    char text[100] = "";
    make("two", "the second");
    TELL(mkdir("below", 0755));
    TELL(symlink("../two", "below/up"));
    TELL(symlink("below", "down"));
    TELL(symlink("down/up", "twice"));
    TELL(symlink("loop", "loop"));
    TELL(symlink("nowhere", "dangling"));
    TELL(symlink("two", "two"));
    TELL(link("two", "down/hard"));
    TELL(link("two", "down/hard"));
    TELL(linkat(AT_FDCWD, "twice", AT_FDCWD, "followed", AT_SYMLINK_FOLLOW));
    TELL(link("down", "linked"));
    show("two");
    print_file("twice");
    print_file("down/./up");
    print_file("down/../two");
    print_file("loop");
    print_file("dangling");
    TELL(readlink("twice", text, sizeof text));
    puts(text);
    TELL(access("twice", R_OK));
    TELL(access("dangling", R_OK));
    TELL(faccessat(AT_FDCWD, "dangling", F_OK, AT_SYMLINK_NOFOLLOW));
    TELL(open("twice", O_RDONLY | O_NOFOLLOW));
    TELL(open("twice", O_WRONLY | O_CREAT | O_EXCL, 0644));
    TELL(close(open("dangling", O_WRONLY | O_CREAT, 0644)));
    show("nowhere");
    TELL(chmod("twice", 0640));
    TELL(truncate("twice", 3));
    show("two");
    TELL(rename("twice", "thrice"));
    show("thrice");
    TELL(chdir("down"));
    print_file("hard");
    TELL(chdir(".."));
    TELL(renameat2(AT_FDCWD, "two", AT_FDCWD, "nowhere", RENAME_NOREPLACE));
    TELL(renameat2(AT_FDCWD, "two", AT_FDCWD, "below", RENAME_EXCHANGE));
    show("below");
    TELL(renameat2(AT_FDCWD, "two", AT_FDCWD, "below", RENAME_EXCHANGE));
    static const char *const names[] = {"loop",       "dangling", "nowhere", "thrice",   "below/up",
                                        "below/hard", "down",     "two",     "followed", "linked"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        told(names[i], unlink(names[i]));
    TELL(rmdir("below"));
}

static void devices(void)
{
    char bytes[100000];
    struct stat s;
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY);
    memset(bytes, 1, sizeof bytes);
    TELL(read(null, bytes, sizeof bytes));
    TELL(write(null, bytes, sizeof bytes));
    TELL(read(zero, bytes, sizeof bytes));
    printf("%d %d\n", bytes[0], bytes[sizeof bytes - 1]);
    TELL(write(zero, bytes, 1));
    TELL(lseek(null, 5, SEEK_SET));
    TELL(stat("/dev/zero", &s));
    printf("%o %u %u\n", (unsigned)s.st_mode, major(s.st_rdev), minor(s.st_rdev));
    TELL(fstat(null, &s));
    printf("%o %u %u\n", (unsigned)s.st_mode, major(s.st_rdev), minor(s.st_rdev));
    TELL(access("/dev/urandom", R_OK));
    TELL(isatty(null));
    char *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    TELL(mapped == MAP_FAILED);
    mapped[5000] = 7;
    printf("%d %d\n", mapped[0], mapped[5000]);
    FILE *random = fopen("/dev/urandom", "r");
    TELL(fread(bytes, 1, 100, random));
    int sum = 0;
    for (int k = 0; k < 100; k++)
        sum += bytes[k] != 0;
    TELL(sum > 80);
    TELL(freopen("/dev/null", "w", stderr) != NULL);
}

int main(int count, char **word)
{
    struct statfs fs;
    devices();
    if (count > 1) { /* what the random numbers are */
        int random = open(word[1], O_RDONLY);
        unsigned long value = 0;
        TELL(read(random, &value, sizeof value));
        printf("%lx\n", value);
        return 0;
    }
    rights_and_times();
    links();
    make("from", "what is sent on");
    int from = open("from", O_RDONLY), to = open("to", O_RDWR | O_CREAT, 0644);
    off_t at = 5;
    TELL(sendfile(to, from, &at, 4));
    TELL(at);
    TELL(sendfile(to, from, NULL, 100));
    TELL(sendfile(to, from, NULL, 100));
    TELL(sendfile(from, to, NULL, 1));
    TELL(sendfile(to, 99, NULL, 1));
    print_file("to");
    TELL(unlink("from") + unlink("to"));
    TELL(statfs(".", &fs));
    TELL(statfs("none", &fs));
    int top = open(".", O_RDONLY | O_DIRECTORY);
    TELL(fstatfs(top, &fs));
    TELL(mkdir("in", 0755));
    TELL(chdir("in"));
    TELL(fchdir(top));
    TELL(fchdir(99));
    TELL(chown("in", (uid_t)-1, (gid_t)-1));
    TELL(rmdir("in"));
    return 0;
}
