/* SPDX-License-Identifier: Apache-2.0
 *
 * Ztl instructions to .insn. The codec assembles what is known. An operand that only the assembler
 * can know (a macro argument, an expression) is replaced by a neutral one for the codec, and its
 * value is added by an expression that the assembler evaluates, behind a check of its range.
 */
#include "toolchain/rewrite/expand.h"

#include <stdio.h>
#include <string.h>

#include <ztl/ztl.h>

#include "codec/encode.h"
#include "codec/gpr.h"
#include "codec/text.h"
#include "host/error.h"
#include "toolchain/rewrite/prelude.h"

/* An operand whose value the assembler finds. */
typedef struct deferred {
    const ztl_operand_row *operand;
    size_t position;
    ztl_span text;
    ztl_span shown; /* in messages */
} deferred;

typedef struct plan {
    const ztl_insn_row *row;
    ztl_span mnemonic;
    bool mnemonic_deferred;
    bool alternate;   /* no word but ours may be written */
    ztl_span address; /* offset and base in one macro argument */
    deferred later[ZTL_MAX_OPERANDS];
    size_t later_count;
    ztl_buffer known; /* the instruction with neutral operands, for the codec */
} plan;

/* By kind: the neutral text, and for names the symbol that has the value. */
static const struct kind {
    const char *neutral, *symbol, *wanted;
    unsigned part;
} kinds[] = {
    [ZTL_KIND_TL] = {"tl0", ZTL_SYMBOL_TL, "a tensor register, tl0 to tl31", ZTL_PRELUDE_TL},
    [ZTL_KIND_GPR] = {"zero", ZTL_SYMBOL_GPR, "an integer register, x0 to x31 or an ABI name",
                      ZTL_PRELUDE_GPR},
    [ZTL_KIND_BASE] = {"(zero)", ZTL_SYMBOL_GPR, "an integer register, x0 to x31 or an ABI name",
                       ZTL_PRELUDE_GPR},
    [ZTL_KIND_ENGINE] = {"load", ZTL_SYMBOL_ENGINE, "an engine: load, comp, store or reshape",
                         ZTL_PRELUDE_ENGINE},
    [ZTL_KIND_IMM] = {"0", NULL, NULL, 0},
    [ZTL_KIND_OFFSET] = {"0", NULL, NULL, 0},
};

void ztl_expand_error(ztl_buffer *out, const char *message)
{
    ztl_buffer_add(out, ".error \"");
    for (; *message; message++)
        ztl_buffer_char(out, *message == '"' || *message == '\n' ? ' ' : *message);
    ztl_buffer_char(out, '"');
}

static void emit_word(ztl_buffer *out, const plan *p, uint32_t word, unsigned *parts)
{
    if (p->alternate) {
        *parts |= ZTL_PRELUDE_EMIT;
        ztl_buffer_format(out, ".set .Lztl.rd, %u; .set .Lztl.high, 0x%x; ztl.emit", word >> 7 & 31,
                          word >> 12);
        return;
    }
    ztl_buffer_format(out, ".insn r 0x%02x, %u, %u, x%u, x%u, x%u", word & 0x7f, word >> 12 & 7,
                      word >> 25, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31);
}

static bool is_register_name(ztl_span text)
{
    size_t length = ztl_span_length(text);
    return ztl_gpr_index(text.start, length) >= 0 ||
           ztl_register_index(text.start, length, "tl") >= 0 ||
           ztl_register_index(text.start, length, "tlr") >= 0;
}

/* Whether an immediate is more than a number: the codec judges what is one, and register names. */
static bool is_expression(ztl_span text)
{
    const char *at = text.start;
    if (at < text.end && (*at == '-' || *at == '+'))
        at++;
    bool one_word = ztl_word_end(at, text.end) == text.end;
    if (at == text.end || (one_word && ztl_is_digit(*at) && !ztl_span_has(text, '\\')))
        return false;
    return !is_register_name(text);
}

static bool is_deferred(const ztl_operand_row *operand, ztl_span text)
{
    if (operand->kind == ZTL_KIND_IMM || operand->kind == ZTL_KIND_OFFSET)
        return is_expression(text);
    return ztl_span_has(text, '\\') && ztl_word_end(text.start, text.end) == text.end;
}

/* Adds one operand to the text for the codec, or its stand-in. */
static void plan_operand(plan *p, const ztl_operand_row *operand, size_t position, ztl_span text)
{
    bool base = operand->kind == ZTL_KIND_BASE;
    if (is_deferred(operand, text)) {
        p->later[p->later_count++] = (deferred){operand, position, text, text};
        ztl_buffer_add(&p->known, kinds[operand->kind].neutral);
        return;
    }
    ztl_buffer_format(&p->known, base ? "(%.*s)" : "%.*s", (int)ztl_span_length(text), text.start);
}

/* Splits 4*N(a0) at the parenthesis that closes at the end; false when there is none. */
static bool split_address(ztl_span text, ztl_span *offset, ztl_span *base)
{
    int depth = 0;
    if (text.start == text.end || text.end[-1] != ')')
        return false;
    for (const char *at = text.end - 1; at >= text.start; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0) {
            *offset = ztl_span_trim((ztl_span){text.start, at});
            *base = ztl_span_trim((ztl_span){at + 1, text.end - 1});
            return true;
        }
    }
    return false;
}

static ztl_span span_of(const char *text)
{
    return (ztl_span){text, text + strlen(text)};
}

/* Offset and base in one macro argument: the assembler takes them apart. */
static void defer_address(plan *p, size_t position, ztl_span text)
{
    const uint8_t format = p->row->format;
    p->address = text;
    p->later[p->later_count++] =
        (deferred){ztl_isa_operand(format, position), position, span_of(ZTL_ADDRESS_OFFSET), text};
    p->later[p->later_count++] = (deferred){ztl_isa_operand(format, position + 1), position + 1,
                                            span_of(ZTL_ADDRESS_BASE), text};
    ztl_buffer_add(&p->known, "0(zero)");
}

/* An address is two operands of the format in one piece of the text. */
static void plan_address(plan *p, size_t position, ztl_span text)
{
    ztl_span offset, base;
    if (!split_address(text, &offset, &base)) {
        if (ztl_span_has(text, '\\') && ztl_word_end(text.start, text.end) == text.end)
            defer_address(p, position, text);
        else
            ztl_buffer_part(&p->known, text.start, ztl_span_length(text));
        return;
    }
    plan_operand(p, ztl_isa_operand(p->row->format, position), position, offset);
    plan_operand(p, ztl_isa_operand(p->row->format, position + 1), position + 1, base);
}

static void plan_operands(plan *p, ztl_span operands)
{
    ztl_span piece[ZTL_SPLIT_MAX];
    size_t count = ztl_split_operands(operands, piece);
    size_t k = 0;
    ztl_buffer_format(&p->known, "%s ", p->row->mnemonic);
    for (size_t i = 0; i < count && i < ZTL_SPLIT_MAX; i++, k++) {
        const ztl_operand_row *operand = ztl_isa_operand(p->row->format, k);
        ztl_buffer_add(&p->known, i ? ", " : "");
        if (!operand) {
            ztl_buffer_part(&p->known, piece[i].start, ztl_span_length(piece[i]));
        } else if (operand->kind == ZTL_KIND_OFFSET) {
            plan_address(p, k, piece[i]);
            k++;
        } else {
            plan_operand(p, operand, k, piece[i]);
        }
    }
}

/* The row of a mnemonic. Of one that contains a macro argument: any row that it can become, when
 * all of these have the same operands; else *several. */
static const ztl_insn_row *find_row(const ztl_statement *s, bool *is_later, bool *several)
{
    const char *argument = memchr(s->mnemonic.start, '\\', ztl_span_length(s->mnemonic));
    const ztl_insn_row *row, *found = NULL;
    *is_later = argument != NULL;
    *several = false;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        if (row->revision != s->revision)
            continue;
        if (!argument && ztl_span_is(s->mnemonic, row->mnemonic))
            return row;
        size_t prefix = argument ? (size_t)(argument - s->mnemonic.start) : 0;
        if (!argument || strncmp(s->mnemonic.start, row->mnemonic, prefix))
            continue;
        *several |= found && found->format != row->format;
        found = row;
    }
    return *several ? NULL : found;
}

/* The symbol or expression that has the operand's value. */
static void print_value(ztl_buffer *out, const deferred *d)
{
    const char *symbol = kinds[d->operand->kind].symbol;
    int length = (int)ztl_span_length(d->text);
    if (symbol)
        ztl_buffer_format(out, "%s%.*s", symbol, length, d->text.start);
    else
        ztl_buffer_format(out, "((%.*s) & 0x%x)", length, d->text.start,
                          (1u << d->operand->width) - 1);
}

/* Opens a condition that holds when the operand is good. */
static void open_check(ztl_buffer *out, const deferred *d)
{
    int length = (int)ztl_span_length(d->text);
    if (kinds[d->operand->kind].symbol) {
        ztl_buffer_add(out, ".ifdef ");
        print_value(out, d);
    } else {
        ztl_range range = ztl_operand_range(d->operand);
        ztl_buffer_format(out, ".if ((%.*s) >= %d) && ((%.*s) <= %d)", length, d->text.start,
                          range.low, length, d->text.start, range.high);
    }
    ztl_buffer_add(out, "; ");
}

/* Ends that condition with what to say otherwise. The text stands without quotes: GNU as drops a
 * quote after a macro argument. */
static void close_check(ztl_buffer *out, const deferred *d)
{
    const struct kind *kind = &kinds[d->operand->kind];
    ztl_range range = ztl_operand_range(d->operand);
    ztl_buffer message = {0};
    ztl_buffer_format(&message, "operand %zu (%s): %.*s ", d->position + 1, d->operand->name,
                      (int)ztl_span_length(d->shown), d->shown.start);
    if (kind->symbol)
        ztl_buffer_format(&message, "is not %s", kind->wanted);
    else
        ztl_buffer_format(&message, "is out of range, must be %d to %d", range.low, range.high);
    ztl_buffer_add(out, "; .else; ");
    ztl_expand_error(out, ztl_buffer_text(&message));
    ztl_buffer_add(out, "; .endif");
    ztl_buffer_free(&message);
}

/* [31:12] of the word: the known bits, and the deferred ones in their places. */
static void print_high(ztl_buffer *out, const plan *p, uint32_t word)
{
    uint32_t known = p->mnemonic_deferred ? word - p->row->match : word;
    ztl_buffer_format(out, "0x%x", known >> 12);
    if (p->mnemonic_deferred)
        ztl_buffer_format(out, " + (" ZTL_SYMBOL_INSN "%.*s >> 12)",
                          (int)ztl_span_length(p->mnemonic), p->mnemonic.start);
    for (size_t i = 0; i < p->later_count; i++) {
        if (p->later[i].operand->lsb < 12)
            continue;
        ztl_buffer_add(out, " + (");
        print_value(out, &p->later[i]);
        ztl_buffer_format(out, " << %d)", p->later[i].operand->lsb - 12);
    }
}

/* The instruction itself. `.insn u` takes [31:12] as an expression, but [11:7] only by name. */
static void print_deferred_word(ztl_buffer *out, const plan *p, uint32_t word, unsigned *parts)
{
    const deferred *rd = NULL;
    for (size_t i = 0; i < p->later_count; i++)
        if (p->later[i].operand->lsb < 12)
            rd = &p->later[i];
    if (!rd && !p->alternate) {
        ztl_buffer_format(out, ".insn u 0x%02x, x%u, ", ZTL_OPCODE, word >> 7 & 31);
        print_high(out, p, word);
        return;
    }
    *parts |= ZTL_PRELUDE_EMIT;
    ztl_buffer_add(out, ".set .Lztl.rd, ");
    if (rd)
        print_value(out, rd);
    else
        ztl_buffer_format(out, "%u", word >> 7 & 31);
    ztl_buffer_add(out, "; .set .Lztl.high, ");
    print_high(out, p, word);
    ztl_buffer_add(out, "; ztl.emit");
}

/* Ends the check of a mnemonic with those that there are. */
static void close_mnemonic(ztl_buffer *out, const plan *p)
{
    size_t prefix = strcspn(p->mnemonic.start, "\\");
    const char *separator = ", must be one of ";
    const ztl_insn_row *row;
    ztl_buffer_format(out, "; .else; .error \"unknown mnemonic %.*s",
                      (int)ztl_span_length(p->mnemonic), p->mnemonic.start);
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        if (row->revision != p->row->revision || strncmp(row->mnemonic, p->mnemonic.start, prefix))
            continue;
        ztl_buffer_format(out, "%s%s", separator, row->mnemonic);
        separator = ", ";
    }
    ztl_buffer_add(out, "\"; .endif");
}

static void open_address(ztl_buffer *out, const plan *p, unsigned *parts)
{
    *parts |= ZTL_PRELUDE_ADDRESS;
    const char *quote = p->alternate ? "" : "\""; /* .altmacro keeps quotes */
    ztl_buffer_format(out, "ztl.address %s%.*s%s; .if .Lztl.bad == 0; ", quote,
                      (int)ztl_span_length(p->address), p->address.start, quote);
}

static void close_address(ztl_buffer *out, const plan *p)
{
    ztl_buffer message = {0};
    ztl_buffer_format(&message,
                      "operand 2 (offset): %.*s is not an address of a number and a register, "
                      "as in 4(a0)",
                      (int)ztl_span_length(p->address), p->address.start);
    ztl_buffer_add(out, "; .else; ");
    ztl_expand_error(out, ztl_buffer_text(&message));
    ztl_buffer_add(out, "; .endif");
    ztl_buffer_free(&message);
}

static void print_deferred(ztl_buffer *out, const plan *p, uint32_t word, unsigned *parts)
{
    int length = (int)ztl_span_length(p->mnemonic);
    if (p->mnemonic_deferred) {
        *parts |= ZTL_PRELUDE_INSN;
        ztl_buffer_format(out, ".ifdef " ZTL_SYMBOL_INSN "%.*s; ", length, p->mnemonic.start);
    }
    if (p->address.start)
        open_address(out, p, parts);
    for (size_t i = 0; i < p->later_count; i++) {
        *parts |= kinds[p->later[i].operand->kind].part;
        open_check(out, &p->later[i]);
    }
    print_deferred_word(out, p, word, parts);
    for (size_t i = p->later_count; i-- > 0;)
        close_check(out, &p->later[i]);
    if (p->address.start)
        close_address(out, p);
    if (p->mnemonic_deferred)
        close_mnemonic(out, p);
}

static void expand_planned(plan *p, ztl_span operands, ztl_buffer *out, unsigned *parts)
{
    ztl_error error;
    uint32_t word;
    plan_operands(p, operands);
    if (!ztl_assemble(p->row->revision, ztl_buffer_text(&p->known), &word, &error))
        ztl_expand_error(out, error.text);
    else if (p->later_count || p->mnemonic_deferred)
        print_deferred(out, p, word, parts);
    else
        emit_word(out, p, word, parts);
    ztl_buffer_free(&p->known);
}

/* What is wrong with a mnemonic that is none. */
static void refuse_mnemonic(const ztl_statement *s, bool is_later, ztl_buffer *out)
{
    ztl_error error;
    uint32_t word;
    ztl_buffer name = {0};
    ztl_buffer_part(&name, s->mnemonic.start, ztl_span_length(s->mnemonic));
    if (is_later)
        ztl_fail(&error, "%.200s: no Ztl %u mnemonic starts like this", ztl_buffer_text(&name),
                 s->revision);
    else
        ztl_assemble(s->revision, ztl_buffer_text(&name), &word, &error);
    ztl_expand_error(out, error.text);
    ztl_buffer_free(&name);
}

bool ztl_expand_insn(const ztl_statement *s, ztl_buffer *out, unsigned *parts)
{
    plan p = {.mnemonic = s->mnemonic, .alternate = s->alternate};
    bool several;
    p.row = find_row(s, &p.mnemonic_deferred, &several);
    if (several) {
        *parts |= ZTL_PRELUDE_MACROS;
        return false;
    }
    if (p.row)
        expand_planned(&p, s->operands, out, parts);
    else
        refuse_mnemonic(s, p.mnemonic_deferred, out);
    return true;
}
