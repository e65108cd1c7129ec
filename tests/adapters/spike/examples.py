#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples say on Spike what they say here; Ztl 1 too, and Ztl by either of Spike's options.

usage: examples.py ZTL SOURCE-DIR EXTENSION SPIKE"""

from spike import SOURCE, assemble, compile_c, ours, run, spike
import spike as machine

ISA = "rv64gc_xztl_xsemihosting"
ENDING = """
    .data
    .balign 8
fromhost: .dword 0
    .globl begin_signature, end_signature
begin_signature: .zero 4096
end_signature:
"""


def compare(name, program, isa=ISA, here=()):
    expected = ours(*here, program)
    there = spike(program, isa=isa)
    assert there == expected and expected, f"{name}\nhere:\n{expected}\non Spike:\n{there}"


for example in ("transpose", "rounds", "overlap", "nchw_to_nhwc", "im2col", "channel_shuffle",
                "sparse_gather", "worked", "trap_repair"):
    compare(example, compile_c(SOURCE / "examples" / f"{example}.c", example))
compare("worked_ztl1", compile_c(SOURCE / "examples/worked_ztl1.c", "ztl1", "rv64imac_zicsr_ztl1p0"),
        "rv64gc_xztl1p0_xsemihosting", ("--isa", "rv64imac_zicsr_ztl1p0"))
compare("every", assemble((SOURCE / "examples/every.s").read_text(), "every"))

# first.s shows nothing, so tl1, tl2 and tl3 go to the signature.
first = (SOURCE / "examples/first.s").read_text()
stores = "".join(f"    tl.store tl{n}, 0(a0)\n    addi a0, a0, 1024\n" for n in (1, 2, 3))
program = assemble(first.replace("done:\n", "    la a0, begin_signature\n" + stores + "done:\n") + ENDING,
                   "first")
here, there = machine.FOLDER / "here", machine.FOLDER / "there"
ours("--signature", here, program)
for isa, more in (("rv64gc_xztl", ()), ("rv64gc", ("--extension=ztl",))):
    run([machine.SPIKE, f"--extlib={machine.EXTENSION}", f"--isa={isa}", *more, f"+signature={there}",
         "+signature-granularity=4", program])
    assert there.read_text() == here.read_text(), isa
    there.unlink()
assert "fffefdfc" in here.read_text()  # saturated, in tl3
