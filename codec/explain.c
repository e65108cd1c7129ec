/* SPDX-License-Identifier: Apache-2.0
 * A trap in words: the text of the rule that was broken, with the values that broke it.
 */
#include <ztl/ztl.h>

#include "codec/text.h"

/* "tmask_concat_1 (0x810)"; of a CSR that no revision has, the number alone. */
static void add_csr(ztl_text *out, uint64_t address)
{
    char name[32];
    bool known =
        address <= 0xfff && ztl_csr_name(ZTL_REVISIONS, (unsigned)address, name, sizeof name);
    if (known) {
        ztl_text_add(out, name);
        ztl_text_add(out, " (");
    }
    ztl_text_hex(out, address, 1);
    if (known)
        ztl_text_char(out, ')');
}

/* "5 (tl_load_stride5 = 12)"; in Ztl 1 the number alone. */
static void add_slice(ztl_text *out, const ztl_result *result)
{
    char name[32];
    ztl_text_unsigned(out, result->slice);
    if (!ztl_csr_name(ZTL_REVISIONS, result->stride_csr, name, sizeof name))
        return;
    ztl_text_add(out, " (");
    ztl_text_add(out, name);
    ztl_text_add(out, " = ");
    ztl_text_decimal(out, result->stride);
    ztl_text_char(out, ')');
}

/* isa/reason.def says what stands for what. */
static void expand(ztl_text *out, const ztl_result *result)
{
    for (const char *c = ztl_rule_text(result->rule); *c; c++) {
        if (*c != '%')
            ztl_text_char(out, *c);
        else if (*++c == 'x')
            ztl_text_hex(out, result->value[0], 1);
        else if (*c == 'c')
            add_csr(out, result->value[0]);
        else if (*c == 's')
            add_slice(out, result);
        else
            ztl_text_unsigned(out, result->value[*c - '1']);
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
        expand(&out, result);
    }
    return out.length;
}
