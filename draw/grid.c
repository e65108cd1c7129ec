/* SPDX-License-Identifier: Apache-2.0
 * A tensor as a grid of cells.
 */
#include <string.h>

#include "draw/parts.h"

enum { DIMENSIONS = ZTL_SCENE_DIMENSIONS };

unsigned ztl_grid_rows(const ztl_grid *grid)
{
    return grid->shown[0] * grid->shown[2];
}

unsigned ztl_grid_columns(const ztl_grid *grid)
{
    return grid->shown[1] * grid->shown[3];
}

bool ztl_grid_fits(const ztl_grid *grid, const ztl_limits *limits, unsigned label)
{
    return ztl_limits_allow(limits, ztl_grid_rows(grid), ztl_grid_columns(grid), grid->shown[1],
                            label);
}

ztl_panel *ztl_grid_panel(const ztl_grid *grid, ztl_picture *picture)
{
    ztl_panel *panel = ztl_picture_panel(picture, ztl_grid_rows(grid), ztl_grid_columns(grid));
    if (panel && grid->shown[2] > 1)
        panel->group_rows = grid->shown[2];
    if (panel && grid->shown[3] > 1)
        panel->group_columns = grid->shown[3];
    return panel;
}

size_t ztl_grid_element(const ztl_grid *grid, unsigned row, unsigned column,
                        unsigned index[DIMENSIONS])
{
    index[0] = row / grid->shown[2];
    index[1] = column / grid->shown[3];
    index[2] = row % grid->shown[2];
    index[3] = column % grid->shown[3];
    size_t element = 0;
    for (unsigned k = 0; k < DIMENSIONS; k++)
        element = element * grid->size[k] + index[k];
    return element;
}

void ztl_grid_index(const ztl_grid *grid, size_t element, unsigned index[DIMENSIONS])
{
    for (unsigned k = DIMENSIONS; k-- > 0; element /= grid->size[k])
        index[k] = (unsigned)(element % grid->size[k]);
}

static bool has_long_numbers(const ztl_grid *grid)
{
    bool any = false;
    for (unsigned k = 0; k < DIMENSIONS; k++)
        any = any || grid->shown[k] > 10;
    return any;
}

void ztl_grid_label(const ztl_grid *grid, const unsigned index[DIMENSIONS], char *text, size_t size)
{
    const char *point = has_long_numbers(grid) ? "." : "";
    size_t length = 0;
    snprintf(text, size, "0");
    for (unsigned k = 0; k < DIMENSIONS && length < size; k++)
        if (grid->size[k] > 1)
            length += (size_t)snprintf(text + length, size - length, "%s%u", length ? point : "",
                                       index[k]);
}

unsigned ztl_grid_label_length(const ztl_grid *grid)
{
    char text[40];
    unsigned last[DIMENSIONS];
    for (unsigned k = 0; k < DIMENSIONS; k++)
        last[k] = grid->shown[k] - 1;
    ztl_grid_label(grid, last, text, sizeof text);
    return (unsigned)strlen(text);
}

static size_t list(const unsigned *size, unsigned dimensions, char *text, size_t room)
{
    size_t length = (size_t)snprintf(text, room, "[");
    for (unsigned k = 0; k < dimensions && length < room; k++)
        length += (size_t)snprintf(text + length, room - length, "%s%u", k ? ", " : "", size[k]);
    if (length < room)
        length += (size_t)snprintf(text + length, room - length, "]");
    return length;
}

void ztl_grid_title(const ztl_grid *grid, unsigned dimensions, char *text, size_t size)
{
    size_t first = DIMENSIONS - dimensions; /* three dimensions are the last three */
    size_t length = list(grid->size + first, dimensions, text, size);
    if (!memcmp(grid->size, grid->shown, sizeof grid->size) || length + 16 >= size)
        return;
    length += (size_t)snprintf(text + length, size - length, ", drawn ");
    list(grid->shown + first, dimensions, text + length, size - length);
}
