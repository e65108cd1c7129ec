/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the examples of the manual. Reads lines that start with "> ", echoes them and prints the
 * true answers; every other line is skipped. One hart, 4 KiB of memory at 0x1000.
 *
 *   > ztl 1               start anew as a hart of that revision
 *   > a0 = 0x1000         an integer register, a CSR by any spelling, a tensor register's first
 *   > tshape = 0x020408   bytes in hexadecimal (the others become 0), or bytes that count from 0
 *   > tl1 = 01 02 ff      (`count`); the same for memory
 *   > mem 0x1000 = count
 *   > tl1 8               prints the first bytes of a register, or of memory
 *   > tl_xpose_status     prints a CSR
 *   > dis 0x0220b55b      disassembles
 *   > tl.addi tl1, tl0, 1 anything else is assembled and executed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "codec/gpr.h"

enum { MEM_BASE = 0x1000, MEM_SIZE = 4096 };

typedef struct session {
    ztl_state hart;
    uint64_t x[32];
    uint8_t memory[MEM_SIZE];
} session;

static void start(session *s, unsigned revision)
{
    ztl_config config = ztl_default_config();
    config.revision = revision;
    config.subsets = ztl_subsets_of(revision);
    memset(s, 0, sizeof *s);
    if (ztl_init(&s->hart, &config) != ZTL_OK)
        abort();
}

static void fill(uint8_t *bytes, size_t size, const char *values)
{
    char *end;
    memset(bytes, 0, size);
    if (!strcmp(values, "count")) {
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)i;
        return;
    }
    for (size_t i = 0; i < size; i++, values = end) {
        bytes[i] = (uint8_t)strtoul(values, &end, 16);
        if (end == values)
            return;
    }
}

static void show(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s%02x", i ? " " : "", bytes[i]);
    putchar('\n');
}

static bool assign(session *s, const char *name, const char *value)
{
    unsigned index, address;
    uint8_t block[ZTL_REG_BYTES];
    if (sscanf(name, "mem %i", (int *)&address) == 1 && address - MEM_BASE < MEM_SIZE) {
        fill(s->memory + (address - MEM_BASE), MEM_SIZE - (address - MEM_BASE), value);
        return true;
    }
    if (sscanf(name, "tl%u", &index) == 1) {
        fill(block, sizeof block, value);
        return ztl_set_register(&s->hart, index, block) == ZTL_OK;
    }
    if (ztl_csr_address(s->hart.config.revision, name, &address))
        return ztl_csr_write(&s->hart, address, strtoull(value, NULL, 0)) == ZTL_OK;
    int gpr = ztl_gpr_index(name, strlen(name));
    if (gpr <= 0)
        return false;
    s->x[gpr] = strtoull(value, NULL, 0);
    return true;
}

static bool query(session *s, const char *line)
{
    unsigned index, count, address;
    uint64_t value;
    if (sscanf(line, "mem %i %u", (int *)&address, &count) == 2) {
        show(s->memory + (address - MEM_BASE), count);
        return true;
    }
    if (sscanf(line, "tl%u %u", &index, &count) == 2 && index < ZTL_REGISTERS) {
        show(ztl_get_register(&s->hart, index), count);
        return true;
    }
    if (!ztl_csr_address(s->hart.config.revision, line, &address) ||
        ztl_csr_read(&s->hart, address, &value) != ZTL_OK)
        return false;
    printf("0x%x\n", (unsigned)value);
    return true;
}

static void execute(session *s, const char *line)
{
    ztl_error error;
    char text[160];
    uint32_t word;
    ztl_ram ram = {MEM_BASE, MEM_SIZE, s->memory};
    ztl_memory memory = {.ram = &ram, .ram_count = 1};
    if (!ztl_assemble(s->hart.config.revision, line, &word, &error)) {
        printf("error: %s\n", error.text);
        return;
    }
    printf("0x%08x\n", (unsigned)word);
    ztl_result result = ztl_execute(&s->hart, word, s->x, &memory);
    if (result.status != ZTL_OK) {
        ztl_explain(&result, text, sizeof text);
        printf("trap, cause %d, tval 0x%llx: %s\n", (int)result.cause,
               (unsigned long long)result.tval, text);
    }
}

static bool answer(session *s, char *line)
{
    unsigned number;
    char text[160];
    char *equals = strstr(line, " = ");
    if (equals) {
        *equals = '\0';
        return assign(s, line, equals + 3);
    }
    if (sscanf(line, "ztl %u", &number) == 1) {
        start(s, number);
        return true;
    }
    if (sscanf(line, "dis %i", (int *)&number) == 1) {
        ztl_disassemble(s->hart.config.revision, number, text, sizeof text);
        puts(text);
        return true;
    }
    if (!query(s, line))
        execute(s, line);
    return true;
}

int main(void)
{
    static session s;
    char line[256];
    start(&s, 2);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "> ", 2))
            continue;
        puts(line);
        if (!answer(&s, line + 2)) {
            fprintf(stderr, "session: cannot take '%s'\n", line);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
