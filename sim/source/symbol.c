/* SPDX-License-Identifier: Apache-2.0
 * Names of places and numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/source/assembler.h"

static unsigned bucket_of(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return hash % SOURCE_BUCKETS;
}

size_t ztl_asm_name_length(const char *at)
{
    size_t length = 0;
    if (ztl_is_digit(*at))
        return 0;
    while (ztl_is_word(at[length]) || at[length] == '$')
        length++;
    return length;
}

source_symbol *ztl_asm_find(const ztl_source *s, const char *name, size_t length)
{
    for (int i = s->bucket[bucket_of(name, length)]; i >= 0; i = s->symbols[i].next)
        if (ztl_exact_word(name, length, s->symbols[i].name))
            return &s->symbols[i];
    return NULL;
}

static source_symbol *add(ztl_source *s, const char *name, size_t length)
{
    char *copy = ztl_asm_copy(s, name, length);
    source_symbol *more = ztl_asm_more(s, s->symbols, s->symbol_count, sizeof *more);
    if (!copy || !more) {
        free(copy);
        return NULL;
    }
    s->symbols = more;
    int *bucket = &s->bucket[bucket_of(name, length)];
    more[s->symbol_count] = (source_symbol){.name = copy, .next = *bucket};
    *bucket = (int)s->symbol_count;
    return &more[s->symbol_count++];
}

bool ztl_asm_define(ztl_source *s, const char *name, size_t length, source_value value,
                    bool is_label)
{
    source_symbol *symbol = ztl_asm_find(s, name, length);
    if (!symbol)
        symbol = add(s, name, length);
    if (!symbol)
        return false;
    if (symbol->pass == s->pass && (is_label || symbol->is_label))
        return ztl_asm_fail(s, "'%s' is defined twice", symbol->name);
    symbol->value = value;
    symbol->is_label = is_label;
    symbol->pass = s->pass;
    return true;
}

/* The name that no source can write of the count-th label of a number. */
static size_t numbered_name(char *name, size_t size, unsigned number, unsigned count)
{
    return (size_t)snprintf(name, size, "%u:%u", number, count);
}

/* How many labels of a number there were so far, in this pass: a symbol of its own. */
static source_symbol *counter(ztl_source *s, unsigned number)
{
    char name[32];
    size_t length = numbered_name(name, sizeof name, number, 0);
    source_symbol *found = ztl_asm_find(s, name, length);
    if (!found)
        found = add(s, name, length);
    if (found && found->pass != s->pass)
        found->value = (source_value){0, SOURCE_ABSOLUTE}, found->pass = s->pass;
    return found;
}

bool ztl_asm_define_numbered(ztl_source *s, unsigned number)
{
    char name[32];
    source_symbol *count = counter(s, number);
    if (!count)
        return false;
    size_t length = numbered_name(name, sizeof name, number, (unsigned)++count->value.number);
    return ztl_asm_define(s, name, length, ztl_asm_here(s), true);
}

bool ztl_asm_numbered(ztl_source *s, unsigned number, bool forward, source_value *value)
{
    char name[32];
    source_symbol *count = counter(s, number);
    if (!count)
        return false;
    unsigned which = (unsigned)count->value.number + forward;
    size_t length = numbered_name(name, sizeof name, number, which);
    const source_symbol *symbol = which ? ztl_asm_find(s, name, length) : NULL;
    *value = symbol ? symbol->value : (source_value){0, SOURCE_UNKNOWN};
    if (symbol || (forward && s->pass == 1))
        return true;
    return ztl_asm_fail(s, "there is no label %u %s this line", number,
                        forward ? "after" : "before");
}
