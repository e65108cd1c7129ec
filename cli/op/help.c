/* SPDX-License-Identifier: Apache-2.0
 * What ztl op tells of itself and of each operator.
 */
#include "cli/op/help.h"

#include <string.h>

#include "cli/fold.h"
#include "ops/text/text.h"

/* Where the explanations start. */
enum { NAME_COLUMN = 20, OPTION_COLUMN = 23 };

static const struct {
    const char *name, *inputs, *summary;
} operators[] = {
#define ZTL_OPERATOR(ID, name, command, inputs, summary)                                           \
    {command,                                                                                      \
     inputs == 1    ? "in.npy"                                                                     \
     : inputs == 2  ? "in.npy"                                                                     \
     : inputs == -1 ? "[list.npy]"                                                                 \
     : inputs == 3                                                                                 \
         ? (ZTL_OPS_##ID == ZTL_OPS_WHERE ? "condition.npy x.npy y.npy" : "in.npy updates.npy")    \
         : "in.npy [in2.npy ...]",                                                                 \
     summary},
#include "ops/operators.def"
};

/* With an in.npy of bytes whose shape is 1,4,6,6, a condition, x and y like it, and
 * an at.npy of indices. */
static const char *const examples[] = {
    [ZTL_OPS_TRANSPOSE] = "transpose in.npy --perm 0,2,3,1 -o out.npy --stats",
    [ZTL_OPS_RESHAPE] = "reshape in.npy --shape 0,-1,12 -o out.npy",
    [ZTL_OPS_FLATTEN] = "flatten in.npy --axis 2 -o out.npy",
    [ZTL_OPS_SQUEEZE] = "squeeze in.npy --axes 0 -o out.npy",
    [ZTL_OPS_UNSQUEEZE] = "unsqueeze in.npy --axes 0,-1 -o out.npy",
    [ZTL_OPS_CONCAT] = "concat in.npy in.npy --axis 1 -o out.npy",
    [ZTL_OPS_SPLIT] = "split in.npy --axis 1 --split 1,3 -o a.npy -o b.npy",
    [ZTL_OPS_SLICE] = "slice in.npy --starts 0,5 --ends 4,0 --axes 2,3 --steps 2,-1 -o out.npy",
    [ZTL_OPS_PAD] = "pad in.npy --pads 0,0,1,1,0,0,1,1 --mode reflect -o out.npy",
    [ZTL_OPS_GATHER] = "gather in.npy --indices 3,0,-1 --axis 1 -o out.npy",
    [ZTL_OPS_COMPRESS] = "compress in.npy --condition 0110 --axis 1 -o out.npy",
    [ZTL_OPS_TILE] = "tile in.npy --repeats 1,1,2,3 -o out.npy",
    [ZTL_OPS_EXPAND] = "expand in.npy --shape 3,4,6,6 -o out.npy",
    [ZTL_OPS_ROLL] = "roll in.npy --shift 3,-1 --axes 2,3 -o out.npy",
    [ZTL_OPS_FLIP] = "flip in.npy --axes -1 -o out.npy",
    [ZTL_OPS_DEPTH_TO_SPACE] = "depth-to-space in.npy --blocksize 2 --mode CRD -o out.npy",
    [ZTL_OPS_SPACE_TO_DEPTH] = "space-to-depth in.npy --blocksize 2 -o out.npy",
    [ZTL_OPS_RESIZE] = "resize in.npy --scales 2,2 --axes 2,3 -o out.npy",
    [ZTL_OPS_WHERE] = "where condition.npy x.npy y.npy -o out.npy",
    [ZTL_OPS_IM2COL] = "im2col in.npy --kernel 3,3 --strides 2,2 --pads 1,1,1,1 -o out.npy",
    [ZTL_OPS_COL2IM] =
        ("im2col in.npy --kernel 3,3 --strides 3,3 -o c.npy &&\n"
         "  ztl op col2im c.npy --shape 1,4,6,6 --kernel 3,3 --strides 3,3 -o out.npy"),
    [ZTL_OPS_FOCUS] = "focus in.npy --blocksize 2 --axis 1 -o out.npy",
    [ZTL_OPS_ADD] = "add in.npy --type e4m3 --addend -2 -o out.npy",
    [ZTL_OPS_GATHER_ELEMENTS] = "gather-elements in.npy --indices at.npy --axis 1 -o out.npy",
    [ZTL_OPS_GATHER_ND] = "gather-nd in.npy --indices 0,3 -o out.npy",
    [ZTL_OPS_SCATTER_ELEMENTS] =
        "scatter-elements in.npy in.npy --indices at.npy --axis 1 -o out.npy",
    [ZTL_OPS_SCATTER_ND] = ("gather-nd in.npy --indices 0,3 -o row.npy &&\n"
                            "  ztl op scatter-nd in.npy row.npy --indices 0,1 -o out.npy"),
    [ZTL_OPS_TENSOR_SCATTER] = ("slice in.npy --starts 0 --ends 2 --axes 2 -o new.npy &&\n"
                                "  ztl op tensor-scatter in.npy new.npy --indices 3 -o out.npy"),
    [ZTL_OPS_FILL] = "fill in.npy --value 7 -o out.npy",
    [ZTL_OPS_IDENTITY] = "identity in.npy -o out.npy",
    [ZTL_OPS_UPSAMPLE] = "upsample in.npy --scales 1,1,2,1.5 -o out.npy",
    [ZTL_OPS_REVERSE_SEQUENCE] = "reverse-sequence in.npy --sequence_lens 1,0,1,1 -o out.npy",
    [ZTL_OPS_TRILU] = "trilu in.npy --upper 0 --k 1 -o out.npy",
    [ZTL_OPS_CENTER_CROP_PAD] = "center-crop-pad in.npy --shape 4,8 --axes 2,3 -o out.npy",
    [ZTL_OPS_EYE_LIKE] = ("reshape in.npy --shape 12,12 -o m.npy &&\n"
                          "  ztl op eye-like m.npy --k 1 --dtype float32 -o out.npy"),
    [ZTL_OPS_ONE_HOT] = "one-hot --indices 0,2,5 --depth 10 --dtype float32 -o out.npy",
    [ZTL_OPS_CONSTANT_OF_SHAPE] = "constant-of-shape --shape 2,3 --value 1.5 -o out.npy",
};

static void print_common(FILE *out)
{
    static const struct {
        const char *option, *meaning;
    } common[] = {
        {"--type TYPE", "element type: int4, e4m3, bf16, ... if the file does not say; with "
                        "--shape-in a dtype too"},
        {"--shape-in LIST", "the shape of an input instead of a file, for each: nothing is run, "
                            "--plan, --stats and --json tell of the plan"},
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
        {"--for AIM", "cycles: a plan that keeps ports and engines busy for fewer cycles; "
                      "instructions (the default): the fewest of these"},
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
        fprintf(out, "  %-*s", NAME_COLUMN - 2, operators[i].name);
        ztl_fold_print(out, NAME_COLUMN, NAME_COLUMN, operators[i].summary);
    }
    fprintf(out, "\nLists are comma-separated, or .npy files. '-' is standard input or output.\n"
                 "'ztl op NAME --help' shows the options of one. Options of all operators:\n");
    print_common(out);
    fprintf(out, "\nexample:\n  ztl op %s\n", examples[ZTL_OPS_TRANSPOSE]);
}

void ztl_op_help_of(FILE *out, enum ztl_ops_kind kind)
{
    bool several = kind == ZTL_OPS_SPLIT;
    fprintf(out, "usage: ztl op %s %s [OPTIONS] -o out.npy%s\n\n", operators[kind].name,
            operators[kind].inputs, several ? " [-o out2.npy ...]" : "");
    ztl_fold_print(out, 0, 0, operators[kind].summary);
    fputc('\n', out);
    const ztl_op_attribute *a;
    for (size_t i = 0; (a = ztl_op_attribute_at(i)); i++) {
        if (!ztl_op_takes(kind, a))
            continue;
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
    fprintf(out, "\nexample, with files of shape 1,4,6,6:\n  ztl op %s\n", examples[kind]);
}
