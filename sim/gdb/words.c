/* SPDX-License-Identifier: Apache-2.0
 * The words of packets, in both directions.
 */
#include <string.h>

#include "sim/gdb/session.h"

void ztl_gdb_say(ztl_gdb_state *s, const char *text)
{
    size_t length = strlen(text);
    if (s->out_length + length <= ZTL_PACKET_SIZE) {
        memcpy(s->out + s->out_length, text, length);
        s->out_length += length;
    }
}

void ztl_gdb_say_hex(ztl_gdb_state *s, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size && s->out_length + 2 <= ZTL_PACKET_SIZE; i++) {
        s->out[s->out_length++] = digits[bytes[i] >> 4];
        s->out[s->out_length++] = digits[bytes[i] & 0xf];
    }
}

void ztl_gdb_say_ok(ztl_gdb_state *s, bool good)
{
    ztl_gdb_say(s, good ? "OK" : "E01");
}

bool ztl_gdb_starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool ztl_gdb_take_number(const char **at, uint64_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; digit(**at) >= 0; ++*at)
        *value = *value << 4 | (uint64_t)digit(**at);
    return *at > start && *at - start <= 16;
}

bool ztl_gdb_take_char(const char **at, char wanted)
{
    if (**at != wanted)
        return false;
    ++*at;
    return true;
}

bool ztl_gdb_take_range(const char **at, uint64_t *address, uint64_t *size)
{
    return ztl_gdb_take_number(at, address) && ztl_gdb_take_char(at, ',') &&
           ztl_gdb_take_number(at, size);
}

size_t ztl_gdb_threads(const ztl_gdb_state *s, unsigned *list, size_t size)
{
    const ztl_hart_hooks *hooks = ztl_hart_hooks_of(s->hart);
    if (hooks->threads)
        return hooks->threads(hooks->context, list, size);
    list[0] = 0;
    return 1;
}

void ztl_gdb_show(ztl_gdb_state *s, unsigned thread)
{
    const ztl_hart_hooks *hooks = ztl_hart_hooks_of(s->hart);
    if (hooks->show_thread)
        hooks->show_thread(hooks->context, thread);
}

bool ztl_gdb_take_thread(const ztl_gdb_state *s, const char **at, bool *ours, unsigned *thread)
{
    unsigned list[ZTL_GDB_THREADS];
    uint64_t id;
    bool negative = ztl_gdb_take_char(at, '-');
    if (!ztl_gdb_take_number(at, &id) || (negative && id != 1))
        return false;
    *thread = s->running;
    *ours = negative || id == 0;
    size_t count = *ours ? 0 : ztl_gdb_threads(s, list, ZTL_GDB_THREADS);
    for (size_t i = 0; i < count && i < ZTL_GDB_THREADS; i++)
        if (list[i] + UINT64_C(1) == id) {
            *thread = list[i];
            *ours = true;
        }
    return true;
}

int ztl_gdb_take_bytes(const char *at, uint8_t *bytes, size_t size)
{
    size_t count = 0;
    for (; at[0]; at += 2) {
        if (count == size || digit(at[0]) < 0 || digit(at[1]) < 0)
            return -1;
        bytes[count++] = (uint8_t)(digit(at[0]) << 4 | digit(at[1]));
    }
    return (int)count;
}
