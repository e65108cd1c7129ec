/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin of QEMU: counts instructions up to a limit, sees stores to HTIF's tohost, and stops the
 * machine at the monitor's bell until the host has answered.
 *
 *     -plugin libztl-qemu.so,socket=FD[,limit=N][,tohost=ADDRESS]     a machine
 *     -plugin libztl-qemu.so,report=FILE,limit=N                      a Linux program
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adapters/qemu/monitor/monitor.h"
#include "adapters/qemu/plugin/plugin.h"

/* The part of QEMU's plugin interface, version 1, that is used here. Debian has no header. */
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { NO_REGISTERS = 0, STORES = 2 };
typedef void executed(unsigned cpu, void *data);
typedef void accessed(unsigned cpu, uint32_t access, uint64_t address, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                           void (*translated)(uint64_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, executed *callback,
                                            int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, accessed *callback, int flags,
                                      int kind, void *data);
unsigned qemu_plugin_mem_size_shift(uint32_t access);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments);
int qemu_plugin_version = 1;

/* QEMU has one plugin of ours; its callbacks have no other way to find this. */
static struct {
    int socket; /* -1: a Linux program */
    uint64_t limit;
    uint64_t tohost;
    bool has_limit, has_tohost;
    ztl_linux_report *report; /* of a Linux program, shared by all its processes */
    uint64_t count;           /* of a machine */
} plugin = {.socket = -1};

/* Returns when the host has answered; it never does after the end. */
static void tell(const ztl_plugin_message *message)
{
    char answer;
    if (send(plugin.socket, message, sizeof *message, MSG_NOSIGNAL) < 0 ||
        recv(plugin.socket, &answer, sizeof answer, 0) != sizeof answer)
        _exit(EXIT_FAILURE);
}

static void on_bell(unsigned cpu, void *data)
{
    (void)cpu, (void)data;
    tell(&(ztl_plugin_message){.event = ZTL_PLUGIN_BELL});
}

static void on_store(unsigned cpu, uint32_t access, uint64_t address, void *data)
{
    (void)cpu;
    uint64_t size = UINT64_C(1) << qemu_plugin_mem_size_shift(access);
    if (address < plugin.tohost + 8 && plugin.tohost < address + size)
        tell(&(ztl_plugin_message){ZTL_PLUGIN_STORE, (uintptr_t)data, address, size});
}

static void on_instruction(unsigned cpu, void *data)
{
    (void)cpu;
    uint64_t *count = plugin.report ? &plugin.report->executed : &plugin.count;
    if (__atomic_add_fetch(count, 1, __ATOMIC_RELAXED) <= plugin.limit)
        return;
    if (!plugin.report)
        tell(&(ztl_plugin_message){.event = ZTL_PLUGIN_LIMIT, .pc = (uintptr_t)data});
    plugin.report->limit_pc = (uintptr_t)data;
    kill(getpid(), SIGKILL);
}

static void on_translation(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        void *data = (void *)(uintptr_t)pc;
        bool is_program = plugin.socket < 0 || pc - ZTL_MONITOR_BASE >= ZTL_MONITOR_SIZE;
        if (!is_program && pc == ZTL_MONITOR_BELL)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_bell, NO_REGISTERS, NULL);
        if (is_program && plugin.has_limit)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, NO_REGISTERS, data);
        if (is_program && plugin.has_tohost)
            qemu_plugin_register_vcpu_mem_cb(insn, on_store, NO_REGISTERS, STORES, data);
    }
}

static bool open_report(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *shared = mmap(NULL, sizeof *plugin.report, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (shared == MAP_FAILED)
        return false;
    plugin.report = shared;
    return true;
}

static bool take(const char *argument)
{
    const char *value = strchr(argument, '=');
    size_t length = value ? (size_t)(value++ - argument) : 0;
    if (length == 6 && !strncmp(argument, "socket", length))
        plugin.socket = atoi(value);
    else if (length == 5 && !strncmp(argument, "limit", length))
        plugin.limit = strtoull(value, NULL, 0), plugin.has_limit = true;
    else if (length == 6 && !strncmp(argument, "tohost", length))
        plugin.tohost = strtoull(value, NULL, 0), plugin.has_tohost = true;
    else if (length == 6 && !strncmp(argument, "report", length))
        return open_report(value);
    else
        return false;
    return true;
}

int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments)
{
    (void)info;
    for (int i = 0; i < count; i++)
        if (!take(arguments[i])) {
            fprintf(stderr, "ztl: QEMU's plugin: %s\n", arguments[i]);
            return -1;
        }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
