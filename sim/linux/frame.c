/* SPDX-License-Identifier: Apache-2.0
 * Handlers of signals: a frame on the stack, as Linux lays it out for RISC-V, and the way back.
 * Tensor registers are not part of it, for Linux knows of none.
 */
#include <errno.h>

#include "sim/linux/process.h"
#include "sim/privileged/csr.h"

enum { RA = 1, SP = 2, A0 = 10 };
enum { STACK_IN_USE = 1, STACK_DISABLED = 2 };

/* Places in a frame: siginfo, then the context. */
enum { INFO_SIGNAL = 0, INFO_CODE = 8, CONTEXT = 128, LARGEST = CONTEXT + 960 };

typedef struct frame_layout {
    unsigned
        info; /* the process of a signal that was sent, and its user; or the address of a fault */
    unsigned stack, mask;
    unsigned registers; /* pc, then x1 to x31, each a word */
    unsigned floats;    /* of 8 bytes each, then fcsr */
    unsigned size;      /* with room for Q */
} frame_layout;

static const frame_layout *layout_of(const ztl_linux *l)
{
    static const frame_layout narrow = {
        12, CONTEXT + 8, CONTEXT + 20, CONTEXT + 160, CONTEXT + 288, CONTEXT + 816};
    static const frame_layout wide = {
        16, CONTEXT + 16, CONTEXT + 40, CONTEXT + 176, CONTEXT + 432, CONTEXT + 960};
    return word_size(l) == 8 ? &wide : &narrow;
}

enum { FCSR = 32 * 8 /* behind the floats */ };

static void save_registers(const ztl_linux *l, uint8_t *frame)
{
    const frame_layout *at = layout_of(l);
    uint64_t fcsr = 0;
    put_word(l, frame + at->registers, 0, l->next);
    for (unsigned i = 1; i < 32; i++)
        put_word(l, frame + at->registers, i, ztl_hart_x(l->hart, i));
    for (unsigned i = 0; i < 32; i++)
        put64(frame + at->floats + 8 * i, ztl_hart_f(l->hart, i));
    ztl_csr_get(l->hart, CSR_FCSR, &fcsr);
    put32(frame + at->floats + FCSR, (uint32_t)fcsr);
}

static void fill_info(const ztl_linux *l, uint8_t *frame, const sent_signal *sent)
{
    uint8_t *info = frame + layout_of(l)->info;
    put32(frame + INFO_SIGNAL, (uint32_t)sent->signal);
    put32(frame + INFO_CODE, (uint32_t)sent->code);
    if (sent->code > 0) {
        put_word(l, info, 0, sent->address);
    } else {
        put32(info, PROCESS);
        put32(info + 4, USER);
    }
}

static bool is_of_handler_stack(const ztl_linux *l, uint64_t sp)
{
    return sp - l->handler_stack.base - 1 < l->handler_stack.size;
}

static bool is_on_handler_stack(const ztl_linux *l)
{
    return is_of_handler_stack(l, ztl_hart_x(l->hart, SP));
}

static uint32_t stack_flags(const ztl_linux *l)
{
    return !l->handler_stack.size ? STACK_DISABLED : is_on_handler_stack(l) ? STACK_IN_USE : 0;
}

/* Where a frame goes: on the stack in use, or on the one for handlers. False when that one is in
 * use and full: below it the program would look as if it were on no such stack, and could fault for
 * ever. */
static bool place_frame(const ztl_linux *l, const guest_signal *action, uint64_t *at)
{
    enum { ON_STACK = 0x08000000 };
    uint64_t sp = ztl_hart_x(l->hart, SP);
    bool is_there = is_on_handler_stack(l);
    const unsigned size = layout_of(l)->size;
    if (is_there && !is_of_handler_stack(l, sp - size))
        return false;
    if (action->flags & ON_STACK && l->handler_stack.size && !is_there)
        sp = l->handler_stack.base + l->handler_stack.size;
    *at = (sp - size) & ~UINT64_C(15);
    return true;
}

/* As sigaltstack has it, and a frame. */
static void put_stack(const ztl_linux *l, uint8_t *bytes)
{
    put_word(l, bytes, 0, l->handler_stack.base);
    put32(bytes + word_size(l), stack_flags(l));
    put_word(l, bytes, 2, l->handler_stack.size);
}

int64_t ztl_linux_sigaltstack(ztl_linux *l, const uint64_t *a)
{
    enum { SMALLEST = 2048 };
    uint8_t fresh[24] = {0}, old[24] = {0};
    const unsigned all = 3 * word_size(l);
    put_stack(l, old);
    if (a[0] && !ztl_linux_get(l, a[0], fresh, all))
        return -EFAULT;
    uint32_t flags = get32(fresh + word_size(l));
    uint64_t size = flags & STACK_DISABLED ? 0 : get_word(l, fresh, 2);
    if (a[0] && is_on_handler_stack(l))
        return -EPERM;
    if (a[0] && flags & ~(uint32_t)(STACK_DISABLED | STACK_IN_USE))
        return -EINVAL;
    if (a[0] && size && size < SMALLEST)
        return -ENOMEM;
    if (a[1] && !ztl_linux_put(l, a[1], old, all))
        return -EFAULT;
    if (a[0])
        l->handler_stack = (ztl_window){size ? get_word(l, fresh, 0) : 0, size};
    return 0;
}

bool ztl_linux_enter_handler(ztl_linux *l, const sent_signal *sent)
{
    enum { NO_DEFER = 0x40000000 };
    const guest_signal *action = &l->signal[sent->signal];
    guest_thread *t = ztl_linux_current(l);
    const frame_layout *at = layout_of(l);
    uint8_t frame[LARGEST] = {0};
    uint64_t sp;
    if (!place_frame(l, action, &sp))
        return false;
    fill_info(l, frame, sent);
    put_stack(l, frame + at->stack);
    put64(frame + at->mask, t->restores_mask ? t->old_mask : l->signal_mask);
    save_registers(l, frame);
    if (!ztl_linux_put(l, sp, frame, at->size))
        return false;
    t->restores_mask = false;
    ztl_hart_set_x(l->hart, SP, sp);
    ztl_hart_set_x(l->hart, RA, l->way_back);
    ztl_hart_set_x(l->hart, A0, (uint64_t)sent->signal);
    ztl_hart_set_x(l->hart, A0 + 1, sp);
    ztl_hart_set_x(l->hart, A0 + 2, sp + CONTEXT);
    l->signal_mask |=
        action->mask | (action->flags & NO_DEFER ? 0 : ztl_linux_signal_bit(sent->signal));
    l->next = action->handler;
    return true;
}

/* The value of a0 is that of the frame, and not of this call. */
int64_t ztl_linux_rt_sigreturn(ztl_linux *l, const uint64_t *a)
{
    (void)a;
    const frame_layout *at = layout_of(l);
    uint8_t frame[LARGEST];
    if (!ztl_linux_get(l, ztl_hart_x(l->hart, SP), frame, at->size)) {
        ztl_hart_set_x(l->hart, A0, 0);
        ztl_linux_force_fault(l, 0);
        return (int64_t)ztl_hart_x(l->hart, A0);
    }
    for (unsigned i = 1; i < 32; i++)
        ztl_hart_set_x(l->hart, i, get_word(l, frame + at->registers, i));
    for (unsigned i = 0; i < 32; i++)
        ztl_hart_set_f(l->hart, i, get64(frame + at->floats + 8 * i));
    ztl_csr_set(l->hart, CSR_FCSR, get32(frame + at->floats + FCSR));
    l->signal_mask = ztl_linux_can_block(get64(frame + at->mask));
    l->next = get_word(l, frame + at->registers, 0);
    return (int64_t)ztl_hart_x(l->hart, A0);
}
