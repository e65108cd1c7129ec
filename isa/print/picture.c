/* SPDX-License-Identifier: Apache-2.0
 * The encoding of an instruction as boxes:
 *
 *      31    30 29      25 24      20 19      15 14  12 11       7 6            0
 *     +--------+----------+----------+----------+------+----------+--------------+
 *     | engine |  0xxxx   |  tlrs2   |  tlrs1   | 011  |    rs    |   1011011    |
 *     +--------+----------+----------+----------+------+----------+--------------+
 */
#include <string.h>

#include "isa/print/print.h"

typedef struct box {
    char label[40]; /* the operand's name or the fixed bits */
    int width;
} box;

static void label_fixed(box *made, const ztl_field *field, uint32_t match, uint32_t known)
{
    size_t n = 0;
    for (unsigned bit = field->high + 1; bit-- > field->low;)
        made->label[n++] = !(known >> bit & 1) ? 'x' : match >> bit & 1 ? '1' : '0';
    made->label[n] = '\0';
}

static box box_of(const ztl_field *field, const ztl_insn_row *row, uint32_t known)
{
    box made = {.width = (int)(2 * (field->high - field->low + 1))};
    if (field->operand)
        snprintf(made.label, sizeof made.label, "%s", field->operand->name);
    else
        label_fixed(&made, field, row->match, known);
    int least = (int)strlen(made.label) + 2;
    if (least < 5 && field->high != field->low)
        least = 5; /* room for two numbers and a space */
    if (made.width < least)
        made.width = least;
    return made;
}

static void print_numbers(FILE *out, const ztl_field *field, int width)
{
    if (field->high == field->low)
        fprintf(out, " %*u", width, field->high);
    else
        fprintf(out, " %-*u%2u", width - 2, field->high, field->low);
}

static void print_line(FILE *out, const box *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputc('+', out);
        for (int k = 0; k < boxes[i].width; k++)
            fputc('-', out);
    }
    fputs("+\n", out);
}

void ztl_print_picture(FILE *out, const ztl_insn_row *row, uint32_t known)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    box boxes[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(row->format, fields);
    for (size_t i = 0; i < count; i++)
        boxes[i] = box_of(&fields[i], row, known);
    for (size_t i = 0; i < count; i++)
        print_numbers(out, &fields[i], boxes[i].width);
    fputc('\n', out);
    print_line(out, boxes, count);
    for (size_t i = 0; i < count; i++) {
        int space = boxes[i].width - (int)strlen(boxes[i].label);
        fprintf(out, "|%*s%s%*s", space / 2, "", boxes[i].label, space - space / 2, "");
    }
    fputs("|\n", out);
    print_line(out, boxes, count);
}
