/* SPDX-License-Identifier: Apache-2.0
 * Physical memory protection: 16 entries, of four bytes and more.
 */
#include "sim/hart.h"
#include "sim/privileged/csr.h"

enum { ALLOWS_R = 1, ALLOWS_W = 2, ALLOWS_X = 4, MODE_SHIFT = 3, LOCK = 0x80, WRITABLE = 0x9f };
enum { MODE_OFF, MODE_TOR, MODE_NA4, MODE_NAPOT };

static unsigned mode_of(const pmp_state *pmp, unsigned i)
{
    return pmp->cfg[i] >> MODE_SHIFT & 3;
}

static bool is_locked(const pmp_state *pmp, unsigned i)
{
    return pmp->cfg[i] & LOCK;
}

/* The bytes that an entry matches, first to last; false: none. Addresses of RV32 have 34 bits, of
 * which the hart uses 32. */
static bool range_of(const pmp_state *pmp, unsigned i, uint64_t *first, uint64_t *last)
{
    uint64_t address = pmp->addr[i], bits;
    switch (mode_of(pmp, i)) {
    case MODE_TOR:
        *first = i ? pmp->addr[i - 1] << 2 : 0;
        *last = (address << 2) - 1;
        return *first < address << 2;
    case MODE_NA4:
        *first = address << 2;
        *last = *first + 3;
        return true;
    case MODE_NAPOT: /* zero, then ones: 2^(ones + 3) bytes */
        bits = address ^ (address + 1);
        *first = (address & ~bits) << 2;
        *last = *first | bits << 2 | 3;
        return true;
    default:
        return false;
    }
}

static bool matches_all(const pmp_state *pmp, unsigned i)
{
    uint64_t first, last;
    return range_of(pmp, i, &first, &last) && first == 0 && last >= pmp->highest;
}

/* Does machine mode obey an entry? One with a lock; and any that an aligned access can be partly
 * in, for such an access fails in every mode. */
static bool binds_all(const pmp_state *pmp, unsigned i)
{
    uint64_t first, last;
    return range_of(pmp, i, &first, &last) && (is_locked(pmp, i) || first % 8 || (last + 1) % 8);
}

void ztl_pmp_update(ztl_hart *hart)
{
    pmp_state *pmp = &hart->csr.pmp;
    const unsigned everything = ALLOWS_R | ALLOWS_W | ALLOWS_X;
    pmp->highest = hart->isa.xlen == 32 ? UINT32_MAX : (UINT64_C(1) << 56) - 1;
    pmp->binds_all = false;
    for (unsigned i = 0; i < ZTL_PMP_ENTRIES; i++)
        pmp->binds_all |= binds_all(pmp, i);
    pmp->is_open = matches_all(pmp, 0) && (pmp->cfg[0] & everything) == everything;
    ztl_memory_recheck(hart);
}

/* As Spike does, for programs that know of no PMP: user mode may use all memory. */
void ztl_pmp_reset(ztl_hart *hart)
{
    hart->csr.pmp = (pmp_state){
        .cfg[0] = MODE_NAPOT << MODE_SHIFT | ALLOWS_R | ALLOWS_W | ALLOWS_X,
        .addr[0] = hart->isa.xlen == 32 ? UINT32_MAX : (UINT64_C(1) << 54) - 1,
    };
    ztl_pmp_update(hart);
}

static bool can_write_address(const pmp_state *pmp, unsigned i)
{
    bool is_top_locked =
        i + 1 < ZTL_PMP_ENTRIES && is_locked(pmp, i + 1) && mode_of(pmp, i + 1) == MODE_TOR;
    return !is_locked(pmp, i) && !is_top_locked;
}

uint64_t ztl_pmp_get(const ztl_hart *hart, unsigned address)
{
    const pmp_state *pmp = &hart->csr.pmp;
    if (address >= CSR_PMPADDR)
        return address - CSR_PMPADDR < ZTL_PMP_ENTRIES ? pmp->addr[address - CSR_PMPADDR] : 0;
    uint64_t value = 0;
    for (unsigned k = 0; k < hart->isa.xlen / 8; k++) {
        unsigned i = 4 * (address - CSR_PMPCFG) + k;
        value |= i < ZTL_PMP_ENTRIES ? (uint64_t)pmp->cfg[i] << (8 * k) : 0;
    }
    return value;
}

/* Writing without reading is reserved: it becomes neither. */
static uint8_t legal(uint8_t cfg)
{
    cfg &= WRITABLE;
    return cfg & ALLOWS_R ? cfg : cfg & (uint8_t)~ALLOWS_W;
}

void ztl_pmp_set(ztl_hart *hart, unsigned address, uint64_t value)
{
    pmp_state *pmp = &hart->csr.pmp;
    unsigned i = address - CSR_PMPADDR;
    if (address >= CSR_PMPADDR) {
        const uint64_t most = hart->isa.xlen == 32 ? UINT32_MAX : (UINT64_C(1) << 54) - 1;
        if (i < ZTL_PMP_ENTRIES && can_write_address(pmp, i))
            pmp->addr[i] = value & most;
    } else {
        for (unsigned k = 0; k < hart->isa.xlen / 8; k++) {
            i = 4 * (address - CSR_PMPCFG) + k;
            if (i < ZTL_PMP_ENTRIES && !is_locked(pmp, i))
                pmp->cfg[i] = legal((uint8_t)(value >> (8 * k)));
        }
    }
    ztl_pmp_update(hart);
}

static enum ztl_privilege privilege_of(const ztl_hart *hart, enum ztl_use use)
{
    bool is_as_previous = use != USE_FETCH && (hart->csr.mstatus & MSTATUS_MPRV);
    return is_as_previous ? (enum ztl_privilege)(hart->csr.mstatus >> MSTATUS_MPP_SHIFT & 3)
                          : hart->privilege;
}

bool ztl_pmp_checks(const ztl_hart *hart, enum ztl_use use)
{
    const pmp_state *pmp = &hart->csr.pmp;
    if (hart->map || (pmp->is_open && !pmp->binds_all))
        return false;
    return pmp->binds_all || privilege_of(hart, use) != ZTL_MACHINE;
}

/* What an entry allows; machine mode obeys only locked ones. */
static bool entry_allows(const ztl_hart *hart, unsigned i, enum ztl_use use)
{
    const pmp_state *pmp = &hart->csr.pmp;
    unsigned needed = use == USE_LOAD ? ALLOWS_R : use == USE_STORE ? ALLOWS_W : ALLOWS_X;
    if (privilege_of(hart, use) == ZTL_MACHINE && !is_locked(pmp, i))
        return true;
    return pmp->cfg[i] & needed;
}

bool ztl_pmp_window(const ztl_hart *hart, uint64_t address, enum ztl_use use, uint64_t *first,
                    uint64_t *last)
{
    const pmp_state *pmp = &hart->csr.pmp;
    for (unsigned i = 0; i < ZTL_PMP_ENTRIES; i++) {
        uint64_t low, high;
        if (!range_of(pmp, i, &low, &high))
            continue;
        if (address >= low && address <= high) {
            *first = low > *first ? low : *first;
            *last = high < *last ? high : *last;
            return entry_allows(hart, i, use);
        }
        /* An entry of a higher priority is another matter: the window ends where it starts. */
        if (high < address && high + 1 > *first)
            *first = high + 1;
        if (low > address && low - 1 < *last)
            *last = low - 1;
    }
    return privilege_of(hart, use) == ZTL_MACHINE;
}

/* The first entry that matches any byte must match all. */
bool ztl_pmp_allows(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use)
{
    uint64_t first = 0, last = UINT64_MAX;
    return !ztl_pmp_checks(hart, use) ||
           (ztl_pmp_window(hart, address, use, &first, &last) && address + (size - 1) <= last);
}
