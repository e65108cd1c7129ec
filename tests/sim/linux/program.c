/* SPDX-License-Identifier: Apache-2.0
 * An ordinary C program: doubles, printf, qsort, malloc, files. Prints the same wherever it runs.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 1000, BLOCKS = 2000, LARGE = 20 << 20 };

static double values[COUNT];

static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compute(void)
{
    double sum = 0;
    srand(5);
    for (int i = 0; i < COUNT; i++)
        values[i] = sin(i) * 1000.0 / (rand() % 97 + 1);
    qsort(values, COUNT, sizeof values[0], order);
    for (int i = 0; i < COUNT; i++)
        sum += values[i] * i;
    printf("%f %g %.17g %a\n", values[0], values[COUNT - 1], sum, values[700]);
    printf("%.20Lf %s\n", 1.0L / 3, strtod("0x1.8p3", NULL) == 12.0 ? "twelve" : "?");
}

static void allocate(void)
{
    unsigned char *block[BLOCKS];
    unsigned long sum = 0;
    for (int i = 0; i < BLOCKS; i++)
        memset(block[i] = malloc((size_t)(i * 37 % 5000 + 1)), i, (size_t)(i * 37 % 5000 + 1));
    for (int i = 0; i < BLOCKS; i++) {
        sum += block[i][i * 37 % 5000];
        free(block[i]);
    }
    char *large = malloc(LARGE);
    memset(large, 1, LARGE);
    large = realloc(large, 2 * (size_t)LARGE);
    printf("%lu %d %p\n", sum, large[LARGE - 1], malloc((size_t)1 << 50));
    free(large);
}

static int keep(const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file) {
        printf("%s: %s\n", name, strerror(errno));
        return 1;
    }
    for (int i = 0; i < COUNT; i++)
        fprintf(file, "%d %.3f\n", i, values[i]);
    fclose(file);
    int count = 0, number;
    double value, sum = 0;
    file = fopen(name, "r");
    while (fscanf(file, "%d %lf", &number, &value) == 2)
        count++, sum += value;
    fseek(file, -5, SEEK_END);
    printf("%d %.3f, at %ld\n", count, sum, ftell(file));
    fclose(file);
    struct stat status;
    printf("%d %ld\n", stat(name, &status), (long)status.st_size);
    return 0;
}

static void list(void)
{
    DIR *directory = opendir(".");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, "kept.txt") == 0;
    closedir(directory);
    printf("listed %d, renamed %d, removed %d\n", count, rename("kept.txt", "old.txt"),
           remove("old.txt"));
}

int main(int argc, char **argv)
{
    static jmp_buf back;
    char line[100];
    printf("%d %s\n", argc, argc > 1 ? argv[1] : "");
    compute();
    allocate();
    if (keep("kept.txt"))
        return 3;
    list();
    while (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    if (!setjmp(back))
        longjmp(back, 1);
    clock_t start = clock();
    usleep(1000);
    printf("%s %s\n", getenv("WORD") ? getenv("WORD") : "none", clock() >= start ? "on" : "back");
    fprintf(stderr, "to standard error\n");
    fflush(stdout);
    if (argc > 2)
        abort();
    return 42;
}
