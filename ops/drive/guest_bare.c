/* SPDX-License-Identifier: Apache-2.0
 * Operators on a bare hart. The image starts with a stop, then one jump for each entry; the host
 * sets arguments, stack and return address.
 */
__asm__(".section .text.start, \"ax\"\n"
        ".option push\n.option norvc\n"
        ".globl _start\n_start: ebreak\n"
        "j ztl_ops_run_checked\n"
        "j ztl_ops_scalar_move\n"
        "j ztl_ops_scalar_add\n"
        "j ztl_ops_scalar_where\n"
        "j ztl_ops_scalar_look_up\n"
        ".option pop\n");
