/* SPDX-License-Identifier: Apache-2.0
 * The inputs that a node must have.
 */
#include <string.h>

#include "host/error.h"
#include "onnx/graph/graph.h"

static const struct {
    int64_t since;
    const char *inputs, *kinds;
} table[] = {
#define ONNX_INPUTS(since, inputs, kinds) {since, inputs, kinds},
#include "onnx/graph/inputs.def"
};

/* The words of a list lie between single spaces. */
static size_t word_length(const char *at)
{
    return strcspn(at, " ");
}

static const char *next_word(const char *at)
{
    at += word_length(at);
    return *at ? at + 1 : at;
}

bool ztl_onnx_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list = next_word(list))
        if (word_length(list) == length && !memcmp(list, word, length))
            return true;
    return false;
}

/* The names of a node's inputs in the model's opset, rows being in the order of their opsets. */
static const char *inputs_of(const onnx_graph *graph, const onnx_node *node)
{
    const char *inputs = "";
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].since <= graph->opset && ztl_onnx_has_word(table[i].kinds, node->kind))
            inputs = table[i].inputs;
    return inputs;
}

static bool is_there(const onnx_node *node, size_t i)
{
    return i < node->inputs && node->input[i] != ONNX_NONE;
}

bool ztl_onnx_check_inputs(const onnx_graph *graph, const onnx_node *node, ztl_error *error)
{
    size_t i = 0;
    if (node->is_foreign)
        return true;
    for (const char *name = inputs_of(graph, node); *name; name = next_word(name)) {
        size_t length = word_length(name);
        bool any = length > 3 && !memcmp(name + length - 3, "...", 3);
        for (size_t first = i; i == first || (any && i < node->inputs); i++)
            if (!is_there(node, i))
                return ztl_fail(error, "node %s (%s): its input %.*s is missing", node->label,
                                node->kind, (int)(any ? length - 3 : length), name);
    }
    return true;
}
