/* SPDX-License-Identifier: Apache-2.0
 * An instruction word as a row of fields, and its operands as text.
 */
#include "isa/print/print.h"

static const ztl_operand_row *operand_at(enum ztl_format format, unsigned high)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(format, k)); k++)
        if (operand->lsb + operand->width - 1u == high)
            return operand;
    return NULL;
}

/* Fixed bits end where an operand starts, and at the ends of funct3 and of the opcode. */
static bool fixed_ends_at(enum ztl_format format, unsigned low)
{
    return low == 0 || low == 7 || low == 12 || low == 15 || operand_at(format, low - 1);
}

size_t ztl_fields(enum ztl_format format, ztl_field fields[ZTL_MAX_FIELDS])
{
    size_t count = 0;
    for (unsigned high = 32; high-- > 0 && count < ZTL_MAX_FIELDS; count++) {
        const ztl_operand_row *operand = operand_at(format, high);
        unsigned low = high;
        if (operand)
            low = operand->lsb;
        else
            while (!fixed_ends_at(format, low))
                low--;
        fields[count] = (ztl_field){operand, high, low};
        high = low;
    }
    return count;
}

void ztl_operands_text(enum ztl_format format, char *text, size_t size)
{
    static const char *const forms[] = {
        [ZTL_KIND_TL] = "%s",     [ZTL_KIND_GPR] = "%s",    [ZTL_KIND_IMM] = "%s",
        [ZTL_KIND_OFFSET] = "%s", [ZTL_KIND_BASE] = "(%s)", [ZTL_KIND_ENGINE] = "[, %s]",
    };
    const ztl_operand_row *operand;
    size_t length = 0;
    text[0] = '\0';
    for (size_t k = 0; (operand = ztl_isa_operand(format, k)) && length < size; k++) {
        bool joined = k == 0 || operand->kind == ZTL_KIND_BASE || operand->kind == ZTL_KIND_ENGINE;
        length += (size_t)snprintf(text + length, size - length, "%s", joined ? "" : ", ");
        if (length < size)
            length +=
                (size_t)snprintf(text + length, size - length, forms[operand->kind], operand->name);
    }
}
