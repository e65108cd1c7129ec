/* SPDX-License-Identifier: Apache-2.0
 * What an operator moves, as an index map that somebody else carries out.
 */
#include "ops/api/moves.h"

#include <stdlib.h>

#include "ops/api/check.h"
#include "ops/operators/table.h"

/* A map of more pieces is not worth its memory. */
enum { MOST_PIECES = 1 << 20 };

/* Whether the operator only moves elements to and from places that are known now, and has at most
 * one constant. */
static bool is_map(const ztl_ops_op *op, size_t inputs)
{
    const unsigned more = OPS_SELECTS | OPS_ADDS | OPS_ON_OFF;
    return !(ztl_ops_operator(op->kind)->traits & more) && ztl_ops_index_input(op, inputs) < 0;
}

/* First without memory, to count the pieces. */
static bool build_map(ops_call *call, ops_moves *moves)
{
    ops_arena arena = {.base = NULL};
    ops_map *map = &moves->map;
    *map = (ops_map){.scratch_limit = 0};
    ztl_ops_build_map(call, &arena, map);
    if (map->count > MOST_PIECES)
        return false;
    size_t room =
        (map->count + 2) * sizeof(ops_piece) + 4 * call->op->indices.count * sizeof(int64_t);
    moves->memory = malloc(room);
    if (!moves->memory)
        return false;
    arena = (ops_arena){.base = moves->memory, .high = room & ~(size_t)7};
    *map = (ops_map){.scratch_limit = 0};
    if (!ztl_ops_build_map(call, &arena, map) || !(map->element || ztl_ops_to_bytes(map)))
        return false;
    map->arena = NULL;
    moves->element = map->element;
    return true;
}

static void describe(const ops_call *call, ops_moves *moves)
{
    const unsigned bits = call->out[0].bits;
    *moves = (ops_moves){
        .element = bits / 8, .inputs = (uint32_t)call->inputs, .outputs = (uint32_t)call->outputs};
    for (size_t i = 0; i < call->inputs + call->outputs; i++)
        ztl_ops_tensor_span(i < call->inputs ? &call->in[i] : &call->out[i - call->inputs],
                            &moves->spans[i].low, &moves->spans[i].high);
    for (size_t i = 0; i < call->outputs; i++)
        moves->bytes += (uint64_t)ztl_ops_tensor_elements(&call->out[i]) * bits / 8;
    for (unsigned b = 0; b < sizeof moves->value; b++)
        moves->value[b] = bits == 4
                              ? (uint8_t)((call->op->value & 15) * 17)
                              : (uint8_t)(ops_fill_word(call->op, OPS_FILL, b / 8) >> b % 8 * 8);
}

static enum ops_moves_form find_form(ops_call *call, ops_moves *moves)
{
    const ztl_ops_tensor *const all[] = {&call->in[0], &call->in[1], &call->in[2], &call->out[0]};
    if (is_map(call->op, call->inputs) && build_map(call, moves))
        return OPS_MOVES_MAP;
    if (call->out[0].bits == 4)
        return OPS_MOVES_OTHER;
    if (ops_does(call->op, OPS_SELECTS)) {
        moves->loops = ztl_ops_loops_of(all, OPS_TOGETHER);
        return OPS_MOVES_SELECTS;
    }
    return ztl_ops_look_up(call, &moves->look_up) ? OPS_MOVES_LOOK_UP : OPS_MOVES_OTHER;
}

bool ztl_ops_moves_of(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                      const ztl_ops_tensor *out, size_t outputs, ops_moves *moves, ztl_error *error)
{
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return false;
    describe(&call, moves);
    call.error = NULL; /* a form that does not fit is no error */
    moves->form = find_form(&call, moves);
    return true;
}

void ztl_ops_moves_free(ops_moves *moves)
{
    free(moves->memory);
}
