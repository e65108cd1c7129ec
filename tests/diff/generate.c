/* SPDX-License-Identifier: Apache-2.0
 * Random programs that are often legal: shapes, widths and addresses are chosen to fit together,
 * and now and then are not.
 */
#include "tests/diff/generate.h"

typedef struct generator {
    uint64_t random;
    unsigned revision;
    unsigned bits; /* of an element, by the last ttype written */
    diff_program *program;
} generator;

uint64_t diff_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned below(generator *g, unsigned count)
{
    return (unsigned)(diff_random(&g->random) % count);
}

static bool percent(generator *g, unsigned chance)
{
    return below(g, 100) < chance;
}

static void emit(generator *g, uint32_t word, uint64_t a0, uint64_t a1)
{
    if (g->program->count < DIFF_MAX_STEPS)
        g->program->step[g->program->count++] = (diff_step){word, a0, a1};
}

/* x0 or one of a0 … a7. */
static unsigned any_gpr(generator *g)
{
    unsigned n = below(g, DIFF_GPRS + 1);
    return n ? DIFF_A0 + n - 1 : 0;
}

/* Four dimensions whose product is `total`, a power of two; now and then spoilt. */
static uint32_t dims_of(generator *g, unsigned total)
{
    unsigned log[4] = {1, 0, 0, 0}, left = 0;
    while (total >> (left + 1))
        left++;
    for (left--; left > 0;) {
        unsigned k = below(g, 4);
        if (log[k] < 7) {
            log[k]++;
            left--;
        }
    }
    uint32_t dims = 0;
    for (unsigned k = 0; k < 4; k++)
        dims |= UINT32_C(1) << log[k] << (8 * k);
    if (percent(g, 10))
        dims ^= UINT32_C(1) << below(g, 32);
    return dims;
}

/* D0, D1, D2 of a block of at most 1024 bytes; now and then anything. */
static uint32_t shape_of(generator *g)
{
    if (percent(g, 8))
        return (uint32_t)diff_random(&g->random) & 0xffffff;
    unsigned left = 8192 / g->bits, dim[3];
    for (unsigned k = 0; k < 3; k++) {
        unsigned most = left < 32 ? left : 32;
        dim[k] = g->revision == 1 ? 1u << below(g, 6) : 1 + below(g, most);
        left = left / dim[k] ? left / dim[k] : 1;
    }
    if (g->revision == 1 && percent(g, 90))
        dim[2] = 1024 / (dim[0] * dim[1]) < 256 ? 1024 / (dim[0] * dim[1]) : 32;
    return dim[0] << 16 | dim[1] << 8 | dim[2];
}

static uint32_t type_of(generator *g)
{
    if (percent(g, 12))
        return (uint32_t)diff_random(&g->random) & 0xfff;
    const ztl_type_row *row = ztl_isa_type(below(g, ZTL_TYPES));
    g->bits = row->bits;
    return row->ttype;
}

static uint32_t permutation(generator *g)
{
    unsigned order[4] = {0, 1, 2, 3};
    for (unsigned k = 3; k > 0; k--) {
        unsigned other = below(g, k + 1), held = order[k];
        order[k] = order[other];
        order[other] = held;
    }
    uint32_t perm = order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6;
    return percent(g, 10) ? perm ^ 1u << below(g, 8) : perm;
}

/* Mostly near, rarely so far that no memory is there. */
static uint32_t stride_of(generator *g)
{
    if (percent(g, 3))
        return UINT32_C(0x80000000) - 8 + below(g, 16);
    return (uint32_t)((int)below(g, 44) - 4);
}

static uint32_t csr_value(generator *g, unsigned address)
{
    switch (address) {
    case ZTL_CSR_TSHAPE:
        return shape_of(g);
    case ZTL_CSR_PERM:
        return permutation(g);
    case ZTL_CSR_TTYPE:
        return type_of(g);
    case ZTL_CSR_LOAD_WIDTH:
    case ZTL_CSR_STORE_WIDTH:
        return percent(g, 25) ? 0 : percent(g, 90) ? 4 * (1 + below(g, 16)) : below(g, 1100);
    default:
        break;
    }
    if (address >= ZTL_CSR_LOAD_STRIDE)
        return stride_of(g);
    uint32_t mask = (uint32_t)diff_random(&g->random);
    return percent(g, 50) ? mask & (uint32_t)diff_random(&g->random) : mask;
}

enum { OPCODE_SYSTEM = 0x73, CSRRW = 1 };

static uint32_t csr_word(unsigned address, unsigned rs1, unsigned funct3, unsigned rd)
{
    return address << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | OPCODE_SYSTEM;
}

static void emit_csr(generator *g)
{
    const ztl_csr_row *row;
    size_t rows = 0;
    while (ztl_isa_csr(rows))
        rows++;
    row = ztl_isa_csr(below(g, (unsigned)rows));
    unsigned address = row->address + below(g, row->count);
    unsigned funct3 = percent(g, 60) ? CSRRW : 1 + below(g, 3) + 4 * below(g, 2);
    unsigned rs1 = funct3 > 4 ? below(g, 32) : percent(g, 90) ? DIFF_A0 + 1 : 0;
    unsigned rd = any_gpr(g); /* before the value: the order of random numbers is fixed */
    emit(g, csr_word(address, rs1, funct3, rd), 0, csr_value(g, address));
}

static uint64_t address_of(generator *g)
{
    unsigned kind = below(g, 100);
    uint64_t align = percent(g, 90) ? 64 : 1;
    uint64_t offset = below(g, DIFF_RW_SIZE) / align * align;
    if (kind < 75)
        return DIFF_MEMORY + offset / 2;
    if (kind < 85)
        return DIFF_MEMORY + offset;
    if (kind < 93)
        return DIFF_MEMORY + DIFF_RO_OFFSET + offset / 4;
    return kind < 96 ? 0 - offset : kind < 98 ? offset : DIFF_MEMORY - offset / 8;
}

/* Only registers that every engine sets alike may be named. */
static uint32_t with_gprs(generator *g, uint32_t word)
{
    ztl_insn insn;
    if (!ztl_decode(g->revision, word, &insn))
        return word;
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn.row->format, k)); k++) {
        if (operand->kind != ZTL_KIND_GPR && operand->kind != ZTL_KIND_BASE)
            continue;
        bool is_shape = operand->name[0] == 'r' && operand->name[1] == 's' && operand->name[2];
        unsigned gpr = percent(g, 6) ? any_gpr(g) : is_shape ? DIFF_A0 + 1 : DIFF_A0;
        word = (word & ~(UINT32_C(31) << operand->lsb)) | (uint32_t)gpr << operand->lsb;
    }
    return word;
}

/* Offsets of LOAD and STORE count slices; most must stay small to reach memory. */
static uint32_t with_offset(generator *g, const ztl_insn_row *row, uint32_t word)
{
    const ztl_operand_row *second = ztl_isa_operand(row->format, 1);
    if (second->kind != ZTL_KIND_OFFSET || percent(g, 10))
        return word;
    return (word & ~(UINT32_C(0xff) << second->lsb)) | (uint32_t)below(g, 8) << second->lsb;
}

static void emit_ztl(generator *g)
{
    const ztl_insn_row *row;
    uint32_t match, mask;
    do {
        unsigned n = below(g, ZTL_INSNS + 16);
        const ztl_alias_row *alias = n < ZTL_INSNS ? NULL : ztl_isa_alias(n - ZTL_INSNS);
        row = ztl_isa_insn(alias ? alias->id : n % ZTL_INSNS);
        match = alias ? alias->match : row->match;
        mask = alias ? alias->mask : row->mask;
    } while (row->revision != g->revision);
    uint32_t word = match | ((uint32_t)diff_random(&g->random) & ~mask);
    word = with_offset(g, row, with_gprs(g, word));
    bool pair = row->op == ZTL_OP_XPOSE || row->op == ZTL_OP_PERMUTE;
    unsigned bits = row->op == ZTL_OP_PERMUTE ? 8u << row->arg : g->bits;
    uint64_t a0 = pair ? dims_of(g, 16384 / bits) : address_of(g);
    emit(g, word, a0, dims_of(g, 1024));
}

static void emit_any_word(generator *g)
{
    uint32_t word = ((uint32_t)diff_random(&g->random) & ~UINT32_C(0x7f)) | ZTL_OPCODE;
    word = with_gprs(g, word);
    uint64_t a0 = address_of(g);
    emit(g, word, a0, dims_of(g, 1024));
}

/* What most programs need before anything else is legal. */
static void emit_prologue(generator *g)
{
    static const uint16_t csrs[] = {ZTL_CSR_TTYPE,      ZTL_CSR_TSHAPE,      ZTL_CSR_MASK1,
                                    ZTL_CSR_MASK2,      ZTL_CSR_LOAD_MASK,   ZTL_CSR_STORE_MASK,
                                    ZTL_CSR_LOAD_WIDTH, ZTL_CSR_STORE_WIDTH, ZTL_CSR_PERM};
    for (size_t i = 0; i < sizeof csrs / sizeof csrs[0]; i++) {
        unsigned index;
        if (!ztl_isa_csr_at(g->revision, csrs[i], &index) || !percent(g, 75))
            continue;
        emit(g, csr_word(csrs[i], DIFF_A0 + 1, CSRRW, 0), 0, csr_value(g, csrs[i]));
    }
}

void diff_generate(uint64_t seed, unsigned revision, diff_program *program)
{
    generator g = {.random = seed, .revision = revision, .bits = 8, .program = program};
    program->count = 0;
    emit_prologue(&g);
    unsigned steps = 8 + below(&g, DIFF_MAX_STEPS - 16);
    while (program->count < steps) {
        unsigned kind = below(&g, 100);
        if (kind < 20)
            emit_csr(&g);
        else if (kind < 97)
            emit_ztl(&g);
        else
            emit_any_word(&g);
    }
}
