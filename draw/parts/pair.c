/* SPDX-License-Identifier: Apache-2.0
 * XPOSE and PERMUTE: a tensor in a pair of registers, before and after.
 */
#include <string.h>

#include "draw/parts/parts.h"
#include "host/error.h"

enum { DIMENSIONS = ZTL_SCENE_DIMENSIONS, MOST_CELLS = 128 }; /* that a person can follow */

typedef struct pair {
    ztl_language language;
    const ztl_trace *trace;
    unsigned tl[2];
    unsigned nibbles;          /* of an element */
    unsigned perm[DIMENSIONS]; /* dimension k of the result is this one of the tensor */
    ztl_grid before, after;
} pair;

/* How the result is laid out; that it is so is checked against what the model moved. */
static void guess_permutation(const ztl_scene *scene, unsigned perm[DIMENSIONS])
{
    const ztl_insn_row *row = scene->insn.row;
    for (unsigned k = 0; k < DIMENSIONS; k++)
        perm[k] = row->op == ZTL_OP_XPOSE ? k : scene->hart.csr[ZTL_SLOT_PERM] >> 2 * k & 3;
    if (row->op == ZTL_OP_XPOSE) {
        perm[row->arg >> 2] = row->arg & 3u;
        perm[row->arg & 3] = row->arg >> 2;
    }
}

/* The name that an element of the pair carries after the instruction. */
static uint32_t name_after(const pair *p, size_t element)
{
    size_t nibble = element * p->nibbles;
    return p->trace->tl[p->tl[nibble / ZTL_TRACE_NIBBLES]][nibble % ZTL_TRACE_NIBBLES];
}

/* The element of the tensor with a name; -1 for none. */
static long element_of(const pair *p, uint32_t name)
{
    for (unsigned half = 0; half < 2; half++) {
        uint32_t first = ztl_trace_name(p->tl[half], 0);
        if (name >= first && name < first + ZTL_TRACE_NIBBLES)
            return (long)((half * ZTL_TRACE_NIBBLES + name - first) / p->nibbles);
    }
    return -1;
}

static size_t elements(const pair *p)
{
    return 2 * ZTL_TRACE_NIBBLES / p->nibbles;
}

static bool is_laid_out(const pair *p)
{
    for (size_t n = 0; n < elements(p); n++) {
        unsigned out[DIMENSIONS], in[DIMENSIONS];
        long from = element_of(p, name_after(p, n));
        if (from < 0)
            return false;
        ztl_grid_index(&p->after, n, out);
        ztl_grid_index(&p->before, (size_t)from, in);
        for (unsigned k = 0; k < DIMENSIONS; k++)
            if (out[k] != in[p->perm[k]])
                return false;
    }
    return true;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The most of it that fits: of dimensions that move more than of those that do not. All that move
 * are cut alike, so that what is drawn of the result is what is drawn of the tensor. */
static void choose_size(pair *p, const ztl_limits *limits)
{
    static const unsigned sizes[][2] = {{8, 2}, {4, 2}, {8, 1}, {4, 1}, {2, 2}, {2, 1}, {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < DIMENSIONS; k++) {
            unsigned most = sizes[i][p->perm[k] == k];
            p->after.shown[k] = least(p->after.size[k], most);
            p->before.shown[p->perm[k]] = p->after.shown[k];
        }
        unsigned label = ztl_grid_label_length(&p->before);
        unsigned cells = ztl_grid_rows(&p->before) * ztl_grid_columns(&p->before);
        if (cells <= MOST_CELLS && ztl_grid_fits(&p->before, limits, label) &&
            ztl_grid_fits(&p->after, limits, label))
            return;
    }
}

/* By its place in the tensor: a hue for each row of the picture, paler to the right. */
static uint32_t colour_of(const pair *p, const unsigned index[DIMENSIONS])
{
    enum { LAST_HUE = 320, DARKEST = 66, RANGE = 24 };
    const ztl_grid *grid = &p->before;
    unsigned row, column;
    ztl_grid_cell(grid, index, &row, &column);
    unsigned rows = ztl_grid_rows(grid), columns = ztl_grid_columns(grid);
    if (rows == 1)
        return ztl_colour(LAST_HUE * column / columns, 75);
    return ztl_colour(LAST_HUE * row / rows, DARKEST + RANGE * column / columns);
}

static void fill_cell(const pair *p, ztl_cell *cell, size_t place, long from)
{
    size_t half = elements(p) / 2;
    int length = ZTL_SAY(p->language, cell->title, sizeof cell->title, ZTL_T_ELEMENT,
                         p->tl[place / half], place % half);
    char *more = cell->title + length;
    size_t room = sizeof cell->title - (size_t)length;
    if (from < 0) {
        snprintf(cell->label, sizeof cell->label, "0");
        snprintf(more, room, "%s", ZTL_WORD(p->language, ZTL_T_IS_ZERO));
        cell->kind = ZTL_CELL_KEPT;
        return;
    }
    unsigned index[DIMENSIONS];
    ztl_grid_index(&p->before, (size_t)from, index);
    ztl_grid_label(&p->before, index, cell->label, sizeof cell->label);
    cell->kind = ZTL_CELL_COLOURED;
    cell->rgb = colour_of(p, index);
    if ((size_t)from != place)
        ZTL_SAY(p->language, more, room, ZTL_T_WAS_ELEMENT, p->tl[(size_t)from / half],
                (size_t)from % half);
}

static bool draw_panel(const pair *p, bool is_after, ztl_picture *picture)
{
    const ztl_grid *grid = is_after ? &p->after : &p->before;
    ztl_panel *panel = ztl_grid_panel(grid, picture);
    if (!panel)
        return false;
    char shape[96];
    ztl_grid_title(grid, DIMENSIONS, p->language, shape, sizeof shape);
    if (is_after)
        ZTL_SAY(p->language, panel->title, sizeof panel->title, ZTL_T_AFTER, shape);
    else
        ZTL_SAY(p->language, panel->title, sizeof panel->title, ZTL_T_BEFORE, shape);
    for (unsigned row = 0; row < panel->rows; row++)
        for (unsigned column = 0; column < panel->columns; column++) {
            unsigned index[DIMENSIONS];
            size_t n = ztl_grid_element(grid, row, column, index);
            if (column == 0)
                snprintf(panel->row_label[row], sizeof panel->row_label[row], "tl%u",
                         p->tl[n / (elements(p) / 2)]);
            uint32_t name = p->tl[n / (elements(p) / 2)] == 0
                                ? ZTL_TRACE_ZERO
                                : ztl_trace_name(p->tl[n / (elements(p) / 2)],
                                                 (unsigned)(n % (elements(p) / 2)) * p->nibbles);
            fill_cell(p, &panel->cell[row * panel->columns + column], n,
                      element_of(p, is_after ? name_after(p, n) : name));
        }
    return true;
}

bool ztl_draw_pair(const ztl_scene *scene, const ztl_trace *trace, const ztl_limits *limits,
                   ztl_picture *picture, ztl_error *error)
{
    pair p = {.language = picture->language,
              .trace = trace,
              .tl = {(unsigned)ztl_scene_operand(scene, "tlrs1"),
                     (unsigned)ztl_scene_operand(scene, "tlrs2")},
              .nibbles = ztl_scene_bits(scene) / 4};
    guess_permutation(scene, p.perm);
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        p.before.size[k] = scene->shape[k];
        p.after.size[k] = scene->shape[p.perm[k]];
    }
    p.before.is_three = p.after.is_three =
        p.perm[3] == 3 && scene->shape[3] == 1 && scene->shape[2] > 1;
    bool is_one = p.tl[0] == p.tl[1], has_zero = !p.tl[0] || !p.tl[1];
    if (!is_one && !has_zero && !is_laid_out(&p))
        return ztl_fail(error, "%s: the model moves elements in a way that cannot be drawn",
                        scene->text);
    choose_size(&p, limits);
    if (!draw_panel(&p, false, picture) || !draw_panel(&p, true, picture))
        return ztl_fail(error, "no memory");
    char note[ZTL_PICTURE_LINE];
    ZTL_SAY(p.language, note, sizeof note, ZTL_T_NOTE_ONE, p.tl[0]);
    if (has_zero)
        ztl_picture_note(picture, "%s", ZTL_WORD(p.language, ZTL_T_NOTE_ZERO));
    else if (is_one)
        ztl_picture_note(picture, "%s", note);
    ztl_picture_note(picture, "%s", ZTL_WORD(p.language, ZTL_T_NOTE_PAIR));
    ztl_picture_note(picture, "%s",
                     p.before.is_three ? ZTL_WORD(p.language, ZTL_T_NOTE_BLOCK_AXES)
                                       : ZTL_WORD(p.language, ZTL_T_NOTE_AXES));
    return true;
}
