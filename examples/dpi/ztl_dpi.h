/* SPDX-License-Identifier: Apache-2.0
 *
 * The hart for a SystemVerilog bench through DPI-C. Only types that every simulator maps alike are
 * used: int, longint, string, chandle and packed bits, whose svBitVecVal is uint32_t. ztl_dpi.sv
 * holds the matching imports.
 */
#ifndef ZTL_DPI_H
#define ZTL_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A hart of an ISA string with RAM at base; NULL when that cannot be (the reason is printed). */
void *ztl_dpi_create(const char *isa, long long base, long long size);
void ztl_dpi_destroy(void *hart);
void ztl_dpi_reset(void *hart);

/* Integer registers, CSRs by address, and pc. */
long long ztl_dpi_x(void *hart, int index);
void ztl_dpi_set_x(void *hart, int index, long long value);
long long ztl_dpi_csr(void *hart, int address);
int ztl_dpi_set_csr(void *hart, int address, long long value); /* 0: done, 1: no such CSR */
long long ztl_dpi_pc(void *hart);
void ztl_dpi_set_pc(void *hart, long long pc);

/* A tensor register, and 1024 bytes of memory: byte i is bits 8i+7 to 8i. 0: done, 1: there is no
 * such register or memory, and nothing is changed. */
enum { ZTL_DPI_WORDS = 256 };
int ztl_dpi_tl(void *hart, int index, uint32_t *block);
int ztl_dpi_set_tl(void *hart, int index, const uint32_t *block);
int ztl_dpi_memory(void *hart, long long address, uint32_t *block);
int ztl_dpi_set_memory(void *hart, long long address, const uint32_t *block);

/* Executes one instruction word. 0: done; else mcause + 1, with tval and reason below. */
int ztl_dpi_execute(void *hart, int word);
long long ztl_dpi_tval(void *hart);
int ztl_dpi_reason(void *hart);

/* Executes the instruction at pc, and takes its trap. 0: done; else mcause + 1. */
int ztl_dpi_step(void *hart);

/* The assembly text of a word, valid until the next call. */
const char *ztl_dpi_text(void *hart, long long pc, int word);

#ifdef __cplusplus
}
#endif
#endif
