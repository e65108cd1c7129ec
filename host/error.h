/* SPDX-License-Identifier: Apache-2.0
 * Messages of functions that can fail.
 */
#ifndef ZTL_HOST_ERROR_H
#define ZTL_HOST_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <ztl/error.h>

/* Writes the message, unless nobody asked for it, and returns false. */
__attribute__((format(printf, 2, 3))) static inline bool ztl_fail(ztl_error *error,
                                                                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error)
        vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

#endif
