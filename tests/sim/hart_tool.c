/* SPDX-License-Identifier: Apache-2.0
 * The hart for scripts, a question and an answer a line:
 *
 *     hart_tool dis ISA     WORD               ->  the text of the word at pc 0
 *     hart_tool asm ISA     TEXT               ->  the word of the text at pc 0, or what is wrong
 *     hart_tool why ISA     WORD               ->  why the word is illegal, if that is known
 *     hart_tool exec ISA    WORD A1 A2 MEM     ->  A0 MEM PC [trap CAUSE TVAL]
 *
 * exec runs the word at PC 0x1000 with a1, a2 and eight bytes of memory at 0x2000.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/hart.h>

#include "sim/text/assemble.h"

enum { PC = 0x1000, DATA = 0x2000, A0 = 10, A1 = 11, A2 = 12 };

static void disassemble(const ztl_hart_isa *isa)
{
    char text[100];
    uint32_t word;
    while (scanf("%" SCNx32, &word) == 1) {
        ztl_hart_disassemble(isa, 0, word, text, sizeof text);
        puts(text);
    }
}

static void assemble(const ztl_hart_isa *isa)
{
    ztl_error error;
    char text[1000];
    uint32_t word;
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = '\0';
        if (ztl_hart_assemble(isa, 0, text, &word, &error))
            printf("%0*" PRIx32 "\n", 2 * (int)ztl_hart_insn_length(word), word);
        else
            printf("error %s\n", error.text);
    }
}

static int translate(const char *isa_text, void (*work)(const ztl_hart_isa *))
{
    ztl_error error;
    ztl_hart_isa isa;
    if (!ztl_hart_isa_parse(isa_text, &isa, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    work(&isa);
    return 0;
}

static void execute(ztl_hart *hart, uint32_t word, uint64_t a1, uint64_t a2, uint64_t memory)
{
    ztl_hart_reset(hart);
    ztl_hart_set_x(hart, A0, 0x5a5a5a5a);
    ztl_hart_set_x(hart, A1, a1);
    ztl_hart_set_x(hart, A2, a2);
    ztl_hart_set_x(hart, 2, a1);
    ztl_hart_write_memory(hart, DATA, &memory, sizeof memory);
    enum ztl_stop stop = ztl_hart_execute(hart, word);
    ztl_hart_read_memory(hart, DATA, &memory, sizeof memory);
    printf("%" PRIx64 " %" PRIx64 " %" PRIx64, ztl_hart_x(hart, A0), memory, ztl_hart_pc(hart));
    const ztl_trap *trap = ztl_hart_last_trap(hart);
    if (stop == ZTL_STOP_TRAP)
        printf(" trap %" PRIx64 " %" PRIx64, trap->cause, trap->tval);
    putchar('\n');
}

static void explain(const ztl_hart *hart)
{
    char text[300];
    uint32_t word;
    while (scanf("%" SCNx32, &word) == 1)
        puts(ztl_hart_explain_illegal(hart, word, text, sizeof text) ? text : "");
}

int main(int argc, char **argv)
{
    ztl_error error;
    if (argc != 3)
        return 2;
    if (!strcmp(argv[1], "dis"))
        return translate(argv[2], disassemble);
    if (!strcmp(argv[1], "asm"))
        return translate(argv[2], assemble);
    ztl_window ram = {0x1000, 0x2000};
    ztl_hart_config config = {.isa = argv[2], .ram = &ram, .ram_count = 1, .reset_pc = PC};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    if (!hart) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    uint32_t word;
    uint64_t a1, a2, memory;
    if (!strcmp(argv[1], "why"))
        explain(hart);
    while (scanf("%" SCNx32 "%" SCNx64 "%" SCNx64 "%" SCNx64, &word, &a1, &a2, &memory) == 4)
        execute(hart, word, a1, a2, memory);
    ztl_hart_destroy(hart);
    return 0;
}
