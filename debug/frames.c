/* SPDX-License-Identifier: Apache-2.0
 * Unwinding: the caller of each frame by unwind tables, prologues or the stack.
 */
#include "debug/frames.h"

#include <string.h>

#include "debug/code.h"
#include "debug/prologue.h"

enum { RA = 1, SP = 2, FP = 8, INTEGER_REGISTERS = 32, ONLY_THREAD = 1 };

/* A walk; libdwfl starts where `from` says, which changes where its tables end. */
typedef struct walk {
    Dwfl_Module *module;
    const ztl_stopped *stopped;
    ztl_frames *frames;
    ztl_stopped from;
    unsigned word_size;
    bool at_start;   /* libdwfl has yet to show the frame that it starts from */
    uint64_t sp, fp; /* of the outermost frame so far */
} walk;

static bool read_word(const walk *w, uint64_t address, uint64_t *value)
{
    uint8_t bytes[8];
    const ztl_stopped *s = w->stopped;
    if (!s->read || s->read(s->context, address, bytes, w->word_size) < w->word_size)
        return false;
    *value = 0;
    for (unsigned i = w->word_size; i-- > 0;)
        *value = *value << 8 | bytes[i];
    return true;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *context)
{
    (void)dwfl;
    return read_word(context, address, result);
}

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
    (void)dwfl;
    if (*thread)
        return 0;
    *thread = context;
    return ONLY_THREAD;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *context)
{
    walk *w = context;
    dwfl_thread_state_register_pc(thread, w->from.pc);
    return dwfl_thread_state_registers(thread, 0, INTEGER_REGISTERS, w->from.x);
}

/* Takes a frame; false when there is no room, or when it cannot be one. */
static bool add_frame(walk *w, uint64_t at, uint64_t sp)
{
    ztl_frames *f = w->frames;
    bool first = f->count == 0;
    bool same = !first && f->at[f->count - 1] == at && sp == w->sp;
    if (!first && (same || sp < w->sp || !ztl_code_has(w->module, at)))
        return false;
    f->cut = f->count == ZTL_MAX_FRAMES;
    if (f->cut)
        return false;
    f->at[f->count++] = at;
    w->sp = sp;
    return true;
}

static int take_frame(Dwfl_Frame *frame, void *context)
{
    walk *w = context;
    Dwarf_Addr pc;
    Dwarf_Word sp, fp;
    bool exact;
    if (w->at_start) {
        w->at_start = false; /* taken before */
        return DWARF_CB_OK;
    }
    if (!dwfl_frame_pc(frame, &pc, &exact))
        return DWARF_CB_ABORT;
    if (dwfl_frame_reg(frame, SP, &sp))
        sp = w->sp;
    w->fp = dwfl_frame_reg(frame, FP, &fp) ? 0 : fp;
    return add_frame(w, pc - !exact, sp) ? DWARF_CB_OK : DWARF_CB_ABORT;
}

/* Goes on at a caller that no unwind table describes. */
static bool go_on(walk *w, uint64_t ra, uint64_t sp, uint64_t fp)
{
    w->from.pc = ra - 1;
    w->from.x[RA] = 0;
    w->from.x[SP] = sp;
    w->from.x[FP] = w->fp = fp;
    return add_frame(w, ra - 1, sp);
}

/* By what the function has done to sp; ra is where it was, or where it was stored. */
static bool step_by_prologue(walk *w)
{
    const ztl_prologue p =
        ztl_prologue_of(w->module, w->frames->at[w->frames->count - 1], w->word_size);
    const uint64_t sp = w->sp + (uint64_t)p.size;
    uint64_t ra = w->stopped->x[RA], fp = w->fp;
    const bool in_register =
        w->frames->count == 1 && ztl_code_called(w->module, ra, w->stopped->pc);
    if (!in_register && (!p.keeps_ra || !read_word(w, w->sp + (uint64_t)p.ra, &ra) ||
                         !ztl_code_returns(w->module, ra)))
        return false;
    if (p.keeps_fp && !read_word(w, w->sp + (uint64_t)p.fp, &fp))
        fp = 0;
    return go_on(w, ra, sp, fp);
}

static bool step_by_hand(walk *w)
{
    uint64_t ra, fp;
    if (step_by_prologue(w))
        return true;
    return w->fp > w->sp && read_word(w, w->fp - w->word_size, &ra) &&
           read_word(w, w->fp - 2 * w->word_size, &fp) && ztl_code_returns(w->module, ra) &&
           go_on(w, ra, w->fp, fp);
}

/* True: the unwind tables led to the outermost frame, or as far as they shall. */
static bool walk_tables(walk *w, Dwfl *dwfl)
{
    w->at_start = true;
    return dwfl_getthread_frames(dwfl, ONLY_THREAD, take_frame, w) >= 0;
}

void ztl_frames_find(Dwfl *dwfl, Dwfl_Module *module, const ztl_stopped *stopped,
                     ztl_frames *frames)
{
    static const Dwfl_Thread_Callbacks callbacks = {.next_thread = next_thread,
                                                    .memory_read = memory_read,
                                                    .set_initial_registers = set_initial_registers};
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    walk w = {.module = module, .stopped = stopped, .frames = frames, .from = *stopped};
    w.word_size = elf && gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
    w.fp = stopped->x[FP];
    *frames = (ztl_frames){.count = 0};
    add_frame(&w, stopped->pc, stopped->x[SP]);
    bool has_tables = dwfl_attach_state(dwfl, elf, ONLY_THREAD, &callbacks, &w);
    bool in_code = ztl_code_has(module, stopped->pc);
    if (has_tables && in_code && walk_tables(&w, dwfl))
        return;
    while (step_by_hand(&w))
        if (has_tables && walk_tables(&w, dwfl))
            return;
}
