/* SPDX-License-Identifier: Apache-2.0
 * A tensor as a grid of cells.
 */
#include <string.h>

#include "draw/parts/parts.h"

enum { DIMENSIONS = ZTL_SCENE_DIMENSIONS };

/* The dimensions that go down and across, and then in each place down and across. */
static const unsigned *roles(const ztl_grid *grid)
{
    static const unsigned four[] = {0, 1, 2, 3}, three[] = {0, 3, 1, 2};
    return grid->is_three ? three : four;
}

/* How many of the dimension with a role are drawn. */
static unsigned shown(const ztl_grid *grid, unsigned role)
{
    return grid->shown[roles(grid)[role]];
}

unsigned ztl_grid_rows(const ztl_grid *grid)
{
    return shown(grid, 0) * shown(grid, 2);
}

unsigned ztl_grid_columns(const ztl_grid *grid)
{
    return shown(grid, 1) * shown(grid, 3);
}

bool ztl_grid_fits(const ztl_grid *grid, const ztl_limits *limits, unsigned label)
{
    return ztl_limits_allow(limits, ztl_grid_rows(grid), ztl_grid_columns(grid), shown(grid, 1),
                            label);
}

ztl_panel *ztl_grid_panel(const ztl_grid *grid, ztl_picture *picture)
{
    ztl_panel *panel = ztl_picture_panel(picture, ztl_grid_rows(grid), ztl_grid_columns(grid));
    if (panel && shown(grid, 2) > 1)
        panel->group_rows = shown(grid, 2);
    if (panel && shown(grid, 3) > 1)
        panel->group_columns = shown(grid, 3);
    return panel;
}

size_t ztl_grid_element(const ztl_grid *grid, unsigned row, unsigned column,
                        unsigned index[DIMENSIONS])
{
    const unsigned *role = roles(grid);
    index[role[0]] = row / shown(grid, 2);
    index[role[1]] = column / shown(grid, 3);
    index[role[2]] = row % shown(grid, 2);
    index[role[3]] = column % shown(grid, 3);
    size_t element = 0;
    for (unsigned k = 0; k < DIMENSIONS; k++)
        element = element * grid->size[k] + index[k];
    return element;
}

void ztl_grid_cell(const ztl_grid *grid, const unsigned index[DIMENSIONS], unsigned *row,
                   unsigned *column)
{
    unsigned place[DIMENSIONS];
    for (unsigned k = 0; k < DIMENSIONS; k++)
        place[k] = index[roles(grid)[k]] % shown(grid, k);
    *row = place[0] * shown(grid, 2) + place[2];
    *column = place[1] * shown(grid, 3) + place[3];
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

void ztl_grid_title(const ztl_grid *grid, unsigned dimensions, ztl_language language, char *text,
                    size_t size)
{
    size_t first = DIMENSIONS - dimensions; /* three dimensions are the last three */
    size_t length = list(grid->size + first, dimensions, text, size);
    if (!memcmp(grid->size, grid->shown, sizeof grid->size) || length + 32 >= size)
        return;
    length += (size_t)snprintf(text + length, size - length, "%s", ZTL_WORD(language, ZTL_T_DRAWN));
    list(grid->shown + first, dimensions, text + length, size - length);
}
