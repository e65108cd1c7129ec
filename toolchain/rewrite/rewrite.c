/* SPDX-License-Identifier: Apache-2.0
 * Rewriting statement by statement: instructions to .insn, CSR names to numbers.
 */
#include "toolchain/rewrite/rewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/text.h"
#include "toolchain/rewrite/expand.h"
#include "toolchain/rewrite/lexer.h"
#include "toolchain/rewrite/prelude.h"

/* A walk over one file. */
typedef struct walk {
    ztl_rewriter *rewriter;
    ztl_buffer *out;
    ztl_buffer file; /* in messages; line markers of the C preprocessor change it */
    size_t line;
    size_t loc_line; /* of the last .loc, 0 before the first */
    const char *end;
    bool changed;
    bool misplaced; /* the next line wants a marker */
} walk;

static bool walk_text(ztl_rewriter *r, const char *file, const char *text, size_t length,
                      ztl_buffer *out);

static size_t count_lines(ztl_span span)
{
    size_t count = 0;
    for (const char *at = span.start; at < span.end; at++)
        count += *at == '\n';
    return count;
}

/* `# 12 "file"`: what follows is that line of that file. */
static void print_marker(ztl_buffer *out, const char *file, size_t line)
{
    ztl_buffer_format(out, "# %zu \"", line);
    for (; *file; file++) {
        if (*file == '"' || *file == '\\')
            ztl_buffer_char(out, '\\');
        ztl_buffer_char(out, *file);
    }
    ztl_buffer_add(out, "\"\n");
}

/* Takes note of a marker that the source itself has; `at` is behind the #. */
static void read_marker(walk *w, const char *at, const char *line_end)
{
    char *digits_end;
    while (at < line_end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == line_end || !ztl_is_digit(*at))
        return;
    size_t line = strtoul(at, &digits_end, 10);
    const char *quote = memchr(digits_end, '"', (size_t)(line_end - digits_end));
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(line_end - quote - 1)) : NULL;
    if (!close)
        return;
    ztl_buffer_free(&w->file);
    ztl_buffer_part(&w->file, quote + 1, (size_t)(close - quote - 1));
    w->line = line - 1; /* the end of this line makes it `line` */
}

/* The statement's text with comments as spaces: what the instruction parsers see. */
static void print_clean(ztl_buffer *out, ztl_span span)
{
    for (const char *at = span.start; at < span.end;) {
        const char *next = ztl_skip_token(at, span.end);
        if (*at == '/' && next - at > 1)
            ztl_buffer_char(out, ' ');
        else
            for (; at < next; at++) /* the lines of a string are made up for later */
                ztl_buffer_char(out, *at == '\n' ? ' ' : *at);
        at = next;
    }
}

static bool is_on_stack(const ztl_rewriter *r, const char *path)
{
    for (size_t i = 0; i < r->open.count; i++)
        if (!strcmp(path, r->open.item[i]))
            return true;
    return false;
}

/* A device or a pipe could go on for ever. */
static bool read_plain_file(ztl_buffer *text, const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && ztl_buffer_read(text, path);
}

/* Finds and reads an included file as the assembler would. */
static bool read_included(const ztl_rewriter *r, const char *name, ztl_buffer *path,
                          ztl_buffer *text)
{
    ztl_buffer_add(path, name);
    if (read_plain_file(text, name))
        return true;
    for (size_t i = 0; *name != '/' && i < r->include_dirs.count; i++) {
        ztl_buffer_free(path);
        ztl_buffer_format(path, "%s/%s", r->include_dirs.item[i], name);
        if (read_plain_file(text, ztl_buffer_text(path)))
            return true;
    }
    return false;
}

/* Puts the file's text in place of the statement, with markers around it. Within a macro body these
 * could not stand, so the lines are put right behind it. */
static void inline_included(walk *w, const char *path, const ztl_buffer *text)
{
    if (w->rewriter->depth == 0) {
        ztl_buffer_char(w->out, '\n');
        print_marker(w->out, path, 1);
    }
    ztl_buffer_part(w->out, ztl_buffer_text(text), text->length);
    ztl_buffer_char(w->out, '\n');
    if (w->rewriter->depth == 0)
        print_marker(w->out, ztl_buffer_text(&w->file), w->line);
    else
        w->misplaced = true;
}

/* Whether the assembler will find no such file; a name with a macro argument is known later. */
static bool is_missing(const ztl_rewriter *r, const char *name)
{
    ztl_buffer path = {0};
    bool missing = !strchr(name, '\\') && !r->names.parameters.count && access(name, F_OK) != 0;
    for (size_t i = 0; missing && *name != '/' && i < r->include_dirs.count; i++) {
        ztl_buffer_format(&path, "%s/%s", r->include_dirs.item[i], name);
        missing = access(ztl_buffer_text(&path), F_OK) != 0;
        ztl_buffer_free(&path);
    }
    return missing;
}

/* What GNU as says of a file that is not there, at the place where the user wrote it. */
static void report_missing(walk *w, const char *name)
{
    ztl_buffer message = {0};
    ztl_buffer_format(&message, "can't open %s for reading: %s", name, strerror(ENOENT));
    ztl_expand_error(w->out, ztl_buffer_text(&message));
    ztl_buffer_free(&message);
}

/* `.include "file"`: taken in when there is Ztl in the file, else left to the assembler, as is one
 * that includes itself. */
static bool rewrite_include(walk *w, ztl_span rest)
{
    ztl_rewriter *r = w->rewriter;
    ztl_span quoted = ztl_span_trim(rest);
    ztl_buffer name = {0}, path = {0}, text = {0}, rewritten = {0};
    bool changed = false;
    if (ztl_span_length(quoted) < 3 || *quoted.start != '"' || quoted.end[-1] != '"')
        return false;
    ztl_buffer_part(&name, quoted.start + 1, ztl_span_length(quoted) - 2);
    if (!read_included(r, ztl_buffer_text(&name), &path, &text)) {
        changed = is_missing(r, ztl_buffer_text(&name));
        if (changed)
            report_missing(w, ztl_buffer_text(&name));
    } else if (!is_on_stack(r, ztl_buffer_text(&path))) {
        changed =
            walk_text(r, ztl_buffer_text(&path), ztl_buffer_text(&text), text.length, &rewritten);
        if (changed)
            inline_included(w, ztl_buffer_text(&path), &rewritten);
    }
    ztl_buffer_free(&name);
    ztl_buffer_free(&path);
    ztl_buffer_free(&text);
    ztl_buffer_free(&rewritten);
    return changed;
}

/* The file that `1 "dir" "name"` or `1 "name"` means. */
static void print_file_name(ztl_buffer *out, ztl_span rest)
{
    for (const char *at = rest.start; at < rest.end;) {
        const char *next = ztl_skip_token(at, rest.end);
        if (*at == '"' && next - at >= 2) {
            if (at[1] == '/' || !strcmp(ztl_buffer_text(out), "."))
                ztl_buffer_free(out);
            ztl_buffer_add(out, out->length ? "/" : "");
            ztl_buffer_part(out, at + 1, (size_t)(next - at - 2));
        }
        at = next;
    }
}

/* `.file 1 "dir" "name"` gives a number a name; the file itself keeps the name it came with. */
static void read_loc_file(walk *w, ztl_span rest)
{
    enum { LIMIT = 10000 };
    ztl_rewriter *r = w->rewriter;
    ztl_buffer name = {0};
    size_t number = strtoul(rest.start, NULL, 10);
    if (rest.start == rest.end || !ztl_is_digit(*rest.start) || number > LIMIT)
        return;
    print_file_name(&name, rest);
    while (r->loc_files.count <= number)
        ztl_args_add(&r->loc_files, "");
    free(r->loc_files.item[number]);
    r->loc_files.item[number] = strdup(number ? ztl_buffer_text(&name) : r->open.item[0]);
    ztl_buffer_free(&name);
}

/* `.loc 1 12 …`: what follows is line 12 of file 1. */
static void read_loc(walk *w, ztl_span rest)
{
    char *at;
    size_t number = strtoul(rest.start, &at, 10);
    size_t line = strtoul(at, NULL, 10);
    if (number >= w->rewriter->loc_files.count || !w->rewriter->loc_files.item[number] || !line)
        return;
    ztl_buffer_free(&w->file);
    ztl_buffer_add(&w->file, w->rewriter->loc_files.item[number]);
    w->loc_line = line;
    w->line = line - 1; /* the end of this line makes it `line` */
    w->misplaced = true;
}

static bool is_opener(ztl_span word)
{
    static const char *const openers[] = {".macro", ".rept", ".rep", ".irp", ".irpc"};
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++)
        if (ztl_span_same(word, openers[i]))
            return true;
    return false;
}

/* Directives that open or close a body, define a name, or bring in text. True when the statement
 * was replaced. */
static bool rewrite_directive(walk *w, ztl_span word, ztl_span rest)
{
    static const char *const closers[] = {".endm", ".endmacro", ".endr"};
    if (ztl_span_same(word, ".include"))
        return rewrite_include(w, rest);
    if (w->rewriter->follow_loc && ztl_span_same(word, ".file"))
        read_loc_file(w, rest);
    if (w->rewriter->follow_loc && ztl_span_same(word, ".loc"))
        read_loc(w, rest);
    ztl_names_directive(&w->rewriter->names, word, rest);
    w->rewriter->depth += is_opener(word);
    for (size_t i = 0; i < sizeof closers / sizeof closers[0]; i++)
        if (ztl_span_same(word, closers[i]) && w->rewriter->depth > 0)
            w->rewriter->depth--;
    if (w->rewriter->depth == 0)
        ztl_args_free(&w->rewriter->names.parameters);
    return false;
}

/* `name = value` defines a symbol, whatever the name. */
static bool is_assignment(ztl_span rest)
{
    return rest.start < rest.end && *rest.start == '=';
}

/* A statement of ours to `out`; false when it is not ours. */
static bool rewrite_instruction(walk *w, ztl_span word, ztl_span rest)
{
    ztl_rewriter *r = w->rewriter;
    ztl_statement s = {.revision = r->revision,
                       .mnemonic = word,
                       .operands = rest,
                       .alternate = r->names.parameters.count > 0,
                       .names = &r->names};
    if (is_assignment(rest)) {
        ztl_names_symbol(&r->names, word);
        return false;
    }
    if (ztl_names_is_macro(&r->names, word))
        return ztl_expand_csr_argument(&s, w->out);
    return ztl_span_starts(word, "tl.") ? ztl_expand_insn(&s, w->out, &r->parts)
                                        : ztl_expand_csr(&s, w->out, &r->parts);
}

/* Whether a mnemonic of ours, or the beginning of one, stands in the text. */
static bool has_mnemonic(ztl_span text)
{
    for (const char *at = text.start; at < text.end;) {
        ztl_span word = {at, ztl_word_end(at, text.end)};
        if (ztl_span_starts(word, "tl.") || ztl_span_same(word, "tl"))
            return true;
        at = word.start < word.end ? word.end : at + 1;
    }
    return false;
}

/* Whether // is text in this statement, as GNU as has it, and no comment: in the arguments of a
 * macro and of directives that take any text. */
static bool takes_text(const ztl_names *names, ztl_span word)
{
    static const char *const takers[] = {".macro", ".irp", ".irpc", ".ifc",
                                         ".ifnc",  ".ifb", ".ifnb"};
    for (size_t i = 0; i < sizeof takers / sizeof takers[0]; i++)
        if (ztl_span_same(word, takers[i]))
            return true;
    bool is_ours = word.start == word.end || ztl_span_starts(word, "tl.");
    return ztl_names_is_macro(names, word) ||
           (!is_ours && (ztl_span_has(word, '\\') || (names->any_macro && *word.start != '.')));
}

/* The first word behind the labels. */
static ztl_span find_word(const char *at, const char *end)
{
    at = ztl_skip_labels(at, end);
    return (ztl_span){at, ztl_word_end(at, end)};
}

/* A statement without comments and, in a body of .altmacro, with its parameters marked. */
static void print_statement(const walk *w, ztl_span span, ztl_buffer *out)
{
    ztl_buffer clean = {0};
    print_clean(&clean, span);
    ztl_span text = {ztl_buffer_text(&clean), ztl_buffer_text(&clean) + clean.length};
    ztl_names_mark(&w->rewriter->names, text, out);
    ztl_buffer_free(&clean);
}

/* Writes what takes the place of a statement; false when nothing does. */
static bool rewrite_statement(walk *w, const char *start, const char *end)
{
    ztl_buffer text = {0};
    print_statement(w, (ztl_span){start, end}, &text);
    const char *text_end = ztl_buffer_text(&text) + text.length;
    ztl_span word = find_word(ztl_buffer_text(&text), text_end);
    ztl_span rest = ztl_span_trim((ztl_span){word.end, text_end});
    bool replaced = false;
    if (word.start < word.end) {
        bool own = ztl_names_is_macro(&w->rewriter->names, word);
        bool directive = *word.start == '.' && !own;
        if ((own || (directive ? is_opener(word) : !ztl_span_starts(word, "tl."))) &&
            has_mnemonic(rest))
            w->rewriter->parts |= ZTL_PRELUDE_MACROS;
        replaced =
            directive ? rewrite_directive(w, word, rest) : rewrite_instruction(w, word, rest);
    }
    ztl_buffer_free(&text);
    return replaced;
}

/* Copies or replaces what stands between two separators. */
static void walk_statement(walk *w, ztl_span span)
{
    const char *start = ztl_skip_labels(span.start, span.end);
    size_t before = w->out->length;
    ztl_buffer_part(w->out, span.start, (size_t)(start - span.start));
    if (rewrite_statement(w, start, span.end)) {
        for (size_t n = count_lines((ztl_span){start, span.end}); n > 0; n--)
            ztl_buffer_char(w->out, '\n');
        w->changed = true;
    } else if (!w->out->failed) {
        w->out->length = before;
        ztl_buffer_part(w->out, span.start, ztl_span_length(span));
    }
    w->line += count_lines(span);
}

/* A comment up to the end of the line. GNU as for RISC-V has no // of its own. */
static const char *walk_comment(walk *w, const char *at, bool line_start)
{
    const char *line_end = memchr(at, '\n', (size_t)(w->end - at));
    if (!line_end)
        line_end = w->end;
    if (*at == '#' && line_start)
        read_marker(w, at + 1, line_end);
    if (w->loc_line && ztl_span_starts((ztl_span){at, line_end}, "#APP")) {
        w->line = w->loc_line - 1; /* inline assembly starts on the line of the last .loc */
        w->misplaced = true;
    }
    w->changed |= *at == '/';
    ztl_buffer_char(w->out, '#');
    ztl_buffer_part(w->out, at + 1, (size_t)(line_end - at - 1));
    return line_end;
}

static void walk_newline(walk *w)
{
    ztl_buffer_char(w->out, '\n');
    w->line++;
    if (w->misplaced && w->rewriter->depth == 0) {
        print_marker(w->out, ztl_buffer_text(&w->file), w->line);
        w->misplaced = false;
    }
}

static void walk_all(walk *w, const char *at)
{
    bool line_start = true;
    while (at < w->end) {
        bool slashes = !takes_text(&w->rewriter->names, find_word(at, w->end));
        const char *stop = ztl_statement_end(at, w->end, slashes);
        walk_statement(w, (ztl_span){at, stop});
        line_start = line_start && stop == at;
        at = stop;
        if (ztl_at_line_comment(at, w->end, slashes))
            at = walk_comment(w, at, line_start);
        if (at == w->end)
            break;
        line_start = *at == '\n';
        if (line_start)
            walk_newline(w);
        else
            ztl_buffer_char(w->out, *at);
        at++;
    }
}

/* Whether anything had to be changed. */
static bool walk_text(ztl_rewriter *r, const char *file, const char *text, size_t length,
                      ztl_buffer *out)
{
    walk w = {.rewriter = r, .out = out, .line = 1, .end = text + length};
    ztl_buffer_add(&w.file, file);
    ztl_args_add(&r->open, file);
    walk_all(&w, text);
    free(r->open.item[--r->open.count]);
    r->open.item[r->open.count] = NULL;
    ztl_buffer_free(&w.file);
    return w.changed;
}

void ztl_rewrite_text(ztl_rewriter *r, const char *file, const char *text, size_t length)
{
    print_marker(&r->body, file, 1);
    r->changed |= walk_text(r, file, text, length, &r->body);
    if (length && text[length - 1] != '\n')
        ztl_buffer_char(&r->body, '\n');
}

bool ztl_rewrite_result(ztl_rewriter *r, ztl_buffer *out)
{
    ztl_prelude_print(r->revision, r->parts, &r->names, out);
    ztl_buffer_part(out, ztl_buffer_text(&r->body), r->body.length);
    return !out->failed && !r->body.failed;
}

void ztl_rewriter_free(ztl_rewriter *r)
{
    ztl_args_free(&r->loc_files);
    ztl_args_free(&r->include_dirs);
    ztl_names_free(&r->names);
    ztl_args_free(&r->open);
    ztl_buffer_free(&r->body);
}
