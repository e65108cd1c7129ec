/* SPDX-License-Identifier: Apache-2.0
 * What a program asks of the page: text on its console, and its end, by semihosting or HTIF.
 */
#include <stdlib.h>
#include <string.h>

#include "site/play/play.h"

enum { CONSOLE_MOST = 1 << 20, A0 = 10, A1 = 11 };
enum {
    SYS_OPEN = 1,
    SYS_CLOSE = 2,
    SYS_WRITEC = 3,
    SYS_WRITE0 = 4,
    SYS_WRITE = 5,
    SYS_ISTTY = 9,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    ENDED_BY_ITSELF = 0x20026
};

static void write_console(const void *bytes, size_t size)
{
    if (play.console_length + size > play.console_room) {
        size_t room = 2 * (play.console_length + size);
        char *more = room > CONSOLE_MOST ? NULL : realloc(play.console, room);
        if (!more)
            return; /* what is too much is not shown */
        play.console = more;
        play.console_room = room;
    }
    memcpy(play.console + play.console_length, bytes, size);
    play.console_length += size;
}

static void write_from(ztl_hart *hart, uint64_t address, uint64_t size, bool until_zero)
{
    char c;
    for (uint64_t i = 0; i < size && ztl_hart_read_memory(hart, address + i, &c, 1) == 1; i++) {
        if (until_zero && !c)
            return;
        write_console(&c, 1);
    }
}

/* A word of the block of arguments. */
static uint64_t argument(ztl_hart *hart, unsigned index)
{
    unsigned size = ztl_hart_isa_of(hart)->xlen / 8;
    uint64_t value = 0;
    ztl_hart_read_memory(hart, ztl_hart_x(hart, A1) + index * size, &value, size);
    return value;
}

static void end_program(ztl_hart *hart, bool has_block)
{
    uint64_t reason = has_block ? argument(hart, 0) : ztl_hart_x(hart, A1);
    uint64_t code = has_block ? argument(hart, 1) : 0;
    ztl_hart_request_exit(hart, reason == ENDED_BY_ITSELF ? (int)code : 1);
}

static bool semihost(void *context, ztl_hart *hart)
{
    (void)context;
    uint64_t block = ztl_hart_x(hart, A1), result = 0;
    bool wide = ztl_hart_isa_of(hart)->xlen == 64;
    switch (ztl_hart_x(hart, A0)) {
    case SYS_OPEN:
        result = 1; /* the console is the only file */
        break;
    case SYS_WRITEC:
        write_from(hart, block, 1, false);
        break;
    case SYS_WRITE0:
        write_from(hart, block, CONSOLE_MOST, true);
        break;
    case SYS_WRITE:
        write_from(hart, argument(hart, 1), argument(hart, 2), false);
        break;
    case SYS_ISTTY:
        result = 1;
        break;
    case SYS_CLOSE:
        break;
    case SYS_EXIT:
        end_program(hart, wide);
        break;
    case SYS_EXIT_EXTENDED:
        end_program(hart, true);
        break;
    default:
        result = UINT64_MAX;
    }
    ztl_hart_set_x(hart, A0, result);
    return true;
}

/* tohost: an odd number is the end, with a code. */
static void stored(void *context, ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    (void)context, (void)address, (void)size;
    if (value & 1)
        ztl_hart_request_exit(hart, (int)(value >> 1));
}

void play_attach_console(ztl_hart *hart, const ztl_source *source)
{
    ztl_hart_hooks hooks = {.semihost = semihost, .store = stored};
    uint64_t tohost;
    if (ztl_source_find_label(source, "tohost", &tohost))
        hooks.store_range = (ztl_window){tohost, 8};
    play.console_length = 0;
    ztl_hart_set_hooks(hart, &hooks);
}
