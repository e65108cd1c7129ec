/* SPDX-License-Identifier: Apache-2.0
 * ztl run --engine qemu: the program on unmodified QEMU, bare metal or Linux.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "adapters/qemu/machine.h"
#include "adapters/qemu/run.h"
#include "cli/run/run.h"
#include "codec/isa_part.h"
#include "sim/cosim/mirror.h"

/* The hart that stands for QEMU's: our base, and the Ztl of --isa. */
bool run_choose_isa(run *r, run_options *options)
{
    bool is_32 = ztl_program_xlen(r->program) == 32;
    size_t length = (size_t)snprintf(r->isa, sizeof r->isa, "rv%ugc_zba_zbb_zbs%s", is_32 ? 32 : 64,
                                     options->has_isa ? "" : "_ztl");
    r->qemu_isa = options->has_isa ? options->machine.config.isa : NULL;
    for (const char *name = r->qemu_isa ? r->qemu_isa : ""; *name;) {
        size_t size = strcspn(name, "_");
        if (ztl_isa_part_is_ours(name, size) && length < sizeof r->isa)
            length +=
                (size_t)snprintf(r->isa + length, sizeof r->isa - length, "_%.*s", (int)size, name);
        name += size + (name[size] == '_');
    }
    if (length >= sizeof r->isa) {
        run_complain("--isa: the string is too long");
        return false;
    }
    options->machine.config.isa = r->isa;
    return true;
}

void run_print_qemu_stats(const run *r, FILE *out)
{
    ztl_qemu_report(&r->qemu_statistics, r->options->json, out);
}

/* ---- Bare metal -------------------------------------------------------------------------- */

bool run_share_memory(run *r)
{
    ztl_error error;
    r->memory = ztl_qemu_share(r->hart, &error);
    if (r->memory < 0)
        run_complain("%s", error.text);
    return r->memory >= 0;
}

/* What the program has written is seen while it computes. */
static int wait_for_qemu(void *context, int file, int milliseconds)
{
    (void)context;
    int ready = run_wait(file, 0);
    if (ready)
        return ready;
    fflush(stdout);
    return run_wait(file, milliseconds);
}

run_end run_machine(run *r)
{
    const run_options *options = r->options;
    ztl_qemu_machine machine = {.hart = r->hart,
                                .host = r->host,
                                .memory = r->memory,
                                .isa = r->qemu_isa,
                                .l1m = options->machine.config.l1m,
                                .l0m = options->machine.config.l0m,
                                .max_insns = options->max_insns,
                                .wait = wait_for_qemu,
                                .context = r};
    ztl_qemu_end end;
    ztl_error error;
    run_find_library_handler(r, &machine.library_handler);
    bool ok = ztl_qemu_run_machine(&machine, &end, &error);
    if (!ok)
        run_complain("%s", error.text);
    r->qemu_statistics = end.statistics;
    r->pc_is_unknown = !end.knows_pc;
    switch (end.stop) {
    case ZTL_STOP_EXIT:
        return (run_end){.stop = end.stop, .code = ztl_hart_exit_code(r->hart)};
    case ZTL_STOP_TRAP:
    case ZTL_STOP_TRAP_LOOP:
        return (run_end){.stop = end.stop, .status = RUN_TRAPPED};
    case ZTL_STOP_WFI:
        return (run_end){.stop = end.stop, .status = RUN_ASLEEP};
    case ZTL_STOP_LIMIT:
        return (run_end){.stop = end.stop, .status = RUN_LIMIT};
    default:
        return run_stopped();
    }
}

/* ---- Linux ------------------------------------------------------------------------------- */

static const char *needs_bare_metal(const run_options *options)
{
    const struct {
        bool given;
        const char *name;
    } only[] = {{options->directory, "--dir"},
                {options->entry, "--entry"},
                {options->signature, "--signature"},
                {options->machine.config.l1m.size, "--l1m"},
                {options->machine.config.l0m.size, "--l0m"}};
    for (size_t i = 0; i < sizeof only / sizeof only[0]; i++)
        if (only[i].given)
            return only[i].name;
    return NULL;
}

static bool can_run_linux(const run *r)
{
    const char *option = needs_bare_metal(r->options);
    if (ztl_program_xlen(r->program) == 32)
        run_complain("%s: is a Linux program of 32 bits; QEMU runs those of 64 bits with Ztl",
                     r->options->file);
    else if (option)
        run_complain("%s: is a Linux program; on QEMU, %s is for bare metal", r->options->file,
                     option);
    else
        return true;
    return false;
}

/* Which access a base instruction made; the signal says only that it failed. */
static uint64_t cause_of_fault(uint64_t signal, uint32_t word, unsigned length)
{
    if (signal == SIGILL)
        return ZTL_CAUSE_ILLEGAL;
    if (!length)
        return ZTL_CAUSE_FETCH_FAULT;
    unsigned opcode = word & 0x7f;
    bool is_store =
        length == 2 ? (word >> 13 & 7) >= 5 : opcode == 0x23 || opcode == 0x27 || opcode == 0x2f;
    if (signal == SIGBUS)
        return is_store ? ZTL_CAUSE_STORE_MISALIGNED : ZTL_CAUSE_LOAD_MISALIGNED;
    return is_store ? ZTL_CAUSE_STORE_FAULT : ZTL_CAUSE_LOAD_FAULT;
}

/* As if the program had been loaded where it was linked for. */
static void note_death(run *r, const ztl_death *death)
{
    uint64_t moved = death->entry - ztl_program_entry(r->program);
    uint32_t word = (uint32_t)death->code[0] | (uint32_t)death->code[1] << 8 |
                    (uint32_t)death->code[2] << 16 | (uint32_t)death->code[3] << 24;
    bool was_fetched = death->signal == SIGILL || death->address - death->pc >= sizeof death->code;
    unsigned length = was_fetched ? ztl_hart_insn_length(word) : 0;
    bool is_ztl = death->ztl.status == ZTL_TRAP;
    ztl_trap trap = {.pc = death->pc - moved,
                     .word = word,
                     .length = (uint8_t)length,
                     .cause =
                         is_ztl ? death->ztl.cause : cause_of_fault(death->signal, word, length),
                     .tval = is_ztl ? death->ztl.tval : death->address,
                     .ztl = death->ztl};
    for (unsigned i = 1; i < 32; i++)
        ztl_hart_set_x(r->hart, i, death->x[i]);
    ztl_hart_set_x(r->hart, 1, death->x[1] - moved);
    ztl_mirror_trap(r->hart, &trap);
    ztl_csr_values_give(&death->csrs, ztl_hart_ztl(r->hart));
}

/* Says what no status can. */
static int conclude_linux(run *r, const ztl_qemu_result *result)
{
    run_end end = {.stop = ZTL_STOP_HOST};
    if (result->timed_out) {
        end.status = RUN_TIMEOUT;
    } else if (result->is_limited) {
        end = (run_end){.stop = ZTL_STOP_LIMIT, .status = RUN_LIMIT};
    } else if (result->death.signal && result->status == 128 + (int)result->death.signal) {
        note_death(r, &result->death);
        end = (run_end){.stop = ZTL_STOP_TRAP, .status = (enum run_status)result->status};
    } else if (result->status == 128 + SIGILL) {
        run_complain("the program was ended by an illegal instruction; a static one needs "
                     "libztl-trap linked in (doc/qemu.md)");
    }
    r->pc_is_unknown = true;
    run_report_end(r, &end);
    return end.status ? (int)end.status : result->status;
}

int run_linux(run *r, run_options *options)
{
    ztl_error error;
    if (!can_run_linux(r) || !run_choose_isa(r, options))
        return ZTL_EXIT_FAILURE;
    ztl_qemu_options qemu = {.program = options->file,
                             .arguments = (const char *const *)options->argument,
                             .environment = options->environment,
                             .isa = r->qemu_isa,
                             .max_insns = options->max_insns == UINT64_MAX ? 0 : options->max_insns,
                             .timeout = options->timeout};
    ztl_qemu_result result;
    if (!ztl_qemu_run(&qemu, &result, &error)) {
        run_complain("%s", error.text);
        return ZTL_EXIT_FAILURE;
    }
    if (!(r->hart = ztl_machine_create(&options->machine, "ztl run")))
        return ZTL_EXIT_FAILURE;
    r->qemu_statistics = result.statistics;
    int status = conclude_linux(r, &result);
    return run_write_outputs(r, NULL) ? status : ZTL_EXIT_FAILURE;
}
