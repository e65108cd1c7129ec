/* SPDX-License-Identifier: Apache-2.0
 * The register file, and how elements of each size lie in a register.
 */
#include <string.h>

#include "draw/draw.h"
#include "host/error.h"

enum { FILE_COLUMNS = 8, NIBBLES = 16, SIZES = 8 };

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
    snprintf(panel->title, sizeof panel->title, "%d registers of %d bytes", ZTL_REGISTERS,
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

static void draw_size(ztl_panel *panel, unsigned row, unsigned bits)
{
    unsigned span = bits / 4;
    snprintf(panel->row_label[row], sizeof panel->row_label[row], "%u bits", bits);
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
    snprintf(panel->title, sizeof panel->title, "elements in the first 8 bytes of a register");
    for (unsigned i = 0; i < count; i++)
        draw_size(panel, i, sizes[i]);
    for (unsigned byte = 0; byte < NIBBLES / 2; byte++)
        snprintf(panel->column_label[2 * byte], sizeof panel->column_label[0], "b%u", byte);
    for (unsigned i = 0; i < count; i++) {
        char types[96] = "";
        if (revision > 1)
            name_types(sizes[i], types, sizeof types);
        ztl_picture_note(picture, "%u bits: a register holds %u, a pair %u.%s%s", sizes[i],
                         8 * ZTL_REG_BYTES / sizes[i], 16 * ZTL_REG_BYTES / sizes[i],
                         *types ? " Types:" : "", types);
    }
    return true;
}

/* A block of three dimensions, row after row: its elements in the order of the register. */
static bool draw_block(ztl_picture *picture)
{
    enum { D0 = 2, D1 = 4, D2 = 8 };
    ztl_panel *panel = ztl_picture_panel(picture, D0 * D1, D2);
    if (!panel)
        return false;
    snprintf(panel->title, sizeof panel->title, "elements of a block [%d, %d, %d]", D0, D1, D2);
    panel->group_rows = D1;
    for (unsigned n = 0; n < D0 * D1 * D2; n++) {
        unsigned row = n / D2, column = n % D2;
        ztl_cell *cell = &panel->cell[n];
        cell->kind = ZTL_CELL_COLOURED;
        cell->rgb = ztl_colour(320 * row / (D0 * D1), 72 + 2 * column);
        snprintf(cell->label, sizeof cell->label, "%u", n);
        snprintf(cell->title, sizeof cell->title, "[%u, %u, %u]", row / D1, row % D1, column);
        snprintf(panel->row_label[row], sizeof panel->row_label[row], "[%u, %u]", row / D1,
                 row % D1);
        snprintf(panel->column_label[column], sizeof panel->column_label[column], "%u", column);
    }
    return true;
}

ztl_picture *ztl_draw_registers(unsigned revision, ztl_error *error)
{
    char title[ZTL_PICTURE_LINE];
    snprintf(title, sizeof title, "The tensor registers of Ztl %u", revision);
    ztl_picture *picture = ztl_picture_new(title);
    if (picture) {
        picture->is_stacked = true;
        if (draw_file(picture) && draw_sizes(revision, picture) && draw_block(picture)) {
            ztl_picture_note(picture, "XPOSE and PERMUTE take the tensor from a pair of registers");
            return picture;
        }
    }
    ztl_picture_free(picture);
    ztl_fail(error, "no memory");
    return NULL;
}
