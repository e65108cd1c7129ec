/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics on a machine that is no RISC-V: each thread has a hart.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include <ztl/intrin/range.h>

#include "codec/text.h"
#include "intrin/thread_hart.h"

_Thread_local thread_hart *ztl_this_hart;
static tss_t at_thread_end;
static bool has_key;
static once_flag once = ONCE_FLAG_INIT;

static void release(void *hart)
{
    ztl_this_hart = NULL;
    free(hart);
}

static void create_key(void)
{
    has_key = tss_create(&at_thread_end, release) == thrd_success;
}

/* All zero when it is new. */
bool ztl_intrin_prepare(void)
{
    if (ztl_this_hart)
        return true;
    call_once(&once, create_key);
    thread_hart *hart = has_key ? aligned_alloc(_Alignof(thread_hart), sizeof *hart) : NULL;
    if (!hart || tss_set(at_thread_end, hart) != thrd_success) {
        free(hart);
        return false;
    }
    memset(hart, 0, sizeof *hart);
    ztl_this_hart = hart;
    return true;
}

static thread_hart *own_hart(void)
{
    if (ztl_intrin_prepare())
        return ztl_this_hart;
    fprintf(stderr, "ztl: no memory for a hart\n");
    abort();
}

/* The program's own memory, but for the first page, where no object is: a NULL pointer is an
 * access fault. What else is not mapped faults as any access of the program would. */
enum { FIRST_ADDRESS = 4096 };
static const ztl_ram everything = {FIRST_ADDRESS, UINT64_MAX - FIRST_ADDRESS,
                                   (uint8_t *)(uintptr_t)FIRST_ADDRESS};
const ztl_memory ztl_program_memory = {.ram = &everything, .ram_count = 1};

enum ztl_status ztl_intrin_init(const ztl_config *config)
{
    thread_hart *hart = own_hart();
    enum ztl_status status = ztl_init(&hart->state, config);
    if (status == ZTL_OK)
        status = ztl_attach_accelerator(&hart->state, &hart->fast, hart->bodies);
    hart->ready = hart->ready || status == ZTL_OK;
    ztl_recorder_reset(&hart->recorder);
    return status;
}

static thread_hart *new_hart(unsigned revision)
{
    thread_hart *hart = own_hart();
    ztl_config config = ztl_default_config();
    config.revision = revision;
    config.subsets = ztl_subsets_of(revision);
    ztl_intrin_init(&config);
    hart->ready = true;
    return hart;
}

/* The hart, at reset with all of a revision when this is its first use. */
static inline thread_hart *hart_of(unsigned revision)
{
    thread_hart *hart = ztl_this_hart;
    return hart && hart->ready ? hart : new_hart(revision);
}

/* What was found out about the loop in progress may not hold any more. */
static void csr_written(thread_hart *hart)
{
    if (hart->recorder.loop)
        ztl_loop_csr_written(hart->recorder.loop);
}

enum ztl_status ztl_intrin_use_bodies(const char *name)
{
    thread_hart *hart = own_hart(); /* maybe not ready: its first intrinsic decides its revision */
    enum ztl_status status = ztl_attach_accelerator(&hart->state, &hart->fast, name);
    if (status == ZTL_OK)
        hart->bodies = ztl_bodies_in_use(&hart->state);
    csr_written(hart);
    return status;
}

ztl_state *ztl_intrin_state(void)
{
    return &hart_of(ZTL_REVISIONS)->state;
}

void ztl_intrin_set_trap_handler(ztl_intrin_handler *handler, void *context)
{
    thread_hart *hart = own_hart();
    hart->handler = handler;
    hart->context = context;
}

/* The text of the instruction: Ztl's own, or the Zicsr one behind a CSR intrinsic. */
static void add_instruction(ztl_text *out, const ztl_intrin_site *site)
{
    static const char *const csr_mnemonics[] = {"", "csrrw", "csrrs", "csrrc"};
    char text[64], name[32];
    if (site->id != ZTL_INSNS) {
        ztl_disassemble(site->revision, site->word, text, sizeof text);
        ztl_text_add(out, text);
        return;
    }
    ztl_text_add(out, csr_mnemonics[site->word >> 12 & 3]);
    ztl_text_add(out, " ");
    if (ztl_csr_name(ZTL_REVISIONS, site->word >> 20, name, sizeof name))
        ztl_text_add(out, name);
    else
        ztl_text_hex(out, site->word >> 20, 3);
}

size_t ztl_intrin_describe(const ztl_intrin_trap *trap, char *text, size_t size)
{
    const ztl_intrin_site *site = trap->site;
    char reason[160];
    ztl_explain(&trap->result, reason, sizeof reason);
    ztl_text out = ztl_text_in(text, size);
    ztl_text_add(&out, site->file);
    ztl_text_char(&out, ':');
    ztl_text_decimal(&out, site->line);
    ztl_text_add(&out, ": in ");
    ztl_text_add(&out, site->function);
    ztl_text_add(&out, ": ");
    add_instruction(&out, site);
    ztl_text_add(&out, " traps: ");
    ztl_text_add(&out, reason);
    ztl_text_add(&out, " (a0 = ");
    ztl_text_hex(&out, trap->a0, 1);
    ztl_text_add(&out, ", a1 = ");
    ztl_text_hex(&out, trap->a1, 1);
    ztl_text_char(&out, ')');
    return out.length;
}

static enum ztl_intrin_resume print_and_abort(const ztl_intrin_trap *trap, void *context)
{
    (void)context;
    char text[512];
    ztl_intrin_describe(trap, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    abort();
}

/* Whether the instruction is to be executed again. */
static bool handle(const thread_hart *hart, const ztl_intrin_site *site, const ztl_result *result)
{
    ztl_intrin_trap trap = {site, *result, hart->x[ZTL_INTRIN_A0], hart->x[ZTL_INTRIN_A1]};
    ztl_intrin_handler *handler = hart->handler ? hart->handler : print_and_abort;
    return handler(&trap, hart->context) == ZTL_INTRIN_AGAIN;
}

static bool is_of(const ztl_intrin_site *site, const thread_hart *hart)
{
    return site->revision == hart->state.config.revision;
}

/* The operands are known, so decoding is only needed on a hart of the other revision, where the
 * word means something else, and after a trap. */
static ztl_insn insn_of(const ztl_intrin_site *site)
{
    const int32_t *operand = site->operand;
    return (ztl_insn){
        ztl_isa_insn(site->id), site->word, {operand[0], operand[1], operand[2], operand[3]}};
}

static void execute_with_traps(thread_hart *hart, const ztl_intrin_site *site, uint64_t a0,
                               uint64_t a1)
{
    ztl_result result;
    do {
        hart->x[ZTL_INTRIN_A0] = a0;
        hart->x[ZTL_INTRIN_A1] = a1;
        result = ztl_execute(&hart->state, site->word, hart->x, &ztl_program_memory);
    } while (result.status != ZTL_OK && handle(hart, site, &result));
}

void ztl_thread_execute(thread_hart *hart, const ztl_intrin_site *site, const ztl_insn *insn,
                        uint64_t a0, uint64_t a1)
{
    const ztl_step step = {&hart->state, insn, hart->x, &ztl_program_memory};
    hart->x[ZTL_INTRIN_A0] = a0;
    hart->x[ZTL_INTRIN_A1] = a1;
    if (!ztl_try_fast(&step))
        execute_with_traps(hart, site, a0, a1);
}

void ztl_intrin_execute(const ztl_intrin_site *site, uint64_t a0, uint64_t a1)
{
    thread_hart *hart = hart_of(site->revision);
    ztl_insn insn = insn_of(site);
    if (hart->recorder.recording && ztl_thread_record(hart, site, &insn, a0, a1))
        return;
    if (is_of(site, hart))
        ztl_thread_execute(hart, site, &insn, a0, a1);
    else
        execute_with_traps(hart, site, a0, a1);
}

unsigned long ztl_thread_csr(thread_hart *hart, const ztl_intrin_site *site, uint64_t value)
{
    uint64_t old = 0;
    ztl_result result;
    hart->x[ZTL_INTRIN_A1] = value;
    while (!ztl_csr_access(&hart->state, site->word, hart->x, &old)) {
        result = ztl_csr_execute(&hart->state, site->word, hart->x, &old);
        if (!handle(hart, site, &result))
            break;
        hart->x[ZTL_INTRIN_A1] = value;
    }
    return (unsigned long)old;
}

/* csrrw x0, csr, a1 */
static bool only_writes(const ztl_intrin_site *site)
{
    enum { FUNCT3 = 7 << 12, RD = 0x1f << 7 };
    return (site->word & (FUNCT3 | RD)) == ZTL_INTRIN_CSRRW << 12;
}

/* A round may write CSRs, but not read any: the answer is not known while it is recorded. */
static bool record_csr(thread_hart *hart, const ztl_intrin_site *site, uint64_t value)
{
    const ztl_insn insn = {.word = site->word};
    if (only_writes(site))
        return ztl_thread_record(hart, site, &insn, 0, value);
    ztl_thread_leave_rounds(hart);
    return false;
}

unsigned long ztl_intrin_csr(const ztl_intrin_site *site, uint64_t value)
{
    thread_hart *hart = hart_of(site->revision);
    if (hart->recorder.recording && record_csr(hart, site, value))
        return 0;
    csr_written(hart);
    if (only_writes(site) && ztl_csr_put(&hart->state, site->word >> 20, value))
        return 0;
    return ztl_thread_csr(hart, site, value);
}

static void check_strides(const ztl_intrin_site *site, size_t n)
{
    if (n <= ZTL_INTRIN_MAX_STRIDES)
        return;
    fprintf(stderr, "%s:%d: in %s: %zu strides: there are %d\n", site->file, site->line,
            site->function, n, ZTL_INTRIN_MAX_STRIDES);
    abort();
}

void ztl_intrin_strides(const ztl_intrin_site *site, const int32_t *stride, size_t n)
{
    thread_hart *hart = hart_of(site->revision);
    ztl_intrin_site each = *site;
    check_strides(site, n);
    if (hart->recorder.recording)
        ztl_thread_leave_rounds(hart);
    csr_written(hart);
    if (ztl_csr_put_row(&hart->state, site->word >> 20, stride, (unsigned)n))
        return;
    for (size_t i = 0; i < n; i++, each.word += UINT32_C(1) << 20)
        ztl_thread_csr(hart, &each, (uint64_t)stride[i]);
}

void ztl_intrin_strides_linear(const ztl_intrin_site *site, uint64_t start, uint64_t step, size_t n)
{
    int32_t stride[ZTL_INTRIN_MAX_STRIDES];
    check_strides(site, n);
    for (size_t i = 0; i < n; i++)
        stride[i] = (int32_t)(uint32_t)(start + i * step);
    ztl_intrin_strides(site, stride, n);
}
