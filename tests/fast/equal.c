/* SPDX-License-Identifier: Apache-2.0
 * Fast bodies against the plain ones, which are the meaning:
 *
 *     equal [BODIES|best|rest] [DIVISOR]
 *
 * `best` is what this machine would choose, `rest` all that it could choose instead. XPOSE, PERMUTE
 * and 8- and 16-bit ADDI on every legal case (DIVISOR takes one in so many), the others, traps
 * included, on random ones. Guest memory ends at pages that cannot be touched.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fast/cases.h"

enum { FULL_RANDOM = 400000, RAM_BASE = 0x10000 };

static twins t;
static unsigned divisor = 1;
static unsigned long cases, traps;

static void run(uint32_t word)
{
    cases++;
    traps += !run_both(&t, word, NULL, NULL);
}

static bool skip(void)
{
    return divisor > 1 && below(&t, divisor) != 0;
}

/* Calls `each` for all shapes of four powers of two whose product is `product`. */
static void each_shape(unsigned product, void (*each)(uint32_t shape))
{
    for (unsigned d0 = 1; d0 <= 128; d0 *= 2)
        for (unsigned d1 = 1; d1 <= 128; d1 *= 2)
            for (unsigned d2 = 1; d2 <= 128; d2 *= 2)
                for (unsigned d3 = 1; d3 <= 128; d3 *= 2)
                    if (d0 * d1 * d2 * d3 == product && !skip())
                        each(d0 | d1 << 8 | d2 << 16 | (uint32_t)d3 << 24);
}

/* Pairs of different registers, one register twice, and the zero register on either side. */
static void draw_pair(int *first, int *second)
{
    static const int pairs[][2] = {{1, 2}, {31, 7}, {2, 1}, {5, 5}, {0, 3}, {3, 0}, {0, 0}};
    unsigned n = below(&t, 16);
    *first = pairs[n < 7 ? n : 0][0];
    *second = pairs[n < 7 ? n : 0][1];
    random_register(&t, (unsigned)*first);
    random_register(&t, (unsigned)*second);
}

static void xpose_shape(uint32_t shape)
{
    int first, second;
    t.x[10] = shape;
    for (int id = ZTL_INSN_XPOSE_01; id <= ZTL_INSN_XPOSE_33; id++) {
        draw_pair(&first, &second);
        run(word_of((enum ztl_insn_id)id, first, second, 10));
    }
}

static void permute_shape(uint32_t shape)
{
    int first, second;
    t.x[10] = shape;
    for (int id = ZTL_INSN_PERMUTE_B; id <= ZTL_INSN_PERMUTE_D; id++)
        for (unsigned perm = 0; perm < 256; perm++) {
            unsigned named = 0;
            for (unsigned k = 0; k < 4; k++)
                named |= 1u << (perm >> (2 * k) & 3);
            if (named != 0xf && below(&t, 64))
                continue;
            csr_both(&t, ZTL_CSR_PERM, perm);
            draw_pair(&first, &second);
            run(word_of((enum ztl_insn_id)id, first, second, 10));
        }
}

static void test_pairs(void)
{
    const ztl_type_row *type;
    for (size_t i = 0; (type = ztl_isa_type(i)); i++) {
        csr_both(&t, ZTL_CSR_TTYPE, type->ttype);
        each_shape(16384u / type->bits, xpose_shape);
    }
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        each_shape(16384u / bits, permute_shape);
    for (unsigned n = 0; n < 20000 / divisor; n++) { /* shapes that are no good */
        csr_both(&t, ZTL_CSR_TTYPE, below(&t, 4) ? 1u << below(&t, 11) : below(&t, 4096));
        t.x[10] = draw(&t) & 0x1f1f1f1f;
        run(word_of((enum ztl_insn_id)(ZTL_INSN_XPOSE_01 + below(&t, 9)), 1, 2, 10));
        run(word_of((enum ztl_insn_id)(ZTL_INSN_PERMUTE_B + below(&t, 4)), 1, 2, 10));
    }
}

/* A register of 16-bit values from `first` on. */
static void set_values(unsigned first)
{
    uint16_t values[ZTL_REG_BYTES / 2];
    for (unsigned i = 0; i < ZTL_REG_BYTES / 2; i++)
        values[i] = (uint16_t)(first + i);
    set_both(&t, 1, (const uint8_t *)values);
}

static void all_addends(void)
{
    for (int addend = -128; addend < 128; addend++)
        if (!skip())
            run(word_of(ZTL_INSN_ADDI, below(&t, 4) ? 2 : below(&t, 2), 1, addend));
}

/* Binary32 near the addends, near halves, and of all sizes. */
static uint32_t draw_float(void)
{
    uint32_t bits = (uint32_t)draw(&t);
    union {
        float value;
        uint32_t bits;
    } near = {(float)((int)below(&t, 512) - 256)};
    switch (below(&t, 4)) {
    case 0:
        return near.bits + below(&t, 5) - 2;
    case 1:
        return (bits & 0x807fffff) | (100 + below(&t, 60)) << 23;
    case 2:
        return bits & (uint32_t)(0xffffffff << below(&t, 24));
    default:
        return bits;
    }
}

static void test_addi(void)
{
    const ztl_type_row *type;
    for (size_t i = 0; (type = ztl_isa_type(i)); i++) {
        csr_both(&t, ZTL_CSR_TTYPE, type->ttype);
        if (type->bits <= 16) { /* every value; of bytes and nibbles, every pair of them */
            for (unsigned first = 0; first < 65536; first += ZTL_REG_BYTES / 2) {
                set_values(first);
                all_addends();
            }
            continue;
        }
        for (unsigned n = 0; n < FULL_RANDOM / 40 / divisor; n++) {
            uint32_t values[ZTL_REG_BYTES / 4];
            for (size_t k = 0; k < ZTL_REG_BYTES / 4; k++)
                values[k] = draw_float();
            set_both(&t, 1, (const uint8_t *)values);
            run(word_of(ZTL_INSN_ADDI, 1, 1, (int)below(&t, 256) - 128));
        }
    }
}

static unsigned draw_dim(unsigned limit)
{
    unsigned small = 1 + below(&t, 8), power = 1u << below(&t, 9);
    unsigned dim = below(&t, 3) ? (below(&t, 2) ? small : power) : below(&t, 256);
    return dim > limit && below(&t, 64) ? limit : dim;
}

static void draw_block(void)
{
    const ztl_type_row *type = ztl_isa_type(below(&t, ZTL_TYPES));
    unsigned room = 8192u / type->bits, d0 = draw_dim(room), d1, d2;
    room /= d0 ? d0 : 1;
    d1 = draw_dim(room);
    room /= d1 ? d1 : 1;
    d2 = below(&t, 3) ? draw_dim(room) : room;
    csr_both(&t, ZTL_CSR_TTYPE, below(&t, 200) ? type->ttype : below(&t, 4096));
    csr_both(&t, ZTL_CSR_TSHAPE, (d0 & 0xff) << 16 | (d1 & 0xff) << 8 | (d2 & 0xff));
}

/* Masks of all densities; the second often takes what the first leaves, so that CONCAT is legal. */
static void draw_masks(void)
{
    uint32_t first = (uint32_t)draw(&t), second = (uint32_t)draw(&t);
    if (below(&t, 2))
        first &= (uint32_t)draw(&t);
    if (below(&t, 2))
        second &= (uint32_t)draw(&t);
    if (below(&t, 2)) {
        unsigned dims = t.plain.csr[ZTL_SLOT_TSHAPE] >> (8 * below(&t, 3)) & 0xff;
        unsigned turn = dims < 32 ? dims : 0;
        second = ~first;
        if (turn && below(&t, 2)) /* some permutation of the complement */
            second = second << 1 | (second >> (turn - 1) & 1);
    }
    csr_both(&t, ZTL_CSR_MASK1, first);
    csr_both(&t, ZTL_CSR_MASK2, second);
}

static void test_blocks(void)
{
    uint32_t uninitialised = word_of(ZTL_INSN_CONCAT_0, 1, 2, 3);
    csr_both(&t, ZTL_CSR_TTYPE, 0);
    csr_both(&t, ZTL_CSR_TSHAPE, 0x040404);
    run(uninitialised);
    run(word_of(ZTL_INSN_MERGE_1, 1, 2, 3));
    csr_both(&t, ZTL_CSR_MASK1, 5);
    run(uninitialised);
    for (unsigned n = 0; n < FULL_RANDOM / divisor; n++) {
        if (n % 4 == 0)
            draw_block();
        draw_masks();
        random_register(&t, 1 + below(&t, 4));
        int a = (int)below(&t, 5), b = (int)below(&t, 5), c = (int)below(&t, 5);
        run(word_of((enum ztl_insn_id)(ZTL_INSN_CONCAT_0 + below(&t, 6)), a, b, c));
    }
}

/* Guest memory: two pieces of RAM between guard pages, and callbacks for a third range. The pieces
 * are given as they are, or as pages in another order: a list of these, or a table; or the first as
 * crumbs, in which most slices do not fit. */
enum { RAM_SIZE = 8192, FAR_BASE = RAM_BASE + RAM_SIZE, DEVICE_BASE = 0x40000, DEVICE_SIZE = 4096 };
enum { PAGE_BITS = 10, PAGE = 1 << PAGE_BITS, PAGES = RAM_SIZE / PAGE };
enum { CRUMB = 24, CRUMBS = RAM_SIZE / CRUMB + 1 };
enum form { WHOLE, LIST, TABLE, IN_CRUMBS, FORMS };

typedef struct guest {
    ztl_ram ram[2], page[2 * PAGES], crumb[CRUMBS + 1];
    uint8_t device[DEVICE_SIZE];
    ztl_memory memory;
} guest;

static guest guests[2];

static size_t reach(uint64_t address, size_t size)
{
    if (address < DEVICE_BASE || address >= DEVICE_BASE + DEVICE_SIZE)
        return 0;
    size_t left = (size_t)(DEVICE_BASE + DEVICE_SIZE - address);
    return left < size ? left : size;
}

static size_t device_load(void *context, uint64_t address, void *bytes, size_t size)
{
    guest *g = context;
    size_t good = reach(address, size);
    if (good == size && bytes)
        memcpy(bytes, g->device + (address - DEVICE_BASE), size);
    return good;
}

static size_t device_store(void *context, uint64_t address, const void *bytes, size_t size)
{
    guest *g = context;
    size_t good = reach(address, size);
    if (good == size && bytes)
        memcpy(g->device + (address - DEVICE_BASE), bytes, size);
    return good;
}

static uint8_t *guarded(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *whole = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED || mprotect(whole + page, size, PROT_READ | PROT_WRITE)) {
        perror("equal: guard pages");
        exit(1);
    }
    return whole + page;
}

/* Page n is in place 3n of its piece; one is not there. */
static void cut_pages(guest *g, enum form form)
{
    for (unsigned n = 0; n < 2 * PAGES; n++) {
        const ztl_ram *ram = &g->ram[n / PAGES];
        uint64_t base = ram->base + (uint64_t)(n % PAGES) * PAGE;
        unsigned entry = form == LIST ? 2 * PAGES - 1 - n : (base >> PAGE_BITS) % (2 * PAGES);
        g->page[entry] =
            (ztl_ram){base, n == PAGES - 1 ? 0 : PAGE, ram->bytes + (size_t)(3 * n % PAGES) * PAGE};
    }
    g->memory.ram = g->page;
    g->memory.ram_count = 2 * PAGES;
    g->memory.page_bits = form == TABLE ? PAGE_BITS : 0;
}

/* Crumb n is in place 2n, those that this has no room for between them; the last is smaller, and
 * last there too. */
_Static_assert(CRUMBS % 2 == 0, "the last crumb is in the last place");

static void cut_crumbs(guest *g)
{
    const ztl_ram *ram = &g->ram[0];
    for (unsigned n = 0; n < CRUMBS; n++) {
        const unsigned place = n < CRUMBS / 2 ? 2 * n : 2 * n - CRUMBS + 1;
        const uint64_t left = RAM_SIZE - (uint64_t)n * CRUMB;
        g->crumb[n] = (ztl_ram){ram->base + (uint64_t)n * CRUMB, left < CRUMB ? left : CRUMB,
                                ram->bytes + (size_t)place * CRUMB};
    }
    g->crumb[CRUMBS] = g->ram[1];
    g->memory.ram = g->crumb;
    g->memory.ram_count = CRUMBS + 1;
}

static void make_guests(unsigned xlen, enum form form)
{
    uint64_t high = xlen == 32 ? UINT64_C(0xffffe000) : UINT64_C(0xffffffffffffe000);
    for (int i = 0; i < 2; i++) {
        guest *g = &guests[i];
        if (!g->ram[0].bytes) {
            g->ram[0].bytes = guarded(RAM_SIZE);
            g->ram[1].bytes = guarded(RAM_SIZE);
        }
        g->ram[0] = (ztl_ram){RAM_BASE, RAM_SIZE, g->ram[0].bytes};
        g->ram[1] = (ztl_ram){high, RAM_SIZE, g->ram[1].bytes};
        g->memory = (ztl_memory){device_load, device_store, g, g->ram, 2, 0};
        if (form == IN_CRUMBS)
            cut_crumbs(g);
        else if (form != WHOLE)
            cut_pages(g, form);
    }
}

static void compare_guests(uint32_t word)
{
    for (int i = 0; i < 2; i++)
        if (memcmp(guests[0].ram[i].bytes, guests[1].ram[i].bytes, RAM_SIZE))
            fail_case(&t, word, "memory");
    if (memcmp(guests[0].device, guests[1].device, DEVICE_SIZE))
        fail_case(&t, word, "device");
}

static void draw_strides(unsigned csr)
{
    unsigned kind = below(&t, 4), step = 1 + below(&t, 6);
    for (unsigned i = 0; i < 32; i++) {
        int32_t stride = (int32_t)(kind == 0   ? i
                                   : kind == 1 ? i * step
                                   : kind == 2 ? below(&t, 40)
                                               : 31 - i);
        if (below(&t, 2000) == 0)
            stride = (int32_t)draw(&t);
        csr_both(&t, csr + i, (uint32_t)stride);
    }
}

static void draw_slices(bool is_store)
{
    static const unsigned widths[] = {0, 1, 2, 3, 4, 7, 8, 12, 16, 17, 24, 32, 33, 64, 100, 1024};
    unsigned width = widths[below(&t, 16)], count = 1 + below(&t, 33);
    if (width && below(&t, 16))
        count = count * width > 1024 ? 1024 / width : count;
    csr_both(&t, is_store ? ZTL_CSR_STORE_WIDTH : ZTL_CSR_LOAD_WIDTH, width);
    csr_both(&t, ZTL_CSR_TSHAPE, count << 16 | below(&t, 9) << 8 | (1 + below(&t, 8)));
    csr_both(&t, ZTL_CSR_TTYPE, ztl_isa_type(below(&t, ZTL_TYPES))->ttype);
    draw_strides(is_store ? ZTL_CSR_STORE_STRIDE : ZTL_CSR_LOAD_STRIDE);
    if (below(&t, 2))
        csr_both(&t, is_store ? ZTL_CSR_STORE_MASK : ZTL_CSR_LOAD_MASK,
                 below(&t, 4) ? draw(&t) : below(&t, 2) * UINT64_C(0xffffffff));
}

/* Mostly where slices fit, sometimes across an end, in the device, or around the end of memory. */
static uint64_t draw_address(void)
{
    uint64_t address = RAM_BASE + below(&t, RAM_SIZE / 4);
    switch (below(&t, 12)) {
    case 0:
        address = RAM_BASE + RAM_SIZE - below(&t, 2048);
        break;
    case 1:
        address = RAM_BASE - below(&t, 128);
        break;
    case 2:
        address = DEVICE_BASE + below(&t, DEVICE_SIZE);
        break;
    case 3:
        address = guests[0].ram[1].base + below(&t, RAM_SIZE);
        break;
    default:
        break;
    }
    return below(&t, 4) ? address & ~UINT64_C(3) : address;
}

static void test_slices(unsigned count)
{
    random_register(&t, 1);
    for (unsigned n = 0; n < count / divisor; n++) {
        bool is_store = below(&t, 2);
        if (n % 8 == 0)
            draw_slices(is_store);
        if (n % 64 == 0)
            random_register(&t, 1 + below(&t, 4));
        t.x[11] = draw_address();
        unsigned id = (is_store ? ZTL_INSN_STORE : ZTL_INSN_LOAD) + below(&t, 2);
        uint32_t word = word_of((enum ztl_insn_id)id, (int)below(&t, 5), (int)below(&t, 9) - 4, 11);
        cases++;
        traps += !run_both(&t, word, &guests[0].memory, &guests[1].memory);
        if (is_store)
            compare_guests(word);
    }
}

static void test_slices_1(unsigned count)
{
    for (unsigned n = 0; n < count / divisor; n++) {
        unsigned d0 = 1u << below(&t, 6), d1 = 1u << below(&t, 4);
        unsigned rest = 1024 / d0 / d1, d3 = rest > 128 ? 16 : 1, d2 = rest / d3;
        t.x[10] = d0 | d1 << 8 | (d2 & 0xff) << 16 | d3 << 24;
        t.x[11] = draw_address();
        if (below(&t, 4) == 0)
            csr_both(&t, ZTL_CSR_LOAD_MASK + below(&t, 2), draw(&t));
        bool is_store = below(&t, 2);
        int tl = (int)below(&t, 4);
        uint32_t word = is_store ? word_of(ZTL_INSN_V1_MSTORE, tl, 11, 10)
                                 : word_of(ZTL_INSN_V1_MLOAD, tl, 10, 11);
        cases++;
        traps += !run_both(&t, word, &guests[0].memory, &guests[1].memory);
        compare_guests(word);
    }
}

static void test_revision_1(const char *bodies)
{
    ztl_config config = {.revision = 1, .xlen = 32, .subsets = ztl_subsets_of(1)};
    start_twins(&t, &config, bodies);
    make_guests(32, TABLE);
    set_values(0);
    for (int addend = -2048; addend < 2048; addend++)
        run(word_of(ZTL_INSN_V1_ADDI, 2, 1, addend));
    test_slices_1(FULL_RANDOM / 10);
    for (unsigned n = 0; n < 20000 / divisor; n++) {
        random_register(&t, 1 + below(&t, 3));
        unsigned d0 = 1u << below(&t, 6), d1 = 1u << below(&t, 6);
        csr_both(&t, ZTL_CSR_TSHAPE, d0 << 16 | d1 << 8 | (1024 / d0 / d1 & 0xff));
        draw_masks();
        run(word_of((enum ztl_insn_id)(ZTL_INSN_V1_CONCAT_0 + below(&t, 3)), 1, 2, 3));
    }
}

static void test_memory(const char *bodies)
{
    ztl_config config = ztl_default_config();
    for (unsigned n = 0; n < 4 * FORMS; n++) {
        config = ztl_default_config();
        config.xlen = n % 2 ? 32 : 64;
        if (n % 4 >= 2) {
            config.l1m = (ztl_window){RAM_BASE + 512, RAM_SIZE - 1024};
            config.l0m = (ztl_window){RAM_BASE, RAM_SIZE / 2};
        }
        start_twins(&t, &config, bodies);
        make_guests(config.xlen, (enum form)(n / 4));
        test_slices(FULL_RANDOM / (n < 4 ? 2 : 4));
    }
}

static void test_bodies(const char *bodies)
{
    cases = traps = 0;
    start_twins(&t, NULL, bodies);
    test_pairs();
    test_addi();
    test_blocks();
    test_memory(bodies);
    test_revision_1(bodies);
    printf("%-8s %lu cases, %lu of them traps: as the plain bodies\n", bodies, cases, traps);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "best", *name;
    const bool rest = !strcmp(only, "rest");
    if (!strcmp(only, "best"))
        only = ztl_bodies_name(0);
    unsigned tested = 0;
    divisor = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
    if (divisor == 0)
        return 2;
    for (size_t i = 0; (name = ztl_bodies_name(i)); i++)
        if ((rest ? i > 0 : !strcmp(only, name)) && strcmp(name, "plain")) {
            test_bodies(name);
            tested++;
        }
    if (rest)
        return 0;
    if (!tested)
        fprintf(stderr, "equal: no bodies '%s' here\n", only);
    return tested ? 0 : 1;
}
