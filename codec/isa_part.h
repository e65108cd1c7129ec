/* SPDX-License-Identifier: Apache-2.0
 * The names of Ztl in ISA strings: ztl, ztlx1p0 and the like. Freestanding.
 */
#ifndef ZTL_ISA_PART_H
#define ZTL_ISA_PART_H

#include <ztl/isa.h>

#include "codec/text.h"

/* What a hart is, and what a program is built for, when nobody says. */
#define ZTL_DEFAULT_ISA    "rv64gc_zba_zbb_zbs_ztl"
#define ZTL_DEFAULT_ISA_32 "rv32gc_zba_zbb_zbs_ztl"
#define ZTL_SOFT_ISA       "rv64imac_zicsr_zifencei_zba_zbb_zbs_ztl" /* without F and D */

/* What the names so far say; all zero is none. */
typedef struct ztl_isa_part {
    unsigned revision; /* 0: no name yet */
    unsigned subsets;
    unsigned names; /* bit i: sub-extension i, bit ZTL_SUBSETS: ztl itself */
} ztl_isa_part;

/* Whether a name, which goes to the next underscore, is ours to judge. */
bool ztl_isa_part_is_ours(const char *name, size_t length);

/* Adds a name, in either case. False, with what is wrong in *problem and *part as it was. */
bool ztl_isa_part_add(ztl_isa_part *part, const char *name, size_t length, ztl_text *problem);

#endif
