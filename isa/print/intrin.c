/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics: a macro for each instruction and CSR, in terms of the macros that
 * <ztl/intrin/host.h> and <ztl/intrin/riscv.h> have for each format.
 */
#include <string.h>

#include "isa/print/print.h"

static const char *const ids[] = {
#define ZTL_INSN(ID, ...) #ID,
#include "isa/ztl.def"
};

static const char *const formats[] = {
#define ZTL_FORMAT(ID, ...) #ID,
#include "isa/ztl.def"
};

static const char *const csr_ids[] = {
#define ZTL_CSR(ID, ...) #ID,
#include "isa/csr.def"
};

static const char *const verbs[] = {"csrr", "csrw", "csrs", "csrc", "csrrw", "csrrs", "csrrc"};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

/* "xpose_01" of "tl.xpose.01". */
static void name_of(const ztl_insn_row *row, char name[32])
{
    snprintf(name, 32, "%s", row->mnemonic + strlen("tl."));
    for (char *dot; (dot = strchr(name, '.'));)
        *dot = '_';
}

/* The operands in the order of the assembly text, but an offset after its base. */
static void parameters(const ztl_insn_row *row, bool with_engine, char text[96])
{
    const ztl_operand_row *operand, *held = NULL;
    size_t length = 0;
    text[0] = '\0';
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++) {
        if (operand->kind == ZTL_KIND_OFFSET ||
            (operand->kind == ZTL_KIND_ENGINE && !with_engine)) {
            held = operand->kind == ZTL_KIND_OFFSET ? operand : held;
            continue;
        }
        length +=
            (size_t)snprintf(text + length, 96 - length, "%s%s", length ? ", " : "", operand->name);
        if (operand->kind == ZTL_KIND_BASE && held)
            length += (size_t)snprintf(text + length, 96 - length, ", %s", held->name);
    }
}

static bool has_engine(const ztl_insn_row *row)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++)
        if (operand->kind == ZTL_KIND_ENGINE)
            return true;
    return false;
}

static void print_insn(FILE *out, const ztl_insn_row *row)
{
    char name[32], plain[96], all[96];
    const bool engine = has_engine(row);
    name_of(row, name);
    parameters(row, false, plain);
    parameters(row, true, all);
    fprintf(out, "/* %s */\n#define __riscv_ztl_%s%s(%s) ZTL_INTRIN_%s(%s, %s)\n", row->meaning,
            name, engine ? "_e" : "", all, formats[row->format], ids[row->id], all);
    if (engine)
        fprintf(out, "#define __riscv_ztl_%s(%s) __riscv_ztl_%s_e(%s, 0)\n", name, plain, name,
                plain);
}

static const char *without_prefix(const char *name)
{
    return strncmp(name, "tl_", 3) ? name : name + 3;
}

/* Indexed CSRs have an index, and a name without the prefix. */
static void print_csr(FILE *out, const ztl_csr_row *row)
{
    const char *id = csr_ids[row - ztl_isa_csr(0)];
    fprintf(out, "/* %s */\n", row->meaning);
    for (unsigned v = 0; v < VERBS; v++) {
        const char *value = v ? "value" : "";
        if (row->kind == ZTL_CSR_STRIDE)
            fprintf(out,
                    "#define __riscv_ztl_%s_%s(index%s%s) ZTL_INTRIN_STRIDE(index, "
                    "__riscv_ztl_%s(ZTL_CSR_%s + (index)%s%s))\n",
                    verbs[v], without_prefix(row->name), v ? ", " : "", value, verbs[v], id,
                    v ? ", " : "", value);
        else
            fprintf(out, "#define __riscv_ztl_%s_%s(%s) __riscv_ztl_%s(ZTL_CSR_%s%s%s)\n", verbs[v],
                    row->name, value, verbs[v], id, v ? ", " : "", value);
    }
}

static void print_short_csr(FILE *out, const ztl_csr_row *row)
{
    const char *name = without_prefix(row->name);
    for (unsigned v = 0; v < VERBS; v++)
        fprintf(out, "#define tl_%s_%s(...) __riscv_ztl_%s_%s(__VA_ARGS__)\n", verbs[v], name,
                verbs[v], row->kind == ZTL_CSR_STRIDE ? name : row->name);
}

static void print_short_insn(FILE *out, const ztl_insn_row *row)
{
    char name[32];
    name_of(row, name);
    fprintf(out, "#define tl_%s(...) __riscv_ztl_%s(__VA_ARGS__)\n", name, name);
    if (has_engine(row))
        fprintf(out, "#define tl_%s_e(...) __riscv_ztl_%s_e(__VA_ARGS__)\n", name, name);
}

typedef void insn_printer(FILE *out, const ztl_insn_row *row);
typedef void csr_printer(FILE *out, const ztl_csr_row *row);

static void print_all(FILE *out, unsigned revision, insn_printer *insn, csr_printer *csr)
{
    const ztl_insn_row *row;
    const ztl_csr_row *csr_row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision)
            insn(out, row);
    for (size_t i = 0; (csr_row = ztl_isa_csr(i)); i++)
        if (csr_row->first_revision <= revision)
            csr(out, csr_row);
}

void ztl_print_intrinsics(FILE *out)
{
    fputs("/* SPDX-License-Identifier: Apache-2.0\n"
          " * The intrinsics of each revision. Included by <ztl/intrin.h>. Printed from the table "
          "of\n"
          " * instructions: do not edit.\n"
          " */\n",
          out);
    for (unsigned revision = 1; revision <= ZTL_REVISIONS; revision++) {
        fprintf(out, "#%s ZTL_REVISION == %u\n", revision == 1 ? "if" : "elif", revision);
        print_all(out, revision, print_insn, print_csr);
        fputs("#ifdef ZTL_INTRIN_SHORT_NAMES\n", out);
        print_all(out, revision, print_short_insn, print_short_csr);
        fputs("#endif\n", out);
    }
    fputs("#endif\n", out);
}
