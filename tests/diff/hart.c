/* SPDX-License-Identifier: Apache-2.0
 * The engine of the simulator: words executed by its hart, in RAM laid out as the other engines
 * have it. What other engines can only read lies outside the window of Ztl stores.
 */
#include <stdio.h>
#include <string.h>

#include <ztl/hart.h>

#include "tests/diff/harness.h"

static ztl_hart *hart;

static void with_fresh_hart(void (*body)(void *), void *context)
{
    ztl_hart_reset(hart);
    body(context);
}

static diff_outcome outcome_of(const ztl_trap *trap)
{
    switch (trap->cause) {
    case ZTL_CAUSE_ILLEGAL:
        return (diff_outcome){DIFF_ILLEGAL, 0};
    case ZTL_CAUSE_LOAD_MISALIGNED:
    case ZTL_CAUSE_STORE_MISALIGNED:
        return (diff_outcome){DIFF_MISALIGNED, trap->tval};
    default:
        return (diff_outcome){DIFF_FAULT, trap->tval};
    }
}

static diff_outcome execute(uint32_t word, uint64_t x[DIFF_GPRS])
{
    for (unsigned i = 0; i < DIFF_GPRS; i++)
        ztl_hart_set_x(hart, DIFF_A0 + i, x[i]);
    enum ztl_stop stop = ztl_hart_execute(hart, word);
    for (unsigned i = 0; i < DIFF_GPRS; i++)
        x[i] = ztl_hart_x(hart, DIFF_A0 + i);
    if (stop == ZTL_STOP_TRAP)
        return outcome_of(ztl_hart_last_trap(hart));
    return (diff_outcome){DIFF_NO_TRAP, 0};
}

int main(int argc, char **argv)
{
    ztl_error error;
    char isa[200];
    const ztl_window ram[] = {{DIFF_MEMORY, DIFF_RW_SIZE},
                              {DIFF_MEMORY + DIFF_RO_OFFSET, DIFF_RO_SIZE},
                              {DIFF_DUMP, DIFF_PAGE}};
    ztl_hart_config config = ztl_hart_default_config();
    const char *ztl = argc > 1 ? argv[1] : "ztl";
    bool narrow = !strncmp(ztl, "rv32_", 5);
    snprintf(isa, sizeof isa, "rv%simac_zicsr_%s", narrow ? "32" : "64", ztl + (narrow ? 5 : 0));
    config.isa = isa;
    config.ram = ram;
    config.ram_count = sizeof ram / sizeof ram[0];
    config.reset_pc = DIFF_MEMORY;
    config.l0m = (ztl_window){DIFF_DUMP, DIFF_MEMORY + DIFF_RO_OFFSET - DIFF_DUMP};
    hart = ztl_hart_create(&config, &error);
    if (!hart) {
        fprintf(stderr, "diff: %s\n", error.text);
        return 2;
    }
    const diff_engine engine = {with_fresh_hart, execute, ztl_hart_ram(hart, 0)->bytes,
                                ztl_hart_ram(hart, 2)->bytes, DIFF_DUMP};
    int status = diff_main(argc, argv, &engine);
    ztl_hart_destroy(hart);
    return status;
}
