/* SPDX-License-Identifier: Apache-2.0
 * A small program as the bytes of an ELF file, for tests to damage.
 */
#ifndef ZTL_TEST_IMAGE_H
#define ZTL_TEST_IMAGE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    IMAGE_BASE = 0x80000000,
    IMAGE_CODE = 64, /* bytes of the first segment */
    IMAGE_DATA_BASE = 0x80001000,
    IMAGE_DATA = 16,       /* bytes of the second in the file */
    IMAGE_DATA_ALL = 4096, /* and in memory */
    IMAGE_SYMBOLS = 5,
    IMAGE_SECTIONS = 4,
};

static const char image_names[] = "\0_start\0helper\0table\0limit";

/* The same layout in both classes: headers, code, data, symbols, names, section headers. */
#define IMAGE(BITS)                                                                                \
    typedef struct image##BITS {                                                                   \
        Elf##BITS##_Ehdr header;                                                                   \
        Elf##BITS##_Phdr segment[2];                                                               \
        uint8_t code[IMAGE_CODE];                                                                  \
        uint8_t data[IMAGE_DATA];                                                                  \
        Elf##BITS##_Sym symbol[IMAGE_SYMBOLS];                                                     \
        char names[sizeof image_names];                                                            \
        char pad[-sizeof image_names & 7];                                                         \
        Elf##BITS##_Shdr section[IMAGE_SECTIONS];                                                  \
    } image##BITS;                                                                                 \
    static inline void make_image##BITS(image##BITS *image)                                        \
    {                                                                                              \
        memset(image, 0, sizeof *image);                                                           \
        memcpy(image->header.e_ident, ELFMAG, SELFMAG);                                            \
        image->header.e_ident[EI_CLASS] = ELFCLASS##BITS;                                          \
        image->header.e_ident[EI_DATA] = ELFDATA2LSB;                                              \
        image->header.e_ident[EI_VERSION] = EV_CURRENT;                                            \
        image->header.e_type = ET_EXEC;                                                            \
        image->header.e_machine = EM_RISCV;                                                        \
        image->header.e_version = EV_CURRENT;                                                      \
        image->header.e_entry = IMAGE_BASE;                                                        \
        image->header.e_phoff = offsetof(image##BITS, segment);                                    \
        image->header.e_shoff = offsetof(image##BITS, section);                                    \
        image->header.e_ehsize = sizeof image->header;                                             \
        image->header.e_phentsize = sizeof image->segment[0];                                      \
        image->header.e_phnum = 2;                                                                 \
        image->header.e_shentsize = sizeof image->section[0];                                      \
        image->header.e_shnum = IMAGE_SECTIONS;                                                    \
        image->segment[0] = (Elf##BITS##_Phdr){.p_type = PT_LOAD,                                  \
                                               .p_offset = offsetof(image##BITS, code),            \
                                               .p_vaddr = IMAGE_BASE,                              \
                                               .p_paddr = IMAGE_BASE,                              \
                                               .p_filesz = IMAGE_CODE,                             \
                                               .p_memsz = IMAGE_CODE};                             \
        image->segment[1] = (Elf##BITS##_Phdr){.p_type = PT_LOAD,                                  \
                                               .p_offset = offsetof(image##BITS, data),            \
                                               .p_vaddr = IMAGE_DATA_BASE,                         \
                                               .p_paddr = IMAGE_DATA_BASE,                         \
                                               .p_filesz = IMAGE_DATA,                             \
                                               .p_memsz = IMAGE_DATA_ALL};                         \
        for (unsigned i = 0; i < IMAGE_CODE; i++)                                                  \
            image->code[i] = (uint8_t)(i + 1);                                                     \
        memset(image->data, 0xda, IMAGE_DATA);                                                     \
        image->symbol[1] = (Elf##BITS##_Sym){.st_name = 1,                                         \
                                             .st_value = IMAGE_BASE,                               \
                                             .st_size = 16,                                        \
                                             .st_info = STB_GLOBAL << 4 | STT_FUNC,                \
                                             .st_shndx = 3};                                       \
        image->symbol[2] = (Elf##BITS##_Sym){.st_name = 8,                                         \
                                             .st_value = IMAGE_BASE + 16,                          \
                                             .st_info = STB_LOCAL << 4 | STT_NOTYPE,               \
                                             .st_shndx = 3};                                       \
        image->symbol[3] = (Elf##BITS##_Sym){.st_name = 15,                                        \
                                             .st_value = IMAGE_DATA_BASE + 8,                      \
                                             .st_size = 8,                                         \
                                             .st_info = STB_GLOBAL << 4 | STT_OBJECT,              \
                                             .st_shndx = 3};                                       \
        image->symbol[4] = (Elf##BITS##_Sym){.st_name = 21,                                        \
                                             .st_value = IMAGE_BASE + 20,                          \
                                             .st_info = STB_GLOBAL << 4 | STT_NOTYPE,              \
                                             .st_shndx = SHN_ABS};                                 \
        memcpy(image->names, image_names, sizeof image_names);                                     \
        image->section[1] = (Elf##BITS##_Shdr){.sh_type = SHT_SYMTAB,                              \
                                               .sh_offset = offsetof(image##BITS, symbol),         \
                                               .sh_size = sizeof image->symbol,                    \
                                               .sh_link = 2,                                       \
                                               .sh_entsize = sizeof image->symbol[0]};             \
        image->section[2] = (Elf##BITS##_Shdr){.sh_type = SHT_STRTAB,                              \
                                               .sh_offset = offsetof(image##BITS, names),          \
                                               .sh_size = sizeof image_names};                     \
        image->section[3] = (Elf##BITS##_Shdr){.sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC};      \
    }

IMAGE(32)
IMAGE(64)

#endif
