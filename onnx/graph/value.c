/* SPDX-License-Identifier: Apache-2.0
 * Element types and shapes of a graph's tensors.
 */
#include "onnx/graph/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "host/text.h"

enum class { NONE, REAL, SIGNED, UNSIGNED, PAIR, RAW };

static const struct {
    const char *name;
    uint8_t bits;
    uint8_t class;
} types[ONNX_TYPES] = {
    [ONNX_UNDEFINED] = {"undefined", 0, NONE},
    [ONNX_FLOAT] = {"float32", 32, REAL},
    [ONNX_UINT8] = {"uint8", 8, UNSIGNED},
    [ONNX_INT8] = {"int8", 8, SIGNED},
    [ONNX_UINT16] = {"uint16", 16, UNSIGNED},
    [ONNX_INT16] = {"int16", 16, SIGNED},
    [ONNX_INT32] = {"int32", 32, SIGNED},
    [ONNX_INT64] = {"int64", 64, SIGNED},
    [ONNX_STRING] = {"string", 0, NONE},
    [ONNX_BOOL] = {"bool", 8, UNSIGNED},
    [ONNX_FLOAT16] = {"float16", 16, REAL},
    [ONNX_DOUBLE] = {"float64", 64, REAL},
    [ONNX_UINT32] = {"uint32", 32, UNSIGNED},
    [ONNX_UINT64] = {"uint64", 64, UNSIGNED},
    [ONNX_COMPLEX64] = {"complex64", 64, PAIR},
    [ONNX_COMPLEX128] = {"complex128", 128, PAIR},
    [ONNX_BFLOAT16] = {"bfloat16", 16, REAL},
    [ONNX_FLOAT8E4M3FN] = {"float8e4m3fn", 8, RAW},
    [ONNX_FLOAT8E4M3FNUZ] = {"float8e4m3fnuz", 8, RAW},
    [ONNX_FLOAT8E5M2] = {"float8e5m2", 8, RAW},
    [ONNX_FLOAT8E5M2FNUZ] = {"float8e5m2fnuz", 8, RAW},
    [ONNX_UINT4] = {"uint4", 4, RAW},
    [ONNX_INT4] = {"int4", 4, RAW},
    [ONNX_FLOAT4E2M1] = {"float4e2m1", 4, RAW},
    [ONNX_FLOAT8E8M0] = {"float8e8m0", 8, RAW},
    [ONNX_UINT2] = {"uint2", 2, RAW},
    [ONNX_INT2] = {"int2", 2, RAW},
};

static bool is_known(int type)
{
    return type > 0 && type < ONNX_TYPES;
}

unsigned ztl_onnx_bits(int type)
{
    return is_known(type) ? types[type].bits : 0;
}

const char *ztl_onnx_type_name(int type)
{
    return is_known(type) ? types[type].name : "of an unknown type";
}

bool ztl_onnx_is_float(int type)
{
    return is_known(type) && types[type].class == REAL;
}

bool ztl_onnx_is_integer(int type)
{
    return is_known(type) && (types[type].class == SIGNED || types[type].class == UNSIGNED);
}

bool ztl_onnx_is_shaped(const onnx_value *value)
{
    bool known = value->rank >= 0 && ztl_onnx_bits(value->type);
    for (int d = 0; known && d < value->rank; d++)
        known = value->extent[d] >= 0;
    return known;
}

bool ztl_onnx_tensor(const onnx_value *value, ztl_ops_tensor *tensor)
{
    unsigned bits = ztl_onnx_bits(value->type);
    if (!ztl_onnx_is_shaped(value) ||
        !ztl_ops_dense(tensor, bits == 2 ? 4 : bits, (unsigned)value->rank, value->extent))
        return false;
    if (bits == 2) {
        tensor->bits = 2;
        tensor->size = ((uint64_t)ztl_onnx_count(value) + 3) / 4;
    }
    return true;
}

onnx_buffer *ztl_onnx_buffer(uint64_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    onnx_buffer *buffer = calloc(1, sizeof *buffer + (size_t)size + 1);
    if (buffer) {
        buffer->users = 1;
        buffer->size = size;
    }
    return buffer;
}

onnx_buffer *ztl_onnx_make(onnx_budget *budget, uint64_t size, ztl_error *error)
{
    uint64_t left = budget->most - budget->used;
    if (size > left) {
        ztl_fail(error, "needs %llu bytes, %llu are left of the budget of %llu for %s",
                 (unsigned long long)size, (unsigned long long)left,
                 (unsigned long long)budget->most, budget->what);
        return NULL;
    }
    onnx_buffer *buffer = ztl_onnx_buffer(size);
    if (!buffer) {
        ztl_fail(error, "out of memory");
        return NULL;
    }
    buffer->budget = budget;
    budget->used += size;
    return buffer;
}

onnx_buffer *ztl_onnx_share(onnx_buffer *buffer)
{
    if (buffer)
        buffer->users++;
    return buffer;
}

void ztl_onnx_release(onnx_buffer *buffer)
{
    if (!buffer || --buffer->users)
        return;
    if (buffer->budget)
        buffer->budget->used -= buffer->size;
    free(buffer);
}

size_t ztl_onnx_count(const onnx_value *value)
{
    size_t count = 1;
    for (int d = 0; d < value->rank; d++)
        count *= (size_t)value->extent[d];
    return count;
}

static uint64_t bits_of(const onnx_value *value, size_t i)
{
    uint64_t bits = 0;
    unsigned bytes = ztl_onnx_bits(value->type) / 8;
    memcpy(&bits, value->buffer->bytes + i * bytes, bytes <= 8 ? bytes : 8);
    return bits;
}

static double half_to_double(uint64_t bits)
{
    unsigned exponent = bits >> 10 & 31;
    double fraction = (double)(bits & 1023) / 1024;
    double value = exponent ? 1 + fraction : fraction;
    for (int e = exponent ? (int)exponent - 15 : -14; e; e += e < 0 ? 1 : -1)
        value = e < 0 ? value / 2 : value * 2;
    return bits & 0x8000 ? -value : value;
}

double ztl_onnx_real(const onnx_value *value, size_t i)
{
    uint64_t bits = bits_of(value, i);
    uint32_t word = (uint32_t)bits;
    float single;
    double real;
    if (value->type == ONNX_FLOAT16)
        return half_to_double(bits);
    if (value->type == ONNX_BFLOAT16)
        word <<= 16;
    memcpy(&single, &word, sizeof single);
    memcpy(&real, &bits, sizeof real);
    return !ztl_onnx_is_float(value->type) ? (double)ztl_onnx_integer(value, i)
           : value->type == ONNX_DOUBLE    ? real
                                           : (double)single;
}

int64_t ztl_onnx_integer(const onnx_value *value, size_t i)
{
    if (ztl_onnx_is_float(value->type)) {
        double real = ztl_onnx_real(value, i);
        return real > -9e18 && real < 9e18 ? (int64_t)real : 0;
    }
    uint64_t bits = bits_of(value, i);
    unsigned width = ztl_onnx_bits(value->type);
    if (types[value->type].class == SIGNED && width < 64 && bits >> (width - 1) & 1)
        bits |= ~UINT64_C(0) << width;
    return (int64_t)bits;
}

void ztl_onnx_set_integer(onnx_value *value, size_t i, int64_t number)
{
    unsigned bytes = ztl_onnx_bits(value->type) / 8;
    float single = (float)number;
    double real = (double)number;
    if (value->type == ONNX_FLOAT)
        memcpy(value->buffer->bytes + i * bytes, &single, bytes);
    else if (value->type == ONNX_DOUBLE)
        memcpy(value->buffer->bytes + i * bytes, &real, bytes);
    else if (value->type == ONNX_BOOL)
        value->buffer->bytes[i] = number != 0;
    else
        memcpy(value->buffer->bytes + i * bytes, &number, bytes <= 8 ? bytes : 8);
}

void ztl_onnx_put(const char *text, FILE *file)
{
    char safe[ZTL_ERROR_SIZE];
    ztl_safe_text(safe, sizeof safe, text);
    fputs(safe, file);
}

void ztl_onnx_describe(const onnx_value *value, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s [", ztl_onnx_type_name(value->type));
    for (int d = 0; d < value->rank && length < size; d++)
        length += value->extent[d] < 0
                      ? (size_t)snprintf(text + length, size - length, "%s?", d ? "," : "")
                      : (size_t)snprintf(text + length, size - length, "%s%lld", d ? "," : "",
                                         (long long)value->extent[d]);
    if (length < size)
        snprintf(text + length, size - length, value->rank < 0 ? "?]" : "]");
}
