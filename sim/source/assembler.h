/* SPDX-License-Identifier: Apache-2.0
 * The assembler of whole sources from inside. Two passes over the statements: the first finds how
 * long each is and where the labels are, the second writes the bytes.
 */
#ifndef ZTL_SIM_ASSEMBLER_H
#define ZTL_SIM_ASSEMBLER_H

#include <ztl/source.h>

#include "codec/text.h"

enum {
    SOURCE_ABSOLUTE = -1, /* a number, not a place */
    SOURCE_UNKNOWN = -2,  /* not known yet: only in the first pass */
    SOURCE_MOST_STATEMENTS = 1 << 20,
    SOURCE_MOST_BYTES = 64 << 20,
    SOURCE_MOST_ERRORS = 100,
    SOURCE_MOST_DEPTH = 100, /* macros in macros */
    SOURCE_MOST_OPERANDS = 8,
    SOURCE_BUCKETS = 1024,
};

/* A number, or a place: so many bytes into a section. */
typedef struct source_value {
    int64_t number;
    int section;
} source_value;

typedef struct source_symbol {
    char *name;
    source_value value;
    bool is_label;
    unsigned pass; /* in which it was defined last; 0: never */
    int next;      /* in its bucket */
} source_symbol;

/* What a section holds, in the order of the image. */
enum source_kind { SOURCE_TEXT, SOURCE_CONSTANTS, SOURCE_DATA, SOURCE_ZEROS, SOURCE_LEFT_OUT };

typedef struct source_section {
    char *name;
    enum source_kind kind;
    uint64_t size, alignment, address;
} source_section;

typedef struct source_statement {
    char *text;
    unsigned line;
    uint64_t offset; /* in its section, by the first pass */
    int section;
} source_statement;

/* Text between two lines, with the parameters of a macro. */
typedef struct source_macro {
    char *name, *parameters, *body;
} source_macro;

/* Text that is read: the source, a macro, what a loop repeats. */
typedef struct source_input {
    char *text;
    size_t at;
    unsigned line;
    bool is_call; /* its statements have the line of the call */
    struct source_input *below;
} source_input;

/* Where %pcrel_hi stood: what %pcrel_lo of its label asks for. */
typedef struct source_pair {
    source_value place;
    char *target;
} source_pair;

struct ztl_source {
    ztl_hart_isa isa;
    uint64_t base;
    unsigned pass, line;
    int section, previous;
    bool alternate; /* .altmacro */
    bool failed;    /* without memory, or too much */
    source_input *input;
    unsigned depth;
    char conditions[SOURCE_MOST_DEPTH + 2]; /* a letter for each .if: t taken, f not yet, d done */
    unsigned macro_calls;

    source_section *sections;
    size_t section_count;
    source_symbol *symbols;
    size_t symbol_count;
    int bucket[SOURCE_BUCKETS];
    source_statement *statements;
    size_t statement_count;
    source_macro *macros;
    size_t macro_count;
    source_pair *pairs;
    size_t pair_count;
    ztl_source_line *lines;
    size_t line_count;
    ztl_source_error *errors;
    size_t error_count;
    uint8_t *bytes;
    uint64_t size;
    uint64_t entry;
};

/* ---- source.c ---- */
/* An error of the current line; returns false. */
__attribute__((format(printf, 2, 3))) bool ztl_asm_fail(ztl_source *s, const char *format, ...);
/* One more element of an array that grows; NULL without memory. */
void *ztl_asm_more(ztl_source *s, void *array, size_t count, size_t size);
char *ztl_asm_copy(ztl_source *s, const char *start, size_t length);
uint64_t ztl_asm_offset(const ztl_source *s); /* in the current section */
source_value ztl_asm_here(const ztl_source *s);
/* Bytes at the current place. */
bool ztl_asm_emit(ztl_source *s, const void *bytes, size_t size);
/* The current section, made where it is new. */
bool ztl_asm_enter(ztl_source *s, const char *name, size_t length, bool is_loaded);

/* ---- symbol.c ---- */
source_symbol *ztl_asm_find(const ztl_source *s, const char *name, size_t length);
bool ztl_asm_define(ztl_source *s, const char *name, size_t length, source_value value,
                    bool is_label);
/* A label that is a number may stand often: 1: … 1b. */
bool ztl_asm_define_numbered(ztl_source *s, unsigned number);
bool ztl_asm_numbered(ztl_source *s, unsigned number, bool forward, source_value *value);
size_t ztl_asm_name_length(const char *at); /* of a name that starts here, or 0 */

/* ---- value.c ---- */
/* An expression; *at moves behind it. False and an error. */
bool ztl_asm_value(ztl_source *s, const char **at, source_value *value);
/* All of a text, a number that is known now. */
bool ztl_asm_constant(ztl_source *s, const char *text, const char *what, int64_t *number);
/* A character, escaped or not, as between quotes. */
unsigned ztl_asm_character(const char **at);
const char *ztl_asm_skip(const char *at); /* spaces */

/* ---- reader.c ---- */
/* The next statement with its line, macros and loops expanded; NULL at the end. */
char *ztl_asm_next(ztl_source *s);
void ztl_asm_blank_comments(char *text);

/* ---- macro.c ---- */
bool ztl_asm_push(ztl_source *s, char *text);
bool ztl_asm_define_macro(ztl_source *s, const char *head, const char *body, size_t length);
bool ztl_asm_call(ztl_source *s, const char *name, size_t length, const char *arguments,
                  bool *is_macro);
bool ztl_asm_repeat(ztl_source *s, const char *head, const char *body, size_t length);
bool ztl_asm_repeat_for(ztl_source *s, const char *head, const char *body, size_t length,
                        bool characters);

/* ---- directive.c, data.c ---- */
bool ztl_asm_directive(ztl_source *s, const char *name, size_t length, const char *rest);
bool ztl_asm_align(ztl_source *s, uint64_t alignment);
bool ztl_asm_data(ztl_source *s, const char *name, size_t length, const char *rest, bool *is_data);

/* ---- operand.c ---- */
typedef struct source_operands {
    size_t count;
    char text[SOURCE_MOST_OPERANDS][200];
} source_operands;
bool ztl_asm_split(ztl_source *s, const char *rest, source_operands *operands);
/* The text that a number stands in for, with its base in parentheses if it has one. */
bool ztl_asm_resolve(ztl_source *s, const char *mnemonic, char *operand, size_t index,
                     size_t count);

/* ---- instruction.c, insn.c ---- */
bool ztl_asm_instruction(ztl_source *s, const char *name, size_t length, const char *rest);
bool ztl_asm_insn(ztl_source *s, const char *rest);

#endif
