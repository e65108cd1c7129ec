/* SPDX-License-Identifier: Apache-2.0
 * Ztl CSR names in CSR instructions to their numbers.
 */
#include "toolchain/rewrite/expand.h"

#include <string.h>

#include <ztl/ztl.h>

#include "toolchain/rewrite/prelude.h"

/* Which operand is the CSR, or -1 for another instruction. */
static int csr_position(ztl_span mnemonic)
{
    static const char *const first[] = {"csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci"};
    static const char *const second[] = {"csrr",   "csrrw",  "csrrs", "csrrc",
                                         "csrrwi", "csrrsi", "csrrci"};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (ztl_span_is(mnemonic, first[i]))
            return 0;
    for (size_t i = 0; i < sizeof second / sizeof second[0]; i++)
        if (ztl_span_is(mnemonic, second[i]))
            return 1;
    return -1;
}

/* Whether the text is a name, perhaps with an index in braces: not a number, not an expression. */
static bool is_name(ztl_span text)
{
    const char *at = ztl_word_end(text.start, text.end);
    if (at == text.start || (*text.start >= '0' && *text.start <= '9'))
        return false;
    return at == text.end || (*at == '{' && text.end[-1] == '}' &&
                              ztl_word_end(at + 1, text.end - 1) == text.end - 1);
}

/* The instruction with other text in place of its CSR. */
static void print_with(ztl_buffer *out, const ztl_statement *s, ztl_span csr, const char *text)
{
    ztl_buffer_part(out, s->mnemonic.start, ztl_span_length(s->mnemonic));
    ztl_buffer_char(out, ' ');
    ztl_buffer_part(out, s->operands.start, (size_t)(csr.start - s->operands.start));
    ztl_buffer_add(out, text);
    ztl_buffer_part(out, csr.end, (size_t)(s->operands.end - csr.end));
}

/* A macro argument: the assembler compares the names. */
static void expand_argument(const ztl_statement *s, ztl_span csr, const char *name, ztl_buffer *out,
                            unsigned *parts)
{
    *parts |= ZTL_PRELUDE_CSR;
    const char *quote = s->alternate ? "" : "\""; /* .altmacro keeps quotes */
    ztl_buffer_format(out, "ztl.csr %s%s%s; .if .Lztl.csr < 0; ", quote, name, quote);
    print_with(out, s, csr, name);
    ztl_buffer_add(out, "; .else; ");
    print_with(out, s, csr, "(.Lztl.csr)");
    ztl_buffer_add(out, "; .endif");
}

/* Whether a macro of the source may have defined a symbol of this name. */
static bool may_be_symbol(const ztl_statement *s, const char *name)
{
    return s->names->any_symbol && !strchr(name, '{');
}

/* Such a symbol is theirs. */
static void open_symbol(ztl_buffer *out, const ztl_statement *s, ztl_span csr, const char *name)
{
    if (!may_be_symbol(s, name))
        return;
    ztl_buffer_format(out, ".ifdef %s; ", name);
    print_with(out, s, csr, name);
    ztl_buffer_add(out, "; .else; ");
}

static bool expand_name(const ztl_statement *s, ztl_span csr, const char *name, ztl_buffer *out,
                        unsigned *parts)
{
    unsigned address;
    ztl_buffer text = {0};
    bool done = true;
    if (strchr(name, '\\')) {
        expand_argument(s, csr, name, out, parts);
    } else if (ztl_names_is_symbol(s->names, name)) {
        done = false;
    } else if (ztl_csr_address(s->revision, name, &address)) {
        ztl_buffer_format(&text, "0x%03x", address);
        open_symbol(out, s, csr, name);
        print_with(out, s, csr, ztl_buffer_text(&text));
        ztl_buffer_add(out, may_be_symbol(s, name) ? "; .endif" : "");
    } else if (ztl_csr_address(3 - s->revision, name, &address)) {
        ztl_buffer_format(&text, "CSR '%s' is of Ztl %u, not of Ztl %u", name, 3 - s->revision,
                          s->revision);
        ztl_expand_error(out, ztl_buffer_text(&text));
    } else if (strchr(name, '{')) {
        ztl_buffer_format(&text, "CSR '%s': no such name, or an index outside 0 to 31", name);
        ztl_expand_error(out, ztl_buffer_text(&text));
    } else {
        done = false;
    }
    ztl_buffer_free(&text);
    return done;
}

bool ztl_expand_csr(const ztl_statement *s, ztl_buffer *out, unsigned *parts)
{
    ztl_span piece[ZTL_SPLIT_MAX];
    int position = csr_position(s->mnemonic);
    if (position < 0)
        return false;
    size_t count = ztl_split_operands(s->operands, piece);
    if (count <= (size_t)position || count > ZTL_SPLIT_MAX || !is_name(piece[position]))
        return false;
    ztl_buffer name = {0};
    ztl_buffer_part(&name, piece[position].start, ztl_span_length(piece[position]));
    bool done = expand_name(s, piece[position], ztl_buffer_text(&name), out, parts);
    ztl_buffer_free(&name);
    return done;
}

/* The end of a name with its index, as in tl_load_stride{5}. */
static const char *name_end(const char *at, const char *end)
{
    at = ztl_word_end(at, end);
    const char *brace = at < end && *at == '{' ? memchr(at, '}', (size_t)(end - at)) : NULL;
    return brace ? brace + 1 : at;
}

/* The text with numbers for the names behind a CSR instruction; how many there were. */
static size_t print_numbers(const ztl_statement *s, ztl_buffer *out)
{
    bool behind = false;
    size_t count = 0;
    for (const char *at = s->operands.start; at < s->operands.end;) {
        unsigned address;
        ztl_buffer name = {0};
        ztl_span word = {at, name_end(at, s->operands.end)};
        ztl_buffer_part(&name, word.start, ztl_span_length(word));
        const char *text = ztl_buffer_text(&name);
        const char *next = *text ? word.end : ztl_skip_token(at, s->operands.end);
        if (*text && behind && !ztl_names_is_symbol(s->names, text) &&
            ztl_csr_address(s->revision, text, &address)) {
            ztl_buffer_format(out, "0x%03x", address);
            count++;
        } else {
            ztl_buffer_part(out, at, (size_t)(next - at));
        }
        behind |= csr_position(word) >= 0;
        ztl_buffer_free(&name);
        at = next;
    }
    return count;
}

bool ztl_expand_csr_argument(const ztl_statement *s, ztl_buffer *out)
{
    ztl_buffer text = {0};
    bool found = print_numbers(s, &text) > 0;
    if (found)
        ztl_buffer_format(out, "%.*s %s", (int)ztl_span_length(s->mnemonic), s->mnemonic.start,
                          ztl_buffer_text(&text));
    ztl_buffer_free(&text);
    return found;
}
