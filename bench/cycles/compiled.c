/* SPDX-License-Identifier: Apache-2.0
 * Compiles kernels: all in one file, behind a stop and a jump to each.
 */
#include "bench/cycles/compiled.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/command/message.h"
#include "host/error.h"
#include "host/process/process.h"
#include "host/process/temporary.h"
#include "ops/emit/emit.h"
#include "toolchain/compile/compiler.h"

static const char command[] = "ztl bench ops --compiled";

static const char script[] =
    "ENTRY(_start)\n"
    "SECTIONS\n"
    "{\n"
    "  . = 0x80000000;\n"
    "  .all : { KEEP(*(.text.start)) *(.text*) *(.rodata* .srodata*)\n"
    "           *(.data* .sdata* .bss* .sbss*) }\n"
    "  /DISCARD/ : { *(.comment) *(.riscv.attributes) *(.eh_frame) *(.note*) }\n"
    "}\n";

bool ztl_bench_is_wanted(const ztl_ops_case *c, const char *only)
{
    return !c->is_left_out && (!only || strstr(c->name, only));
}

static bool emit_case(const ztl_ops_case *c, const ztl_ops_machine *machine, unsigned number,
                      FILE *out, ztl_error *error)
{
    char name[32];
    size_t space = ztl_ops_plan_space(&c->text.op, c->in, c->inputs, c->out, c->outputs);
    ztl_ops_plan *plan = malloc(space);
    snprintf(name, sizeof name, "kernel_%u", number);
    const ops_emit_options options = {.name = name, .comment = c->name, .bare = number > 0};
    bool good = plan && ztl_ops_make(&c->text.op, c->in, c->inputs, c->out, c->outputs, machine,
                                     plan, space, error);
    good = good && ztl_ops_emit(plan, &options, out, error);
    if (good)
        ztl_ops_emit_call(plan, name, out);
    if (!plan)
        ztl_fail(error, "out of memory");
    free(plan);
    return good;
}

/* The kernels, then the entries. */
static bool emit_all(enum ztl_ops_group group, unsigned bits, const char *only,
                     const ztl_ops_machine *machine, FILE *out, unsigned *count)
{
    ztl_ops_case c;
    ztl_error error;
    bool good = true;
    for (size_t i = 0; good && ztl_ops_case_of(group, i, bits, &c); i++) {
        if (ztl_bench_is_wanted(&c, only))
            good = emit_case(&c, machine, (*count)++, out, &error);
        if (!good)
            ztl_message(command, "%s: %s", c.name, error.text);
        ztl_op_free(&c.text);
    }
    fputs("__asm__(\".section .text.start, \\\"ax\\\"\\n.option push\\n.option norvc\\n\"\n"
          "\".option norelax\\n.globl _start\\n_start: ebreak\\n\"\n",
          out);
    for (unsigned i = 0; i < *count; i++)
        fprintf(out, "\"tail kernel_%u_call\\n\"\n", i);
    fputs("\".option pop\\n\");\n", out);
    return good;
}

/* The bytes of the one segment that there is. */
static bool read_image(const char *path, ops_image *image)
{
    FILE *file = fopen(path, "rb");
    Elf64_Ehdr head;
    Elf64_Phdr segment = {.p_filesz = 0};
    uint8_t *bytes = NULL;
    bool good = file && fread(&head, sizeof head, 1, file) == 1;
    for (unsigned i = 0; good && segment.p_type != PT_LOAD && i < head.e_phnum; i++)
        good = !fseek(file, (long)(head.e_phoff + i * sizeof segment), SEEK_SET) &&
               fread(&segment, sizeof segment, 1, file) == 1;
    good = good && segment.p_type == PT_LOAD && (bytes = malloc(segment.p_filesz)) &&
           !fseek(file, (long)segment.p_offset, SEEK_SET) &&
           fread(bytes, 1, segment.p_filesz, file) == segment.p_filesz;
    image->bytes = bytes;
    image->size = segment.p_filesz;
    if (file)
        fclose(file);
    return good;
}

static bool compile(const char *source, const char *layout, const char *binary)
{
    ztl_error error = {""};
    ztl_compiler c = {.program = getenv("ZTL_CC")};
    const char *const words[] = {"-O2",
                                 "-march=rv64imac_zicsr",
                                 "-mabi=lp64",
                                 "--specs=picolibc.specs",
                                 "-mcmodel=medany",
                                 "-nostartfiles",
                                 "-T",
                                 layout,
                                 source,
                                 "-o",
                                 binary,
                                 NULL};
    for (size_t i = 0; words[i]; i++)
        ztl_args_add(&c.user, words[i]);
    bool good = ztl_compiler_run(&c, &error) == 0;
    ztl_compiler_free(&c);
    if (!good)
        ztl_message(command, "%s", *error.text ? error.text : "the compiler failed");
    return good;
}

static bool build(enum ztl_ops_group group, unsigned bits, const char *only,
                  const ztl_ops_machine *machine, char (*path)[4096], ops_image *image)
{
    unsigned count = 0;
    FILE *source = fopen(path[0], "w"), *layout = fopen(path[1], "w");
    bool good = source && layout && fputs(script, layout) >= 0;
    if (!good)
        ztl_message(command, "a temporary file: %s", strerror(errno));
    good = good && emit_all(group, bits, only, machine, source, &count);
    if (source)
        fclose(source);
    if (layout)
        fclose(layout);
    image->entry = 4;
    good = good && (!count || compile(path[0], path[1], path[2]));
    if (good && count && !read_image(path[2], image)) {
        ztl_message(command, "%s: %s", path[2], strerror(errno));
        good = false;
    }
    return good;
}

bool ztl_bench_can_compile(void)
{
    const char *program = getenv("ZTL_CC");
    ztl_error error = {""};
    program = program ? program : "riscv64-unknown-elf-gcc";
    if (ztl_program_exists(program))
        return true;
    ztl_program_missing(program, &error);
    ztl_message(command, "left out: %s", error.text);
    return false;
}

bool ztl_bench_compile(enum ztl_ops_group group, unsigned bits, const char *only,
                       const ztl_ops_machine *machine, ops_image *image)
{
    static const char *const ends[] = {".c", ".ld", ".elf"};
    char path[3][4096];
    unsigned made = 0;
    while (made < 3 && ztl_temporary_file(path[made], sizeof path[made], ends[made]))
        made++;
    bool good = made == 3 && build(group, bits, only, machine, path, image);
    if (made < 3)
        ztl_message(command, "a temporary file: %s", strerror(errno));
    while (made > 0)
        ztl_temporary_remove(path[--made]);
    return good;
}
