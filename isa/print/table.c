/* SPDX-License-Identifier: Apache-2.0
 * Each list of isa/ as rows of cells, and the rows as aligned text or as Markdown.
 */
#include <string.h>

#include "isa/print/print.h"

enum { COLUMNS = 7, CELL = 200 };

typedef char cells[COLUMNS][CELL];

enum answer { PAST_END, SKIP, ROW };

/* Fills the cells of the index-th row; SKIP when it is not of the revision. */
typedef enum answer row_maker(size_t index, unsigned revision, cells cell);

#define SET(column, ...) snprintf(cell[column], CELL, __VA_ARGS__)

static char subset_letter(unsigned set)
{
    size_t index = 0;
    while (!(set >> index & 1))
        index++;
    return ztl_subset_letter(index);
}

static enum answer make_insn(size_t index, unsigned revision, cells cell)
{
    const ztl_insn_row *row = ztl_isa_insn(index);
    if (!row)
        return PAST_END;
    SET(0, "%u", row->revision);
    SET(1, "%s", row->mnemonic);
    ztl_operands_text(row->format, cell[2], CELL);
    SET(3, "Ztl%c", subset_letter(row->subset));
    SET(4, "%s", row->meaning);
    return ztl_in_revision(revision, row->revision, row->revision) ? ROW : SKIP;
}

static enum answer make_encoding(size_t index, unsigned revision, cells cell)
{
    const ztl_insn_row *row = ztl_isa_insn(index);
    const ztl_alias_row *alias;
    size_t length = 0;
    if (!row)
        return PAST_END;
    SET(0, "%u", row->revision);
    SET(1, "%s", row->mnemonic);
    SET(2, "0x%08x", (unsigned)row->match);
    SET(3, "0x%08x", (unsigned)row->mask);
    cell[4][0] = '\0';
    for (size_t i = 0; (alias = ztl_isa_alias(i)) && length < CELL; i++)
        if (alias->id == row->id)
            length += (size_t)snprintf(cell[4] + length, CELL - length, "%s0x%08x",
                                       length ? " " : "", (unsigned)alias->match);
    return ztl_in_revision(revision, row->revision, row->revision) ? ROW : SKIP;
}

static enum answer make_csr(size_t index, unsigned revision, cells cell)
{
    const ztl_csr_row *row = ztl_isa_csr(index);
    if (!row)
        return PAST_END;
    bool indexed = row->count > 1;
    SET(0, indexed ? "0x%03x+i" : "0x%03x", row->address);
    SET(1, indexed ? "%s{i}" : "%s", row->name);
    if (indexed)
        SET(2, "i");
    else
        SET(2, row->reset ? "0x%x" : "%u", (unsigned)row->reset);
    SET(3, "0x%08x", (unsigned)row->writable);
    SET(4, row->first_revision > 1 ? "%u" : "1, 2", row->first_revision);
    SET(5, "%s", row->also);
    SET(6, "%s%s", row->meaning, row->kind == ZTL_CSR_MASK ? "; uninitialised at reset" : "");
    return ztl_in_revision(revision, row->first_revision, ZTL_REVISIONS) ? ROW : SKIP;
}

static enum answer make_type(size_t index, unsigned revision, cells cell)
{
    const ztl_type_row *row = ztl_isa_type(index);
    if (!row)
        return PAST_END;
    SET(0, "0x%03x", row->ttype);
    SET(1, "%s", row->name);
    SET(2, "%u", row->bits);
    SET(3, "%u", row->exponent_bits);
    SET(4, "%u", row->fraction_bits);
    SET(5, "%s", row->meaning);
    return revision == 1 && row->ttype ? SKIP : ROW;
}

static enum answer make_reason(size_t index, unsigned revision, cells cell)
{
    (void)revision;
    if (!*ztl_reason_name((unsigned)index))
        return PAST_END;
    SET(0, "%zu", index);
    SET(1, "%s", ztl_reason_name((unsigned)index));
    SET(2, "%s", ztl_reason_words((unsigned)index));
    return ROW;
}

static enum answer make_rule(size_t index, unsigned revision, cells cell)
{
    static const char *const names[] = {
#define ZTL_RULE(ID, ...) #ID,
#include "isa/reason.def"
    };
    (void)revision;
    if (index >= ZTL_RULES)
        return PAST_END;
    enum ztl_rule rule = (enum ztl_rule)index;
    SET(0, "%s", names[index]);
    SET(1, "%s", ztl_rule_reason(rule) ? ztl_reason_name(ztl_rule_reason(rule)) : "-");
    SET(2, "%s", ztl_rule_text(rule));
    return ROW;
}

static enum answer make_subset(size_t index, unsigned revision, cells cell)
{
    if (index >= ZTL_SUBSETS)
        return PAST_END;
    SET(0, "Ztl%c", ztl_subset_letter(index));
    SET(1, "%s%s%s", ztl_subset_in(index, 1) ? "1" : "",
        ztl_subset_in(index, 1) && ztl_subset_in(index, 2) ? ", " : "",
        ztl_subset_in(index, 2) ? "2" : "");
    SET(2, "%s", ztl_subset_meaning(index));
    return revision && !ztl_subset_in(index, revision) ? SKIP : ROW;
}

static enum answer make_engine(size_t index, unsigned revision, cells cell)
{
    if (!*ztl_engine_name((unsigned)index))
        return PAST_END;
    SET(0, "%u%u", (unsigned)index >> 1 & 1, (unsigned)index & 1);
    SET(1, "%s", ztl_engine_name((unsigned)index));
    return revision == 1 ? SKIP : ROW;
}

static enum answer make_op(size_t index, unsigned revision, cells cell)
{
    const ztl_insn_row *row;
    if (index >= ZTL_OPS)
        return PAST_END;
    SET(0, "%s", ztl_op_name((enum ztl_op)index));
    ztl_effects_text((enum ztl_op)index, cell[1], CELL);
    ztl_reads_text((enum ztl_op)index, cell[2], CELL);
    SET(3, "%s", ztl_op_meaning((enum ztl_op)index));
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->op == index && ztl_in_revision(revision, row->revision, row->revision))
            return ROW;
    return SKIP;
}

static enum answer make_effect(size_t index, unsigned revision, cells cell)
{
    static const char *const rows[][2] = {
#define ZTL_EFFECT(ID, name, meaning) {name, meaning},
#include "isa/effect.def"
    };
    (void)revision;
    if (index >= ZTL_EFFECTS)
        return PAST_END;
    SET(0, "%s", rows[index][0]);
    SET(1, "%s", rows[index][1]);
    return ROW;
}

static const struct table {
    const char *name;
    row_maker *make;
    const char *headings[COLUMNS + 1];
} tables[] = {
    {"insn", make_insn, {"Ztl", "instruction", "operands", "part", "meaning"}},
    {"encoding", make_encoding, {"Ztl", "instruction", "match", "mask", "also decoded"}},
    {"csr", make_csr, {"address", "name", "reset", "writable", "Ztl", "also spelled", "meaning"}},
    {"type", make_type, {"ttype", "name", "bits", "exponent", "fraction", "meaning"}},
    {"reason", make_reason, {"code", "name", "meaning"}},
    {"rule", make_rule, {"rule", "reason", "text; %1, %2 and %x are values, %c a CSR, %s a slice"}},
    {"subset", make_subset, {"name", "Ztl", "meaning"}},
    {"engine", make_engine, {"[31:30]", "name"}},
    {"op", make_op, {"operation", "effects", "CSRs read", "meaning"}},
    {"effect", make_effect, {"effect", "meaning"}},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

const char *ztl_table_name(size_t index)
{
    return index < TABLES ? tables[index].name : NULL;
}

/* What a column needs: for its longest text, and for its longest word. */
typedef struct need {
    int text, word;
} need;

static void widen(need *column, const char *text)
{
    int length = (int)strlen(text);
    column->text = length > column->text ? length : column->text;
    while (*text) {
        int word = (int)strcspn(text, " ");
        column->word = word > column->word ? word : column->word;
        text += word + (text[word] == ' ');
    }
}

static void measure(const struct table *table, unsigned revision, need column[COLUMNS])
{
    cells cell;
    enum answer answer;
    for (size_t c = 0; table->headings[c]; c++)
        widen(&column[c], table->headings[c]);
    for (size_t i = 0; (answer = table->make(i, revision, cell)); i++)
        for (size_t c = 0; table->headings[c] && answer == ROW; c++)
            widen(&column[c], cell[c]);
}

/* How narrow a column may become. The first two are names, which stay whole. */
static int least_width(const need *column, size_t c, bool whole_words)
{
    enum { LEAST = 12 };
    int least = column[c].text < LEAST ? column[c].text : LEAST;
    bool whole = whole_words || c < 2;
    return whole && column[c].word > least ? column[c].word : least;
}

/* The widest column that can give something, or `count`. */
static size_t widest_column(const int *width, const need *column, size_t count, bool whole_words)
{
    size_t widest = count;
    for (size_t c = 0; c < count; c++)
        if (width[c] > least_width(column, c, whole_words) &&
            (widest == count || width[c] > width[widest]))
            widest = c;
    return widest;
}

/* Takes from the widest columns until the table fits `limit`; words are cut only where that does
 * not suffice. */
static void narrow(int width[COLUMNS], const need *column, size_t count, int limit)
{
    enum { GAP = 2 };
    int sum = -GAP;
    for (size_t c = 0; c < count; c++)
        sum += width[c] + GAP;
    for (int whole = 1; whole >= 0; whole--) {
        size_t c;
        for (; sum > limit && (c = widest_column(width, column, count, whole)) < count; sum--)
            width[c]--;
    }
}

/* How much of a text goes into a cell: whole words, if there is a place to break. */
static int part_of(const char *text, int width)
{
    int length = (int)strlen(text);
    if (length <= width)
        return length;
    for (int end = width; end > 0; end--)
        if (text[end] == ' ')
            return end;
    return width;
}

/* As many lines as its longest cell needs. The last column is not padded. */
static void print_text_row(FILE *out, const char *const *texts, size_t count, const int *width)
{
    const char *rest[COLUMNS];
    bool more = true;
    memcpy(rest, texts, count * sizeof *rest);
    while (more) {
        more = false;
        for (size_t c = 0; c < count; c++) {
            int part = part_of(rest[c], width[c]);
            int padding = c + 1 < count ? width[c] + 2 - part : 0;
            fprintf(out, "%.*s%*s", part, rest[c], padding, "");
            rest[c] += part;
            rest[c] += strspn(rest[c], " ");
            more |= *rest[c] != '\0';
        }
        fputc('\n', out);
    }
}

static void print_markdown_row(FILE *out, const char *const *texts, size_t count)
{
    for (size_t c = 0; c < count; c++)
        fprintf(out, "| %s ", texts[c]);
    fputs("|\n", out);
}

static void print_headings(FILE *out, const struct table *table, size_t count, const int *width,
                           enum ztl_table_style style)
{
    if (style == ZTL_TABLE_TEXT) {
        print_text_row(out, table->headings, count, width);
        return;
    }
    print_markdown_row(out, table->headings, count);
    for (size_t c = 0; c < count; c++)
        fputs("|---", out);
    fputs("|\n", out);
}

static void print_rows(FILE *out, const struct table *table, unsigned revision,
                       enum ztl_table_style style, size_t columns)
{
    need column[COLUMNS] = {{0, 0}};
    int width[COLUMNS];
    size_t count = 0;
    const char *texts[COLUMNS];
    cells cell;
    enum answer answer;
    measure(table, revision, column);
    for (; table->headings[count]; count++)
        width[count] = column[count].text;
    if (columns)
        narrow(width, column, count, (int)columns);
    print_headings(out, table, count, width, style);
    for (size_t i = 0; (answer = table->make(i, revision, cell)); i++) {
        if (answer == SKIP)
            continue;
        for (size_t c = 0; c < count; c++)
            texts[c] = cell[c];
        if (style == ZTL_TABLE_TEXT)
            print_text_row(out, texts, count, width);
        else
            print_markdown_row(out, texts, count);
    }
}

bool ztl_print_table(FILE *out, const char *name, unsigned revision, enum ztl_table_style style,
                     size_t columns)
{
    for (size_t i = 0; i < TABLES; i++) {
        if (strcmp(name, tables[i].name))
            continue;
        print_rows(out, &tables[i], revision, style, columns);
        return true;
    }
    return false;
}
