/* SPDX-License-Identifier: Apache-2.0
 * The instructions of a plan, one after the other.
 */
#include "cli/op/output/listing.h"

#include <inttypes.h>
#include <stdio.h>

#include <ztl/hart.h>

#include "host/error.h"

/* A buffer in the hart's memory. */
typedef struct place {
    uint64_t at;
    char name[32];
} place;

typedef struct listing {
    const ops_job *job;
    unsigned most;
    uint64_t printed;
    bool cut;
    uint64_t scratch;
    place place[2 * ZTL_OPS_BUFFERS + 1];
    size_t places;
    ztl_observer observer;
} listing;

/* The register that an instruction has for an address or a shape; 0: none. */
static unsigned register_of(const ztl_insn *insn)
{
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn->row->format, k)); k++)
        if (operand->kind == ZTL_KIND_GPR || operand->kind == ZTL_KIND_BASE)
            return (unsigned)insn->operand[k];
    return 0;
}

/* An address as a place in a buffer. Slices may lie before it, in strides: the nearest one counts.
 */
static void print_address(const listing *l, uint64_t address)
{
    const place *best = NULL;
    for (size_t i = 0; i < l->places; i++)
        if (address >= l->place[i].at && (!best || l->place[i].at > best->at))
            best = &l->place[i];
    if (best)
        printf("%s + %" PRIu64, best->name, address - best->at);
    else
        printf("0x%" PRIx64, address);
}

static void print_insn(const listing *l, ztl_hart *hart, const ztl_insn *insn)
{
    char text[80];
    unsigned reg = register_of(insn);
    bool moves = insn->row->op == ZTL_OP_LOAD || insn->row->op == ZTL_OP_STORE ||
                 insn->row->op == ZTL_OP_MLOAD || insn->row->op == ZTL_OP_MSTORE;
    ztl_disassemble(2, insn->word, text, sizeof text);
    printf(reg ? "%-34s # " : "%s", text);
    if (reg && moves)
        print_address(l, ztl_hart_x(hart, reg));
    else if (reg)
        printf("0x%" PRIx64, ztl_hart_x(hart, reg));
    putchar('\n');
}

static void print_csr(const ztl_csr_change *change)
{
    char name[48];
    ztl_csr_name(2, change->address, name, sizeof name);
    printf("csrw %s, 0x%" PRIx64 "\n", name, change->value);
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    listing *l = context;
    bool is_csr = !event->ztl && event->csr_count && ztl_isa_csr_at(2, event->csr->address, NULL);
    if ((!event->ztl && !is_csr) || event->trapped)
        return;
    if (l->most && l->printed == l->most) {
        l->cut = true;
        ztl_hart_request_stop(hart);
        return;
    }
    l->printed++;
    printf("%8" PRIu64 "  ", l->printed);
    if (event->ztl)
        print_insn(l, hart, event->ztl);
    else
        print_csr(event->csr);
}

static void add_places(listing *l, ztl_hart *hart, uint64_t array, const char *name, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        place *p = &l->place[l->places++];
        ztl_hart_read_memory(hart, array + 8 * i, &p->at, sizeof p->at);
        snprintf(p->name, sizeof p->name, "%s %zu", name, i);
    }
}

/* Called as ztl_ops_run_plan is: the plan, the addresses of inputs and outputs, scratch memory. */
static void watch(void *context, ztl_hart *hart)
{
    listing *l = context;
    add_places(l, hart, ztl_hart_x(hart, 11), "input", l->job->inputs);
    add_places(l, hart, ztl_hart_x(hart, 12), "output", l->job->outputs);
    if (l->scratch)
        l->place[l->places++] = (place){.at = ztl_hart_x(hart, 13), .name = "scratch"};
    l->observer = (ztl_observer){l, happened};
    ztl_hart_set_observer(hart, &l->observer);
}

bool ztl_op_print_listing(const ops_job *job, const ztl_ops_plan *plan, unsigned most,
                          ztl_error *error)
{
    void *none[ZTL_OPS_BUFFERS] = {NULL};
    ops_job other = *job;
    listing l = {.job = job, .most = most, .scratch = ztl_ops_scratch_bytes(plan)};
    uint64_t retired;
    other.target = none;
    other.watch = watch;
    other.watcher = &l;
    bool good = ztl_ops_sim_run(&other, plan, &retired, error);
    if (!l.cut)
        return good;
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    uint64_t all = ztl_ops_total(&stats) + stats.csr;
    printf("... of %" PRIu64 "; --list=0 prints all\n", all);
    return true;
}
