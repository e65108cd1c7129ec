/* SPDX-License-Identifier: Apache-2.0
 * A C program that uses what picolibc asks of a host: console, heap, arguments, files, exit.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_and_read(void)
{
    char text[32] = "";
    int file = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0)
        return printf("no file: %d\n", errno), 1;
    write(file, "from the guest\n", 15);
    close(file);
    file = open("in.txt", O_RDONLY);
    if (file < 0)
        return printf("no input: %d\n", errno), 1;
    long end = lseek(file, 0, SEEK_END);
    lseek(file, 2, SEEK_SET);
    int got = read(file, text, sizeof text - 1);
    close(file);
    printf("file: %ld bytes, %d from the third on: %s\n", end, got, text);
    return unlink("gone.txt");
}

static int try_to_escape(char **name)
{
    int opened = 0;
    for (; *name; name++) {
        int file = open(*name, O_RDONLY);
        opened += file >= 0;
        file = open(*name, O_WRONLY | O_CREAT, 0666);
        opened += file >= 0;
    }
    printf("opened %d\n", opened);
    return opened;
}

static int use_heap(void)
{
    uint32_t *words = malloc(200000 * sizeof *words), sum = 0;
    if (!words)
        return puts("no heap"), 1;
    for (uint32_t i = 0; i < 200000; i++)
        words[i] = i * i;
    words = realloc(words, 300000 * sizeof *words);
    for (uint32_t i = 0; i < 200000; i++)
        sum += words[i];
    free(words);
    printf("heap: %lu\n", (unsigned long)sum);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && !strcmp(argv[1], "escape"))
        return try_to_escape(argv + 2);
    if (argc > 1 && !strcmp(argv[1], "files"))
        return write_and_read();
    if (argc > 1 && !strcmp(argv[1], "heap"))
        return use_heap();
    if (argc > 1 && !strcmp(argv[1], "echo")) {
        for (int c; (c = getchar()) != '.';)
            putchar(c + 1);
        return 0;
    }
    for (int i = 1; i < argc; i++)
        printf("argument %d: %s\n", i, argv[i]);
    printf("%d %s %x %lld\n", -5, "text", 0xbeefu, 1234567890123LL);
    return argc > 1 ? atoi(argv[1]) : 0;
}
