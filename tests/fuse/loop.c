/* SPDX-License-Identifier: Apache-2.0
 * Rounds on the host: random loops, executed as rounds and, on a hart of their own, one instruction
 * after the other by the plain bodies. Memory, CSRs and registers that the loop does not use must
 * be the same.
 */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/intrin.h>

#include "intrin/thread_hart.h"

#ifdef ZTL_SAMPLED
#define ROUNDS_LOOPS 600
#else
#define ROUNDS_LOOPS 3000
#endif

enum {
    BUFFER = 1 << 19,
    MIDDLE = BUFFER / 2,
    MOST = 256,
    LOOPS = ROUNDS_LOOPS,
    APART = 64 * 128 /* of stores, so that they do not overlap */
};

/* An instruction, with the address relative to the round's, or a CSR instruction. */
typedef struct item {
    ztl_intrin_site site;
    uint64_t a0, a1;
} item;

typedef struct program {
    item item[MOST];
    unsigned count;
    uint32_t used; /* registers */
    bool shapes;   /* writes tshape */
} program;

static uint64_t random_state;
static uint8_t *source, *target, *wanted;
static ztl_state plain;
static unsigned kinds[ZTL_LOOP_SELECT + 1], at_once, parts;
static bool overlaps; /* stores of one instruction may */

static unsigned below(unsigned n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random_state >> 33) % n);
}

static uint32_t random_word(void)
{
    return (uint32_t)below(1 << 16) << 16 | below(1 << 16);
}

static const ztl_memory all_memory = {
    .ram = &(const ztl_ram){4096, UINT64_MAX - 4096, (uint8_t *)(uintptr_t)4096}, .ram_count = 1};

/* The words of CSR instructions: csrrw x0, csr, a1 and csrrs a0, csr, x0. */
static ztl_intrin_site csr_site(unsigned csr, bool reads)
{
    ztl_intrin_site site = {.file = __FILE__, .function = "", .id = ZTL_INSNS, .revision = 2};
    site.word = csr << 20 | (reads ? 2u << 12 | 10u << 7 : 11u << 15 | 1u << 12) | 0x73;
    return site;
}

static void add_csr(program *p, unsigned csr, uint64_t value)
{
    p->shapes = p->shapes || csr == ZTL_CSR_TSHAPE;
    p->item[p->count++] = (item){csr_site(csr, false), 0, value};
}

static void add(program *p, enum ztl_insn_id id, int32_t o0, int32_t o1, int32_t o2, uint64_t a0)
{
    ztl_insn insn = {ztl_isa_insn(id), 0, {o0, o1, o2, 0}};
    ztl_intrin_site site = {.file = __FILE__, .function = "", .id = (uint8_t)id, .revision = 2};
    ztl_error error;
    if (!ztl_encode(&insn, &site.word, &error))
        fail_msg("%s", error.text);
    memcpy(site.operand, insn.operand, sizeof insn.operand);
    p->item[p->count++] = (item){site, a0, 0};
    p->used |= UINT32_C(1) << o0;
    if (id != ZTL_INSN_LOAD && id != ZTL_INSN_STORE && id != ZTL_INSN_MLOAD)
        p->used |= UINT32_C(1) << o1 | UINT32_C(1) << (o2 & 31);
}

static bool is_load(const item *i)
{
    return i->site.id == ZTL_INSN_LOAD || i->site.id == ZTL_INSN_MLOAD;
}

static uint64_t address_of(const item *i, const void *from, const void *to)
{
    return i->a0 + (is_load(i)                     ? (uint64_t)(uintptr_t)from
                    : i->site.id == ZTL_INSN_STORE ? (uint64_t)(uintptr_t)to
                                                   : 0);
}

/* On the reference hart. */
static void execute_plainly(const item *i, const void *from, const void *to)
{
    uint64_t x[32] = {[10] = address_of(i, from, to), [11] = i->a1}, old;
    if (i->site.id == ZTL_INSNS)
        ztl_csr_execute(&plain, i->site.word, x, &old);
    else
        ztl_execute(&plain, i->site.word, x, &all_memory);
}

static void execute(const item *i, const void *from, const void *to)
{
    if (i->site.id == ZTL_INSNS)
        ztl_intrin_csr(&i->site, i->a1);
    else
        ztl_intrin_execute(&i->site, address_of(i, from, to), 0);
}

/* Both harts, outside rounds. */
static void set_csr(unsigned csr, uint64_t value)
{
    const item i = {csr_site(csr, false), 0, value};
    execute(&i, NULL, NULL);
    execute_plainly(&i, NULL, NULL);
}

static void set_row(unsigned first, const int32_t *value, unsigned count)
{
    const ztl_intrin_site site = csr_site(first, false);
    ztl_intrin_strides(&site, value, count);
    for (unsigned i = 0; i < count; i++) {
        const item each = {csr_site(first + i, false), 0, (uint32_t)value[i]};
        execute_plainly(&each, NULL, NULL);
    }
}

/* Rows whose slices take turns; where they are too near, a later slice takes the place of another.
 */
static void take_turns(unsigned count, int32_t *load, int32_t *store)
{
    int32_t rows = 1 << (1 + below(4)), columns = 32 / rows, back = (int32_t)below(2);
    int32_t in = columns + (int32_t)below(4), out = columns + (int32_t)below(4) - overlaps;
    for (int32_t i = 0; i < (int32_t)count; i++) {
        int32_t row = i % rows, column = i / rows;
        load[i] = row * in + column;
        store[i] = (back ? rows - 1 - row : row) * out + column;
    }
}

/* Stores go to different places, in any order, unless they overlap. */
static void set_strides(unsigned count)
{
    unsigned order[32];
    for (unsigned i = 0; i < 32; i++) {
        unsigned k = below(i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    bool plainly = below(4) == 0, whole = below(2) == 0;
    unsigned apart = 1 + below(2);
    int32_t load[32], store[32];
    for (unsigned i = 0; i < count; i++) {
        load[i] = plainly ? (int32_t)i : (int32_t)below(64) - 10;
        store[i] = (int32_t)(plainly ? i : order[i] * apart);
    }
    if (overlaps || below(4) == 0)
        take_turns(count, load, store);
    for (unsigned i = 0; i < count; i++) {
        set_csr(ZTL_CSR_LOAD_STRIDE + i, whole ? 0 : (uint32_t)load[i]);
        set_csr(ZTL_CSR_STORE_STRIDE + i, whole ? 0 : (uint32_t)store[i]);
    }
    if (whole) {
        set_row(ZTL_CSR_LOAD_STRIDE, load, count);
        set_row(ZTL_CSR_STORE_STRIDE, store, count);
    }
}

static void add_ends(program *p, enum ztl_insn_id id, int32_t first, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        add(p, id, first + (int32_t)k, 0, 10,
            id == ZTL_INSN_STORE ? (uint64_t)k * APART
                                 : (uint64_t)below(200) * (below(2) ? 2 : 32));
}

/* Dimensions of a pair of elements of 2^log2 bytes, and a permutation of them. */
static unsigned long random_dims(unsigned log2)
{
    unsigned bits[4] = {1, 0, 0, 0};
    for (unsigned left = 11 - log2 - 1; left; left--) {
        unsigned d = below(4);
        while (bits[d] == 7)
            d = (d + 1) % 4;
        bits[d]++;
    }
    return ZTL_DIMS(1 << bits[0], 1 << bits[1], 1 << bits[2], 1 << bits[3]);
}

static unsigned random_perm(void)
{
    unsigned perm = 0xe4;
    for (unsigned n = 0; n < 5; n++) {
        unsigned a = 2 * below(4), b = 2 * below(4);
        unsigned difference = (perm >> a ^ perm >> b) & 3;
        perm ^= difference << a;
        perm ^= difference << b;
    }
    return perm;
}

static void add_stage(program *p, int32_t first, unsigned registers)
{
    static const enum ztl_insn_id permute[] = {ZTL_INSN_PERMUTE_B, ZTL_INSN_PERMUTE_H,
                                               ZTL_INSN_PERMUTE_W, ZTL_INSN_PERMUTE_D};
    unsigned log2 = below(4), bit = 1;
    unsigned long dims = random_dims(log2);
    while (bit * 2 < registers && below(2))
        bit *= 2;
    if (below(2))
        add_csr(p, ZTL_CSR_PERM, random_perm());
    for (unsigned r = 0; r < registers; r++)
        if (!(r & bit))
            add(p, permute[log2], first + (int32_t)r, first + (int32_t)(r | bit), 10, dims);
}

/* The same by XPOSE, which looks at ttype. */
static void add_xpose_stage(program *p, int32_t first, unsigned registers)
{
    for (unsigned r = 0; r < registers; r += 2)
        add(p, ZTL_INSN_XPOSE_13, first + (int32_t)r, first + (int32_t)r + 1, 10,
            ZTL_DIMS(2, 8, 8, below(64) ? 16 : 8));
}

/* Type 0 has elements of a byte, as the shapes of XPOSE want it. */
static void set_form(unsigned width)
{
    set_csr(ZTL_CSR_TTYPE, below(6) ? 0 : ZTL_TTYPE_INT16);
    set_csr(ZTL_CSR_TSHAPE, (uint64_t)(1024 / width) << 16 | 0x0101);
    set_csr(ZTL_CSR_LOAD_WIDTH, width);
    set_csr(ZTL_CSR_STORE_WIDTH, width);
}

static void make_stages(program *p)
{
    unsigned registers = 2u << below(4), width = 16u << below(4), other = 16u << below(4);
    int32_t first = 1 + (int32_t)below(32 - registers);
    bool two_shapes = below(2) && width >= 32 && other >= 32;
    unsigned bytes =
        1024 >> (below(3) == 0 && registers > 2 ? 1 + below(2) : 0); /* of a register */
    set_form(width);
    set_csr(ZTL_CSR_TSHAPE, (uint64_t)(bytes / width) << 16 | 0x0101);
    if (two_shapes) {
        set_csr(ZTL_CSR_STORE_WIDTH, other);
        add_csr(p, ZTL_CSR_TSHAPE, (uint64_t)(bytes / width) << 16 | 0x0101);
    }
    add_ends(p, ZTL_INSN_LOAD, first, registers);
    for (unsigned stages = bytes < 1024 ? 1 : below(4); stages; stages--)
        (below(4) ? add_stage : add_xpose_stage)(p, first, registers);
    if (two_shapes)
        add_csr(p, ZTL_CSR_TSHAPE, (uint64_t)(bytes / other) << 16 | 0x0101);
    add_ends(p, ZTL_INSN_STORE, first, registers);
}

static void make_copies(program *p)
{
    unsigned width = 1 + below(below(2) ? 128 : 33), count = 1 + below(32);
    count = count * width > 1024 ? 1024 / width : count;
    set_csr(ZTL_CSR_TSHAPE, (uint64_t)count << 16 | 0x0101);
    set_csr(ZTL_CSR_LOAD_WIDTH, width);
    set_csr(ZTL_CSR_STORE_WIDTH, width);
    unsigned registers = 1 + below(4);
    add_ends(p, ZTL_INSN_LOAD, 3, registers);
    add_ends(p, ZTL_INSN_STORE, 3, registers);
}

static void make_choices(program *p)
{
    unsigned log2 = below(3), width = 32u << log2;
    set_csr(ZTL_CSR_TSHAPE, (uint64_t)(32 >> log2) << 16 | 32 << 8 | 1 << log2);
    set_csr(ZTL_CSR_LOAD_WIDTH, width);
    set_csr(ZTL_CSR_STORE_WIDTH, width);
    add_ends(p, ZTL_INSN_LOAD, 1, 3);
    if (below(2))
        add(p, ZTL_INSN_MERGE_1, 8, 1, 2, 0);
    for (int32_t k = 0; k < 3; k++) {
        uint32_t kept = random_word() | (below(2) ? random_word() : 0);
        add_csr(p, ZTL_CSR_MASK1, kept);
        add_csr(p, ZTL_CSR_MASK2, below(6) ? ~kept : 0);
        add(p, below(4) ? ZTL_INSN_CONCAT_1 : ZTL_INSN_MERGE_1, 4 + k, 1 + (int32_t)below(3),
            (int32_t)below(4), 0);
    }
    if (below(3) == 0)
        add(p, ZTL_INSN_PERMUTE_B, 4, 5, 10, random_dims(0));
    add_ends(p, ZTL_INSN_STORE, 4, 3);
}

/* What cannot be done as a whole, here and there. */
static void disturb(program *p)
{
    unsigned at = p->count;
    switch (below(15)) {
    case 0:
        add(p, ZTL_INSN_ADDI, 1, 2, 5, 0);
        break;
    case 1:
        add_csr(p, ZTL_CSR_TTYPE, below(2) ? ZTL_TTYPE_INT16 : 0);
        break;
    case 2:
        add(p, ZTL_INSN_LOAD, 0, 0, 10, 0);
        break;
    case 3:
        add(p, ZTL_INSN_STORE, 9, 0, 10, 1 << 16);
        break;
    case 4:
        p->item[p->count++] = (item){csr_site(ZTL_CSR_TSHAPE, true), 0, 0};
        break;
    case 5:
        while (p->count < ZTL_LOOP_STEPS + 2)
            add(p, ZTL_INSN_XPOSE_01, 1, 2, 10, ZTL_DIMS(32, 64, 1, 1));
        break;
    case 6:
        add_csr(p, ZTL_CSR_LOAD_MASK, random_word());
        add(p, ZTL_INSN_MLOAD, 1, 0, 10, 0);
        break;
    case 7:
        at = below(p->count - 1);
        if (p->item[at + 1].site.id != ZTL_INSNS)
            p->item[at + 1] = p->item[at];
        return;
    case 8:
        add_csr(p, below(2) ? ZTL_CSR_PERM : ZTL_CSR_MASK1, below(2) ? random_perm() : 0xe4);
        break;
    case 9:
        add_csr(p, ZTL_CSR_TSHAPE, plain.csr[ZTL_SLOT_TSHAPE]);
        break;
    case 10:
        for (unsigned k = p->count; k-- > 0;)
            if (p->item[k].site.id == ZTL_INSN_PERMUTE_B) {
                p->item[k].a0 = random_dims(0);
                return;
            }
        return;
    default:
        return;
    }
    /* Somewhere before the end. */
    item moved = p->item[at];
    unsigned place = below(at + 1);
    if (p->count == at + 1) {
        memmove(&p->item[place + 1], &p->item[place], (at - place) * sizeof moved);
        p->item[place] = moved;
    }
}

/* A step between rounds, forwards or back: a slice's width, so that runs go on, or anything. */
static int64_t random_step(unsigned most)
{
    unsigned width = plain.csr[ZTL_SLOT_LOAD_WIDTH];
    if (below(2) && width % 2 == 0 && width <= most)
        return width;
    return (int64_t)(2 * below(most)) - most;
}

/* A few rounds at equal distances; as many as are executed at once. */
static void run_ahead(const program *p, uint8_t *from, uint8_t *to, uint8_t *from_plain,
                      uint8_t *to_plain)
{
    bool same = below(2);
    int64_t in = random_step(256), out = same ? in : random_step(1024);
    size_t n = 1 + below(4), done = ztl_intrin_rounds_ahead(n, from, in, to, out);
    assert_true(done == 0 || done == 1 || done == n);
    at_once += done > 1;
    for (; done; done--, from_plain += in, to_plain += out)
        for (unsigned k = 0; k < p->count; k++)
            execute_plainly(&p->item[k], from_plain, to_plain);
}

static void run_rounds(const program *p, unsigned rounds, unsigned slices)
{
    bool in_place = below(16) == 0;
    uint8_t *to = in_place ? source : target;
    uint8_t *expected = wanted;
    uint64_t from_at = MIDDLE, to_at = in_place ? MIDDLE + 2 * below(1 << 11) : MIDDLE;
    memcpy(wanted, to, BUFFER);
    uint8_t *from_plain = in_place ? wanted : source;
    ztl_intrin_rounds_begin();
    for (unsigned n = 0; n < rounds; n++) {
        if (ztl_intrin_round_begin(source + from_at, to + to_at)) {
            for (unsigned k = 0; k < p->count; k++)
                execute(&p->item[k], source + from_at, to + to_at);
            ztl_intrin_round_end();
        }
        const ztl_loop *r = ztl_this_hart->recorder.loop;
        kinds[r->usable ? r->kind : ZTL_LOOP_STEPWISE]++;
        parts += r->usable && r->kind == ZTL_LOOP_ROUTE &&
                 r->lanes < r->end[ZTL_LOOP_LOADS].count * ZTL_REG_VECTORS;
        for (unsigned k = 0; k < p->count; k++)
            execute_plainly(&p->item[k], from_plain + from_at, expected + to_at);
        if (below(2))
            run_ahead(p, source + from_at, to + to_at, from_plain + from_at, expected + to_at);
        from_at += 2 * below(256); /* aligned: a load that traps leaves its register as it was */
        to_at += 2 * below(2048);
        if (below(3) == 0)
            set_strides(slices);
    }
    ztl_intrin_rounds_end();
    if (memcmp(to, expected, BUFFER) != 0)
        fail_msg("memory differs%s", in_place ? " where it is read too" : "");
}

static void compare_harts(uint32_t used)
{
    const ztl_state *state = ztl_intrin_state();
    for (unsigned slot = 0; slot < ZTL_SLOTS; slot++)
        if (state->csr[slot] != plain.csr[slot] || state->written[slot] != plain.written[slot])
            fail_msg("CSR slot %u differs", slot);
    for (unsigned r = 0; r < ZTL_REGISTERS; r++)
        if (!(used >> r & 1))
            assert_memory_equal(ztl_get_register(state, r), ztl_get_register(&plain, r), 1024);
}

/* After rounds the registers that they used hold anything. */
static void define_registers(uint32_t used)
{
    for (unsigned r = 1; r < ZTL_REGISTERS; r++)
        if (used >> r & 1)
            ztl_set_register(ztl_intrin_state(), r, ztl_get_register(&plain, r));
}

static void same_start(void)
{
    assert_int_equal(ztl_intrin_use_bodies(getenv("ZTL_BODIES")), ZTL_OK);
    ztl_intrin_init(NULL);
    ztl_init(&plain, NULL);
    for (unsigned r = 1; r < ZTL_REGISTERS; r++) {
        uint8_t bytes[1024];
        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)below(256);
        ztl_set_register(ztl_intrin_state(), r, bytes);
        ztl_set_register(&plain, r, bytes);
    }
}

static enum ztl_intrin_resume go_on(const ztl_intrin_trap *trap, void *context)
{
    (void)trap;
    (void)context;
    return ZTL_INTRIN_SKIP;
}

static void test_random_loops(void **unused)
{
    (void)unused;
    static void (*const make[])(program *) = {make_stages, make_copies, make_choices};
    static program p;
    for (unsigned n = 0; n < LOOPS; n++) {
        random_state = n; /* each loop is the same whatever was before it */
        if (n % 20 == 0)
            same_start();
        set_csr(ZTL_CSR_TTYPE, 0);
        set_csr(ZTL_CSR_PERM, random_perm());
        p.count = p.used = p.shapes = 0;
        make[below(3)](&p);
        disturb(&p);
        set_strides(32);
        run_rounds(&p, 1 + below(5), 32);
        if (below(2)) { /* the same loop, CSRs as they were or not */
            define_registers(p.used);
            if (below(2) && !p.shapes) /* a part of a register would be left of the round before */
                set_form(16u << below(4));
            run_rounds(&p, 1 + below(3), 32);
        }
        compare_harts(p.used);
        define_registers(p.used);
    }
    printf("%u rounds one by one, %u copies, %u routes, of them %u of parts, %u selections\n",
           kinds[ZTL_LOOP_STEPWISE], kinds[ZTL_LOOP_COPY], kinds[ZTL_LOOP_ROUTE], parts,
           kinds[ZTL_LOOP_SELECT]);
    assert_true(at_once > LOOPS / 10);
    if (ztl_bodies_of(ztl_intrin_state())->route)
        for (unsigned k = 0; k <= ZTL_LOOP_SELECT; k++)
            assert_true(kinds[k] > LOOPS / 30 && parts > LOOPS / 300);
}

static void test_overlapping_copies(void **unused)
{
    (void)unused;
    static program p;
    overlaps = true;
    for (unsigned n = 0; n < LOOPS / 8; n++) {
        random_state = n;
        if (n % 20 == 0)
            same_start();
        set_csr(ZTL_CSR_TTYPE, 0);
        p.count = p.used = p.shapes = 0;
        make_copies(&p);
        set_strides(32);
        run_rounds(&p, 1 + below(5), 32);
        compare_harts(p.used);
        define_registers(p.used);
    }
    overlaps = false;
}

/* A body that is left early, and intrinsics after the last round. */
static void test_left_early(void **unused)
{
    (void)unused;
    same_start();
    set_csr(ZTL_CSR_TSHAPE, 0x200101);
    set_csr(ZTL_CSR_LOAD_WIDTH, 32);
    ztl_intrin_rounds_begin();
    assert_true(ztl_intrin_round_begin(source, target));
    __riscv_ztl_load(1, source, 0);
    ztl_intrin_rounds_end();
    assert_memory_equal(ztl_get_register(ztl_intrin_state(), 1), source, 1024);
    __riscv_ztl_load(2, source + 1024, 0);
    assert_memory_equal(ztl_get_register(ztl_intrin_state(), 2), source + 1024, 1024);
}

static enum ztl_intrin_resume count(const ztl_intrin_trap *trap, void *context)
{
    (void)trap;
    ++*(unsigned *)context;
    return ZTL_INTRIN_SKIP;
}

/* Traps in every round: of a hart without PERMUTE, of a window that stores may not leave. */
static void test_traps(void **unused)
{
    (void)unused;
    ztl_config config = ztl_default_config();
    for (unsigned turn = 0; turn < 3; turn++) {
        unsigned traps = 0;
        config.subsets = turn == 1 ? ZTL_SUBSET_ALL & ~ZTL_SUBSET_P : ZTL_SUBSET_ALL;
        config.l0m = (ztl_window){(uint64_t)(uintptr_t)target, turn == 2 ? 3000 : 0};
        ztl_intrin_init(&config);
        ztl_intrin_set_trap_handler(count, &traps);
        __riscv_ztl_csrw_tshape(0x200101);
        __riscv_ztl_csrw_tl_load_width(32);
        __riscv_ztl_csrw_tl_store_width(32);
        ztl_intrin_rounds_begin();
        for (unsigned n = 0; n < 3; n++)
            if (ztl_intrin_round_begin(source, target + n * 1024)) {
                __riscv_ztl_load(1, source, 0);
                __riscv_ztl_load(2, source, 32);
                __riscv_ztl_permute_b(1, 2, ZTL_DIMS(32, 64, 1, 1));
                __riscv_ztl_store(1, target + n * 1024, 0);
                __riscv_ztl_store(2, target + n * 1024, 32);
                ztl_intrin_round_end();
            }
        ztl_intrin_rounds_end();
        assert_int_equal(traps, turn == 0 ? 0 : 3); /* the windows: stores to 2048, 2048, 3072 */
    }
    ztl_intrin_set_trap_handler(go_on, NULL);
}

/* A thread that has no hart yet. */
static void test_without_rounds(void **unused)
{
    (void)unused;
    ztl_intrin_round_end();
    assert_true(ztl_intrin_round_begin(source, target));
    ztl_intrin_rounds_end();
}

static int set_up(void **unused)
{
    (void)unused;
    source = malloc(BUFFER);
    target = malloc(BUFFER);
    wanted = malloc(BUFFER);
    for (unsigned i = 0; i < BUFFER && source && target; i++)
        source[i] = target[i] = (uint8_t)(i * 2654435761u >> 24);
    return source && target && wanted ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    free(source);
    free(target);
    free(wanted);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_rounds),
        cmocka_unit_test(test_left_early),
        cmocka_unit_test(test_traps),
        cmocka_unit_test(test_random_loops),
        cmocka_unit_test(test_overlapping_copies),
    };
    ztl_intrin_set_trap_handler(go_on, NULL);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
