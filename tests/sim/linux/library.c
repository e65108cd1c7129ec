/* SPDX-License-Identifier: Apache-2.0
 * What ordinary programs ask of a C library. Prints the same wherever it runs.
 */
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <math.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void numbers(void)
{
    double complex z = cexp(I * acos(-1) / 3);
    volatile double one = 1, three = 3, zero = 0;
    printf("%.15g %.12f %.6f%+.6fi\n", pow(2, 0.5), tgamma(5.5) + erf(.3) + cbrt(27) + atan2(1, 2),
           creal(z), cimag(z));
    fesetround(FE_UPWARD);
    printf("%.17f ", one / three);
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    printf("%.17f %f ", one / three, one / zero);
    printf("%d %d\n", fetestexcept(FE_DIVBYZERO) != 0, fetestexcept(FE_OVERFLOW) != 0);
}

static void texts(void)
{
    char text[100], *line = NULL;
    wchar_t wide[20];
    size_t room = 0;
    int first = 0, second = 0;
    regex_t pattern;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;)
        printf("%zd %.4s\n", length, line);
    free(line);
    snprintf(text, sizeof text, "%5d|%-6s|%08.3f|%+d|%#x|%.3s", 42, "ab", 3.14159, 7, 255,
             "abcdef");
    puts(text);
    swprintf(wide, 20, L"%ls %d", L"wide", 5);
    printf("%ls %ld %g\n", wide, strtol("0x1f", NULL, 0), strtod("1e-3", NULL));
    FILE *memory = fmemopen((char[]){"12 34"}, 5, "r");
    int count = fscanf(memory, "%d %d", &first, &second);
    fclose(memory);
    regcomp(&pattern, "^a(b+)c$", REG_EXTENDED);
    printf("%d %d %d %d\n", count, first + second, regexec(&pattern, "abbc", 0, NULL, 0),
           regexec(&pattern, "ac", 0, NULL, 0));
    regfree(&pattern);
    printf("%s %s\n", getenv("WORD"), getenv("OTHER") ? "?" : "none");
}

static void memory(void)
{
    enum { LARGE = 100 << 20 };
    char *large = malloc(LARGE), *zeros = calloc(1000, 1000);
    void *aligned = NULL;
    large[0] = large[LARGE - 1] = 7;
    large = realloc(large, (size_t)3 * LARGE);
    printf("%d %d %d %d\n", large[0], large[LARGE - 1], zeros[999999],
           posix_memalign(&aligned, 65536, 100) || (uintptr_t)aligned % 65536);
    free(large);
    free(zeros);
    free(aligned);
}

static void files(void)
{
    char name[] = "file-XXXXXX", bytes[6] = "";
    struct stat status;
    int file = mkstemp(name);
    FILE *unnamed = tmpfile();
    ssize_t moved = write(file, "hello", 5);
    moved += pwrite(file, "E", 1, 1);
    moved += pread(file, bytes, 5, 0);
    char *map = mmap(NULL, 5, PROT_READ, MAP_PRIVATE, file, 0);
    printf("%zd %s %.5s %d\n", moved, bytes, map, unnamed && fputs("x", unnamed) >= 0);
    munmap(map, 5);
    fclose(unnamed);
    printf("%d %d", ftruncate(file, 2), fstat(file, &status));
    printf(" %ld %o %d\n", (long)status.st_size, status.st_mode & 0777, S_ISREG(status.st_mode));
    close(file);
    printf("%d %d %d", access(name, R_OK | W_OK), unlink(name), access(name, F_OK));
    printf(" %s\n", strerror(errno));
    printf("%d %d", mkdir("folder", 0755), chdir("folder"));
    printf(" %d %d %d\n", creat("inside", 0600) > 2, rmdir("../folder"), errno == ENOTEMPTY);
    printf("%d %d", unlink("inside"), chdir(".."));
    printf(" %d\n", rmdir("folder"));
    printf("%d %s\n", fopen("no/file", "r") != NULL, strerror(errno));
}

static void times(void)
{
    char text[100];
    time_t year = 86400 * 365, now = time(NULL);
    struct tm middle = {.tm_year = 120, .tm_mon = 5, .tm_mday = 31};
    struct timespec start, end, wait = {.tv_nsec = 1000000};
    struct timeval day;
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a", gmtime(&year));
    printf("%s %ld %s", text, (long)mktime(&middle), asctime(localtime(&year)));
    clock_gettime(CLOCK_MONOTONIC, &start);
    nanosleep(&wait, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    gettimeofday(&day, NULL);
    printf("%d %d %d\n",
           (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec >= 1000000,
           now > 1600000000, day.tv_sec >= now);
}

static void last(void)
{
    puts("at exit");
}

int main(void)
{
    char *words[] = {"program", "-a", "-b", "value", "rest", NULL};
    atexit(last);
    numbers();
    texts();
    memory();
    files();
    times();
    for (int option; (option = getopt(5, words, "ab:")) != -1;)
        printf("%c %s\n", option, optarg ? optarg : "");
    printf("%ld %d %d\n", sysconf(_SC_PAGESIZE), isatty(1), dup(1) > 2);
    return 7;
}
