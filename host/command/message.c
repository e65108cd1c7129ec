/* SPDX-License-Identifier: Apache-2.0
 * Writing a message with the name of the command before it.
 */
#include "host/command/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/command/terminal.h"
#include "host/text.h"

void ztl_message(const char *command, const char *format, ...)
{
    enum { MESSAGE = 4096 };
    char message[MESSAGE], safe[4 * MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: ", command);
    for (char *line = message, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        ztl_safe_text(safe, sizeof safe, line);
        ztl_terminal_signs(safe);
        fprintf(stderr, "%s\n", safe);
    }
}
