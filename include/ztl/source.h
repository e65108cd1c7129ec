/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs from assembly, without other tools: labels, data, macros and the pseudo-instructions
 * that GNU as has, as far as people write them and gcc prints them.
 *
 *     ztl_hart_isa isa = *ztl_hart_isa_of(hart);
 *     ztl_source *source = ztl_source_assemble(text, &isa, 0x80000000);
 *     if (source && !ztl_source_error_at(source, 0))
 *         ztl_source_load(source, hart);                    // bytes into RAM, pc at _start
 *     ztl_source_free(source);
 */
#ifndef ZTL_SOURCE_H
#define ZTL_SOURCE_H

#include <ztl/hart.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ztl_source ztl_source;

/* What is wrong with a line of the source; the first line is 1. */
typedef struct ztl_source_error {
    unsigned line;
    char *text;
} ztl_source_error;

/* The line that a piece of the image comes from. */
typedef struct ztl_source_line {
    uint64_t address;
    unsigned line;
} ztl_source_line;

/* Assembles a source for a base address: code, then constants, data and zeros. NULL without memory.
 * A source with errors has no bytes. */
ZTL_API ztl_source *ztl_source_assemble(const char *text, const ztl_hart_isa *isa, uint64_t base);
ZTL_API void ztl_source_free(ztl_source *source);

/* The index-th error, in the order of lines; NULL past the last. */
ZTL_API const ztl_source_error *ztl_source_error_at(const ztl_source *source, size_t index);

/* The bytes from the base address on, zeros included. */
ZTL_API const uint8_t *ztl_source_bytes(const ztl_source *source, size_t *size);

/* Where it starts: _start, or else main, or else the base. */
ZTL_API uint64_t ztl_source_entry(const ztl_source *source);

/* The index-th label, in the order of their first use; a name of NULL past the last. */
typedef struct ztl_source_label {
    const char *name; /* lives as long as the source */
    uint64_t address;
} ztl_source_label;
ZTL_API ztl_source_label ztl_source_label_at(const ztl_source *source, size_t index);

/* The address of a label; false when there is none. */
ZTL_API bool ztl_source_find_label(const ztl_source *source, const char *name, uint64_t *address);

/* The line of an instruction's address; 0 when no instruction is there. */
ZTL_API unsigned ztl_source_line_of(const ztl_source *source, uint64_t address);

/* Copies the bytes to the hart's RAM and sets pc to the entry; false, and nothing copied, when they
 * are outside it or the source has errors. */
ZTL_API bool ztl_source_load(const ztl_source *source, ztl_hart *hart);

#ifdef __cplusplus
}
#endif
#endif
