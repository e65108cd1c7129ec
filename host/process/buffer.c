/* SPDX-License-Identifier: Apache-2.0
 * Growing a text: appending strings, characters and formatted values.
 */
#include "host/process/buffer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(ztl_buffer *buffer, size_t more)
{
    size_t needed = buffer->length + more + 1;
    if (buffer->failed || needed <= buffer->capacity)
        return !buffer->failed;
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void ztl_buffer_part(ztl_buffer *buffer, const char *start, size_t length)
{
    if (!reserve(buffer, length))
        return;
    if (length)
        memcpy(buffer->data + buffer->length, start, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void ztl_buffer_add(ztl_buffer *buffer, const char *text)
{
    ztl_buffer_part(buffer, text, strlen(text));
}

void ztl_buffer_char(ztl_buffer *buffer, char c)
{
    ztl_buffer_part(buffer, &c, 1);
}

void ztl_buffer_format(ztl_buffer *buffer, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        buffer->failed = true;
        return;
    }
    ztl_buffer_part(buffer, text, (size_t)length);
    free(text);
}

void ztl_buffer_free(ztl_buffer *buffer)
{
    free(buffer->data);
    *buffer = (ztl_buffer){0};
}

const char *ztl_buffer_text(const ztl_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

bool ztl_buffer_read(ztl_buffer *buffer, const char *path)
{
    char block[8192];
    size_t count;
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!file)
        return false;
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        ztl_buffer_part(buffer, block, count);
    int problem = ferror(file) ? errno : 0;
    if (file != stdin)
        fclose(file);
    errno = problem;
    return !problem;
}
