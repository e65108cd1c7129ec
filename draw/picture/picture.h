/* SPDX-License-Identifier: Apache-2.0
 * A picture as panels of cells, before it is written as SVG or as text.
 */
#ifndef ZTL_DRAW_PICTURE_H
#define ZTL_DRAW_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/words.h"

enum {
    ZTL_PICTURE_PANELS = 4,
    ZTL_PICTURE_NOTES = 8,
    ZTL_PICTURE_LINE = 160,
    ZTL_PANEL_SIDE = 64, /* rows, and columns, at most */
};

enum ztl_cell_kind {
    ZTL_CELL_NONE,     /* no box at all */
    ZTL_CELL_PLAIN,    /* a white box */
    ZTL_CELL_UNUSED,   /* its value goes nowhere: a white box, pale text */
    ZTL_CELL_KEPT,     /* keeps its value: a grey box */
    ZTL_CELL_COLOURED, /* by where its value came from */
};

typedef struct ztl_cell {
    enum ztl_cell_kind kind;
    uint32_t rgb;
    unsigned span;  /* columns that it takes; 0 is 1, and the next ones are NONE */
    char label[40]; /* written in it */
    char title[96]; /* shown when pointed at: where the value is from */
} ztl_cell;

typedef struct ztl_panel {
    char title[ZTL_PICTURE_LINE];
    unsigned rows, columns;
    unsigned group_rows, group_columns; /* a gap after each so many; 0: none */
    ztl_cell *cell;                     /* row by row */
    char row_label[ZTL_PANEL_SIDE][16];
    char column_label[ZTL_PANEL_SIDE][16];
} ztl_panel;

/* A line from a cell of the first panel to one of the second. */
typedef struct ztl_link {
    unsigned from, to;
} ztl_link;

typedef struct ztl_picture {
    ztl_language language;
    char title[ZTL_PICTURE_LINE];
    char note[ZTL_PICTURE_NOTES][ZTL_PICTURE_LINE];
    size_t notes;
    ztl_panel panel[ZTL_PICTURE_PANELS];
    size_t panels;
    bool is_stacked; /* the panels one above the other, in SVG too */
    ztl_link link[ZTL_PANEL_SIDE];
    size_t links;
} ztl_picture;

/* How large a panel may become. */
typedef struct ztl_limits {
    unsigned rows;
    unsigned columns;      /* cells side by side, or */
    unsigned text_columns; /* characters, 0: no matter */
} ztl_limits;

/* NULL when there is no memory. */
ztl_picture *ztl_picture_new(const char *title, ztl_language language);
void ztl_picture_free(ztl_picture *picture);

/* A further panel with white boxes; NULL when there is no memory, or no room. */
ztl_panel *ztl_picture_panel(ztl_picture *picture, unsigned rows, unsigned columns);

__attribute__((format(printf, 2, 3))) void ztl_picture_note(ztl_picture *picture,
                                                            const char *format, ...);

/* Whether a panel with labels of this length is within the limits. */
bool ztl_limits_allow(const ztl_limits *limits, unsigned rows, unsigned columns, unsigned groups,
                      unsigned label);

/* Columns of a terminal that a text takes: Chinese characters take two. */
unsigned ztl_text_columns(const char *text);

/* The bytes of the character at the start of a text; at its end, 0. */
size_t ztl_text_next(const char *text);

/* A colour of full brightness down to pale: hue in degrees, lightness in percent. */
uint32_t ztl_colour(unsigned hue, unsigned lightness);

/* One self-contained SVG file. */
void ztl_picture_svg(const ztl_picture *picture, FILE *out);

/* Lines of text; `is_coloured`: with the escape sequences of terminals. */
void ztl_picture_text(const ztl_picture *picture, bool is_coloured, FILE *out);

#endif
