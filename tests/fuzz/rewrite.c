/* SPDX-License-Identifier: Apache-2.0
 * Any bytes as assembly for the rewriter: it neither stumbles nor loses a line.
 */
#include <stdint.h>
#include <stdlib.h>

#include "toolchain/rewrite/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static size_t count_lines(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

/* The first byte chooses the revision. Text with .include in it grows by what it includes. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    ztl_rewriter r = {.revision = 1 + bytes[0] % 2};
    ztl_buffer text = {0}, out = {0};
    ztl_buffer_part(&text, (const char *)bytes + 1, size - 1);
    ztl_rewrite_text(&r, "in.s", ztl_buffer_text(&text), text.length);
    size_t lines = count_lines(ztl_buffer_text(&text), text.length);
    bool ended = text.length == 0 || text.data[text.length - 1] == '\n';
    size_t wanted = 1 + lines + !ended; /* the marker, the lines, an end to the last */
    if (count_lines(ztl_buffer_text(&r.body), r.body.length) != wanted)
        abort();
    ztl_rewrite_result(&r, &out);
    ztl_rewriter_free(&r);
    ztl_buffer_free(&text);
    ztl_buffer_free(&out);
    return 0;
}
