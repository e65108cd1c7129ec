/* SPDX-License-Identifier: Apache-2.0
 * Operators as text: their names, and attributes as options with values.
 */
#ifndef ZTL_OPS_TEXT_H
#define ZTL_OPS_TEXT_H

#include <ztl/ops.h>

/* An operator with the memory of its lists, of which it has fewer than there is room for. */
typedef struct ztl_op_text {
    ztl_ops_op op;
    void *memory[32];
    size_t used;
} ztl_op_text;

/* The operator of a name; false when there is none. */
bool ztl_op_find(const char *name, ztl_ops_op *op);

enum ztl_op_attribute_kind {
    ZTL_OP_LIST,
    ZTL_OP_TEXT,
    ZTL_OP_REALS,
    ZTL_OP_NUMBER,
    ZTL_OP_NOT,
    ZTL_OP_AXIS,
    ZTL_OP_COUNT,
    ZTL_OP_PADDING, /* from here on: words of ops/words.def */
    ZTL_OP_BLOCKS,
    ZTL_OP_CACHE,
    ZTL_OP_OVERLAP,
    ZTL_OP_LAYOUT,
    ZTL_OP_COORDINATE,
    ZTL_OP_NEAREST,
    ZTL_OP_ASPECT,
    ZTL_OP_FORMAT, /* words of ops/formats.def */
    ZTL_OP_BITS,
    ZTL_OP_VALUE, /* from here on: only the caller knows the type of elements */
    ZTL_OP_VALUES,
    ZTL_OP_DTYPE
};

/* A row of ops/attributes.def. */
typedef struct ztl_op_attribute {
    const char *option, *value, *meaning; /* with dashes; what its value looks like */
    enum ztl_op_attribute_kind kind;
    size_t field; /* its offset in ztl_ops_op */
} ztl_op_attribute;

/* NULL past the last. Several rows may have the same option: no operator has two of them. */
const ztl_op_attribute *ztl_op_attribute_at(size_t index);

/* The row of an option: the operator's, or that of others; NULL where nobody has it. */
const ztl_op_attribute *ztl_op_attribute_of(enum ztl_ops_kind kind, const char *option);

/* Attribute `index` of an operator, in the order of its row; NULL past the last. */
const ztl_op_attribute *ztl_op_has(enum ztl_ops_kind kind, size_t index);

/* Whether an operator has an attribute of the table; whether it cannot do without it; and whether
 * it needs it or others of which it needs one. */
bool ztl_op_takes(enum ztl_ops_kind kind, const ztl_op_attribute *attribute);
bool ztl_op_needs(enum ztl_ops_kind kind, const ztl_op_attribute *attribute);
bool ztl_op_needs_either(enum ztl_ops_kind kind, const ztl_op_attribute *attribute);

enum ztl_op_parse { ZTL_OP_TAKEN, ZTL_OP_UNKNOWN, ZTL_OP_BAD };

/* Takes an option (with its dashes) and its value; BAD with what is wrong with the value.
 * VALUE, VALUES and DTYPE are UNKNOWN. */
enum ztl_op_parse ztl_op_option(ztl_op_text *text, const char *option, const char *value,
                                ztl_error *error);

/* Values that are not text: `values` is taken over and freed. */
void ztl_op_set_list(ztl_op_text *text, ztl_ops_list *list, int64_t *values, size_t count);

void ztl_op_free(ztl_op_text *text);

/* Whether a text is a number, but perhaps not a whole one: 3.5, inf, nan. */
bool ztl_op_is_fraction(const char *text);

#endif
