/* SPDX-License-Identifier: Apache-2.0
 * Tensor registers as aligned grids.
 */
#include <math.h>
#include <string.h>

#include <ztl/observe.h>

#include "model/model.h"

enum { ELEMENT_TEXT = 32 };

/* A view under way: the bytes, and what is the same for all elements. */
typedef struct ztl_grid {
    const ztl_view *view;
    const ztl_type_row *type;
    uint8_t bytes[2 * ZTL_REG_BYTES];
    double low, high; /* of all finite elements, for colours */
    int width;        /* of the longest text, or of the largest index */
    int margin;       /* before the elements */
    bool colour;
    FILE *out;
} ztl_grid;

static size_t element_count(const ztl_view *view)
{
    size_t count = 1;
    for (unsigned k = 0; k < view->dimensions; k++)
        count *= view->dim[k];
    return count;
}

static double power_of_two(int exponent)
{
    double power = 1;
    for (; exponent > 0; exponent--)
        power *= 2;
    for (; exponent < 0; exponent++)
        power /= 2;
    return power;
}

/* Exact: every type fits a double. */
static double float_value(const ztl_type_row *type, uint32_t bits)
{
    uint32_t fraction_mask = (UINT32_C(1) << type->fraction_bits) - 1;
    uint32_t exponent_mask = (UINT32_C(1) << type->exponent_bits) - 1;
    uint32_t fraction = bits & fraction_mask, biased = bits >> type->fraction_bits & exponent_mask;
    double sign = bits >> (type->bits - 1) & 1 ? -1 : 1;
    if (biased == exponent_mask) {
        if (type->special == ZTL_SPECIAL_IEEE)
            return fraction ? (double)NAN : sign * (double)INFINITY;
        if (type->special == ZTL_SPECIAL_NAN_ONLY && fraction == fraction_mask)
            return (double)NAN;
    }
    int bias = (1 << (type->exponent_bits - 1)) - 1;
    double significand = fraction + (biased ? (double)fraction_mask + 1 : 0);
    return sign * significand *
           power_of_two((biased ? (int)biased : 1) - bias - type->fraction_bits);
}

static double value_of(const ztl_grid *grid, size_t n)
{
    uint64_t bits = ztl_element(grid->bytes, grid->type->bits, n);
    switch (grid->type->kind) {
    case ZTL_NUMBER_FLOAT:
        return float_value(grid->type, (uint32_t)bits);
    case ZTL_NUMBER_SIGNED: {
        double range = power_of_two(grid->type->bits);
        return (double)bits < range / 2 ? (double)bits : (double)bits - range;
    }
    default:
        return (double)bits;
    }
}

/* Decimal digits that tell all values of a type apart; short floats get some more, to be exact. */
static int digits_of(const ztl_type_row *type)
{
    enum { MOST = 10 }; /* of 32 bits */
    int digits = type->bits <= 8 ? 6 : 2 + (type->fraction_bits + 1) * 301 / 1000;
    return type->kind == ZTL_NUMBER_FLOAT && digits < MOST ? digits : MOST;
}

/* Bytes without a type in hexadecimal, numbers in decimal. */
static int print_element(const ztl_grid *grid, size_t n, char *text)
{
    double value = value_of(grid, n);
    if (grid->type->kind == ZTL_NUMBER_UNSIGNED)
        return snprintf(text, ELEMENT_TEXT, "%02x", (unsigned)value);
    if (isnan(value))
        return snprintf(text, ELEMENT_TEXT, "nan");
    return snprintf(text, ELEMENT_TEXT, "%.*g", digits_of(grid->type), value);
}

static void measure(ztl_grid *grid)
{
    size_t count = element_count(grid->view);
    grid->low = (double)INFINITY;
    grid->high = -(double)INFINITY;
    for (size_t n = 0; n < count; n++) {
        char text[ELEMENT_TEXT];
        double value = value_of(grid, n);
        int width = print_element(grid, n, text);
        grid->width = width > grid->width ? width : grid->width;
        if (isfinite(value)) {
            grid->low = value < grid->low ? value : grid->low;
            grid->high = value > grid->high ? value : grid->high;
        }
    }
}

/* From blue for the lowest to red for the highest, of a terminal's 256 colours. */
static int colour_of(const ztl_grid *grid, double value)
{
    static const int colours[] = {61, 67, 73, 79, 150, 185, 215, 209};
    enum { COLOURS = sizeof colours / sizeof colours[0] };
    if (!isfinite(value) || !(grid->high > grid->low))
        return colours[0];
    double place = (value - grid->low) / (grid->high - grid->low);
    return colours[(int)(place * (COLOURS - 1) + 0.5)];
}

static int decimal_digits(unsigned number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* The numbers of the columns, above them. */
static void print_columns(const ztl_grid *grid, unsigned from, unsigned to)
{
    fprintf(grid->out, "%*s", grid->margin, "");
    for (unsigned column = from; column < to; column++)
        fprintf(grid->out, " %*u", grid->width, column);
    fputc('\n', grid->out);
}

static void print_row(const ztl_grid *grid, unsigned row, size_t first, unsigned count)
{
    if (grid->view->dimensions > 1)
        fprintf(grid->out, "%*u:", grid->margin - 1, row);
    else
        fprintf(grid->out, "%*s", grid->margin, ":");
    for (unsigned i = 0; i < count; i++) {
        char text[ELEMENT_TEXT];
        print_element(grid, first + i, text);
        if (grid->colour)
            fprintf(grid->out, " \033[38;5;%dm%*s\033[0m",
                    colour_of(grid, value_of(grid, first + i)), grid->width, text);
        else
            fprintf(grid->out, " %*s", grid->width, text);
    }
    fputc('\n', grid->out);
}

/* The outer indices of a grid, as [1, 0, :, :]. */
static void print_place(const ztl_grid *grid, size_t place)
{
    unsigned outer = grid->view->dimensions - 2, index[ZTL_VIEW_MAX_DIMENSIONS];
    for (unsigned k = outer; k-- > 0;) {
        index[k] = (unsigned)(place % grid->view->dim[k]);
        place /= grid->view->dim[k];
    }
    fputs("  [", grid->out);
    for (unsigned k = 0; k < outer; k++)
        fprintf(grid->out, "%u, ", index[k]);
    fputs(":, :]\n", grid->out);
}

static void print_title(const ztl_grid *grid)
{
    const ztl_view *view = grid->view;
    fprintf(grid->out, "tl%u", view->reg[0]);
    if (view->reg_count == 2)
        fprintf(grid->out, "+tl%u", view->reg[1]);
    fputs(" [", grid->out);
    for (unsigned k = 0; k < view->dimensions; k++)
        fprintf(grid->out, "%s%u", k ? ", " : "", view->dim[k]);
    fprintf(grid->out, "] %s\n", grid->type->name);
}

/* How many columns stand side by side: all, or as many as fit, eights of them and evenly. */
static unsigned columns_at_once(const ztl_grid *grid, unsigned columns, unsigned width)
{
    unsigned each = (unsigned)grid->width + 1, margin = (unsigned)grid->margin;
    unsigned fit = width > margin + each ? (width - margin) / each : 1;
    if (columns <= fit)
        return columns;
    unsigned parts = (columns + fit - 1) / fit, even = (columns + parts - 1) / parts;
    unsigned eights = (even + 7) / 8 * 8;
    return eights <= fit ? eights : even;
}

/* One grid, in as many parts beside one another as its width asks for. */
static void print_grid(const ztl_grid *grid, size_t first, unsigned rows, unsigned columns,
                       unsigned width)
{
    unsigned step = columns_at_once(grid, columns, width);
    for (unsigned from = 0; from < columns; from += step) {
        unsigned to = from + step < columns ? from + step : columns;
        print_columns(grid, from, to);
        for (unsigned row = 0; row < rows; row++)
            print_row(grid, row, first + (size_t)row * columns + from, to - from);
    }
}

void ztl_view_print(const ztl_view *view, const ztl_state *state, bool colour, unsigned width,
                    FILE *out)
{
    enum { WIDTH = 80 };
    ztl_grid grid = {.view = view, .type = ztl_isa_type(view->type), .colour = colour, .out = out};
    for (unsigned i = 0; i < view->reg_count; i++)
        memcpy(grid.bytes + (size_t)i * ZTL_REG_BYTES, ztl_get_register(state, view->reg[i]),
               ZTL_REG_BYTES);
    unsigned columns = view->dim[view->dimensions - 1];
    unsigned rows = view->dimensions > 1 ? view->dim[view->dimensions - 2] : 1;
    measure(&grid);
    grid.width =
        grid.width > decimal_digits(columns - 1) ? grid.width : decimal_digits(columns - 1);
    grid.margin = view->dimensions > 1 ? 3 + decimal_digits(rows - 1) : 3;
    print_title(&grid);
    size_t grids = 1;
    for (unsigned k = 0; k + 2 < view->dimensions; k++)
        grids *= view->dim[k];
    for (size_t place = 0; place < grids; place++) {
        if (view->dimensions > 2)
            print_place(&grid, place);
        print_grid(&grid, place * rows * columns, rows, columns, width ? width : WIDTH);
    }
}
