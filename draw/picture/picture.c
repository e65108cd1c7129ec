/* SPDX-License-Identifier: Apache-2.0
 * What pictures are made of.
 */
#include "draw/picture/picture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

ztl_picture *ztl_picture_new(const char *title, ztl_language language)
{
    ztl_picture *picture = calloc(1, sizeof *picture);
    if (picture) {
        snprintf(picture->title, sizeof picture->title, "%s", title);
        picture->language = language;
    }
    return picture;
}

void ztl_picture_free(ztl_picture *picture)
{
    if (!picture)
        return;
    for (size_t i = 0; i < picture->panels; i++)
        free(picture->panel[i].cell);
    free(picture);
}

ztl_panel *ztl_picture_panel(ztl_picture *picture, unsigned rows, unsigned columns)
{
    if (picture->panels == ZTL_PICTURE_PANELS || rows > ZTL_PANEL_SIDE || columns > ZTL_PANEL_SIDE)
        return NULL;
    ztl_panel *panel = &picture->panel[picture->panels];
    panel->cell = calloc((size_t)rows * columns + 1, sizeof *panel->cell);
    if (!panel->cell)
        return NULL;
    panel->rows = rows;
    panel->columns = columns;
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        panel->cell[i].kind = ZTL_CELL_PLAIN;
    picture->panels++;
    return panel;
}

void ztl_picture_note(ztl_picture *picture, const char *format, ...)
{
    if (picture->notes == ZTL_PICTURE_NOTES)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(picture->note[picture->notes++], ZTL_PICTURE_LINE, format, arguments);
    va_end(arguments);
}

bool ztl_limits_allow(const ztl_limits *limits, unsigned rows, unsigned columns, unsigned groups,
                      unsigned label)
{
    enum { ROW_LABEL = 8 };
    if (rows > limits->rows || columns > limits->columns)
        return false;
    return !limits->text_columns ||
           columns * (label + 1) + groups + ROW_LABEL <= limits->text_columns;
}

size_t ztl_text_next(const char *text)
{
    size_t length = *text != '\0';
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* Every character of three bytes that the pictures use is a wide one. */
unsigned ztl_text_columns(const char *text)
{
    unsigned columns = 0;
    for (size_t length; (length = ztl_text_next(text)); text += length)
        columns += length > 2 ? 2 : 1;
    return columns;
}

/* One of the three parts of a colour, 0 to 255. */
static uint32_t part(unsigned hue, unsigned lightness, unsigned offset)
{
    enum { SATURATION = 70 };
    double k = (double)((hue / 30 + offset) % 12) + (double)(hue % 30) / 30;
    double l = (double)lightness / 100, room = l < 1 - l ? l : 1 - l;
    double slope = k - 3 < 9 - k ? k - 3 : 9 - k;
    slope = slope > 1 ? 1 : slope < -1 ? -1 : slope;
    return (uint32_t)((l - SATURATION / 100.0 * room * slope) * 255 + 0.5);
}

uint32_t ztl_colour(unsigned hue, unsigned lightness)
{
    return part(hue, lightness, 0) << 16 | part(hue, lightness, 8) << 8 | part(hue, lightness, 4);
}
