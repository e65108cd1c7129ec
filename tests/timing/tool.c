/* SPDX-License-Identifier: Apache-2.0
 * Runs programs for a script, on the hart with a machine attached. A program a line:
 *
 *     ISA MACHINE X1 … X31 WORDS WORD …
 *
 * All but the first two are hexadecimal; the words stand at 0x80000000, in a MiB of RAM. Answers
 * what happened, an event a line, and then the counts:
 *
 *     event PC NEXT WORD LENGTH TRAPPED [access ADDRESS SIZE STORE]… [csr ADDRESS VALUE]…
 *     counts CYCLES HART QUEUE MEMORY DRAIN ISSUING, then of each engine and port its instructions,
 *            busy cycles and idle cycles by cause
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/timing.h>

enum { BASE = 0x80000, RAM_SIZE = 1 << 20, MOST = 20000 };

typedef struct both {
    ztl_observer timing, recording;
} both;

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    const both *b = context;
    printf("event %" PRIx64 " %" PRIx64 " %" PRIx32 " %u %d", event->pc, event->next_pc,
           event->word, event->length, event->trapped);
    for (unsigned i = 0; i < event->access_count; i++)
        printf(" access %" PRIx64 " %" PRIx32 " %d", event->access[i].address,
               event->access[i].size, event->access[i].is_store);
    for (unsigned i = 0; i < event->csr_count && !event->trapped; i++)
        printf(" csr %x %" PRIx64, event->csr[i].address, event->csr[i].value);
    putchar('\n');
    b->timing.happened(b->timing.context, hart, event);
    b->recording.happened(b->recording.context, hart, event);
}

static void print_units(const ztl_timing_unit *unit, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf(" %" PRIu64 " %" PRIu64, unit[i].instructions, unit[i].busy);
        for (size_t c = 0; c < ZTL_TIMING_CAUSE_COUNT; c++)
            printf(" %" PRIu64, unit[i].idle[c]);
    }
}

static void print_counts(const ztl_timing *timing)
{
    ztl_timing_counts c = ztl_timing_result(timing);
    printf("counts %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, c.cycles,
           c.hart, c.wait_queue, c.wait_memory, c.wait_drain, c.issuing);
    print_units(c.engine, ZTL_TIMING_ENGINES);
    print_units(c.port, ZTL_TIMING_PORTS);
    putchar('\n');
}

static uint64_t number(void)
{
    uint64_t value;
    if (scanf("%" SCNx64, &value) != 1)
        exit(2);
    return value;
}

static void fail(const char *error)
{
    fprintf(stderr, "%s\n", error);
    exit(1);
}

/* A recording that is replayed on the same machine gives the same counts. */
static void check_replay(const ztl_recording *recording, const ztl_timing_machine *machine,
                         const ztl_timing *timing)
{
    ztl_timing_counts counts = ztl_timing_result(timing), replayed;
    if (!ztl_recording_replay(recording, machine, &replayed))
        fail("no memory");
    if (memcmp(&counts, &replayed, sizeof counts) != 0)
        fail("the replay differs");
}

static void run_program(const char *isa, const char *machine_text)
{
    ztl_error error;
    ztl_window ram = {(uint64_t)BASE << 12, RAM_SIZE};
    ztl_hart_config config = {.isa = isa, .ram = &ram, .ram_count = 1, .reset_pc = ram.base};
    ztl_timing_machine machine;
    ztl_hart *hart = ztl_hart_create(&config, &error);
    if (!hart || !ztl_timing_parse(machine_text, &machine, &error))
        fail(error.text);
    for (unsigned i = 1; i < 32; i++)
        ztl_hart_set_x(hart, i, number());
    for (uint64_t i = 0, count = number(); i < count; i++) {
        uint32_t word = (uint32_t)number();
        ztl_hart_write_memory(hart, ram.base + 4 * i, &word, sizeof word);
    }
    ztl_timing *timing = ztl_timing_create(&machine);
    ztl_recording *recording = ztl_recording_create();
    if (!timing || !recording)
        fail("no memory");
    ztl_timing_attach(timing, hart);
    both b = {ztl_timing_observer(timing), ztl_recording_observer(recording)};
    ztl_observer observer = {&b, happened};
    ztl_hart_set_observer(hart, &observer);
    ztl_hart_run(hart, MOST);
    print_counts(timing);
    check_replay(recording, &machine, timing);
    ztl_recording_destroy(recording);
    ztl_hart_destroy(hart);
    ztl_timing_destroy(timing);
}

int main(void)
{
    char isa[100], machine[600];
    while (scanf("%99s %599s", isa, machine) == 2)
        run_program(isa, machine);
    return 0;
}
