/* SPDX-License-Identifier: Apache-2.0
 * PMP by the privileged specification: a reference that goes byte by byte over the entries, and the
 * rules about registers and locks one by one.
 */
#include "tests/sim/code.h"

enum { MSTATUS = 0x300, MEPC = 0x341, PMPCFG0 = 0x3a0, PMPADDR0 = 0x3b0, ENTRIES = 16 };
enum { R = 1, W = 2, X = 4, TOR = 1 << 3, NA4 = 2 << 3, NAPOT = 3 << 3, L = 0x80 };
enum {
    FS = 3 << 13,
    MPRV = 1 << 17,
    MPP_USER = 0,
    FETCH_FAULT = 1,
    LOAD_FAULT = 5,
    STORE_FAULT = 7
};

static const char *const isas[] = {"rv64imac_zicsr", "rv32imac_zicsr"};

static void write_csr(ztl_hart *hart, unsigned csr, uint64_t value)
{
    assert_true(ztl_hart_debug_csr_write(hart, csr, value));
}

static uint64_t read_csr(ztl_hart *hart, unsigned csr)
{
    uint64_t value;
    assert_true(ztl_hart_debug_csr_read(hart, csr, &value));
    return value;
}

static void set_entries(ztl_hart *hart, const uint8_t *cfg, const uint64_t *addr)
{
    bool is_64 = ztl_hart_isa_of(hart)->xlen == 64;
    for (unsigned i = 0; i < ENTRIES; i++)
        write_csr(hart, PMPADDR0 + i, addr[i]);
    for (unsigned i = 0; i < ENTRIES; i += is_64 ? 8 : 4) {
        uint64_t value = 0;
        for (unsigned k = 0; k < (is_64 ? 8u : 4u); k++)
            value |= (uint64_t)cfg[i + k] << (8 * k);
        write_csr(hart, PMPCFG0 + i / 4, value);
    }
}

/* ---- The reference ---------------------------------------------------------------------- */

static bool matches(const uint8_t *cfg, const uint64_t *addr, unsigned i, uint64_t byte)
{
    uint64_t word = byte >> 2;
    unsigned ones = 0;
    switch (cfg[i] & NAPOT) {
    case TOR:
        return word >= (i ? addr[i - 1] : 0) && word < addr[i];
    case NA4:
        return word == addr[i];
    case NAPOT:
        while (addr[i] >> ones & 1)
            ones++;
        return word >> (ones + 1) == addr[i] >> (ones + 1);
    default:
        return false;
    }
}

/* Table 3.8 and the text below it. */
static bool allows(const uint8_t *cfg, const uint64_t *addr, bool is_user, uint64_t address,
                   unsigned size, unsigned need)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < size; k++)
            count += matches(cfg, addr, i, address + k);
        if (count == size)
            return (!is_user && !(cfg[i] & L)) || (cfg[i] & need);
        if (count)
            return false;
    }
    return !is_user;
}

/* ---- Random entries --------------------------------------------------------------------- */

static uint64_t state_of_random = 1;

static uint64_t next(void)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    return state_of_random ^= state_of_random << 17;
}

/* Around 256 bytes at DATA. */
static void choose(uint8_t *cfg, uint64_t *addr, unsigned lock)
{
    static const uint8_t rights[] = {0, R, R | W, X, R | X, R | W | X};
    static const uint8_t modes[] = {0, TOR, NA4, NAPOT};
    for (unsigned i = 0; i < ENTRIES; i++) {
        cfg[i] = rights[next() % 6] | modes[next() % 4] | (next() % 4 ? 0 : lock);
        addr[i] = (DATA >> 2) + next() % 66;
        if ((cfg[i] & NAPOT) == NAPOT && next() % 2)
            addr[i] |= (UINT64_C(1) << next() % 6) - 1;
    }
}

static uint32_t word_of(unsigned size, bool stores)
{
    unsigned funct3 = size == 8 ? 3 : size == 4 ? 2 : size == 2 ? 1 : 0;
    return stores ? WORD_S(funct3, T0, A0, 0) : WORD_I(0x03, funct3, T0, A0, 0);
}

static void expect(ztl_hart *hart, bool allowed, uint64_t cause, uint64_t tval)
{
    enum ztl_stop stop = ztl_hart_step(hart);
    assert_int_equal(stop, allowed ? ZTL_STOP_LIMIT : ZTL_STOP_TRAP);
    if (allowed)
        return;
    assert_int_equal(ztl_hart_last_trap(hart)->cause, cause);
    assert_int_equal(ztl_hart_last_trap(hart)->tval, tval);
}

/* One access, aligned or not; one that is not goes byte by byte. */
static void try_access(ztl_hart *hart, const uint8_t *cfg, const uint64_t *addr, bool is_user)
{
    bool is_64 = ztl_hart_isa_of(hart)->xlen == 64, stores = next() % 2;
    unsigned size = 1u << next() % (is_64 ? 4 : 3), need = stores ? W : R;
    uint64_t address = DATA - 8 + next() % 272, fault = address;
    bool allowed = allows(cfg, addr, is_user, address, size, need);
    if (address % size) {
        allowed = true;
        for (unsigned k = 0; k < size && allowed; k++)
            if (!allows(cfg, addr, is_user, address + k, 1, need)) {
                allowed = false;
                fault = address + k;
            }
    }
    CODE(hart, BASE, word_of(size, stores));
    ztl_hart_set_pc(hart, BASE);
    ztl_hart_set_x(hart, A0, address);
    if (allows(cfg, addr, false, BASE, 4, X)) /* the instruction is machine mode's */
        expect(hart, allowed, stores ? STORE_FAULT : LOAD_FAULT, fault);
    else
        expect(hart, false, FETCH_FAULT, BASE);
}

static void try_fetch(ztl_hart *hart, const uint8_t *cfg, const uint64_t *addr)
{
    uint64_t pc = DATA + next() % 64 * 4;
    bool allowed = allows(cfg, addr, true, pc, 4, X);
    CODE(hart, pc, ADDI(0, 0, 0));
    ztl_hart_set_pc(hart, pc);
    ztl_hart_set_privilege(hart, ZTL_USER);
    expect(hart, allowed, FETCH_FAULT, pc);
    ztl_hart_set_privilege(hart, ZTL_MACHINE);
}

static void test_reference(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 600; round++) {
        uint8_t cfg[ENTRIES];
        uint64_t addr[ENTRIES];
        bool is_user = round / 2 % 2;
        ztl_hart *hart = make_hart(isas[round % 2], ZTL_TRAP_STOP_ALWAYS);
        choose(cfg, addr, L);
        set_entries(hart, cfg, addr);
        write_csr(hart, MSTATUS, is_user ? MPRV | MPP_USER : 0);
        for (unsigned k = 0; k < 30; k++) {
            try_access(hart, cfg, addr, is_user);
            if (is_user)
                try_fetch(hart, cfg, addr);
        }
        ztl_hart_destroy(hart);
    }
}

/* ---- Registers -------------------------------------------------------------------------- */

static void test_registers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        ztl_hart *hart = make_hart(isas[i], ZTL_TRAP_STOP_ALWAYS);
        bool is_64 = i == 0;
        uint64_t value;
        assert_int_equal(read_csr(hart, PMPCFG0), NAPOT | R | W | X); /* user mode is free */
        write_csr(hart, PMPADDR0 + 15, UINT64_MAX);
        assert_true(read_csr(hart, PMPADDR0 + 15) == (is_64 ? UINT64_MAX >> 10 : UINT32_MAX));
        write_csr(hart, PMPADDR0 + 16, 5); /* entries that are not there */
        assert_int_equal(read_csr(hart, PMPADDR0 + 16), 0);
        write_csr(hart, PMPCFG0 + 4, 0x1f);
        assert_int_equal(read_csr(hart, PMPCFG0 + 4), 0);
        assert_true(ztl_hart_debug_csr_read(hart, PMPCFG0 + 1, &value) == !is_64);
        write_csr(hart, PMPCFG0, 0x7f); /* two bits are zero */
        assert_int_equal(read_csr(hart, PMPCFG0), 0x1f);
        write_csr(hart, PMPCFG0, NA4 | W); /* reserved */
        assert_int_equal(read_csr(hart, PMPCFG0), NA4);
        ztl_hart_set_privilege(hart, ZTL_USER);
        assert_false(ztl_hart_csr_read(hart, PMPCFG0, &value));
        ztl_hart_destroy(hart);
    }
}

static void test_locks(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(isas[0], ZTL_TRAP_STOP_ALWAYS);
    write_csr(hart, PMPADDR0, 0x100);
    write_csr(hart, PMPADDR0 + 1, 0x200);
    write_csr(hart, PMPCFG0, (uint64_t)(L | TOR | R) << 8); /* entry 1, from entry 0 on */
    write_csr(hart, PMPCFG0, 0);
    assert_int_equal(read_csr(hart, PMPCFG0), (uint64_t)(L | TOR | R) << 8);
    write_csr(hart, PMPADDR0, 0);
    write_csr(hart, PMPADDR0 + 1, 0);
    assert_int_equal(read_csr(hart, PMPADDR0), 0x100);
    assert_int_equal(read_csr(hart, PMPADDR0 + 1), 0x200);
    write_csr(hart, PMPADDR0 + 2, 7);
    assert_int_equal(read_csr(hart, PMPADDR0 + 2), 7);
    ztl_hart_reset(hart);
    write_csr(hart, PMPCFG0, 0);
    assert_int_equal(read_csr(hart, PMPCFG0), 0);
    ztl_hart_destroy(hart);
}

/* ---- In blocks -------------------------------------------------------------------------- */

/* A loop stores upwards until PMP stops it, however it is run. */
static void test_loop(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(isas[0], ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, SW(T0, 0, A0), LW(T1, 0, A0), ADDI(A0, A0, 4), BNE_BACK(A0, ZERO, 12));
    uint8_t cfg[ENTRIES] = {TOR | R | W | X, TOR | R, TOR | R | W | X};
    uint64_t addr[ENTRIES] = {(DATA + 0x1234) >> 2, (DATA + 0x1334) >> 2, UINT64_MAX >> 12};
    set_entries(hart, cfg, addr);
    ztl_hart_set_x(hart, A0, DATA);
    ztl_hart_set_privilege(hart, ZTL_USER);
    assert_int_equal(ztl_hart_run(hart, 1000000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, STORE_FAULT);
    assert_int_equal(ztl_hart_last_trap(hart)->tval, DATA + 0x1234);
    ztl_hart_set_privilege(hart, ZTL_MACHINE); /* which does as it likes */
    ztl_hart_set_x(hart, A0, DATA);
    ztl_hart_set_pc(hart, BASE);
    assert_int_equal(ztl_hart_run(hart, 10000), ZTL_STOP_LIMIT);
    ztl_hart_destroy(hart);
}

/* Code that machine mode has run, and user mode must not. */
static void test_code(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(isas[0], ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, ADDI(A0, A0, 1), ADDI(A0, A0, 1), BNE_BACK(A0, ZERO, 8));
    uint8_t cfg[ENTRIES] = {NAPOT | R, TOR | R | W | X};
    uint64_t addr[ENTRIES] = {BASE >> 2 | 7, UINT64_MAX >> 12};
    set_entries(hart, cfg, addr);
    assert_int_equal(ztl_hart_run(hart, 10000), ZTL_STOP_LIMIT);
    ztl_hart_set_pc(hart, BASE);
    ztl_hart_set_privilege(hart, ZTL_USER);
    assert_int_equal(ztl_hart_run(hart, 10000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, FETCH_FAULT);
    assert_int_equal(ztl_hart_last_trap(hart)->tval, BASE);
    ztl_hart_destroy(hart);
}

/* An access that straddles the end of RAM fails where RAM ends. */
static void test_end_of_ram(void **state)
{
    (void)state;
    const uint32_t fld = 0x00053007, fsd = 0x00053027; /* ft0, 0(a0) */
    ztl_hart *hart = make_hart("rv64gc", ZTL_TRAP_STOP_ALWAYS);
    write_csr(hart, MSTATUS, FS);
    CODE(hart, BASE, LD(T0, 0, A0), SD(T0, 0, A0), fld, fsd);
    for (unsigned k = 0; k < 8; k++) {
        ztl_hart_set_x(hart, A0, BASE + RAM_BYTES - k);
        for (unsigned i = 0; i < 4; i++) {
            ztl_hart_set_pc(hart, BASE + 4 * i);
            expect(hart, false, i % 2 ? STORE_FAULT : LOAD_FAULT, BASE + RAM_BYTES);
        }
    }
    ztl_hart_destroy(hart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_registers),
        cmocka_unit_test(test_locks),     cmocka_unit_test(test_loop),
        cmocka_unit_test(test_code),      cmocka_unit_test(test_end_of_ram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
