/* SPDX-License-Identifier: Apache-2.0
 * The words that say what to show: REGISTER[:SHAPE[:TYPE]].
 */
#include <string.h>

#include <ztl/observe.h>

#include "host/error.h"

/* A part of the text, not terminated. */
typedef struct ztl_part {
    const char *text;
    size_t length;
} ztl_part;

/* Cuts the next part off, up to a separator or the end. */
static ztl_part cut(const char **text, char separator)
{
    size_t length = 0;
    while ((*text)[length] && (*text)[length] != separator)
        length++;
    ztl_part part = {*text, length};
    *text += length + ((*text)[length] == separator);
    return part;
}

/* A decimal number of up to five digits that fills the part. */
static bool read_number(ztl_part part, unsigned *value)
{
    *value = 0;
    for (size_t i = 0; i < part.length; i++) {
        if (part.text[i] < '0' || part.text[i] > '9')
            return false;
        *value = *value * 10 + (unsigned)(part.text[i] - '0');
    }
    return part.length >= 1 && part.length <= 5;
}

static bool parse_register(ztl_part part, unsigned *index, ztl_error *error)
{
    ztl_part number = {part.text + 2, part.length - 2};
    if (part.length > 2 && !strncmp(part.text, "tl", 2) && read_number(number, index) &&
        *index < ZTL_REGISTERS)
        return true;
    return ztl_fail(error, "register '%.*s' is not tl0 to tl31", (int)part.length, part.text);
}

static bool parse_registers(ztl_part part, ztl_view *view, ztl_error *error)
{
    const char *plus = memchr(part.text, '+', part.length);
    ztl_part first = {part.text, plus ? (size_t)(plus - part.text) : part.length};
    view->reg_count = plus ? 2 : 1;
    if (!parse_register(first, &view->reg[0], error))
        return false;
    if (!plus)
        return true;
    ztl_part second = {plus + 1, part.length - first.length - 1};
    return parse_register(second, &view->reg[1], error);
}

static bool parse_shape(ztl_part part, ztl_view *view, ztl_error *error)
{
    ztl_part whole = part;
    view->dimensions = 0;
    for (bool more = true; more;) {
        const char *x = memchr(part.text, 'x', part.length);
        ztl_part number = {part.text, x ? (size_t)(x - part.text) : part.length};
        unsigned size;
        if (view->dimensions == ZTL_VIEW_MAX_DIMENSIONS)
            return ztl_fail(error, "shape '%.*s' has more than %d dimensions", (int)whole.length,
                            whole.text, ZTL_VIEW_MAX_DIMENSIONS);
        if (!read_number(number, &size) || size == 0)
            return ztl_fail(
                error, "shape '%.*s': dimension %u is '%.*s', must be a number from 1 on",
                (int)whole.length, whole.text, view->dimensions, (int)number.length, number.text);
        view->dim[view->dimensions++] = size;
        more = x != NULL;
        if (more)
            part = (ztl_part){x + 1, part.length - number.length - 1};
    }
    return true;
}

static bool parse_type(ztl_part part, ztl_view *view, ztl_error *error)
{
    const ztl_type_row *type;
    char known[200] = "";
    for (size_t i = 0; (type = ztl_isa_type(i)); i++) {
        if (strlen(type->name) == part.length && !strncmp(type->name, part.text, part.length)) {
            view->type = (enum ztl_type)i;
            return true;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", type->name);
    }
    return ztl_fail(error, "type '%.*s' is not one of%s", (int)part.length, part.text, known);
}

static bool check_size(const ztl_view *view, ztl_error *error)
{
    uint64_t bits = ztl_isa_type(view->type)->bits,
             room = (uint64_t)8 * ZTL_REG_BYTES * view->reg_count;
    for (unsigned k = 0; k < view->dimensions; k++) {
        bits *= view->dim[k];
        if (bits > room)
            return ztl_fail(error, "the shape takes more than the %u bytes of the register%s",
                            view->reg_count * ZTL_REG_BYTES, view->reg_count == 2 ? "s" : "");
    }
    return true;
}

bool ztl_view_parse(const char *text, ztl_view *view, ztl_error *error)
{
    const char *rest = text;
    ztl_part registers = cut(&rest, ':'), shape = cut(&rest, ':'), type = cut(&rest, '\0');
    bool has_shape = text[registers.length] == ':';
    bool has_type = has_shape && shape.text[shape.length] == ':';
    *view = (ztl_view){.type = ZTL_TYPE_BYTE};
    if (!parse_registers(registers, view, error) || (has_type && !parse_type(type, view, error)))
        return false;
    if (has_shape)
        return parse_shape(shape, view, error) && check_size(view, error);
    unsigned elements = view->reg_count * 8 * ZTL_REG_BYTES / ztl_isa_type(view->type)->bits;
    view->dimensions = 2;
    view->dim[0] = elements / 32;
    view->dim[1] = 32;
    return true;
}
