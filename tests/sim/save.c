/* SPDX-License-Identifier: Apache-2.0
 * Saving a hart to a file and restoring it.
 */
#include <unistd.h>

#include "tests/sim/code.h"

static const char full[] = "rv64imac_zicsr_zifencei_zba_zbb_ztl";
static const char path[] = "saved-hart";

/* Counts in a0 and memory, for ever. */
static ztl_hart *counting(void)
{
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    CODE(hart, BASE, ADDI(A0, A0, 1), SD(A0, 0, A3), BNE_BACK(A0, ZERO, 8));
    ztl_hart_set_x(hart, A3, DATA);
    return hart;
}

static void test_there_and_back(void **state)
{
    (void)state;
    ztl_error error;
    ztl_hart *first = counting(), *second = make_hart(full, ZTL_TRAP_STOP_ALWAYS);
    uint8_t block[ZTL_REG_BYTES];
    memset(block, 0xa5, sizeof block);
    ztl_set_register(ztl_hart_ztl(first), 9, block);
    ztl_hart_csr_write(first, ZTL_CSR_LOAD_MASK, 77);
    ztl_hart_csr_write(first, 0x340, 0x1234);
    ztl_hart_run(first, 1001);
    if (!ztl_hart_save(first, path, &error))
        fail_msg("%s", error.text);
    /* What the second hart had before, in memory too, must go. */
    CODE(second, BASE + 0x500, 1, 2, 3);
    if (!ztl_hart_restore(second, path, &error))
        fail_msg("%s", error.text);
    for (unsigned n = 0; n < ZTL_REGISTERS; n++)
        assert_memory_equal(ztl_get_register(ztl_hart_ztl(first), n),
                            ztl_get_register(ztl_hart_ztl(second), n), ZTL_REG_BYTES);
    assert_int_equal(ztl_hart_ztl(second)->written[ZTL_SLOT_LOAD_MASK], 1);
    assert_int_equal(csr_of(second, 0x340), 0x1234);
    ztl_hart_run(first, 5000);
    ztl_hart_run(second, 5000);
    assert_int_equal(ztl_hart_x(second, A0), ztl_hart_x(first, A0));
    assert_int_equal(ztl_hart_pc(second), ztl_hart_pc(first));
    assert_int_equal(ztl_hart_retired(second), 6001);
    assert_memory_equal(ztl_hart_ram(first, 0)->bytes, ztl_hart_ram(second, 0)->bytes, RAM_BYTES);
    ztl_hart_destroy(first);
    ztl_hart_destroy(second);
    unlink(path);
}

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_bad_files(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 20];
    ztl_error error;
    ztl_hart *hart = counting();
    ztl_hart_run(hart, 500);
    assert_false(ztl_hart_restore(hart, "no/such/file", &error));
    assert_false(ztl_hart_save(hart, "no/such/file", &error));
    assert_true(ztl_hart_save(hart, path, &error));
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ztl_hart_run(hart, 500);
    uint64_t count = ztl_hart_x(hart, A0);
    /* Cut anywhere, with something behind it, or a page where no RAM is. */
    for (size_t cut = 0; cut < size; cut += size / 50) {
        write_file(bytes, cut);
        assert_false(ztl_hart_restore(hart, path, &error));
    }
    write_file(bytes, size + 1);
    assert_false(ztl_hart_restore(hart, path, &error));
    memset(bytes + size - 16 - 4096 - 16, 0x7f, 8);
    write_file(bytes, size);
    assert_false(ztl_hart_restore(hart, path, &error));
    assert_int_equal(ztl_hart_x(hart, A0), count);
    uint64_t stored = 0;
    ztl_hart_read_memory(hart, DATA, &stored, sizeof stored);
    assert_in_range(stored, count - 1, count);
    ztl_hart *other = make_hart("rv64i_zicsr_ztl", ZTL_TRAP_STOP_ALWAYS);
    assert_true(ztl_hart_save(other, path, &error));
    assert_false(ztl_hart_restore(hart, path, &error));
    assert_non_null(strstr(error.text, "rv64i_zicsr_ztl"));
    ztl_hart_destroy(other);
    ztl_hart_destroy(hart);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_there_and_back),
                                       cmocka_unit_test(test_bad_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
