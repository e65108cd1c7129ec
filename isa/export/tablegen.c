/* SPDX-License-Identifier: Apache-2.0
 * Instructions for LLVM's RISC-V target, as a file that RISCVInstrInfo.td includes. With the macro
 * ZTL_ALONE it is a whole target of its own, which needs only the classes that LLVM installs: so it
 * can be tried, and checked, without LLVM's sources. Second encodings are left out: LLVM has one
 * for each instruction.
 */
#include "isa/export/export.h"

static const char prelude[] =
    "#ifdef ZTL_ALONE\n"
    "include \"llvm/Target/Target.td\"\n"
    "foreach i = 0-31 in\n"
    "  def X#i : Register<\"x\"#i> { let Namespace = \"RISCV\"; let HWEncoding = i; }\n"
    "def GPR : RegisterClass<\"RISCV\", [i64], 64, (add (sequence \"X%u\", 0, 31))>;\n"
    "def RISCVInstrInfo : InstrInfo;\n"
    "def RISCV : Target { let InstructionSet = RISCVInstrInfo; }\n"
    "class InstFormat;\n"
    "def InstFormatOther : InstFormat;\n"
    "class RVInst<dag outs, dag ins, string opcode, string args, list<dag> pattern,\n"
    "             InstFormat format> : Instruction {\n"
    "  field bits<32> Inst;\n"
    "  field bits<32> SoftFail = 0;\n"
    "  let Size = 4;\n"
    "  let Namespace = \"RISCV\";\n"
    "  let OutOperandList = outs;\n"
    "  let InOperandList = ins;\n"
    "  let AsmString = opcode # \"\\t\" # args;\n"
    "  let Pattern = pattern;\n"
    "  InstFormat Form = format;\n"
    "}\n"
    "#endif\n\n"
    "// The tensor registers.\n"
    "foreach i = 0-31 in\n"
    "  def TL#i : Register<\"tl\"#i> { let Namespace = \"RISCV\"; let HWEncoding = i; }\n"
    "def TLR : RegisterClass<\"RISCV\", [untyped], 64, (add (sequence \"TL%u\", 0, 31))> {\n"
    "  let Size = 8192;\n"
    "}\n";

static const char engine_class[] =
    "\n// EngineID, printed as its name. Written without it, it is 0.\n"
    "def ztl_engine : Operand<i32> { let PrintMethod = \"printZtlEngine\"; }\n";

static void print_immediate(FILE *out, const ztl_operand_row *operand)
{
    fprintf(out,
            "\ndef ztl_simm%u : Operand<i32> {\n"
            "  let DecoderMethod = \"decodeSImmOperand<%u>\";\n"
            "}\n",
            operand->width, operand->width);
}

/* The immediates of a revision are all of one width. */
static void print_classes(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    const ztl_operand_row *operand;
    fputs(prelude, out);
    if (revision > 1)
        fputs(engine_class, out);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));)
        for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++)
            if (operand->kind == ZTL_KIND_IMM) {
                print_immediate(out, operand);
                return;
            }
}

static void print_class(FILE *out, const ztl_operand_row *operand)
{
    switch (operand->kind) {
    case ZTL_KIND_TL:
        fputs("TLR", out);
        return;
    case ZTL_KIND_IMM:
    case ZTL_KIND_OFFSET:
        fprintf(out, "ztl_simm%u", operand->width);
        return;
    case ZTL_KIND_ENGINE:
        fputs("ztl_engine", out);
        return;
    default:
        fputs("GPR", out);
    }
}

/* What is not written whole, or is read as well, is an input too: it has side effects instead. */
static bool is_output(const ztl_insn_row *row, size_t k)
{
    uint32_t effects = ztl_op_effects(row->op);
    return k == 0 && !(effects & (ZTL_STORES | ZTL_PAIR | ZTL_MOVES | ZTL_LOADS));
}

static void print_dag(FILE *out, const ztl_insn_row *row, bool outputs)
{
    const ztl_operand_row *operand;
    const char *between = " ";
    fprintf(out, "(%s", outputs ? "outs" : "ins");
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        if (is_output(row, k) != outputs)
            continue;
        fputs(between, out);
        print_class(out, operand);
        fprintf(out, ":$%s", operand->name);
        between = ", ";
    }
    fputc(')', out);
}

static void print_insn(FILE *out, const ztl_insn_row *row)
{
    ztl_field fields[ZTL_MAX_FIELDS];
    size_t count = ztl_fields(row->format, fields);
    uint32_t effects = ztl_op_effects(row->op);
    fprintf(out, "\ndef %s : RVInst<", ztl_export_upper(row->mnemonic).text);
    print_dag(out, row, true);
    fputs(", ", out);
    print_dag(out, row, false);
    fprintf(out, ",\n    \"%s\", \"", row->mnemonic);
    ztl_export_operands(out, row, "${", "}", true);
    fputs("\", [], InstFormatOther> {\n", out);
    for (size_t i = 0; i < count; i++)
        if (fields[i].operand)
            fprintf(out, "  bits<%u> %s;\n", fields[i].operand->width, fields[i].operand->name);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  let Inst{%u-%u} = ", fields[i].high, fields[i].low);
        if (fields[i].operand) {
            fprintf(out, "%s;\n", fields[i].operand->name);
            continue;
        }
        fputs("0b", out);
        ztl_export_bits(out, row->match, fields[i].high, fields[i].low);
        fputs(";\n", out);
    }
    fprintf(out, "  let mayLoad = %d;\n  let mayStore = %d;\n  let hasSideEffects = %d;\n}\n",
            !!(effects & ZTL_LOADS), !!(effects & ZTL_STORES), !is_output(row, 0));
}

/* The text without an engine. */
static void print_alias(FILE *out, const ztl_insn_row *row)
{
    const ztl_operand_row *operand;
    fprintf(out, "def : InstAlias<\"%s ", row->mnemonic);
    ztl_export_operands(out, row, "${", "}", false);
    fprintf(out, "\",\n    (%s", ztl_export_upper(row->mnemonic).text);
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        fputs(k ? ", " : " ", out);
        if (operand->kind == ZTL_KIND_ENGINE) {
            fputc('0', out);
            continue;
        }
        print_class(out, operand);
        fprintf(out, ":$%s", operand->name);
    }
    fputs(")>;\n", out);
}

void ztl_export_tablegen(FILE *out, unsigned revision)
{
    const ztl_insn_row *row;
    fprintf(out, "// TensorLoad (Ztl) revision %u, for LLVM's RISC-V target\n\n", revision);
    print_classes(out, revision);
    for (size_t i = 0; (row = ztl_export_insn(revision, &i));) {
        print_insn(out, row);
        if (ztl_export_has(row, ZTL_KIND_ENGINE))
            print_alias(out, row);
    }
}
