/* SPDX-License-Identifier: Apache-2.0
 * Building the graph of a model: values by name, nodes in order, attributes.
 */
#include "onnx/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "onnx/graph/read.h"

#define UNMADE (SIZE_MAX - 1) /* the producer of a value that nothing makes, so far */

/* What a graph is made from. */
typedef struct making {
    onnx_graph *graph;
    char *folder; /* of the model */
    onnx_dim *dim;
    size_t dims;
    ztl_error *error;
} making;

static size_t hash(const char *name)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 32);
}

/* Where a name is, or belongs. */
static size_t slot_of(const onnx_graph *graph, const char *name)
{
    size_t at = hash(name) & (graph->slots - 1);
    while (graph->slot[at] != ONNX_NONE && strcmp(graph->value[graph->slot[at]].name, name) != 0)
        at = (at + 1) & (graph->slots - 1);
    return at;
}

size_t ztl_onnx_find(const onnx_graph *graph, const char *name)
{
    return graph->slot[slot_of(graph, name)];
}

static onnx_value *value_of(onnx_graph *graph, const char *name)
{
    size_t at = slot_of(graph, name);
    if (graph->slot[at] == ONNX_NONE) {
        graph->slot[at] = graph->values;
        graph->value[graph->values++] = (onnx_value){.name = name, .rank = -1, .producer = UNMADE};
    }
    return &graph->value[graph->slot[at]];
}

onnx_value *ztl_onnx_in(const onnx_graph *graph, const onnx_node *node, size_t i)
{
    return i < node->inputs && node->input[i] != ONNX_NONE ? &graph->value[node->input[i]] : NULL;
}

onnx_value *ztl_onnx_out(const onnx_graph *graph, const onnx_node *node, size_t i)
{
    return i < node->outputs && node->output[i] != ONNX_NONE ? &graph->value[node->output[i]]
                                                             : NULL;
}

const Onnx__AttributeProto *ztl_onnx_attribute(const onnx_node *node, const char *name)
{
    for (size_t i = 0; i < node->proto->n_attribute; i++)
        if (node->proto->attribute[i]->name && !strcmp(node->proto->attribute[i]->name, name))
            return node->proto->attribute[i];
    return NULL;
}

int64_t ztl_onnx_int(const onnx_node *node, const char *name, int64_t otherwise)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(node, name);
    return a && a->has_i ? a->i : otherwise;
}

bool ztl_onnx_word_is(const onnx_node *node, const char *name, const char *word,
                      const char *otherwise)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(node, name);
    if (!a || !a->has_s)
        return !strcmp(otherwise, word);
    return a->s.len == strlen(word) && !memcmp(a->s.data, word, a->s.len);
}

static size_t most_values(const Onnx__GraphProto *g)
{
    size_t count = g->n_initializer + g->n_input + g->n_output + g->n_value_info + 1;
    for (size_t i = 0; i < g->n_node; i++)
        count += g->node[i]->n_input + g->node[i]->n_output;
    return count;
}

static bool allocate(onnx_graph *graph)
{
    const Onnx__GraphProto *g = graph->proto;
    size_t values = most_values(g);
    for (graph->slots = 16; graph->slots < 2 * values;)
        graph->slots *= 2;
    graph->slot = malloc(graph->slots * sizeof *graph->slot);
    graph->value = calloc(values, sizeof *graph->value);
    graph->node = calloc(g->n_node + 1, sizeof *graph->node);
    graph->list = calloc(values, sizeof *graph->list);
    graph->input = calloc(g->n_input + 1, sizeof *graph->input);
    graph->output = calloc(g->n_output + 1, sizeof *graph->output);
    if (!graph->slot || !graph->value || !graph->node || !graph->list || !graph->input ||
        !graph->output)
        return false;
    for (size_t i = 0; i < graph->slots; i++)
        graph->slot[i] = ONNX_NONE;
    return true;
}

static bool dim_of(making *m, const char *name, int64_t *extent)
{
    for (size_t i = 0; i < m->dims; i++)
        if (!strcmp(m->dim[i].name, name)) {
            m->dim[i].used = true;
            *extent = m->dim[i].extent;
            return true;
        }
    return false;
}

static bool take_dimension(making *m, const Onnx__TensorShapeProto__Dimension *from,
                           const char *name, int64_t *extent)
{
    *extent = -1;
    if (from->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE) {
        *extent = from->dim_value;
        return *extent >= 0 ||
               ztl_fail(m->error, "value %s: extent %lld is negative", name, (long long)*extent);
    }
    if (from->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM && from->dim_param)
        dim_of(m, from->dim_param, extent);
    return true;
}

/* What the file says of a value: value_info, or an input's or output's type. */
static bool take_info(making *m, const Onnx__ValueInfoProto *info, onnx_value *value)
{
    const Onnx__TypeProto *type = info->type;
    if (!type || type->value_case == ONNX__TYPE_PROTO__VALUE__NOT_SET)
        return true;
    if (type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
        value->other = type->value_case == ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE   ? "a sequence"
                       : type->value_case == ONNX__TYPE_PROTO__VALUE_MAP_TYPE      ? "a map"
                       : type->value_case == ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE ? "an optional"
                                                                                   : "sparse";
        return true;
    }
    const Onnx__TypeProto__Tensor *tensor = type->tensor_type;
    value->type = tensor && tensor->has_elem_type ? tensor->elem_type : ONNX_UNDEFINED;
    if (!tensor || !tensor->shape)
        return true;
    if (tensor->shape->n_dim > ONNX_RANK) { /* only what is moved needs a shape */
        value->deep = tensor->shape->n_dim;
        return true;
    }
    value->rank = (int)tensor->shape->n_dim;
    for (size_t d = 0; d < tensor->shape->n_dim; d++)
        if (!take_dimension(m, tensor->shape->dim[d], value->name, &value->extent[d]))
            return false;
    return true;
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

static bool take_initializers(making *m)
{
    const Onnx__GraphProto *g = m->graph->proto;
    for (size_t i = 0; i < g->n_initializer; i++) {
        const char *name = text_of(g->initializer[i]->name);
        onnx_value *value = value_of(m->graph, name);
        if (value->is_initializer)
            return ztl_fail(m->error, "tensor %s: two initializers have this name", name);
        value->is_initializer = true;
        value->producer = ONNX_OUTSIDE;
        if (!ztl_onnx_bits(g->initializer[i]->data_type)) {
            value->other =
                g->initializer[i]->data_type == ONNX_STRING ? "of strings" : "of an unknown type";
            continue;
        }
        if (!ztl_onnx_read_tensor(g->initializer[i], m->folder, value, m->error))
            return false;
    }
    return true;
}

static bool take_inputs(making *m)
{
    onnx_graph *graph = m->graph;
    const Onnx__GraphProto *g = graph->proto;
    for (size_t i = 0; i < g->n_input; i++) {
        const char *name = text_of(g->input[i]->name);
        onnx_value *value = value_of(graph, name);
        if (value->is_initializer) /* before IR version 4 every one is listed as an input */
            continue;
        if (value->producer == ONNX_OUTSIDE)
            return ztl_fail(m->error, "input %s: two inputs have this name", name);
        value->producer = ONNX_OUTSIDE;
        if (!take_info(m, g->input[i], value))
            return false;
        graph->input[graph->inputs++] = (size_t)(value - graph->value);
    }
    return true;
}

static bool take_infos(making *m)
{
    onnx_graph *graph = m->graph;
    const Onnx__GraphProto *g = graph->proto;
    for (size_t i = 0; i < g->n_output; i++) {
        onnx_value *value = value_of(graph, text_of(g->output[i]->name));
        if (!value->is_initializer && value->rank < 0 && !take_info(m, g->output[i], value))
            return false;
        value->is_output = true;
        graph->output[graph->outputs++] = (size_t)(value - graph->value);
    }
    for (size_t i = 0; i < g->n_value_info; i++) {
        onnx_value *value = value_of(graph, text_of(g->value_info[i]->name));
        if (!value->is_initializer && value->rank < 0 && !take_info(m, g->value_info[i], value))
            return false;
    }
    return true;
}

bool ztl_onnx_is_own(const char *domain)
{
    return !domain || !*domain || !strcmp(domain, "ai.onnx");
}

static void take_names(making *m, char **name, size_t count, size_t *list)
{
    for (size_t i = 0; i < count; i++)
        list[i] =
            *text_of(name[i]) ? (size_t)(value_of(m->graph, name[i]) - m->graph->value) : ONNX_NONE;
}

static bool take_nodes(making *m)
{
    onnx_graph *graph = m->graph;
    const Onnx__GraphProto *g = graph->proto;
    size_t *list = graph->list;
    for (size_t i = 0; i < g->n_node; i++) {
        const Onnx__NodeProto *proto = g->node[i];
        onnx_node *node = &graph->node[graph->nodes++];
        *node = (onnx_node){.proto = proto,
                            .kind = text_of(proto->op_type),
                            .input = list,
                            .output = list + proto->n_input,
                            .inputs = proto->n_input,
                            .outputs = proto->n_output,
                            .domain = ztl_onnx_is_own(proto->domain) ? "" : proto->domain,
                            .is_foreign = !ztl_onnx_is_own(proto->domain)};
        node->label = proto->name && *proto->name ? proto->name
                      : proto->n_output           ? text_of(proto->output[0])
                                                  : node->kind;
        list += proto->n_input + proto->n_output;
        take_names(m, proto->input, proto->n_input, node->input);
        take_names(m, proto->output, proto->n_output, node->output);
        if (!ztl_onnx_check_inputs(graph, node, m->error))
            return false;
        for (size_t o = 0; o < node->outputs; o++) {
            onnx_value *value = ztl_onnx_out(graph, node, o);
            if (value && value->producer != UNMADE)
                return ztl_fail(m->error, "node %s: its output %s has a second source", node->label,
                                value->name);
            if (value)
                value->producer = i;
        }
    }
    return true;
}

static bool check_sources(making *m)
{
    const onnx_graph *graph = m->graph;
    for (size_t n = 0; n < graph->nodes; n++)
        for (size_t i = 0; i < graph->node[n].inputs; i++) {
            const onnx_value *value = ztl_onnx_in(graph, &graph->node[n], i);
            if (value && value->producer == UNMADE)
                return ztl_fail(m->error, "node %s (%s): nothing makes its input %s",
                                graph->node[n].label, graph->node[n].kind, value->name);
        }
    for (size_t i = 0; i < graph->outputs; i++)
        if (graph->value[graph->output[i]].producer == UNMADE)
            return ztl_fail(m->error, "output %s: nothing makes it",
                            graph->value[graph->output[i]].name);
    return true;
}

/* Depth first, without recursion: a node comes after those that make its inputs. */
typedef struct sorting {
    size_t *stack, *next; /* nodes under way, and the input of each node to look at next */
    uint8_t *state;       /* 0: not seen, 1: under way, 2: in the order */
    onnx_node *order;
    size_t depth, done;
} sorting;

/* The node that must come before this one, ONNX_NONE when all do. */
static size_t one_before(const onnx_graph *graph, sorting *s, size_t n)
{
    while (s->next[n] < graph->node[n].inputs) {
        const onnx_value *value = ztl_onnx_in(graph, &graph->node[n], s->next[n]++);
        if (value && value->producer != ONNX_OUTSIDE && s->state[value->producer] != 2)
            return value->producer;
    }
    return ONNX_NONE;
}

static bool sort_from(making *m, sorting *s, size_t start)
{
    const onnx_graph *graph = m->graph;
    s->stack[s->depth++] = start;
    s->state[start] = 1;
    while (s->depth) {
        size_t n = s->stack[s->depth - 1], before = one_before(graph, s, n);
        if (before == ONNX_NONE) {
            s->depth--;
            s->state[n] = 2;
            s->order[s->done++] = graph->node[n];
        } else if (s->state[before] == 1) {
            return ztl_fail(m->error, "node %s (%s): waits for itself, the graph has a cycle",
                            graph->node[before].label, graph->node[before].kind);
        } else {
            s->state[before] = 1;
            s->stack[s->depth++] = before;
        }
    }
    return true;
}

static bool sort_nodes(making *m)
{
    size_t count = m->graph->nodes;
    sorting s = {.stack = calloc(count + 1, sizeof *s.stack),
                 .next = calloc(count + 1, sizeof *s.next),
                 .state = calloc(count + 1, 1),
                 .order = calloc(count + 1, sizeof *s.order)};
    bool good = s.stack && s.next && s.state && s.order;
    if (!good)
        ztl_fail(m->error, "out of memory");
    for (size_t n = 0; good && n < count; n++)
        good = s.state[n] || sort_from(m, &s, n);
    if (good)
        memcpy(m->graph->node, s.order, count * sizeof *s.order);
    free(s.stack);
    free(s.next);
    free(s.state);
    free(s.order);
    return good;
}

static void note_uses(onnx_graph *graph)
{
    for (size_t n = 0; n < graph->nodes; n++) {
        for (size_t o = 0; o < graph->node[n].outputs; o++)
            if (ztl_onnx_out(graph, &graph->node[n], o)) {
                ztl_onnx_out(graph, &graph->node[n], o)->producer = n;
                ztl_onnx_out(graph, &graph->node[n], o)->last_use = n;
            }
        for (size_t i = 0; i < graph->node[n].inputs; i++)
            if (ztl_onnx_in(graph, &graph->node[n], i))
                ztl_onnx_in(graph, &graph->node[n], i)->last_use = n;
    }
    for (size_t i = 0; i < graph->outputs; i++)
        graph->value[graph->output[i]].last_use = SIZE_MAX;
}

/* The values that the nodes of a body take from outside it. A body's own values may have the same
 * names: then one more is noted, which only keeps a value that could be left out. */
static void note_captures(onnx_graph *graph, const Onnx__GraphProto *body)
{
    for (size_t n = 0; n < body->n_node; n++) {
        for (size_t i = 0; i < body->node[n]->n_input; i++) {
            size_t at = ztl_onnx_find(graph, text_of(body->node[n]->input[i]));
            if (at != ONNX_NONE)
                graph->value[at].is_captured = true;
        }
        for (size_t i = 0; i < body->node[n]->n_attribute; i++)
            if (body->node[n]->attribute[i]->g)
                note_captures(graph, body->node[n]->attribute[i]->g);
    }
    for (size_t i = 0; i < body->n_output; i++) {
        size_t at = ztl_onnx_find(graph, text_of(body->output[i]->name));
        if (at != ONNX_NONE)
            graph->value[at].is_captured = true;
    }
}

static void note_bodies(onnx_graph *graph)
{
    for (size_t n = 0; n < graph->nodes; n++)
        for (size_t i = 0; i < graph->node[n].proto->n_attribute; i++)
            if (graph->node[n].proto->attribute[i]->g)
                note_captures(graph, graph->node[n].proto->attribute[i]->g);
}

static bool take_opset(making *m)
{
    const Onnx__ModelProto *model = m->graph->model;
    m->graph->opset = 1;
    for (size_t i = 0; i < model->n_opset_import; i++)
        if (ztl_onnx_is_own(model->opset_import[i]->domain) && model->opset_import[i]->has_version)
            m->graph->opset = model->opset_import[i]->version;
    return m->graph->opset >= 1 ||
           ztl_fail(m->error, "opset %lld does not exist", (long long)m->graph->opset);
}

static bool check_dims(making *m)
{
    for (size_t i = 0; i < m->dims; i++)
        if (!m->dim[i].used)
            return ztl_fail(m->error, "no dimension is called %s", m->dim[i].name);
    return true;
}

static bool fill(making *m)
{
    onnx_graph *graph = m->graph;
    if (!graph->model->graph)
        return ztl_fail(m->error, "the model has no graph");
    graph->proto = graph->model->graph;
    if (graph->proto->n_sparse_initializer)
        return ztl_fail(m->error, "sparse initializers are not supported");
    if (!allocate(graph))
        return ztl_fail(m->error, "out of memory");
    if (!take_opset(m) || !take_initializers(m) || !take_inputs(m) || !take_infos(m) ||
        !take_nodes(m) || !check_sources(m) || !sort_nodes(m) || !check_dims(m))
        return false;
    note_uses(graph);
    note_bodies(graph);
    return true;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

onnx_graph *ztl_onnx_open(const char *path, onnx_dim *dims, size_t dim_count, ztl_error *error)
{
    onnx_graph *graph = calloc(1, sizeof *graph);
    ztl_error why = {""};
    making m = {graph, folder_of(path), dims, dim_count, &why};
    bool good = graph && m.folder;
    if (!good)
        ztl_fail(error, "%s: out of memory", path);
    else if (!(graph->model = ztl_onnx_read_model(path, error)))
        good = false;
    else if (!fill(&m))
        good = ztl_fail(error, "%s: %.900s", path, why.text);
    free(m.folder);
    if (good)
        return graph;
    ztl_onnx_close(graph);
    return NULL;
}

void ztl_onnx_close(onnx_graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->values; i++)
        ztl_onnx_release(graph->value[i].buffer);
    free(graph->slot);
    free(graph->value);
    free(graph->node);
    free(graph->list);
    free(graph->input);
    free(graph->output);
    ztl_onnx_free_model(graph->model);
    free(graph);
}
