/* SPDX-License-Identifier: Apache-2.0
 * The elements of outputs, and of constants among them.
 */
#include "cli/op/input/elements.h"

#include <stdio.h>
#include <string.h>

#include "cli/npy/header.h"
#include "cli/op/input/value.h"
#include "host/error.h"

ztl_op_element ztl_op_element_of(const ztl_npy *npy, const ztl_type_row *type)
{
    ztl_op_element e = {.kind = npy->kind, .bits = npy->tensor.bits, .type = type};
    memcpy(e.descr, npy->descr, sizeof e.descr);
    return e;
}

bool ztl_op_element_named(const char *dtype, ztl_op_element *element, ztl_error *error)
{
    ztl_npy_header header;
    if (!ztl_npy_dtype(dtype, &header, error))
        return false;
    *element = (ztl_op_element){.kind = header.kind, .bits = header.bits};
    memcpy(element->descr, header.descr, sizeof element->descr);
    return true;
}

ztl_op_element ztl_op_element_typed(const ztl_type_row *type)
{
    static const struct {
        enum ztl_type type;
        const char *descr;
    } rows[] = {{ZTL_TYPE_BYTE, "|u1"},  {ZTL_TYPE_INT8, "|i1"}, {ZTL_TYPE_INT16, "<i2"},
                {ZTL_TYPE_INT32, "<i4"}, {ZTL_TYPE_FP16, "<f2"}, {ZTL_TYPE_FP32, "<f4"}};
    ztl_op_element e = {.kind = 'V', .bits = type->bits, .type = type};
    snprintf(e.descr, sizeof e.descr, type->bits == 4 ? "|u1" : "|V%u", type->bits / 8);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (ztl_isa_type(rows[i].type) == type) {
            snprintf(e.descr, sizeof e.descr, "%s", rows[i].descr);
            e.kind = rows[i].descr[1];
        }
    return e;
}

bool ztl_op_set_value(const char *text, const ztl_op_element *element, ztl_ops_op *op,
                      ztl_error *error)
{
    uint64_t word[ZTL_OP_WORDS];
    if (!ztl_op_value(text, element->kind, element->bits, element->type, word, error))
        return false;
    op->value = word[0];
    memcpy(op->wide, word + 1, sizeof op->wide);
    return true;
}

bool ztl_op_set_values(const char *text, const ztl_op_element *element, ztl_ops_op *op,
                       ztl_error *error)
{
    char off[128];
    const char *comma = strchr(text, ',');
    if (!comma || strchr(comma + 1, ',') || (size_t)(comma - text) >= sizeof off)
        return ztl_fail(error, "'%s' is not two numbers with a comma", text);
    snprintf(off, sizeof off, "%.*s", (int)(comma - text), text);
    return ztl_op_set_value(off, element, op, error) &&
           ztl_op_value(comma + 1, element->kind, element->bits, element->type, op->on, error);
}
