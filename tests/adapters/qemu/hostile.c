/* SPDX-License-Identifier: Apache-2.0
 *
 * A bare-metal program that asks for everything: each semihosting operation that there is, each
 * that there is not, with arguments that lead out of its directory. hostile.py defines OUTSIDE, a
 * folder that it must not reach, and looks at the answers.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uintptr_t word;

static word call(word operation, const void *argument)
{
    register word a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".balign 16\n.option push\n.option norvc\n"
                     "slli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

enum { OPEN = 1, CLOSE, WRITE_CHARACTER, WRITE_STRING, WRITE, READ, READ_CHARACTER };
enum { LENGTH = 0xc, TEMPORARY = 0xd, REMOVE = 0xe, RENAME = 0xf, CLOCK = 0x10, TIME = 0x11 };
enum { SYSTEM = 0x12, ERRNO = 0x13, COMMAND_LINE = 0x15, HEAP = 0x16, EXIT = 0x18 };
enum { EXIT_EXTENDED = 0x20, ELAPSED = 0x30 };

static char buffer[256];

/* Names that must not be followed; inside the directory, `link` leads to OUTSIDE, `file_link` to a
 * file in it, and `fifo` is a pipe. */
static const char *const names[] = {OUTSIDE "/secret",
                                    OUTSIDE "/new",
                                    "../outside/secret",
                                    "../outside/new",
                                    "sub/../../outside/secret",
                                    "./secret",
                                    "..",
                                    ".",
                                    "",
                                    "/",
                                    "link/secret",
                                    "link/new",
                                    "/dev/tty",
                                    "/etc/passwd",
                                    "/proc/self/environ"};

static void say(const char *what, const char *name, word operation, word answer)
{
    printf("%s %s: %lx %ld errno %ld\n", what, name, (unsigned long)operation,
           (long)(intptr_t)answer, (long)call(ERRNO, NULL));
}

static void try_open(const char *name)
{
    for (word mode = 0; mode < 13; mode++)
        say("open", name, mode, call(OPEN, (word[]){(word)name, mode, strlen(name)}));
}

static void try_names(void)
{
    try_open("file_link");
    try_open("fifo");
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = names[i];
        word length = strlen(name);
        try_open(name);
        say("remove", name, REMOVE, call(REMOVE, (word[]){(word)name, length}));
        say("rename from", name, RENAME,
            call(RENAME, (word[]){(word)name, length, (word) "mine", 4}));
        say("rename to", name, RENAME, call(RENAME, (word[]){(word) "own", 3, (word)name, length}));
    }
}

static void try_commands(void)
{
    static const char *const commands[] = {"touch " OUTSIDE "/owned",
                                           "sh -c 'id > " OUTSIDE "/owned'"};
    for (unsigned i = 0; i < 2; i++)
        say("system", commands[i], SYSTEM,
            call(SYSTEM, (word[]){(word)commands[i], strlen(commands[i])}));
}

/* What is there to be had: files of its own. */
static void use_own(void)
{
    word file = call(OPEN, (word[]){(word) "own", 6, 3});
    say("own", "open", OPEN, (intptr_t)file > 0);
    say("own", "write", WRITE, call(WRITE, (word[]){file, (word) "bytes", 5}));
    say("own", "length", LENGTH, call(LENGTH, (word[]){file}));
    say("own", "close", CLOSE, call(CLOSE, (word[]){file}));
    say("own", "temporary", TEMPORARY, call(TEMPORARY, (word[]){(word)buffer, 7, sizeof buffer}));
    printf("temporary name %s\n", buffer);
}

static int is_an_end(word operation)
{
    return operation == EXIT || operation == EXIT_EXTENDED;
}

/* Answers that are another at each time. */
static int is_a_clock(word operation)
{
    return operation == CLOCK || operation == TIME || operation == ELAPSED;
}

static void try_number(word operation)
{
    static const char text[] = OUTSIDE "/secret";
    word blocks[][4] = {{(word)text, 4, sizeof text - 1, 0},
                        {(word)text, sizeof text - 1, (word)text, sizeof text - 1},
                        {~(word)0, ~(word)0, ~(word)0, ~(word)0},
                        {100, (word)buffer, 16, 0}};
    const void *arguments[] = {blocks[0], blocks[1],        blocks[2],          blocks[3],
                               NULL,      (void *)~(word)7, (void *)0x10000000, (void *)0x88000000};
    if (is_an_end(operation))
        return;
    for (unsigned i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        char number[8];
        sprintf(number, "%u", i);
        if (operation == WRITE_STRING && i < 4)
            continue; /* it would print the block */
        if (operation == WRITE_CHARACTER && i < 4)
            continue;
        word answer = call(operation, arguments[i]);
        if (!is_a_clock(operation))
            say("number", number, operation, answer);
    }
}

int main(void)
{
    try_names();
    try_commands();
    use_own();
    try_names();
    for (word operation = 0; operation < 0x200; operation++)
        try_number(operation);
    static const word odd[] = {0x1000,   0x7fffffff,      0x80000000,
                               ~(word)0, ~(word)0 - 0x11, (word)((uint64_t)1 << 32 | SYSTEM)};
    for (unsigned i = 0; i < sizeof odd / sizeof odd[0]; i++)
        if (odd[i] != SYSTEM)
            try_number(odd[i]);
    puts("done");
    return 0;
}
