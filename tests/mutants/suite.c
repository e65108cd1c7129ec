/* SPDX-License-Identifier: Apache-2.0
 * Runs programs of the conformance suite on harts with plain bodies, all in one process, until one
 * fails: for measuring what the suite notices. Standard input has a line for each program:
 *
 *     ISA ELF RAM… l1m=BASE:SIZE l0m=BASE:SIZE        RAM is BASE:SIZE, numbers are hexadecimal
 *
 * Exit status 0: all passed; 1: the one that is named did not.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <ztl/hart.h>
#include <ztl/host.h>
#include <ztl/program.h>

enum { MOST_INSTRUCTIONS = 5000000, MOST_RAM = 4, MOST_SECONDS = 8 };

typedef struct machine {
    ztl_hart_config config;
    ztl_window ram[MOST_RAM];
    size_t rams;
} machine;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "suite: %s: %s\n", what, why);
    exit(2);
}

static void ignore(void *context, bool is_error, const void *bytes, size_t size)
{
    (void)context, (void)is_error, (void)bytes, (void)size;
}

static ztl_window window_of(const char *text)
{
    ztl_window window;
    if (sscanf(text, "%" SCNx64 ":%" SCNx64, &window.base, &window.size) != 2)
        die(text, "is not BASE:SIZE");
    return window;
}

static void take(machine *m, const char *word)
{
    if (!strncmp(word, "l1m=", 4))
        m->config.l1m = window_of(word + 4);
    else if (!strncmp(word, "l0m=", 4))
        m->config.l0m = window_of(word + 4);
    else if (m->rams < MOST_RAM)
        m->ram[m->rams++] = window_of(word);
}

static bool passes(const machine *m, const char *elf)
{
    ztl_error error;
    ztl_program *program = ztl_program_open(elf, &error);
    ztl_hart *hart = program ? ztl_hart_create(&m->config, &error) : NULL;
    if (!hart || !ztl_program_load(program, hart, &error))
        die(elf, error.text);
    ztl_host_config silent = {.output = ignore};
    ztl_host *host = ztl_host_create(&silent, &error);
    if (!host)
        die(elf, error.text);
    ztl_host_attach(host, hart, program);
    bool passed =
        ztl_hart_run(hart, MOST_INSTRUCTIONS) == ZTL_STOP_EXIT && ztl_hart_exit_code(hart) == 0;
    ztl_hart_destroy(hart);
    ztl_host_destroy(host);
    ztl_program_close(program);
    return passed;
}

int main(void)
{
    char line[4096];
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS}); /* a body may not end */
    while (fgets(line, sizeof line, stdin)) {
        machine m = {.config = ztl_hart_default_config()};
        char *rest = line, *isa = strsep(&rest, " \n"), *elf = strsep(&rest, " \n"), *word;
        while ((word = strsep(&rest, " \n")))
            if (*word)
                take(&m, word);
        m.config.isa = isa;
        m.config.bodies = "plain";
        m.config.ram = m.ram;
        m.config.ram_count = m.rams;
        if (!passes(&m, elf)) {
            printf("%s %s\n", isa, elf);
            return 1;
        }
    }
    return 0;
}
