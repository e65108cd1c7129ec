/* SPDX-License-Identifier: Apache-2.0
 * One line of assembly to a word, with errors that name the operand and what it may be.
 */
#include <ztl/ztl.h>

#include "codec/encode.h"
#include "codec/gpr.h"
#include "codec/suggest.h"
#include "codec/text.h"

/* A walk over the line. */
typedef struct cursor {
    const char *at;
    ztl_text *error;
} cursor;

typedef struct word {
    const char *start;
    size_t length;
} word;

static void skip_space(cursor *c)
{
    while (ztl_is_space(*c->at))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    if (*c->at != wanted)
        return false;
    c->at++;
    return true;
}

/* A run of characters that can stand in a name or a number. */
static word take_word(cursor *c)
{
    skip_space(c);
    const char *start = c->at;
    while (ztl_is_word(*c->at))
        c->at++;
    return (word){start, (size_t)(c->at - start)};
}

/* "operand 2 (tlrs1): X is not ..." */
static bool complain(cursor *c, const ztl_operand_row *operand, size_t position, word found,
                     const char *wanted)
{
    ztl_text_add(c->error, "operand ");
    ztl_text_unsigned(c->error, position + 1);
    ztl_text_add(c->error, " (");
    ztl_text_add(c->error, operand->name);
    ztl_text_add(c->error, "): ");
    if (found.length) {
        ztl_text_char(c->error, '\'');
        ztl_text_part(c->error, found.start, found.length);
        ztl_text_add(c->error, "' is not ");
    } else {
        ztl_text_add(c->error, "expected ");
    }
    ztl_text_add(c->error, wanted);
    return false;
}

static int digit_value(char c)
{
    char lower = ztl_lower(c);
    if (ztl_is_digit(c))
        return c - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/* A number in base 10, 0x 16, 0b 2 or 0 8. Too large ones stay far out of every range. */
static bool parse_magnitude(word text, int64_t *value)
{
    const int64_t limit = INT64_C(1) << 40;
    int base = 10;
    size_t i = 0;
    if (text.length > 1 && text.start[0] == '0') {
        char mark = ztl_lower(text.start[1]);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        i = base == 8 ? 1 : 2;
    }
    if (i >= text.length)
        return false;
    for (*value = 0; i < text.length; i++) {
        int digit = digit_value(text.start[i]);
        if (digit >= base)
            return false;
        *value = *value * base + digit;
        if (*value > limit)
            *value = limit;
    }
    return true;
}

static bool parse_number(cursor *c, const ztl_operand_row *operand, size_t position, int32_t *value)
{
    skip_space(c);
    const char *start = c->at;
    bool negative = *c->at == '-';
    if (*c->at == '-' || *c->at == '+')
        c->at++;
    word digits = take_word(c);
    word whole = {start, (size_t)(c->at - start)};
    int64_t magnitude;
    if (!parse_magnitude(digits, &magnitude)) {
        ztl_range range = ztl_operand_range(operand);
        complain(c, operand, position, whole, "a number from ");
        ztl_text_decimal(c->error, range.low);
        ztl_text_add(c->error, " to ");
        ztl_text_decimal(c->error, range.high);
        return false;
    }
    int64_t number = negative ? -magnitude : magnitude;
    ztl_range range = ztl_operand_range(operand);
    if (number < range.low || number > range.high) {
        ztl_range_error(operand, position, number, c->error);
        return false;
    }
    *value = (int32_t)number;
    return true;
}

static bool parse_tl(cursor *c, const ztl_operand_row *operand, size_t position, int32_t *value)
{
    static const char *const prefixes[] = {"tl", "tlr", "t"};
    word name = take_word(c);
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        int index = ztl_register_index(name.start, name.length, prefixes[i]);
        if (index >= 0 && index < ZTL_REGISTERS) {
            *value = index;
            return true;
        }
    }
    return complain(c, operand, position, name, "a tensor register, tl0 to tl31");
}

static bool parse_gpr(cursor *c, const ztl_operand_row *operand, size_t position, int32_t *value)
{
    word name = take_word(c);
    *value = ztl_gpr_index(name.start, name.length);
    if (*value >= 0 && *value < 32)
        return true;
    return complain(c, operand, position, name, "an integer register, x0 to x31 or an ABI name");
}

/* The base of an address: what stands between parentheses. */
static bool parse_base(cursor *c, const ztl_operand_row *operand, size_t position, int32_t *value)
{
    if (!take(c, '('))
        return complain(c, operand, position, (word){c->at, 0}, "an address, as in 0(a0)");
    if (!parse_gpr(c, operand, position, value))
        return false;
    if (!take(c, ')'))
        return complain(c, operand, position, (word){c->at, 0}, "a closing parenthesis");
    return true;
}

static bool parse_engine(cursor *c, const ztl_operand_row *operand, size_t position, int32_t *value)
{
    word name = take_word(c);
    for (unsigned e = 0; *ztl_engine_name(e); e++)
        if (ztl_exact_word(name.start, name.length, ztl_engine_name(e))) {
            *value = (int32_t)e;
            return true;
        }
    return complain(c, operand, position, name, "an engine: load, comp, store or reshape");
}

static bool parse_operand(cursor *c, const ztl_operand_row *operand, size_t position,
                          int32_t *value)
{
    switch ((enum ztl_operand_kind)operand->kind) {
    case ZTL_KIND_TL:
        return parse_tl(c, operand, position, value);
    case ZTL_KIND_GPR:
        return parse_gpr(c, operand, position, value);
    case ZTL_KIND_OFFSET:
        skip_space(c);
        *value = 0;
        return *c->at == '(' || parse_number(c, operand, position, value);
    case ZTL_KIND_IMM:
        return parse_number(c, operand, position, value);
    case ZTL_KIND_BASE:
        return parse_base(c, operand, position, value);
    case ZTL_KIND_ENGINE:
        break;
    }
    return parse_engine(c, operand, position, value);
}

static bool at_end(cursor *c)
{
    skip_space(c);
    return !*c->at;
}

static bool parse_operands(cursor *c, ztl_insn *insn)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn->row->format, k)); k++) {
        if (operand->kind == ZTL_KIND_ENGINE && at_end(c))
            break;
        if (k > 0 && operand->kind != ZTL_KIND_BASE && !take(c, ','))
            return complain(c, operand, k, (word){c->at, 0}, "a comma and this operand");
        if (!parse_operand(c, operand, k, &insn->operand[k]))
            return false;
    }
    if (at_end(c))
        return true;
    ztl_text_add(c->error, "unexpected '");
    ztl_text_add(c->error, c->at);
    ztl_text_add(c->error, "' after the last operand");
    return false;
}

static const ztl_insn_row *find_mnemonic(unsigned revision, word name)
{
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision && ztl_exact_word(name.start, name.length, row->mnemonic))
            return row;
    return NULL;
}

/* Lists the suffixes that follow `stem`, which ends in a dot, in the mnemonics of the revision. */
static bool list_suffixes(ztl_text *error, unsigned revision, word stem, const char *before)
{
    const ztl_insn_row *row;
    size_t found = 0;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        if (row->revision != revision || !ztl_starts_with(row->mnemonic, stem.start, stem.length))
            continue;
        ztl_text_add(error, found++ ? ", ." : before);
        ztl_text_add(error, row->mnemonic + stem.length);
    }
    return found > 0;
}

/* Where all but the last suffix is right, as in tl.concat.3. */
static bool wrong_suffix(ztl_text *error, unsigned revision, word name)
{
    size_t stem = name.length, dots = 0;
    while (stem > 0 && name.start[stem - 1] != '.')
        stem--;
    for (size_t i = 0; i < stem; i++)
        dots += name.start[i] == '.';
    return dots > 1 && list_suffixes(error, revision, (word){name.start, stem},
                                     ": its suffix must be one of .");
}

/* Where the suffix is missing, as in tl.concat: the first mnemonic that has one. */
static const ztl_insn_row *find_with_suffix(unsigned revision, word name)
{
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision && ztl_starts_with(row->mnemonic, name.start, name.length) &&
            row->mnemonic[name.length] == '.' && name.length > 3) /* more than "tl" */
            return row;
    return NULL;
}

static void did_you_mean(ztl_text *error, const char *mnemonic)
{
    ztl_text_add(error, ", did you mean '");
    ztl_text_add(error, mnemonic);
    ztl_text_add(error, "'?");
}

static void unknown_mnemonic(ztl_text *error, unsigned revision, word name)
{
    ztl_text_add(error, "unknown mnemonic '");
    ztl_text_part(error, name.start, name.length);
    ztl_text_char(error, '\'');
    unsigned other = 3 - revision;
    const ztl_insn_row *longer = find_with_suffix(revision, name);
    if (longer) {
        did_you_mean(error, longer->mnemonic);
        word stem = {longer->mnemonic, name.length + 1};
        list_suffixes(error, revision, stem, " The suffixes are .");
        return;
    }
    if (find_mnemonic(other, name) || find_with_suffix(other, name)) {
        ztl_text_add(error, ": it is of Ztl ");
        ztl_text_unsigned(error, other);
        ztl_text_add(error, ", not of Ztl ");
        ztl_text_unsigned(error, revision);
        return;
    }
    const char *close = NULL;
    if (!wrong_suffix(error, revision, name))
        close = ztl_suggest_mnemonic(revision, name.start, name.length);
    if (close)
        did_you_mean(error, close);
}

bool ztl_assemble(unsigned revision, const char *text, uint32_t *out, ztl_error *error)
{
    ztl_text message = ztl_text_error(error);
    if (!text || !out || (revision != 1 && revision != 2)) {
        ztl_text_add(&message, "nothing to assemble, or no such revision");
        return false;
    }
    cursor c = {text, &message};
    word name = take_word(&c);
    ztl_insn insn = {.row = find_mnemonic(revision, name)};
    if (!insn.row) {
        unknown_mnemonic(&message, revision, name);
        return false;
    }
    return parse_operands(&c, &insn) && ztl_encode(&insn, out, error);
}
