/* SPDX-License-Identifier: Apache-2.0
 * An instruction and the state that it meets.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/gpr.h"
#include "draw/draw.h"
#include "host/error.h"

/* The operand of this name, or -1. */
static int operand_named(const ztl_insn *insn, const char *name)
{
    const ztl_operand_row *operand;
    for (int k = 0; (operand = ztl_isa_operand(insn->row->format, (size_t)k)); k++)
        if (!strcmp(operand->name, name))
            return insn->operand[k];
    return -1;
}

/* Operands for a mnemonic alone: tl3 from tl1 and tl2, tl2 from tl1, with a0 and a1. */
static bool default_operands(const ztl_insn_row *row, ztl_insn *insn)
{
    static const struct {
        const char *name;
        int value;
    } values[] = {{"tlrd", 3}, {"tlrs", 1},   {"tlrs1", 1},   {"tlrs2", 2},
                  {"rs", 10},  {"rbase", 10}, {"rshape", 11}, {"imm", 100}};
    const ztl_operand_row *operand;
    insn->row = row;
    for (size_t k = 0; (operand = ztl_isa_operand(row->format, k)); k++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            if (!strcmp(operand->name, values[i].name))
                insn->operand[k] = values[i].value;
    return true;
}

static bool assemble(unsigned revision, const char *text, uint32_t *word, bool *has_operands,
                     ztl_error *error)
{
    const ztl_insn_row *row;
    *has_operands = true;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision && !strcmp(row->mnemonic, text)) {
            ztl_insn insn = {0};
            *has_operands = false;
            return default_operands(row, &insn) && ztl_encode(&insn, word, error);
        }
    return ztl_assemble(revision, text, word, error);
}

static unsigned dimensions_of(const ztl_scene *scene)
{
    uint32_t effects = ztl_op_effects(scene->insn.row->op);
    bool in_gpr = effects & ZTL_PAIR || operand_named(&scene->insn, "rshape") >= 0;
    return in_gpr ? 4 : 3;
}

bool ztl_scene_start(ztl_scene *scene, unsigned revision, const char *instruction, ztl_error *error)
{
    uint32_t word;
    bool has_operands;
    if (!assemble(revision, instruction, &word, &has_operands, error))
        return false;
    memset(scene, 0, sizeof *scene);
    ztl_config config = ztl_default_config();
    config.revision = revision;
    config.subsets = ztl_subsets_of(revision);
    if (ztl_init(&scene->hart, &config) != ZTL_OK || !ztl_decode(revision, word, &scene->insn))
        return ztl_fail(error, "'%s' is no instruction of Ztl %u", instruction, revision);
    ztl_disassemble(revision, word, scene->text, sizeof scene->text);
    scene->dimensions = dimensions_of(scene);
    scene->has_operands = has_operands;
    return true;
}

/* Sizes with commas between; those that are left out are 1. The count, or 0 with a message. */
static unsigned parse_shape(const char *text, unsigned size[ZTL_SCENE_DIMENSIONS], unsigned most,
                            const char *whose, ztl_error *error)
{
    enum { LARGEST = 255 };
    const char *at = text;
    for (unsigned k = 0; k < ZTL_SCENE_DIMENSIONS; k++)
        size[k] = 1;
    for (unsigned k = 0;; k++) {
        char *end;
        unsigned long one = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || one > LARGEST || (*end && *end != ','))
            return ztl_fail(error, "'%s' is no shape: sizes from 0 to 255 with commas between",
                            text);
        if (k == most)
            return ztl_fail(error, "'%s' has too many dimensions, %s has %u", text, whose, most);
        size[k] = (unsigned)one;
        if (!*end)
            return k + 1;
        at = end + 1;
    }
}

bool ztl_scene_shape(ztl_scene *scene, const char *dimensions, ztl_error *error)
{
    scene->has_shape =
        parse_shape(dimensions, scene->shape, scene->dimensions, scene->insn.row->mnemonic, error);
    return scene->has_shape;
}

static bool write_csr(ztl_scene *scene, unsigned address, uint64_t value)
{
    unsigned index;
    const ztl_csr_row *row = ztl_isa_csr_at(scene->hart.config.revision, address, &index);
    if (!row || ztl_csr_write(&scene->hart, address, value) != ZTL_OK)
        return false;
    scene->set_csr[row->slot + index] = 1;
    if (row->kind == ZTL_CSR_VIEW)
        scene->set_csr[ZTL_SLOT_LOAD_MASK] = scene->set_csr[ZTL_SLOT_STORE_MASK] = 1;
    return true;
}

/* NULL with a message. */
static const ztl_type_row *type_named(const char *name, unsigned revision, ztl_error *error)
{
    const ztl_type_row *type;
    for (size_t i = 0; (type = ztl_isa_type(i)); i++)
        if (!strcmp(type->name, name)) {
            if (!type->ttype || revision > 1)
                return type;
            ztl_fail(error, "Ztl %u has no type but byte", revision);
            return NULL;
        }
    ztl_fail(error, "there is no type '%s'; 'ztl isa --table type' lists them", name);
    return NULL;
}

bool ztl_scene_type(ztl_scene *scene, const char *name, ztl_error *error)
{
    const ztl_type_row *type = type_named(name, scene->hart.config.revision, error);
    return type && (!type->ttype || write_csr(scene, ZTL_CSR_TTYPE, type->ttype));
}

bool ztl_block_parse(ztl_block *block, unsigned revision, const char *shape, const char *type,
                     ztl_error *error)
{
    const ztl_type_row *row = type_named(type ? type : "byte", revision, error);
    block->dimensions =
        parse_shape(shape ? shape : "2,4,8", block->size, ZTL_SCENE_DIMENSIONS, "a tensor", error);
    if (!row || !block->dimensions)
        return false;
    if (block->dimensions < 3) /* what is left out is an outer dimension of no interest */
        block->dimensions = 3;
    block->bits = row->bits;
    uint64_t bytes = block->bits, room = ZTL_REG_BYTES * (block->dimensions > 3 ? 2 : 1);
    for (unsigned k = 0; k < ZTL_SCENE_DIMENSIONS; k++) {
        if (!block->size[k])
            return ztl_fail(error, "'%s': D%u = 0, must be 1 or more", shape, k);
        bytes *= block->size[k];
    }
    bytes = (bytes + 7) / 8;
    if (bytes > room)
        return ztl_fail(error, "'%s' takes %u bytes, %s %u", shape, (unsigned)bytes,
                        block->dimensions > 3 ? "a pair of registers has" : "a register has",
                        (unsigned)room);
    return true;
}

/* The values after the equals sign, to this CSR and the ones that follow it. */
static bool set_csrs(ztl_scene *scene, unsigned address, const char *name, const char *values,
                     ztl_error *error)
{
    for (;; address++) {
        char *end;
        errno = 0;
        long long value = strtoll(values, &end, 0);
        if (end == values || (*end && *end != ',') || errno || value < INT32_MIN ||
            value > UINT32_MAX)
            return ztl_fail(error, "%s: '%s' is no number of 32 bits", name, values);
        if (!write_csr(scene, address, (uint64_t)value))
            return ztl_fail(error, "%s: more values than registers", name);
        if (!*end)
            return true;
        values = end + 1;
    }
}

bool ztl_scene_set(ztl_scene *scene, const char *assignment, ztl_error *error)
{
    char name[48];
    const char *equals = strchr(assignment, '=');
    size_t length = equals ? (size_t)(equals - assignment) : 0;
    if (!length || length >= sizeof name)
        return ztl_fail(error, "'%s' is not NAME=VALUE", assignment);
    memcpy(name, assignment, length);
    name[length] = '\0';
    unsigned address;
    if (ztl_csr_address(scene->hart.config.revision, name, &address))
        return set_csrs(scene, address, name, equals + 1, error);
    int gpr = ztl_gpr_index(name, length);
    if (gpr < 0)
        return ztl_fail(error, "'%s' is neither a CSR of Ztl %u nor an integer register", name,
                        scene->hart.config.revision);
    char *end;
    errno = 0;
    uint64_t value = strtoull(equals + 1, &end, 0);
    if (end == equals + 1 || *end || errno)
        return ztl_fail(error, "%s: '%s' is no number", name, equals + 1);
    scene->x[gpr] = gpr ? value : 0;
    scene->set_x |= UINT32_C(1) << gpr;
    return true;
}
