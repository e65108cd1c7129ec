/* SPDX-License-Identifier: Apache-2.0
 * Which attributes an operator has: one that it does not have is a mistake of the caller's.
 */
#include "ops/api/check.h"
#include "ops/operators/table.h"

/* What is not zero has been set. */
#define IS_LIST(field)       (op->field.count != 0)
#define IS_TEXT(field)       (op->field != NULL)
#define IS_REALS(field)      IS_LIST(field)
#define IS_BITS(field)       IS_LIST(field)
#define IS_NUMBER(field)     (op->field != 0)
#define IS_COUNT(field)      IS_NUMBER(field)
#define IS_NOT(field)        IS_NUMBER(field)
#define IS_PADDING(field)    IS_NUMBER(field)
#define IS_BLOCKS(field)     IS_NUMBER(field)
#define IS_CACHE(field)      IS_NUMBER(field)
#define IS_OVERLAP(field)    IS_NUMBER(field)
#define IS_LAYOUT(field)     IS_NUMBER(field)
#define IS_COORDINATE(field) IS_NUMBER(field)
#define IS_NEAREST(field)    IS_NUMBER(field)
#define IS_ASPECT(field)     IS_NUMBER(field)
#define IS_FORMAT(field)     IS_NUMBER(field)
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
} attribute;

/* Several attributes may be one field. */
static bool is_of(const attribute *attributes, size_t field, enum ztl_ops_kind kind)
{
    const ops_has *has = ztl_ops_operator(kind)->has;
    while (has->attribute != OPS_ATTRIBUTES && attributes[has->attribute].field != field)
        has++;
    return has->attribute != OPS_ATTRIBUTES;
}

bool ztl_ops_check_attributes(const ops_call *call)
{
    const ztl_ops_op *op = call->op;
    const attribute attributes[] = {
#define ZTL_FIELD(ID, KIND, field) {#field, offsetof(ztl_ops_op, field), IS_##KIND(field)},
#define ZTL_ATTRIBUTE(ID, name, KIND, field, value, meaning)                                       \
    {name, offsetof(ztl_ops_op, field), IS_##KIND(field)},
#include "ops/attributes.def"
    };
    for (size_t i = 0; i < OPS_ATTRIBUTES; i++)
        if (attributes[i].is_set && !is_of(attributes, attributes[i].field, op->kind))
            return ztl_ops_fail(call->error, "%s has no attribute %s", ztl_ops_name(op->kind),
                                attributes[i].name);
    return true;
}
