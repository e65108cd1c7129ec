/* SPDX-License-Identifier: Apache-2.0
 * Runs a flat Linux program that only writes and exits on the hart, as QEMU's user mode would:
 *
 *     linux_guest ISA IMAGE BASE [observe]
 *
 * With `observe`, every instruction goes the way of observers and its event is checked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/hart.h>

enum {
    A0 = 10,
    A1 = 11,
    A2 = 12,
    A7 = 17,
    CALL_WRITE = 64,
    CALL_EXIT = 93,
    RAM_SIZE = 16 << 20,
    MSTATUS = 0x300,
    FLOAT_ON = 1 << 13
};

typedef struct shadow {
    uint64_t x[32], f[32]; /* as the events tell */
    uint64_t pc;
    uint64_t retired;
} shadow;

static void die(const char *what)
{
    fprintf(stderr, "linux_guest: %s\n", what);
    exit(1);
}

/* Events alone must be enough to follow the registers. */
static void follow(void *context, ztl_hart *hart, const ztl_event *event)
{
    shadow *seen = context;
    if (event->pc != seen->pc)
        die("an event's pc is not where the one before went");
    if (event->rd && event->rd_old != seen->x[event->rd])
        die("an event's old value is not the last new one");
    if (event->rd)
        seen->x[event->rd] = event->rd_new;
    if (event->writes_f)
        seen->f[event->fd] = event->fd_new;
    seen->pc = event->next_pc;
    seen->retired += !event->trapped;
    for (unsigned k = 0; k < 32; k++)
        if (seen->x[k] != ztl_hart_x(hart, k) || seen->f[k] != ztl_hart_f(hart, k))
            die("a register changed without an event");
}

static size_t load(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        die("cannot open the image");
    size_t count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

/* A system call; false when it was exit. */
static int serve(ztl_hart *hart)
{
    static uint8_t bytes[1 << 16];
    uint64_t size = ztl_hart_x(hart, A2);
    if (ztl_hart_x(hart, A7) == CALL_EXIT)
        return 0;
    if (ztl_hart_x(hart, A7) != CALL_WRITE || size > sizeof bytes ||
        ztl_hart_read_memory(hart, ztl_hart_x(hart, A1), bytes, size) != size)
        die("not a system call that is known here");
    fwrite(bytes, 1, size, stdout);
    ztl_hart_set_x(hart, A0, size);
    ztl_hart_set_pc(hart, ztl_hart_pc(hart) + 4);
    return 1;
}

int main(int argc, char **argv)
{
    static uint8_t image[RAM_SIZE];
    static shadow seen;
    ztl_error error;
    if (argc < 4)
        die("usage: linux_guest ISA IMAGE BASE [observe]");
    ztl_window ram = {strtoull(argv[3], NULL, 0), RAM_SIZE};
    ztl_hart_config config = {.isa = argv[1],
                              .ram = &ram,
                              .ram_count = 1,
                              .reset_pc = ram.base,
                              .trap_policy = ZTL_TRAP_STOP_ALWAYS};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    if (!hart)
        die(error.text);
    ztl_hart_write_memory(hart, ram.base, image, load(argv[2], image, sizeof image));
    ztl_hart_debug_csr_write(hart, MSTATUS, FLOAT_ON);
    ztl_observer observer = {&seen, follow};
    if (argc > 4)
        ztl_hart_set_observer(hart, &observer);
    do {
        for (unsigned k = 0; k < 32; k++)
            seen.x[k] = ztl_hart_x(hart, k), seen.f[k] = ztl_hart_f(hart, k);
        seen.pc = ztl_hart_pc(hart);
        if (ztl_hart_run(hart, 2000000000) != ZTL_STOP_TRAP ||
            ztl_hart_last_trap(hart)->cause != 11)
            die("the program did not end in a system call");
    } while (serve(hart));
    if (argc > 4 && seen.retired != ztl_hart_retired(hart))
        die("not every instruction had an event");
    fprintf(stderr, "%" PRIu64 " instructions\n", ztl_hart_retired(hart));
    ztl_hart_destroy(hart);
    return 0;
}
