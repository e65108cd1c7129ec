/* SPDX-License-Identifier: Apache-2.0
 * CONCAT and MERGE: two blocks, and the block made of them.
 */
#include <string.h>

#include "draw/parts/parts.h"
#include "host/error.h"

enum { DIMENSIONS = ZTL_SCENE_DIMENSIONS, SOURCES = 2, MOST_CELLS = 128 };

typedef struct block {
    ztl_language language;
    const ztl_trace *trace;
    unsigned result, source[SOURCES];
    unsigned nibbles; /* of an element */
    unsigned along;   /* the dimension that the mask is for */
    size_t elements;
    ztl_grid grid; /* D0 is 1, then the three dimensions */
} block;

static const char letters[SOURCES] = {'a', 'b'};

/* Which source a name is of, and which element; -1 for neither. */
static int source_of(const block *b, uint32_t name, size_t *element)
{
    for (int i = 0; i < SOURCES; i++) {
        uint32_t first = ztl_trace_name(b->source[i], 0);
        if (name >= first && name < first + ZTL_TRACE_NIBBLES) {
            *element = (name - first) / b->nibbles;
            return i;
        }
    }
    return -1;
}

/* Blue for the first source, orange for the second; by the position along the dimension. */
static uint32_t colour_of(const block *b, int source, size_t element)
{
    unsigned index[DIMENSIONS];
    ztl_grid_index(&b->grid, element, index);
    unsigned k = b->along + 1, size = b->grid.size[k];
    return ztl_colour(source ? 15 + 40 * index[k] / size : 190 + 60 * index[k] / size,
                      62 + 24 * index[k] / size);
}

static void label_cell(const block *b, ztl_cell *cell, int source, size_t element)
{
    unsigned index[DIMENSIONS];
    ztl_grid_index(&b->grid, element, index);
    cell->label[0] = letters[source];
    ztl_grid_label(&b->grid, index, cell->label + 1, sizeof cell->label - 1);
}

static bool is_used(const block *b, int source, size_t element)
{
    size_t from = 0;
    for (size_t n = 0; n < b->elements; n++)
        if (source_of(b, b->trace->tl[b->result][n * b->nibbles], &from) == source &&
            from == element)
            return true;
    return false;
}

static void fill_source(const block *b, ztl_cell *cell, int source, size_t n)
{
    label_cell(b, cell, source, n);
    bool used = b->result == 0 || is_used(b, source, n);
    cell->kind = used ? ZTL_CELL_COLOURED : ZTL_CELL_UNUSED;
    cell->rgb = colour_of(b, source, n);
    ZTL_SAY(b->language, cell->title, sizeof cell->title, ZTL_T_ELEMENT, b->source[source], n);
}

static void fill_result(const block *b, ztl_cell *cell, size_t n)
{
    size_t from = 0;
    uint32_t name = b->trace->tl[b->result][n * b->nibbles];
    int source = source_of(b, name, &from);
    int length = ZTL_SAY(b->language, cell->title, sizeof cell->title, ZTL_T_ELEMENT, b->result, n);
    char *more = cell->title + length;
    size_t room = sizeof cell->title - (size_t)length;
    if (source >= 0) {
        label_cell(b, cell, source, from);
        cell->kind = ZTL_CELL_COLOURED;
        cell->rgb = colour_of(b, source, from);
        ZTL_SAY(b->language, more, room, ZTL_T_WAS_ELEMENT, b->source[source], from);
        return;
    }
    bool is_zero = name == ZTL_TRACE_ZERO;
    cell->kind = ZTL_CELL_KEPT;
    snprintf(cell->label, sizeof cell->label, is_zero ? "0" : "-");
    snprintf(more, room, "%s",
             is_zero ? ZTL_WORD(b->language, ZTL_T_IS_ZERO) : ZTL_WORD(b->language, ZTL_T_KEEPS));
}

/* The dimension of the mask as far as it fits, less of the others. */
static void choose_size(block *b, const ztl_limits *limits)
{
    static const unsigned sizes[][2] = {{32, 8}, {32, 4}, {16, 4}, {32, 2}, {16, 2},
                                        {32, 1}, {16, 1}, {8, 4},  {8, 2},  {8, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < DIMENSIONS; k++) {
            unsigned most = sizes[i][k != b->along + 1];
            b->grid.shown[k] = b->grid.size[k] < most ? b->grid.size[k] : most;
        }
        unsigned rows = b->grid.shown[1] * b->grid.shown[2], columns = b->grid.shown[3];
        if (rows * columns <= MOST_CELLS &&
            ztl_limits_allow(limits, rows, columns, 0, ztl_grid_label_length(&b->grid) + 1))
            return;
    }
}

/* `source` SOURCES: the result. */
static bool draw_panel(const block *b, int source, ztl_picture *picture)
{
    /* D0 and D1 of the block are down, D2 across. */
    ztl_panel *panel =
        ztl_picture_panel(picture, b->grid.shown[1] * b->grid.shown[2], b->grid.shown[3]);
    if (!panel)
        return false;
    char shape[96];
    ztl_grid_title(&b->grid, 3, b->language, shape, sizeof shape);
    if (source < SOURCES)
        snprintf(panel->title, sizeof panel->title, "%c: tl%u %s", letters[source],
                 b->source[source], shape);
    else
        ZTL_SAY(b->language, panel->title, sizeof panel->title, ZTL_T_AFTER_TL, b->result);
    panel->group_rows = b->grid.shown[2] > 1 ? b->grid.shown[2] : 0;
    for (unsigned row = 0; row < panel->rows; row++)
        for (unsigned column = 0; column < panel->columns; column++) {
            ztl_cell *cell = &panel->cell[row * panel->columns + column];
            size_t n =
                ((size_t)(row / b->grid.shown[2]) * b->grid.size[2] + row % b->grid.shown[2]) *
                    b->grid.size[3] +
                column;
            if (source < SOURCES)
                fill_source(b, cell, source, n);
            else
                fill_result(b, cell, n);
        }
    return true;
}

/* Whether some of the result that is shown comes from neither source. */
static bool keeps_some(const ztl_panel *result)
{
    for (unsigned i = 0; i < result->rows * result->columns; i++)
        if (!strcmp(result->cell[i].label, "-"))
            return true;
    return false;
}

bool ztl_draw_block(const ztl_scene *scene, const ztl_trace *trace, const ztl_limits *limits,
                    ztl_picture *picture, ztl_error *error)
{
    block b = {.language = picture->language,
               .trace = trace,
               .result = (unsigned)ztl_scene_operand(scene, "tlrd"),
               .source = {(unsigned)ztl_scene_operand(scene, "tlrs1"),
                          (unsigned)ztl_scene_operand(scene, "tlrs2")},
               .nibbles = ztl_scene_bits(scene) / 4,
               .along = scene->insn.row->arg,
               .elements = 1,
               .grid = {.size = {1, scene->shape[0], scene->shape[1], scene->shape[2]}}};
    for (unsigned k = 0; k < DIMENSIONS; k++)
        b.elements *= b.grid.size[k];
    choose_size(&b, limits);
    for (int i = 0; i <= SOURCES; i++)
        if (!draw_panel(&b, i, picture))
            return ztl_fail(error, "no memory");
    const bool keeps = keeps_some(&picture->panel[picture->panels - 1]);
    ztl_picture_note(picture, "%s",
                     keeps ? ZTL_WORD(picture->language, ZTL_T_NOTE_BLOCK_KEEPS)
                           : ZTL_WORD(picture->language, ZTL_T_NOTE_BLOCK));
    ztl_picture_note(picture, "%s", ZTL_WORD(picture->language, ZTL_T_NOTE_BLOCK_AXES));
    return true;
}
