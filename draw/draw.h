/* SPDX-License-Identifier: Apache-2.0
 * Pictures of instructions. What moved where is found out by executing the instruction on the model
 * with registers and memory that carry the index of each place; nothing here knows what an
 * instruction means.
 *
 *     ztl_scene scene;
 *     ztl_scene_start(&scene, 2, "tl.xpose.12 tl1, tl2, a0", &error);
 *     ztl_scene_shape(&scene, "4,8,8,8", &error);
 *     ztl_picture *picture = ztl_draw(&scene, &limits, &error);
 *     ztl_picture_svg(picture, stdout);
 */
#ifndef ZTL_DRAW_H
#define ZTL_DRAW_H

#include <ztl/ztl.h>

#include "draw/picture/picture.h"

enum { ZTL_SCENE_TEXT = 80, ZTL_SCENE_DIMENSIONS = 4 };

/* An instruction and the state that it meets. */
typedef struct ztl_scene {
    ztl_state hart;
    uint64_t x[32];
    ztl_insn insn;
    char text[ZTL_SCENE_TEXT]; /* canonical */
    unsigned shape[ZTL_SCENE_DIMENSIONS];
    unsigned dimensions;        /* that the instruction's shape has */
    uint8_t set_csr[ZTL_SLOTS]; /* by the caller */
    uint32_t set_x;
    bool has_shape;        /* given by the caller */
    bool has_operands;     /* so was more than a mnemonic */
    ztl_language language; /* of the words in the picture; ztl_scene_start chooses English */
} ztl_scene;

/* Assembles the instruction on a fresh hart of the revision. A mnemonic alone gets operands. */
bool ztl_scene_start(ztl_scene *scene, unsigned revision, const char *instruction,
                     ztl_error *error);

/* "4,8,8,8": the shape, wherever this instruction has it; what is left out is 1. Of ADDI, which has
 * none, the elements that are drawn. */
bool ztl_scene_shape(ztl_scene *scene, const char *dimensions, ztl_error *error);

/* The element type, by name. */
bool ztl_scene_type(ztl_scene *scene, const char *name, ztl_error *error);

/* "NAME=VALUE", or values with commas for indexed CSRs: a CSR by any spelling, or a GPR. */
bool ztl_scene_set(ztl_scene *scene, const char *assignment, ztl_error *error);

/* Before and after. What nobody has set gets a value that shows something; a trap is an error. NULL
 * with a message; free it with ztl_picture_free. */
ztl_picture *ztl_draw(ztl_scene *scene, const ztl_limits *limits, ztl_error *error);

/* The bits of the instruction's word, and the fields that they are in. */
ztl_picture *ztl_draw_encoding(const ztl_scene *scene, ztl_error *error);

/* The same as text: boxes, then the bits of each operand. */
void ztl_encoding_text(const ztl_scene *scene, FILE *out);

/* A block of up to three dimensions in a register, or a tensor of four in a pair. */
typedef struct ztl_block {
    unsigned size[ZTL_SCENE_DIMENSIONS];
    unsigned dimensions;
    unsigned bits; /* of an element */
} ztl_block;

/* From a shape such as "3,5,7" and the name of a type; NULL: [2, 4, 8], and bytes. */
bool ztl_block_parse(ztl_block *block, unsigned revision, const char *shape, const char *type,
                     ztl_error *error);

/* The register file, and how elements of each size, and those of a block, lie in a register. */
ztl_picture *ztl_draw_registers(unsigned revision, const ztl_block *block, const ztl_limits *limits,
                                ztl_language language, ztl_error *error);

#endif
