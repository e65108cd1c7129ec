/* SPDX-License-Identifier: Apache-2.0
 * gdb numbers registers in the order of the target description: x0 … x31, pc, with F f0 … f31, the
 * base CSRs that the hart has, then the Ztl feature of isa/print/gdb.c: tl0 … tl31 and the Ztl
 * CSRs.
 */
#define _POSIX_C_SOURCE 200809L
#include "sim/gdb/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/gpr.h"
#include "isa/print/print.h"

enum { PC = 32, FLOATS = 32, FLOAT_CSRS = 3, CSR_ADDRESSES = 4096 };

static unsigned xlen_of(const ztl_gdb_registers *r)
{
    return ztl_hart_isa_of(r->hart)->xlen;
}

static void list_ztl_csrs(ztl_gdb_registers *r)
{
    unsigned revision = ztl_hart_isa_of(r->hart)->ztl_revision;
    const ztl_csr_row *row;
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        for (unsigned k = 0; k < row->count && revision >= row->first_revision; k++)
            r->ztl_csr[r->ztl_csr_count++] = (uint16_t)(row->address + k);
}

void ztl_gdb_registers_of(ztl_gdb_registers *r, ztl_hart *hart)
{
    *r = (ztl_gdb_registers){.hart = hart,
                             .has_ztl = ztl_hart_isa_of(hart)->ztl_subsets != 0,
                             .float_count = ztl_hart_flen(hart) ? FLOATS : 0};
    for (unsigned address = 0; address < CSR_ADDRESSES; address++) {
        unsigned index;
        uint64_t value;
        if (r->csr_count < ZTL_GDB_MAX_CSRS && !ztl_isa_csr_at(ZTL_REVISIONS, address, &index) &&
            ztl_hart_debug_csr_read(hart, address, &value))
            r->csr[r->csr_count++] = (uint16_t)address;
    }
    if (r->has_ztl)
        list_ztl_csrs(r);
}

/* The number of the first CSR. */
static size_t first_csr(const ztl_gdb_registers *r)
{
    return ZTL_GDB_GENERAL + r->float_count;
}

size_t ztl_gdb_register_count(const ztl_gdb_registers *r)
{
    size_t ztl = r->has_ztl ? ZTL_REGISTERS + r->ztl_csr_count : 0;
    return first_csr(r) + r->csr_count + ztl;
}

/* The CSR that a number stands for; false when it stands for something else. */
static bool csr_of(const ztl_gdb_registers *r, size_t number, unsigned *address, size_t *size)
{
    size_t n = number - first_csr(r);
    if (number >= first_csr(r) && n < r->csr_count) {
        *address = r->csr[n];
        *size = xlen_of(r) / 8;
        return true;
    }
    n = number - first_csr(r) - r->csr_count - ZTL_REGISTERS;
    if (number >= first_csr(r) + r->csr_count + ZTL_REGISTERS && n < r->ztl_csr_count) {
        *address = r->ztl_csr[n];
        *size = 4;
        return true;
    }
    return false;
}

/* The tensor register that a number stands for, else -1. */
static int tensor_of(const ztl_gdb_registers *r, size_t number)
{
    size_t first = first_csr(r) + r->csr_count;
    bool is_tensor = r->has_ztl && number >= first && number < first + ZTL_REGISTERS;
    return is_tensor ? (int)(number - first) : -1;
}

/* Is it a floating-point register? */
static bool is_float(const ztl_gdb_registers *r, size_t number)
{
    return number >= ZTL_GDB_GENERAL && number < first_csr(r);
}

static size_t put(uint8_t *bytes, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    return size;
}

static uint64_t take(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

size_t ztl_gdb_register_read(const ztl_gdb_registers *r, size_t number,
                             uint8_t bytes[ZTL_REG_BYTES])
{
    unsigned address;
    uint64_t value;
    size_t size = xlen_of(r) / 8;
    int tensor = tensor_of(r, number);
    if (number < PC)
        return put(bytes, ztl_hart_x(r->hart, (unsigned)number), size);
    if (number == PC)
        return put(bytes, ztl_hart_pc(r->hart), size);
    if (is_float(r, number))
        return put(bytes, ztl_hart_f(r->hart, (unsigned)(number - ZTL_GDB_GENERAL)),
                   ztl_hart_flen(r->hart) / 8);
    if (tensor >= 0) {
        memcpy(bytes, ztl_get_register(ztl_hart_ztl(r->hart), (unsigned)tensor), ZTL_REG_BYTES);
        return ZTL_REG_BYTES;
    }
    if (csr_of(r, number, &address, &size) && ztl_hart_debug_csr_read(r->hart, address, &value))
        return put(bytes, value, size);
    return 0;
}

bool ztl_gdb_register_write(const ztl_gdb_registers *r, size_t number, const uint8_t *bytes,
                            size_t size)
{
    unsigned address;
    size_t wanted = xlen_of(r) / 8;
    int tensor = tensor_of(r, number);
    if (tensor >= 0)
        return size == ZTL_REG_BYTES &&
               ztl_set_register(ztl_hart_ztl(r->hart), (unsigned)tensor, bytes) == ZTL_OK;
    if (is_float(r, number)) {
        if (size != ztl_hart_flen(r->hart) / 8)
            return false;
        ztl_hart_set_f(r->hart, (unsigned)(number - ZTL_GDB_GENERAL), take(bytes, size));
        return true;
    }
    bool is_csr = csr_of(r, number, &address, &wanted);
    if (size != wanted || (!is_csr && number > PC))
        return false;
    uint64_t value = take(bytes, size);
    if (is_csr)
        return ztl_hart_debug_csr_write(r->hart, address, value);
    if (number == PC)
        ztl_hart_set_pc(r->hart, value);
    else
        ztl_hart_set_x(r->hart, (unsigned)number, value);
    return true;
}

static void print_general(FILE *out, unsigned xlen)
{
    fputs("<feature name=\"org.gnu.gdb.riscv.cpu\">\n", out);
    for (unsigned i = 0; i < PC; i++)
        fprintf(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>\n",
                i == 8 ? "fp" : ztl_gpr_name(i), xlen, i == 2 ? "data_ptr" : "int", i);
    fprintf(out, "<reg name=\"pc\" bitsize=\"%u\" type=\"code_ptr\"/>\n</feature>\n", xlen);
}

static void print_some_csrs(FILE *out, const ztl_gdb_registers *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        char name[64];
        if (!ztl_hart_csr_name(r->hart, r->csr[i], name, sizeof name))
            snprintf(name, sizeof name, "csr%u", r->csr[i]);
        fprintf(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"int\" group=\"%s\"/>\n", name,
                xlen_of(r), to > FLOAT_CSRS ? "csr" : "float");
    }
}

/* fflags, frm and fcsr, the first CSRs, belong to this feature. */
static void print_floats(FILE *out, const ztl_gdb_registers *r)
{
    unsigned flen = ztl_hart_flen(r->hart);
    fputs("<feature name=\"org.gnu.gdb.riscv.fpu\">\n", out);
    if (flen == 64)
        fputs("<union id=\"riscv_double\"><field name=\"float\" type=\"ieee_single\"/>"
              "<field name=\"double\" type=\"ieee_double\"/></union>\n",
              out);
    for (unsigned i = 0; i < FLOATS; i++)
        fprintf(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\"/>\n", ztl_fpr_name(i), flen,
                flen == 64 ? "riscv_double" : "ieee_single");
    print_some_csrs(out, r, 0, FLOAT_CSRS);
    fputs("</feature>\n", out);
}

static void print_csrs(FILE *out, const ztl_gdb_registers *r)
{
    fputs("<feature name=\"org.gnu.gdb.riscv.csr\">\n", out);
    print_some_csrs(out, r, r->float_count ? FLOAT_CSRS : 0, r->csr_count);
    fputs("</feature>\n", out);
}

static void print_target(FILE *out, const ztl_gdb_registers *r)
{
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
            "<target version=\"1.0\">\n<architecture>riscv:rv%u</architecture>\n",
            xlen_of(r));
    print_general(out, xlen_of(r));
    if (r->float_count)
        print_floats(out, r);
    print_csrs(out, r);
    if (r->has_ztl)
        fputs("<xi:include href=\"ztl.xml\"/>\n", out);
    fputs("</target>\n", out);
}

char *ztl_gdb_document(const ztl_gdb_registers *r, const char *name)
{
    char *text = NULL;
    size_t size = 0;
    bool target = !strcmp(name, "target.xml");
    if (!target && (!r->has_ztl || strcmp(name, "ztl.xml") != 0))
        return NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (target)
        print_target(out, r);
    else
        ztl_print_gdb_xml(out, ztl_hart_isa_of(r->hart)->ztl_revision);
    fclose(out);
    return text;
}
