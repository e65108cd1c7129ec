/* SPDX-License-Identifier: Apache-2.0
 * Where elements came from and go to, pictures of instructions, timelines.
 */
#include <stdlib.h>
#include <string.h>

#include "draw/trace.h"
#include "site/play/play.h"

static ztl_trace *trace;

/* A scene is aligned as a hart's state is. */
static ztl_scene *new_scene(void)
{
    ztl_scene *scene = aligned_alloc(_Alignof(ztl_scene), sizeof(ztl_scene));
    if (scene)
        memset(scene, 0, sizeof *scene);
    return scene;
}

static bool trace_word(const ztl_state *state, const uint64_t x[32], uint32_t word)
{
    ztl_error error;
    ztl_scene *scene = new_scene();
    if (!scene)
        return false;
    scene->hart = *state;
    scene->hart.accelerator = NULL;
    memcpy(scene->x, x, sizeof scene->x);
    free(trace);
    trace = NULL;
    if (ztl_decode(state->config.revision, word, &scene->insn)) {
        ztl_disassemble(state->config.revision, word, scene->text, sizeof scene->text);
        trace = ztl_trace_run(scene, &error);
    }
    free(scene);
    return trace != NULL;
}

/* Follows the last Ztl instruction that was stepped over (0), or the next one (1); false where it
 * is none, or traps. */
PLAY bool play_follow(int which)
{
    uint32_t word = 0;
    uint64_t x[32];
    if (which == 0)
        return play.before_word && trace_word(&play.before, play.before_x, play.before_word);
    ztl_hart_read_memory(play.hart, ztl_hart_pc(play.hart), &word, 4);
    for (unsigned i = 0; i < 32; i++)
        x[i] = ztl_hart_x(play.hart, i);
    return (word & ZTL_OPCODE_MASK) == ZTL_OPCODE && trace_word(ztl_hart_ztl(play.hart), x, word);
}

/* The name of what half a byte of a register now holds; names are those of draw/trace.h. */
PLAY const uint32_t *play_names(unsigned tl)
{
    return trace->tl[tl & 31];
}

/* The names in the memory that was accessed, as many as half bytes; and an address of one of it. */
PLAY const uint32_t *play_memory_names(void)
{
    return trace->memory;
}

PLAY size_t play_memory_bytes(void)
{
    return trace->bytes;
}

PLAY double play_memory_address(size_t index)
{
    return index < trace->bytes ? (double)trace->address[index] : -1;
}

/* The text of the instruction that play_follow(0) follows, and the number of those before it. */
PLAY const char *play_last(void)
{
    char text[120] = "";
    FILE *out = play_open();
    if (play.before_word)
        ztl_disassemble(play.before.config.revision, play.before_word, text, sizeof text);
    fputs(text, out);
    return play_close();
}

static int operand_of_kind(const ztl_insn *insn, enum ztl_operand_kind kind, int nth)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn->row->format, k)); k++)
        if (operand->kind == kind && nth-- == 0)
            return insn->operand[k];
    return -1;
}

/* The four dimensions of a pair before and after a transposition; the first is the outermost. */
static void pair_dimensions(const ztl_insn *insn, unsigned before[4], unsigned after[4])
{
    int shape = operand_of_kind(insn, ZTL_KIND_GPR, 0);
    uint64_t value = shape < 0 ? 0 : play.before_x[shape], perm = 0xe4;
    const char *digits = strrchr(insn->row->mnemonic, '.') + 1;
    for (unsigned k = 0; k < 4; k++)
        before[k] = (unsigned)(value >> 8 * k) & 0xff;
    if (insn->row->op == ZTL_OP_PERMUTE)
        ztl_csr_read(&play.before, ZTL_CSR_PERM, &perm);
    for (unsigned k = 0; k < 4; k++)
        after[k] = before[perm >> 2 * k & 3];
    if (insn->row->op == ZTL_OP_XPOSE && digits[0] >= '0' && digits[0] < '4') {
        unsigned a = (unsigned)(digits[0] - '0') & 3, b = (unsigned)(digits[1] - '0') & 3;
        after[a] = before[b];
        after[b] = before[a];
    }
}

/* "32x64": those that are more than 1. */
static void print_shape(FILE *out, const unsigned *dim, unsigned count)
{
    bool any = false;
    for (unsigned k = 0; k < count; k++)
        if (dim[k] > 1) {
            fprintf(out, any ? "x%u" : "%u", dim[k]);
            any = true;
        }
    fputs(any ? "" : "1", out);
}

/* What the last Ztl instruction wrote, or stored, as "tl1+tl2:64x32:byte:32x64", the last the shape
 * before it; empty where none was stepped over. */
PLAY const char *play_view(void)
{
    ztl_insn insn;
    FILE *out = play_open();
    unsigned revision = play.before.config.revision, dim[4], before[4];
    if (!play.before_word || !ztl_decode(revision, play.before_word, &insn))
        return play_close();
    int first = operand_of_kind(&insn, ZTL_KIND_TL, 0);
    int second = operand_of_kind(&insn, ZTL_KIND_TL, 1);
    uint64_t shape = 0, type = 0;
    ztl_csr_read(&play.before, ZTL_CSR_TSHAPE, &shape);
    if (revision == 2)
        ztl_csr_read(&play.before, ZTL_CSR_TTYPE, &type);
    const ztl_type_row *row = ztl_isa_type_of((uint32_t)type);
    bool is_pair = ztl_op_effects(insn.row->op) & ZTL_PAIR;
    for (unsigned k = 0; k < 3; k++)
        before[k] = dim[k] = (unsigned)(shape >> (16 - 8 * k)) & 0xff;
    bool has_shape = dim[0] && dim[1] && dim[2] && insn.row->op != ZTL_OP_ADDI;
    if (is_pair)
        pair_dimensions(&insn, before, dim);
    else if (!has_shape)
        before[0] = before[1] = dim[0] = dim[1] = 32, before[2] = dim[2] = 1;
    fprintf(out, is_pair && first != second ? "tl%d+tl%d:" : "tl%d:", first, second);
    print_shape(out, dim, is_pair ? 4 : 3);
    fprintf(out, ":%s:", row ? row->name : "byte");
    print_shape(out, before, is_pair ? 4 : 3);
    return play_close();
}

/* The picture of an instruction, an SVG; or what is wrong with it, without a "<". */
PLAY const char *play_picture(unsigned revision)
{
    ztl_error error;
    ztl_limits limits = {.rows = 32, .columns = 32};
    ztl_scene *scene = new_scene();
    FILE *out = play_open();
    ztl_picture *picture = NULL;
    if (scene && ztl_scene_start(scene, revision, play_input(), &error))
        picture = ztl_draw(scene, &limits, &error);
    if (picture)
        ztl_picture_svg(picture, out);
    else
        fputs(error.text, out);
    ztl_picture_free(picture);
    free(scene);
    return play_close();
}

/* What each engine did when, an SVG; empty where cycles are not counted. */
PLAY const char *play_timeline(void)
{
    FILE *out = play_open();
    if (play.timeline)
        ztl_timeline_write(play.timeline, ZTL_TIMELINE_SVG, out);
    return play_close();
}

PLAY const char *play_report(void)
{
    FILE *out = play_open();
    if (play.timing) {
        ztl_timing_counts counts = ztl_timing_result(play.timing);
        ztl_timing_print(&play.engines, &counts, out);
    }
    return play_close();
}
