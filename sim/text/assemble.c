/* SPDX-License-Identifier: Apache-2.0
 *
 * The word of any instruction of the hart. Operands are read as the disassembler writes them
 * (ztl_decoded_operands); where their bits go is asked of the decoder, so that no encoding is
 * written a second time.
 */
#include "sim/text/assemble.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/gpr.h"
#include "codec/text.h"
#include "host/error.h"
#include "sim/hart.h"
#include "sim/text/pseudo.h"

enum { NO_ROUNDING = 5 };

/* An instruction under way. */
typedef struct assembly {
    const ztl_hart_isa *isa;
    uint64_t pc;
    const char *at; /* in the text */
    base_row row;   /* the fixed bits */
    decoded wanted; /* what the text asks for */
    ztl_error *error;
} assembly;

#define FAIL(a, ...) ztl_fail((a)->error, __VA_ARGS__)

/* The fields of the row's instruction in a word. */
static void fields(const assembly *a, uint32_t word, decoded *insn)
{
    if (a->wanted.length == 2)
        ztl_compressed_fields(a->wanted.c_row, word, insn);
    else
        ztl_base_fields(a->wanted.op, word, insn);
}

/* The field that an operand's letter stands for; NULL for punctuation. */
static uint8_t *register_field(decoded *insn, char letter)
{
    switch (letter) {
    case 'd':
    case 'D':
        return &insn->rd;
    case 's':
    case 'S':
    case 'z':
    case 'k':
        return &insn->rs1;
    case 't':
    case 'T':
        return &insn->rs2;
    case 'R':
        return &insn->rs3;
    case 'm':
        return &insn->rm;
    default:
        return NULL;
    }
}

static bool is_immediate(char letter)
{
    return letter && strchr("ihuacpq", letter);
}

/* What a bit of the word adds to an operand: a single bit, or the sign with all above it. */
static uint32_t added(const assembly *a, char letter, unsigned bit)
{
    decoded without, with;
    if (a->row.mask >> bit & 1)
        return 0;
    fields(a, a->row.match, &without);
    fields(a, a->row.match | UINT32_C(1) << bit, &with);
    if (is_immediate(letter))
        return (uint32_t)(without.imm ^ with.imm);
    const uint8_t *from = register_field(&without, letter), *to = register_field(&with, letter);
    return from ? (uint32_t)(*from ^ *to) : 0;
}

static uint32_t value_of(decoded *insn, char letter)
{
    const uint8_t *field = register_field(insn, letter);
    return field ? *field : (uint32_t)insn->imm;
}

/* The bits of an operand, each where the decoder looks for it. */
static uint32_t place(assembly *a, char letter)
{
    uint32_t word = 0, value = value_of(&a->wanted, letter);
    for (unsigned bit = 0; bit < 8u * a->wanted.length; bit++) {
        uint32_t sum = added(a, letter, bit);
        if (sum & -sum & value)
            word |= UINT32_C(1) << bit;
    }
    return word;
}

static size_t piece_length(const char *at)
{
    size_t length = strcspn(at, ",()");
    while (length && ztl_is_space(at[length - 1]))
        length--;
    return length;
}

/* "'5000' is out of range, must be -2048 to 2047 in steps of 2" */
static bool refuse(assembly *a, char letter, const char *text)
{
    int64_t low = 0, high = 0, step = 0;
    int length = (int)piece_length(text);
    if (!is_immediate(letter) || letter == 'u')
        return FAIL(a, "'%.*s' cannot stand in %s", length, text, a->row.mnemonic);
    for (unsigned bit = 0; bit < 8u * a->wanted.length; bit++) {
        int32_t sum = (int32_t)added(a, letter, bit);
        bool too_long = letter == 'h' && a->isa->xlen == 32 && sum >= 32;
        low += sum < 0 ? sum : 0;
        high += sum < 0 || too_long ? 0 : sum;
        step = sum && !step ? sum & -sum : step;
        step = sum && (sum & -sum) < step ? sum & -sum : step;
    }
    if (step > 1)
        return FAIL(
            a, "'%.*s' is out of range, must be %s%" PRId64 " to %" PRId64 " in steps of %" PRId64,
            length, text, letter == 'a' ? "at a distance of " : "", low, high, step);
    return FAIL(a, "'%.*s' is out of range, must be %" PRId64 " to %" PRId64, length, text, low,
                high);
}

static bool parse_rounding(assembly *a, const char *text, size_t length)
{
    for (unsigned mode = 0; mode <= ROUND_DYNAMIC; mode++) {
        const char *name = ztl_rounding_name(mode);
        if (!*name || !ztl_exact_word(text, length, name))
            continue;
        a->wanted.rm = (uint8_t)mode;
        return true;
    }
    return FAIL(a, "'%.*s' is not a rounding mode: rne, rtz, rdn, rup, rmm or dyn", (int)length,
                text);
}

/* A constant of fli, as any way to write its number. */
static bool parse_constant(assembly *a, const char *text, size_t length, uint8_t *field)
{
    char number[TEXT_LIMIT], *end, *known_end;
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    double value = strtod(number, &end);
    for (uint8_t i = 0; i < FLI_CONSTANTS; i++) {
        double known = strtod(ztl_fli_names[i], &known_end);
        bool is_same = !*known_end && !*end && value == known;
        if (!is_same && strcmp(ztl_fli_names[i], number) != 0)
            continue;
        *field = i;
        return true;
    }
    return FAIL(a, "'%s' is no constant of fli: -1, min, inf, nan, or a small number such as 0.5",
                number);
}

static bool parse_register(assembly *a, const char *text, size_t length, char letter,
                           uint8_t *field)
{
    if (letter == 'm')
        return parse_rounding(a, text, length);
    if (letter == 'k')
        return parse_constant(a, text, length, field);
    if (strchr("DSTR", letter)) {
        int number = ztl_fpr_index(text, length);
        if (number < 0 || number > 31)
            return FAIL(a, "'%.*s' is not a floating-point register, f0 to f31 or an ABI name",
                        (int)length, text);
        *field = (uint8_t)number;
        return true;
    }
    int index = ztl_gpr_index(text, length);
    if (index < 0 || index > 31)
        return FAIL(a, "'%.*s' is not an integer register, x0 to x31 or an ABI name", (int)length,
                    text);
    *field = (uint8_t)index;
    return true;
}

bool ztl_assembly_number(const char *text, size_t length, int64_t *value)
{
    char digits[72], *end;
    bool negative = length && *text == '-';
    if (length && (*text == '-' || *text == '+'))
        text++, length--;
    if (!length || length >= sizeof digits || !ztl_is_digit(*text))
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    bool binary = digits[0] == '0' && ztl_lower(digits[1]) == 'b';
    errno = 0;
    uint64_t number = strtoull(digits + (binary ? 2 : 0), &end, binary ? 2 : 0);
    if (errno || *end || (binary && !digits[2]))
        return false;
    *value = (int64_t)(negative ? -number : number);
    return true;
}

/* A target as the disassembler writes it; a number that cannot be one is a distance, as .+8 is. */
static bool parse_target(assembly *a, const char *text, size_t length, int64_t *distance)
{
    const int64_t farthest = INT64_C(1) << 20;
    int64_t value;
    bool from_here = length && *text == '.';
    if (length == 1 && from_here) {
        *distance = 0;
        return true;
    }
    for (text += from_here, length -= from_here; from_here && length && ztl_is_space(*text);)
        text++, length--;
    if ((from_here && *text != '+' && *text != '-') || !ztl_assembly_number(text, length, &value))
        return false;
    int64_t away = (int64_t)((uint64_t)value - a->pc);
    if (a->isa->xlen == 32)
        away = (int32_t)away;
    *distance = from_here || away < -farthest || away >= farthest ? value : away;
    return true;
}

static bool parse_csr(assembly *a, const char *text, size_t length, int64_t *address)
{
    char name[TEXT_LIMIT];
    unsigned found;
    if (ztl_assembly_number(text, length, address))
        return true;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!ztl_sim_csr_address(a->isa, name, &found))
        return FAIL(a, "'%s' is no CSR of this hart", name);
    *address = found;
    return true;
}

/* Some of the letters iorw, in this order; the disassembler's word for none of them. */
static bool parse_fence_set(assembly *a, const char *text, size_t length, char letter)
{
    static const char letters[] = "iorw";
    unsigned set = 0, k = 0;
    if (!ztl_exact_word(text, length, "unknown"))
        for (size_t i = 0; i < length; i++, k++) {
            while (k < 4 && letters[k] != text[i])
                k++;
            if (k == 4)
                return FAIL(a, "'%.*s' is not a set of iorw, in this order", (int)length, text);
            set |= 8 >> k;
        }
    a->wanted.imm |= (int32_t)(letter == 'p' ? set << 4 : set);
    return true;
}

static bool parse_immediate(assembly *a, const char *text, size_t length, char letter)
{
    int64_t value = 0;
    if (letter == 'p' || letter == 'q')
        return parse_fence_set(a, text, length, letter);
    if (letter == 'c') {
        if (!parse_csr(a, text, length, &value))
            return false;
    } else if (!(letter == 'a' ? parse_target(a, text, length, &value)
                               : ztl_assembly_number(text, length, &value))) {
        return FAIL(a, "'%.*s' is not a number", (int)length, text);
    }
    if (letter == 'z') {
        a->wanted.rs1 = (uint8_t)(value & 0xff);
        return (value >= 0 && value < 32) ||
               FAIL(a, "'%.*s' is out of range, must be 0 to 31", (int)length, text);
    }
    if (letter == 'u' && (value < 0 || value > 0xfffff))
        return FAIL(a, "'%.*s' is out of range, must be 0 to 0xfffff", (int)length, text);
    if (value < INT32_MIN || value > INT32_MAX)
        return refuse(a, letter, text);
    a->wanted.imm = (int32_t)(letter == 'u' ? (uint32_t)value << 12 : (uint32_t)value);
    return true;
}

/* "the operands must be: lw rd, imm(rs1)" */
static bool refuse_form(assembly *a)
{
    static const char letters[] = "dstihuaczpqDSTRmk";
    static const char *const names[] = {"rd",     "rs1", "rs2", "imm", "shift",   "imm",
                                        "target", "csr", "imm", "set", "set",     "rd",
                                        "rs1",    "rs2", "rs3", "rm",  "constant"};
    char wanted[TEXT_LIMIT];
    ztl_text out = ztl_text_in(wanted, sizeof wanted);
    for (const char *pattern = ztl_decoded_operands(&a->wanted); *pattern; pattern++) {
        const char *letter = strchr(letters, *pattern);
        if (letter)
            ztl_text_add(&out, names[letter - letters]);
        else
            ztl_text_char(&out, *pattern);
    }
    return FAIL(a, "the operands must be: %s %s", a->row.mnemonic, wanted);
}

/* One operand, or the punctuation between two. An offset of 0 need not be written. */
static bool parse_letter(assembly *a, const char *pattern, const char **text)
{
    while (ztl_is_space(*a->at))
        a->at++;
    *text = a->at;
    if (strchr(",()", *pattern))
        return *a->at++ == *pattern || refuse_form(a);
    if (pattern[0] == 'i' && pattern[1] == '(' && *a->at == '(')
        return true;
    size_t length = piece_length(a->at);
    if (length == 0)
        return refuse_form(a);
    uint8_t *field = *pattern == 'z' ? NULL : register_field(&a->wanted, *pattern);
    a->at += length;
    return field ? parse_register(a, *text, length, *pattern, field)
                 : parse_immediate(a, *text, length, *pattern);
}

/* Whether the decoder finds again what an operand asked for. */
static bool is_found(assembly *a, decoded *got, char letter)
{
    if (letter == 'h' && a->wanted.imm >= (int32_t)a->isa->xlen)
        return false;
    bool is_operand = is_immediate(letter) || register_field(got, letter);
    return !is_operand || value_of(got, letter) == value_of(&a->wanted, letter);
}

static bool has_rounding(const assembly *a)
{
    return a->wanted.length == 4 && ztl_has_rounding(ztl_base_rows[a->wanted.op].format);
}

/* The usual rounding mode, unless the text names one after all registers. */
static void choose_rounding(assembly *a)
{
    enum base_format format = ztl_base_rows[a->wanted.op].format;
    if (!has_rounding(a))
        return;
    a->wanted.rm = (uint8_t)ztl_usual_rounding(format);
    int more = 0;
    for (const char *at = ztl_decoded_operands(&a->wanted); *at; at++)
        more -= *at == ',';
    for (const char *at = a->at; *at; at++)
        more += *at == ',';
    if (more > 0)
        a->wanted.rm = NO_ROUNDING;
}

/* The word of the operands that were read; `text` says where each stands. */
static bool build_word(assembly *a, const char *pattern, const char *const *text, uint32_t *word)
{
    decoded got;
    /* What a suffix says is in imm, too. */
    *word = a->row.match | (*ztl_decoded_suffix(&a->wanted) ? place(a, 'i') : 0);
    if (has_rounding(a))
        *word |= place(a, 'm');
    for (size_t i = 0; pattern[i]; i++)
        *word |= place(a, pattern[i]);
    fields(a, *word, &got);
    for (size_t i = 0; pattern[i]; i++)
        if (!is_found(a, &got, pattern[i]))
            return refuse(a, pattern[i], text[i]);
    ztl_decode_base(a->isa, *word, &got);
    if (strcmp(got.op < BASE_INSNS ? ztl_decoded_mnemonic(&got) : "", a->row.mnemonic) != 0)
        return FAIL(a, "%s has no such operands", a->row.mnemonic);
    return true;
}

static bool encode(assembly *a, uint32_t *word)
{
    enum { LONGEST = 16 }; /* of ztl_decoded_operands */
    choose_rounding(a);
    const char *pattern = ztl_decoded_operands(&a->wanted), *text[LONGEST] = {0};
    for (size_t i = 0; pattern[i]; i++)
        if (pattern[i] != ' ' && !parse_letter(a, pattern + i, &text[i]))
            return false;
    while (ztl_is_space(*a->at))
        a->at++;
    if (*a->at)
        return FAIL(a, "unexpected '%.*s' after the last operand", TEXT_LIMIT, a->at);
    return build_word(a, pattern, text, word);
}

/* Whether the name is the row's, with or without a suffix that its format has. */
static bool is_named(assembly *a, const char *name)
{
    static const int32_t modes[] = {0, 1, 2, 3, 0x833};
    size_t stem = strlen(a->row.mnemonic);
    if (strncmp(name, a->row.mnemonic, stem) != 0)
        return false;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        a->wanted.imm = modes[i];
        if (!strcmp(name + stem, ztl_decoded_suffix(&a->wanted)))
            return true;
    }
    return false;
}

/* The next row, base first, then compressed; false past the last. */
static bool next_row(assembly *a, unsigned index)
{
    if (index < BASE_INSNS) {
        a->row = ztl_base_rows[index];
        a->wanted = (decoded){.op = (uint16_t)index, .length = 4};
        return true;
    }
    if (!ztl_compressed_row(index - BASE_INSNS, &a->row))
        return false;
    ztl_compressed_fields(index - BASE_INSNS, a->row.match, &a->wanted);
    return true;
}

/* Sets the row of a name; where only other harts have it, `elsewhere` is true. */
static bool find_row(assembly *a, const char *name, bool *elsewhere)
{
    *elsewhere = false;
    for (unsigned i = 0; next_row(a, i); i++) {
        if (!is_named(a, name))
            continue;
        if (*ztl_decoded_suffix(&a->wanted) == '\0')
            a->wanted.imm = 0;
        if (!(a->row.extension & ~a->isa->extensions) &&
            (a->row.xlen == 0 || a->row.xlen == a->isa->xlen))
            return true;
        *elsewhere = true;
    }
    return false;
}

static bool assemble_plain(assembly *a, const char *name, uint32_t *word)
{
    char isa[TEXT_LIMIT];
    bool elsewhere;
    if (find_row(a, name, &elsewhere))
        return encode(a, word);
    ztl_hart_isa_print(a->isa, isa, sizeof isa);
    if (elsewhere)
        return FAIL(a, "'%s' is not in %s", name, isa);
    size_t operands;
    if (ztl_pseudo_is(name, &operands))
        return FAIL(a, "%s takes %zu operand%s", name, operands, operands == 1 ? "" : "s");
    return FAIL(a, "unknown mnemonic '%s'", name);
}

bool ztl_hart_assemble(const ztl_hart_isa *isa, uint64_t pc, const char *text, uint32_t *word,
                       ztl_error *error)
{
    char name[TEXT_LIMIT], expanded[TEXT_LIMIT * (MOST_OPERANDS + 1)];
    assembly a = {.isa = isa, .pc = pc, .error = error};
    text += strspn(text, " \t\r\n");
    if (strlen(text) >= TEXT_LIMIT)
        return FAIL(&a, "longer than %d characters", TEXT_LIMIT - 1);
    if (!strncmp(text, "tl.", 3))
        return ztl_assemble(isa->ztl_revision, text, word, error);
    size_t length = strcspn(text, " \t\r\n");
    if (length == 0)
        return FAIL(&a, "nothing to assemble");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    a.at = text + length;
    if (ztl_pseudo_expand(name, a.at, expanded, sizeof expanded)) {
        length = strcspn(expanded, " ");
        a.at = expanded + length;
        snprintf(name, sizeof name, "%.*s", (int)length, expanded);
    }
    return assemble_plain(&a, name, word);
}
