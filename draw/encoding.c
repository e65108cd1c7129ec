/* SPDX-License-Identifier: Apache-2.0
 * The bits of an instruction's word, and the fields that they are in.
 */
#include <inttypes.h>
#include <string.h>

#include "draw/draw.h"
#include "host/error.h"
#include "isa/print/print.h"

enum { BITS = 32 };

static uint32_t colour_of(const ztl_operand_row *operand)
{
    static const unsigned hues[] = {
        [ZTL_KIND_TL] = 205,    [ZTL_KIND_GPR] = 130,  [ZTL_KIND_IMM] = 45,
        [ZTL_KIND_OFFSET] = 45, [ZTL_KIND_BASE] = 130, [ZTL_KIND_ENGINE] = 285,
    };
    return ztl_colour(hues[operand->kind], 82);
}

static void draw_field(ztl_panel *panel, const ztl_field *field, uint32_t word,
                       ztl_language language)
{
    for (unsigned bit = field->high + 1; bit-- > field->low;) {
        unsigned column = BITS - 1 - bit;
        ztl_cell *name = &panel->cell[column], *value = &panel->cell[BITS + column];
        snprintf(panel->column_label[column], sizeof panel->column_label[column], "%u", bit);
        snprintf(value->label, sizeof value->label, "%u", (unsigned)(word >> bit & 1));
        name->kind = ZTL_CELL_NONE;
        value->kind = field->operand ? ZTL_CELL_COLOURED : ZTL_CELL_KEPT;
        if (field->operand)
            value->rgb = colour_of(field->operand);
    }
    ztl_cell *name = &panel->cell[BITS - 1 - field->high];
    name->kind = panel->cell[BITS + BITS - 1 - field->high].kind;
    name->rgb = panel->cell[BITS + BITS - 1 - field->high].rgb;
    name->span = field->high - field->low + 1;
    if (field->operand)
        snprintf(name->label, sizeof name->label, "%s", field->operand->name);
    else
        snprintf(name->label, sizeof name->label, "%s",
                 field->low == 0 ? "custom-2" : ZTL_WORD(language, ZTL_T_FIXED));
    snprintf(name->title, sizeof name->title, "[%u:%u]", field->high, field->low);
}

ztl_picture *ztl_draw_encoding(const ztl_scene *scene, ztl_error *error)
{
    char title[ZTL_PICTURE_LINE];
    ztl_field fields[ZTL_MAX_FIELDS];
    snprintf(title, sizeof title, "%s = 0x%08" PRIx32, scene->text, scene->insn.word);
    ztl_picture *picture = ztl_picture_new(title, scene->language);
    ztl_panel *panel = picture ? ztl_picture_panel(picture, 2, BITS) : NULL;
    if (!panel) {
        ztl_picture_free(picture);
        ztl_fail(error, "no memory");
        return NULL;
    }
    size_t count = ztl_fields(scene->insn.row->format, fields);
    for (size_t i = 0; i < count; i++)
        draw_field(panel, &fields[i], scene->insn.word, scene->language);
    return picture;
}

void ztl_encoding_text(const ztl_scene *scene, FILE *out)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(scene->insn.row->format, fields);
    fprintf(out, "%s = 0x%08" PRIx32 "\n\n", scene->text, scene->insn.word);
    ztl_print_picture(out, scene->insn.row, UINT32_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!fields[i].operand)
            continue;
        fprintf(out, "  %-8s ", fields[i].operand->name);
        for (unsigned bit = fields[i].high + 1; bit-- > fields[i].low;)
            fputc('0' + (int)(scene->insn.word >> bit & 1), out);
        fputc('\n', out);
    }
}
