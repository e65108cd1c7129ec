/* SPDX-License-Identifier: Apache-2.0
 * What the pictures of instructions share.
 */
#ifndef ZTL_DRAW_PARTS_H
#define ZTL_DRAW_PARTS_H

#include "draw/trace.h"

/* Each adds the panels of its instructions; false with a message. */
typedef bool ztl_draw_part(const ztl_scene *scene, const ztl_trace *trace, const ztl_limits *limits,
                           ztl_picture *picture, ztl_error *error);
ztl_draw_part ztl_draw_pair, ztl_draw_block, ztl_draw_addi, ztl_draw_slices;

/* The value of an instruction's operand by its name, -1 when it has none of that name. */
int ztl_scene_operand(const ztl_scene *scene, const char *name);

/* Bits of an element, for this instruction and type; 0 for a value of ttype that is none. */
unsigned ztl_scene_bits(const ztl_scene *scene);

/* A tensor of up to four dimensions as a grid: D0 down and D1 across, in each place D2 down and D3
 * across; one of three, D0 and D1 down and D2 across. Only the first `shown` of each dimension are
 * drawn. */
typedef struct ztl_grid {
    unsigned size[ZTL_SCENE_DIMENSIONS];
    unsigned shown[ZTL_SCENE_DIMENSIONS];
    bool is_three; /* D3 is 1 */
} ztl_grid;

unsigned ztl_grid_rows(const ztl_grid *grid);
unsigned ztl_grid_columns(const ztl_grid *grid);

/* Whether it is within the limits; labels have so many characters. */
bool ztl_grid_fits(const ztl_grid *grid, const ztl_limits *limits, unsigned label);

/* A panel for it, with gaps between the places. */
ztl_panel *ztl_grid_panel(const ztl_grid *grid, ztl_picture *picture);

/* The index of the element that is drawn in a cell, and its number in the whole tensor. */
size_t ztl_grid_element(const ztl_grid *grid, unsigned row, unsigned column,
                        unsigned index[ZTL_SCENE_DIMENSIONS]);

/* The cell that an element is drawn in; of one that is not drawn, that of one which is. */
void ztl_grid_cell(const ztl_grid *grid, const unsigned index[ZTL_SCENE_DIMENSIONS], unsigned *row,
                   unsigned *column);

/* The index of an element of the whole tensor. */
void ztl_grid_index(const ztl_grid *grid, size_t element, unsigned index[ZTL_SCENE_DIMENSIONS]);

/* "012": the index without the dimensions of size 1; with points where a size exceeds 10. */
void ztl_grid_label(const ztl_grid *grid, const unsigned index[ZTL_SCENE_DIMENSIONS], char *text,
                    size_t size);
unsigned ztl_grid_label_length(const ztl_grid *grid);

/* "[4, 8, 8, 8]", and what of it is drawn where that is less. */
void ztl_grid_title(const ztl_grid *grid, unsigned dimensions, ztl_language language, char *text,
                    size_t size);

#endif
