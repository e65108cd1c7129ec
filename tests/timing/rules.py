#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles by hand: every rule of doc/timing.md on a few instructions, calculated in the comments.

usage: rules.py ZTL"""

import json
import os
import subprocess
import sys
import tempfile

ztl = sys.argv[1]
failures = 0

# Seven instructions: the kernel starts at t = 7. Loads and stores are 32 slices of 32 bytes, 32
# cycles of a port; ADDI, CONCAT and MERGE take 16 cycles, XPOSE and PERMUTE 32.
PROLOGUE = """
    auipc s0, 4
    auipc s1, 8
    lui t0, 0x200
    csrw tshape, t0
    addi t1, zero, 32
    csrw tl_load_width, t1
    csrw tl_store_width, t1
"""
# Ztl 1 has the shape in a GPR: [32,32,1,1]. Seven again.
PROLOGUE_1 = """
    auipc s0, 4
    auipc s1, 8
    lui t0, 0x1012
    addi t0, t0, 0x20
    addi t1, zero, -1
    csrw tl_load_mask, t1
    csrw tl_store_mask, t1
"""
RV64, RV32 = "rv64imac_zicsr_zifencei_ztl", "rv32imac_zicsr_zifencei_ztl"
RV64_1, RV32_1 = "rv64imac_zicsr_ztl1p0", "rv32imac_zicsr_ztl1p0"


def run(kernel, machine="four", isa=RV64, options=(), prologue=None, ending="    wfi\n"):
    if prologue is None:
        prologue = PROLOGUE_1 if isa.endswith("1p0") else PROLOGUE
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "case.s")
        with open(source, "w") as file:
            file.write(f"    .option norelax\n    .globl _start\n_start:\n{prologue}\n"
                       f"kernel:\n{kernel}\n{ending}")
        done = subprocess.run([ztl, "run", "--isa", isa, "--timing", machine, "--json", *options,
                               source], capture_output=True, text=True, timeout=60)
    start = done.stderr.find("{\n")
    if start < 0:
        raise SystemExit(f"no report: {done.stderr}")
    return json.loads(done.stderr[start:])


def expect(name, got, wanted):
    global failures
    if got != wanted:
        failures += 1
        print(f"{name}: {got}, must be {wanted}", file=sys.stderr)


def case(name, cycles, kernel, machine="four", isa=RV64, **others):
    """others: hart, queue, memory, drain, and the busy cycles or idle causes of an engine."""
    report = run(kernel, machine, isa, others.pop("options", ()), others.pop("prologue", None))
    expect(name, report["cycles"], cycles)
    for key, wanted in others.items():
        if key == "hart":
            expect(f"{name}, hart", report["hart"]["cycles"], wanted)
        elif key in report["hart"]:
            expect(f"{name}, {key}", report["hart"][key], wanted)
        else:
            engine, cause = key.split("_", 1)
            idle = report["engines"][int(engine[1:])]["idle"]
            expect(f"{name}, {key}", idle[cause], wanted)
    return report


# ---- One instruction of each kind: start 8; the wfi makes t = 9 ----
case("load", 48, "tl.load tl1, 0(s0)", hart=9)  # 8 … 40, there at 48
case("store", 48, "tl.store tl1, 0(s0), store")
case("addi", 28, "tl.addi tl1, tl2, 1")  # 8 … 24, 28
# The shape [64,32,1,1] takes two instructions: t = 9, 10 … 42, 46.
SHAPE = "lui a0, 0x1012\naddi a0, a0, 0x40\n"
case("xpose", 46, SHAPE + "tl.xpose.01 tl1, tl2, a0, reshape")
case("permute", 46, SHAPE + "tl.permute.b tl1, tl2, a0")
case("xpose that moves nothing", 46, SHAPE + "tl.xpose.00 tl1, tl2, a0")
# tshape [1,1,1] and masks 1 and 0 take five: t = 12, 13 … 29, 33.
BLOCK = ("lui t2, 0x10\naddi t2, t2, 0x101\ncsrw tshape, t2\n"
         "csrwi tmask_concat_1, 1\ncsrwi tmask_concat_2, 0\n")
case("concat", 33, BLOCK + "tl.concat.0 tl3, tl1, tl2")
case("merge", 33, BLOCK + "tl.merge.0 tl3, tl1, tl2")
# ⌈2048/150⌉ = 14 and ⌈1024/150⌉ = 7: 10 … 24, 28 and 8 … 15, 19.
case("move.bytes", 28, SHAPE + "tl.xpose.01 tl1, tl2, a0", "four,move.bytes=150")
case("add.bytes", 19, "tl.addi tl1, tl2, 1", "four,add.bytes=150")
case("move.latency", 45, BLOCK + "tl.merge.0 tl3, tl1, tl2", "four,move.latency=16")
case("add.latency", 24, "tl.addi tl1, tl2, 1", "four,add.latency=0")

# ---- Registers ----
# RAW: the load is there at 48; the ADDI on another engine starts then: 48 … 64, 68.
case("RAW", 68, "tl.load tl1, 0(s0)\ntl.addi tl2, tl1, 1, comp")
# No hazard: 9 … 25; the load's 48 is the latest.
case("no RAW", 48, "tl.load tl1, 0(s0)\ntl.addi tl2, tl3, 1, comp")
# WAR: the ADDI reads tl1 until 24: the load 24 … 56, 64.
case("WAR", 64, "tl.addi tl2, tl1, 1, comp\ntl.load tl1, 0(s0)")
# WAW: tl1 is written at 28: 28 … 60, 68.
case("WAW", 68, "tl.addi tl1, tl2, 1, comp\ntl.load tl1, 0(s0)")
# Reading twice is no hazard: 8 … 24 and 9 … 25, 29.
case("two readers", 29, "tl.addi tl2, tl1, 1, comp\ntl.addi tl3, tl1, 1, store")
# The later of two readers counts: the store reads tl1 8 … 40, the ADDI 9 … 25; the load 40 … 72, 80.
case("WAR with the later reader", 80,
     "tl.store tl1, 0(s1), store\ntl.addi tl2, tl1, 1, comp\ntl.load tl1, 0(s0)")
# Reading tl0 waits for nothing: the ADDI 9 … 25. Writing it neither: 8 … 24, 9 … 25, 29.
case("tl0 read", 48, "tl.load tl0, 0(s0)\ntl.addi tl2, tl0, 1, comp", hart=10)
case("tl0 written twice", 29, "tl.addi tl0, tl1, 1\ntl.addi tl0, tl2, 1, comp")
# CONCAT reads tlrd, MERGE writes it only; t = 12: ADDI of tl3 13 … 29, 33; either 33 … 49, 53, for
# RAW or WAW. The engine was busy before, at t = 13: MERGE of tl5 14 … 30, so 3 cycles are idle.
for name, cause in (("concat", "raw"), ("merge", "war_waw")):
    case(f"{name} of a tlrd being written", 53,
         BLOCK + "tl.addi tl3, tl4, 1, comp\ntl.merge.0 tl5, tl6, tl7, reshape\n"
         f"tl.{name}.0 tl3, tl1, tl2, reshape", **{f"e3_{cause}": 3})
# XPOSE writes its second register: t = 9: 10 … 42, 46; the ADDI 46 … 62, 66. And reads it: the load
# 10 … 42, 50; XPOSE 50 … 82, 86.
case("xpose writes both", 66,
     SHAPE + "tl.xpose.01 tl1, tl2, a0, reshape\ntl.addi tl3, tl2, 1, comp")
case("xpose reads both", 86, SHAPE + "tl.load tl2, 0(s0)\ntl.xpose.01 tl1, tl2, a0, reshape")
case("permute reads both", 86, SHAPE + "tl.load tl1, 0(s0)\ntl.permute.b tl1, tl2, a0, reshape")

# ---- Engines and queues ----
# One engine works in order: 8 … 24, 24 … 40, 44.
case("in order", 44, "tl.addi tl1, tl2, 1\ntl.addi tl3, tl4, 1")
# Idle by cause. RAW: ADDI 9 … 25 on engine 1, the next waits for the load, there at 48.
case("idle RAW", 68, "tl.load tl1, 0(s0)\ntl.addi tl2, tl3, 1, comp\ntl.addi tl4, tl1, 1, comp",
     e1_raw=23)
# None issued: 8 … 24; two div of 17 cycles: t = 8, 25, 42: start 43 … 59, 63.
case("idle, none issued", 63, "tl.addi tl1, tl2, 1\ndiv a1, a1, a1\ndiv a1, a1, a1\n"
     "tl.addi tl3, tl4, 1", e0_issue=19)
# WAR: ADDI 8 … 24; a store reads tl5 9 … 41; engine 0 writes it 41 … 57, 61.
case("idle WAR", 61, "tl.addi tl1, tl2, 1\ntl.store tl5, 0(s1), store\ntl.addi tl5, tl2, 1",
     e0_war_waw=17)
# Port: ADDI 8 … 24; a load on engine 1 9 … 41; a load on engine 0 41 … 73, 81.
case("idle port", 81, "tl.addi tl1, tl2, 1\ntl.load tl3, 0(s0), comp\ntl.load tl4, 0(s1)",
     e0_port=17)
# Memory: ADDI 8 … 24; a store 9 … 41, done at 49; a load of the same bytes 49 … 81, 89.
case("idle memory", 89, "tl.addi tl1, tl2, 1\ntl.store tl3, 0(s0), store\ntl.load tl4, 0(s0)",
     e0_memory=25)
# Queue of 1: starts 8, 24. At t = 9 the second has not started: t = 24. The third 40 … 56, 60; t = 25.
TWO = "tl.addi tl1, tl2, 1\ntl.addi tl3, tl4, 1\n"
case("queue of 1", 60, TWO + "tl.addi tl5, tl6, 1", "four,engines.queue=1", queue=15, hart=26)
# Queue of 2: at t = 9 one has not started: no wait.
case("queue of 2", 60, TWO + "tl.addi tl5, tl6, 1", "four,engines.queue=2", queue=0, hart=11)
# … the fourth waits from 10 to 24: 56 … 72, 76; t = 25, wfi 26.
case("queue of 2, full", 76, TWO + "tl.addi tl5, tl6, 1\ntl.addi tl7, tl8, 1",
     "four,engines.queue=2", queue=14, hart=26)
# … but not on another engine.
case("queues are separate", 60, TWO + "tl.addi tl5, tl6, 1\ntl.addi tl7, tl8, 1, comp",
     "four,engines.queue=2", queue=0)
# An instruction that starts exactly at t has started: with issue 1 and queue 1 the second instruction
# comes at t = 8, when the first starts.
case("started at t", 44, TWO, "four,engines.queue=1", queue=0)
case("issue", 32, "tl.addi tl1, tl2, 1", "four,engines.issue=5")  # 12 … 28, 32
case("issue 0", 27, "tl.addi tl1, tl2, 1", "four,engines.issue=0")  # 7 … 23, 27
# By id both on engine 0: 8 … 24, 24 … 56, 64. By kind beside each other: 9 … 41, 49.
case("by id", 64, "tl.addi tl1, tl2, 1\ntl.load tl3, 0(s0)")
case("by kind", 49, "tl.addi tl1, tl2, 1\ntl.load tl3, 0(s0)", "four,engines.by=kind")
case("by kind, store", 49, "tl.load tl1, 0(s0)\ntl.store tl3, 0(s1)", "four,engines.by=kind")
# t = 9: ADDI 10 … 26; XPOSE beside it 11 … 43, 47.
case("by kind, move", 47, SHAPE + "tl.addi tl1, tl2, 1, comp\ntl.xpose.01 tl3, tl4, a0, comp",
     "four,engines.by=kind")
case("one engine", 64, "tl.addi tl1, tl2, 1, comp\ntl.load tl3, 0(s0)", "one")
case("one engine by kind", 64, "tl.addi tl1, tl2, 1, comp\ntl.load tl3, 0(s0)",
     "one,engines.by=kind")

# ---- Ports ----
case("load port", 80, "tl.load tl1, 0(s0)\ntl.load tl2, 0(s1), comp")  # 8 … 40, 40 … 72, 80
case("two ports", 49, "tl.load tl1, 0(s0)\ntl.store tl2, 0(s1), store")  # 9 … 41, 49
case("store port", 80, "tl.store tl1, 0(s0), store\ntl.store tl2, 0(s1), comp")
case("shared port", 80, "tl.load tl1, 0(s0)\ntl.store tl2, 0(s1), store", "four,ports.shared=yes")
case("bytes bind", 80, "tl.load tl1, 0(s0)", "four,l1m.bytes=16")  # 8 … 72, 80
case("slices bind", 32, "tl.load tl1, 0(s0)", "four,l1m.slices=2,l1m.bytes=1024")  # 8 … 24, 32
case("rounded up", 27, "tl.load tl1, 0(s0)", "four,l1m.slices=3,l1m.bytes=1000")  # ⌈32/3⌉ = 11
case("store bytes", 80, "tl.store tl1, 0(s0)", "four,l0m.bytes=16")
case("store slices", 32, "tl.store tl1, 0(s0)", "four,l0m.slices=2,l0m.bytes=1024")
case("load latency", 140, "tl.load tl1, 0(s0)", "four,l1m.latency=100")
case("store latency", 140, "tl.store tl1, 0(s0)", "four,l0m.latency=100")
case("wide", 24, "tl.load tl1, 0(s0)", "wide")  # 8 … 16, 24
case("wide add", 20, "tl.addi tl1, tl2, 1", "wide")  # 8 … 16, 20

# ---- Masks ----
# Three slices of 32 bytes: max(⌈96/64⌉, 3) = 3. t = 8: 9 … 12, 20.
case("masked load", 20, "csrwi tl_load_mask, 0b10101\ntl.mload tl1, 0(s0)")
case("masked store", 20, "csrwi tl_store_mask, 0b10101\ntl.mstore tl1, 0(s0), store")
# All masked off: no access, no port, busy 1: beside the load (9 … 41, 49) 10 … 11, 19.
report = case("all masked off", 49,
              "csrwi tl_load_mask, 0\ntl.load tl1, 0(s0)\ntl.mload tl2, 0(s0), comp")
expect("all masked off, port", report["ports"][0]["instructions"], 1)
expect("all masked off, engine", report["engines"][1]["busy"], 1)
# … but its register is written: t = 8: 9 … 10, 18; the ADDI 18 … 34, 38.
case("all masked off, written", 38,
     "csrwi tl_load_mask, 0\ntl.mload tl2, 0(s0), comp\ntl.addi tl3, tl2, 1, reshape")
# … and a store of nothing holds no load up: 9 … 10, 18; the load 10 … 42, 50.
case("store of nothing", 50,
     "csrwi tl_store_mask, 0\ntl.mstore tl2, 0(s0), store\ntl.load tl3, 0(s0)")
# The range is that of what is accessed: slice 31 alone of a store, t = 11: 12 … 13, done at 21; a load
# of slices 0 … 30 does not overlap: 13 … 44, 52.
case("masked range", 52, "lui t2, 0x80000\ncsrw tl_store_mask, t2\nxori t2, t2, -1\n"
     "csrw tl_load_mask, t2\ntl.mstore tl2, 0(s0), store\ntl.mload tl3, 0(s0)")

# ---- Memory ----
# Load after store: the store 8 … 40 is done at 48: 48 … 80, 88. Of other bytes: 9 … 41, 49.
case("load after store", 88, "tl.store tl1, 0(s0), store\ntl.load tl2, 0(s0)")
case("load elsewhere", 49, "tl.store tl1, 0(s0), store\ntl.load tl2, 0(s1)")
# Store after load: the load is done when it ends, at 40: 40 … 72, 80.
case("store after load", 80, "tl.load tl1, 0(s0)\ntl.store tl2, 0(s0), store")
# Store after store: done at 48, the port is free at 40: 48 … 80, 88.
case("store after store", 88, "tl.store tl1, 0(s0), store\ntl.store tl2, 0(s0), store")
# Load after load: only the port, 40 … 72, 80.
case("load after load", 80, "tl.load tl1, 0(s0)\ntl.load tl2, 0(s0), comp")
# A neighbour does not overlap: 32 slices further (imm8 counts slices). One byte does.
case("neighbour", 49, "tl.store tl1, 0(s0), store\ntl.load tl2, 32(s0)")
case("one byte", 89, "addi s2, s0, 1023\ntl.store tl1, 0(s0), store\ntl.load tl2, 0(s2)")
# From the lowest to the highest byte: slices 0 and 31 of a store leave a hole, where a load of one
# slice lies. t = 11: the store 12 … 14, done at 22; the load 22 … 23, 31.
case("hole", 31, "lui t2, 0x80000\naddi t2, t2, 1\ncsrw tl_store_mask, t2\n"
     "csrwi tl_load_mask, 1\ntl.mstore tl1, 0(s0), store\ntl.mload tl2, 8(s0)")

# ---- Ordinary instructions and memory ----
# A load of what a Ztl store writes (8 … 40, 48) comes at t = 8, waits until 48, takes 2; wfi: 51.
case("lw after store", 51, "tl.store tl1, 0(s0), store\nlw a1, 0(s0)", memory=40, hart=51)
case("lw elsewhere", 48, "tl.store tl1, 0(s0), store\nlw a1, 1024(s0)", memory=0, hart=11)
case("lw after load", 48, "tl.load tl1, 0(s0)\nlw a1, 0(s0)", memory=0, hart=11)
# A store waits for a Ztl load's end, 40, and takes 1; wfi: 42.
case("sw after load", 48, "tl.load tl1, 0(s0)\nsw a1, 0(s0)", memory=32, hart=42)
case("sw after store", 50, "tl.store tl1, 0(s0), store\nsw a1, 0(s0)", memory=40, hart=50)
# The last byte of the range, and the first behind it.
case("lb of the last byte", 51, "tl.store tl1, 0(s0), store\nlb a1, 1023(s0)", memory=40)
case("lb behind it", 48, "tl.store tl1, 0(s0), store\nlb a1, 1024(s0)", memory=0)
case("lw across the start", 52, "addi s2, s0, -4\ntl.store tl1, 0(s0), store\nlw a1, 1(s2)",
     memory=40)
# An AMO reads and writes: it waits for a load's end like a store, and takes 2: 40, 42, 43.
case("amo after load", 48, "tl.load tl1, 0(s0)\namoadd.w a1, a2, (s0)", memory=32, hart=43)
# lr reads: 2 cycles. sc that stores: 1, sc that fails accesses nothing and does not wait.
case("lr", 10, "lr.w a1, (s0)")
case("sc that fails", 48, "tl.load tl1, 0(s0)\nsc.w a2, a3, (s0)", memory=0, hart=10)
# lr waits for nothing after a Ztl load (2 cycles: t = 10); sc waits until 40: 41, wfi 42.
case("sc after load", 48, "tl.load tl1, 0(s0)\nlr.w a1, (s0)\nsc.w a2, a3, (s0)", memory=30,
     hart=42)
# A fence waits for all accesses (the store's 49 and the load's 40 …), not for an ADDI.
case("fence", 51, "tl.load tl1, 0(s0)\ntl.store tl2, 0(s1), store\nfence", memory=40, hart=51)
case("fence after load", 48, "tl.load tl1, 0(s0)\nfence", memory=32, hart=42)
case("fence after addi", 28, "tl.addi tl1, tl2, 1\nfence", memory=0, hart=10)
case("fence.i", 48, "tl.load tl1, 0(s0)\nfence.i", memory=0, hart=10)

# ---- The drain ----
# Starts 8 and 24; at t = 9 the write waits until 24: 25, wfi 26. Without csr.drain it does not.
case("drain", 44, TWO + "csrw tshape, t0", "four,csr.drain=yes", drain=15, hart=26)
case("no drain", 44, TWO + "csrw tshape, t0", drain=0, hart=11)
case("drain, csrrs that writes", 44, TWO + "csrrsi a1, tshape, 1", "four,csr.drain=yes", drain=15)
case("drain, csrrs that reads", 44, TWO + "csrr a1, tshape", "four,csr.drain=yes", drain=0)
case("drain, another CSR", 44, TWO + "csrw mscratch, t0", "four,csr.drain=yes", drain=0)

# ---- The hart ----
case("nop", 9, "nop")
case("div", 25, "div a1, a1, a1")
case("remuw", 25, "remuw a1, a1, a1")
case("mul", 9, "mul a1, a1, a1")
case("hart.divide", 12, "rem a1, a1, a1", "four,hart.divide=3")
case("ld", 10, "ld a1, 0(s0)")
case("hart.load", 14, "lbu a1, 0(s0)", "four,hart.load=5")
case("sd", 9, "sd a1, 0(s0)")
case("jump", 10, "j 1f\nnop\n1: ")
case("jump to the next", 9, "j 1f\n1: ")
case("branch taken", 10, "beq zero, zero, 1f\nnop\n1: ")
case("branch not taken", 9, "bne zero, zero, 1f\n1: ")
case("branch to the next", 9, "beq zero, zero, 1f\n1: ")
case("hart.jump", 15, "j 1f\nnop\n1: ", "four,hart.jump=6")
# The last instruction has no successor: seven, and the jump itself.
case("the last one", 8, "1: j 1b", options=("--max-insns", "8"))
case("the last but one", 10, "1: j 1b", options=("--max-insns", "9"))
# mret goes somewhere else: la is two instructions, csrw, mret: 11, and 1 for the jump; wfi 13.
case("mret", 13, "lla t2, 1f\ncsrw mepc, t2\nmret\nnop\n1: ")

# ---- Traps ----
# lla, csrw: t = 10; the trap is 5 cycles: 15, no jump; wfi in the handler: 16.
HANDLER = "lla t2, 1f\ncsrw mtvec, t2\n"
case("ecall", 16, HANDLER + "ecall\n.balign 4\n1: ")
case("a Ztl instruction that traps", 16, HANDLER + "tl.xpose.01 tl1, tl2, zero\n.balign 4\n1: ")
case("a load that traps", 16, HANDLER + "lw a1, 0(zero)\n.balign 4\n1: ")
case("hart.trap", 32, HANDLER + "ecall\n.balign 4\n1: ", "four,hart.trap=20")
# It waits for nothing: the queue is full, the memory busy. t = 10: ADDI 11, 27; the trap at 12: 17.
case("a trap does not wait", 47, HANDLER + TWO + "tl.xpose.01 tl1, tl2, zero\n.balign 4\n1: ",
     "four,engines.queue=1", queue=0, hart=18)
# A trap that nothing handles ends the run, and counts: 7 + 5.
case("an unhandled trap", 12, "ecall")
# A trap of a program that has picolibc's handler stops the run first, and is then taken: one trap.
case("stopped, then taken", 16, HANDLER + "ecall\n.balign 4\n_trap: _ctrap: nop\n.balign 4\n1: ")
# A trap leaves registers alone: XPOSE of tl1 that traps; the ADDI of tl1 at t = 15: 16 … 32, 36.
case("a trap changes nothing", 36, HANDLER + "tl.xpose.01 tl1, tl2, zero\n.balign 4\n"
     "1: tl.addi tl3, tl1, 1\n")

# ---- Both XLEN, both revisions ----
for isa in (RV32, RV64):
    case(f"{isa}: load, addi", 68, "tl.load tl1, 0(s0)\ntl.addi tl2, tl1, 1, comp", isa=isa)
    case(f"{isa}: lw", 51, "tl.store tl1, 0(s0), store\nlw a1, 0(s0)", isa=isa, memory=40)
case("rv32: div", 25, "divu a1, a1, a1", isa=RV32)
# Ztl 1 goes by kind: the load 8 … 40, 48 and the ADDI beside it 9 … 25; RAW, then a store:
# ADDI 48 … 64, 68; the store 68 … 100, 108.
for isa in (RV32_1, RV64_1):
    report = case(f"{isa}: by kind", 48, "tl.mload tl1, t0, s0\ntl.addi tl2, tl3, 1", isa=isa)
    expect(f"{isa}: engines", [e["busy"] for e in report["engines"]], [32, 16, 0, 0])
    case(f"{isa}: chain", 108,
         "tl.mload tl1, t0, s0\ntl.addi tl2, tl1, 1\ntl.mstore tl2, s1, t0", isa=isa)
    case(f"{isa}: one engine", 68, "tl.mload tl1, t0, s0\ntl.addi tl2, tl1, 1", "one", isa=isa)
    # Masked: two of 32 slices, t = 8: 9 … 11, 19.
    case(f"{isa}: masked", 19, "csrwi tl_load_mask, 3\ntl.mload tl1, t0, s0", isa=isa)
    case(f"{isa}: memory", 88, "tl.mstore tl1, s0, t0\ntl.mload tl2, t0, s0", isa=isa)
    case(f"{isa}: lw", 51, "tl.mstore tl1, s0, t0\nlw a1, 0(s0)", isa=isa, memory=40)
# XPOSE of [64,32,1,1]: t = 9: 10 … 42, 46.
case("Ztl 1: xpose", 46, SHAPE + "tl.xpose.01 tl1, tl2, a0", isa=RV64_1)


# ---- A program that reads the time ----
def measured(kernel, machine="four", isa=RV64):
    """What is in a0 at the end, through the registers that ztl run prints."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "case.s")
        with open(source, "w") as file:
            file.write(f"    .option norelax\n    .globl _start\n_start:\n{PROLOGUE}\n{kernel}\n"
                       "    wfi\n")
        timing = ["--timing", machine] if machine else []
        done = subprocess.run([ztl, "run", "--isa", isa, *timing, "--registers", source],
                              capture_output=True, text=True, timeout=60)
    words = done.stderr.split()
    return int(words[words.index("a0") + 1], 16)


for isa in (RV32, RV64):
    # t before its own cycle: 7. After a fence for the load: t = 8, 40, 41.
    expect(f"{isa}: rdcycle", measured("rdcycle a0", isa=isa), 7)
    expect(f"{isa}: mcycle", measured("csrr a0, mcycle", isa=isa), 7)
    expect(f"{isa}: fence, rdcycle", measured("tl.load tl1, 0(s0)\nfence\nrdcycle a0", isa=isa), 41)
    # A jump just before counts: 7 + 1 + 1.
    expect(f"{isa}: jump, rdcycle", measured("j 1f\nnop\n1: rdcycle a0", isa=isa), 9)
    expect(f"{isa}: instructions", measured("rdcycle a0", None, isa), 7)
    expect(f"{isa}: instret", measured("div a1, a1, a1\nrdinstret a0", isa=isa), 8)
    # What is written is read by the next instruction.
    expect(f"{isa}: mcycle written", measured("csrwi mcycle, 5\ncsrr a0, mcycle", isa=isa), 5)
# The high half: 0, and 1 after 4299 traps of 1,000,001 cycles.
expect("rdcycleh", measured("rdcycleh a0", isa=RV32), 0)
expect("rdcycleh after long", measured(
    "lla t2, 1f\ncsrw mtvec, t2\nli a2, 4300\n.balign 4\n1: addi a2, a2, -1\nbeqz a2, 2f\necall\n"
    "2: rdcycleh a0", "four,hart.trap=1000000", RV32), 1)

# ---- The bound ----
report = run("tl.load tl1, 0(s0)\ntl.addi tl2, tl1, 1, comp\ntl.store tl2, 0(s1), store")
expect("bound", (report["bound"], report["bound_by"]), (32, "load port"))
# 8 … 40, 48 … 64, 68 … 100, 108.
expect("cycles / bound", (report["cycles"], report["cycles_per_bound"]), (108, 3.375))
report = run("nop")
expect("no bound", (report["bound"], report["cycles_per_bound"]), (0, None))

print(f"{failures} failures" if failures else "every rule, by hand: all as calculated")
sys.exit(failures > 0)
