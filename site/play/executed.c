/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics that plans are executed by, on a simulated hart whose memory is this module's: so
 * that its instructions can be counted on a machine. Nothing is recorded: each is executed at once.
 */
#include <stdlib.h>

#include <ztl/hart.h>
#include <ztl/intrin.h>

#include "site/play/executed.h"

static ztl_hart *hart;
static bool trapped;

bool play_execute_on(ztl_hart *new_hart)
{
    bool was_good = !trapped;
    hart = new_hart;
    trapped = false;
    return was_good;
}

bool ztl_intrin_prepare(void)
{
    return hart != NULL;
}

ztl_state *ztl_intrin_state(void)
{
    return ztl_hart_ztl(hart);
}

enum ztl_status ztl_intrin_init(const ztl_config *config)
{
    (void)config; /* the hart is one of Ztl 2 with everything, as plans want it */
    return ztl_reset(ztl_hart_ztl(hart));
}

static void run(uint32_t word, uint64_t a0, uint64_t a1)
{
    ztl_hart_set_x(hart, ZTL_INTRIN_A0, a0);
    ztl_hart_set_x(hart, ZTL_INTRIN_A1, a1);
    trapped |= ztl_hart_execute(hart, word) == ZTL_STOP_TRAP;
}

void ztl_intrin_execute(const ztl_intrin_site *site, uint64_t a0, uint64_t a1)
{
    run(site->word, a0, a1);
}

unsigned long ztl_intrin_csr(const ztl_intrin_site *site, uint64_t value)
{
    enum { RD = 7 };
    unsigned rd = site->word >> RD & 31;
    run(site->word, ztl_hart_x(hart, ZTL_INTRIN_A0), value);
    return rd ? (unsigned long)ztl_hart_x(hart, rd) : 0;
}

void ztl_intrin_strides(const ztl_intrin_site *site, const int32_t *stride, size_t n)
{
    for (size_t i = 0; i < n; i++)
        run(site->word + ((uint32_t)i << 20), 0, (uint64_t)(int64_t)stride[i]);
}

void ztl_intrin_strides_linear(const ztl_intrin_site *site, uint64_t start, uint64_t step, size_t n)
{
    for (size_t i = 0; i < n; i++, start += step)
        run(site->word + ((uint32_t)i << 20), 0, start);
}

void ztl_intrin_rounds_begin(void)
{
}

void ztl_intrin_rounds_end(void)
{
}

bool ztl_intrin_round_begin(const void *from, void *to)
{
    (void)from, (void)to;
    return true;
}

void ztl_intrin_round_end(void)
{
}

size_t ztl_intrin_rounds_ahead(size_t n, const void *from, ptrdiff_t in, void *to, ptrdiff_t out)
{
    (void)n, (void)from, (void)in, (void)to, (void)out;
    return 0;
}
