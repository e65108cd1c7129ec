/* SPDX-License-Identifier: Apache-2.0
 * Lines of a text protocol: bounded input, words, numbers and hexadecimal bytes.
 */
#ifndef ZTL_LINE_H
#define ZTL_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A line of input. A longer one than the limit is read to its end and marked. */
typedef struct ztl_line {
    char *text;
    size_t size;
    size_t length;
    bool too_long;
    bool no_memory; /* for more of it */
} ztl_line;

/* Reads the next line without its end; false at the end of the input, when it cannot be read, or
 * when memory runs out. */
bool ztl_line_read(ztl_line *line, FILE *in, size_t limit);
void ztl_line_free(ztl_line *line);

/* Cuts the next word off *rest, in place; NULL when only white space is left. */
char *ztl_line_word(char **rest);

/* A number, decimal (a minus sign is two's complement) or 0x; false when it is not one. */
bool ztl_line_number(const char *text, uint64_t *value);

/* Two digits a byte, first byte first. The size must be exactly that of the text. */
bool ztl_line_bytes(const char *hex, uint8_t *bytes, size_t size);

/* Prints the bytes in lower-case hexadecimal. */
void ztl_line_print_bytes(FILE *out, const uint8_t *bytes, size_t size);

#endif
