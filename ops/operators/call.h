/* SPDX-License-Identifier: Apache-2.0
 * What the operators share. Each gives the shape of its outputs and its index map.
 */
#ifndef ZTL_OPS_CALL_H
#define ZTL_OPS_CALL_H

#include "ops/map/map.h"

typedef struct ops_call {
    const ztl_ops_op *op;
    const ztl_ops_tensor *in;
    size_t inputs;
    ztl_ops_tensor *out;
    size_t outputs;
    ztl_error *error;
} ops_call;

/* Sets out[…] and outputs; false with an error. */
typedef bool ops_shape(ops_call *call);

/* Adds the pieces of the map. */
typedef void ops_mapper(const ops_call *call, ops_map *map);

#define ZTL_OPERATOR(ID, name, ...)                                                                \
    ops_shape ztl_ops_shape_##name;                                                                \
    ops_mapper ztl_ops_map_##name;
#include "ops/operators.def"

/* Writes the error's text; always false. */
bool ztl_ops_fail(ztl_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes output k a dense tensor with the element of input 0, or of so many bits. */
bool ztl_ops_output(ops_call *call, size_t k, unsigned rank, const int64_t *extent);
bool ztl_ops_output_of(ops_call *call, size_t k, int64_t bits, unsigned rank,
                       const int64_t *extent);

/* An axis of a tensor of `rank`, negative ones counted from the end; -1 with an error. */
int ztl_ops_axis(const ops_call *call, int64_t axis, unsigned rank);

/* The axes in a list as flags; false with an error. An empty list is every axis. */
bool ztl_ops_axes(const ops_call *call, ztl_ops_list list, unsigned rank, bool *chosen);

/* Whether a list has one value for each of `count`. */
bool ztl_ops_needs(const ops_call *call, ztl_ops_list list, size_t count, const char *name);

static inline int64_t ops_value(ztl_ops_list list, size_t k, int64_t otherwise)
{
    return list.count ? list.value[k] : otherwise;
}

int64_t ztl_ops_tensor_elements(const ztl_ops_tensor *tensor);

/* The range of an integer type. */
int64_t ztl_ops_lowest(const ztl_type_row *type);
int64_t ztl_ops_highest(const ztl_type_row *type);

/* One element plus an immediate, by the rules of ADDI. */
uint64_t ztl_ops_add_value(const ztl_type_row *type, uint64_t value, int64_t addend);

/* A word of 64 bits of a constant: OPS_FILL or OPS_FILL_ON. */
static inline uint64_t ops_fill_word(const ztl_ops_op *op, unsigned src, unsigned word)
{
    return src == OPS_FILL_ON ? op->on[word] : word ? op->wide[word - 1] : op->value;
}

/* Which input holds indices, or a condition, that are read at run time; -1 where none does. */
int ztl_ops_index_input(const ztl_ops_op *op, size_t inputs);

/* That it can be read. */
bool ztl_ops_check_indices(const ops_call *call);

/* Which element goes where, as far as that is known before; false without such an input. */
struct ops_lookup;
bool ztl_ops_look_up(const ops_call *call, struct ops_lookup *x);

/* The dimensions of a list of indices, whose number goes to *count; and whether that is theirs. */
ztl_ops_list ztl_ops_index_shape(const ops_call *call, int64_t *count);
bool ztl_ops_check_index_shape(const ops_call *call, ztl_ops_list shape);

/* How many different positions a gather reads. */
size_t ztl_ops_gather_positions(const ops_call *call, ops_arena *arena);

/* A piece with the dimensions of the target, from a source of the given steps. */
ops_piece *ztl_ops_add_box(ops_map *map, unsigned src, const ztl_ops_tensor *in, unsigned dst,
                           const ztl_ops_tensor *out);

/* In rows of equal rank: copies n positions of every axis, from in_at to out_at. */
void ztl_ops_add_part(ops_map *map, unsigned src, const ztl_ops_tensor *in, const int64_t *in_at,
                      unsigned dst, const ztl_ops_tensor *out, const int64_t *out_at,
                      const int64_t *n);

/* Fills everything of an output that is outside a box. */
void ztl_ops_add_frame(ops_map *map, unsigned dst, const ztl_ops_tensor *out, const int64_t *at,
                       const int64_t *n);

/* The whole output from an input that may lack dimensions, or have 1 where the output has more. */
ops_piece *ztl_ops_add_broadcast(ops_map *map, unsigned src, const ztl_ops_tensor *in,
                                 const ztl_ops_tensor *out);

#endif
