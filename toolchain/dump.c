/* SPDX-License-Identifier: Apache-2.0 */
#include "toolchain/dump.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/dump_line.h"
#include "toolchain/dump_source.h"
#include "toolchain/note.h"

enum { EM_RISCV_NUMBER = 243, HEADER_SIZE = 20 };

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned number;
        const char *name;
    } known[] = {{3, "i386"},  {8, "MIPS"},    {20, "PowerPC"},    {21, "PowerPC64"},
                 {40, "Arm"},  {62, "x86-64"}, {183, "AArch64"},   {22, "S390"},
                 {2, "SPARC"}, {247, "BPF"},   {258, "LoongArch"}, {43, "SPARC V9"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == machine)
            return known[i].name;
    return NULL;
}

static bool wrong_machine(const char *path, unsigned machine, char *error, size_t error_size)
{
    const char *name = machine_name(machine);
    if (name)
        snprintf(error, error_size, "%s: an object of %s, not of RISC-V", path, name);
    else
        snprintf(error, error_size, "%s: an object of machine %u, not of RISC-V (%d)", path,
                 machine, EM_RISCV_NUMBER);
    return false;
}

/* A RISC-V ELF file by its header, or an archive, which objdump judges. */
static bool check_file(const char *path, char *error, size_t error_size)
{
    uint8_t header[HEADER_SIZE] = {0};
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(header, 1, sizeof header, file) : 0;
    int problem = !file || ferror(file) ? errno : 0;
    if (file)
        fclose(file);
    if (problem) {
        snprintf(error, error_size, "%s: %s", path, strerror(problem));
        return false;
    }
    if (count >= 8 && !memcmp(header, "!<arch>\n", 8))
        return true;
    if (count < sizeof header || memcmp(header, "\177ELF", 4)) {
        snprintf(error, error_size, "%s: neither an ELF file nor an archive", path);
        return false;
    }
    bool big = header[5] == 2;
    unsigned machine = (unsigned)header[18 + big] | (unsigned)header[19 - big] << 8;
    return machine == EM_RISCV_NUMBER || wrong_machine(path, machine, error, error_size);
}

static void build_command(const ztl_dump *dump, const char *path, ztl_args *command)
{
    const char *chosen = getenv("ZTL_OBJDUMP");
    bool linux_only = !ztl_program_exists("riscv64-unknown-elf-objdump") &&
                      ztl_program_exists("riscv64-linux-gnu-objdump");
    if (chosen && *chosen)
        ztl_args_add(command, chosen);
    else
        ztl_args_add(command,
                     linux_only ? "riscv64-linux-gnu-objdump" : "riscv64-unknown-elf-objdump");
    ztl_args_add(command, "-d");
    if (dump->assembly) {
        ztl_args_add(command, "-z");
        ztl_args_add(command, "-Mno-aliases");
    } else if (dump->source) {
        ztl_args_add(command, "-S");
        ztl_args_add(command, "-l");
    }
    for (size_t i = 0; i < dump->option.count; i++)
        ztl_args_add(command, dump->option.item[i]);
    ztl_args_add(command, path);
}

static void print_listing(const ztl_dump *dump, const ztl_args *lines, ztl_buffer *out)
{
    for (size_t i = 0; i < lines->count; i++)
        ztl_line_print(dump->revision, lines->item[i], out);
}

/* False when memory ran out or the output could not be written. */
static bool filter(const ztl_dump *dump, FILE *in, FILE *out)
{
    char *line = NULL;
    size_t capacity = 0;
    ztl_args lines = {0};
    ztl_buffer text = {0};
    while (getline(&line, &capacity, in) >= 0)
        ztl_args_add(&lines, line);
    if (dump->assembly)
        ztl_dump_source(dump->revision, &lines, &text);
    else
        print_listing(dump, &lines, &text);
    bool ok = !text.failed && fwrite(ztl_buffer_text(&text), 1, text.length, out) == text.length;
    ztl_args_free(&lines);
    ztl_buffer_free(&text);
    free(line);
    return ok;
}

bool ztl_dump_file(const ztl_dump *dump, const char *path, FILE *out, char *error,
                   size_t error_size)
{
    ztl_args command = {0};
    pid_t child;
    error[0] = '\0';
    if (!check_file(path, error, error_size))
        return false;
    ztl_dump known = *dump; /* the options are still the caller's */
    if (!known.revision)
        known.revision = ztl_note_revision(path) == 1 ? 1 : 2;
    build_command(dump, path, &command);
    FILE *in = ztl_process_read(&command, &child);
    if (in) {
        bool printed = filter(&known, in, out);
        if (ztl_process_close(in, child) != 0)
            snprintf(error, error_size, "%s: objdump could not read it", path);
        else if (!printed)
            snprintf(error, error_size, "%s: the listing could not be written", path);
    } else {
        ztl_program_missing(command.item[0], error, error_size);
    }
    ztl_args_free(&command);
    return !*error;
}

void ztl_dump_free(ztl_dump *dump)
{
    ztl_args_free(&dump->option);
}
