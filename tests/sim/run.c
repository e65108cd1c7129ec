/* SPDX-License-Identifier: Apache-2.0
 * Running a hart: limits, breakpoints, stops.
 */
#include "tests/sim/code.h"

static const char full[] = "rv64imac_zicsr_zifencei_zba_zbb_ztl";

/* A loop with a call, loads and stores: enough to be run in linked blocks. */
static void put_loop(ztl_hart *hart)
{
    CODE(hart, BASE, LUI(A3, 0x80010), ADDI(A0, ZERO, 500), /* loop: */ LW(A1, 0, A3),
         ADDI(A1, A1, 3), SW(A1, 0, A3), JALR(RA, T0, 0), ADDI(A0, A0, -1), BNE_BACK(A0, ZERO, 20),
         ECALL);
    CODE(hart, BASE + 0x200, ADDI(A2, A2, 1), JALR(ZERO, RA, 0));
    ztl_hart_set_x(hart, A3, DATA);
    ztl_hart_set_x(hart, T0, BASE + 0x200);
    ztl_hart_set_pc(hart, BASE + 4);
}

/* However a run is cut into pieces, it does the same and counts right. */
static void test_limit_is_exact(void **state)
{
    (void)state;
    for (uint64_t piece = 1; piece < 300; piece += piece < 70 ? 1 : 37) {
        ztl_hart *whole = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
        ztl_hart *cut = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
        put_loop(whole);
        put_loop(cut);
        for (uint64_t done = 0; done < 1000; done += piece) {
            assert_int_equal(ztl_hart_run(cut, piece), ZTL_STOP_LIMIT);
            assert_int_equal(ztl_hart_retired(cut), done + piece);
        }
        ztl_hart_run(whole, ztl_hart_retired(cut));
        assert_int_equal(ztl_hart_pc(whole), ztl_hart_pc(cut));
        for (unsigned k = 0; k < 32; k++)
            assert_int_equal(ztl_hart_x(whole, k), ztl_hart_x(cut, k));
        assert_int_equal(ztl_hart_run(cut, 100000), ZTL_STOP_TRAP);
        assert_int_equal(ztl_hart_x(cut, A2), 500);
        assert_int_equal(ztl_hart_x(cut, A1), 1500);
        assert_int_equal(ztl_hart_retired(cut), 1 + 500 * 8);
        ztl_hart_destroy(whole);
        ztl_hart_destroy(cut);
    }
}

/* The loop's body is an addi whose immediate the loop itself changes, with and without fence.i. */
static void test_code_that_changes_itself(void **state)
{
    (void)state;
    for (unsigned fence = 0; fence < 2; fence++) {
        ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
        CODE(hart, BASE, ADDI(A0, ZERO, 200), /* loop: */ ADDI(A1, A1, 1), SW(A2, 4, A3),
             fence ? FENCE_I : ADDI(ZERO, ZERO, 0), ADDI(A0, A0, -1), BNE_BACK(A0, ZERO, 16),
             ECALL);
        ztl_hart_set_x(hart, A2, ADDI(A1, A1, 5));
        ztl_hart_set_x(hart, A3, BASE);
        assert_int_equal(ztl_hart_run(hart, 100000), ZTL_STOP_TRAP);
        assert_int_equal(ztl_hart_x(hart, A1), 1 + 199 * 5);
        ztl_hart_destroy(hart);
    }
}

/* A store just ahead of itself in the same straight line takes effect at once. */
static void test_next_instruction_changes(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, SW(A2, 4, A3), ADDI(A1, A1, 1), ECALL);
    ztl_hart_set_x(hart, A2, ADDI(A1, A1, 5));
    ztl_hart_set_x(hart, A3, BASE);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_x(hart, A1), 5);
    ztl_hart_destroy(hart);
}

/* tl.store over the code that runs: the register holds the program with another immediate. */
static void test_tensor_store_changes_code(void **state)
{
    (void)state;
    uint32_t store;
    assert_true(ztl_assemble(2, "tl.store tl1, 0(a3)", &store, NULL));
    for (unsigned watched = 0; watched < 2; watched++) {
        ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
        uint32_t block[256] = {0};
        uint32_t program[] = {ADDI(A0, ZERO, 200), /* loop: */ store,      ADDI(A1, A1, 1),
                              ADDI(A0, A0, -1),    BNE_BACK(A0, ZERO, 12), ECALL};
        memcpy(block, program, sizeof program);
        put_code(hart, BASE, block, sizeof block);
        block[2] = ADDI(A1, A1, 7);
        ztl_set_register(ztl_hart_ztl(hart), 1, block);
        ztl_hart_csr_write(hart, ZTL_CSR_TSHAPE, 1 << 16 | 32 << 8 | 32);
        ztl_hart_set_x(hart, A3, BASE);
        if (watched)
            ztl_hart_add_breakpoint(hart, DATA);
        assert_int_equal(ztl_hart_run(hart, 100000), ZTL_STOP_TRAP);
        assert_int_equal(ztl_hart_x(hart, A1), 200 * 7);
        ztl_hart_destroy(hart);
    }
}

static void test_host_changes_code(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    for (int k = 1; k < 5; k++) {
        CODE(hart, BASE, ADDI(A0, ZERO, k), ECALL);
        ztl_hart_set_pc(hart, BASE);
        assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
        assert_int_equal(ztl_hart_x(hart, A0), k);
    }
    ztl_hart_destroy(hart);
}

static void test_points(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    put_loop(hart);
    assert_true(ztl_hart_add_breakpoint(hart, BASE + 0x200));
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_BREAKPOINT);
        assert_int_equal(ztl_hart_pc(hart), BASE + 0x200);
        assert_int_equal(ztl_hart_x(hart, A2), k);
    }
    assert_true(ztl_hart_remove_breakpoint(hart, BASE + 0x200));
    assert_false(ztl_hart_remove_breakpoint(hart, BASE + 0x200));
    assert_true(ztl_hart_add_watchpoint(hart, DATA + 3, 1, ZTL_WATCH_STORE));
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_WATCHPOINT);
    assert_int_equal(ztl_hart_pc(hart), BASE + 5 * 4); /* behind the store */
    assert_int_equal(ztl_hart_watch_hit(hart).address, DATA + 3);
    assert_int_equal(ztl_hart_watch_hit(hart).kind, ZTL_WATCH_STORE);
    assert_true(ztl_hart_remove_watchpoint(hart, DATA + 3, 1, ZTL_WATCH_STORE));
    assert_true(ztl_hart_add_watchpoint(hart, DATA + 4, 4, ZTL_WATCH_ACCESS));
    assert_int_equal(ztl_hart_run(hart, 100000), ZTL_STOP_TRAP); /* not touched */
    ztl_hart_clear_points(hart);
    ztl_hart_destroy(hart);
}

static void test_tensor_watchpoint(void **state)
{
    (void)state;
    uint32_t load;
    assert_true(ztl_assemble(2, "tl.load tl1, 0(a3)", &load, NULL));
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, load, ECALL);
    ztl_hart_csr_write(hart, ZTL_CSR_TSHAPE, 4 << 16 | 8 << 8 | 8);
    ztl_hart_set_x(hart, A3, DATA);
    ztl_hart_add_watchpoint(hart, DATA + 100, 8, ZTL_WATCH_LOAD);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_WATCHPOINT);
    assert_int_equal(ztl_hart_watch_hit(hart).address, DATA + 100);
    ztl_hart_destroy(hart);
}

static void test_execute(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_UNHANDLED);
    assert_int_equal(ztl_hart_execute(hart, ADDI(A0, ZERO, 9)), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_x(hart, A0), 9);
    assert_int_equal(ztl_hart_pc(hart), BASE);
    assert_int_equal(ztl_hart_execute(hart, 0x4525), ZTL_STOP_LIMIT); /* c.li a0, 9 */
    assert_int_equal(ztl_hart_pc(hart), BASE);
    assert_int_equal(ztl_hart_execute(hart, BNE_BACK(A0, ZERO, 8)), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_pc(hart), BASE - 8);
    assert_int_equal(ztl_hart_execute(hart, BNE_BACK(ZERO, ZERO, 8)), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_pc(hart), BASE - 8);
    ztl_hart_csr_write(hart, 0x305, HANDLER);
    assert_int_equal(ztl_hart_execute(hart, ECALL), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_pc(hart), BASE - 8);
    ztl_hart_destroy(hart);
}

typedef struct host {
    unsigned calls;
    uint64_t address, value;
} host;

static bool on_semihost(void *context, ztl_hart *hart)
{
    host *seen = context;
    if (++seen->calls == 3)
        ztl_hart_request_exit(hart, 42);
    ztl_hart_set_x(hart, A0, seen->calls);
    return true;
}

static void on_store(void *context, ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    host *seen = context;
    *seen = (host){seen->calls + 1, address, value};
    assert_int_equal(size, 4);
    ztl_hart_request_exit(hart, 7);
}

static void test_hooks(void **state)
{
    (void)state;
    host seen = {0};
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, 0x01f01013, EBREAK, 0x40705013, BNE_BACK(A0, ZERO, 12), ECALL);
    ztl_hart_hooks hooks = {.context = &seen, .semihost = on_semihost};
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, 3);
    ztl_hart_set_hooks(hart, &hooks);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_EXIT);
    assert_int_equal(ztl_hart_exit_code(hart), 42);
    assert_int_equal(ztl_hart_pc(hart), BASE + 8);
    /* A watched store, in the middle of a block that ran before without being watched. */
    put_loop(hart);
    ztl_hart_run(hart, 500);
    hooks = (ztl_hart_hooks){.context = &seen, .store = on_store, .store_range = {DATA, 8}};
    ztl_hart_set_hooks(hart, &hooks);
    seen.calls = 0;
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_EXIT);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.address, DATA);
    assert_int_equal(seen.value, ztl_hart_x(hart, A1));
    ztl_hart_destroy(hart);
}

static void test_stop_request(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, JUMP_0);
    ztl_hart_request_stop(hart);
    assert_int_equal(ztl_hart_run(hart, UINT64_MAX), ZTL_STOP_HOST);
    assert_int_equal(ztl_hart_run(hart, 1000000), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_retired(hart), 1000000);
    ztl_hart_destroy(hart);
}

typedef struct events {
    unsigned count;
    ztl_event last;
} events;

static void on_event(void *context, ztl_hart *hart, const ztl_event *event)
{
    (void)hart;
    events *seen = context;
    seen->count++;
    seen->last = *event;
}

static void test_events(void **state)
{
    (void)state;
    uint32_t load;
    events seen = {0};
    assert_true(ztl_assemble(2, "tl.mload tl3, 0(a3)", &load, NULL));
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_UNHANDLED);
    ztl_observer observer = {&seen, on_event};
    ztl_hart_set_observer(hart, &observer);
    CODE(hart, BASE, SD(A0, 8, A3), CSRRW(A1, 0x340, A0), load, LW(A0, 0, ZERO));
    ztl_hart_set_x(hart, A0, 0x123456789);
    ztl_hart_set_x(hart, A3, DATA);
    ztl_hart_csr_write(hart, ZTL_CSR_TSHAPE, 4 << 16 | 8 << 8 | 8);
    ztl_hart_csr_write(hart, ZTL_CSR_LOAD_MASK, 5);
    ztl_hart_csr_write(hart, 0x305, HANDLER);

    ztl_hart_step(hart);
    assert_int_equal(seen.last.access_count, 1);
    assert_true(seen.last.access[0].is_store);
    assert_int_equal(seen.last.access[0].address, DATA + 8);
    assert_int_equal(seen.last.access[0].value, 0x123456789);
    assert_int_equal(seen.last.rd, 0);

    ztl_hart_step(hart);
    assert_int_equal(seen.last.csr_count, 1);
    assert_int_equal(seen.last.csr[0].address, 0x340);
    assert_int_equal(seen.last.csr[0].value, 0x123456789);
    assert_int_equal(seen.last.rd, A1);

    ztl_hart_step(hart);
    assert_int_equal(seen.last.access_count, 2);
    assert_int_equal(seen.last.access[1].address, DATA + 2 * 64);
    assert_int_equal(seen.last.access[1].size, 64);
    assert_int_equal(seen.last.tl_count, 1);
    assert_int_equal(seen.last.tl[0], 3);
    assert_string_equal(seen.last.ztl->row->mnemonic, "tl.mload");

    ztl_hart_step(hart);
    assert_true(seen.last.trapped);
    assert_int_equal(seen.last.trap.cause, 5);
    assert_int_equal(seen.last.rd, 0);
    assert_int_equal(seen.last.csr_count, 4);
    assert_int_equal(seen.last.next_pc, HANDLER);
    assert_int_equal(seen.count, 4);
    ztl_hart_destroy(hart);
}

static void test_configurations(void **state)
{
    (void)state;
    ztl_error error;
    ztl_window ram[] = {{0x1000, 5}, {0x1005, 3}, {0xfffff000, 0x1000}};
    ztl_hart_config config = {.isa = "rv32i_zicsr", .ram = ram, .ram_count = 3, .reset_pc = 0x1000};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    assert_non_null(hart);
    /* Across two pieces, and around the end of the address space into nothing. */
    uint32_t value = 0x11223344;
    assert_int_equal(ztl_hart_write_memory(hart, 0x1003, &value, 4), 4);
    ztl_hart_set_x(hart, A3, 0x1003);
    assert_int_equal(ztl_hart_execute(hart, LW(A0, 0, A3)), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_x(hart, A0), 0x11223344);
    assert_int_equal(ztl_hart_write_memory(hart, 0xfffffffe, &value, 4), 2);
    ztl_hart_set_x(hart, A3, 0xfffffffe);
    assert_int_equal(ztl_hart_execute(hart, SW(A0, 0, A3)), ZTL_STOP_TRAP);
    ztl_hart_destroy(hart);

    ram[1].base = 0x1004;
    assert_null(ztl_hart_create(&config, &error));
    assert_non_null(strstr(error.text, "overlaps"));
    ram[1] = (ztl_window){0xffffffff, 2};
    assert_null(ztl_hart_create(&config, &error));
    assert_non_null(strstr(error.text, "leaves the 32-bit address space"));
    ram[1].size = 0;
    assert_null(ztl_hart_create(&config, &error));
    config.ram_count = 0;
    assert_null(ztl_hart_create(&config, &error));
    config = ztl_hart_default_config();
    ztl_window huge = {0, UINT64_MAX};
    config.ram = &huge;
    assert_null(ztl_hart_create(&config, &error));
    assert_non_null(strstr(error.text, "cannot map"));
}

static void test_bodies(void **state)
{
    (void)state;
    ztl_error error;
    ztl_hart_config config = ztl_hart_default_config();
    for (unsigned k = 0; k < 2; k++) {
        config.bodies = k ? "plain" : NULL;
        ztl_hart *hart = ztl_hart_create(&config, &error);
        assert_non_null(hart);
        ztl_hart_reset(hart);
        assert_string_equal(ztl_bodies_in_use(ztl_hart_ztl(hart)),
                            k ? "plain" : ztl_bodies_name(0));
        ztl_hart_destroy(hart);
    }
    config.bodies = "abacus";
    assert_null(ztl_hart_create(&config, &error));
    assert_string_equal(error.text, "this machine has no bodies 'abacus'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_is_exact),
        cmocka_unit_test(test_code_that_changes_itself),
        cmocka_unit_test(test_next_instruction_changes),
        cmocka_unit_test(test_tensor_store_changes_code),
        cmocka_unit_test(test_host_changes_code),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_tensor_watchpoint),
        cmocka_unit_test(test_execute),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_stop_request),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
