/* SPDX-License-Identifier: Apache-2.0
 * ztl run --dump: tensor registers as grids, other registers with their values.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "codec/gpr.h"
#include "host/command/terminal.h"

static bool is_register(const char *text, int (*index)(const char *, size_t),
                        enum run_view_kind kind, run_view *view)
{
    int found = index(text, strlen(text));
    if (found < 0 || found >= 32)
        return false;
    view->kind = kind;
    view->index = (unsigned)found;
    return true;
}

bool run_view_parse(const char *text, run_view *view, ztl_error *error)
{
    *view = (run_view){.kind = RUN_VIEW_CSR, .name = text};
    if (!strcmp(text, "x"))
        view->kind = RUN_VIEW_ALL_X;
    else if (!strcmp(text, "f"))
        view->kind = RUN_VIEW_ALL_F;
    else if (!strcmp(text, "pc"))
        view->kind = RUN_VIEW_PC;
    else if (is_register(text, ztl_gpr_index, RUN_VIEW_X, view) ||
             is_register(text, ztl_fpr_index, RUN_VIEW_F, view))
        return true;
    else if (strpbrk(text, ":+") || (!strncmp(text, "tl", 2) && text[2] >= '0' && text[2] <= '9')) {
        view->kind = RUN_VIEW_TENSOR;
        return ztl_view_parse(text, &view->view, error);
    }
    return true;
}

bool run_check_view(const run *r, run_view *view)
{
    uint64_t value;
    bool is_float = view->kind == RUN_VIEW_F || view->kind == RUN_VIEW_ALL_F;
    if (is_float && ztl_hart_flen(r->hart) == 0)
        run_complain("--dump: %s: the hart has no floating-point registers", view->name);
    else if (view->kind == RUN_VIEW_CSR &&
             (!ztl_hart_csr_address(r->hart, view->name, &view->index) ||
              !ztl_hart_debug_csr_read(r->hart, view->index, &value)))
        run_complain(
            "--dump: the hart has no register '%s': tl0 to tl31, x0 to x31, f0 to f31, pc, "
            "a CSR, or x or f for all of them",
            view->name);
    else
        return true;
    return false;
}

static double half_value(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 0x1f);
    double fraction = (double)(bits & 0x3ff), sign = bits >> 15 & 1 ? -1 : 1;
    if (exponent == 0x1f)
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * ldexp(exponent ? fraction + 0x400 : fraction, (exponent ? exponent : 1) - 25);
}

/* By the ones above it, a value is half, single or, in 64 bits, double. */
static void print_float(unsigned flen, uint64_t bits)
{
    uint64_t all = flen == 64 ? UINT64_MAX : UINT32_MAX;
    float single;
    double wide;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    printf("0x%0*" PRIx64, (int)flen / 4, bits);
    if ((bits | 0xffff) == all)
        printf(" half %.5g\n", half_value(bits));
    else if (flen == 32 || (bits | UINT32_MAX) == all)
        printf(" single %.9g\n", (double)single);
    else
        printf(" double %.17g\n", wide);
}

static void print_integer(const run *r, uint64_t bits)
{
    unsigned xlen = ztl_hart_isa_of(r->hart)->xlen;
    int64_t value = xlen == 32 ? (int32_t)bits : (int64_t)bits;
    printf("0x%0*" PRIx64 " %" PRId64 "\n", (int)xlen / 4, bits, value);
}

static void print_word(uint64_t bits)
{
    printf("0x%0*" PRIx64 "\n", bits > UINT32_MAX ? 16 : 8, bits);
}

static void print_csr(const run *r, unsigned address)
{
    uint64_t value = 0;
    ztl_hart_debug_csr_read(r->hart, address, &value);
    print_word(value);
}

/* The width of what standard output is: a terminal's own, else 80 columns. */
static unsigned output_width(void)
{
    enum { NARROW = 20 };
    size_t width = ztl_terminal_columns(stdout);
    return width >= NARROW ? (unsigned)width : 0;
}

void run_show_view(const run *r, const run_view *view)
{
    bool colour = ztl_terminal_colours(stdout);
    bool is_one = view->kind != RUN_VIEW_ALL_X && view->kind != RUN_VIEW_ALL_F;
    if (view->kind != RUN_VIEW_TENSOR)
        printf("%s%s", view->name, is_one ? " " : "\n");
    switch (view->kind) {
    case RUN_VIEW_TENSOR:
        ztl_view_print(&view->view, ztl_hart_ztl(r->hart), colour, output_width(), stdout);
        break;
    case RUN_VIEW_X:
        print_integer(r, ztl_hart_x(r->hart, view->index));
        break;
    case RUN_VIEW_F:
        print_float(ztl_hart_flen(r->hart), ztl_hart_f(r->hart, view->index));
        break;
    case RUN_VIEW_PC:
        print_word(ztl_hart_pc(r->hart));
        break;
    case RUN_VIEW_CSR:
        print_csr(r, view->index);
        break;
    case RUN_VIEW_ALL_X:
        run_print_integers(r, stdout);
        break;
    case RUN_VIEW_ALL_F:
        run_print_floats(r, stdout);
        break;
    }
}
