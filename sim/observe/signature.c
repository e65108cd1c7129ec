/* SPDX-License-Identifier: Apache-2.0
 * The signature of riscv-arch-test: a stretch of memory, as lines of hexadecimal digits.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ztl/observe.h>

#include "sim/error.h"

enum { MAX_GRANULARITY = 16 };

/* A last line that memory does not fill is filled up with zeros. */
static void write_lines(const ztl_hart *hart, uint64_t begin, uint64_t end, unsigned granularity,
                        FILE *out)
{
    for (uint64_t address = begin; address < end; address += granularity) {
        uint8_t bytes[MAX_GRANULARITY] = {0};
        uint64_t left = end - address;
        ztl_hart_read_memory(hart, address, bytes, left < granularity ? (size_t)left : granularity);
        for (unsigned i = granularity; i-- > 0;)
            fprintf(out, "%02x", bytes[i]);
        fputc('\n', out);
    }
}

static bool is_memory(const ztl_hart *hart, uint64_t begin, uint64_t end)
{
    const ztl_ram *ram;
    for (size_t i = 0; (ram = ztl_hart_ram(hart, i)); i++)
        if (begin - ram->base < ram->size && end - ram->base <= ram->size)
            return true;
    return begin == end;
}

static bool find_range(const ztl_program *program, const ztl_hart *hart, uint64_t *begin,
                       uint64_t *end, char *error, size_t error_size)
{
    ztl_symbol first, last;
    if (!ztl_program_find(program, "begin_signature", &first))
        return ztl_fail(error, error_size, "the program has no symbol begin_signature");
    if (!ztl_program_find(program, "end_signature", &last))
        return ztl_fail(error, error_size, "the program has no symbol end_signature");
    *begin = first.address;
    *end = last.address;
    if (*end < *begin || !is_memory(hart, *begin, *end))
        return ztl_fail(error, error_size,
                        "begin_signature 0x%" PRIx64 " and end_signature 0x%" PRIx64
                        " enclose no RAM",
                        *begin, *end);
    return true;
}

bool ztl_signature_write(const ztl_program *program, const ztl_hart *hart, const char *path,
                         unsigned granularity, char *error, size_t error_size)
{
    uint64_t begin = 0, end = 0;
    if (!granularity || granularity > MAX_GRANULARITY || (granularity & (granularity - 1)))
        return ztl_fail(error, error_size, "granularity %u is not 1, 2, 4, 8 or 16", granularity);
    if (!find_range(program, hart, &begin, &end, error, error_size))
        return false;
    FILE *out = fopen(path, "w");
    if (!out)
        return ztl_fail(error, error_size, "%s: %s", path, strerror(errno));
    write_lines(hart, begin, end, granularity, out);
    bool failed = ferror(out);
    if (fclose(out) || failed) {
        ztl_fail(error, error_size, "%s: %s", path, strerror(errno));
        unlink(path);
        return false;
    }
    return true;
}
