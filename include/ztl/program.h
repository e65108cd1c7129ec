/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs for the hart: static RISC-V ELF files, with their symbols.
 *
 *     ztl_error error;
 *     ztl_program *program = ztl_program_open("a.out", &error);
 *     if (program && ztl_program_load(program, hart, &error))
 *         ztl_hart_run(hart, UINT64_MAX);
 *
 * Messages start with the file's name. Nothing of a file is believed before it is checked.
 */
#ifndef ZTL_PROGRAM_H
#define ZTL_PROGRAM_H

#include <ztl/hart.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ztl_program ztl_program;

typedef struct ztl_symbol {
    const char *name; /* lives as long as the program */
    uint64_t address;
    uint64_t size; /* 0: not known */
} ztl_symbol;

/* NULL and a message when the file is not a static RISC-V program that can be loaded whole. */
ZTL_API ztl_program *ztl_program_open(const char *path, ztl_error *error);
ZTL_API void ztl_program_close(ztl_program *program);

ZTL_API unsigned ztl_program_xlen(const ztl_program *program);
ZTL_API uint64_t ztl_program_entry(const ztl_program *program);

/* Whether it was linked for Linux: a hart alone has nobody who answers its system calls. */
ZTL_API bool ztl_program_is_linux(const ztl_program *program);

/* Copies the segments to their physical addresses, clears what the file leaves open, and sets pc
 * to the entry. False and a message, and nothing loaded, when the hart's XLEN differs or a segment
 * is outside its RAM; or where a stop is requested meanwhile. */
ZTL_API bool ztl_program_load(const ztl_program *program, ztl_hart *hart, ztl_error *error);

/* The RAM of a hart that is to run this program, where nobody says otherwise: that of the default
 * configuration, and each 128 MiB that a segment is loaded to or linked for. At most `most` pieces
 * are written, none of which touches another; returns how many there are. */
ZTL_API size_t ztl_program_ram(const ztl_program *program, ztl_window *ram, size_t most);

/* A symbol by its name; false when there is none. */
ZTL_API bool ztl_program_find(const ztl_program *program, const char *name, ztl_symbol *symbol);

/* The symbol that an address of the program belongs to: the last one at or before it in the same
 * segment. False when the address is in no segment or has no symbol before it. */
ZTL_API bool ztl_program_locate(const ztl_program *program, uint64_t address, ztl_symbol *symbol);

/* "main+0x12", "main" (what a terminal would not print of a name is \xNN), or an empty text when
 * the address belongs to no symbol; a NULL program has none. Returns the length of the whole text.
 */
ZTL_API size_t ztl_program_describe(const ztl_program *program, uint64_t address, char *text,
                                    size_t size);

/* The first address past all segments, in memory. */
ZTL_API uint64_t ztl_program_end(const ztl_program *program);

#ifdef __cplusplus
}
#endif
#endif
