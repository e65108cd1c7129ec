/* SPDX-License-Identifier: Apache-2.0
 *
 * The hart for a SystemVerilog bench through DPI-C. Only types that every simulator maps alike are
 * used: int, longint, string and chandle. ztl_dpi.sv holds the matching imports.
 */
#ifndef ZTL_DPI_H
#define ZTL_DPI_H

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

/* A tensor register eight bytes at a time: word 0 … 127, byte 0 in the low bits of word 0. */
long long ztl_dpi_tl(void *hart, int index, int word);
void ztl_dpi_set_tl(void *hart, int index, int word, long long value);

/* A byte of memory; reading where there is none gives -1. */
int ztl_dpi_peek(void *hart, long long address);
void ztl_dpi_poke(void *hart, long long address, int value);

/* Executes one instruction word. 0: done; else mcause + 1, with tval and reason below. */
int ztl_dpi_execute(void *hart, int word);
long long ztl_dpi_tval(void *hart);
int ztl_dpi_reason(void *hart);

#ifdef __cplusplus
}
#endif
#endif
