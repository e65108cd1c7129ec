/* SPDX-License-Identifier: Apache-2.0
 * A position-independent program that relocates itself, as the start of a C library does it: the
 * kernel says where its program headers are, those say where it was put and what to relocate.
 */
#include <elf.h>

static const char *const words[] = {"these", "texts", "are", "found", "by", "relocation", 0};
static int zeros[3000];
void begin(const long *stack) __attribute__((visibility("hidden"), used));
void _start(void);

__asm__(".globl _start\n_start: mv a0, sp\n tail begin\n");

static long call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

static void print(const char *text)
{
    long length = 0;
    while (text[length])
        length++;
    call(64, 1, (long)text, length);
}

/* Nothing that needs a relocation may be used before. */
static Elf64_Addr relocate(const Elf64_Phdr *header, unsigned long count)
{
    const Elf64_Dyn *dynamic = 0;
    const Elf64_Addr base = (Elf64_Addr)header - sizeof(Elf64_Ehdr); /* linked for 0 */
    for (unsigned long i = 0; i < count; i++)
        if (header[i].p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)(base + header[i].p_vaddr);
    Elf64_Addr table = 0, size = 0;
    for (; dynamic && dynamic->d_tag; dynamic++) {
        table = dynamic->d_tag == DT_RELA ? base + dynamic->d_un.d_ptr : table;
        size = dynamic->d_tag == DT_RELASZ ? dynamic->d_un.d_val : size;
    }
    for (const Elf64_Rela *r = (const Elf64_Rela *)table; (Elf64_Addr)r < table + size; r++)
        if (r->r_info == R_RISCV_RELATIVE)
            *(Elf64_Addr *)(base + r->r_offset) = base + (Elf64_Addr)r->r_addend;
    return base;
}

void begin(const long *stack)
{
    static unsigned long value[32]; /* found relative to pc */
    const long *at = stack + 1 + stack[0] + 1;
    while (*at++)
        ;
    for (; at[0]; at += 2)
        if (at[0] < 32)
            value[at[0]] = (unsigned long)at[1];
    Elf64_Addr base = relocate((const Elf64_Phdr *)value[AT_PHDR], value[AT_PHNUM]);
    for (unsigned i = 0; words[i]; i++) {
        print(words[i]);
        print(words[i + 1] ? " " : "\n");
    }
    print(base && base % 4096 == 0 ? "moved\n" : "not moved\n");
    print(value[AT_ENTRY] == (unsigned long)_start ? "entry\n" : "no entry\n");
    print(value[AT_BASE] == 0 ? "no interpreter\n" : "interpreter\n");
    if (stack[0] > 1)
        *(volatile int *)8 = zeros[stack[0]];
    call(94, zeros[2999] + 5, 0, 0);
}
