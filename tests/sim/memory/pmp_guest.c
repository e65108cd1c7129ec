/* SPDX-License-Identifier: Apache-2.0
 * A bare-metal program that gives PMP random entries and prints what becomes of loads, stores and
 * fetches of user mode, and of machine mode under locked entries. The machine that it runs on says
 * what is right: tests/sim/memory/pmp.py compares the simulator with QEMU.
 */
#include <stdint.h>

enum { ENTRIES = 16, PAGES = 4, PAGE = 4096, ROUNDS = 150, PROBES = 40, LOCK = 0x80 };
enum { MODE_TOR = 1, MODE_NA4, MODE_NAPOT, MPP = 3 << 11, MPRV = 1 << 17, NO_TRAP = 99 };
enum { LOAD_1, LOAD_2, LOAD_4, LOAD_8, STORE_1, STORE_2, STORE_4, STORE_8, SWAP_4, FETCH, KINDS };

static uint32_t target[PAGES * PAGE / 4] __attribute__((aligned(PAGES * PAGE)));

static uint64_t random_state = 88172645463325252u;

static uint64_t next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static void semihost(uintptr_t operation, const void *parameter)
{
    register uintptr_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = parameter;
    __asm__ volatile(".balign 16\n.option push\n.option norvc\n"
                     "slli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
}

static char line[256], *at = line;

static void put(uint64_t value)
{
    char digits[17];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    while (n)
        *at++ = digits[--n];
    *at++ = ' ';
}

static void end_line(void)
{
    *at++ = '\n';
    *at = '\0';
    semihost(4, line);
    at = line;
}

/* By a jump table, since a CSR is part of the instruction. */
#define ADDRESS(n)                                                                                 \
    case n:                                                                                        \
        __asm__ volatile("csrw pmpaddr" #n ", %0" ::"r"(value));                                   \
        break
#define READ(n)                                                                                    \
    case n:                                                                                        \
        __asm__ volatile("csrr %0, pmpaddr" #n : "=r"(value));                                     \
        break
#define ALL(M)                                                                                     \
    M(0);                                                                                          \
    M(1);                                                                                          \
    M(2);                                                                                          \
    M(3);                                                                                          \
    M(4);                                                                                          \
    M(5);                                                                                          \
    M(6);                                                                                          \
    M(7);                                                                                          \
    M(8);                                                                                          \
    M(9);                                                                                          \
    M(10);                                                                                         \
    M(11);                                                                                         \
    M(12);                                                                                         \
    M(13);                                                                                         \
    M(14);                                                                                         \
    M(15)

static void set_address(unsigned n, uintptr_t value)
{
    switch (n) {
        ALL(ADDRESS);
    }
}

static uintptr_t get_address(unsigned n)
{
    uintptr_t value = 0;
    switch (n) {
        ALL(READ);
    }
    return value;
}

static void set_config(const uint8_t *cfg)
{
    uintptr_t low = 0, high = 0;
    for (unsigned i = 8; i-- > 0;) {
        low = low << 8 | cfg[i];
        high = high << 8 | cfg[8 + i];
    }
    __asm__ volatile("csrw pmpcfg0, %0\ncsrw pmpcfg2, %1" ::"r"(low), "r"(high));
}

/* Runs an instruction at whose end, or where whose trap goes, is label 1; with the privilege of
 * user mode for loads and stores if MPRV is among the bits. */
#define TRY(insn)                                                                                  \
    __asm__ volatile(".option push\n.option norvc\n"                                               \
                     "la t0, 1f\n"                                                                 \
                     "csrw mtvec, t0\n"                                                            \
                     "li t1, 1\n"                                                                  \
                     "csrs mstatus, %2\n" insn "\n"                                                \
                     "li t1, 0\n"                                                                  \
                     ".option rvc\n.balign 4\n"                                                    \
                     "1: mv %0, t1\n"                                                              \
                     ".option pop"                                                                 \
                     : "=r"(trapped)                                                               \
                     : "r"(address), "r"(bits)                                                     \
                     : "t0", "t1", "t2", "memory")

static void probe(unsigned kind, uintptr_t address, uintptr_t bits)
{
    uintptr_t trapped = 0, cause, value;
    __asm__ volatile("csrc mstatus, %0" ::"r"(MPP | MPRV));
    switch (kind) {
    case LOAD_1:
        TRY("lb t2, (%1)");
        break;
    case LOAD_2:
        TRY("lh t2, (%1)");
        break;
    case LOAD_4:
        TRY("lw t2, (%1)");
        break;
    case LOAD_8:
        TRY("ld t2, (%1)");
        break;
    case STORE_1:
        TRY("sb zero, 3(%1)");
        break;
    case STORE_2:
        TRY("sh zero, 2(%1)");
        break;
    case STORE_4:
        TRY("lw t2, (%1)\nsw t2, (%1)");
        break;
    case STORE_8:
        TRY("ld t2, (%1)\nsd t2, (%1)");
        break;
    case SWAP_4:
        TRY("amoor.w t2, zero, (%1)");
        break;
    default: /* into user mode, where an ecall is */
        TRY("csrw mepc, %1\nmret");
        break;
    }
    __asm__ volatile("csrc mstatus, %0" ::"r"(MPRV));
    __asm__ volatile("csrr %0, mcause\ncsrr %1, mtval" : "=r"(cause), "=r"(value));
    if (trapped && kind == SWAP_4) /* QEMU 7.2 calls a load fault what is one of an AMO */
        cause = 7;
    put(trapped ? cause : NO_TRAP);
    if (trapped && cause != 8)
        put(value - (uintptr_t)target);
}

/* Words are tried close together, so that accesses are often partly in an entry. */
static uintptr_t span_of(unsigned shift)
{
    return shift > 2 ? sizeof target : 256;
}

/* An entry about the target: of whole pages, or of words. */
static void choose(unsigned i, unsigned shift, uint8_t *cfg)
{
    static const uint8_t rights[] = {0, 1, 3, 4, 5, 7}; /* writing without reading is reserved */
    unsigned mode = (unsigned)(next() >> 8) & 3;
    uintptr_t unit = next() % ((span_of(shift) >> shift) + 1);
    uintptr_t word = (((uintptr_t)target + (unit << shift)) >> 2);
    if (mode == MODE_NA4 && shift > 2)
        mode = MODE_NAPOT;
    if (mode == MODE_NAPOT) {
        unsigned larger = shift > 2 ? shift : 3 + (unsigned)next() % 8;
        word = (word & ~((1ul << (larger - 2)) - 1)) | ((1ul << (larger - 3)) - 1);
    }
    set_address(i, word);
    cfg[i] = (uint8_t)(mode << 3 | rights[next() % 6]);
}

static void probe_all(unsigned kinds, unsigned shift, uintptr_t bits)
{
    for (unsigned k = 0; k < PROBES; k++) {
        unsigned kind = (unsigned)(next() % kinds);
        uintptr_t at_byte = next() % span_of(shift) & ~(uintptr_t)7;
        if (next() & 1) /* near an edge */
            at_byte = (at_byte >> shift << shift) - (next() & 1 ? 8 : 0);
        put(kind);
        put(at_byte % sizeof target);
        probe(kind, (uintptr_t)target + at_byte % sizeof target, bits);
        end_line();
    }
}

/* Entries without a lock, in random order, and user mode. */
static void try_user(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t cfg[ENTRIES] = {0};
        unsigned shift = round % 2 ? 2 : 12, count = (unsigned)(next() % (ENTRIES - 1)) + 1;
        set_config(cfg);
        set_address(ENTRIES - 1, 0x1000 >> 2); /* without any, QEMU does not even try user mode */
        cfg[ENTRIES - 1] = MODE_NA4 << 3;
        for (unsigned i = 0; i < count; i++)
            choose(i, shift, cfg);
        set_config(cfg);
        probe_all(shift == 2 ? FETCH : KINDS, shift, MPRV);
    }
}

/* Machine mode obeys entries with a lock, and cannot change them. */
static void try_locked(void)
{
    uint8_t cfg[ENTRIES] = {0};
    uintptr_t start = (uintptr_t)target >> 2;
    set_config(cfg);
    for (unsigned i = 0; i < 6; i++)
        set_address(i, start + 64 * (i + 1));
    cfg[1] = LOCK | MODE_TOR << 3 | 1;
    cfg[2] = LOCK | MODE_NA4 << 3;
    cfg[3] = MODE_TOR << 3;
    cfg[5] = LOCK | MODE_TOR << 3 | 3;
    set_config(cfg);
    probe_all(FETCH, 2, 0);
    for (unsigned i = 0; i < ENTRIES; i++) {
        cfg[i] = MODE_NAPOT << 3 | 7;
        set_address(i, start + i);
    }
    set_config(cfg);
    uintptr_t low, high;
    __asm__ volatile("csrr %0, pmpcfg0\ncsrr %1, pmpcfg2" : "=r"(low), "=r"(high));
    put(low);
    put(high);
    end_line();
    for (unsigned i = 0; i < ENTRIES; i++)
        put(get_address(i) - start);
    end_line();
    probe_all(FETCH, 2, 0);
}

__attribute__((used)) static void run(void)
{
    const uintptr_t end[] = {0x20026, 0};
    for (unsigned i = 0; i < sizeof target / sizeof target[0]; i++)
        target[i] = 0x00000073; /* ecall */
    try_user();
    try_locked();
    semihost(0x20, end);
}

__attribute__((used, aligned(16))) static uint8_t stack[4096];

__attribute__((naked, section(".text.unlikely"))) void _start(void)
{
    __asm__("la sp, stack + 4096\n"
            "call run\n");
}
