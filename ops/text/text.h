/* SPDX-License-Identifier: Apache-2.0
 * The options of operators, as text.
 */
#ifndef ZTL_OPS_TEXT_H
#define ZTL_OPS_TEXT_H

#include <ztl/ops.h>

/* An operator with the memory of its lists, of which it has fewer than there is room for. */
typedef struct ztl_op_text {
    ztl_ops_op op;
    int64_t *memory[32];
    size_t used;
} ztl_op_text;

/* The operator of a name; false when there is none. */
bool ztl_op_find(const char *name, ztl_ops_op *op);

/* The name that is closest to one that does not exist, or NULL. */
const char *ztl_op_close(const char *name);

/* Whether the operator cannot do without an option. */
bool ztl_op_needs(enum ztl_ops_kind kind, const char *option);

/* The option that the operator cannot do without and that is not among the arguments, or NULL. */
const char *ztl_op_missing(enum ztl_ops_kind kind, int argc, char **argv);

/* False for an attribute that other operators have: an operator's line in the list names its own.
 */
bool ztl_op_uses(enum ztl_ops_kind kind, const char *option);

enum ztl_op_parse { ZTL_OP_TAKEN, ZTL_OP_UNKNOWN, ZTL_OP_BAD };

/* Takes an option (with its dashes) and its value; BAD with a message. */
__attribute__((nonnull)) enum ztl_op_parse
ztl_op_option(ztl_op_text *text, const char *option, const char *value, char *error, size_t size);

/* Gives a list attribute values that are not text. `values` is taken over and freed. */
void ztl_op_set_list(ztl_op_text *text, ztl_ops_list *list, int64_t *values, size_t count);

void ztl_op_free(ztl_op_text *text);

/* A list of numbers with commas; NULL with a message. The caller frees it. */
int64_t *ztl_op_numbers(const char *text, size_t *count, char *error, size_t size);

#endif
