/* SPDX-License-Identifier: Apache-2.0
 * Any bytes as an ELF file: opened, loaded and looked up, or refused with a message.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ztl/program.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void load(const ztl_program *program)
{
    static ztl_hart *hart[2];
    ztl_error error;
    char text[300];
    unsigned index = ztl_program_xlen(program) == 64;
    ztl_hart_config config = ztl_hart_default_config();
    config.isa = index ? "rv64imac_zicsr_ztl" : "rv32imac_zicsr_ztl";
    if (!hart[index])
        hart[index] = ztl_hart_create(&config, &error);
    if (ztl_program_load(program, hart[index], &error))
        ztl_hart_run(hart[index], 100);
    ztl_symbol symbol;
    ztl_program_find(program, "main", &symbol);
    ztl_program_describe(program, ztl_program_entry(program), text, sizeof text);
    ztl_program_describe(program, ztl_program_end(program), text, sizeof text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ztl_error error = {""};
    char path[40];
    int file = memfd_create("elf", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ztl_program *program = ztl_program_open(path, &error);
    if (program)
        load(program);
    else if (strncmp(error.text, path, strlen(path)) != 0)
        abort(); /* a refusal says which file */
    ztl_program_close(program);
    close(file);
    return 0;
}
