/* SPDX-License-Identifier: Apache-2.0
 * How a process starts: its memory, and the stack with its arguments.
 */
#include <inttypes.h>
#include <string.h>

#include "host/error.h"
#include "sim/linux/process.h"
#include "sim/privileged/csr.h"
#include "sim/program/program.h"

/* The addresses of a process of 32 bits are below the kernel's. */
#define NARROW_END (UINT64_C(1) << 31)

enum { SP = 2, GUARD = 1 << 20, SMALLEST = 64 << 20, STRINGS = 1 << 20, RANDOM_BYTES = 16 };

/* What the kernel tells a program about itself. */
enum auxiliary {
    AT_NULL_ = 0,
    AT_PHDR_ = 3,
    AT_PHENT_ = 4,
    AT_PHNUM_ = 5,
    AT_PAGESZ_ = 6,
    AT_BASE_ = 7,
    AT_FLAGS_ = 8,
    AT_ENTRY_ = 9,
    AT_UID_ = 11,
    AT_EUID_ = 12,
    AT_GID_ = 13,
    AT_EGID_ = 14,
    AT_HWCAP_ = 16,
    AT_CLKTCK_ = 17,
    AT_SECURE_ = 23,
    AT_RANDOM_ = 25,
    AT_EXECFN_ = 31,
};

bool ztl_linux_window(const ztl_program *program, uint64_t size, ztl_window *window,
                      ztl_error *error)
{
    const ztl_complaint complaint = {program->path, error};
    uint64_t base = page_down(program->segment[0].virtual), end = ztl_program_end(program);
    size = page_down(size);
    for (size_t i = 0; i < program->segment_count; i++)
        if (program->segment[i].virtual != program->segment[i].physical)
            return ztl_complain(&complaint, "segment %zu of a Linux program has two addresses",
                                program->segment[i].header);
    if (size < SMALLEST || end - base > size - SMALLEST / 2)
        return ztl_complain(&complaint,
                            "needs more memory than 0x%" PRIx64 " bytes; give it some with --mem",
                            size);
    const uint64_t most = program->xlen == 64 ? USER_END : NARROW_END;
    if (program->xlen == 32 && base < most && size > most - base)
        size = page_down(most - base);
    if (size > most || base > most - size)
        return ztl_complain(&complaint, "is linked for 0x%" PRIx64 ", where no program can be",
                            base);
    *window = (ztl_window){base, size};
    return true;
}

uint64_t ztl_linux_random(ztl_linux *l)
{
    uint64_t z = l->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t ztl_linux_letters(const ztl_linux *l)
{
    uint64_t misa = 0;
    ztl_csr_get(l->hart, CSR_MISA, &misa);
    return misa & (1 << ('i' - 'a') | 1 << ('m' - 'a') | 1 << ('a' - 'a') | 1 << ('f' - 'a') |
                   1 << ('d' - 'a') | 1 << ('c' - 'a'));
}

static unsigned use_of(unsigned flags)
{
    return (flags & PF_R ? USE_LOAD : 0) | (flags & PF_W ? USE_LOAD | USE_STORE : 0) |
           (flags & PF_X ? USE_FETCH : 0);
}

/* A page of two segments may be used for what either may. */
static bool map_segments(ztl_linux *l, const ztl_program *program)
{
    uint64_t last = 0;
    unsigned last_use = 0;
    for (size_t i = 0; i < program->segment_count; i++) {
        const ztl_segment *s = &program->segment[i];
        uint64_t start = page_down(s->virtual), end = page_up(s->virtual + s->memory_size);
        unsigned use = use_of(s->flags);
        if (!ztl_linux_map(l, start, end, use) ||
            (start < last && !ztl_linux_map(l, start, last, use | last_use)))
            return false;
        last = end;
        last_use = use;
    }
    l->first_break = l->current_break = page_up(ztl_program_end(program));
    return true;
}

/* Functions within functions are called through code that gcc puts there. */
static bool map_stack(ztl_linux *l, const ztl_program *program)
{
    uint64_t end = l->space.base + l->space.size - PAGE;
    l->top = end - STACK_SIZE - GUARD;
    return ztl_linux_map(l, end - STACK_SIZE, end,
                         USE_LOAD | USE_STORE | (program->has_code_on_stack ? USE_FETCH : 0));
}

/* Handlers of signals return to code above the stack, as that of the kernel's own page:
 * li a7, 139 (rt_sigreturn); ecall. Those who walk the stack know it by these words. */
static bool map_way_back(ztl_linux *l)
{
    static const uint8_t code[] = {0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00};
    l->way_back = l->space.base + l->space.size - PAGE;
    return ztl_linux_map(l, l->way_back, l->way_back + PAGE, USE_LOAD | USE_FETCH) &&
           ztl_hart_write_memory(l->hart, l->way_back, code, sizeof code) == sizeof code;
}

/* The stack while it is filled, downwards. */
typedef struct stack {
    ztl_linux *l;
    uint64_t sp;
} stack;

static uint64_t push(stack *s, const void *bytes, size_t size)
{
    s->sp -= size;
    ztl_linux_put(s->l, s->sp, bytes, size);
    return s->sp;
}

static void push_word(stack *s, uint64_t value)
{
    uint8_t word[8];
    put_word(s->l, word, 0, value);
    push(s, word, word_size(s->l));
}

static void push_pair(stack *s, enum auxiliary what, uint64_t value)
{
    push_word(s, value);
    push_word(s, (uint64_t)what);
}

static size_t count_of(const char *const *list)
{
    size_t count = 0;
    while (list && list[count])
        count++;
    return count;
}

static uint64_t size_of(const char *const *list)
{
    uint64_t size = 0;
    for (size_t i = 0; list && list[i]; i++)
        size += strlen(list[i]) + 1 + sizeof(uint64_t);
    return size;
}

/* The texts at the top of the stack, the first of a list lowest; returns where that is. */
static uint64_t push_texts(stack *s, const char *const *list)
{
    for (size_t i = count_of(list); i-- > 0;)
        push(s, list[i], strlen(list[i]) + 1);
    return s->sp;
}

static void push_addresses(stack *s, const char *const *list, uint64_t first)
{
    push_word(s, 0);
    uint64_t size = 0, count = count_of(list);
    for (size_t i = 0; i < count; i++)
        size += strlen(list[i]) + 1;
    for (size_t i = count; i-- > 0;) {
        size -= strlen(list[i]) + 1;
        push_word(s, first + size);
    }
}

/* Where the program headers are in memory; 0: nowhere. */
static uint64_t headers_of(const ztl_program *program)
{
    for (size_t i = 0; i < program->segment_count; i++) {
        const ztl_segment *s = &program->segment[i];
        if (program->headers - s->offset < s->file_size)
            return s->virtual + (program->headers - s->offset);
    }
    return 0;
}

static void push_auxiliary(stack *s, const ztl_program *program, uint64_t name, uint64_t random)
{
    push_pair(s, AT_NULL_, 0);
    push_pair(s, AT_EXECFN_, name);
    push_pair(s, AT_RANDOM_, random);
    push_pair(s, AT_SECURE_, 0);
    push_pair(s, AT_CLKTCK_, 100);
    push_pair(s, AT_HWCAP_, ztl_linux_letters(s->l));
    push_pair(s, AT_EGID_, USER);
    push_pair(s, AT_GID_, USER);
    push_pair(s, AT_EUID_, USER);
    push_pair(s, AT_UID_, USER);
    push_pair(s, AT_ENTRY_, program->entry);
    push_pair(s, AT_FLAGS_, 0);
    push_pair(s, AT_BASE_, 0);
    push_pair(s, AT_PAGESZ_, PAGE);
    push_pair(s, AT_PHNUM_, program->header_count);
    push_pair(s, AT_PHENT_, word_size(s->l) == 8 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
    push_pair(s, AT_PHDR_, headers_of(program));
}

static void fill_stack(ztl_linux *l, const ztl_program *program)
{
    enum { PAIRS = 17 };
    const char *const *argument = l->config.argument, *const *environment = l->config.environment;
    stack s = {l, l->space.base + l->space.size - PAGE};
    uint8_t random[RANDOM_BYTES];
    put64(random, ztl_linux_random(l));
    put64(random + 8, ztl_linux_random(l));
    push_word(&s, 0);
    uint64_t environment_at = push_texts(&s, environment);
    uint64_t argument_at = push_texts(&s, argument);
    uint64_t random_at = push(&s, random, sizeof random);
    size_t words = 2 * PAIRS + count_of(environment) + 1 + count_of(argument) + 1 + 1;
    s.sp &= ~UINT64_C(15);
    /* argc is where the stack is aligned */
    s.sp -= (16 - words * word_size(l) % 16) % 16;
    push_auxiliary(&s, program, argument_at, random_at);
    push_addresses(&s, environment, environment_at);
    push_addresses(&s, argument, argument_at);
    push_word(&s, count_of(argument));
    ztl_hart_set_x(l->hart, SP, s.sp);
}

/* The hart as the kernel leaves it to a program: counters and floats are there. */
static void set_up_hart(ztl_linux *l)
{
    const uint64_t float_initial = UINT64_C(1) << 13, counters = 7;
    uint64_t status = 0;
    ztl_csr_get(l->hart, CSR_MSTATUS, &status);
    ztl_csr_set(l->hart, CSR_MSTATUS, status | float_initial);
    ztl_csr_set(l->hart, CSR_MCOUNTEREN, counters);
    ztl_hart_set_privilege(l->hart, ZTL_USER);
    ztl_hart_set_trap_policy(l->hart, ZTL_TRAP_STOP_ALWAYS);
    const ztl_hart_hooks hooks = {.context = l,
                                  .user_call = ztl_linux_serve,
                                  .turn = ztl_linux_turn,
                                  .threads = ztl_linux_list_threads,
                                  .show_thread = ztl_linux_show_thread};
    ztl_hart_set_hooks(l->hart, &hooks);
}

bool ztl_linux_start(ztl_linux *l, const ztl_program *program, ztl_hart *hart, ztl_error *error)
{
    const ztl_complaint complaint = {program->path, error};
    const ztl_ram *ram = ztl_hart_ram(hart, 0);
    l->hart = hart;
    l->space = (ztl_window){ram->base, ram->size};
    if (size_of(l->config.argument) + size_of(l->config.environment) > STRINGS)
        return ztl_complain(&complaint, "its arguments and environment take more than 1 MiB");
    if (!ztl_program_load(program, hart, error))
        return false;
    if (!map_segments(l, program) || !map_stack(l, program) || !map_way_back(l))
        return ztl_complain(&complaint, "has too many segments");
    fill_stack(l, program);
    set_up_hart(l);
    return true;
}
