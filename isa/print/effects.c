/* SPDX-License-Identifier: Apache-2.0
 * The effects of operations as lists of names.
 */
#include "isa/print/print.h"

static void add(char *text, size_t size, size_t *length, const char *name)
{
    int more = snprintf(text + *length, size - *length, "%s%s", *length ? ", " : "", name);
    *length = *length + (size_t)more < size ? *length + (size_t)more : size - 1;
}

void ztl_effects_text(enum ztl_op op, char *text, size_t size)
{
    static const char *const names[] = {
#define ZTL_EFFECT(ID, name, meaning) name,
#include "isa/effect.def"
    };
    size_t length = 0;
    text[0] = '\0';
    for (unsigned k = 0; k < ZTL_EFFECTS; k++)
        if (ztl_op_effects(op) >> k & 1)
            add(text, size, &length, names[k]);
}

void ztl_reads_text(enum ztl_op op, char *text, size_t size)
{
    const ztl_csr_row *csr;
    size_t length = 0;
    text[0] = '\0';
    for (unsigned k = 0; (csr = ztl_isa_csr(k)); k++)
        if (ztl_op_effects(op) & ZTL_READS_CSR(k))
            add(text, size, &length, csr->name);
}
