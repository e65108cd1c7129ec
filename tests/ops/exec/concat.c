/* SPDX-License-Identifier: Apache-2.0
 * CONCAT of a plan on the model against the rule of the instruction: of dimension 1, the positions
 * of one register whose bits are set, then those of another; what is behind them stays. The first
 * register is number 0 of a plan, or 8 if the bit is set; the target is 8.
 */
#include "ops/exec/exec.h"

#include <ztl/intrin.h>

#include "tests/unit.h"

enum { OUTER = 4, POSITIONS = 32, INNER = 8, BYTES = 1024, REGISTERS = 9, ROUNDS = 200 };

static uint8_t block[REGISTERS][BYTES];
static uint32_t seed = 3;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

/* Registers 0 to 8 of a plan are tl1 to tl9. */
static void load_registers(void)
{
    __riscv_ztl_csrw_ttype(0);
    __riscv_ztl_csrw_tshape(OUTER << 16 | POSITIONS << 8 | INNER);
    __riscv_ztl_csrw_tl_load_width(0);
    __riscv_ztl_csrw_tl_store_width(0);
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned b = 0; b < BYTES; b++)
            block[r][b] = (uint8_t)draw();
    __riscv_ztl_load(1, block[0], 0);
    __riscv_ztl_load(2, block[1], 0);
    __riscv_ztl_load(3, block[2], 0);
    __riscv_ztl_load(4, block[3], 0);
    __riscv_ztl_load(5, block[4], 0);
    __riscv_ztl_load(6, block[5], 0);
    __riscv_ztl_load(7, block[6], 0);
    __riscv_ztl_load(8, block[7], 0);
    __riscv_ztl_load(9, block[8], 0);
}

/* Appends the chosen positions of a register; returns how many there are now. */
static unsigned append(uint8_t *result, unsigned count, const uint8_t *from, uint32_t mask)
{
    for (unsigned p = 0; p < POSITIONS; p++) {
        if (!(mask >> p & 1))
            continue;
        for (unsigned o = 0; o < OUTER; o++)
            memcpy(result + (o * POSITIONS + count) * INNER, from + (o * POSITIONS + p) * INNER,
                   INNER);
        count++;
    }
    return count;
}

/* Masks that together choose 32 positions at most. */
static void draw_masks(uint32_t *first, uint32_t *second)
{
    do {
        *first = draw() & draw();
        *second = draw() & (draw() % 3 ? UINT32_MAX : 0);
    } while (__builtin_popcount(*first) + __builtin_popcount(*second) > POSITIONS);
}

static void test_against_rule(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned reg = 1; reg < REGISTERS; reg++) {
            uint8_t expected[BYTES], found[BYTES];
            uint32_t first, second;
            const bool from_target = draw() & 1;
            draw_masks(&first, &second);
            load_registers();
            memcpy(expected, block[8], BYTES);
            append(expected, append(expected, 0, block[from_target ? 8 : 0], first), block[reg],
                   second);
            const ops_insn insn = {
                .op = OPS_OP(OPS_CONCAT, reg), .bit = from_target, .offset = first, .arg = second};
            ztl_ops_run_concat(&insn);
            __riscv_ztl_store(9, found, 0);
            if (memcmp(expected, found, BYTES) != 0)
                fail_msg("round %u: register %u after %u, masks %08x %08x", round, reg,
                         from_target ? 8 : 0, first, second);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
