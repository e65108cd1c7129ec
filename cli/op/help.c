/* SPDX-License-Identifier: Apache-2.0
 * What ztl op tells of itself and of each operator.
 */
#include "cli/op/help.h"

#include <string.h>

#include "cli/fold.h"
#include "ops/operators/table.h"
#include "ops/text/text.h"

/* Where the explanations start. */
enum { NAME_COLUMN = 20, OPTION_COLUMN = 23 };

static const struct {
    const char *summary, *example;
} operators[] = {
#define ZTL_OPERATOR(ID, name, command, inputs, traits, attributes, summary, example, ...)         \
    {summary, example},
#include "ops/operators.def"
};

static void print_common(FILE *out)
{
    static const struct {
        const char *option, *meaning;
    } common[] = {
        {"--type TYPE", "element type: int4, e4m3, bf16, ... if the file does not say; with "
                        "--shape-in a dtype too"},
        {"--shape-in LIST", "the shape of an input instead of a file, for each: --plan, --stats "
                            "and --json tell of the plan, --timing runs it on zeros"},
        {"--indices-shape LIST", "with --shape-in, that of indices of 64 bits, or of a condition, "
                                 "which a plan reads when it runs"},
        {"--order C|F", "memory order of the outputs; default: C"},
        {"--engine ENGINE", "where instructions run: model, sim (a simulated hart), qemu; "
                            "native: the host's own instructions, not the plan's"},
        {"--threads N", "threads of --engine native; default: 1"},
        {"--constant", "indices or condition of a file become part of the plan"},
        {"--emit c|asm", "write the plan as a kernel, to -o FILE or standard output"},
        {"--name NAME", "of its function; default: ztl_kernel"},
        {"--main", "and a main() that runs it in a region"},
        {"--timing MACHINE", "cycles on a machine ('ztl timing --list'); runs on sim"},
        {"--timeline FILE", "what ran when: .svg, .html, .json, .kanata or .txt"},
        {"--window FROM..TO", "only these cycles of it"},
        {"--no-scratch", "plan without scratch memory"},
        {"--for AIM", "cycles (the default): the fewest on a machine; instructions: the fewest "
                      "of these"},
        {"--machine M", "which one; if not given that of --timing, or four"},
        {"--effort WORD", "how long to look for a plan: quick, normal or thorough"},
        {"--plan", "print the passes and why each was chosen"},
        {"--list[=N]", "print the first N (100, 0: all) Ztl instructions and CSR writes, as the "
                       "simulated hart executes them"},
        {"--check", "compare with plain loops; prints only differences"},
        {"--stats, --json", "bytes, instructions by kind and the lower bound; all instructions "
                            "on the simulated hart, and those of scalar C at -O3"},
    };
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        fprintf(out, "  %-20s ", common[i].option);
        ztl_fold_print(out, OPTION_COLUMN, OPTION_COLUMN, common[i].meaning);
    }
}

void ztl_op_help(FILE *out)
{
    fprintf(out,
            "usage: ztl op NAME in.npy [in2.npy ...] [OPTIONS] -o out.npy [-o out2.npy ...]\n\n");
    for (size_t i = 0; i < ZTL_OPS_KINDS; i++) {
        fprintf(out, "  %-*s", NAME_COLUMN - 2, ztl_ops_name((enum ztl_ops_kind)i));
        ztl_fold_print(out, NAME_COLUMN, NAME_COLUMN, operators[i].summary);
    }
    fprintf(out, "\nLists are comma-separated, or .npy files. '-' is standard input or output.\n"
                 "'ztl op NAME --help' shows the options of one. Options of all operators:\n");
    print_common(out);
    fprintf(out, "\nexample:\n  ztl op %s\n", operators[ZTL_OPS_TRANSPOSE].example);
}

/* The files of a command: indices are an option. A single one has no name that helps. */
static void print_files(FILE *out, enum ztl_ops_kind kind)
{
    const ops_count count = ztl_ops_count_inputs(kind);
    const size_t indices = ztl_ops_operator(kind)->traits >> OPS_TRAITS;
    const size_t files = count.most - (indices > 0);
    const char *name;
    if (files < 2 || files == ZTL_OPS_BUFFERS) {
        fputs(!files ? " [list.npy]" : files == 1 ? " in.npy" : " in.npy [in2.npy ...]", out);
        return;
    }
    for (size_t i = 0, length; (name = ztl_ops_input_name(kind, i, &length)); i++)
        if (!indices || i != indices)
            fprintf(out, " %.*s.npy", (int)length, name);
}

void ztl_op_help_of(FILE *out, enum ztl_ops_kind kind)
{
    bool several = ztl_ops_operator(kind)->traits & OPS_PARTS;
    fprintf(out, "usage: ztl op %s", ztl_ops_name(kind));
    print_files(out, kind);
    fprintf(out, " [OPTIONS] -o out.npy%s\n\n", several ? " [-o out2.npy ...]" : "");
    ztl_fold_print(out, 0, 0, operators[kind].summary);
    fputc('\n', out);
    const ztl_op_attribute *a;
    for (size_t i = 0; (a = ztl_op_has(kind, i)); i++) {
        char meaning[160];
        snprintf(meaning, sizeof meaning, "%s%s", a->meaning,
                 ztl_op_needs(kind, a) ? " (needed)" : "");
        int room = OPTION_COLUMN - 3 - (int)(strlen(a->option) + strlen(a->value));
        fprintf(out, "  %s %s%*s", a->option, a->value, room > 0 ? room : 0, "");
        if (room <= 0)
            fprintf(out, "\n%*s", OPTION_COLUMN, "");
        ztl_fold_print(out, OPTION_COLUMN, OPTION_COLUMN, meaning);
    }
    print_common(out);
    fprintf(out, "\nexample, with files of shape 1,4,6,6:\n  ztl op %s\n", operators[kind].example);
}
