/* SPDX-License-Identifier: Apache-2.0
 * The table of operators, and what its columns mean.
 */
#include "ops/operators/table.h"

#define NONE
#define TAKES(ID)  {OPS_ATTRIBUTE_##ID, OPS_TAKES},
#define NEEDS(ID)  {OPS_ATTRIBUTE_##ID, OPS_NEEDS},
#define EITHER(ID) {OPS_ATTRIBUTE_##ID, OPS_EITHER},
#define ZTL_OPERATOR(ID, name, command, inputs, traits, attributes, ...)                           \
    static const ops_has has_##name[] = {attributes{OPS_ATTRIBUTES, OPS_TAKES}};
#include "ops/operators.def"

static const ops_operator operators[] = {
#define ZTL_OPERATOR(ID, name, command, inputs, traits, ...)                                       \
    {command, inputs, traits, has_##name, ztl_ops_shape_##name, ztl_ops_map_##name},
#include "ops/operators.def"
};

const ops_operator *ztl_ops_operator(enum ztl_ops_kind kind)
{
    return &operators[kind];
}

const char *ztl_ops_name(enum ztl_ops_kind kind)
{
    return (unsigned)kind < ZTL_OPS_KINDS ? operators[kind].name : "";
}

const char *ztl_ops_input_name(enum ztl_ops_kind kind, size_t index, size_t *length)
{
    const char *at = operators[kind].inputs;
    for (; *at; at += *at == ' ') {
        const char *name = at + (*at == '[');
        at += strcspn(at, " ");
        *length = strcspn(name, ". ]");
        if (index-- == 0)
            return name;
    }
    return NULL;
}

ops_count ztl_ops_count_inputs(enum ztl_ops_kind kind)
{
    ops_count count = {0, 0};
    const char *name;
    for (size_t length; (name = ztl_ops_input_name(kind, count.most, &length)); count.most++) {
        if (name[length] != ']')
            count.least++;
        if (name[length] == '.')
            return (ops_count){1, ZTL_OPS_BUFFERS};
    }
    return count;
}

const ops_has *ztl_ops_find_attribute(enum ztl_ops_kind kind, enum ops_attribute attribute)
{
    for (const ops_has *has = operators[kind].has; has->attribute != OPS_ATTRIBUTES; has++)
        if (has->attribute == attribute)
            return has;
    return NULL;
}

/* Input n of OPS_INDICES(n), if it is there. */
int ztl_ops_index_input(const ztl_ops_op *op, size_t inputs)
{
    size_t n = operators[op->kind].traits >> OPS_TRAITS;
    return n && n < inputs && inputs <= ztl_ops_count_inputs(op->kind).most ? (int)n : -1;
}
