/* SPDX-License-Identifier: Apache-2.0
 * Addresses of CSRs and the fields of those that the hart acts on.
 */
#ifndef ZTL_SIM_CSR_H
#define ZTL_SIM_CSR_H

#include <stdint.h>

enum hart_csr {
#define HART_CSR(ID, address, ...) CSR_##ID = address,
#include "sim/privileged/csr.def"
};

enum {
    MSTATUS_MIE = 1 << 3,
    MSTATUS_MPIE = 1 << 7,
    MSTATUS_MPP_SHIFT = 11,
    MSTATUS_MPP = 3 << MSTATUS_MPP_SHIFT,
    MSTATUS_FS = 3 << 13, /* 0: off; all set: dirty */
    MSTATUS_MPRV = 1 << 17,
    MSTATUS_TW = 1 << 21,
    MENVCFG_CBIE = 3 << 4,
    MENVCFG_CBIE_RESERVED = 2 << 4,
    MENVCFG_CBCFE = 1 << 6,
    MENVCFG_CBZE = 1 << 7,
    MTVEC_VECTORED = 1,
    INTERRUPT_LINES = 1 << 3 | 1 << 7 | 1 << 11,
};

#endif
