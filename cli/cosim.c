/* SPDX-License-Identifier: Apache-2.0
 * ztl cosim: drives a hart line by line from any language.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/machine.h"
#include "host/command/message.h"
#include "sim/cosim/cosim.h"

static const char help[] =
    "usage: ztl cosim [OPTIONS]\n\n"
    "Reads one command a line from standard input and writes one answer a "
    "line.\n\n" ZTL_MACHINE_HELP "\n"
    "  reset                        registers, CSRs as after power-on; memory stays\n"
    "  x N [VALUE]                  an integer register\n"
    "  f N [VALUE]                  a floating-point register, as bits\n"
    "  tl N [HEX]                   a tensor register, byte 0 first, 2048 digits\n"
    "  csr C [VALUE]                a CSR by number or name, as a CSR instruction\n"
    "  poke ADDR HEX, peek ADDR LEN memory\n"
    "  insn WORD                    execute: ok, or trap CAUSE 0xTVAL REASON\n"
    "  asm TEXT, dis WORD           any instruction to its word, and back\n"
    "  quit\n\n"
    "Example, a transpose by way of a pipe:\n"
    "  ztl cosim --mem 0x80000000:1M <<'END'\n"
    "  x 10 0x01014020\n"
    "  asm tl.xpose.01 tl1, tl2, a0\n"
    "  insn 0x0220b55b\n"
    "  END\n";

int ztl_cli_cosim(int argc, char **argv)
{
    ztl_machine machine;
    ztl_machine_init(&machine);
    machine.config.trap_policy = ZTL_TRAP_STOP_ALWAYS;
    const ztl_option table[] = {ZTL_MACHINE_OPTIONS(&machine), {0}};
    int words = ztl_options_take("ztl cosim", table, argc, argv);
    if (words == ZTL_OPTIONS_HELP) {
        fputs(help, stdout);
        return ZTL_EXIT_OK;
    }
    if (words > 0)
        ztl_message("ztl cosim", "'%s': commands are read from standard input", argv[1]);
    if (words)
        return ZTL_EXIT_USAGE;
    ztl_hart *hart = ztl_machine_create(&machine, "ztl cosim");
    if (!hart)
        return ZTL_EXIT_USAGE;
    bool good = ztl_cosim_serve(hart, stdin, stdout);
    if (!good && !ferror(stdout)) /* of which main will tell */
        ztl_message("ztl cosim", "standard input: %s", strerror(errno));
    ztl_hart_destroy(hart);
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
