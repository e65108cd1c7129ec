/* SPDX-License-Identifier: Apache-2.0
 * CSRs: which exist, who may access them, what they read and take.
 */
#include "sim/hart.h"
#include "sim/privileged/csr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct csr_row {
    const char *name;
    uint16_t address;
    uint8_t count;
    uint8_t xlen;
} csr_row;

static const csr_row rows[] = {
#define HART_CSR(ID, address, count, name, xlen) {name, address, count, xlen},
#include "sim/privileged/csr.def"
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const csr_row *find(const ztl_hart_isa *isa, unsigned address)
{
    if (!(isa->extensions & ZTL_EXT_ZICSR))
        return NULL;
    for (size_t i = 0; i < ROWS; i++) {
        const csr_row *row = &rows[i];
        if (address - row->address >= row->count || (row->xlen && row->xlen != isa->xlen))
            continue;
        /* RV64 has only the even pmpcfg. */
        bool odd = (address - row->address) % 2;
        if (address <= CSR_FCSR && !(isa->extensions & ZTL_EXT_F))
            return NULL;
        return row->address == CSR_PMPCFG && isa->xlen == 64 && odd ? NULL : row;
    }
    return NULL;
}

void ztl_csrs_reset(ztl_hart *hart)
{
    hart->csr = (machine_csrs){0};
    ztl_pmp_reset(hart);
}

static uint64_t misa(const ztl_hart_isa *isa)
{
    uint64_t value = UINT64_C(1) << ('i' - 'a') | UINT64_C(1) << ('u' - 'a');
    if (isa->extensions & ZTL_EXT_F)
        value |= UINT64_C(1) << ('f' - 'a');
    if (isa->extensions & ZTL_EXT_D)
        value |= UINT64_C(1) << ('d' - 'a');
    if (isa->extensions & ZTL_EXT_M)
        value |= UINT64_C(1) << ('m' - 'a');
    if (isa->extensions & ZTL_EXT_A)
        value |= UINT64_C(1) << ('a' - 'a');
    if (isa->extensions & ZTL_EXT_C)
        value |= UINT64_C(1) << ('c' - 'a');
    if (isa->ztl_subsets)
        value |= UINT64_C(1) << ('x' - 'a');
    return value | (isa->xlen == 64 ? UINT64_C(2) << 62 : UINT64_C(1) << 30);
}

static uint64_t mstatus(const ztl_hart *hart)
{
    const uint64_t uxl_64 = UINT64_C(2) << 32;
    bool dirty = (hart->csr.mstatus & MSTATUS_FS) == MSTATUS_FS;
    return hart->csr.mstatus | (hart->isa.xlen == 64 ? uxl_64 : 0) |
           (uint64_t)dirty << (hart->isa.xlen - 1);
}

static uint64_t clock_of(const ztl_hart *hart)
{
    return hart->clock.now ? hart->clock.now(hart->clock.context, hart) : hart->retired;
}

static uint64_t cycles(const ztl_hart *hart)
{
    return clock_of(hart) + hart->csr.cycle_offset;
}

/* As cycles without a clock, whether or not there is one. */
static uint64_t ticks(const ztl_hart *hart)
{
    return hart->retired + (hart->clock.now ? 0 : hart->csr.cycle_offset);
}

static uint64_t instret(const ztl_hart *hart)
{
    return hart->retired + hart->csr.instret_offset;
}

static bool is_pmp(unsigned address)
{
    return address >= CSR_PMPCFG && address < CSR_PMPADDR + 64;
}

static uint64_t get(const ztl_hart *hart, unsigned address)
{
    const machine_csrs *csr = &hart->csr;
    if (is_pmp(address))
        return ztl_pmp_get(hart, address);
    switch (address) {
    case CSR_FFLAGS:
        return csr->fflags;
    case CSR_FRM:
        return csr->frm;
    case CSR_FCSR:
        return csr->frm << 5 | csr->fflags;
    case CSR_MSTATUS:
        return mstatus(hart);
    case CSR_MISA:
        return misa(&hart->isa);
    case CSR_MIE:
        return csr->mie;
    case CSR_MIP:
        return csr->mip;
    case CSR_MTVEC:
        return csr->mtvec;
    case CSR_MCOUNTEREN:
        return csr->mcounteren;
    case CSR_MENVCFG:
        return csr->menvcfg;
    case CSR_MSCRATCH:
        return csr->mscratch;
    case CSR_MEPC:
        return csr->mepc;
    case CSR_MCAUSE:
        return csr->mcause;
    case CSR_MTVAL:
        return csr->mtval;
    case CSR_MCYCLE:
    case CSR_CYCLE:
        return cycles(hart);
    case CSR_TIME:
        return ticks(hart);
    case CSR_MINSTRET:
    case CSR_INSTRET:
        return instret(hart);
    case CSR_MCYCLEH:
    case CSR_CYCLEH:
        return cycles(hart) >> 32;
    case CSR_TIMEH:
        return ticks(hart) >> 32;
    case CSR_MINSTRETH:
    case CSR_INSTRETH:
        return instret(hart) >> 32;
    case CSR_MHARTID:
        return hart->hart_id;
    default:
        return 0;
    }
}

/* Machine and user are the only modes; another value of MPP is not taken. */
static uint64_t new_mstatus(uint64_t old, uint64_t value, bool has_float)
{
    const uint64_t plain = MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPRV | MSTATUS_TW |
                           (has_float ? (uint64_t)MSTATUS_FS : 0);
    unsigned mode = value >> MSTATUS_MPP_SHIFT & 3;
    uint64_t from = mode == ZTL_USER || mode == ZTL_MACHINE ? value : old;
    return (value & plain) | (from & MSTATUS_MPP);
}

/* What user mode may do with blocks of memory; a reserved value of CBIE is none. */
static uint64_t new_menvcfg(const ztl_hart_isa *isa, uint64_t value)
{
    bool is_reserved = (value & MENVCFG_CBIE) == MENVCFG_CBIE_RESERVED;
    uint64_t blocks = MENVCFG_CBCFE | (is_reserved ? 0u : (unsigned)MENVCFG_CBIE);
    return value & (1 | (isa->extensions & ZTL_EXT_ZICBOM ? blocks : 0) |
                    (isa->extensions & ZTL_EXT_ZICBOZ ? (unsigned)MENVCFG_CBZE : 0u));
}

/* The low or the high half of a counter, or all of it on RV64. */
static uint64_t new_counter(const ztl_hart *hart, uint64_t old, uint64_t value, bool high)
{
    if (hart->isa.xlen == 64)
        return value;
    return high ? value << 32 | (uint32_t)old : (old & ~(uint64_t)UINT32_MAX) | (uint32_t)value;
}

static void set(ztl_hart *hart, unsigned address, uint64_t value)
{
    machine_csrs *csr = &hart->csr;
    bool compressed = hart->isa.extensions & ZTL_EXT_C;
    if (is_pmp(address)) {
        ztl_pmp_set(hart, address, value);
        return;
    }
    if (address <= CSR_FCSR) {
        csr->mstatus |= MSTATUS_FS;
        if (address != CSR_FRM)
            csr->fflags = value & 0x1f;
        if (address != CSR_FFLAGS)
            csr->frm = (address == CSR_FRM ? value : value >> 5) & 7;
        return;
    }
    switch (address) {
    case CSR_MSTATUS:
        csr->mstatus = new_mstatus(csr->mstatus, value, (hart->isa.extensions & ZTL_EXT_F) != 0);
        ztl_privilege_changed(hart); /* that of loads and stores, by MPRV */
        return;
    case CSR_MIE:
        csr->mie = value & INTERRUPT_LINES;
        return;
    case CSR_MTVEC:
        csr->mtvec = value & ~UINT64_C(2);
        csr->mtvec_written = true;
        return;
    case CSR_MCOUNTEREN:
        csr->mcounteren = value & UINT32_MAX;
        return;
    case CSR_MENVCFG:
        csr->menvcfg = new_menvcfg(&hart->isa, value);
        return;
    case CSR_MSCRATCH:
        csr->mscratch = value;
        return;
    case CSR_MEPC:
        csr->mepc = value & ~(compressed ? UINT64_C(1) : UINT64_C(3));
        return;
    case CSR_MCAUSE:
        csr->mcause = value;
        return;
    case CSR_MTVAL:
        csr->mtval = value;
        return;
    case CSR_MCYCLE:
    case CSR_MCYCLEH:
        value = new_counter(hart, cycles(hart), value, address == CSR_MCYCLEH);
        csr->cycle_offset = value - clock_of(hart);
        return;
    case CSR_MINSTRET:
    case CSR_MINSTRETH:
        value = new_counter(hart, instret(hart), value, address == CSR_MINSTRETH);
        csr->instret_offset = value - hart->retired;
        return;
    default:
        return;
    }
}

static bool is_read_only(unsigned address)
{
    return address >> 10 == 3;
}

bool ztl_csr_allowed(const ztl_hart *hart, unsigned address, bool writes)
{
    if ((address >> 8 & 3) > (unsigned)hart->privilege || (writes && is_read_only(address)))
        return false;
    if (address <= CSR_FCSR && !(hart->csr.mstatus & MSTATUS_FS))
        return false;
    bool is_counter = (address & ~0x9fu) == CSR_CYCLE;
    return !is_counter || hart->privilege == ZTL_MACHINE ||
           (hart->csr.mcounteren >> (address & 31) & 1);
}

bool ztl_csr_get(ztl_hart *hart, unsigned address, uint64_t *value)
{
    if (!find(&hart->isa, address))
        return (hart->isa.extensions & ZTL_EXT_ZICSR) &&
               ztl_csr_read(&hart->ztl, address, value) == ZTL_OK;
    *value = ztl_hart_wrap(hart, get(hart, address));
    return true;
}

bool ztl_csr_set(ztl_hart *hart, unsigned address, uint64_t value)
{
    if (!find(&hart->isa, address))
        return (hart->isa.extensions & ZTL_EXT_ZICSR) &&
               ztl_csr_write(&hart->ztl, address, value) == ZTL_OK;
    if (is_read_only(address))
        return false;
    set(hart, address, ztl_hart_wrap(hart, value));
    return true;
}

void ztl_event_csr(ztl_hart *hart, unsigned address)
{
    ztl_event *event = hart->event;
    uint64_t value;
    if (event && event->csr_count < ZTL_EVENT_MAX_CSRS && ztl_csr_get(hart, address, &value))
        event->csr[event->csr_count++] = (ztl_csr_change){address, value};
}

bool ztl_hart_csr_read(ztl_hart *hart, unsigned address, uint64_t *value)
{
    return ztl_csr_allowed(hart, address, false) && ztl_csr_get(hart, address, value);
}

bool ztl_hart_csr_write(ztl_hart *hart, unsigned address, uint64_t value)
{
    return ztl_csr_allowed(hart, address, true) && ztl_csr_set(hart, address, value);
}

bool ztl_hart_debug_csr_read(ztl_hart *hart, unsigned address, uint64_t *value)
{
    return ztl_csr_get(hart, address, value);
}

bool ztl_hart_debug_csr_write(ztl_hart *hart, unsigned address, uint64_t value)
{
    return ztl_csr_set(hart, address, value);
}

/* The name of the index-th of a row: "hpmcounter3h" and 2 give "hpmcounter5h". */
static void name_of(const csr_row *row, unsigned index, char *name, size_t size)
{
    if (row->count == 1) {
        snprintf(name, size, "%s", row->name);
        return;
    }
    size_t stem = strcspn(row->name, "0123456789");
    char *rest;
    unsigned long first = strtoul(row->name + stem, &rest, 10);
    snprintf(name, size, "%.*s%lu%s", (int)stem, row->name, first + index, rest);
}

bool ztl_sim_csr_name(const ztl_hart_isa *isa, unsigned address, char *name, size_t size)
{
    const csr_row *row = find(isa, address);
    if (!row)
        return isa->ztl_subsets && ztl_csr_name(isa->ztl_revision, address, name, size);
    name_of(row, address - row->address, name, size);
    return true;
}

bool ztl_hart_csr_name(const ztl_hart *hart, unsigned address, char *name, size_t size)
{
    return ztl_sim_csr_name(&hart->isa, address, name, size);
}

bool ztl_sim_csr_address(const ztl_hart_isa *isa, const char *name, unsigned *address)
{
    for (size_t i = 0; i < ROWS; i++) {
        for (unsigned k = 0; k < rows[i].count; k++) {
            char known[32];
            name_of(&rows[i], k, known, sizeof known);
            if (strcmp(known, name) != 0 || find(isa, rows[i].address + k) != &rows[i])
                continue;
            *address = rows[i].address + k;
            return true;
        }
    }
    return isa->ztl_subsets && ztl_csr_address(isa->ztl_revision, name, address);
}

bool ztl_hart_csr_address(const ztl_hart *hart, const char *name, unsigned *address)
{
    return ztl_sim_csr_address(&hart->isa, name, address);
}
