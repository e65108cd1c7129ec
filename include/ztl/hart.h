/* SPDX-License-Identifier: Apache-2.0
 *
 * A RISC-V hart with Ztl: RV32 or RV64, I M A F D C Zicsr Zifencei Zba Zbb Zbs Zfh, machine and
 * user mode.
 *
 *     ztl_error error;
 *     ztl_hart_config config = ztl_hart_default_config();      // rv64gc…_ztl, RAM at 0x80000000
 *     ztl_hart *hart = ztl_hart_create(&config, &error);
 *     ztl_hart_write_memory(hart, 0x80000000, program, size);
 *     ztl_hart_set_pc(hart, 0x80000000);
 *     switch (ztl_hart_run(hart, 1000000)) ...                  // enum ztl_stop
 *
 * A hart belongs to one thread at a time; only ztl_hart_request_stop may be called from another
 * thread or a signal handler. Different harts are independent. Register values of RV32 are
 * zero-extended in both directions. Callbacks may use every function on their hart but
 * ztl_hart_destroy, ztl_hart_run, ztl_hart_step, ztl_hart_execute and ztl_hart_restore.
 */
#ifndef ZTL_HART_H
#define ZTL_HART_H

#include <ztl/ztl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The instruction set ---------------------------------------------------------------- */

/* Extensions of the base, as a set of bits. Ztl is described by its own fields. */
enum ztl_extension {
    ZTL_EXT_I = 1 << 0,
    ZTL_EXT_M = 1 << 1,
    ZTL_EXT_A = 1 << 2,
    ZTL_EXT_C = 1 << 3,
    ZTL_EXT_ZICSR = 1 << 4, /* with the counters cycle, time and instret */
    ZTL_EXT_ZIFENCEI = 1 << 5,
    ZTL_EXT_ZBA = 1 << 6,
    ZTL_EXT_ZBB = 1 << 7,
    ZTL_EXT_F = 1 << 8,
    ZTL_EXT_D = 1 << 9, /* comes with F */
    ZTL_EXT_ZFH = 1 << 10,
    ZTL_EXT_ZBS = 1 << 11,
    ZTL_EXT_ZFHMIN = 1 << 12, /* comes with Zfh */
    ZTL_EXT_ZFA = 1 << 13,
    ZTL_EXT_ZICOND = 1 << 14,
    ZTL_EXT_ZICBOM = 1 << 15,
    ZTL_EXT_ZICBOZ = 1 << 16,
    ZTL_EXT_ZCB = 1 << 17, /* comes with C */
    ZTL_EXT_ZBC = 1 << 18,
    ZTL_EXT_ZBKB = 1 << 19,
    ZTL_EXT_ZBKC = 1 << 20,
    ZTL_EXT_ZBKX = 1 << 21,
    ZTL_EXT_ZBB_ZBKB = 1 << 22, /* what these two share; comes with either */
    ZTL_EXT_ZBC_ZBKC = 1 << 23,
};

typedef struct ztl_hart_isa {
    unsigned xlen;         /* 32 or 64 */
    unsigned extensions;   /* enum ztl_extension bits */
    unsigned ztl_revision; /* 1 or 2; 2 where there is no Ztl */
    unsigned ztl_subsets;  /* enum ztl_subset bits; 0 is no Ztl */
} ztl_hart_isa;

/* Parses an ISA string such as rv64imac_zicsr_ztl. False and a message that names the wrong part
 * when it is not one that the hart can be. */
ZTL_API bool ztl_hart_isa_parse(const char *text, ztl_hart_isa *isa, ztl_error *error);

/* The canonical string of a set; returns the length of the whole text. */
ZTL_API size_t ztl_hart_isa_print(const ztl_hart_isa *isa, char *text, size_t size);

/* ---- Creating --------------------------------------------------------------------------- */

enum { ZTL_HART_MAX_RAM = 16 };

/* What a trap does besides being taken. A trap that stops is not taken: pc stays on the
 * instruction, CSRs keep their values, ztl_hart_last_trap has the rest. */
enum ztl_trap_policy {
    ZTL_TRAP_STOP_UNHANDLED, /* stops while mtvec was never written since reset; the default */
    ZTL_TRAP_STOP_ALWAYS,
    ZTL_TRAP_STOP_NEVER,
};

typedef struct ztl_hart_config {
    const char *isa;       /* an ISA string; only read by ztl_hart_create */
    const ztl_window *ram; /* pieces of RAM that do not overlap; only read by ztl_hart_create.
                            * No host memory is used before it is touched. */
    size_t ram_count;      /* 1 … ZTL_HART_MAX_RAM */
    ztl_window l1m;        /* Ztl loads come from here; size 0: everywhere */
    ztl_window l0m;        /* Ztl stores go here */
    uint64_t reset_pc;
    unsigned hart_id; /* mhartid */
    enum ztl_trap_policy trap_policy;
    const char *bodies; /* of Ztl instructions, as ztl_bodies_name lists them; NULL: the fastest */
} ztl_hart_config;

typedef struct ztl_hart ztl_hart;

/* rv64gc_zba_zbb_zbs_ztl, 128 MiB of RAM at 0x80000000, pc there. */
ZTL_API ztl_hart_config ztl_hart_default_config(void);

/* NULL and a message when the configuration cannot be. NULL config: the default one. */
ZTL_API ztl_hart *ztl_hart_create(const ztl_hart_config *config, ztl_error *error);
ZTL_API void ztl_hart_destroy(ztl_hart *hart);

/* Registers, CSRs and Ztl state as after power-on, machine mode, pc at reset_pc. Memory keeps its
 * bytes; breakpoints, hooks and the observer stay. */
ZTL_API void ztl_hart_reset(ztl_hart *hart);

ZTL_API const ztl_hart_isa *ztl_hart_isa_of(const ztl_hart *hart);

/* The index-th piece of RAM, with the host's bytes; NULL past the last. Writing through the
 * pointer does not tell the hart that code changed: use ztl_hart_write_memory. */
ZTL_API const ztl_ram *ztl_hart_ram(const ztl_hart *hart, size_t index);

ZTL_API void ztl_hart_set_trap_policy(ztl_hart *hart, enum ztl_trap_policy policy);

/* A handler that does not count as the program's own, such as the one of a library's start-up code:
 * while mtvec leads there, ZTL_TRAP_STOP_UNHANDLED stops as if it had not been written. */
ZTL_API void ztl_hart_set_default_handler(ztl_hart *hart, uint64_t address);

/* ---- Registers -------------------------------------------------------------------------- */

enum ztl_privilege { ZTL_USER = 0, ZTL_MACHINE = 3 };

/* Index 0 … 31; x0 reads 0 and ignores writes. */
ZTL_API uint64_t ztl_hart_x(const ztl_hart *hart, unsigned index);
ZTL_API void ztl_hart_set_x(ztl_hart *hart, unsigned index, uint64_t value);
/* Floating-point registers: 64 bits with D, else 32. A narrower value than the register has ones
 * above it. Index 0 … 31. Read as 0 and ignored on a hart without F. */
ZTL_API uint64_t ztl_hart_f(const ztl_hart *hart, unsigned index);
ZTL_API void ztl_hart_set_f(ztl_hart *hart, unsigned index, uint64_t value);
/* Their width: 64, 32 or, without F, 0. */
ZTL_API unsigned ztl_hart_flen(const ztl_hart *hart);
ZTL_API uint64_t ztl_hart_pc(const ztl_hart *hart);
ZTL_API void ztl_hart_set_pc(ztl_hart *hart, uint64_t pc);
ZTL_API enum ztl_privilege ztl_hart_privilege(const ztl_hart *hart);
ZTL_API void ztl_hart_set_privilege(ztl_hart *hart, enum ztl_privilege privilege);

/* Tensor registers and Ztl CSRs: for ztl_get_register, ztl_set_register and the like. */
ZTL_API ztl_state *ztl_hart_ztl(ztl_hart *hart);

/* A CSR by address (base or Ztl), as a csrr or csrw in the current privilege would access it:
 * false where that would be an illegal instruction. A write counts as one by a CSR instruction. */
ZTL_API bool ztl_hart_csr_read(ztl_hart *hart, unsigned address, uint64_t *value);
ZTL_API bool ztl_hart_csr_write(ztl_hart *hart, unsigned address, uint64_t value);

/* The same for a debugger: in any privilege. False where the hart has no such CSR, or, for a
 * write, where it is read-only. */
ZTL_API bool ztl_hart_debug_csr_read(ztl_hart *hart, unsigned address, uint64_t *value);
ZTL_API bool ztl_hart_debug_csr_write(ztl_hart *hart, unsigned address, uint64_t value);

/* The name of a CSR, base or Ztl, and back; false where the hart has none of it. */
ZTL_API bool ztl_hart_csr_name(const ztl_hart *hart, unsigned address, char *name, size_t size);
ZTL_API bool ztl_hart_csr_address(const ztl_hart *hart, const char *name, unsigned *address);

/* Raises or lowers an interrupt line: 3 software, 7 timer, 11 external (its bit in mip). */
ZTL_API void ztl_hart_set_interrupt(ztl_hart *hart, unsigned line, bool raised);

/* Instructions retired since reset; not changed by writes to minstret. */
ZTL_API uint64_t ztl_hart_retired(const ztl_hart *hart);

/* How many of them were Ztl's; a restored state does not bring this along. */
ZTL_API uint64_t ztl_hart_ztl_retired(const ztl_hart *hart);

/* Instructions run since the hart was made, those that trapped and interrupts taken among them:
 * what the limit of ztl_hart_run counts. Resets do not change it. */
ZTL_API uint64_t ztl_hart_attempted(const ztl_hart *hart);

/* ---- Memory ----------------------------------------------------------------------------- */

/* Copies from or to RAM and returns how many bytes from `address` on are accessible, at most
 * `size`; these are copied even when they are fewer. Decoded code is dropped where it changes. No
 * watchpoint, hook or observer sees it. */
ZTL_API size_t ztl_hart_read_memory(const ztl_hart *hart, uint64_t address, void *bytes,
                                    size_t size);
ZTL_API size_t ztl_hart_write_memory(ztl_hart *hart, uint64_t address, const void *bytes,
                                     size_t size);

/* ---- Running ---------------------------------------------------------------------------- */

enum ztl_stop {
    ZTL_STOP_LIMIT,      /* as many instructions as asked for */
    ZTL_STOP_EXIT,       /* ztl_hart_request_exit was called: ztl_hart_exit_code */
    ZTL_STOP_TRAP,       /* a trap that the policy does not let be taken: ztl_hart_last_trap */
    ZTL_STOP_TRAP_LOOP,  /* the trap handler's first instruction traps: no progress is possible */
    ZTL_STOP_BREAKPOINT, /* pc is at a breakpoint, its instruction not executed */
    ZTL_STOP_WATCHPOINT, /* the instruction before pc touched one: ztl_hart_watch_hit */
    ZTL_STOP_HOST,       /* ztl_hart_request_stop was called */
    ZTL_STOP_WFI,        /* wfi, and no interrupt is enabled and pending; pc is past it */
};

/* Runs at most `limit` instructions; one that traps counts too. A breakpoint at the pc where the
 * run starts does not stop it. */
ZTL_API enum ztl_stop ztl_hart_run(ztl_hart *hart, uint64_t limit);

/* Runs one instruction, or takes one pending interrupt: ZTL_STOP_LIMIT when nothing else is to be
 * said. */
ZTL_API enum ztl_stop ztl_hart_step(ztl_hart *hart);

/* Executes a word as if it stood at pc, without fetching it: 16 bits when its low two bits are not
 * 11. pc stays unless the instruction writes it (a jump, a branch taken, mret). A trap is never
 * taken, whatever the policy: ZTL_STOP_TRAP. */
ZTL_API enum ztl_stop ztl_hart_execute(ztl_hart *hart, uint32_t word);

/* Makes a run in progress, or else the next one, stop soon (within about a million instructions)
 * with ZTL_STOP_HOST. Safe in signal handlers and other threads. */
ZTL_API void ztl_hart_request_stop(ztl_hart *hart);

/* Whether such a request waits to be obeyed: callbacks that take long look here, and return. */
ZTL_API bool ztl_hart_stop_requested(const ztl_hart *hart);

/* From a hook or observer: the run stops after the current instruction with ZTL_STOP_EXIT. */
ZTL_API void ztl_hart_request_exit(ztl_hart *hart, int code);
ZTL_API int ztl_hart_exit_code(const ztl_hart *hart);

/* The last trap, taken or not. */
typedef struct ztl_trap {
    uint64_t pc;    /* of the instruction that trapped; for an interrupt, of the next one */
    uint32_t word;  /* the instruction; 0 when it could not be fetched, or for an interrupt */
    uint8_t length; /* its bytes: 2 or 4; 0 as above */
    bool interrupt;
    enum ztl_privilege privilege; /* before the trap */
    uint64_t cause;               /* as mcause, without the interrupt bit */
    uint64_t tval;                /* as mtval */
    ztl_result ztl;               /* status ZTL_TRAP for a Ztl instruction: see ztl_explain */
} ztl_trap;

/* NULL when there was none since reset. */
ZTL_API const ztl_trap *ztl_hart_last_trap(const ztl_hart *hart);

/* The name of a cause, e.g. "load access fault". */
ZTL_API const char *ztl_hart_cause_name(uint64_t cause, bool interrupt);

/* Why a word is an illegal instruction to the hart as it is now: what of its ISA is missing, or
 * that floating point is off. False when there is nothing to be said. */
ZTL_API bool ztl_hart_explain_illegal(const ztl_hart *hart, uint32_t word, char *text, size_t size);

/* ---- Breakpoints and watchpoints -------------------------------------------------------- */

/* While there is any, the hart runs instruction by instruction. */
enum ztl_watch { ZTL_WATCH_STORE = 1, ZTL_WATCH_LOAD = 2, ZTL_WATCH_ACCESS = 3 };

enum { ZTL_HART_MAX_BREAKPOINTS = 256, ZTL_HART_MAX_WATCHPOINTS = 64 };

/* False when the table is full, or, for removal, when there is no such one. */
ZTL_API bool ztl_hart_add_breakpoint(ztl_hart *hart, uint64_t pc);
ZTL_API bool ztl_hart_remove_breakpoint(ztl_hart *hart, uint64_t pc);
ZTL_API bool ztl_hart_add_watchpoint(ztl_hart *hart, uint64_t address, uint64_t size,
                                     enum ztl_watch kind);
ZTL_API bool ztl_hart_remove_watchpoint(ztl_hart *hart, uint64_t address, uint64_t size,
                                        enum ztl_watch kind);
ZTL_API void ztl_hart_clear_points(ztl_hart *hart);

/* After ZTL_STOP_WATCHPOINT: the first watched byte that was touched, the kind of the watchpoint it
 * belongs to, and who touched it. */
typedef struct ztl_watch_hit {
    uint64_t address;
    enum ztl_watch kind;
    uint64_t pc; /* of the instruction that touched it */
} ztl_watch_hit;
ZTL_API ztl_watch_hit ztl_hart_watch_hit(const ztl_hart *hart);

/* ---- Host calls ------------------------------------------------------------------------- */

typedef struct ztl_hart_hooks {
    void *context;
    /* The ebreak of `slli x0,x0,0x1f; ebreak; srai x0,x0,7`: pc is at it. True: done, the run goes
     * on after it. False: it is an ordinary ebreak. */
    bool (*semihost)(void *context, ztl_hart *hart);
    /* An ecall of user mode: pc is at it. Answers as above. What the call changes is a0. */
    bool (*user_call)(void *context, ztl_hart *hart);
    /* After a store of a base instruction that touches the watched range (HTIF's tohost). The
     * value is in memory already. pc is still at the store. */
    void (*store)(void *context, ztl_hart *hart, uint64_t address, unsigned size, uint64_t value);
    ztl_window store_range; /* size 0: none */
    /* Between two instructions, once so many have retired as ztl_hart_set_turn has said. It may
     * change the whole state of the hart, and ask for the end of the run. */
    void (*turn)(void *context, ztl_hart *hart);
    /* For debuggers: the numbers of the threads, at most `size`, and how many there are; and lets
     * the hart show the registers of one, until another is shown. It goes on with that one. */
    size_t (*threads)(void *context, unsigned *list, size_t size);
    void (*show_thread)(void *context, unsigned thread);
} ztl_hart_hooks;

/* NULL removes them. */
ZTL_API void ztl_hart_set_hooks(ztl_hart *hart, const ztl_hart_hooks *hooks);
ZTL_API const ztl_hart_hooks *ztl_hart_hooks_of(const ztl_hart *hart);

/* The hook `turn` is called before the instruction that would be the next when so many have
 * retired: the same place in every run, whatever observes it. UINT64_MAX: never. */
ZTL_API void ztl_hart_set_turn(ztl_hart *hart, uint64_t retired);

/* Which of several threads that take turns on the hart runs now, from 0 on: events tell it. */
ZTL_API void ztl_hart_set_thread(ztl_hart *hart, unsigned thread);
ZTL_API unsigned ztl_hart_thread(const ztl_hart *hart);

/* ---- What happened ---------------------------------------------------------------------- */

typedef struct ztl_access {
    uint64_t address; /* first byte; those of an access that wraps follow modulo 2^XLEN */
    uint64_t value;   /* of at most 8 bytes, zero-extended; 0 for a larger one */
    uint32_t size;    /* bytes: 1, 2, 4, 8; of a Ztl slice up to 1024 */
    bool is_store;
} ztl_access;

typedef struct ztl_csr_change {
    unsigned address;
    uint64_t value; /* as a read gives it now */
} ztl_csr_change;

enum { ZTL_EVENT_MAX_ACCESSES = 2 * ZTL_MAX_SLICES, ZTL_EVENT_MAX_CSRS = 6 };

/* One instruction that retired or trapped, or an interrupt taken. */
typedef struct ztl_event {
    uint64_t pc;
    uint64_t next_pc;
    uint32_t word;                /* 0 when it could not be fetched, or for an interrupt */
    uint8_t length;               /* 2 or 4; 0 as above */
    enum ztl_privilege privilege; /* that it ran in */
    const ztl_insn *ztl;          /* a Ztl instruction taken apart; NULL for others */
    uint8_t rd;                   /* integer register written; 0: none */
    uint64_t rd_old, rd_new;
    bool writes_f; /* floating-point register written: */
    uint8_t fd;
    uint64_t fd_new;
    unsigned csr_count; /* CSRs that it wrote; of a trap, those that taking it wrote */
    ztl_csr_change csr[ZTL_EVENT_MAX_CSRS];
    unsigned access_count; /* of an instruction that trapped: 0 */
    ztl_access access[ZTL_EVENT_MAX_ACCESSES];
    unsigned tl_count; /* tensor registers written, tl0 among them */
    uint8_t tl[2];     /* which; their new contents are in ztl_hart_ztl */
    unsigned thread;   /* that ran it, of those that take turns; else 0 */
    bool branch;       /* a conditional branch, whether or not taken */
    bool trapped;      /* the instruction did not retire (or: interrupt) */
    ztl_trap trap;     /* when it trapped */
} ztl_event;

typedef struct ztl_observer {
    void *context;
    /* Called after each instruction; the event lives until it returns. */
    void (*happened)(void *context, ztl_hart *hart, const ztl_event *event);
} ztl_observer;

/* One observer at a time; NULL removes it. Without one, events cost nothing. */
ZTL_API void ztl_hart_set_observer(ztl_hart *hart, const ztl_observer *observer);

/* What cycle and mcycle read instead of the count of instructions, before the offset that a write
 * of mcycle makes. */
typedef struct ztl_clock {
    void *context;
    uint64_t (*now)(void *context, const ztl_hart *hart);
} ztl_clock;

/* NULL removes it. Attach an observer with it: without one the hart may be ahead of its pc. */
ZTL_API void ztl_hart_set_clock(ztl_hart *hart, const ztl_clock *clock);

/* ---- The whole state -------------------------------------------------------------------- */

/* Writes registers, CSRs, Ztl state and the pages of RAM that are not all zero to a file. False
 * and a message, and no file left behind, when that fails. */
ZTL_API bool ztl_hart_save(const ztl_hart *hart, const char *path, ztl_error *error);

/* Brings back a saved state into a hart of the same ISA and RAM. False and a message when the file
 * is none, is cut or is of another hart: the hart is as before. */
ZTL_API bool ztl_hart_restore(ztl_hart *hart, const char *path, ztl_error *error);

/* ---- Disassembly ------------------------------------------------------------------------ */

/* The text of a base or Ztl instruction (16 bits when the low two are not 11), operands as in
 * "addi a0, a0, -1"; targets of jumps and branches are addresses, from pc. What the ISA has no
 * instruction for is `.word 0x…` or `.half 0x…`. Returns the length of the whole text. */
ZTL_API size_t ztl_hart_disassemble(const ztl_hart_isa *isa, uint64_t pc, uint32_t word, char *text,
                                    size_t size);

/* The bytes of the instruction that starts with this 16-bit parcel: 2 or 4. */
ZTL_API unsigned ztl_hart_insn_length(uint32_t word);

#ifdef __cplusplus
}
#endif
#endif
