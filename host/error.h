/* SPDX-License-Identifier: Apache-2.0
 * Messages of functions that can fail.
 */
#ifndef ZTL_HOST_ERROR_H
#define ZTL_HOST_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the message, if there is room for one, and returns false. */
__attribute__((format(printf, 3, 4))) static inline bool ztl_fail(char *error, size_t size,
                                                                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error && size)
        vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return false;
}

#endif
