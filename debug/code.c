/* SPDX-License-Identifier: Apache-2.0
 * Reading instructions of a program: calls, and returns to an address.
 */
#include "debug/code.h"

#include <string.h>

#include "debug/file/symbol.h"

enum { OPCODE_AUIPC = 0x17, OPCODE_JALR = 0x67, OPCODE_JAL = 0x6f, RA = 1 };

/* The section of code at an address, and where it starts. */
static Elf_Scn *section_at(Dwfl_Module *module, uint64_t address, GElf_Shdr *header,
                           uint64_t *start)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, header) || !(header->sh_flags & SHF_EXECINSTR))
            continue;
        *start = header->sh_addr + bias;
        if (address - *start < header->sh_size)
            return section;
    }
    return NULL;
}

bool ztl_code_has(Dwfl_Module *module, uint64_t address)
{
    GElf_Shdr header;
    uint64_t start;
    return section_at(module, address, &header, &start) != NULL;
}

uint32_t ztl_code_fetch(Dwfl_Module *module, uint64_t address, unsigned size)
{
    GElf_Shdr header;
    uint64_t start;
    uint8_t bytes[4] = {0};
    Elf_Scn *section = section_at(module, address, &header, &start);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    if (!data || !data->d_buf || address - start > data->d_size ||
        data->d_size - (address - start) < size)
        return 0;
    memcpy(bytes, (const uint8_t *)data->d_buf + (address - start), size);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static unsigned rd_of(uint32_t word)
{
    return word >> 7 & 31;
}

/* c.jalr; and c.jal, which only RV32 has: on RV64 it is c.addiw ra, which nothing compiles to. */
static bool is_short_call(uint32_t half)
{
    return ((half & 0xf07f) == 0x9002 && rd_of(half)) || (half & 0xe003) == 0x2001;
}

static bool is_long_call(uint32_t word)
{
    uint32_t opcode = word & 0x7f;
    return (opcode == OPCODE_JAL || opcode == OPCODE_JALR) && rd_of(word) == RA;
}

bool ztl_code_returns(Dwfl_Module *module, uint64_t ra)
{
    return ztl_code_has(module, ra - 1) && (is_long_call(ztl_code_fetch(module, ra - 4, 4)) ||
                                            is_short_call(ztl_code_fetch(module, ra - 2, 2)));
}

static int64_t signed_bits(uint32_t word, unsigned low, unsigned count)
{
    int64_t value = word >> low & ((UINT32_C(1) << count) - 1);
    return value - (value >> (count - 1) << count);
}

static int64_t jal_offset(uint32_t word)
{
    return signed_bits(word, 31, 1) * (1 << 20) + (word & 0xff000) + ((word >> 20 & 1) << 11) +
           (word >> 21 & 0x3ff) * 2;
}

/* Where the call before `ra` goes, if its words tell: jal, or the auipc and jalr of `call`. */
static bool call_target(Dwfl_Module *module, uint64_t ra, uint64_t *target)
{
    uint32_t word = ztl_code_fetch(module, ra - 4, 4), before = ztl_code_fetch(module, ra - 8, 4);
    uint32_t opcode = word & 0x7f;
    if (!is_long_call(word))
        return false;
    if (opcode == OPCODE_JAL) {
        *target = ra - 4 + (uint64_t)jal_offset(word);
        return true;
    }
    if ((before & 0x7f) != OPCODE_AUIPC || rd_of(before) != (word >> 15 & 31))
        return false;
    *target = ra - 8 + (uint64_t)((int64_t)(int32_t)(before & 0xfffff000)) +
              (uint64_t)signed_bits(word, 20, 12);
    return true;
}

/* A function that has called another may have kept the old ra there: then ra leads back into the
 * function itself, or belongs to a call of another one. */
bool ztl_code_called(Dwfl_Module *module, uint64_t ra, uint64_t pc)
{
    uint64_t target;
    if (!ztl_code_returns(module, ra))
        return false;
    if (!ztl_code_has(module, pc)) /* a jump into the void */
        return true;
    if (call_target(module, ra, &target))
        return target <= pc && (ra < target || ra > pc);
    uint64_t caller = 0, here = 0;
    ztl_symbol_at(module, ra - 1, &caller);
    ztl_symbol_at(module, pc, &here);
    return caller != here;
}
