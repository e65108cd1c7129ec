/* SPDX-License-Identifier: Apache-2.0
 * A trap in words: the text of the rule that was broken, with the values that broke it.
 */
#include <ztl/ztl.h>

#include "codec/text.h"

/* %1 and %2 are the values in decimal, %x the first in hexadecimal. */
static void expand(ztl_text *out, const char *rule, const uint64_t value[2])
{
    for (const char *c = rule; *c; c++) {
        if (c[0] != '%')
            ztl_text_char(out, *c);
        else if (*++c == 'x')
            ztl_text_hex(out, value[0], 1);
        else
            ztl_text_unsigned(out, value[*c - '1']);
    }
}

size_t ztl_explain(const ztl_result *result, char *text, size_t size)
{
    ztl_text out = ztl_text_in(text, size);
    if (!result || result->status == ZTL_MISUSE) {
        ztl_text_add(&out, "the call was wrong: a NULL or misaligned pointer");
    } else if (result->status == ZTL_OK) {
        ztl_text_add(&out, "no trap");
    } else {
        bool has_reason = result->reason != ZTL_REASON_NONE;
        ztl_text_add(&out,
                     has_reason ? ztl_reason_name(result->reason) : ztl_cause_words(result->cause));
        ztl_text_add(&out, ": ");
        expand(&out, ztl_rule_text(result->rule), result->value);
    }
    return out.length;
}
