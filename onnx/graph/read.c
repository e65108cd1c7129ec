/* SPDX-License-Identifier: Apache-2.0
 * Reading protobuf files of ONNX, and the external files of their tensors.
 */
#include "onnx/graph/read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/error.h"
#include "host/process/buffer.h"

/* A message in a message in a message: protobuf-c recurses for each, so a file could exhaust the
 * stack. No real model is deeper than a few subgraphs. */
enum { DEEPEST = 100 };

static bool take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 70; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= shift < 64 ? (uint64_t)(byte & 127) << shift : 0;
        if (byte < 128)
            return true;
    }
    return false;
}

/* Over one field's value; *part is what a length-delimited one holds. */
static bool skip_field(unsigned wire, const uint8_t **at, const uint8_t *end, const uint8_t **part,
                       uint64_t *length)
{
    static const uint8_t fixed[] = {[1] = 8, [5] = 4};
    if (wire == 0)
        return take_varint(at, end, length);
    if (wire == 2) {
        if (!take_varint(at, end, length) || *length > (uint64_t)(end - *at))
            return false;
        *part = *at;
        *at += *length;
        return true;
    }
    if (wire > 5 || !fixed[wire] || end - *at < fixed[wire])
        return false;
    *at += fixed[wire];
    return true;
}

static bool is_shallow(const ProtobufCMessageDescriptor *kind, const uint8_t *at,
                       const uint8_t *end, unsigned depth)
{
    while (at < end) {
        uint64_t tag, length = 0;
        const uint8_t *part = NULL;
        if (!take_varint(&at, end, &tag) || !skip_field(tag & 7, &at, end, &part, &length))
            return false;
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(kind, (unsigned)(tag >> 3));
        if (part && field && field->type == PROTOBUF_C_TYPE_MESSAGE &&
            (depth == 0 || !is_shallow(field->descriptor, part, part + length, depth - 1)))
            return false;
    }
    return true;
}

/* Memory for messages. protobuf-c does not say why it gave up: a want of memory is noted. */
static void *take_memory(void *is_short, size_t size)
{
    void *memory = malloc(size);
    *(bool *)is_short = *(bool *)is_short || !memory;
    return memory;
}

static void give_back(void *is_short, void *memory)
{
    (void)is_short;
    free(memory);
}

/* A whole file as a message; NULL with an error. */
static ProtobufCMessage *read_message(const char *path, const ProtobufCMessageDescriptor *kind,
                                      const char *what, ztl_error *error)
{
    ztl_buffer file = {0};
    ProtobufCMessage *message = NULL;
    bool is_short = false;
    ProtobufCAllocator memory = {take_memory, give_back, &is_short};
    if (!ztl_buffer_read(&file, path)) {
        ztl_fail(error, "%s: %s", path, strerror(errno));
    } else {
        const uint8_t *bytes = (const uint8_t *)ztl_buffer_text(&file); /* not NULL */
        if (is_shallow(kind, bytes, bytes + file.length, DEEPEST))
            message = protobuf_c_message_unpack(kind, &memory, file.length, bytes);
        if (!message && is_short)
            ztl_fail(error, "%s: out of memory", path);
        else if (!message)
            ztl_fail(error, "%s: not %s", path, what);
    }
    ztl_buffer_free(&file);
    return message;
}

Onnx__ModelProto *ztl_onnx_read_model(const char *path, ztl_error *error)
{
    return (Onnx__ModelProto *)read_message(path, &onnx__model_proto__descriptor, "an ONNX model",
                                            error);
}

void ztl_onnx_free_model(Onnx__ModelProto *model)
{
    if (model)
        onnx__model_proto__free_unpacked(model, NULL);
}

static const char *name_of(const Onnx__TensorProto *tensor)
{
    return tensor->name && *tensor->name ? tensor->name : "a tensor";
}

static bool take_shape(const Onnx__TensorProto *tensor, onnx_value *value, ztl_ops_tensor *form,
                       ztl_error *error)
{
    const char *name = name_of(tensor);
    value->type = tensor->data_type;
    if (!ztl_onnx_bits(value->type))
        return ztl_fail(error, "tensor %s: elements are %s", name, ztl_onnx_type_name(value->type));
    value->rank = (int)tensor->n_dims;
    for (size_t d = 0; d < tensor->n_dims; d++) {
        value->extent[d] = tensor->dims[d];
        if (value->extent[d] < 0)
            return ztl_fail(error, "tensor %s: extent %lld is negative", name,
                            (long long)value->extent[d]);
    }
    return ztl_onnx_tensor(value, form) || ztl_fail(error, "tensor %s: too large", name);
}

/* Elements of a list of wider numbers, the low bytes of each. */
static void narrow(const void *from, size_t width, size_t count, uint8_t *to, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * bytes, (const uint8_t *)from + i * width, bytes);
}

/* The list of numbers that a tensor of this type keeps its elements in. */
static const void *typed_list(const Onnx__TensorProto *t, size_t *width, size_t *count)
{
    switch (t->data_type) {
    case ONNX_FLOAT:
    case ONNX_COMPLEX64:
        *width = sizeof *t->float_data, *count = t->n_float_data;
        return t->float_data;
    case ONNX_DOUBLE:
    case ONNX_COMPLEX128:
        *width = sizeof *t->double_data, *count = t->n_double_data;
        return t->double_data;
    case ONNX_INT64:
        *width = sizeof *t->int64_data, *count = t->n_int64_data;
        return t->int64_data;
    case ONNX_UINT32:
    case ONNX_UINT64:
        *width = sizeof *t->uint64_data, *count = t->n_uint64_data;
        return t->uint64_data;
    default:
        *width = sizeof *t->int32_data, *count = t->n_int32_data;
        return t->int32_data;
    }
}

static bool take_list(const Onnx__TensorProto *tensor, onnx_value *value, uint64_t size,
                      ztl_error *error)
{
    size_t width, count, bits = ztl_onnx_bits(value->type), wanted = ztl_onnx_count(value);
    const void *list = typed_list(tensor, &width, &count);
    bool pair = value->type == ONNX_COMPLEX64 || value->type == ONNX_COMPLEX128;
    size_t bytes = bits < 8 ? 1 : bits / (pair ? 16 : 8), in_byte = 8 / (bits < 8 ? bits : 8);
    wanted = (wanted + in_byte - 1) / in_byte * (pair ? 2 : 1);
    if (count != wanted)
        return ztl_fail(error, "tensor %s: %zu numbers, its shape needs %zu", name_of(tensor),
                        count, wanted);
    if (bytes > width || count * bytes > size)
        return ztl_fail(error, "tensor %s: elements in the wrong list", name_of(tensor));
    narrow(list, width, count, value->buffer->bytes, bytes);
    return true;
}

static const char *external(const Onnx__TensorProto *tensor, const char *key)
{
    for (size_t i = 0; i < tensor->n_external_data; i++)
        if (tensor->external_data[i]->key && !strcmp(tensor->external_data[i]->key, key))
            return tensor->external_data[i]->value;
    return NULL;
}

/* A file below a folder: neither an absolute path, nor .., nor a link on the way out. */
static int open_below(const char *folder, const char *location)
{
    char path[PATH_MAX], whole[PATH_MAX], root[PATH_MAX];
    if (!*location || *location == '/' ||
        (size_t)snprintf(path, sizeof path, "%s/%s", folder, location) >= sizeof path) {
        errno = EACCES;
        return -1;
    }
    if (!realpath(folder, root) || !realpath(path, whole))
        return -1;
    size_t length = strlen(root);
    if (strncmp(whole, root, length) != 0 || (whole[length] != '/' && length > 1)) {
        errno = EACCES;
        return -1;
    }
    return open(whole, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

static bool number_of(const Onnx__TensorProto *tensor, const char *key, uint64_t otherwise,
                      uint64_t *number)
{
    const char *text = external(tensor, key);
    char *end;
    *number = otherwise;
    if (!text)
        return true;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *number <= INT64_MAX;
}

static bool read_whole(int file, void *bytes, uint64_t size, uint64_t offset)
{
    for (uint64_t done = 0; done < size;) {
        ssize_t n =
            pread(file, (char *)bytes + done, (size_t)(size - done), (off_t)(offset + done));
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static bool take_external(const Onnx__TensorProto *tensor, const char *folder, onnx_value *value,
                          uint64_t size, ztl_error *error)
{
    const char *name = name_of(tensor), *location = external(tensor, "location");
    uint64_t offset, length;
    if (!folder)
        return ztl_fail(error, "tensor %s: external data cannot be used here", name);
    if (!location || !number_of(tensor, "offset", 0, &offset) ||
        !number_of(tensor, "length", size, &length))
        return ztl_fail(error, "tensor %s: location, offset or length of its external data", name);
    if (length != size)
        return ztl_fail(error, "tensor %s: %llu bytes of external data, its shape needs %llu", name,
                        (unsigned long long)length, (unsigned long long)size);
    int file = open_below(folder, location);
    struct stat status;
    bool good = file >= 0 && fstat(file, &status) == 0;
    if (file < 0)
        ztl_fail(error, "tensor %s: external data %s: %s", name, location,
                 errno == EACCES ? "not below the model's folder" : strerror(errno));
    else if (!good || !S_ISREG(status.st_mode))
        good = ztl_fail(error, "tensor %s: external data %s: not a file", name, location);
    else if (!(good = read_whole(file, value->buffer->bytes, size, offset)))
        ztl_fail(error, "tensor %s: external data %s: ends too early", name, location);
    if (file >= 0)
        close(file);
    return good;
}

static bool take_elements(const Onnx__TensorProto *tensor, const char *folder, onnx_value *value,
                          uint64_t size, ztl_error *error)
{
    if (tensor->has_data_location &&
        tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return take_external(tensor, folder, value, size, error);
    if (!tensor->has_raw_data || (!tensor->raw_data.len && size))
        return take_list(tensor, value, size, error);
    if (tensor->raw_data.len != size)
        return ztl_fail(error, "tensor %s: %zu bytes of raw_data, its shape needs %llu",
                        name_of(tensor), tensor->raw_data.len, (unsigned long long)size);
    if (size)
        memcpy(value->buffer->bytes, tensor->raw_data.data, (size_t)size);
    return true;
}

/* Whether the file can hold what the shape claims, before memory is taken for it. */
static bool has_elements(const Onnx__TensorProto *t, uint64_t size)
{
    size_t width, count;
    typed_list(t, &width, &count);
    return t->n_external_data || t->raw_data.len >= size || (uint64_t)count * width >= size;
}

bool ztl_onnx_read_tensor(const Onnx__TensorProto *tensor, const char *folder, onnx_value *value,
                          ztl_error *error)
{
    ztl_ops_tensor form;
    if (tensor->n_dims > ONNX_RANK) { /* nothing can be done with it, which is said there */
        value->type = tensor->data_type;
        value->rank = -1;
        value->deep = tensor->n_dims;
        return true;
    }
    if (!take_shape(tensor, value, &form, error))
        return false;
    if (tensor->segment)
        return ztl_fail(error, "tensor %s: segments are not supported", name_of(tensor));
    if (!has_elements(tensor, form.size))
        return ztl_fail(error, "tensor %s: its shape needs %llu bytes, which the file has not",
                        name_of(tensor), (unsigned long long)form.size);
    value->buffer = ztl_onnx_buffer(form.size);
    if (!value->buffer)
        return ztl_fail(error, "tensor %s: out of memory", name_of(tensor));
    if (take_elements(tensor, folder, value, form.size, error))
        return true;
    ztl_onnx_release(value->buffer);
    value->buffer = NULL;
    return false;
}

bool ztl_onnx_read_pb(const char *path, onnx_value *value, char **name, ztl_error *error)
{
    Onnx__TensorProto *tensor = (Onnx__TensorProto *)read_message(
        path, &onnx__tensor_proto__descriptor, "a tensor of ONNX", error);
    ztl_error why;
    if (!tensor)
        return false;
    *name = tensor->name ? strdup(tensor->name) : NULL;
    bool good = ztl_onnx_read_tensor(tensor, NULL, value, &why) ||
                ztl_fail(error, "%s: %.900s", path, why.text);
    onnx__tensor_proto__free_unpacked(tensor, NULL);
    return good;
}
