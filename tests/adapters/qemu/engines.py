#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same programs on the simulator and under QEMU: output, messages, exit status.

usage: engines.py ZTL EXAMPLES
"""
import os
import shutil
import subprocess
import sys
import tempfile

ZTL, EXAMPLES = (os.path.abspath(path) for path in sys.argv[1:])
TRAPPED, ASLEEP, LIMIT, TIMEOUT = 120, 121, 122, 124

START = ".globl _start\n_start:\n"
ECHO = """
#include <stdio.h>
#include <string.h>
int main(int count, char **argument)
{
    char line[100];
    for (int i = 1; i < count; i++)
        printf("%d %s\\n", i, argument[i]);
    while (count == 3 && fgets(line, sizeof line, stdin) && strcmp(line, ".\\n"))
        printf("> %s", line);
    return count;
}
"""
EXIT = "#include <stdlib.h>\nint main(void) { exit(CODE); }\n"
HTIF = START + """
    la a0, tohost
    li a1, 1 << 56 | 1 << 48 | 'A'      # console, write
    sd a1, 0(a0)
    li a1, 1 << 56 | 1 << 48 | '\\n'
    sd a1, 0(a0)
    li a1, 2 * 7 + 1                    # exit 7
    sw a1, 0(a0)                        # by halves
    sw zero, 4(a0)
1:  j 1b
    .data
    .balign 64
tohost: .dword 0
fromhost: .dword 0
"""
HTIF_LOW = HTIF.replace("    sw zero, 4(a0)\n", "")
LOOP = START + "    addi a0, a0, 1\n    j _start\n"
HANDLED = START + """
    la t0, handler
    csrw mtvec, t0
    .word 0xffffffff
    li a0, 3                            # not reached with another mepc
    j leave
handler:
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    mret
leave:
    la a1, tohost
    slli a0, a0, 1
    addi a0, a0, 1
    sd a0, 0(a1)
1:  j 1b
    .data
    .balign 8
tohost: .dword 0
"""
TRAPS_IN_HANDLER = START + "    la t0, handler\n    csrw mtvec, t0\n    .balign 4\nhandler: .word -1\n"
RULES = """
    li t0, 4 << 16 | 1 << 8 | 8         # 4 slices of 8 bytes
    csrw tshape, t0
    la a0, bytes
"""
BYTES = "\n    .data\n    .balign 64\nbytes: .space 2048\n"

# Code that comes through the host, twice to the same place.
OVERLAY = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static unsigned short code[2] __attribute__((aligned(64)));
static int load_and_call(const char *name)
{
    int file = open(name, O_RDONLY);
    if (file < 0 || read(file, code, sizeof code) != sizeof code)
        return -1;
    close(file);
    __asm__ volatile("fence.i" ::: "memory");
    return ((int (*)(void))code)();
}
int main(void)
{
    int first = load_and_call("five"), second = load_and_call("nine");
    printf("%d %d\\n", first, second);
    return 0;
}
"""
OVERLAYS = {"five": b"\x15\x45\x82\x80", "nine": b"\x25\x45\x82\x80"}  # c.li a0, n; c.jr ra

# The clock goes on, and cannot be set.
CLOCK = """
#include <stdint.h>
static uintptr_t now(void)
{
    uintptr_t value;
    __asm__ volatile("csrr %0, time" : "=r"(value));
    return value;
}
int main(void)
{
    uintptr_t first = now(), second = now();
    for (volatile int i = 0; i < 20000; i++)
        second = now();
    if (second <= first)
        return 1;
    __asm__ volatile("csrw time, zero");
    return 2;
}
"""
# A program that is linked for pieces of RAM of its own, as PIECES says: Ztl and base instructions.
ELSEWHERE = START + """
    li t0, 4 << 16 | 1 << 8 | 8
    csrw tshape, t0
    la a0, bytes
    tl.load tl1, 0(a0)
    li a1, ADDRESS
    STORE
    ld a0, 8(a1)                        # 7
    la a1, tohost
    slli a0, a0, 1
    addi a0, a0, 1
    sd a0, 0(a1)
1:  j 1b
    .data
    .balign 64
bytes: .dword 5, 7, 9, 11
tohost: .dword 0
"""
PIECES = ["-Ttext=0x10000000", "-Tdata=0x47fff000"]
PLACES = {  # where it stores: status, pieces of the messages
    "in a piece": ("0x10080000", 7, []),
    "in the standard one": ("0x80001000", 7, []),
    "between pieces": ("0x30000000", TRAPPED, ["store access fault", "0x3000000"]),
    "past a piece": ("0x47fffff0", TRAPPED, ["store access fault", "0x48000000"]),
    "the monitor's": ("0x88000000", TRAPPED, ["store access fault", "0x8800000"]),
    "behind the monitor": ("0x89000000", TRAPPED, ["store access fault", "0x8900000"]),
}
FAR = START + "    j _start\n"


def rule(lines):
    return START + RULES + lines + BYTES


# Source or file, arguments, options, standard input; then what is expected: status, output, and
# pieces of the messages.
CASES = {
    "echo": (ECHO, ["one", "two"], [], "a\nb\n.\n", 3, "1 one\n2 two\n> a\n> b\n", []),
    "no arguments": (ECHO, [], [], "", 1, "", []),
    "comma": (ECHO, ["a,b", "-x", "--", "=,,="], [], "", 5, "1 a,b\n2 -x\n3 --\n4 =,,=\n", []),
    "long": (ECHO, ["x" * 900], [], "", 2, "1 " + "x" * 900 + "\n", []),
    "too long": (ECHO, ["x" * 5000], [], "", 1, "", ["take 5001 bytes, the program has room for"]),
    "space": (ECHO, ["a b"], [], "", 1, "", ["'a b'"]),
    "tab": (ECHO, ["a\tb"], [], "", 1, "", ["argument"]),
    "empty": (ECHO, [""], [], "", 1, "", ["argument ''"]),
    **{f"exit {code}": (EXIT.replace("CODE", str(code)), [], [], "", status, "", messages)
       for code, status, messages in ((0, 0, []), (1, 1, []), (7, 7, []), (255, 255, []),
                                      (256, 255, ["exit code 256 does not fit"]))},
    "clock": (CLOCK, [], [], "", TRAPPED, "", ["illegal instruction", "csr"]),
    "HTIF": (HTIF, [], [], "", 7, "A\n", []),
    "HTIF, half a word": (HTIF_LOW, [], [], "", 7, "A\n", []),
    "overlay": (OVERLAY, [], ["--dir", "."], "", 0, "5 9\n", []),
    "handled": (HANDLED, [], [], "", 3, "", []),
    "entry": (HANDLED, [], ["--entry", "leave"], "", 0, "", []),
    "limit": (LOOP, [], ["--max-insns", "7"], "", LIMIT, "",
              ["stopped by --max-insns at 0x80000002"]),
    "limit of Ztl": (rule("1: tl.addi tl1, tl1, 1\n    j 1b"), [], ["--max-insns", "10"], "", LIMIT,
                     "", ["stopped by --max-insns at"]),
    "limit not reached": (EXIT.replace("CODE", "5"), [], ["--max-insns", "1000000"], "", 5, "", []),
    "asleep": (START + "    wfi\n", [], [], "", ASLEEP, "", ["asleep for ever", "0x80000004"]),
    # Every class of trap: the expected words are the contract's.
    "encoding": (START + "    .word 0x0000705b\n", [], [], "", TRAPPED, "",
                 ["trap: illegal instruction at 0x80000000 (_start)", "ENCODING"]),
    "type": (rule("    li t0, 0x003\n    csrw ttype, t0\n    tl.addi tl1, tl2, 1"), [], [], "",
             TRAPPED, "", ["illegal instruction", "tl.addi tl1, tl2, 1", "TYPE"]),
    "shape": (rule("    li t0, 4\n    tl.xpose.01 tl1, tl2, t0"), [], [], "", TRAPPED, "",
              ["illegal instruction", "SHAPE"]),
    "width": (rule("    li t0, 200\n    csrw tl_load_width, t0\n    li t0, 16 << 16 | 1 << 8 | 1\n"
                   "    csrw tshape, t0\n    tl.load tl1, 0(a0)"), [], [], "", TRAPPED, "",
              ["illegal instruction", "WIDTH"]),
    "mask uninitialised": (rule("    tl.merge.0 tl3, tl1, tl2"), [], [], "", TRAPPED, "",
                           ["illegal instruction", "MASK_UNINITIALISED"]),
    "mask count": (rule("    csrwi tmask_concat_1, 15\n    csrwi tmask_concat_2, 15\n"
                        "    li t0, 4 << 16 | 1 << 8 | 4\n    csrw tshape, t0\n"
                        "    tl.concat.0 tl3, tl1, tl2"), [], [], "", TRAPPED, "",
                   ["illegal instruction", "MASK_COUNT"]),
    "misaligned load": (rule("    csrwi ttype, 8\n    addi a0, a0, 1\n    tl.load tl1, 0(a0)"), [],
                        [], "", TRAPPED, "", ["load address misaligned", "multiple of"]),
    "misaligned store": (rule("    csrwi ttype, 8\n    addi a0, a0, 1\n    tl.store tl1, 0(a0)"), [],
                         [], "", TRAPPED, "", ["store address misaligned", "multiple of"]),
    **{f"{what} fault at {name}": (rule(f"    li a0, {address}\n    tl.{what} tl1, 0(a0)"), [], [], "",
                                   TRAPPED, "", [f"{what} access fault", "is not mapped"])
       for what in ("load", "store") for name, address in
       (("nothing", 0), ("the end of RAM", 0x88000000), ("a device", 0x10000000),
        ("the last bytes", 0x88000000 - 8))},
    "window": (rule("    tl.load tl1, 0(a0)"), [], ["--l1m", "0x1000:64K"], "", TRAPPED, "",
               ["load access fault", "outside the window"]),
    "absent subset": (rule("    tl.addi tl1, tl2, 1"), [], ["--isa", "rv64imac_zicsr_ztlx"], "",
                      TRAPPED, "", ["ENCODING", "sub-extension"]),
    "revision 1": (START + "    tl.concat.0 tl1, tl2, tl3\n", [],
                   ["--isa", "rv64imac_zicsr_ztl1p0"], "", TRAPPED, "",
                   ["tl.concat.0 tl1, tl2, tl3", "SHAPE"]),
    "ordinary illegal": (START + "    nop\n    .word 0xffffffff\n", [], [], "", TRAPPED, "",
                         ["illegal instruction at 0x80000002 (_start+0x2)"]),
    "unknown CSR": (START + "    csrr a0, 0x5c0\n", [], [], "", TRAPPED, "",
                    ["illegal instruction at 0x80000000"]),
    **{f"base {what} at {name}": (START + f"    li a0, {address}\n    {insn}\n", [], [], "", TRAPPED,
                                  "", [f"{what} access fault", f"address {address:#x}"])
       for what, insn in (("load", "lw a1, 0(a0)"), ("store", "sw a1, 0(a0)"))
       for name, address in (("nothing", 8), ("the end of RAM", 0x88000000),
                             ("the console", 0x10000000), ("the mailbox", 0x88800000),
                             ("QEMU's test device", 0x100000))},
    "fetch": (START + "    li a0, 0x1000\n    jalr a0\n", [], [], "", TRAPPED, "",
              ["instruction access fault at 0x1000", "nothing to fetch"]),
    "the monitor's code": (START + "    li a0, 0x88000004\n    jalr a0\n", [], [], "", TRAPPED, "",
                           ["instruction access fault at 0x88000004"]),
    "ebreak": (START + "    ebreak\n", [], [], "", TRAPPED, "", ["breakpoint"]),
    "ecall": (START + "    ecall\n", [], [], "", TRAPPED, "", ["environment call from machine mode"]),
    "in C": ("int main(void) { __asm__ volatile(\"tl.merge.0 tl1, tl2, tl3\"); return 0; }\n", [], [],
             "", TRAPPED, "", ["(main)", "SHAPE: D0 = 0"]),
    "null in C": ("int main(void) { return *(volatile int *)16; }\n", [], [], "", TRAPPED, "",
                  ["load access fault", "address 0x10"]),
    "trap in the handler": (TRAPS_IN_HANDLER, [], [], "", TRAPPED, "",
                            ["trap in the first instruction of the trap handler"]),
}

# The examples, as bare-metal programs; first.c, lockstep.c and dpi are the host's.
PROGRAMS = ["first.s", "demo.s", "picture.s", "every.s", "transpose.c", "rounds.c", "nchw_to_nhwc.c",
            "im2col.c", "channel_shuffle.c", "sparse_gather.c", "worked.c", "trap_repair.c",
            "worked_ztl1.c", "brightness.c"]
OPTIONS = {"worked_ztl1.c": ["--isa", "rv64imac_zicsr_ztl1p0"], "brightness.c": ["--dir", "."]}
ARGUMENTS = {"brightness.c": ["picture.pgm", "brighter.pgm", "60"]}

# Of a Linux program: what the signal's number does not say.
LINUX = """
#include <string.h>
#include <ztl/intrin.h>
int main(int count, char **argument)
{
    const char *what = count > 1 ? argument[1] : "";
    if (!strcmp(what, "loop"))
        for (;;)
            continue;
    if (!strcmp(what, "encoding"))
        __asm__ volatile(".word 0x0000705b");
    if (!strcmp(what, "mask"))
        __asm__ volatile("li t0, 0x10101\\n csrw tshape, t0\\n tl.merge.0 tl1, tl2, tl3" ::: "t0");
    if (!strcmp(what, "misaligned"))
        __asm__ volatile("csrwi ttype, 8\\n li t0, 0x10101\\n csrw tshape, t0\\n addi t0, sp, 1\\n"
                         "tl.load tl1, 0(t0)" ::: "t0");
    if (!strcmp(what, "fault"))
        __asm__ volatile("li t0, 0x10101\\n csrw tshape, t0\\n tl.store tl1, 0(zero)" ::: "t0");
    if (!strcmp(what, "base"))
        __asm__ volatile(".word 0xffffffff");
    if (!strcmp(what, "null"))
        *(volatile int *)16 = 1;
    return count;
}
"""
LINUX_CASES = {
    "arguments": (["a b", ""], [], 3, []),
    "encoding": (["encoding"], [], 132, ["trap: illegal instruction at", "(main+", "ENCODING"]),
    "mask": (["mask"], [], 132, ["tl.merge.0 tl1, tl2, tl3", "MASK_UNINITIALISED"]),
    "misaligned": (["misaligned"], [], 135, ["load address misaligned", "multiple of"]),
    "fault": (["fault"], [], 139, ["store access fault", "address 0x0 is not mapped"]),
    "base": (["base"], [], 132, ["illegal instruction", "0xffffffff"]),
    "null": (["null"], [], 139, ["store access fault", "address 0x10"]),
    "timeout": (["loop"], ["--timeout", "0.2"], TIMEOUT, ["stopped by --timeout"]),
    "limit": (["loop"], ["--max-insns", "5000000"], LIMIT, ["stopped by --max-insns"]),
    "limit not reached": (["x"], ["--max-insns", "1000000000"], 2, []),
}


def run(engine, options, program, arguments, text=""):
    process = subprocess.run([ZTL, "run", "--engine", engine, *options, program, "--", *arguments],
                             input=text, capture_output=True, text=True, timeout=100)
    return process.returncode, process.stdout, process.stderr


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


WRONG = []


def check(name, found, status, output, messages):
    text = " ".join(found[2].split())  # long lines are folded
    if found[0] != status or output not in (None, found[1]) or \
            any(message not in text for message in messages):
        WRONG.append((name, found))


def both_engines(name, source, arguments, options, text, status, output, messages):
    results = {}
    program = write("program" + (".s" if source.startswith(".globl") else ".c"), source)
    for engine in ("sim", "qemu"):
        results[engine] = run(engine, options, program, arguments, text)
        check((name, engine), results[engine], status, output, messages)
    if results["sim"] != results["qemu"]:
        WRONG.append((name, results))


def link(source, options):
    """Without a linker script: the C library has no place there."""
    write("elsewhere.s", source)
    subprocess.run([ZTL, "cc", "-nostdlib", "-nostartfiles", "-Wl,--no-relax", *options,
                    "elsewhere.s", "-o", "elsewhere"], check=True)


def elsewhere():
    for store in "tl.store tl1, 0(a1)", "li t0, 7\n sd t0, 8(a1)\n sd t0, 16(a1)":
        for name, (address, status, messages) in PLACES.items():
            link(ELSEWHERE.replace("ADDRESS", address).replace("STORE", store), PIECES)
            results = [run(engine, [], "elsewhere", []) for engine in ("sim", "qemu")]
            check((name, store), results[1], status, "", messages)
            if results[0] != results[1]:
                WRONG.append((name, results))
    link(FAR, ["-Ttext=0x90000000"])
    check("far", run("qemu", [], "elsewhere", []), 1, "",
          ["QEMU's RAM is below 0x88000000, in up to 4 pieces; the simulator runs it"])


def timeouts():
    """Computing, waiting for input, and writing to a pipe that nobody reads."""
    write("loop.s", LOOP)
    write("echo.c", ECHO)
    write("flood.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"output\"); }\n")
    for engine in ("sim", "qemu"):
        for program in ("loop.s", "echo.c", "flood.c"):
            with subprocess.Popen([ZTL, "run", "--engine", engine, "--timeout", "0.5", program,
                                   "--", "two", "arguments"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as ztl:
                status = ztl.wait(timeout=100)
                assert status == TIMEOUT, (engine, program, status, ztl.stderr.read())
                assert "stopped by --timeout" in ztl.stderr.read(), (engine, program)


def examples():
    shutil.copy(os.path.join(EXAMPLES, "picture.pgm"), ".")
    for name in PROGRAMS:
        results = []
        for engine in ("sim", "qemu"):
            results.append(run(engine, OPTIONS.get(name, []), os.path.join(EXAMPLES, name),
                               ARGUMENTS.get(name, [])))
            if name == "brightness.c":
                with open("brighter.pgm", "rb") as picture:
                    results[-1] += (picture.read(),)
                os.remove("brighter.pgm")
        if results[0] != results[1] or results[0][0] != 0:
            WRONG.append((name, results))


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for overlay, code in OVERLAYS.items():
        with open(overlay, "wb") as out:
            out.write(code)
    for title, case in CASES.items():
        both_engines(title, *case)
    elsewhere()
    timeouts()
    examples()
    write("linux.c", LINUX)
    subprocess.run([ZTL, "cc", "--linux", "linux.c", "-o", "dynamic"], check=True)
    subprocess.run([ZTL, "cc", "--linux", "linux.c", "-static", "-Wl,-u,ztl_trap_install",
                    "-L" + os.path.join(os.path.dirname(ZTL), "adapters/qemu"), "-lztl-trap", "-o",
                    "static"], check=True)
    subprocess.run([ZTL, "cc", "--linux", "linux.c", "-static", "-o", "alone"], check=True)
    check("static without the library", run("qemu", [], "alone", ["mask"]), 132, "",
          ["a static one needs libztl-trap linked in"])
    for program in ("dynamic", "static"):
        for title, (words, given, status, messages) in LINUX_CASES.items():
            check((title, program), run("qemu", given, program, words), status, None, messages)
    os.chdir("/")
for problem in WRONG:
    print(*problem)
sys.exit(bool(WRONG))
