/* SPDX-License-Identifier: Apache-2.0
 * Statements of a source: without comments, with conditions decided and blocks collected.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/source/assembler.h"

/* Past a string or a character from its quote on. */
static size_t past_quoted(const char *text, size_t at)
{
    char quote = text[at++];
    if (quote == '\'') {
        if (text[at] == '\\' && text[at + 1])
            at++;
        at += text[at] != '\0' && text[at] != '\n';
        return at + (text[at] == '\'');
    }
    while (text[at] && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return at + (text[at] == '"');
}

/* Where the statement that starts here ends: before its newline or semicolon. */
static size_t statement_end(const char *text, size_t at)
{
    while (text[at] && text[at] != '\n' && text[at] != ';')
        at = text[at] == '"' || text[at] == '\'' ? past_quoted(text, at) : at + 1;
    return at;
}

static void blank(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

void ztl_asm_blank_comments(char *text)
{
    for (size_t at = 0; text[at];) {
        size_t end = at + 1;
        if (text[at] == '"' || text[at] == '\'') {
            end = past_quoted(text, at);
        } else if (text[at] == '#') {
            end = at + strcspn(text + at, "\n");
            blank(text + at, end - at);
        } else if (!strncmp(text + at, "/*", 2)) {
            const char *close = strstr(text + at + 2, "*/");
            end = close ? (size_t)(close + 2 - text) : strlen(text);
            blank(text + at, end - at);
        }
        at = end;
    }
}

/* Past the newline or semicolon that parts two statements. */
static size_t past_separator(const char *text, size_t at, unsigned *line)
{
    *line += text[at] == '\n';
    return at + (text[at] != '\0');
}

static void trim(const char **start, size_t *length)
{
    while (*length && ztl_is_space(**start))
        ++*start, --*length;
    while (*length && ztl_is_space((*start)[*length - 1]))
        --*length;
}

/* The length of the labels that a statement begins with, "a: 1: ", up to what they stand before. */
static size_t labels_length(const char *start, size_t length)
{
    size_t labels = 0;
    for (size_t at = 0; at < length;) {
        while (at < length && (ztl_is_word(start[at]) || start[at] == '$'))
            at++;
        if (at == labels || at == length || start[at] != ':')
            break;
        for (at++; at < length && ztl_is_space(start[at]);)
            at++;
        labels = at;
    }
    return labels;
}

/* The first word of a statement, after labels. */
static const char *first_word(const char *start, size_t length, size_t *word)
{
    while (length && ztl_is_space(*start))
        start++, length--;
    size_t labels = labels_length(start, length);
    start += labels;
    for (*word = 0; *word < length - labels && ztl_is_word(start[*word]);)
        ++*word;
    return start;
}

static bool is_one_of(const char *word, size_t length, const char *names)
{
    while (*names) {
        size_t size = strcspn(names, " ");
        if (size == length && !strncmp(names, word, size))
            return true;
        names += size + (names[size] == ' ');
    }
    return false;
}

/* The text up to the end of a block, which is passed over: from after .macro or .rept to before its
 * .endm or .endr. False when there is none. */
static bool take_block(ztl_source *s, const char *opens, const char *closes, const char **body,
                       size_t *length)
{
    source_input *in = s->input;
    unsigned open = 1, line = in->line;
    size_t at = in->at, start = at;
    while (in->text[at]) {
        size_t end = statement_end(in->text, at), word;
        const char *name = first_word(in->text + at, end - at, &word);
        open += is_one_of(name, word, opens);
        if (is_one_of(name, word, closes) && --open == 0) {
            *body = in->text + start;
            *length = at - start;
            in->at = end;
            in->line = line;
            return true;
        }
        at = past_separator(in->text, end, &line);
    }
    in->at = at;
    return ztl_asm_fail(s, "there is no %s for this", closes);
}

/* ---- Conditions ---- */

static bool is_skipping(const ztl_source *s)
{
    size_t depth = strlen(s->conditions);
    for (size_t i = 0; i < depth; i++)
        if (s->conditions[i] != 't')
            return true;
    return false;
}

static bool is_true(ztl_source *s, const char *word, size_t length, const char *rest)
{
    int64_t number = 0;
    bool names = is_one_of(word, length, ".ifdef .ifndef");
    if (names) {
        const source_symbol *symbol = ztl_asm_find(s, rest, ztl_asm_name_length(rest));
        return (symbol && symbol->pass) == (length == 6);
    }
    if (is_one_of(word, length, ".ifb .ifnb"))
        return (*rest == '\0') == (length == 4);
    if (!ztl_asm_constant(s, rest, "the condition", &number))
        return false;
    return is_one_of(word, length, ".ifeq")   ? number == 0
           : is_one_of(word, length, ".ifgt") ? number > 0
           : is_one_of(word, length, ".ifge") ? number >= 0
           : is_one_of(word, length, ".iflt") ? number < 0
           : is_one_of(word, length, ".ifle") ? number <= 0
                                              : number != 0;
}

/* Whether a statement is a condition, which is then decided. */
static bool take_condition(ztl_source *s, const char *word, size_t length, const char *rest)
{
    size_t depth = strlen(s->conditions);
    char *last = depth ? &s->conditions[depth - 1] : NULL;
    if (is_one_of(word, length,
                  ".if .ifdef .ifndef .ifb .ifnb .ifeq .ifne .ifgt .ifge .iflt .ifle")) {
        if (depth == SOURCE_MOST_DEPTH)
            return !ztl_asm_fail(s, "conditions are nested too deeply");
        /* What is inside of something skipped is done before it starts. */
        bool skips = is_skipping(s);
        s->conditions[depth] = skips ? 'd' : is_true(s, word, length, rest) ? 't' : 'f';
        s->conditions[depth + 1] = '\0';
        return true;
    }
    if (!is_one_of(word, length, ".else .elseif .endif"))
        return false;
    if (!last)
        return !ztl_asm_fail(s, "%.*s without .if", (int)length, word);
    if (is_one_of(word, length, ".endif")) {
        *last = '\0';
    } else if (*last == 't') {
        *last = 'd';
    } else if (*last == 'f') {
        *last = 't';
        if (is_one_of(word, length, ".elseif") &&
            (is_skipping(s) || !is_true(s, word, length, rest)))
            *last = 'f';
    }
    return true;
}

/* ---- Statements ---- */

/* Whether a statement opens a block, which is then taken and expanded. */
static bool take_opening(ztl_source *s, const char *word, size_t length, const char *rest)
{
    static const char loops[] = ".rept .irp .irpc", loop_end[] = ".endr";
    const char *body;
    size_t size;
    if (is_one_of(word, length, ".macro")) {
        if (take_block(s, ".macro", ".endm .endmacro", &body, &size))
            ztl_asm_define_macro(s, rest, body, size);
        return true;
    }
    if (!is_one_of(word, length, loops))
        return false;
    if (!take_block(s, loops, loop_end, &body, &size))
        return true;
    if (length == 5 && word[1] == 'r')
        ztl_asm_repeat(s, rest, body, size);
    else
        ztl_asm_repeat_for(s, rest, body, size, length == 5);
    return true;
}

/* The next statement of the inputs as it stands, labels by themselves; NULL at the end of all. */
static char *take_statement(ztl_source *s)
{
    while (s->input) {
        source_input *in = s->input;
        if (!in->text[in->at]) {
            s->input = in->below;
            s->depth--;
            free(in->text);
            free(in);
            continue;
        }
        size_t end = statement_end(in->text, in->at), length = end - in->at;
        const char *start = in->text + in->at;
        trim(&start, &length);
        size_t labels = labels_length(start, length);
        s->line = in->is_call ? s->line : in->line;
        if (labels) {
            in->at = (size_t)(start + labels - in->text);
            trim(&start, &labels);
            return ztl_asm_copy(s, start, labels);
        }
        in->at = past_separator(in->text, end, &in->line);
        if (length)
            return ztl_asm_copy(s, start, length);
    }
    return NULL;
}

/* Whether a statement is not for the passes: a condition, what one leaves out, a block, a call. */
static bool is_expanded(ztl_source *s, const char *text)
{
    size_t length;
    const char *word = first_word(text, strlen(text), &length);
    const char *rest = ztl_asm_skip(word + length);
    if (take_condition(s, word, length, rest) || is_skipping(s) ||
        take_opening(s, word, length, rest))
        return true;
    bool is_macro = false;
    ztl_asm_call(s, word, length, rest, &is_macro);
    return is_macro;
}

char *ztl_asm_next(ztl_source *s)
{
    char *text;
    while (!s->failed && (text = take_statement(s))) {
        if (!is_expanded(s, text))
            return text;
        free(text);
    }
    if (*s->conditions)
        ztl_asm_fail(s, "there is no .endif for an .if");
    return NULL;
}
