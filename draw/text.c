/* SPDX-License-Identifier: Apache-2.0
 * A picture as lines of text, coloured where a terminal shows it.
 */
#include <string.h>

#include "draw/picture.h"

static size_t longest(const ztl_panel *panel)
{
    size_t most = 1;
    for (size_t i = 0; i < (size_t)panel->rows * panel->columns; i++) {
        const ztl_cell *cell = &panel->cell[i];
        size_t length = strlen(cell->label), span = cell->span ? cell->span : 1;
        length = (length + span - 1) / span;
        most = length > most ? length : most;
    }
    for (size_t i = 0; i < panel->columns; i++)
        if (strlen(panel->column_label[i]) > most)
            most = strlen(panel->column_label[i]);
    return most;
}

/* Of the column with the labels of the rows. */
static int margin(const ztl_panel *panel)
{
    enum { LEAST = 6 };
    int most = LEAST;
    for (unsigned row = 0; row < panel->rows; row++)
        if ((int)strlen(panel->row_label[row]) >= most)
            most = (int)strlen(panel->row_label[row]) + 1;
    return most;
}

static bool starts_group(unsigned index, unsigned group)
{
    return group && index && index % group == 0;
}

/* The nearest of the 216 colours that every terminal has. */
static unsigned terminal_colour(uint32_t rgb)
{
    unsigned code = 0;
    for (int shift = 16; shift >= 0; shift -= 8)
        code = code * 6 + ((rgb >> shift & 0xff) * 5 + 127) / 255;
    return 16 + code;
}

/* The last cell of a line is followed by no spaces, unless they are painted. */
static void print_cell(const ztl_cell *cell, size_t width, bool is_last, bool is_coloured,
                       FILE *out)
{
    bool painted = is_coloured && cell->kind == ZTL_CELL_COLOURED;
    size_t length = strlen(cell->label), left = length < width ? (width - length) / 2 : 0;
    if (painted)
        fprintf(out, "\033[30;48;5;%um", terminal_colour(cell->rgb));
    else if (is_coloured && cell->kind == ZTL_CELL_UNUSED)
        fputs("\033[2m", out);
    fprintf(out, "%*s%-*s", (int)left, "", is_last && !painted ? 0 : (int)(width - left),
            cell->label);
    if (is_coloured && (painted || cell->kind == ZTL_CELL_UNUSED))
        fputs("\033[0m", out);
}

/* Spaces that nothing follows are not printed. */
static unsigned last_cell(const ztl_panel *panel, unsigned row)
{
    unsigned last = panel->columns;
    while (last > 0 && !panel->cell[row * panel->columns + last - 1].label[0])
        last--;
    return last;
}

static void print_row(const ztl_panel *panel, unsigned row, size_t width, bool is_coloured,
                      FILE *out)
{
    unsigned last = last_cell(panel, row);
    if (starts_group(row, panel->group_rows))
        fputc('\n', out);
    fprintf(out, "  %-*s", margin(panel), panel->row_label[row]);
    for (unsigned column = 0; column < last;) {
        const ztl_cell *cell = &panel->cell[row * panel->columns + column];
        unsigned span = cell->span ? cell->span : 1;
        if (starts_group(column, panel->group_columns))
            fputc(' ', out);
        column += span;
        print_cell(cell, span * (width + 1) - 1, column >= last, is_coloured, out);
        if (column < last)
            fputc(' ', out);
    }
    fputc('\n', out);
}

static void print_column_labels(const ztl_panel *panel, size_t width, FILE *out)
{
    unsigned last = panel->columns;
    while (last > 0 && !panel->column_label[last - 1][0])
        last--;
    if (!last)
        return;
    fprintf(out, "  %*s", margin(panel), "");
    for (unsigned column = 0; column < last; column++) {
        const char *label = panel->column_label[column];
        size_t left = (width - strlen(label)) / 2;
        if (starts_group(column, panel->group_columns))
            fputc(' ', out);
        bool is_last = column + 1 == last;
        fprintf(out, "%*s%-*s%s", (int)left, "", is_last ? 0 : (int)(width - left), label,
                is_last ? "" : " ");
    }
    fputc('\n', out);
}

/* A note on as many lines as it needs, broken at spaces. */
static void print_note(const char *note, FILE *out)
{
    enum { WIDTH = 78 };
    while (*note) {
        size_t length = strlen(note);
        if (length > WIDTH)
            for (length = WIDTH; length > 1 && note[length] != ' ';)
                length--;
        fprintf(out, "  %.*s\n", (int)length, note);
        note += length;
        note += *note == ' ';
    }
}

void ztl_picture_text(const ztl_picture *picture, bool is_coloured, FILE *out)
{
    fprintf(out, "%s\n", picture->title);
    for (size_t i = 0; i < picture->panels; i++) {
        const ztl_panel *panel = &picture->panel[i];
        size_t width = longest(panel);
        fprintf(out, "\n%s\n", panel->title);
        print_column_labels(panel, width, out);
        for (unsigned row = 0; row < panel->rows; row++)
            print_row(panel, row, width, is_coloured, out);
    }
    fputc('\n', out);
    for (size_t i = 0; i < picture->notes; i++)
        print_note(picture->note[i], out);
}
