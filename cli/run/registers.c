/* SPDX-License-Identifier: Apache-2.0
 * ztl run --registers.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/run/run.h"
#include "codec/gpr.h"
#include "sim/privileged/csr.h"

/* Names and values beside one another: as many as fit a terminal of 80 columns. */
typedef struct table {
    FILE *out;
    int digits;
    unsigned columns, column;
} table;

static void print_cell(table *t, const char *name, int name_width, uint64_t value)
{
    fprintf(t->out, "  %-*s 0x%0*" PRIx64, name_width, name, t->digits, value);
    if (++t->column == t->columns) {
        fputc('\n', t->out);
        t->column = 0;
    }
}

static void end_row(table *t)
{
    if (t->column)
        fputc('\n', t->out);
    t->column = 0;
}

void run_print_integers(const run *r, FILE *out)
{
    enum { NAME = 4 };
    unsigned xlen = ztl_hart_isa_of(r->hart)->xlen;
    table t = {.out = out, .digits = (int)xlen / 4, .columns = xlen == 64 ? 3 : 4};
    print_cell(&t, "pc", NAME, ztl_hart_pc(r->hart));
    end_row(&t);
    for (unsigned i = 0; i < 32; i++)
        print_cell(&t, ztl_gpr_name(i), NAME, ztl_hart_x(r->hart, i));
    end_row(&t);
}

void run_print_floats(const run *r, FILE *out)
{
    enum { NAME = 4 };
    unsigned flen = ztl_hart_flen(r->hart);
    table t = {.out = out, .digits = (int)flen / 4, .columns = flen == 64 ? 3 : 4};
    uint64_t fcsr = 0;
    ztl_hart_debug_csr_read(r->hart, CSR_FCSR, &fcsr);
    for (unsigned i = 0; i < 32; i++)
        print_cell(&t, ztl_fpr_name(i), NAME, ztl_hart_f(r->hart, i));
    t.digits = 8;
    print_cell(&t, "fcsr", NAME, fcsr);
    end_row(&t);
}

/* Whether floating point is switched on. */
static bool has_floats(const run *r)
{
    uint64_t mstatus;
    return ztl_hart_flen(r->hart) && ztl_hart_debug_csr_read(r->hart, CSR_MSTATUS, &mstatus) &&
           mstatus & MSTATUS_FS;
}

static bool read_csr(const run *r, unsigned address, char *name, size_t size, uint64_t *value)
{
    return ztl_hart_csr_name(r->hart, address, name, size) &&
           ztl_hart_debug_csr_read(r->hart, address, value);
}

/* CSRs that are numbered: the name of the first of each row. */
static void print_numbered(const run *r, const ztl_csr_row *row)
{
    enum { NAME = 17, ROW = 4 };
    for (unsigned i = 0; i < row->count; i++) {
        char name[64];
        uint64_t value;
        if (!read_csr(r, row->address + i, name, sizeof name, &value))
            return;
        if (i % ROW == 0)
            fprintf(stderr, "  %-*s", NAME, name);
        fprintf(stderr, " 0x%08" PRIx64 "%s", value, i % ROW == ROW - 1 ? "\n" : "");
    }
}

void run_print_registers(const run *r)
{
    enum { NAME = 17 };
    const ztl_csr_row *row;
    table t = {.out = stderr, .digits = 8, .columns = 2};
    run_print_integers(r, stderr);
    if (has_floats(r))
        run_print_floats(r, stderr);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        char name[64];
        uint64_t value;
        if (row->count == 1 && read_csr(r, row->address, name, sizeof name, &value))
            print_cell(&t, name, NAME, value);
    }
    end_row(&t);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        if (row->count > 1)
            print_numbered(r, row);
}
