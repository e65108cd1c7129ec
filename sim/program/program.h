/* SPDX-License-Identifier: Apache-2.0
 * What reading, loading and looking up a program share.
 */
#ifndef ZTL_SIM_PROGRAM_H
#define ZTL_SIM_PROGRAM_H

#include <gelf.h>
#include <libelf.h>

#include <ztl/program.h>

/* A piece of the file that goes into memory. */
typedef struct ztl_segment {
    uint64_t virtual;
    uint64_t physical;
    uint64_t offset;
    uint64_t file_size;
    uint64_t memory_size; /* ≥ 1 */
    size_t header;        /* its number in the file, for messages */
    unsigned flags;       /* PF_R, PF_W, PF_X */
} ztl_segment;

typedef struct ztl_symbol_entry {
    ztl_symbol symbol;
    bool is_absolute;   /* a number, not a place */
    unsigned char rank; /* the one of the highest rank names an address */
} ztl_symbol_entry;

struct ztl_program {
    char *path;
    int file;
    unsigned xlen;
    uint64_t entry;
    uint64_t base;    /* what was added to the addresses of a position-independent program */
    uint64_t headers; /* where in the file the program headers are, and how many */
    unsigned header_count;
    ztl_segment *segment; /* by physical address */
    size_t segment_count;
    ztl_symbol_entry *symbol; /* places by address, then rank; then numbers */
    size_t symbol_count, place_count;
    char *names;         /* the file's string table */
    bool is_open_to_all; /* what only the hart cannot run is not refused */
    bool is_linux;
    bool has_code_on_stack; /* its header of the stack asks for it */
};

/* Where messages go, and which file they are about. */
typedef struct ztl_complaint {
    const char *path;
    ztl_error *error;
} ztl_complaint;

/* Writes "FILE: message" and returns false. */
__attribute__((format(printf, 2, 3))) bool ztl_complain(const ztl_complaint *complaint,
                                                        const char *format, ...);

/* As ztl_program_open, for another machine: Linux programs, position-independent ones and floats in
 * registers are welcome. */
ztl_program *ztl_program_open_any(const char *path, ztl_error *error);

/* Each reads a part of the file; false and a message when it is wrong. */
bool ztl_program_read_segments(ztl_program *program, Elf *elf, uint64_t file_size,
                               const ztl_complaint *complaint);
bool ztl_program_read_symbols(ztl_program *program, Elf *elf, uint64_t file_size,
                              const ztl_complaint *complaint);

/* Whether it is a position-independent program that relocates itself, as -static-pie links one. */
bool ztl_program_moves_itself(Elf *elf);

/* Whether it is one of Linux; the other parts must have been read. */
bool ztl_program_read_system(ztl_program *program, Elf *elf);

/* Whether it is laid out as one of Linux, though it need not be one. */
bool ztl_program_may_be_linux(const ztl_program *program);

/* The segment whose virtual (or, where none has it, physical) range holds an address. */
const ztl_segment *ztl_program_segment_at(const ztl_program *program, uint64_t address);

#endif
