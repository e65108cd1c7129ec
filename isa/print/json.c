/* SPDX-License-Identifier: Apache-2.0
 * All lists as one JSON object. The texts of isa/ are ASCII or UTF-8 without control characters,
 * so a string needs no more than its quotes and backslashes escaped.
 */
#include <string.h>

#include "isa/print/print.h"

static void print_string(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fputc('\\', out);
        fputc(text[i], out);
    }
    fputc('"', out);
}

static void key_string(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\": ", key);
    print_string(out, text, strlen(text));
}

/* Starts an element of a list: a comma after the one before, and a line of its own. */
static void element(FILE *out, bool *first)
{
    fputs(*first ? "\n    " : ",\n    ", out);
    *first = false;
}

static void print_fields(FILE *out, const ztl_insn_row *row)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(row->format, fields);
    fputs(", \"fields\": [", out);
    for (size_t i = 0; i < count; i++) {
        unsigned width = fields[i].high - fields[i].low + 1;
        fprintf(out, "%s{\"high\": %u, \"low\": %u, ", i ? ", " : "", fields[i].high,
                fields[i].low);
        if (fields[i].operand)
            key_string(out, "operand", fields[i].operand->name);
        else
            fprintf(out, "\"value\": %u",
                    (unsigned)(row->match >> fields[i].low & ((UINT64_C(1) << width) - 1)));
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_operands(FILE *out, const ztl_insn_row *row)
{
    static const char *const kinds[] = {
        [ZTL_KIND_TL] = "tl",         [ZTL_KIND_GPR] = "gpr",   [ZTL_KIND_IMM] = "imm",
        [ZTL_KIND_OFFSET] = "offset", [ZTL_KIND_BASE] = "base", [ZTL_KIND_ENGINE] = "engine",
    };
    const ztl_operand_row *operand;
    fputs(", \"operands\": [", out);
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        fputs(k ? ", {" : "{", out);
        key_string(out, "name", operand->name);
        fputs(", ", out);
        key_string(out, "kind", kinds[operand->kind]);
        fprintf(out, ", \"low\": %u, \"width\": %u}", operand->lsb, operand->width);
    }
    fputc(']', out);
}

static void print_aliases(FILE *out, const ztl_insn_row *row)
{
    const ztl_alias_row *alias;
    bool first = true;
    fputs(", \"aliases\": [", out);
    for (size_t i = 0; (alias = ztl_isa_alias(i)); i++) {
        if (alias->id != row->id)
            continue;
        fprintf(out, "%s{\"match\": %u, \"mask\": %u}", first ? "" : ", ", (unsigned)alias->match,
                (unsigned)alias->mask);
        first = false;
    }
    fputc(']', out);
}

static void print_insn(FILE *out, const ztl_insn_row *row)
{
    size_t subset = 0;
    while (!(row->subset >> subset & 1))
        subset++;
    fputc('{', out);
    key_string(out, "mnemonic", row->mnemonic);
    fprintf(out, ", \"revision\": %u, \"subset\": \"ztl%c\", ", row->revision,
            ztl_subset_letter(subset));
    key_string(out, "operation", ztl_op_name(row->op));
    fprintf(out, ", \"variant\": %u, \"match\": %u, \"mask\": %u", row->arg, (unsigned)row->match,
            (unsigned)row->mask);
    print_fields(out, row);
    print_operands(out, row);
    print_aliases(out, row);
    fputs(", ", out);
    key_string(out, "meaning", row->meaning);
    fputc('}', out);
}

static void print_spellings(FILE *out, const ztl_csr_row *row)
{
    fputs(", \"spellings\": [", out);
    print_string(out, row->name, strlen(row->name));
    for (const char *at = row->also; *at;) {
        size_t length = strcspn(at, " ");
        fputs(", ", out);
        print_string(out, at, length);
        at += length + (at[length] == ' ');
    }
    fputc(']', out);
}

static void print_csr(FILE *out, const ztl_csr_row *row)
{
    static const char *const kinds[] = {
        [ZTL_CSR_PLAIN] = "plain",
        [ZTL_CSR_MASK] = "mask",
        [ZTL_CSR_VIEW] = "view",
        [ZTL_CSR_STRIDE] = "stride",
    };
    fputc('{', out);
    key_string(out, "name", row->name);
    print_spellings(out, row);
    fprintf(out, ", \"address\": %u, \"count\": %u, \"first_revision\": %u, \"kind\": \"%s\", ",
            row->address, row->count, row->first_revision, kinds[row->kind]);
    if (row->kind == ZTL_CSR_STRIDE)
        fputs("\"reset\": \"index\"", out);
    else
        fprintf(out, "\"reset\": %u", (unsigned)row->reset);
    fprintf(out, ", \"writable\": %u, ", (unsigned)row->writable);
    key_string(out, "meaning", row->meaning);
    fputc('}', out);
}

static void print_type(FILE *out, const ztl_type_row *row)
{
    static const char *const kinds[] = {
        [ZTL_NUMBER_UNSIGNED] = "unsigned",
        [ZTL_NUMBER_SIGNED] = "signed",
        [ZTL_NUMBER_FLOAT] = "float",
    };
    static const char *const specials[] = {
        [ZTL_SPECIAL_NONE] = "none",
        [ZTL_SPECIAL_NAN_ONLY] = "nan",
        [ZTL_SPECIAL_IEEE] = "ieee",
    };
    fputc('{', out);
    key_string(out, "name", row->name);
    fprintf(out, ", \"ttype\": %u, \"bits\": %u, \"kind\": \"%s\", ", row->ttype, row->bits,
            kinds[row->kind]);
    fprintf(out, "\"exponent_bits\": %u, \"fraction_bits\": %u, \"special\": \"%s\", ",
            row->exponent_bits, row->fraction_bits, specials[row->special]);
    key_string(out, "meaning", row->meaning);
    fputc('}', out);
}

static void print_insns(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    bool first = true;
    fputs("  \"instructions\": [", out);
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        if (!ztl_in_revision(revision, row->revision, row->revision))
            continue;
        element(out, &first);
        print_insn(out, row);
    }
    fputs("\n  ],\n", out);
}

static void print_csrs(FILE *out, unsigned revision)
{
    const ztl_csr_row *row;
    bool first = true;
    fputs("  \"csrs\": [", out);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        if (!ztl_in_revision(revision, row->first_revision, ZTL_REVISIONS))
            continue;
        element(out, &first);
        print_csr(out, row);
    }
    fputs("\n  ],\n", out);
}

static void print_types(FILE *out, unsigned revision)
{
    const ztl_type_row *row;
    bool first = true;
    fputs("  \"types\": [", out);
    for (size_t i = 0; (row = ztl_isa_type(i)); i++) {
        if (revision == 1 && row->ttype)
            continue;
        element(out, &first);
        print_type(out, row);
    }
    fputs("\n  ],\n", out);
}

static void print_reasons(FILE *out)
{
    static const char *const names[] = {
#define ZTL_RULE(ID, ...) #ID,
#include "isa/reason.def"
    };
    bool first = true;
    fputs("  \"reasons\": [", out);
    for (unsigned code = 0; *ztl_reason_name(code); code++) {
        element(out, &first);
        fprintf(out, "{\"code\": %u, \"name\": \"%s\", ", code, ztl_reason_name(code));
        key_string(out, "meaning", ztl_reason_words(code));
        fputc('}', out);
    }
    fputs("\n  ],\n  \"rules\": [", out);
    first = true;
    for (unsigned rule = 0; rule < ZTL_RULES; rule++) {
        element(out, &first);
        fprintf(out, "{\"name\": \"%s\", \"reason\": \"%s\", ", names[rule],
                ztl_reason_name(ztl_rule_reason(rule)));
        key_string(out, "text", ztl_rule_text(rule));
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

/* A text of names, separated by commas, as a list. */
static void key_names(FILE *out, const char *key, const char *names)
{
    fprintf(out, ", \"%s\": [", key);
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        print_string(out, at, length);
        at += length;
        if (*at) {
            fputs(", ", out);
            at += strlen(", ");
        }
    }
    fputc(']', out);
}

static void print_ops(FILE *out)
{
    bool first = true;
    char names[200];
    fputs("  \"operations\": [", out);
    for (unsigned op = 0; op < ZTL_OPS; op++) {
        element(out, &first);
        fputc('{', out);
        key_string(out, "name", ztl_op_name(op));
        ztl_effects_text(op, names, sizeof names);
        key_names(out, "effects", names);
        ztl_reads_text(op, names, sizeof names);
        key_names(out, "reads", names);
        fputs(", ", out);
        key_string(out, "meaning", ztl_op_meaning(op));
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

static void print_subsets(FILE *out, unsigned revision)
{
    bool first = true;
    fputs("  \"subsets\": [", out);
    for (size_t i = 0; i < ZTL_SUBSETS; i++) {
        if (revision && !ztl_subset_in(i, revision))
            continue;
        element(out, &first);
        fprintf(out, "{\"name\": \"ztl%c\", \"revisions\": [%s%s%s], ", ztl_subset_letter(i),
                ztl_subset_in(i, 1) ? "1" : "",
                ztl_subset_in(i, 1) && ztl_subset_in(i, 2) ? ", " : "",
                ztl_subset_in(i, 2) ? "2" : "");
        key_string(out, "meaning", ztl_subset_meaning(i));
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

static void print_engines(FILE *out, unsigned revision)
{
    bool first = true;
    fputs("  \"engines\": [", out);
    for (unsigned engine = 0; revision != 1 && *ztl_engine_name(engine); engine++) {
        element(out, &first);
        fprintf(out, "{\"value\": %u, \"name\": \"%s\"}", engine, ztl_engine_name(engine));
    }
    fputs("\n  ]\n", out);
}

void ztl_print_json(FILE *out, unsigned revision)
{
    fprintf(out, "{\n  \"opcode\": %u,\n  \"registers\": %u,\n  \"register_bytes\": %u,\n",
            ZTL_OPCODE, ZTL_REGISTERS, ZTL_REG_BYTES);
    print_insns(out, revision);
    print_ops(out);
    print_csrs(out, revision);
    print_types(out, revision);
    print_reasons(out);
    print_subsets(out, revision);
    print_engines(out, revision);
    fputs("}\n", out);
}
