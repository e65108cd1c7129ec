/* SPDX-License-Identifier: Apache-2.0
 * A picture as lines of text, coloured where a terminal shows it.
 */
#include <string.h>

#include "draw/picture/picture.h"

static size_t longest(const ztl_panel *panel)
{
    size_t most = 1;
    for (size_t i = 0; i < (size_t)panel->rows * panel->columns; i++) {
        const ztl_cell *cell = &panel->cell[i];
        size_t length = ztl_text_columns(cell->label), span = cell->span ? cell->span : 1;
        length = (length + span - 1) / span;
        most = length > most ? length : most;
    }
    for (size_t i = 0; i < panel->columns; i++)
        if (ztl_text_columns(panel->column_label[i]) > most)
            most = ztl_text_columns(panel->column_label[i]);
    return most;
}

/* Of the column with the labels of the rows. */
static int margin(const ztl_panel *panel)
{
    enum { LEAST = 6 };
    int most = LEAST;
    for (unsigned row = 0; row < panel->rows; row++)
        if ((int)ztl_text_columns(panel->row_label[row]) >= most)
            most = (int)ztl_text_columns(panel->row_label[row]) + 1;
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

/* As printf's "%-*s", but by the columns that the text takes. */
static void print_padded(const char *text, size_t width, FILE *out)
{
    size_t columns = ztl_text_columns(text);
    fprintf(out, "%s%*s", text, columns < width ? (int)(width - columns) : 0, "");
}

/* The last cell of a line is followed by no spaces, unless they are painted. */
static void print_cell(const ztl_cell *cell, size_t width, bool is_last, bool is_coloured,
                       FILE *out)
{
    bool painted = is_coloured && cell->kind == ZTL_CELL_COLOURED;
    size_t length = ztl_text_columns(cell->label);
    size_t left = length < width ? (width - length) / 2 : 0;
    if (painted)
        fprintf(out, "\033[30;48;5;%um", terminal_colour(cell->rgb));
    else if (is_coloured && cell->kind == ZTL_CELL_UNUSED)
        fputs("\033[2m", out);
    fprintf(out, "%*s", (int)left, "");
    print_padded(cell->label, is_last && !painted ? 0 : width - left, out);
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
    fputs("  ", out);
    print_padded(panel->row_label[row], (size_t)margin(panel), out);
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

/* Whether a line may end before this character: at a space, unless "=" is beside it, and between
 * Chinese characters, but not before their punctuation. */
static bool is_break(const char *note, const char *at)
{
    static const char *const never[] = {"，", "。", "；", "：", "、", "）"};
    if (*at == ' ')
        return at[1] != '=' && at[-1] != '=';
    if (ztl_text_next(at) < 3 || at == note)
        return false;
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        if (!strncmp(at, never[i], strlen(never[i])))
            return false;
    return true;
}

/* As much of a note as a line takes, in bytes. */
static size_t line_of(const char *note)
{
    enum { WIDTH = 78 };
    size_t length = 0, good = 0, columns = 0, next;
    while ((next = ztl_text_next(note + length))) {
        if (length && is_break(note, note + length))
            good = length;
        columns += next > 2 ? 2 : 1;
        if (columns > WIDTH)
            return good ? good : length;
        length += next;
    }
    return length;
}

/* A note on as many lines as it needs. */
static void print_note(const char *note, FILE *out)
{
    while (*note) {
        size_t length = line_of(note);
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
