/* SPDX-License-Identifier: Apache-2.0
 * Entries for binutils: for its riscv-opc.h, and behind #ifdef ZTL_OPCODES for its riscv-opc.c. An
 * operand is Z and a letter, which stand for its place; a comment says which.
 */
#include "isa/export/export.h"

/* The letter of each place that operands have. */
static char letter_of(const ztl_operand_row *wanted)
{
    static const struct {
        enum ztl_operand_kind kind;
        unsigned lsb;
        char letter;
    } letters[] = {
        {ZTL_KIND_TL, 7, 'd'},      {ZTL_KIND_TL, 15, 's'},  {ZTL_KIND_TL, 20, 't'},
        {ZTL_KIND_GPR, 7, 'x'},     {ZTL_KIND_GPR, 15, 'y'}, {ZTL_KIND_GPR, 20, 'z'},
        {ZTL_KIND_BASE, 7, 'x'},    {ZTL_KIND_IMM, 20, 'i'}, {ZTL_KIND_OFFSET, 20, 'i'},
        {ZTL_KIND_ENGINE, 30, 'e'},
    };
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].kind == (enum ztl_operand_kind)wanted->kind && letters[i].lsb == wanted->lsb)
            return letters[i].letter;
    return '?';
}

static void print_places(FILE *out, unsigned revision)
{
    bool seen[128] = {false};
    const ztl_insn_row *row;
    const ztl_operand_row *operand;
    fputs("/* Operands, for validate_riscv_insn, riscv_ip and print_insn_args:\n", out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
            unsigned char letter = (unsigned char)letter_of(operand);
            static const char *const kinds[] = {
                [ZTL_KIND_TL] = "a tensor register",
                [ZTL_KIND_GPR] = "an integer register",
                [ZTL_KIND_IMM] = "signed, an immediate",
                [ZTL_KIND_OFFSET] = "signed, an immediate",
                [ZTL_KIND_BASE] = "an integer register",
                [ZTL_KIND_ENGINE] = "the name of an engine",
            };
            if (!seen[letter])
                fprintf(out, " *   Z%c  [%u:%u]  %s\n", letter, operand->lsb + operand->width - 1u,
                        operand->lsb, kinds[operand->kind]);
            seen[letter] = true;
        }
    fputs(" */\n", out);
}

static void print_arguments(FILE *out, const ztl_insn_row *row, bool engine)
{
    const ztl_operand_row *operand;
    const char *between = "";
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        if (operand->kind == ZTL_KIND_ENGINE && !engine)
            continue;
        bool is_base = operand->kind == ZTL_KIND_BASE;
        fprintf(out, "%sZ%c%s", is_base ? "(" : between, letter_of(operand), is_base ? ")" : "");
        between = ",";
    }
}

static void print_opcode(FILE *out, const ztl_insn_row *row, uint32_t match, uint32_t mask,
                         bool engine)
{
    bool is_access = ztl_op_effects(row->op) & (ZTL_LOADS | ZTL_STORES);
    fprintf(out, "{\"%s\", 0, INSN_CLASS_ZTL%c, \"", row->mnemonic,
            ztl_export_subset(row) - 'a' + 'A');
    print_arguments(out, row, engine);
    fprintf(out, "\", 0x%08x, 0x%08x, match_opcode, %s%s},\n", (unsigned)match, (unsigned)mask,
            is_access ? "INSN_DREF" : "0", match == row->match ? "" : " | INSN_ALIAS");
}

/* What is written without an engine is the word whose engine is 0, and is printed so. */
static void print_opcodes(FILE *out, const ztl_insn_row *row, uint32_t match, uint32_t mask)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++)
        if (operand->kind == ZTL_KIND_ENGINE) {
            uint32_t engine = ((UINT32_C(1) << operand->width) - 1) << operand->lsb;
            print_opcode(out, row, match, mask | engine, false);
        }
    print_opcode(out, row, match, mask, true);
}

void ztl_export_binutils(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    const ztl_alias_row *alias;
    const ztl_csr_row *csr;
    fprintf(out, "/* TensorLoad (Ztl) revision %u, for binutils. */\n", revision);
    print_places(out, revision);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));) {
        ztl_export_name name = ztl_export_upper(row->mnemonic);
        fprintf(out, "#define MATCH_%s 0x%08x\n#define MASK_%s 0x%08x\n", name.text,
                (unsigned)row->match, name.text, (unsigned)row->mask);
    }
    fputs("#ifdef DECLARE_INSN\n", out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        fprintf(out, "DECLARE_INSN(%s, MATCH_%s, MASK_%s)\n", ztl_export_lower(row->mnemonic).text,
                ztl_export_upper(row->mnemonic).text, ztl_export_upper(row->mnemonic).text);
    fputs("#endif\n#ifdef DECLARE_CSR\n", out);
    for (size_t i = 0; (csr = ztl_export_csr(revision, &i));)
        for (unsigned k = 0; k < csr->count; k++) {
            char name[64];
            snprintf(name, sizeof name, csr->count > 1 ? "%s%u" : "%s", csr->name, k);
            fprintf(out,
                    "DECLARE_CSR(%s, 0x%x, CSR_CLASS_ZTL, PRIV_SPEC_CLASS_NONE, "
                    "PRIV_SPEC_CLASS_NONE)\n",
                    name, csr->address + k);
        }
    fputs("#endif\n#ifdef ZTL_OPCODES\n", out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        print_opcodes(out, row, row->match, row->mask);
    for (size_t i = 0; (alias = ztl_isa_alias(i)); i++)
        if ((row = ztl_isa_insn(alias->id))->revision == revision)
            print_opcodes(out, row, alias->match, alias->mask);
    fputs("#endif\n", out);
}
