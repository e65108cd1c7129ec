/* SPDX-License-Identifier: Apache-2.0
 * The picture of an instruction: what nobody has set, what runs, what is said below it.
 */
#include "draw/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "codec/gpr.h"
#include "draw/parts/parts.h"
#include "host/error.h"

int ztl_scene_operand(const ztl_scene *scene, const char *name)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(scene->insn.row->format, k)); k++)
        if (!strcmp(operand->name, name))
            return scene->insn.operand[k];
    return -1;
}

unsigned ztl_scene_bits(const ztl_scene *scene)
{
    if (scene->insn.row->op == ZTL_OP_PERMUTE)
        return 8u << scene->insn.row->arg;
    const ztl_type_row *type = ztl_isa_type_of(scene->hart.csr[ZTL_SLOT_TTYPE]);
    return type ? type->bits : 0;
}

static uint32_t effects_of(const ztl_scene *scene)
{
    return ztl_op_effects(scene->insn.row->op);
}

/* The integer register that holds the shape, -1 when tshape does, or nothing. */
static int shape_register(const ztl_scene *scene)
{
    if (effects_of(scene) & ZTL_PAIR)
        return ztl_scene_operand(scene, "rs");
    return ztl_scene_operand(scene, "rshape");
}

/* A shape that is legal, and small where it may be. */
static void default_shape(ztl_scene *scene)
{
    unsigned bits = ztl_scene_bits(scene);
    unsigned last = bits ? 16384 / bits / 256 : 1; /* of 4·8·8·last elements in 2048 bytes */
    bool is_first = scene->hart.config.revision == 1;
    bool is_outer = scene->insn.row->arg == 0; /* the dimension of CONCAT and MERGE */
    unsigned shapes[][ZTL_SCENE_DIMENSIONS] = {
        {4, 8, 8, last},
        {4, 8, 8, 4},
        {is_outer || is_first ? 4 : 2,
         is_first   ? 8
         : is_outer ? 2
                    : 4,
         is_first ? 32 : 4, 1},
        {4, 1, 8, 1},
    };
    uint32_t effects = effects_of(scene);
    size_t which = effects & ZTL_PAIR                        ? 0
                   : ztl_scene_operand(scene, "rshape") >= 0 ? 1
                   : effects & ZTL_MOVES                     ? 2
                                                             : 3;
    memcpy(scene->shape, shapes[which], sizeof scene->shape);
}

/* The shape from where the instruction takes it, for the layout of the picture. */
static void read_shape(ztl_scene *scene)
{
    int gpr = shape_register(scene);
    uint32_t tshape = scene->hart.csr[ZTL_SLOT_TSHAPE];
    for (unsigned k = 0; k < ZTL_SCENE_DIMENSIONS; k++) {
        if (gpr >= 0)
            scene->shape[k] = scene->x[gpr] >> 8 * k & 0xff;
        else if (effects_of(scene) & ZTL_READS_TSHAPE)
            scene->shape[k] = k < 3 ? tshape >> (16 - 8 * k) & 0xff : 1;
    }
}

static void write_shape(ztl_scene *scene)
{
    const unsigned *d = scene->shape;
    int gpr = shape_register(scene);
    if (gpr > 0)
        scene->x[gpr] = d[0] | d[1] << 8 | d[2] << 16 | (uint64_t)d[3] << 24;
    else if (gpr < 0 && effects_of(scene) & ZTL_READS_TSHAPE)
        ztl_csr_write(&scene->hart, ZTL_CSR_TSHAPE, d[0] << 16 | d[1] << 8 | d[2]);
}

static bool is_shape_set(const ztl_scene *scene)
{
    int gpr = shape_register(scene);
    return gpr >= 0 ? scene->set_x >> gpr & 1 : scene->set_csr[ZTL_SLOT_TSHAPE];
}

/* The immediate of a mnemonic alone, where 100 would make every element of 4 bits the same. */
static void lessen_immediate(ztl_scene *scene)
{
    enum { LESS = 3 };
    ztl_error error;
    ztl_insn insn = scene->insn;
    const ztl_operand_row *operand;
    if (scene->has_operands || ztl_scene_bits(scene) != 4)
        return;
    for (size_t k = 0; (operand = ztl_isa_operand(insn.row->format, k)); k++)
        if (operand->kind == ZTL_KIND_IMM)
            insn.operand[k] = LESS;
    if (ztl_encode(&insn, &insn.word, &error)) {
        scene->insn = insn;
        ztl_disassemble(scene->hart.config.revision, insn.word, scene->text, sizeof scene->text);
    }
}

/* What the instruction reads and nobody has set: masks, the permutation, the address. */
static void set_defaults(ztl_scene *scene)
{
    static const struct {
        unsigned slot;
        uint32_t concat, other;
    } values[] = {{ZTL_SLOT_MASK1, 0x6, 0x5},
                  {ZTL_SLOT_MASK2, 0x1, 0x0},
                  {ZTL_SLOT_LOAD_MASK, 0x5, 0x5},
                  {ZTL_SLOT_STORE_MASK, 0x5, 0x5},
                  {ZTL_SLOT_PERM, 0x78, 0x78}}; /* NCHW to NHWC: 0, 2, 3, 1 */
    bool is_concat = scene->insn.row->op == ZTL_OP_CONCAT;
    lessen_immediate(scene);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!scene->set_csr[values[i].slot])
            ztl_csr_write(&scene->hart, ztl_isa_slot_address((enum ztl_slot)values[i].slot),
                          is_concat ? values[i].concat : values[i].other);
    if (!scene->has_shape && !is_shape_set(scene))
        default_shape(scene);
    if (scene->has_shape || !is_shape_set(scene))
        write_shape(scene);
    read_shape(scene);
    int base = ztl_scene_operand(scene, "rbase");
    if (base < 0 && effects_of(scene) & (ZTL_LOADS | ZTL_STORES))
        base = ztl_scene_operand(scene, "rs");
    if (base > 0 && !(scene->set_x >> base & 1))
        scene->x[base] = 0x1000;
}

/* "tl_load_stride0 = 0, 3, 6": as many as there are slices. */
static void note_strides(const ztl_scene *scene, const ztl_csr_row *row, ztl_picture *picture)
{
    char text[ZTL_PICTURE_LINE];
    size_t length = (size_t)ZTL_SAY(scene->language, text, sizeof text, ZTL_T_STRIDES, row->name,
                                    scene->shape[0] - 1);
    unsigned i = 0;
    for (; i < scene->shape[0] && length + 20 < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRId32, i ? ", " : "",
                                   (int32_t)scene->hart.csr[row->slot + i]);
    if (i < scene->shape[0])
        snprintf(text + length, sizeof text - length, ", ...");
    ztl_picture_note(picture, "%s", text);
}

static void note_state(const ztl_scene *scene, ztl_picture *picture)
{
    char line[ZTL_PICTURE_LINE] = "";
    size_t length = 0;
    const ztl_csr_row *row;
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(scene->insn.row->format, k)); k++)
        if ((operand->kind == ZTL_KIND_GPR || operand->kind == ZTL_KIND_BASE) &&
            length < sizeof line)
            length += (size_t)snprintf(
                line + length, sizeof line - length, "%s%s = 0x%" PRIx64, length ? ", " : "",
                ztl_gpr_name((unsigned)scene->insn.operand[k]), scene->x[scene->insn.operand[k]]);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        bool is_there = row->first_revision <= scene->hart.config.revision;
        bool is_shape_elsewhere = row->slot == ZTL_SLOT_TSHAPE && shape_register(scene) >= 0;
        if (!(effects_of(scene) & ZTL_READS_CSR(i)) || !is_there || is_shape_elsewhere)
            continue;
        if (row->kind != ZTL_CSR_STRIDE && length < sizeof line)
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s = 0x%" PRIx32,
                                       length ? ", " : "", row->name, scene->hart.csr[row->slot]);
    }
    if (length)
        ztl_picture_note(picture, "%s", line);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        if (row->kind == ZTL_CSR_STRIDE && effects_of(scene) & ZTL_READS_CSR(i) &&
            row->first_revision <= scene->hart.config.revision)
            note_strides(scene, row, picture);
}

/* NULL for an instruction that nobody has drawn yet. */
static ztl_draw_part *part_of(const ztl_scene *scene)
{
    static ztl_draw_part *const parts[ZTL_OPS] = {
        [ZTL_OP_LOAD] = ztl_draw_slices,  [ZTL_OP_MLOAD] = ztl_draw_slices,
        [ZTL_OP_STORE] = ztl_draw_slices, [ZTL_OP_MSTORE] = ztl_draw_slices,
        [ZTL_OP_CONCAT] = ztl_draw_block, [ZTL_OP_MERGE] = ztl_draw_block,
        [ZTL_OP_ADDI] = ztl_draw_addi,    [ZTL_OP_XPOSE] = ztl_draw_pair,
        [ZTL_OP_PERMUTE] = ztl_draw_pair,
    };
    return parts[scene->insn.row->op];
}

static bool draw_part(const ztl_scene *scene, const ztl_trace *trace, const ztl_limits *limits,
                      ztl_picture *picture, ztl_error *error)
{
    ztl_draw_part *part = part_of(scene);
    if (!part)
        return ztl_fail(error, "%s: there is no picture of this instruction", scene->text);
    note_state(scene, picture);
    return part(scene, trace, limits, picture, error);
}

ztl_picture *ztl_draw(ztl_scene *scene, const ztl_limits *limits, ztl_error *error)
{
    set_defaults(scene);
    ztl_trace *trace = ztl_trace_run(scene, error);
    ztl_picture *picture = trace ? ztl_picture_new(scene->text, scene->language) : NULL;
    if (trace && !picture)
        ztl_fail(error, "no memory");
    if (picture && !draw_part(scene, trace, limits, picture, error)) {
        ztl_picture_free(picture);
        picture = NULL;
    }
    free(trace);
    return picture;
}
