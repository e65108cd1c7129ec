/* SPDX-License-Identifier: Apache-2.0
 * The signature of riscv-arch-test: a stretch of memory, as lines of hexadecimal digits.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/output.h"
#include "host/error.h"
#include "sim/hart.h"
#include "sim/observe/signature.h"

enum { MAX_GRANULARITY = 16 };

/* A last line that memory does not fill is filled up with zeros. */
bool ztl_signature_print(FILE *out, const void *context)
{
    const ztl_signature *s = context;
    for (uint64_t address = s->begin; address < s->end; address += s->granularity) {
        uint8_t bytes[MAX_GRANULARITY] = {0};
        uint64_t left = s->end - address;
        ztl_hart_read_memory(s->hart, address, bytes,
                             left < s->granularity ? (size_t)left : s->granularity);
        for (unsigned i = s->granularity; i-- > 0;)
            fprintf(out, "%02x", bytes[i]);
        fputc('\n', out);
    }
    return !ferror(out);
}

/* One piece of RAM or several, without a gap. */
static bool is_memory(const ztl_hart *hart, uint64_t begin, uint64_t end)
{
    return ztl_memory_usable(hart, begin, end - begin, 0) == end - begin;
}

static bool find_range(const ztl_program *program, ztl_signature *s, ztl_error *error)
{
    ztl_symbol first, last;
    if (!ztl_program_find(program, "begin_signature", &first))
        return ztl_fail(error, "the program has no symbol begin_signature");
    if (!ztl_program_find(program, "end_signature", &last))
        return ztl_fail(error, "the program has no symbol end_signature");
    s->begin = first.address;
    s->end = last.address;
    if (s->end < s->begin || !is_memory(s->hart, s->begin, s->end))
        return ztl_fail(
            error, "begin_signature 0x%" PRIx64 " and end_signature 0x%" PRIx64 " enclose no RAM",
            s->begin, s->end);
    return true;
}

bool ztl_signature_find(const ztl_program *program, const ztl_hart *hart, unsigned granularity,
                        ztl_signature *s, ztl_error *error)
{
    *s = (ztl_signature){.hart = hart, .granularity = granularity};
    if (!granularity || granularity > MAX_GRANULARITY || (granularity & (granularity - 1)))
        return ztl_fail(error, "granularity %u is not 1, 2, 4, 8 or 16", granularity);
    return find_range(program, s, error);
}

bool ztl_signature_write(const ztl_program *program, const ztl_hart *hart, const char *path,
                         unsigned granularity, ztl_error *error)
{
    ztl_signature s;
    const ztl_output output = {path, ztl_signature_print, &s};
    if (!ztl_signature_find(program, hart, granularity, &s, error))
        return false;
    return ztl_outputs_write(&output, 1, NULL) || ztl_fail(error, "%s: %s", path, strerror(errno));
}
