/* SPDX-License-Identifier: Apache-2.0
 * CSRs by name: any spelling of the table, in either case, with an index as in …5 or …{5}.
 */
#include <ztl/ztl.h>

#include "codec/text.h"

/* Splits "name5" and "name{5}" of an indexed CSR; false when what follows the name is no index. */
static bool parse_index(const char *text, unsigned count, unsigned *index)
{
    bool braced = *text == '{';
    size_t length = 0;
    text += braced;
    while (ztl_is_digit(text[length]))
        length++;
    int value = ztl_register_index(text, length, "");
    if (value < 0 || (unsigned)value >= count)
        return false;
    *index = (unsigned)value;
    return braced ? text[length] == '}' && !text[length + 1] : !text[length];
}

static bool matches(const char *name, const char *spelling, size_t length, unsigned count,
                    unsigned *index)
{
    *index = 0;
    for (size_t i = 0; i < length; i++)
        if (ztl_lower(name[i]) != ztl_lower(spelling[i]) || !name[i])
            return false;
    return !name[length] || (count > 1 && parse_index(name + length, count, index));
}

/* Whether a name is one of the spellings of a row. */
static bool names_row(const char *name, const ztl_csr_row *row, unsigned *index)
{
    size_t length = 0;
    while (row->name[length])
        length++;
    if (matches(name, row->name, length, row->count, index))
        return true;
    for (const char *word = row->also; *word; word += length + (word[length] == ' ')) {
        for (length = 0; word[length] && word[length] != ' '; length++)
            continue;
        if (matches(name, word, length, row->count, index))
            return true;
    }
    return false;
}

bool ztl_csr_address(unsigned revision, const char *name, unsigned *address)
{
    const ztl_csr_row *row;
    if (!name || !address)
        return false;
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        unsigned index;
        if (revision >= row->first_revision && revision <= ZTL_REVISIONS &&
            names_row(name, row, &index)) {
            *address = row->address + index;
            return true;
        }
    }
    return false;
}

bool ztl_csr_name(unsigned revision, unsigned address, char *name, size_t size)
{
    unsigned index;
    ztl_text out = ztl_text_in(name, size);
    const ztl_csr_row *row = ztl_isa_csr_at(revision, address, &index);
    if (!row)
        return false;
    ztl_text_add(&out, row->name);
    if (row->count > 1)
        ztl_text_unsigned(&out, index);
    return true;
}
