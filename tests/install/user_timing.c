/* SPDX-License-Identifier: Apache-2.0
 * A user's program against the installed timing: one ADDI on a machine of its own.
 */
#include <stdio.h>

#include <ztl/timeline.h>

int main(void)
{
    ztl_error error;
    uint32_t word;
    ztl_timing_machine machine;
    if (!ztl_timing_parse("four,add.latency=25", &machine, &error))
        return 1;
    ztl_timing *timing = ztl_timing_create(&machine);
    ztl_hart *hart = ztl_hart_create(NULL, &error);
    if (!timing || !hart || !ztl_assemble(2, "tl.addi tl1, tl2, 3", &word, &error))
        return 2;
    ztl_timing_attach(timing, hart);
    ztl_hart_execute(hart, word);
    /* Starts at 1, busy for 16 cycles. */
    printf("cycles %u\n", (unsigned)ztl_timing_result(timing).cycles);
    ztl_hart_destroy(hart);
    ztl_timing_destroy(timing);
    return 0;
}
