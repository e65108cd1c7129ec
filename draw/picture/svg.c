/* SPDX-License-Identifier: Apache-2.0
 * A picture as one self-contained SVG file.
 */
#include "draw/picture/picture.h"

enum {
    MARGIN = 16,
    LINE = 20, /* of text */
    CELL = 22, /* height, and least width */
    CHARACTER = 7,
    GROUP = 8,    /* gap between groups */
    PANEL = 52,   /* gap between panels side by side */
    STACKED = 24, /* and above each other, */
    LINKED = 60,  /* where links run */
    WIDEST = 1100,
};

/* Where a panel lies: `x` is its left edge with the labels of the rows, `y` its upper one. The
 * title is above, but below where links come from above. */
typedef struct place {
    unsigned x, y, width, height, cell_width, label_width, cells_y;
    bool has_title_below;
} place;

static unsigned groups_before(unsigned index, unsigned group)
{
    return group ? index / group * GROUP : 0;
}

static place measure(const ztl_panel *panel, bool has_title_below)
{
    place p = {.cell_width = CELL, .has_title_below = has_title_below};
    unsigned row_label = 0;
    for (size_t i = 0; i < (size_t)panel->rows * panel->columns; i++) {
        const ztl_cell *cell = &panel->cell[i];
        unsigned span = cell->span ? cell->span : 1;
        unsigned needed = (ztl_text_columns(cell->label) * CHARACTER + 8 + span - 1) / span;
        p.cell_width = needed > p.cell_width ? needed : p.cell_width;
    }
    for (size_t i = 0; i < panel->columns; i++) {
        unsigned needed = ztl_text_columns(panel->column_label[i]) * (CHARACTER - 1) + 4;
        p.cell_width = needed > p.cell_width ? needed : p.cell_width;
    }
    for (size_t i = 0; i < panel->rows; i++)
        if (ztl_text_columns(panel->row_label[i]) > row_label)
            row_label = ztl_text_columns(panel->row_label[i]);
    p.label_width = row_label ? row_label * CHARACTER + 6 : 0;
    p.width = p.label_width + panel->columns * p.cell_width +
              groups_before(panel->columns - 1, panel->group_columns);
    unsigned title = ztl_text_columns(panel->title) * CHARACTER;
    p.width = p.width < title ? title : p.width;
    p.cells_y =
        (*panel->title && !has_title_below ? LINE : 0) + (*panel->column_label[0] ? LINE : 4);
    p.height = p.cells_y + (has_title_below ? LINE : 0) + panel->rows * CELL +
               groups_before(panel->rows - 1, panel->group_rows);
    return p;
}

/* Cells with links between them are equally wide. */
static void make_equal(const ztl_picture *picture, place *places)
{
    unsigned most = 0;
    for (size_t i = 0; i < picture->panels; i++)
        most = places[i].cell_width > most ? places[i].cell_width : most;
    for (size_t i = 0; i < picture->panels; i++) {
        unsigned wide = places[i].label_width + picture->panel[i].columns * most;
        places[i].cell_width = most;
        places[i].width = wide > places[i].width ? wide : places[i].width;
    }
}

static bool arrange(const ztl_picture *picture, place *places)
{
    unsigned wide = MARGIN;
    for (size_t i = 0; i < picture->panels; i++) {
        places[i] = measure(&picture->panel[i], i > 0 && picture->links);
        wide += places[i].width + PANEL;
    }
    if (picture->links)
        make_equal(picture, places);
    bool is_stacked = picture->is_stacked || wide > WIDEST;
    unsigned x = MARGIN, y = MARGIN + LINE + LINE / 2;
    for (size_t i = 0; i < picture->panels; i++) {
        places[i].x = x;
        places[i].y = y;
        if (is_stacked)
            y += places[i].height + (picture->links ? LINKED : STACKED);
        else
            x += places[i].width + PANEL;
    }
    return is_stacked;
}

/* The upper left corner of a cell. */
static void corner(const ztl_panel *panel, const place *p, unsigned index, unsigned *x, unsigned *y)
{
    unsigned row = index / panel->columns, column = index % panel->columns;
    *x = p->x + p->label_width + column * p->cell_width +
         groups_before(column, panel->group_columns);
    *y = p->y + p->cells_y + row * CELL + groups_before(row, panel->group_rows);
}

/* Our own texts have no other characters that XML reserves. */
static void print_text(const char *text, FILE *out)
{
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            fputs(*text == '<' ? "&lt;" : "&amp;", out);
        else
            fputc(*text, out);
}

static void print_label(const char *class, double x, unsigned y, const char *text, FILE *out)
{
    if (!*text)
        return;
    fprintf(out, "<text class=\"%s\" x=\"%g\" y=\"%u\">", class, x, y);
    print_text(text, out);
    fputs("</text>\n", out);
}

static void print_cell(const ztl_panel *panel, const place *p, unsigned index, FILE *out)
{
    const ztl_cell *cell = &panel->cell[index];
    unsigned x, y, span = cell->span ? cell->span : 1;
    corner(panel, p, index, &x, &y);
    unsigned width = span * p->cell_width;
    if (cell->kind != ZTL_CELL_NONE) {
        uint32_t fill = cell->kind == ZTL_CELL_COLOURED ? cell->rgb
                        : cell->kind == ZTL_CELL_KEPT   ? 0xe4e4e4
                                                        : 0xffffff;
        fprintf(out, "<g><title>");
        print_text(cell->title, out);
        fprintf(out, "</title><rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" fill=\"#%06x\"/>",
                x, y, width, CELL, (unsigned)fill);
    }
    print_label(cell->kind == ZTL_CELL_UNUSED ? "c u" : "c", x + width / 2.0, y + 15, cell->label,
                out);
    if (cell->kind != ZTL_CELL_NONE)
        fputs("</g>\n", out);
}

static void print_panel(const ztl_panel *panel, const place *p, FILE *out)
{
    unsigned x, y;
    print_label("t", p->x, p->has_title_below ? p->y + p->height - 3 : p->y + 13, panel->title,
                out);
    for (unsigned i = 0; i < panel->columns; i++) {
        corner(panel, p, i, &x, &y);
        print_label("n", x + p->cell_width / 2.0, y - 6, panel->column_label[i], out);
    }
    for (unsigned i = 0; i < panel->rows; i++) {
        corner(panel, p, i * panel->columns, &x, &y);
        print_label("r", x - 5, y + 15, panel->row_label[i], out);
    }
    for (unsigned i = 0; i < panel->rows * panel->columns; i++)
        if (panel->cell[i].kind != ZTL_CELL_NONE || panel->cell[i].label[0])
            print_cell(panel, p, i, out);
}

/* An arrow between panels side by side: the last one is the result. */
static void print_arrow(const place *before, const place *result, FILE *out)
{
    unsigned from = before->x + before->width + 10, to = result->x - 12;
    unsigned height = before->height > result->height ? before->height : result->height;
    unsigned y = result->y + LINE / 2 + height / 2;
    fprintf(out,
            "<path d=\"M%u %uH%u M%u %ul7 6l-7 6\" fill=\"none\" stroke=\"#333\" "
            "stroke-width=\"2\"/>\n",
            from, y, to, to - 7, y - 6);
}

static void print_links(const ztl_picture *picture, const place *places, FILE *out)
{
    for (size_t i = 0; i < picture->links; i++) {
        unsigned x1, y1, x2, y2;
        const ztl_link *link = &picture->link[i];
        corner(&picture->panel[0], &places[0], link->from, &x1, &y1);
        corner(&picture->panel[1], &places[1], link->to, &x2, &y2);
        fprintf(out, "<line x1=\"%g\" y1=\"%u\" x2=\"%g\" y2=\"%u\" stroke=\"#888\"/>\n",
                x1 + places[0].cell_width / 2.0, y1 + CELL, x2 + places[1].cell_width / 2.0,
                y2 - (*picture->panel[1].column_label[0] ? 18 : 0));
    }
}

void ztl_picture_svg(const ztl_picture *picture, FILE *out)
{
    place places[ZTL_PICTURE_PANELS] = {0};
    bool is_stacked = arrange(picture, places);
    unsigned width = ztl_text_columns(picture->title) * 9, bottom = 0;
    for (size_t i = 0; i < picture->panels; i++) {
        unsigned right = places[i].x + places[i].width, low = places[i].y + places[i].height;
        width = right > width ? right : width;
        bottom = low > bottom ? low : bottom;
    }
    for (size_t i = 0; i < picture->notes; i++)
        if (ztl_text_columns(picture->note[i]) * 6 + MARGIN > width)
            width = ztl_text_columns(picture->note[i]) * 6 + MARGIN;
    unsigned height = bottom + LINE + (unsigned)picture->notes * LINE + MARGIN / 2;
    width += MARGIN;
    fprintf(out,
            "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\">\n"
            "<style>text{font:12px sans-serif;fill:#222}rect{stroke:#777;stroke-width:.6}"
            ".c{font:11px monospace;text-anchor:middle}.u{fill:#aaa}.t{font-weight:bold}"
            ".n{font-size:10px;text-anchor:middle;fill:#666}.r{text-anchor:end;fill:#666}"
            ".h{font:bold 15px monospace}.f{font-size:11px;fill:#555}</style>\n"
            "<rect width=\"%u\" height=\"%u\" fill=\"#fff\" style=\"stroke:none\"/>\n",
            width, height, width, height, width, height);
    print_label("h", MARGIN, MARGIN + LINE / 2 + 4, picture->title, out);
    for (size_t i = 0; i < picture->panels; i++)
        print_panel(&picture->panel[i], &places[i], out);
    if (!is_stacked && picture->panels > 1)
        print_arrow(&places[picture->panels - 2], &places[picture->panels - 1], out);
    print_links(picture, places, out);
    for (size_t i = 0; i < picture->notes; i++)
        print_label("f", MARGIN, bottom + LINE + (unsigned)i * LINE, picture->note[i], out);
    fputs("</svg>\n", out);
}
