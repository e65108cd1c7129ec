/* SPDX-License-Identifier: Apache-2.0
 * ztl run: a Linux program on the simulator.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "sim/program/program.h"

/* QEMU would take what follows a comma for another variable. */
static bool check_commas(const run_options *options)
{
    for (size_t i = 0; i < options->environment_count; i++)
        if (strchr(options->environment[i], ',')) {
            run_complain("--env: '%s' has a comma, which QEMU cannot pass on",
                         options->environment[i]);
            return false;
        }
    return true;
}

bool run_check_system(const ztl_program *program, const run_options *options)
{
    const bool is_linux = ztl_program_is_linux(program), is_qemu = options->engine;
    const char *option = options->has_seed                         ? "--seed"
                         : options->clock                          ? "--clock"
                         : options->environment_count && !is_linux ? "--env"
                                                                   : NULL;
    if (!option || (is_linux && !is_qemu))
        return !is_qemu || check_commas(options);
    run_complain("%s: %s is for Linux programs%s", options->file, option,
                 is_qemu && is_linux
                     ? " on the simulator; QEMU's have the host's clock and random numbers"
                     : "");
    return false;
}

bool run_linux_machine(const run *r, run_options *options)
{
    const uint64_t standard = UINT64_C(1) << 30;
    ztl_machine *machine = &options->machine;
    ztl_error error;
    if (machine->ram_count > 1 || (machine->ram_count && !machine->memory)) {
        run_complain("%s: is a Linux program; its memory has only a size, as in --mem 1G",
                     options->file);
        return false;
    }
    if (!ztl_linux_window(r->program, machine->memory ? machine->memory : standard,
                          &machine->ram[0], &error)) {
        run_complain("%s", error.text);
        return false;
    }
    machine->ram_count = 1;
    return true;
}

static void say(void *context, const char *line)
{
    (void)context;
    fflush(stdout);
    run_complain("%s", line);
}

/* Its name before its arguments. */
static const char **list_arguments(const run_options *options)
{
    size_t count = 0;
    while (options->argument[count])
        count++;
    const char **list = calloc(count + 2, sizeof *list);
    if (!list)
        return NULL;
    list[0] = options->file;
    for (size_t i = 0; i < count; i++)
        list[i + 1] = options->argument[i];
    return list;
}

bool run_linux_start(run *r)
{
    ztl_error error = {"no memory"};
    r->argument = list_arguments(r->options);
    ztl_linux_config config = {.host = r->host,
                               .argument = r->argument,
                               .environment = r->options->environment,
                               .seed = r->options->seed,
                               .has_host_clock = r->options->clock,
                               .say = say,
                               .context = r};
    if (r->argument && (r->process = ztl_linux_create(&config, &error)) &&
        ztl_linux_start(r->process, r->program, r->hart, &error))
        return true;
    run_complain("%s", error.text);
    return false;
}

run_end run_linux_trapped(const run *r, enum ztl_stop stop)
{
    enum { BY_SIGNAL = 128 };
    int ended_by = ztl_linux_signal(r->process);
    int signal = ended_by ? ended_by : ztl_linux_signal_of(ztl_hart_last_trap(r->hart));
    return (run_end){.stop = stop, .status = (enum run_status)(BY_SIGNAL + signal)};
}
