/* SPDX-License-Identifier: Apache-2.0
 *
 * How many cycles a run takes on a machine of engines, queues and ports: doc/timing.md has the
 * rules. One more observer of a hart; link with libztltiming.
 *
 *     ztl_timing_machine machine;
 *     if (!ztl_timing_parse("four,engines.queue=8", &machine, &error)) ...
 *     ztl_timing *timing = ztl_timing_create(&machine);
 *     ztl_timing_attach(timing, hart);                       // observes, and rdcycle reads its
 * time ztl_hart_run(hart, UINT64_MAX); ztl_timing_counts counts = ztl_timing_result(timing);
 *     printf("%" PRIu64 " cycles\n", counts.cycles);
 *     ztl_timing_destroy(timing);                            // the hart before it, or detached
 *
 * A timing belongs to one thread at a time; different ones are independent.
 */
#ifndef ZTL_TIMING_H
#define ZTL_TIMING_H

#include <stdio.h>

#include <ztl/observe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The machine ------------------------------------------------------------------------ */

enum { ZTL_TIMING_MOST = 1000000 }; /* cycles or bytes of a parameter */

/* Parameters: field, name, kind, value in the preset four, least, most, meaning. A NUMBER has every
 * value between; ENGINES is 1 or 4; BY is id (0) or kind (1); a CHOICE no (0) or yes (1). */
/* clang-format off */
#define ZTL_TIMING_PARAMETERS(P)                                                                   \
    P(engines_count, "engines.count", ENGINES, 4, 1, 4, "4: an engine for each EngineID; 1: one for everything") \
    P(engines_by, "engines.by", BY, 0, 0, 1, "id: the EngineID chooses; kind: LOAD 0, ADDI 1, STORE 2, the others 3") \
    P(engines_queue, "engines.queue", NUMBER, 4, 1, 65536, "instructions of an engine issued and not started") \
    P(engines_issue, "engines.issue", NUMBER, 1, 0, ZTL_TIMING_MOST, "cycles from issue to the earliest start") \
    P(l1m_bytes, "l1m.bytes", NUMBER, 64, 1, ZTL_TIMING_MOST, "bytes a cycle through the load port") \
    P(l1m_slices, "l1m.slices", NUMBER, 1, 1, ZTL_TIMING_MOST, "slices a cycle through the load port") \
    P(l1m_latency, "l1m.latency", NUMBER, 8, 0, ZTL_TIMING_MOST, "cycles from the last byte requested to the result") \
    P(l0m_bytes, "l0m.bytes", NUMBER, 64, 1, ZTL_TIMING_MOST, "bytes a cycle through the store port") \
    P(l0m_slices, "l0m.slices", NUMBER, 1, 1, ZTL_TIMING_MOST, "slices a cycle through the store port") \
    P(l0m_latency, "l0m.latency", NUMBER, 8, 0, ZTL_TIMING_MOST, "cycles from the last byte sent to its being there") \
    P(ports_shared, "ports.shared", CHOICE, 0, 0, 1, "yes: loads and stores share one port") \
    P(move_bytes, "move.bytes", NUMBER, 64, 1, ZTL_TIMING_MOST, "bytes a cycle: XPOSE, PERMUTE 2048, CONCAT, MERGE 1024") \
    P(move_latency, "move.latency", NUMBER, 4, 0, ZTL_TIMING_MOST, "cycles from the last byte moved to the result") \
    P(add_bytes, "add.bytes", NUMBER, 64, 1, ZTL_TIMING_MOST, "bytes a cycle: ADDI, 1024 bytes") \
    P(add_latency, "add.latency", NUMBER, 4, 0, ZTL_TIMING_MOST, "cycles from the last byte added to the result") \
    P(hart_load, "hart.load", NUMBER, 1, 0, ZTL_TIMING_MOST, "cycles beyond 1: a scalar instruction reads memory") \
    P(hart_jump, "hart.jump", NUMBER, 1, 0, ZTL_TIMING_MOST, "cycles beyond 1: the next in memory does not follow") \
    P(hart_divide, "hart.divide", NUMBER, 16, 0, ZTL_TIMING_MOST, "cycles beyond 1: div or rem of any width") \
    P(hart_trap, "hart.trap", NUMBER, 4, 0, ZTL_TIMING_MOST, "cycles beyond 1: an instruction that traps") \
    P(csr_drain, "csr.drain", CHOICE, 0, 0, 1, "yes: a write of a Ztl CSR waits for all issued to start")
/* clang-format on */

typedef struct ztl_timing_machine {
#define ZTL_TIMING_FIELD(field, ...) uint32_t field;
    ZTL_TIMING_PARAMETERS(ZTL_TIMING_FIELD)
#undef ZTL_TIMING_FIELD
} ztl_timing_machine;

/* A machine from text: a preset (four, kinds, one, wide) or the name of a file, then any number of
 * NAME=VALUE, separated by commas. A file is INI text:
 *
 *     # two ports, deep queues
 *     preset = four            ; what the rest changes; four when absent
 *     [engines]
 *     queue = 16
 *     l1m.bytes = 128          ; the whole name does too, in any section
 *
 * False and a message that says what is wrong, where, and what is allowed. */
ZTL_API bool ztl_timing_parse(const char *text, ztl_timing_machine *machine, ztl_error *error);

/* Sets one parameter by its name; false and a message. */
ZTL_API bool ztl_timing_set(ztl_timing_machine *machine, const char *name, const char *value,
                            ztl_error *error);

/* The shortest text that ztl_timing_parse makes the same machine of, as "four,engines.queue=8".
 * Returns the length of the whole text. */
ZTL_API size_t ztl_timing_describe(const ztl_timing_machine *machine, char *text, size_t size);

/* The names of the presets; NULL past the last. */
ZTL_API const char *ztl_timing_preset_name(size_t index);

/* The index-th parameter; its value in a machine as text. A name of NULL past the last. */
typedef struct ztl_timing_parameter {
    const char *name, *meaning;
    char allowed[32]; /* "1 … 65536", "id, kind" */
} ztl_timing_parameter;
ZTL_API ztl_timing_parameter ztl_timing_parameter_of(size_t index);
ZTL_API void ztl_timing_value(const ztl_timing_machine *machine, size_t index, char text[16]);

/* ---- Running ---------------------------------------------------------------------------- */

typedef struct ztl_timing ztl_timing;

/* NULL without memory. */
ZTL_API ztl_timing *ztl_timing_create(const ztl_timing_machine *machine);
ZTL_API void ztl_timing_destroy(ztl_timing *timing);

/* The observer alone, for one of several; and the clock that rdcycle reads. */
ZTL_API ztl_observer ztl_timing_observer(ztl_timing *timing);
ZTL_API ztl_clock ztl_timing_clock(ztl_timing *timing);

/* Both at once. */
ZTL_API void ztl_timing_attach(ztl_timing *timing, ztl_hart *hart);

/* ---- The result ------------------------------------------------------------------------- */

enum { ZTL_TIMING_ENGINES = 4, ZTL_TIMING_PORTS = 2 };

/* What an instruction waited for: the term of rule 2 that binds, the first of equal ones in this
 * order: ID, key, words. */
#define ZTL_TIMING_CAUSES(CAUSE)                                                                   \
    CAUSE(ISSUE, "issue", "none issued")                                                           \
    CAUSE(ENGINE, "engine", "engine busy")                                                         \
    CAUSE(PORT, "port", "port")                                                                    \
    CAUSE(RAW, "raw", "RAW")                                                                       \
    CAUSE(WAR, "war_waw", "WAR, WAW")                                                              \
    CAUSE(MEMORY, "memory", "memory")

enum ztl_timing_cause {
#define ZTL_TIMING_CAUSE(ID, key, words) ZTL_TIMING_##ID,
    ZTL_TIMING_CAUSES(ZTL_TIMING_CAUSE)
#undef ZTL_TIMING_CAUSE
        ZTL_TIMING_CAUSE_COUNT
};

/* All counts are cycles unless they say otherwise, and all members are counts. */
typedef struct ztl_timing_unit {
    uint64_t instructions;
    uint64_t busy;
    uint64_t idle[ZTL_TIMING_CAUSE_COUNT]; /* of an engine, from its first start to its last end */
} ztl_timing_unit;

typedef struct ztl_timing_counts {
    uint64_t cycles;           /* the latest of the hart's time and every result */
    uint64_t instructions;     /* retired */
    uint64_t ztl_instructions; /* of these */
    uint64_t traps;            /* instructions */
    uint64_t hart;             /* the hart's own time; the sum of the next four */
    uint64_t issuing;          /* 1 for each instruction, and what hart.… adds */
    uint64_t wait_queue, wait_memory, wait_drain;
    ztl_timing_unit engine[ZTL_TIMING_ENGINES];
    ztl_timing_unit port[ZTL_TIMING_PORTS]; /* load, store; [0] when shared */
} ztl_timing_counts;

/* Counts so far. */
ZTL_API ztl_timing_counts ztl_timing_result(const ztl_timing *timing);

/* Whether the host ran out of memory, so that the counts are too low. */
ZTL_API bool ztl_timing_failed(const ztl_timing *timing);

/* The busy cycles of the busiest engine or port, and its name ("load port"); 0 and "" when none
 * ever was. */
ZTL_API uint64_t ztl_timing_bound(const ztl_timing_machine *machine,
                                  const ztl_timing_counts *counts, const char **name);

/* The least cycles of an operator: every byte used through its port once, at full width. */
ZTL_API uint64_t ztl_timing_floor(const ztl_timing_machine *machine, uint64_t bytes_in,
                                  uint64_t bytes_out);

/* The names of engines and ports; NULL past the last that the machine has. */
ZTL_API const char *ztl_timing_engine_name(const ztl_timing_machine *machine, size_t index);
ZTL_API const char *ztl_timing_port_name(const ztl_timing_machine *machine, size_t index);

/* ---- Each instruction ------------------------------------------------------------------- */

/* A Ztl instruction that was issued. */
typedef struct ztl_timing_span {
    uint64_t number; /* Ztl instructions before it */
    uint64_t pc;
    uint32_t word;
    uint8_t engine;
    int8_t port; /* -1: none */
    enum ztl_timing_cause cause;
    uint8_t reg;              /* of RAW, WAR and WAW: which register */
    uint32_t bytes, slices;   /* accessed or moved */
    uint64_t arrived, issued; /* when the hart came to it, and had a place in the queue */
    uint64_t ready;           /* the earliest start as far as the hart is concerned */
    uint64_t start, end;      /* end: the engine is free */
    uint64_t done;            /* the result is there */
} ztl_timing_span;

/* A stretch of the hart's time. */
enum ztl_timing_doing {
    ZTL_TIMING_RUNS,
    ZTL_TIMING_WAITS_QUEUE,
    ZTL_TIMING_WAITS_MEMORY,
    ZTL_TIMING_WAITS_DRAIN,
};

/* Calls for each Ztl instruction and each stretch of the hart's time; either may be NULL. pc is
 * that of the instruction that waits. */
typedef struct ztl_timing_sink {
    void *context;
    void (*span)(void *context, const ztl_timing_span *span);
    void (*hart)(void *context, enum ztl_timing_doing what, uint64_t pc, uint64_t from,
                 uint64_t to);
} ztl_timing_sink;

ZTL_API void ztl_timing_set_sink(ztl_timing *timing, const ztl_timing_sink *sink);

/* The hart's time when the instruction at pc is next, before its own cycles. */
ZTL_API uint64_t ztl_timing_now(const ztl_timing *timing, uint64_t pc);

/* ---- Parts of a run --------------------------------------------------------------------- */

/* One part, over all of its visits; regions are marked by <ztl/region.h> or by addresses. Its
 * cycles are from the hart's coming in to its leaving, or to the last result of what it issued
 * there. */
typedef struct ztl_region {
    char name[64];   /* in ASCII */
    bool by_address; /* not by marks */
    uint64_t visits;
    ztl_stats stats;          /* 0 without stats */
    ztl_timing_counts counts; /* 0 without timing */
} ztl_region;

typedef struct ztl_regions ztl_regions;

typedef struct ztl_regions_config {
    const ztl_stats *stats;   /* that an observer counts; may be NULL */
    const ztl_timing *timing; /* may be NULL */
    bool has_from, has_to;    /* a region from one address to another, without marks: its name is */
    uint64_t from, to;        /* `name`; without `from` it starts at once, without `to` it ends */
    const char *name;         /* with the run */
    void *context;            /* of the call whenever a region is entered or left; may be NULL */
    void (*changed)(void *context, const char *name, bool entered, uint64_t time);
} ztl_regions_config;

/* NULL without memory. */
ZTL_API ztl_regions *ztl_regions_create(const ztl_regions_config *config);
ZTL_API void ztl_regions_destroy(ztl_regions *regions);

/* Must be called for each event before those of the stats and of the timing. */
ZTL_API ztl_observer ztl_regions_observer(ztl_regions *regions);

/* Ends those that are open, at the end of a run. */
ZTL_API void ztl_regions_finish(ztl_regions *regions);

/* The regions in the order of their first visits; NULL past the last. */
ZTL_API const ztl_region *ztl_regions_at(const ztl_regions *regions, size_t index);

/* ---- One run, many machines ------------------------------------------------------------- */

/* What decides over the cycles of a run, a few bytes an instruction: recorded once, replayed on any
 * machine. A program that reads its own cycles takes the path of the recorded run. */
typedef struct ztl_recording ztl_recording;

/* NULL without memory. */
ZTL_API ztl_recording *ztl_recording_create(void);
ZTL_API void ztl_recording_destroy(ztl_recording *recording);
ZTL_API ztl_observer ztl_recording_observer(ztl_recording *recording);

/* Its instructions, those that trapped too; and whether the host ran out of memory. */
ZTL_API uint64_t ztl_recording_instructions(const ztl_recording *recording);
ZTL_API bool ztl_recording_failed(const ztl_recording *recording);

/* Runs it on a machine; false without memory. Different threads may replay at once. */
ZTL_API bool ztl_recording_replay(const ztl_recording *recording, const ztl_timing_machine *machine,
                                  ztl_timing_counts *counts);

/* Runs it on many machines, on all cores. `progress`, which may be NULL, is told how many are done,
 * by one thread at a time. False without memory. */
ZTL_API bool ztl_recording_sweep(const ztl_recording *recording, size_t count,
                                 const ztl_timing_machine machines[], ztl_timing_counts counts[],
                                 void (*progress)(void *context, size_t done), void *context);

/* ---- Reports ---------------------------------------------------------------------------- */

/* Tables for people, at most 80 columns wide. Without a machine, regions have no cycles. */
ZTL_API void ztl_timing_print(const ztl_timing_machine *machine, const ztl_timing_counts *counts,
                              FILE *out);
ZTL_API void ztl_regions_print(const ztl_regions *regions, const ztl_timing_machine *machine,
                               FILE *out);

/* The same as a JSON object, with the regions if there are any, and as an array. Lines after the
 * first start with `indent` spaces; there is no newline at the end. */
ZTL_API void ztl_timing_print_json(const ztl_timing_machine *machine,
                                   const ztl_timing_counts *counts, const ztl_regions *regions,
                                   unsigned indent, FILE *out);
ZTL_API void ztl_regions_print_json(const ztl_regions *regions, const ztl_timing_machine *machine,
                                    unsigned indent, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
