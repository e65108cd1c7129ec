/* SPDX-License-Identifier: Apache-2.0
 * The registers of a hart as gdb numbers them, and the target description that says so.
 */
#ifndef ZTL_GDB_REGISTERS_H
#define ZTL_GDB_REGISTERS_H

#include <ztl/hart.h>

enum { ZTL_GDB_MAX_CSRS = 512, ZTL_GDB_GENERAL = 33 /* x0 … x31 and pc */ };

typedef struct ztl_gdb_registers {
    ztl_hart *hart;
    size_t float_count;             /* f0 … f31, numbered after pc; 0 without F */
    size_t csr_count;               /* base CSRs, numbered after those; fflags, frm, fcsr first */
    uint16_t csr[ZTL_GDB_MAX_CSRS]; /* their addresses */
    size_t ztl_csr_count;           /* Ztl CSRs, numbered after tl31 */
    uint16_t ztl_csr[ZTL_GDB_MAX_CSRS];
    bool has_ztl;
} ztl_gdb_registers;

void ztl_gdb_registers_of(ztl_gdb_registers *registers, ztl_hart *hart);

/* How many there are. */
size_t ztl_gdb_register_count(const ztl_gdb_registers *registers);

/* The value in target byte order; returns its size, 0 when there is no such register or it cannot
 * be read. */
size_t ztl_gdb_register_read(const ztl_gdb_registers *registers, size_t number,
                             uint8_t bytes[ZTL_REG_BYTES]);

/* False when there is no such register, the size is not its own, or it is read-only. */
bool ztl_gdb_register_write(const ztl_gdb_registers *registers, size_t number, const uint8_t *bytes,
                            size_t size);

/* A document of the target description ("target.xml" or one that it includes), allocated; NULL when
 * there is none of that name. */
char *ztl_gdb_document(const ztl_gdb_registers *registers, const char *name);

#endif
