/* SPDX-License-Identifier: Apache-2.0
 * A text that grows.
 */
#ifndef ZTL_HOST_BUFFER_H
#define ZTL_HOST_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty buffer. Once memory ran out it stays `failed`, and further additions do
 * nothing, so that one check at the end is enough. */
typedef struct ztl_buffer {
    char *data; /* NUL-terminated, or NULL when nothing was ever added */
    size_t length;
    size_t capacity;
    bool failed;
} ztl_buffer;

void ztl_buffer_part(ztl_buffer *buffer, const char *start, size_t length);
void ztl_buffer_add(ztl_buffer *buffer, const char *text);
void ztl_buffer_char(ztl_buffer *buffer, char c);
__attribute__((format(printf, 2, 3))) void ztl_buffer_format(ztl_buffer *buffer, const char *format,
                                                             ...);
void ztl_buffer_free(ztl_buffer *buffer);

/* The text, never NULL. */
const char *ztl_buffer_text(const ztl_buffer *buffer);

/* Appends a whole file; false with errno set when it cannot be read. */
bool ztl_buffer_read(ztl_buffer *buffer, const char *path);

#endif
