/* SPDX-License-Identifier: Apache-2.0
 * The rows of ops/operators.def: what each operator takes and does.
 */
#ifndef ZTL_OPS_TABLE_H
#define ZTL_OPS_TABLE_H

#include "ops/operators/call.h"

/* The traits of ops/trait.def, and which input holds indices: 0 is none. */
enum ops_trait_bit {
#define ZTL_TRAIT(ID, ...) OPS_TRAIT_##ID,
#include "ops/trait.def"
    OPS_TRAITS
};

enum ops_trait {
#define ZTL_TRAIT(ID, ...) OPS_##ID = 1 << OPS_TRAIT_##ID,
#include "ops/trait.def"
};

#define OPS_INDICES(n) ((n) << OPS_TRAITS)

enum ops_attribute {
#define ZTL_ATTRIBUTE(ID, ...) OPS_ATTRIBUTE_##ID,
#define ZTL_FIELD(ID, ...)     OPS_ATTRIBUTE_##ID,
#include "ops/attributes.def"
    OPS_ATTRIBUTES
};

enum ops_need { OPS_TAKES, OPS_NEEDS, OPS_EITHER };

/* An attribute of an operator. */
typedef struct ops_has {
    enum ops_attribute attribute;
    enum ops_need need;
} ops_has;

typedef struct ops_operator {
    const char *name, *inputs; /* of the command; the names of its inputs */
    unsigned traits;
    const ops_has *has; /* ends with OPS_ATTRIBUTES */
    ops_shape *shape;
    ops_mapper *map;
} ops_operator;

const ops_operator *ztl_ops_operator(enum ztl_ops_kind kind);

/* How many inputs an operator takes. */
typedef struct ops_count {
    size_t least, most;
} ops_count;

ops_count ztl_ops_count_inputs(enum ztl_ops_kind kind);

/* Input `index` of those that the row names: its name without brackets, of *length characters, NULL
 * past the last. */
const char *ztl_ops_input_name(enum ztl_ops_kind kind, size_t index, size_t *length);

/* The row's entry for an attribute, or NULL. */
const ops_has *ztl_ops_find_attribute(enum ztl_ops_kind kind, enum ops_attribute attribute);

static inline bool ops_does(const ztl_ops_op *op, enum ops_trait trait)
{
    return ztl_ops_operator(op->kind)->traits & trait;
}

#endif
