/* SPDX-License-Identifier: Apache-2.0
 * Making a hart, and its registers.
 */
#include "sim/hart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/isa_part.h"
#include "host/error.h"

static const ztl_window default_ram = {0x80000000, 128 << 20};

ztl_hart_config ztl_hart_default_config(void)
{
    return (ztl_hart_config){
        .isa = ZTL_DEFAULT_ISA, .ram = &default_ram, .ram_count = 1, .reset_pc = default_ram.base};
}

static bool set_up(ztl_hart *hart, const ztl_hart_config *config, ztl_error *error)
{
    if (!config->isa || !ztl_hart_isa_parse(config->isa, &hart->isa, error))
        return false;
    ztl_config ztl = {hart->isa.ztl_revision, hart->isa.xlen, hart->isa.ztl_subsets, config->l1m,
                      config->l0m};
    if (ztl_init(&hart->ztl, &ztl) != ZTL_OK)
        return ztl_fail(error, "a window of Ztl leaves the %u-bit address space", hart->isa.xlen);
    if (!(hart->accelerator = malloc(ztl_accelerator_size())))
        return ztl_fail(error, "the host is out of memory");
    if (ztl_attach_accelerator(&hart->ztl, hart->accelerator, config->bodies) != ZTL_OK)
        return ztl_fail(error, "this machine has no bodies '%s'", config->bodies);
    hart->reset_pc = ztl_hart_wrap(hart, config->reset_pc) & ~UINT64_C(1);
    hart->hart_id = config->hart_id;
    hart->trap_policy = config->trap_policy;
    hart->turn_at = UINT64_MAX;
    if (!ztl_memory_create(hart, config, error))
        return false;
    if (!ztl_blocks_create(hart))
        return ztl_fail(error, "the host is out of memory");
    return true;
}

ztl_hart *ztl_hart_create(const ztl_hart_config *config, ztl_error *error)
{
    ztl_hart_config standard = ztl_hart_default_config();
    size_t size = (sizeof(ztl_hart) + 63) & ~(size_t)63;
    ztl_hart *hart = aligned_alloc(64, size);
    if (!hart) {
        ztl_fail(error, "the host is out of memory");
        return NULL;
    }
    memset(hart, 0, size);
    if (!set_up(hart, config ? config : &standard, error)) {
        ztl_hart_destroy(hart);
        return NULL;
    }
    ztl_hart_reset(hart);
    return hart;
}

void ztl_hart_destroy(ztl_hart *hart)
{
    if (!hart)
        return;
    ztl_blocks_destroy(hart);
    ztl_memory_destroy(hart);
    free(hart->accelerator);
    free(hart);
}

void ztl_hart_reset(ztl_hart *hart)
{
    memset(hart->x, 0, sizeof hart->x);
    memset(hart->f, 0, sizeof hart->f);
    ztl_csrs_reset(hart);
    ztl_reset(&hart->ztl);
    hart->pc = hart->reset_pc;
    hart->privilege = ZTL_MACHINE;
    hart->reserved = hart->has_trapped = false;
    hart->retired = 0;
    hart->ztl_retired = 0;
    hart->exit_code = 0;
    ztl_memory_recheck(hart);
}

const ztl_hart_isa *ztl_hart_isa_of(const ztl_hart *hart)
{
    return &hart->isa;
}

const ztl_ram *ztl_hart_ram(const ztl_hart *hart, size_t index)
{
    return index < hart->region_count ? &hart->regions[index].ram : NULL;
}

void ztl_hart_set_trap_policy(ztl_hart *hart, enum ztl_trap_policy policy)
{
    hart->trap_policy = policy;
}

void ztl_hart_set_default_handler(ztl_hart *hart, uint64_t address)
{
    hart->has_default_handler = true;
    hart->default_handler = address;
}

uint64_t ztl_hart_x(const ztl_hart *hart, unsigned index)
{
    return index < 32 ? hart->x[index] : 0;
}

void ztl_hart_set_x(ztl_hart *hart, unsigned index, uint64_t value)
{
    if (index > 0 && index < 32)
        hart->x[index] = ztl_hart_wrap(hart, value);
}

uint64_t ztl_hart_pc(const ztl_hart *hart)
{
    return hart->pc;
}

/* No instruction starts at an odd address. */
void ztl_hart_set_pc(ztl_hart *hart, uint64_t pc)
{
    hart->pc = ztl_hart_wrap(hart, pc) & ~UINT64_C(1);
}

enum ztl_privilege ztl_hart_privilege(const ztl_hart *hart)
{
    return hart->privilege;
}

void ztl_hart_set_privilege(ztl_hart *hart, enum ztl_privilege privilege)
{
    hart->privilege = privilege == ZTL_USER ? ZTL_USER : ZTL_MACHINE;
    ztl_privilege_changed(hart);
}

ztl_state *ztl_hart_ztl(ztl_hart *hart)
{
    return &hart->ztl;
}

uint64_t ztl_hart_retired(const ztl_hart *hart)
{
    return hart->retired;
}

uint64_t ztl_hart_attempted(const ztl_hart *hart)
{
    return hart->attempted;
}

uint64_t ztl_hart_ztl_retired(const ztl_hart *hart)
{
    return hart->ztl_retired;
}

const ztl_trap *ztl_hart_last_trap(const ztl_hart *hart)
{
    return hart->has_trapped ? &hart->last_trap : NULL;
}

void ztl_hart_set_hooks(ztl_hart *hart, const ztl_hart_hooks *hooks)
{
    hart->hooks = hooks ? *hooks : (ztl_hart_hooks){0};
    hart->code_changed = true; /* marks are made anew, with those of the hook */
}

const ztl_hart_hooks *ztl_hart_hooks_of(const ztl_hart *hart)
{
    return &hart->hooks;
}

void ztl_hart_set_turn(ztl_hart *hart, uint64_t retired)
{
    hart->turn_at = retired;
}

void ztl_hart_set_thread(ztl_hart *hart, unsigned thread)
{
    hart->thread = thread;
}

unsigned ztl_hart_thread(const ztl_hart *hart)
{
    return hart->thread;
}

void ztl_hart_set_observer(ztl_hart *hart, const ztl_observer *observer)
{
    hart->observer = observer ? *observer : (ztl_observer){0};
}

void ztl_hart_set_clock(ztl_hart *hart, const ztl_clock *clock)
{
    hart->clock = clock ? *clock : (ztl_clock){0};
}
