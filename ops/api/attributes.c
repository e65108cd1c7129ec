/* SPDX-License-Identifier: Apache-2.0
 * Which attributes an operator has: one that it does not have is a mistake of the caller's.
 */
#include "ops/api/check.h"

/* What is not zero has been set. */
#define IS_LIST(field)       (op->field.count != 0)
#define IS_REALS(field)      IS_LIST(field)
#define IS_BITS(field)       IS_LIST(field)
#define IS_NUMBER(field)     (op->field != 0)
#define IS_COUNT(field)      IS_NUMBER(field)
#define IS_NOT(field)        IS_NUMBER(field)
#define IS_MODE(field)       IS_NUMBER(field)
#define IS_LAYOUT(field)     IS_NUMBER(field)
#define IS_COORDINATE(field) IS_NUMBER(field)
#define IS_NEAREST(field)    IS_NUMBER(field)
#define IS_ASPECT(field)     IS_NUMBER(field)
#define IS_DTYPE(field)      IS_NUMBER(field)
#define IS_TYPE(field)       IS_NUMBER(field)
#define IS_FLAG(field)       IS_NUMBER(field)
#define IS_AXIS(field)       (op->has_axis || op->field != 0)
#define IS_VALUE(field)      ((op->field | op->wide[0] | op->wide[1] | op->wide[2]) != 0)
#define IS_VALUES(field)     ((op->field[0] | op->field[1] | op->field[2] | op->field[3]) != 0)

typedef struct attribute {
    const char *name;
    size_t field;
    bool is_set;
    uint64_t operators;
} attribute;

/* Several attributes may be one field. */
static bool has(const attribute *attributes, size_t count, size_t field, unsigned kind)
{
    for (size_t i = 0; i < count; i++)
        if (attributes[i].field == field && attributes[i].operators >> kind & 1)
            return true;
    return false;
}

bool ztl_ops_check_attributes(const ops_call *call)
{
    const ztl_ops_op *op = call->op;
    const attribute attributes[] = {
#define TAKES(ID) | UINT64_C(1) << ZTL_OPS_##ID
#define NEEDS(ID) TAKES(ID)
#define ZTL_FIELD(KIND, field, operators)                                                          \
    {#field, offsetof(ztl_ops_op, field), IS_##KIND(field), UINT64_C(0) operators},
#define ZTL_ATTRIBUTE(name, KIND, field, value, meaning, operators)                                \
    {name, offsetof(ztl_ops_op, field), IS_##KIND(field), UINT64_C(0) operators},
#include "ops/attributes.def"
    };
    size_t count = sizeof attributes / sizeof attributes[0];
    for (size_t i = 0; i < count; i++)
        if (attributes[i].is_set && !has(attributes, count, attributes[i].field, op->kind))
            return ztl_ops_fail(call->error, "%s has no attribute %s", ztl_ops_name(op->kind),
                                attributes[i].name);
    return true;
}
