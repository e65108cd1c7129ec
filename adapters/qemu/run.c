/* SPDX-License-Identifier: Apache-2.0
 * Which QEMU a program needs, and its command line.
 */
#include "adapters/qemu/run.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/qemu/emulate.h"
#include "adapters/qemu/monitor/monitor.h"
#include "toolchain/process.h"
#include "toolchain/temporary.h"

/* Where Debian keeps the libraries of RISC-V Linux programs. */
#define SYSROOT "/usr/riscv64-linux-gnu"

typedef struct session {
    const ztl_qemu_options *options;
    ztl_qemu_result *result;
    char *error;
    size_t error_size;
    char parts[PATH_MAX];
    char statistics[PATH_MAX]; /* temporary files */
    char parameters[PATH_MAX];
    char library[PATH_MAX]; /* a link to libztl-trap.so, where the place itself cannot be named */
    bool is_linux;
    bool is_64;
    uint64_t entry;
    ztl_args command;
} session;

static bool fail(session *s, const char *what, const char *why)
{
    snprintf(s->error, s->error_size, "%s: %s", what, why);
    return false;
}

/* ---- What kind of program it is ---------------------------------------------------------- */

/* GNU's note that names the system a program was linked for. */
static bool is_system_note(FILE *file, uint64_t offset, uint64_t size)
{
    Elf64_Nhdr note;
    char name[4];
    return size >= sizeof note + sizeof name && fseek(file, (long)offset, SEEK_SET) == 0 &&
           fread(&note, sizeof note, 1, file) == 1 && note.n_type == NT_GNU_ABI_TAG &&
           note.n_namesz == sizeof name && fread(name, sizeof name, 1, file) == 1 &&
           memcmp(name, ELF_NOTE_GNU, sizeof name) == 0;
}

static bool is_linux_segment(FILE *file, uint32_t type, uint64_t offset, uint64_t size)
{
    return type == PT_INTERP || (type == PT_NOTE && is_system_note(file, offset, size));
}

static bool scan_64(session *s, FILE *file)
{
    Elf64_Ehdr header;
    rewind(file);
    if (fread(&header, sizeof header, 1, file) != 1)
        return false;
    s->entry = header.e_entry;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        if (fseek(file, (long)(header.e_phoff + i * sizeof segment), SEEK_SET) != 0 ||
            fread(&segment, sizeof segment, 1, file) != 1)
            return false;
        s->is_linux |= is_linux_segment(file, segment.p_type, segment.p_offset, segment.p_filesz);
    }
    return true;
}

static bool scan_32(session *s, FILE *file)
{
    Elf32_Ehdr header;
    rewind(file);
    if (fread(&header, sizeof header, 1, file) != 1)
        return false;
    s->entry = header.e_entry;
    return true;
}

static bool scan(session *s)
{
    const char *path = s->options->program;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(s, path, strerror(errno));
    Elf64_Ehdr header = {.e_machine = EM_NONE};
    size_t size = fread(&header, 1, sizeof header, file);
    bool good = size >= sizeof(Elf32_Ehdr) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
    if (!good) {
        fail(s, path, "is no ELF file");
    } else if (header.e_machine != EM_RISCV) {
        good = fail(s, path, "is an ELF file of another architecture, not RISC-V");
    } else {
        s->is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
        good = s->is_64 ? scan_64(s, file) : scan_32(s, file);
        if (!good)
            fail(s, path, "is an ELF file that ends too early");
    }
    fclose(file);
    return good;
}

/* ---- Where our parts are ----------------------------------------------------------------- */

/* Beside a built program they are in adapters/qemu, beside an installed one in lib/ztl. */
static bool find_parts(session *s)
{
    static const char *const places[] = {"adapters/qemu", "../" ZTL_QEMU_LIBDIR "/ztl",
                                         "../../adapters/qemu"};
    char self[PATH_MAX], probe[PATH_MAX + 64];
    if (s->options->parts) {
        snprintf(s->parts, sizeof s->parts, "%s", s->options->parts);
        return true;
    }
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return fail(s, "/proc/self/exe", strerror(errno));
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if ((size_t)snprintf(s->parts, sizeof s->parts, "%s/%s", self, places[i]) >=
            sizeof s->parts)
            continue;
        snprintf(probe, sizeof probe, "%s/ztl-monitor64.elf", s->parts);
        if (access(probe, R_OK) == 0)
            return true;
    }
    return fail(s, "ztl-monitor64.elf", "not found; was ztl built without the RISC-V compilers?");
}

/* ---- The command line -------------------------------------------------------------------- */

/* In QEMU's options a comma ends a value unless it is doubled. */
static void double_commas(const char *from, char *to, size_t size)
{
    size_t n = 0;
    for (; *from && n + 2 < size; from++) {
        to[n++] = *from;
        if (*from == ',')
            to[n++] = ',';
    }
    to[n] = '\0';
}

/* By its name, since a path in LD_PRELOAD ends at the first space. */
static void add_preload(session *s)
{
    const char *others = getenv("LD_LIBRARY_PATH");
    ztl_args_add(&s->command, "-E");
    if (*s->library) {
        ztl_args_format(&s->command, "LD_PRELOAD=%s", s->library);
        return;
    }
    ztl_args_add(&s->command, "LD_PRELOAD=libztl-trap.so");
    ztl_args_add(&s->command, "-E");
    ztl_args_format(&s->command, "LD_LIBRARY_PATH=%s%s%s", s->parts, others ? ":" : "",
                    others ? others : "");
}

static void linux_command(session *s)
{
    ztl_args_add(&s->command, "qemu-riscv64");
    ztl_args_add(&s->command, "-L");
    ztl_args_add(&s->command, SYSROOT);
    add_preload(s);
    ztl_args_add(&s->command, "-E");
    ztl_args_format(&s->command, "ZTL_ISA=%s", s->options->isa ? s->options->isa : "ztl");
    ztl_args_add(&s->command, "-E");
    ztl_args_format(&s->command, "ZTL_STATISTICS=%s", s->statistics);
    ztl_args_add(&s->command, s->options->program);
    for (size_t i = 0; s->options->arguments && s->options->arguments[i]; i++)
        ztl_args_add(&s->command, s->options->arguments[i]);
}

/* The program's arguments go through semihosting. */
static void add_semihosting(session *s)
{
    char text[8192], value[4096];
    double_commas(s->options->program, value, sizeof value);
    int length =
        snprintf(text, sizeof text, "enable=on,target=native,chardev=console,arg=%s", value);
    for (size_t i = 0; s->options->arguments && s->options->arguments[i]; i++) {
        double_commas(s->options->arguments[i], value, sizeof value);
        if (length < (int)sizeof text)
            length += snprintf(text + length, sizeof text - (size_t)length, ",arg=%s", value);
    }
    ztl_args_add(&s->command, "-semihosting-config");
    ztl_args_add(&s->command, text);
}

static void add_loader(session *s, const char *path, const char *file, const char *options)
{
    char value[2 * PATH_MAX];
    double_commas(path, value, sizeof value);
    ztl_args_add(&s->command, "-device");
    ztl_args_format(&s->command, "loader,file=%s%s%s", value, file, options);
}

static void bare_command(session *s)
{
    static const char *const machine[] = {
        "-machine", "virt",    "-m",   "256M",     "-bios", "none",     "-display",
        "none",     "-serial", "null", "-monitor", "none",  "-chardev", "stdio,id=console"};
    char as_parameters[64];
    snprintf(as_parameters, sizeof as_parameters, ",addr=0x%x,force-raw=on",
             ZTL_MONITOR_PARAMETERS);
    ztl_args_format(&s->command, "qemu-system-riscv%d", s->is_64 ? 64 : 32);
    for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++)
        ztl_args_add(&s->command, machine[i]);
    add_semihosting(s);
    add_loader(s, s->options->program, "", "");
    add_loader(s, s->parameters, "", as_parameters);
    add_loader(s, s->parts, s->is_64 ? "/ztl-monitor64.elf" : "/ztl-monitor32.elf", ",cpu-num=0");
}

/* ---- Running ----------------------------------------------------------------------------- */

static bool new_file(session *s, char *path, size_t size, const void *bytes, size_t length)
{
    if (!ztl_temporary_file(path, size, "")) {
        *path = '\0';
        return fail(s, "temporary file", strerror(errno));
    }
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, length, file) == length;
    good = file && fclose(file) == 0 && good;
    return good || fail(s, path, "cannot be written");
}

/* Nothing quotes the ends of a path: ',' in QEMU's -E, ':' and ';' in LD_LIBRARY_PATH. */
static bool link_library(session *s)
{
    char library[PATH_MAX + 32];
    if (strpbrk(s->parts, ",:;")) {
        if (!new_file(s, s->library, sizeof s->library, "", 0))
            return false;
        snprintf(library, sizeof library, "%s/libztl-trap.so", s->parts);
        if (unlink(s->library) != 0 || symlink(library, s->library) != 0)
            return fail(s, s->library, strerror(errno));
    }
    if (strchr(s->statistics, ',') || strpbrk(s->library, ",: "))
        return fail(s, s->statistics,
                    "a Linux program under QEMU needs TMPDIR without ',', ':' and spaces");
    return true;
}

static bool write_files(session *s)
{
    ztl_monitor_parameters parameters = {.magic = ZTL_MONITOR_MAGIC,
                                         .entry = s->entry,
                                         .l1m_base = s->options->l1m.base,
                                         .l1m_size = s->options->l1m.size,
                                         .l0m_base = s->options->l0m.base,
                                         .l0m_size = s->options->l0m.size};
    if (!new_file(s, s->statistics, sizeof s->statistics, "", 0))
        return false;
    snprintf(parameters.isa, sizeof parameters.isa, "%s",
             s->options->isa ? s->options->isa : "ztl");
    if ((size_t)snprintf(parameters.statistics, sizeof parameters.statistics, "%s",
                         s->statistics) >= sizeof parameters.statistics)
        return fail(s, s->statistics, "the name is too long");
    return s->is_linux
               ? link_library(s)
               : new_file(s, s->parameters, sizeof s->parameters, &parameters, sizeof parameters);
}

/* On bare metal a signal is nothing that the program sees: QEMU takes it and exits. */
static bool run_command(session *s)
{
    s->result->status =
        s->is_linux ? ztl_process_run_guest(&s->command) : ztl_process_run(&s->command);
    return s->result->status >= 0 || fail(s, s->command.item[0], strerror(errno));
}

static bool can_run(session *s)
{
    const ztl_qemu_options *o = s->options;
    ztl_config config = ztl_default_config();
    char problem[200];
    if (o->isa && !ztl_config_of_isa(o->isa, &config, problem, sizeof problem))
        return fail(s, o->isa, problem);
    if (s->is_linux && (o->l1m.size || o->l0m.size))
        return fail(s, o->program, "is a Linux program: L1M and L0M windows need bare metal");
    if (ztl_program_exists(s->command.item[0]))
        return true;
    ztl_program_missing(s->command.item[0], s->error, s->error_size);
    return false;
}

static void read_statistics(session *s)
{
    FILE *file = fopen(s->statistics, "rb");
    ztl_statistics read;
    if (file && fread(&read, sizeof read, 1, file) == 1 && read.magic == ZTL_STATISTICS_MAGIC)
        s->result->statistics = read;
    if (file)
        fclose(file);
}

static void clean_up(session *s)
{
    if (*s->statistics)
        ztl_temporary_remove(s->statistics);
    if (*s->parameters)
        ztl_temporary_remove(s->parameters);
    if (*s->library)
        ztl_temporary_remove(s->library);
    ztl_args_free(&s->command);
}

bool ztl_qemu_run(const ztl_qemu_options *options, ztl_qemu_result *result, char *error,
                  size_t error_size)
{
    session s = {.options = options, .result = result, .error = error, .error_size = error_size};
    *result = (ztl_qemu_result){.status = 0};
    bool good = scan(&s) && find_parts(&s) && write_files(&s);
    if (good) {
        if (s.is_linux)
            linux_command(&s);
        else
            bare_command(&s);
        good = can_run(&s) && run_command(&s);
    }
    if (good)
        read_statistics(&s);
    clean_up(&s);
    return good;
}
