/* SPDX-License-Identifier: Apache-2.0
 * The hart from inside.
 */
#ifndef ZTL_SIM_HART_H
#define ZTL_SIM_HART_H

#include <stdatomic.h>

#include <ztl/hart.h>

#include "sim/decode/decode.h"

enum {
    X_SINK = 32,             /* where writes to x0 go */
    GRANULE_SHIFT = 8,       /* stores look up a flag for each 256 bytes of RAM */
    GRANULE_CODE = 1,        /* decoded instructions come from it */
    GRANULE_HOOK = 2,        /* the hook wants to see stores to it */
    GRANULE_FIXED = 4,       /* mapped, and not to be stored to */
    COLD_WINDOWS = 4,        /* of memory, remembered beside the one that was used last */
    STEP_CACHE_ENTRIES = 512 /* decoded instructions that are run one by one */
};

enum cause {
#define ZTL_CAUSE(ID, code, words) CAUSE_##ID = code,
#include "isa/cause.def"
};

/* A piece of RAM and what is known about the code in it. */
typedef struct region {
    ztl_ram ram;
    uint8_t *flags;               /* GRANULE_… of each granule */
    uint8_t *code;                /* a bit for each two bytes: decoded code comes from it */
    uint64_t code_low, code_high; /* offsets between which such code lies */
} region;

/* The region that was used last, with all that a load or store needs at hand. */
typedef struct hot_region {
    uint64_t base;
    uint64_t limit; /* eight bytes can be accessed at any offset below */
    uint8_t *bytes;
    uint8_t *flags;
} hot_region;

/* What memory is accessed for. */
enum ztl_use { USE_LOAD = 1, USE_STORE = 2, USE_FETCH = 4 };

/* A piece of a process's address space: all of it is in one region, and pieces do not overlap. */
typedef struct ztl_mapping {
    uint64_t start, end;
    unsigned allows; /* enum ztl_use bits; 0: mapped, and not to be touched */
} ztl_mapping;

/* The pieces that are mapped, by address; without a map, all RAM is, for everything. */
typedef struct ztl_map {
    const ztl_mapping *piece;
    size_t count;
} ztl_map;

/* Who executes an instruction that is run by itself. */
enum step_unit {
    UNIT_INTEGER64,
    UNIT_INTEGER32,
    UNIT_SYSTEM,
    UNIT_ATOMIC,
    UNIT_FLOAT,
    UNIT_TENSOR,
    UNIT_CACHE,
};

/* An instruction of the step cache. */
typedef struct step_entry {
    uint64_t tag; /* pc + 1; 0: the entry is empty */
    decoded insn;
    uint8_t unit; /* enum step_unit */
    bool is_branch, writes_f;
    ztl_insn ztl;
} step_entry;

enum { ZTL_PMP_ENTRIES = 16 };

typedef struct pmp_state {
    uint8_t cfg[ZTL_PMP_ENTRIES];
    uint64_t addr[ZTL_PMP_ENTRIES];
    /* What follows from them. */
    uint64_t highest; /* address */
    bool binds_all;   /* machine mode has something to obey */
    bool is_open;     /* user mode may use everything */
} pmp_state;

typedef struct machine_csrs {
    uint64_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval;
    uint64_t mcounteren, menvcfg;
    uint64_t cycle_offset, instret_offset; /* added to the count of retired instructions */
    uint64_t fflags, frm;
    bool mtvec_written;
    pmp_state pmp;
} machine_csrs;

typedef struct watchpoint {
    uint64_t address, size;
    enum ztl_watch kind;
} watchpoint;

struct block_cache;

struct ztl_hart {
    uint64_t x[X_SINK + 1];
    hot_region hot;
    hot_region cold[COLD_WINDOWS];
    unsigned coldest;
    uint64_t pc;
    uint64_t retired, ztl_retired, attempted;
    ztl_hart_isa isa;
    enum ztl_privilege privilege;
    machine_csrs csr;
    uint64_t f[32]; /* a value that is narrower than 64 bits has ones above it */
    bool reserved;  /* by lr */
    uint64_t reserved_address;

    const ztl_map *map;  /* of a process; NULL: none */
    bool guards_data;    /* PMP is asked about each load and store that leaves the hot window, */
    bool guards_fetches; /* and about code that is decoded */
    size_t region_count;
    region regions[ZTL_HART_MAX_RAM];
    ztl_memory ztl_load_memory;  /* all RAM by pointer */
    ztl_memory ztl_store_memory; /* RAM without the span of the code by pointer */
    ztl_memory ztl_seen_memory;  /* everything by call, for observers and watchpoints */
    ztl_ram load_ram[ZTL_HART_MAX_RAM];
    ztl_ram store_ram[2 * ZTL_HART_MAX_RAM];
    ztl_state ztl;
    void *accelerator; /* memory of its fast bodies */

    struct block_cache *blocks;
    step_entry *steps;
    bool has_steps;    /* some of them are not empty */
    bool code_changed; /* bytes that decoded code comes from: forget it before going on */

    /* Of the run in progress. */
    bool trap_raised; /* by the current instruction; see last_trap */
    bool waits;       /* wfi with nothing to wait for */
    bool exit_requested;
    bool watch_triggered;
    ztl_event *event; /* of the current instruction, NULL without an observer */
    atomic_bool stop_requested;

    uint64_t reset_pc;
    unsigned hart_id;
    enum ztl_trap_policy trap_policy;
    bool has_default_handler;
    uint64_t default_handler;
    int exit_code;
    bool has_trapped;
    ztl_trap last_trap;
    ztl_hart_hooks hooks;
    uint64_t turn_at; /* retired instructions when the hook is called */
    unsigned thread;
    ztl_observer observer;
    ztl_clock clock;
    size_t breakpoint_count, watchpoint_count;
    uint64_t breakpoints[ZTL_HART_MAX_BREAKPOINTS];
    watchpoint watchpoints[ZTL_HART_MAX_WATCHPOINTS];
    ztl_watch_hit watch_hit;
};

static inline uint64_t ztl_hart_wrap(const ztl_hart *hart, uint64_t value)
{
    return hart->isa.xlen == 32 ? (uint32_t)value : value;
}

/* ---- sim/memory/: RAM, and which of it holds decoded code. ---- */
bool ztl_memory_create(ztl_hart *hart, const ztl_hart_config *config, ztl_error *error);
void ztl_memory_destroy(ztl_hart *hart);
void ztl_memory_clear(ztl_hart *hart); /* all RAM zero */
/* A range that is all RAM zero, without touching the pages inside it. */
void ztl_memory_zero(ztl_hart *hart, uint64_t address, uint64_t size);
region *ztl_region_of(const ztl_hart *hart, uint64_t address);

/* Gives the hart a map, which it keeps, or tells it that the map has changed in a range. */
void ztl_memory_set_map(ztl_hart *hart, const ztl_map *map, uint64_t start, uint64_t end);
/* How many bytes from an address on may be used so (0: are mapped), at most `size`: the range may
 * span regions, but not go around the end of the address space. */
uint64_t ztl_memory_usable(const ztl_hart *hart, uint64_t address, uint64_t size, unsigned use);
/* Whether an instruction may make an access, which is aligned. */
bool ztl_memory_allows(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use);
/* Looks at PMP and the privilege anew, after a change. */
void ztl_memory_recheck(ztl_hart *hart);
/* Where an access that cannot be made fails: the first byte, of one that is not aligned. */
uint64_t ztl_memory_fault(ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use);

/* ---- sim/memory/pmp.c ---- */
void ztl_pmp_reset(ztl_hart *hart);
void ztl_pmp_update(ztl_hart *hart); /* after the registers have changed */
uint64_t ztl_pmp_get(const ztl_hart *hart, unsigned address);
void ztl_pmp_set(ztl_hart *hart, unsigned address, uint64_t value);
/* Whether anything could be refused now; whether an access is allowed. */
bool ztl_pmp_checks(const ztl_hart *hart, enum ztl_use use);
bool ztl_pmp_allows(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use);
/* Narrows a range to the bytes around an address that PMP treats alike; whether it allows them. */
bool ztl_pmp_window(const ztl_hart *hart, uint64_t address, enum ztl_use use, uint64_t *first,
                    uint64_t *last);

/* After a change of privilege. */
static inline void ztl_privilege_changed(ztl_hart *hart)
{
    if (!hart->csr.pmp.is_open || hart->csr.pmp.binds_all)
        ztl_memory_recheck(hart);
}

/* ---- sim/memory/map.c: what of an address space is mapped. ---- */
/* How many bytes from an address on may all be used so, at most `size`. */
uint64_t ztl_map_span(const ztl_map *map, uint64_t address, uint64_t size, unsigned use);
/* The range around an address in which all may be loaded; false: not even the address. */
bool ztl_map_window(const ztl_map *map, uint64_t address, uint64_t *start, uint64_t *end);

/* As an instruction accesses memory; false where a byte is not mapped. size is 1, 2, 4 or 8. */
bool ztl_load(ztl_hart *hart, uint64_t address, unsigned size, uint64_t *value);
bool ztl_store(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value);

/* The same for the interpreter, when the fast way does not do. The store also declines, without
 * storing, when it would touch code or what the hook watches. */
bool ztl_load_anywhere(ztl_hart *hart, uint64_t address, unsigned size, uint64_t *value);
bool ztl_store_plain(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value);

/* Remembers that decoded code comes from these bytes; and forgets all of it. */
void ztl_mark_code(ztl_hart *hart, uint64_t address, unsigned size);
void ztl_unmark_code(ztl_hart *hart);
void ztl_mark_hook(ztl_hart *hart);

/* Fetches the instruction at pc; false and the address that could not be read. */
bool ztl_fetch(const ztl_hart *hart, uint64_t pc, uint32_t *word, uint64_t *fault);

/* ---- sim/blocks/block.c: decoded code. ---- */
bool ztl_blocks_create(ztl_hart *hart);
void ztl_blocks_destroy(ztl_hart *hart);
void ztl_blocks_forget(ztl_hart *hart);

/* ---- sim/privileged/csr.c ---- */
void ztl_csrs_reset(ztl_hart *hart);
bool ztl_csr_get(ztl_hart *hart, unsigned address, uint64_t *value);
bool ztl_csr_set(ztl_hart *hart, unsigned address, uint64_t value);
bool ztl_csr_allowed(const ztl_hart *hart, unsigned address, bool writes);
bool ztl_sim_csr_name(const ztl_hart_isa *isa, unsigned address, char *name, size_t size);
bool ztl_sim_csr_address(const ztl_hart_isa *isa, const char *name, unsigned *address);
void ztl_event_csr(ztl_hart *hart, unsigned address);

/* ---- sim/privileged/trap.c ---- */
/* Notes a trap of the current instruction; whoever runs it decides what becomes of it. */
void ztl_raise(ztl_hart *hart, uint64_t cause, uint64_t tval);
void ztl_take_trap(ztl_hart *hart, const ztl_trap *trap);
void ztl_mret(ztl_hart *hart);
/* The interrupt to be taken now, or -1. */
int ztl_pending_interrupt(const ztl_hart *hart);

/* ---- sim/execute/step.c: one instruction at a time, seeing everything. ---- */
/* Runs the instruction at pc or takes an interrupt. */
enum ztl_stop ztl_step_one(ztl_hart *hart);

/* ---- Execute the instruction at hart->pc; afterwards pc is past it, or a trap is
 * raised. ---- */
void ztl_execute_insn32(ztl_hart *hart, const decoded *insn);  /* sim/execute/step32.c */
void ztl_execute_insn64(ztl_hart *hart, const decoded *insn);  /* sim/execute/step64.c */
void ztl_execute_system(ztl_hart *hart, const decoded *insn);  /* sim/execute/system.c */
void ztl_execute_amo(ztl_hart *hart, const decoded *insn);     /* sim/execute/amo.c */
void ztl_execute_tensor(ztl_hart *hart, const ztl_insn *insn); /* sim/execute/tensor.c */
void ztl_execute_float(ztl_hart *hart, const decoded *insn);   /* sim/execute/float.c */
void ztl_execute_cache(ztl_hart *hart, const decoded *insn);   /* sim/execute/cache.c */

/* sim/execute/cache.c: whether the mode may use an instruction on blocks of memory. */
bool ztl_cache_allowed(const ztl_hart *hart, unsigned op);

/* sim/execute/float.c: a floating-point instruction other than a load or store; false, and nothing
 * has changed, when it is an illegal instruction. `how` is its op | rm << 12 | rs3 << 16. */
bool ztl_float_run(ztl_hart *hart, unsigned how, unsigned rd, unsigned rs1, unsigned rs2);

static inline unsigned ztl_float_how(const decoded *insn)
{
    return (unsigned)insn->op | (unsigned)insn->rm << 12 | (unsigned)insn->rs3 << 16;
}

/* ---- sim/blocks/interpret32.c, sim/blocks/interpret64.c: many instructions, fast. ---- */
/* Runs blocks until fewer than BLOCK_INSNS instructions are left of the budget or one has to be
 * run by itself; returns what is left. With hart NULL: fills the table of handlers. */
typedef uint64_t ztl_interpreter(ztl_hart *hart, uint64_t budget, const void **handlers);
ztl_interpreter ztl_interpret32, ztl_interpret64;

#endif
