/* SPDX-License-Identifier: Apache-2.0
 *
 * QEMU's machine and the host beside it. QEMU gets no semihosting, no network, no console and no
 * file but the RAM: what the program asks for comes here through the plugin and is served by the
 * code that serves the simulator's programs.
 */
#include "adapters/qemu/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/qemu/emulate.h"
#include "adapters/qemu/monitor/monitor.h"
#include "adapters/qemu/parts.h"
#include "adapters/qemu/plugin/plugin.h"
#include "host/error.h"
#include "host/process/process.h"
#include "sim/cosim/mirror.h"
#include "sim/host/host.h"

enum { A0 = 10, TAKES_BOTH_HALVES = 50 /* milliseconds: of a word of HTIF's */ };

typedef struct session {
    const ztl_qemu_machine *machine;
    ztl_qemu_end *end;
    ztl_error *error;
    char parts[PATH_MAX];
    uint8_t *monitor; /* its part of RAM */
    ztl_monitor_mailbox *mailbox;
    ztl_args command;
    int socket, theirs; /* both ends */
    pid_t qemu;         /* 0: not started */
} session;

static bool fail(session *s, const char *what, const char *why)
{
    return ztl_fail(s->error, "%s: %s", what, why);
}

int ztl_qemu_share(ztl_hart *hart, ztl_error *error)
{
    const ztl_ram *ram;
    for (size_t i = 0; (ram = ztl_hart_ram(hart, i)); i++)
        if (i == ZTL_MONITOR_RAMS || ram->base > ZTL_MONITOR_BASE ||
            ram->size > ZTL_MONITOR_BASE - ram->base) {
            ztl_fail(error, "QEMU's RAM is below 0x%x, in up to %d pieces; the simulator runs it",
                     ZTL_MONITOR_BASE, ZTL_MONITOR_RAMS);
            return -1;
        }
    int memory = memfd_create("ztl-ram", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, (off_t)ZTL_MONITOR_BASE + ZTL_MONITOR_SIZE) != 0 ||
        !ztl_mirror_share(hart, memory)) {
        ztl_fail(error, "RAM for QEMU: %s", strerror(errno));
        if (memory >= 0)
            close(memory);
        return -1;
    }
    return memory;
}

/* ---- Before the start -------------------------------------------------------------------- */

static unsigned xlen_of(const session *s)
{
    return ztl_hart_isa_of(s->machine->hart)->xlen;
}

static bool load_monitor(session *s)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/ztl-monitor%u.bin", s->parts, xlen_of(s));
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        return fail(s, path, "not found; was ztl built without the RISC-V compilers?");
    ssize_t size = file < 0 ? -1 : read(file, s->monitor, ZTL_MONITOR_MAILBOX - ZTL_MONITOR_BASE);
    int why = errno;
    if (file >= 0)
        close(file);
    return size > 0 || fail(s, path, size < 0 ? strerror(why) : "is empty");
}

static bool fill_mailbox(session *s)
{
    const ztl_qemu_machine *m = s->machine;
    const char *isa = m->isa ? m->isa : "ztl";
    ztl_config config = ztl_default_config();
    ztl_error problem;
    *s->mailbox = (ztl_monitor_mailbox){.entry = ztl_hart_pc(m->hart),
                                        .l1m_base = m->l1m.base,
                                        .l1m_size = m->l1m.size,
                                        .l0m_base = m->l0m.base,
                                        .l0m_size = m->l0m.size,
                                        .library_handler = m->library_handler};
    const ztl_ram *ram;
    for (size_t i = 0; (ram = ztl_hart_ram(m->hart, i)); i++)
        s->mailbox->ram[i] = (ztl_window){ram->base, ram->size};
    if (!ztl_config_of_isa(isa, &config, &problem))
        return fail(s, isa, problem.text);
    int length = snprintf(s->mailbox->isa, sizeof s->mailbox->isa, "%s", isa);
    return (size_t)length < sizeof s->mailbox->isa || fail(s, isa, "the ISA string is too long");
}

static bool map_monitor(session *s)
{
    void *bytes = mmap(NULL, ZTL_MONITOR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
                       s->machine->memory, ZTL_MONITOR_BASE);
    if (bytes == MAP_FAILED)
        return fail(s, "RAM for QEMU", strerror(errno));
    s->monitor = bytes;
    s->mailbox = (ztl_monitor_mailbox *)(s->monitor + (ZTL_MONITOR_MAILBOX - ZTL_MONITOR_BASE));
    return load_monitor(s) && fill_mailbox(s);
}

/* ---- The command line -------------------------------------------------------------------- */

static void add_plugin(session *s)
{
    char folder[2 * PATH_MAX], limit[40] = "", tohost[40] = "";
    ztl_window watched = ztl_mirror_watched(s->machine->hart);
    ztl_qemu_quote(s->parts, folder, sizeof folder);
    if (s->machine->max_insns != UINT64_MAX)
        snprintf(limit, sizeof limit, ",limit=%" PRIu64, s->machine->max_insns);
    if (watched.size)
        snprintf(tohost, sizeof tohost, ",tohost=0x%" PRIx64, watched.base);
    ztl_args_add(&s->command, "-plugin");
    ztl_args_format(&s->command, "file=%s/" ZTL_QEMU_PLUGIN ",socket=%d%s%s", folder, s->theirs,
                    limit, tohost);
}

static void make_command(session *s)
{
    static const char *const rest[] = {
        "-no-user-config",
        "-nodefaults",
        "-machine",
        "none,memory-backend=ram",
        "-display",
        "none",
        "-nic",
        "none",
        "-sandbox",
        "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"};
    unsigned megabytes = (ZTL_MONITOR_BASE + ZTL_MONITOR_SIZE) >> 20;
    ztl_args_format(&s->command, "qemu-system-riscv%u", xlen_of(s));
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        ztl_args_add(&s->command, rest[i]);
    ztl_args_add(&s->command, "-cpu");
    ztl_args_format(&s->command, "rv%u", xlen_of(s));
    ztl_args_add(&s->command, "-m");
    ztl_args_format(&s->command, "%uM", megabytes);
    ztl_args_add(&s->command, "-object");
    ztl_args_format(&s->command,
                    "memory-backend-file,id=ram,share=on,size=%uM,mem-path=/proc/self/fd/%d",
                    megabytes, s->machine->memory);
    ztl_args_add(&s->command, "-device");
    ztl_args_format(&s->command, "loader,cpu-num=0,addr=0x%x", ZTL_MONITOR_BASE);
    add_plugin(s);
}

/* ---- QEMU, and its end ------------------------------------------------------------------- */

/* In a session of its own, since the terminal's signals are ours to answer. */
static _Noreturn void become_qemu(const session *s, pid_t parent)
{
    sigset_t none;
    int nothing = open("/dev/null", O_RDWR);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    if (!ztl_process_end_with(parent))
        _exit(EXIT_FAILURE);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    fcntl(s->machine->memory, F_SETFD, 0);
    fcntl(s->theirs, F_SETFD, 0);
    execvp(s->command.item[0], s->command.item);
    _exit(127);
}

static bool start(session *s)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(s, "socket", strerror(errno));
    s->socket = ends[0];
    s->theirs = ends[1];
    make_command(s);
    if (!ztl_program_exists(s->command.item[0])) {
        ztl_program_missing(s->command.item[0], s->error);
        return false;
    }
    pid_t parent = getpid();
    s->qemu = fork();
    if (s->qemu == 0)
        become_qemu(s, parent);
    close(s->theirs);
    s->theirs = -1;
    return s->qemu > 0 || fail(s, s->command.item[0], strerror(errno));
}

static bool fail_by_qemu(session *s)
{
    int status = 0;
    char text[64];
    TEMP_FAILURE_RETRY(waitpid(s->qemu, &status, 0));
    s->qemu = 0;
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "was ended by signal %d", WTERMSIG(status));
    else
        snprintf(text, sizeof text, "gave up, with status %d", WEXITSTATUS(status));
    return fail(s, s->command.item[0], text);
}

/* ---- Serving ----------------------------------------------------------------------------- */

static void copy_registers(session *s)
{
    ztl_hart *hart = s->machine->hart;
    for (unsigned i = 1; i < 32; i++)
        ztl_hart_set_x(hart, i, s->mailbox->x[i]);
    ztl_hart_set_pc(hart, s->mailbox->pc);
}

static void note_trap(session *s)
{
    const ztl_monitor_mailbox *box = s->mailbox;
    ztl_trap trap = {.pc = box->pc,
                     .word = (uint32_t)box->word,
                     .length = (uint8_t)box->length,
                     .privilege = box->privilege ? ZTL_MACHINE : ZTL_USER,
                     .cause = box->cause,
                     .tval = box->tval,
                     .ztl = box->ztl};
    ztl_mirror_trap(s->machine->hart, &trap);
    ztl_csr_values_give(&box->csrs, ztl_hart_ztl(s->machine->hart));
}

/* What the program wrote comes before what it asks for now, and before its end. */
static void write_console(session *s)
{
    size_t size = (size_t)s->mailbox->console_size;
    if (size <= sizeof s->mailbox->console)
        ztl_host_output(s->machine->host, false, s->mailbox->console, size);
    s->mailbox->console_size = 0;
}

/* The monitor rang: why the program cannot go on, or ZTL_STOP_LIMIT when it can. */
static enum ztl_stop answer_bell(session *s)
{
    ztl_hart *hart = s->machine->hart;
    copy_registers(s);
    s->end->knows_pc = true;
    switch (s->mailbox->event) {
    case ZTL_MONITOR_CALL:
        ztl_mirror_call(hart);
        s->mailbox->x[A0] = ztl_hart_x(hart, A0);
        return ztl_mirror_asked(hart);
    case ZTL_MONITOR_TRAP:
        note_trap(s);
        return ZTL_STOP_TRAP;
    case ZTL_MONITOR_TRAP_LOOP:
        note_trap(s);
        return ZTL_STOP_TRAP_LOOP;
    case ZTL_MONITOR_ASLEEP:
        return ZTL_STOP_WFI;
    default:
        fail(s, "monitor", "its parameters are wrong");
        return ZTL_STOP_HOST;
    }
}

/* True: the run is over, for good or bad. */
static bool take_message(session *s)
{
    ztl_plugin_message message;
    ztl_hart *hart = s->machine->hart;
    enum ztl_stop stop = ZTL_STOP_LIMIT;
    if (recv(s->socket, &message, sizeof message, 0) != sizeof message)
        return fail_by_qemu(s), true;
    write_console(s);
    switch (message.event) {
    case ZTL_PLUGIN_BELL:
        stop = answer_bell(s);
        break;
    case ZTL_PLUGIN_STORE:
        ztl_hart_set_pc(hart, message.pc);
        s->end->knows_pc = true;
        ztl_mirror_store(hart, message.address, (unsigned)message.size);
        stop = ztl_mirror_asked(hart);
        break;
    default:
        ztl_hart_set_pc(hart, message.pc);
        s->end->knows_pc = true;
        s->end->stop = ZTL_STOP_LIMIT;
        return true;
    }
    s->end->stop = stop;
    if (stop != ZTL_STOP_LIMIT)
        return true;
    s->end->knows_pc = false;
    return send(s->socket, "", 1, MSG_NOSIGNAL) != 1 && (fail_by_qemu(s), true);
}

static void serve(session *s)
{
    const ztl_qemu_machine *m = s->machine;
    bool has_htif = ztl_mirror_watched(m->hart).size != 0;
    for (;;) {
        int ready = m->wait(m->context, s->socket, has_htif ? TAKES_BOTH_HALVES : -1);
        if (ready < 0) {
            s->end->stop = ZTL_STOP_HOST;
            return;
        }
        if (ready > 0 && take_message(s))
            return;
        if (ready > 0)
            continue;
        ztl_mirror_advance(m->hart);
        if (ztl_host_poll(m->host, m->hart)) {
            s->end->stop = ZTL_STOP_EXIT;
            return;
        }
    }
}

static void clean_up(session *s)
{
    if (s->qemu > 0) {
        kill(s->qemu, SIGKILL);
        TEMP_FAILURE_RETRY(waitpid(s->qemu, NULL, 0));
    }
    if (s->socket >= 0)
        close(s->socket);
    if (s->theirs >= 0)
        close(s->theirs);
    if (s->monitor)
        munmap(s->monitor, ZTL_MONITOR_SIZE);
    ztl_args_free(&s->command);
}

bool ztl_qemu_run_machine(const ztl_qemu_machine *machine, ztl_qemu_end *end, ztl_error *error)
{
    session s = {.machine = machine, .end = end, .error = error, .socket = -1, .theirs = -1};
    *end = (ztl_qemu_end){.stop = ZTL_STOP_HOST};
    *error->text = '\0';
    if (ztl_qemu_parts(machine->parts, s.parts, sizeof s.parts, error) && map_monitor(&s) &&
        start(&s))
        serve(&s);
    if (s.qemu > 0) {
        write_console(&s);
        end->statistics = s.mailbox->statistics;
    }
    clean_up(&s);
    return !*error->text;
}
