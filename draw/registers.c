/* SPDX-License-Identifier: Apache-2.0
 * The register file, and how elements of each size lie in a register.
 */
#include <string.h>

#include "draw/draw.h"
#include "draw/parts/parts.h"
#include "host/error.h"

enum { DIMENSIONS = ZTL_SCENE_DIMENSIONS, FILE_COLUMNS = 8, NIBBLES = 16, SIZES = 8 };

/* The sizes of elements, in bits, that types or instructions of the revision have. */
static unsigned list_sizes(unsigned revision, unsigned sizes[SIZES])
{
    const ztl_type_row *type;
    const ztl_insn_row *row;
    unsigned has = revision == 1 ? 8 : 0, count = 0; /* every size is a power of two */
    for (size_t i = 0; revision > 1 && (type = ztl_isa_type(i)); i++)
        has |= type->bits;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision && row->op == ZTL_OP_PERMUTE)
            has |= 8u << row->arg;
    for (unsigned bits = 4; bits <= 64; bits *= 2)
        if (has & bits)
            sizes[count++] = bits;
    return count;
}

static bool draw_file(ztl_picture *picture)
{
    ztl_panel *panel = ztl_picture_panel(picture, ZTL_REGISTERS / FILE_COLUMNS, FILE_COLUMNS);
    if (!panel)
        return false;
    ZTL_SAY(picture->language, panel->title, sizeof panel->title, ZTL_T_FILE_SIZE, ZTL_REGISTERS,
            ZTL_REG_BYTES);
    for (unsigned n = 0; n < ZTL_REGISTERS; n++) {
        ztl_cell *cell = &panel->cell[n];
        cell->kind = n ? ZTL_CELL_COLOURED : ZTL_CELL_KEPT;
        cell->rgb = ztl_colour(205, 85);
        snprintf(cell->label, sizeof cell->label, n ? "tl%u" : "tl%u = 0", n);
    }
    return true;
}

/* "int8 e4m3": the types of a size. */
static void name_types(unsigned bits, char *text, size_t size)
{
    const ztl_type_row *type;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; (type = ztl_isa_type(i)) && length < size; i++)
        if (type->bits == bits)
            length += (size_t)snprintf(text + length, size - length, " %s", type->name);
}

static void draw_size(ztl_panel *panel, unsigned row, unsigned bits, ztl_language language)
{
    unsigned span = bits / 4;
    ZTL_SAY(language, panel->row_label[row], sizeof panel->row_label[row], ZTL_T_BITS, bits);
    for (unsigned column = 0; column < NIBBLES; column++) {
        ztl_cell *cell = &panel->cell[row * NIBBLES + column];
        cell->kind = column % span ? ZTL_CELL_NONE : ZTL_CELL_COLOURED;
        if (column % span)
            continue;
        cell->span = span;
        cell->rgb = ztl_colour(320 * column / NIBBLES, 82);
        snprintf(cell->label, sizeof cell->label, "%u", column / span);
    }
}

static bool draw_sizes(unsigned revision, ztl_picture *picture)
{
    unsigned sizes[SIZES], count = list_sizes(revision, sizes);
    ztl_panel *panel = ztl_picture_panel(picture, count, NIBBLES);
    if (!panel)
        return false;
    snprintf(panel->title, sizeof panel->title, "%s",
             ZTL_WORD(picture->language, ZTL_T_FIRST_BYTES));
    for (unsigned i = 0; i < count; i++)
        draw_size(panel, i, sizes[i], picture->language);
    for (unsigned byte = 0; byte < NIBBLES / 2; byte++)
        snprintf(panel->column_label[2 * byte], sizeof panel->column_label[0], "b%u", byte);
    for (unsigned i = 0; i < count; i++) {
        char types[96] = "", note[ZTL_PICTURE_LINE];
        if (revision > 1)
            name_types(sizes[i], types, sizeof types);
        ZTL_SAY(picture->language, note, sizeof note, ZTL_T_NOTE_SIZE, sizes[i],
                8 * ZTL_REG_BYTES / sizes[i], 16 * ZTL_REG_BYTES / sizes[i],
                *types ? ZTL_WORD(picture->language, ZTL_T_TYPES) : "", types);
        ztl_picture_note(picture, "%s", note);
    }
    return true;
}

/* The most of it that fits: its outer dimensions down, the last one across. */
static void choose_size(const ztl_block *block, ztl_grid *grid, const ztl_limits *limits)
{
    enum { MOST_CELLS = 256, LABEL = 5 };
    static const unsigned sizes[][2] = {{32, 32}, {16, 16}, {16, 12}, {8, 32}, {8, 16}, {8, 12},
                                        {8, 8},   {4, 32},  {4, 16},  {4, 12}, {4, 8},  {2, 32},
                                        {2, 16},  {2, 12},  {2, 8},   {2, 4},  {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < DIMENSIONS; k++) {
            unsigned most = sizes[i][k == DIMENSIONS - 1];
            grid->shown[k] = grid->size[k] < most ? grid->size[k] : most;
        }
        unsigned rows = grid->shown[0] * grid->shown[1] * grid->shown[2], last = grid->shown[3];
        unsigned margin = block->dimensions > 3 ? 6 : 0; /* of labels with a number more */
        if (rows * last <= MOST_CELLS && ztl_limits_allow(limits, rows, last, margin, LABEL))
            return;
    }
}

/* "[1, 2, 3], byte 11, high half" */
static void name_place(const ztl_block *block, const unsigned *index, size_t n,
                       ztl_language language, ztl_cell *cell)
{
    size_t length = 0, size = sizeof cell->title;
    for (unsigned k = 0; k < block->dimensions; k++)
        length += (size_t)snprintf(cell->title + length, size - length, "%s%u", k ? ", " : "[",
                                   index[DIMENSIONS - block->dimensions + k]);
    length += (size_t)snprintf(cell->title + length, size - length, "]");
    length += (size_t)ZTL_SAY(language, cell->title + length, size - length, ZTL_T_AT_BYTE,
                              (unsigned)(n * block->bits / 8));
    if (block->bits == 4)
        snprintf(cell->title + length, size - length, "%s",
                 n % 2 ? ZTL_WORD(language, ZTL_T_HIGH_HALF) : ZTL_WORD(language, ZTL_T_LOW_HALF));
}

static void draw_row(const ztl_block *block, const ztl_grid *grid, unsigned row, ztl_panel *panel,
                     ztl_language language)
{
    unsigned index[DIMENSIONS] = {row / grid->shown[2] / grid->shown[1],
                                  row / grid->shown[2] % grid->shown[1], row % grid->shown[2]};
    size_t first = ((size_t)index[0] * grid->size[1] + index[1]) * grid->size[2] + index[2];
    char *label = panel->row_label[row];
    if (block->dimensions > 3)
        snprintf(label, sizeof panel->row_label[row], "[%u, %u, %u]", index[0] & 255,
                 index[1] & 255, index[2] & 255);
    else
        snprintf(label, sizeof panel->row_label[row], "[%u, %u]", index[1] & 255, index[2] & 255);
    for (unsigned column = 0; column < panel->columns; column++) {
        ztl_cell *cell = &panel->cell[row * panel->columns + column];
        size_t n = first * grid->size[3] + column;
        index[3] = column;
        cell->kind = ZTL_CELL_COLOURED;
        cell->rgb = ztl_colour(320 * row / panel->rows, 72 + 16 * column / panel->columns);
        snprintf(cell->label, sizeof cell->label, "%zu", n);
        name_place(block, index, n, language, cell);
        snprintf(panel->column_label[column], sizeof panel->column_label[column], "%u", column);
    }
}

/* A block, row after row: its elements in the order of the register. */
static bool draw_block(const ztl_block *block, const ztl_limits *limits, ztl_picture *picture)
{
    ztl_grid grid = {.size = {1, 1, 1, 1}};
    unsigned bits = block->bits;
    for (unsigned k = 0; k < block->dimensions; k++) {
        grid.size[DIMENSIONS - block->dimensions + k] = block->size[k];
        bits *= block->size[k];
    }
    choose_size(block, &grid, limits);
    ztl_panel *panel =
        ztl_picture_panel(picture, grid.shown[0] * grid.shown[1] * grid.shown[2], grid.shown[3]);
    if (!panel)
        return false;
    char shape[96];
    ztl_grid_title(&grid, block->dimensions, picture->language, shape, sizeof shape);
    unsigned last = (bits + 7) / 8 - 1;
    if (block->dimensions > 3)
        ZTL_SAY(picture->language, panel->title, sizeof panel->title, ZTL_T_TENSOR, shape, last);
    else
        ZTL_SAY(picture->language, panel->title, sizeof panel->title, ZTL_T_BLOCK, shape, last);
    panel->group_rows = grid.shown[2] > 1 ? grid.shown[2] : 0;
    for (unsigned row = 0; row < panel->rows; row++)
        draw_row(block, &grid, row, panel, picture->language);
    return true;
}

ztl_picture *ztl_draw_registers(unsigned revision, const ztl_block *block, const ztl_limits *limits,
                                ztl_language language, ztl_error *error)
{
    char title[ZTL_PICTURE_LINE];
    ZTL_SAY(language, title, sizeof title, ZTL_T_FILE, revision);
    ztl_picture *picture = ztl_picture_new(title, language);
    if (picture) {
        picture->is_stacked = true;
        if (draw_file(picture) && draw_sizes(revision, picture) &&
            draw_block(block, limits, picture)) {
            ztl_picture_note(picture, "%s", ZTL_WORD(language, ZTL_T_NOTE_TENSOR));
            return picture;
        }
    }
    ztl_picture_free(picture);
    ztl_fail(error, "no memory");
    return NULL;
}
