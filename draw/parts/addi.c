/* SPDX-License-Identifier: Apache-2.0
 * ADDI: the values of elements before and after. Here values change, so names would be lost: which
 * element a result depends on is found by changing the elements one at a time.
 */
#include <math.h>
#include <string.h>

#include "draw/parts/parts.h"
#include "host/error.h"

enum { NOBODY = -1 };

typedef struct sums {
    ztl_language language;
    const ztl_scene *scene;
    const ztl_type_row *type;
    unsigned from, to; /* registers */
    unsigned bits;
    unsigned rows, columns, count;
    uint8_t before[ZTL_REG_BYTES], after[ZTL_REG_BYTES];
    int origin[2 * ZTL_REG_BYTES];
} sums;

static uint32_t element(const uint8_t *bytes, unsigned bits, size_t n)
{
    uint32_t value = 0;
    if (bits == 4)
        return bytes[n / 2] >> (n % 2 * 4) & 15;
    for (unsigned k = bits / 8; k-- > 0;)
        value = value << 8 | bytes[n * (bits / 8) + k];
    return value;
}

static void set_element(uint8_t *bytes, unsigned bits, size_t n, uint32_t value)
{
    if (bits == 4)
        bytes[n / 2] = (uint8_t)((bytes[n / 2] & (n % 2 ? 0x0f : 0xf0)) | value << (n % 2 * 4));
    for (unsigned k = 0; k < bits / 8; k++)
        bytes[n * (bits / 8) + k] = (uint8_t)(value >> 8 * k);
}

static void execute(const sums *s, const uint8_t *before, uint8_t *after)
{
    ztl_state hart = s->scene->hart;
    ztl_set_register(&hart, s->from, before);
    ztl_execute(&hart, s->scene->insn.word, s->scene->x, NULL);
    memcpy(after, ztl_get_register(&hart, s->to), ZTL_REG_BYTES);
}

/* Bit patterns over the whole range, so that both ends saturate. */
static void fill(sums *s)
{
    uint64_t patterns = UINT64_C(1) << s->bits;
    for (unsigned n = 0; n < s->count; n++)
        set_element(s->before, s->bits, n, (uint32_t)(patterns * n / s->count));
    execute(s, s->before, s->after);
}

static void find_origins(sums *s)
{
    unsigned elements = 8 * ZTL_REG_BYTES / s->bits;
    for (unsigned n = 0; n < elements; n++)
        s->origin[n] = NOBODY;
    for (unsigned n = 0; n < s->count; n++)
        for (uint32_t quarter = 0; quarter < 4; quarter++) {
            uint8_t bytes[ZTL_REG_BYTES], result[ZTL_REG_BYTES];
            memcpy(bytes, s->before, sizeof bytes);
            set_element(bytes, s->bits, n, quarter << (s->bits - 2));
            execute(s, bytes, result);
            for (unsigned k = 0; k < elements; k++)
                if (element(result, s->bits, k) != element(s->after, s->bits, k))
                    s->origin[k] = (int)n;
        }
}

static double number(const ztl_type_row *type, uint32_t value)
{
    if (type->kind == ZTL_NUMBER_UNSIGNED)
        return value;
    uint32_t sign = value >> (type->bits - 1) & 1;
    if (type->kind == ZTL_NUMBER_SIGNED)
        return (double)value - (sign ? ldexp(1, type->bits) : 0);
    uint32_t top = (UINT32_C(1) << type->exponent_bits) - 1;
    uint32_t exponent = value >> type->fraction_bits & top;
    uint32_t fraction = value & ((UINT32_C(1) << type->fraction_bits) - 1);
    int bias = (int)(top >> 1);
    bool all_ones = fraction + 1 == UINT32_C(1) << type->fraction_bits;
    double magnitude = ldexp((double)fraction + (exponent ? ldexp(1, type->fraction_bits) : 0),
                             (int)(exponent ? exponent : 1) - bias - type->fraction_bits);
    if (exponent == top && type->special == ZTL_SPECIAL_IEEE)
        magnitude = fraction ? NAN : INFINITY;
    if (exponent == top && all_ones && type->special == ZTL_SPECIAL_NAN_ONLY)
        magnitude = NAN;
    return sign ? -magnitude : magnitude;
}

static void print_number(const sums *s, const uint8_t *bytes, size_t n, char *text, size_t size)
{
    double value = number(s->type, element(bytes, s->bits, n));
    if (isnan(value))
        snprintf(text, size, "NaN");
    else
        snprintf(text, size, s->type->kind == ZTL_NUMBER_FLOAT ? "%.3g" : "%.0f", value);
}

static void fill_cell(const sums *s, ztl_cell *cell, bool is_after, unsigned n)
{
    int from = is_after ? s->origin[n] : (int)n;
    print_number(s, is_after ? s->after : s->before, n, cell->label, sizeof cell->label);
    cell->kind = from == NOBODY ? ZTL_CELL_KEPT : ZTL_CELL_COLOURED;
    if (from != NOBODY)
        cell->rgb = ztl_colour(320 * (unsigned)from / s->count, 80);
    int length = ZTL_SAY(s->language, cell->title, sizeof cell->title, ZTL_T_ELEMENT,
                         is_after ? s->to : s->from, (size_t)n);
    if (is_after && from != NOBODY)
        ZTL_SAY(s->language, cell->title + length, sizeof cell->title - (size_t)length,
                ZTL_T_OF_ELEMENT, s->from, (size_t)from);
}

static bool draw_panel(const sums *s, bool is_after, ztl_picture *picture)
{
    ztl_panel *panel = ztl_picture_panel(picture, s->rows, s->columns);
    if (!panel)
        return false;
    unsigned all = 8 * ZTL_REG_BYTES / s->bits;
    if (is_after)
        ZTL_SAY(s->language, panel->title, sizeof panel->title, ZTL_T_SUMS_AFTER, s->to,
                s->type->name, s->count, all);
    else
        ZTL_SAY(s->language, panel->title, sizeof panel->title, ZTL_T_SUMS_BEFORE, s->from,
                s->type->name, s->count, all);
    for (unsigned n = 0; n < s->count; n++)
        fill_cell(s, &panel->cell[n], is_after, n);
    for (unsigned row = 0; row < s->rows; row++)
        snprintf(panel->row_label[row], sizeof panel->row_label[row], "%u", row * s->columns);
    return true;
}

/* As many rows and columns as the shape has, as far as they fit. */
static void choose_size(sums *s, const unsigned shape[3], const ztl_limits *limits)
{
    unsigned label = s->type->kind == ZTL_NUMBER_FLOAT ? 9 : s->bits == 32 ? 11 : 6;
    unsigned columns = shape[2] > 1 ? shape[2] : shape[1], rows = shape[0];
    if (shape[2] > 1)
        rows *= shape[1];
    unsigned most = 8 * ZTL_REG_BYTES / s->bits;
    columns = columns < 1 ? 1 : columns;
    while (columns > 1 && !ztl_limits_allow(limits, 1, columns, 0, label))
        columns--;
    rows = rows < limits->rows ? rows : limits->rows;
    s->columns = columns;
    s->rows = rows < 1 ? 1 : rows * columns > most ? most / columns : rows;
    s->count = s->rows * s->columns;
}

bool ztl_draw_addi(const ztl_scene *scene, const ztl_trace *trace, const ztl_limits *limits,
                   ztl_picture *picture, ztl_error *error)
{
    (void)trace;
    sums s = {.language = picture->language,
              .scene = scene,
              .type = ztl_isa_type_of(scene->hart.csr[ZTL_SLOT_TTYPE]),
              .from = (unsigned)ztl_scene_operand(scene, "tlrs"),
              .to = (unsigned)ztl_scene_operand(scene, "tlrd")};
    s.bits = s.type->bits;
    if (!scene->shape[0] || !scene->shape[1] || !scene->shape[2])
        return ztl_fail(error, "%s: no elements to draw: a size of the shape is 0", scene->text);
    choose_size(&s, scene->shape, limits);
    fill(&s);
    find_origins(&s);
    if (!draw_panel(&s, false, picture) || !draw_panel(&s, true, picture))
        return ztl_fail(error, "no memory");
    ztl_picture_note(picture, "%s", ZTL_WORD(picture->language, ZTL_T_NOTE_SUMS));
    return true;
}
