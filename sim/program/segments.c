/* SPDX-License-Identifier: Apache-2.0
 * The segments of an ELF file: checked when it is opened, copied when it is loaded.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/hart.h"
#include "sim/program/program.h"

/* The last address of an XLEN-bit address space. */
static uint64_t top_of(unsigned xlen)
{
    return xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

static uint64_t last_byte(uint64_t base, uint64_t size)
{
    return base + (size - 1);
}

static bool wraps(uint64_t base, uint64_t size, unsigned xlen)
{
    return base > top_of(xlen) || size - 1 > top_of(xlen) - base;
}

static bool check_segment(const GElf_Phdr *header, size_t index, unsigned xlen, uint64_t file_size,
                          const ztl_complaint *complaint)
{
    if (header->p_filesz > header->p_memsz)
        return ztl_complain(complaint,
                            "segment %zu has more bytes in the file (%" PRIu64
                            ") than in memory (%" PRIu64 ")",
                            index, header->p_filesz, header->p_memsz);
    if (header->p_offset > file_size || header->p_filesz > file_size - header->p_offset)
        return ztl_complain(complaint,
                            "segment %zu leaves the file: %" PRIu64 " bytes from offset %" PRIu64
                            " on, but the file has %" PRIu64 "; is it cut short?",
                            index, header->p_filesz, header->p_offset, file_size);
    if (wraps(header->p_paddr, header->p_memsz, xlen) ||
        wraps(header->p_vaddr, header->p_memsz, xlen))
        return ztl_complain(complaint,
                            "segment %zu wraps around the address space: 0x%" PRIx64
                            " bytes at 0x%" PRIx64,
                            index, header->p_memsz, header->p_paddr);
    return true;
}

static int by_physical(const void *first, const void *second)
{
    const ztl_segment *a = first, *b = second;
    return a->physical < b->physical ? -1 : a->physical > b->physical;
}

static bool check_overlap(const ztl_program *program, const ztl_complaint *complaint)
{
    for (size_t i = 1; i < program->segment_count; i++) {
        const ztl_segment *low = &program->segment[i - 1], *high = &program->segment[i];
        if (high->physical <= last_byte(low->physical, low->memory_size))
            return ztl_complain(
                complaint, "segments %zu (from 0x%" PRIx64 ") and %zu (from 0x%" PRIx64 ") overlap",
                low->header, low->physical, high->header, high->physical);
    }
    return true;
}

static bool read_all(ztl_program *program, Elf *elf, size_t count, uint64_t file_size,
                     const ztl_complaint *complaint)
{
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header))
            return ztl_complain(complaint, "program header %zu cannot be read: %s", i,
                                elf_errmsg(-1));
        if (!program->is_open_to_all &&
            (header.p_type == PT_INTERP || (header.p_type == PT_DYNAMIC && !program->base)))
            return ztl_complain(complaint, "is dynamically linked; link it with -static");
        program->has_code_on_stack |= header.p_type == PT_GNU_STACK && header.p_flags & PF_X;
        if (header.p_type != PT_LOAD || header.p_memsz == 0)
            continue;
        header.p_vaddr += program->base;
        header.p_paddr += program->base;
        if (header.p_vaddr < program->base || header.p_paddr < program->base)
            return ztl_complain(complaint, "segment %zu leaves the address space", i);
        if (!check_segment(&header, i, program->xlen, file_size, complaint))
            return false;
        program->segment[program->segment_count++] = (ztl_segment){.virtual = header.p_vaddr,
                                                                   .physical = header.p_paddr,
                                                                   .offset = header.p_offset,
                                                                   .file_size = header.p_filesz,
                                                                   .memory_size = header.p_memsz,
                                                                   .header = i,
                                                                   .flags = header.p_flags};
    }
    return true;
}

bool ztl_program_read_segments(ztl_program *program, Elf *elf, uint64_t file_size,
                               const ztl_complaint *complaint)
{
    GElf_Ehdr header;
    size_t count;
    if (!gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &count))
        return ztl_complain(complaint, "program headers cannot be read: %s", elf_errmsg(-1));
    count = header.e_phnum; /* libelf counts only those that the file holds */
    size_t entry = gelf_fsize(elf, ELF_T_PHDR, 1, EV_CURRENT);
    if (count && header.e_phentsize != entry)
        return ztl_complain(complaint, "program headers have %u bytes each, must be %zu",
                            header.e_phentsize, entry);
    if (header.e_phoff > file_size || count > (file_size - header.e_phoff) / entry)
        return ztl_complain(complaint, "%zu program headers leave the file; is it cut short?",
                            count);
    if (!(program->segment = calloc(count + 1, sizeof *program->segment)))
        return ztl_complain(complaint, "no memory for %zu segments", count);
    if (!read_all(program, elf, count, file_size, complaint))
        return false;
    if (!program->segment_count)
        return ztl_complain(complaint, "has no segment to load");
    qsort(program->segment, program->segment_count, sizeof *program->segment, by_physical);
    if (!check_overlap(program, complaint))
        return false;
    if (!ztl_program_segment_at(program, program->entry))
        return ztl_complain(complaint, "entry 0x%" PRIx64 " is in no segment", program->entry);
    return true;
}

const ztl_segment *ztl_program_segment_at(const ztl_program *program, uint64_t address)
{
    for (size_t i = 0; i < program->segment_count; i++)
        if (address - program->segment[i].virtual < program->segment[i].memory_size)
            return &program->segment[i];
    for (size_t i = 0; i < program->segment_count; i++)
        if (address - program->segment[i].physical < program->segment[i].memory_size)
            return &program->segment[i];
    return NULL;
}

uint64_t ztl_program_end(const ztl_program *program)
{
    const ztl_segment *last = &program->segment[program->segment_count - 1];
    return last->physical + last->memory_size;
}

/* Makes a range of addresses part of the pieces, which stay in order of their addresses. Those that
 * it touches become one with it. */
static size_t join_range(ztl_window *ram, size_t count, size_t most, uint64_t first, uint64_t last)
{
    size_t at = 0, beyond;
    while (at < count && first && last_byte(ram[at].base, ram[at].size) < first - 1)
        at++;
    for (beyond = at; beyond < count; beyond++) {
        if (ram[beyond].base > last && ram[beyond].base - 1 > last)
            break;
        uint64_t end = last_byte(ram[beyond].base, ram[beyond].size);
        first = ram[beyond].base < first ? ram[beyond].base : first;
        last = end > last ? end : last;
    }
    if (at == beyond && count == most)
        return count;
    memmove(&ram[at + 1], &ram[beyond], (count - beyond) * sizeof *ram);
    ram[at] = (ztl_window){first, last - first + 1};
    return count - (beyond - at) + 1;
}

size_t ztl_program_ram(const ztl_program *program, ztl_window *ram, size_t most)
{
    const uint64_t block = UINT64_C(128) << 20, largest = UINT64_C(4) << 30;
    const ztl_window standard = *ztl_hart_default_config().ram;
    size_t count = join_range(ram, 0, most, standard.base, last_byte(standard.base, standard.size));
    for (size_t i = 0; i < program->segment_count; i++) {
        const ztl_segment *segment = &program->segment[i];
        const uint64_t place[] = {segment->physical, segment->virtual};
        for (unsigned k = 0; k < 2 && segment->memory_size <= largest; k++)
            count = join_range(ram, count, most, place[k] & ~(block - 1),
                               last_byte(place[k], segment->memory_size) | (block - 1));
    }
    return count;
}

/* How many bytes from an address on are RAM. */
static uint64_t ram_from(const ztl_hart *hart, uint64_t address)
{
    const ztl_ram *ram;
    for (size_t i = 0; (ram = ztl_hart_ram(hart, i)); i++)
        if (address - ram->base < ram->size)
            return ram->size - (address - ram->base);
    return 0;
}

static bool is_ram(const ztl_hart *hart, uint64_t address, uint64_t size)
{
    while (size) {
        uint64_t here = ram_from(hart, address);
        if (!here)
            return false;
        if (here >= size)
            return true;
        address += here;
        size -= here;
    }
    return true;
}

static bool check_ram(const ztl_program *program, const ztl_hart *hart,
                      const ztl_complaint *complaint)
{
    for (size_t i = 0; i < program->segment_count; i++) {
        const ztl_segment *segment = &program->segment[i];
        if (is_ram(hart, segment->physical, segment->memory_size))
            continue;
        const ztl_ram *ram = ztl_hart_ram(hart, 0);
        return ztl_complain(
            complaint,
            "segment %zu, 0x%" PRIx64 " to 0x%" PRIx64
            ", is outside RAM (which starts at 0x%" PRIx64
            "); give the hart RAM there, as with --mem 0x%" PRIx64 ":0x%" PRIx64,
            segment->header, segment->physical, last_byte(segment->physical, segment->memory_size),
            ram->base, segment->physical & ~UINT64_C(0xfff),
            ((segment->physical & 0xfff) + segment->memory_size + 0xfff) & ~UINT64_C(0xfff));
    }
    return true;
}

static bool copy_from_file(const ztl_program *program, const ztl_segment *segment, ztl_hart *hart,
                           const ztl_complaint *complaint)
{
    uint8_t bytes[1 << 16];
    for (uint64_t done = 0; done < segment->file_size;) {
        uint64_t left = segment->file_size - done;
        size_t want = left < sizeof bytes ? (size_t)left : sizeof bytes;
        ssize_t got = pread(program->file, bytes, want, (off_t)(segment->offset + done));
        if (ztl_hart_stop_requested(hart))
            return ztl_complain(complaint, "stopped while segment %zu was loaded", segment->header);
        if (got <= 0)
            return ztl_complain(complaint, "segment %zu cannot be read", segment->header);
        ztl_hart_write_memory(hart, segment->physical + done, bytes, (size_t)got);
        done += (uint64_t)got;
    }
    return true;
}

bool ztl_program_load(const ztl_program *program, ztl_hart *hart, ztl_error *error)
{
    ztl_complaint complaint = {program->path, error};
    unsigned xlen = ztl_hart_isa_of(hart)->xlen;
    if (xlen != program->xlen)
        return ztl_complain(&complaint, "is a program for RV%u, the hart is RV%u", program->xlen,
                            xlen);
    if (!check_ram(program, hart, &complaint))
        return false;
    for (size_t i = 0; i < program->segment_count; i++) {
        const ztl_segment *segment = &program->segment[i];
        if (!copy_from_file(program, segment, hart, &complaint))
            return false;
        ztl_memory_zero(hart, segment->physical + segment->file_size,
                        segment->memory_size - segment->file_size);
    }
    ztl_hart_set_pc(hart, program->entry);
    return true;
}
