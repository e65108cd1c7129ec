#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl run: traces, counts, dumps, signatures, and what a terminal shows.

usage: seeing.py ZTL SOURCE_FOLDER
"""
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import unittest
import zlib

import terminal
from common import HERE, TARGETS, ZTL, Case, gcc, gcc_hosted, source, ztl


def hand_checked(words):
    """The trace of trace.s, by pc: what stands behind the word."""
    loaded = bytes([0xff, 0x9f, 0x68, 0x24, 0, 0, 0, 0, 0, 0xff] + [0] * 1014)
    added = bytes(min(byte + 1, 255) for byte in loaded)
    return loaded, added, [
        " x5  0x0000000080000000",
        " x6  0x0000000080000100",
        " x10 0x0000000012345000",
        " x11 0x0000000012344fff",
        " mem 0x0000000080000100 0x12344fff",
        " x12 0x0000000012344fff mem 0x0000000080000100",
        " mem 0x0000000080000109 0xff",
        " x12 0x0000000012345000",
        " c832_mscratch 0x0000000012345000",
        " x13 0x0000000012344fff mem 0x0000000080000100 mem 0x0000000080000100 0x24689fff",
        "",
        " x14 0x0000000000020000",
        " x14 0x0000000000020108",
        " c2048_tshape 0x0000000000020108",
        " tl3  %s mem 0x0000000080000100 mem 0x0000000080000108",
        " mem 0x0000000080000110 0x0000000024689fff mem 0x0000000080000118 0x000000000000ff00",
        " tl12 %s",
    ]


class Seeing(Case):
    def lines(self, form):
        """The expected commit log; words and addresses are the assembler's."""
        elf = self.path("trace.elf")
        if not os.path.exists(elf):
            subprocess.run([ZTL, "as", "-march=rv64imac_zicsr_ztl", source("trace.s"), "-o",
                            self.path("trace.o")], check=True)
            subprocess.run(["riscv64-unknown-elf-ld", "-Ttext=0x80000000", "-n",
                            "--no-warn-rwx-segments", self.path("trace.o"), "-o", elf], check=True)
        text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", elf], check=True,
                              capture_output=True, text=True).stdout
        words = re.findall(r"^ +([0-9a-f]{8}):\s+([0-9a-f]+) ", text, re.M)
        loaded, added, tails = hand_checked(words)
        blocks = iter([form(loaded), form(added)])
        lines = []
        for (pc, word), tail in zip(words, tails):
            tail = tail % next(blocks) if "%s" in tail else tail
            lines.append(f"core   0: 3 0x00000000{pc} (0x{word}){tail}")
        last = words[len(tails)][0]
        lines.append(f"core   0: exception trap_machine_ecall, epc 0x00000000{last}")
        return lines

    def test_commit_log(self):
        expected = self.lines(lambda block: f"crc32:{zlib.crc32(block):08x}")
        result = ztl("--trace", "-", source("trace.s"))
        self.expect(result, 120)
        self.assertEqual(result.out.splitlines(), expected)
        full = self.lines(lambda block: block.hex())
        self.assertEqual(ztl("--trace", "-", "--trace-tl", "full",
                             source("trace.s")).out.splitlines(), full)
        path = self.path("trace.gz")
        ztl("--trace", path, source("trace.s"))
        with gzip.open(path, "rt") as text:
            self.assertEqual(text.read().splitlines(), expected)

    # As Spike 1.1.1-dev wrote them for a program at 0x80000000.
    BOOT = ["core   0: 0x0000000000001000 (0x00000297) auipc   t0, 0x0",
            "core   0: 3 0x0000000000001000 (0x00000297) x5  0x0000000000001000",
            "core   0: 0x0000000000001004 (0x02028593) addi    a1, t0, 32",
            "core   0: 3 0x0000000000001004 (0x02028593) x11 0x0000000000001020",
            "core   0: 0x0000000000001008 (0xf1402573) csrr    a0, mhartid",
            "core   0: 3 0x0000000000001008 (0xf1402573) x10 0x0000000000000000",
            "core   0: 0x000000000000100c (0x0182b283) ld      t0, 24(t0)",
            "core   0: 3 0x000000000000100c (0x0182b283) x5  0x0000000080000000 mem 0x0000000000001018",
            "core   0: 0x0000000000001010 (0x00028067) jr      t0",
            "core   0: 3 0x0000000000001010 (0x00028067)"]

    def test_log_of_spike(self):
        """Boot lines; no tensor registers, no names of Ztl CSRs; exceptions with the texts only."""
        commits = [line for line in self.BOOT if ": 3 0x" in line]
        commits += [re.sub(" tl.*?%s", "", line).replace("_tshape", "_unknown-csr")
                    for line in self.lines(lambda block: "%s") if "exception" not in line]
        spike = ["--trace", "-", "--trace-format", "spike-log"]
        self.assertEqual(ztl(*spike, source("trace.s")).out.splitlines(), commits)
        lines = ztl(*spike, "--trace-disasm", source("trace.s")).out.splitlines()
        self.assertEqual(lines[:13], self.BOOT + [
            "core   0: >>>>  _start",
            "core   0: 0x0000000080000000 (0x00000297) auipc   t0, 0x0",
            "core   0: 3 0x0000000080000000 (0x00000297) x5  0x0000000080000000"])
        self.assertEqual([line for line in lines if ": 3 0x" in line], commits)
        self.assertIn("exception trap_machine_ecall, epc ", lines[-1])
        lines = ztl(*spike, "--isa", "rv32imac_zicsr_ztl", "--max-insns", "1", source("trace.s"))
        self.assertEqual(lines.out.splitlines()[3:6], [
            "core   0: 3 0x0000100c (0x0182a283) x5  0x80000000 mem 0x00001018",
            "core   0: 3 0x00001010 (0x00028067)",
            "core   0: 3 0x80000000 (0x00000297) x5  0x80000000"])

    def test_log_of_spike_with_jumps(self):
        """Distances, decimal of branches; repetitions in one line; stores in parts."""
        path = self.path("jumps.s")
        with open(path, "w") as file:
            file.write("""    .globl _start
                _start: li t0, 3
                1:  addi t0, t0, -1
                    bnez t0, 1b
                    .option norvc
                    j 2f
                    nop
                2:  la a0, block
                    li t1, 1 << 16 | 1 << 8 | 13
                    csrw tshape, t1
                    tl.store tl0, 0(a0)
                    li t0, 3
                3:  csrr t1, mepc
                    csrw mtvec, t2
                    jal zero, 3b + 8
                    .data
                block: .fill 2048, 1, 255
            """)
        lines = ztl("--trace", "-", "--trace-format", "spike-log", "--trace-disasm", "--max-insns",
                    "40", path).out.splitlines()
        texts = [line.split(") ", 1)[1] for line in lines if re.match(r"core +0: 0x", line)]
        self.assertIn("bne     t0, zero, pc - 2", texts)
        self.assertIn("jal     zero, pc + 0x8", texts)
        store = next(line for line in lines if "mem" in line and "(0x2" in line).split(" mem ")
        self.assertEqual([part.split()[1] for part in store[1:]],
                         ["0x0000000000000000", "0x00000000", "0x00"])
        last = len(lines) - 1 - lines[::-1].index("core   0: 0x%s (0x0000006f) jal     zero, pc + 0x0"
                                                  % lines[-1].split()[3][2:])
        self.assertEqual(len(set(lines[last + 1:])), 1)  # the loop has one text and many commits
        self.assertGreater(len(lines[last + 1:]), 10)

    def test_floating_point(self):
        """As Spike writes it; the words are those of GNU as."""
        path = os.path.join(self.folder, "float.s")
        with open(path, "w") as file:
            file.write("""    .globl _start
_start:
    li t0, 0x2000
    csrs mstatus, t0
    li t1, 3
    fcvt.s.w fa0, t1
    fcvt.d.w ft0, t1
    fdiv.d ft1, ft0, ft0
    fdiv.d ft0, ft1, ft0
    fsqrt.s fa1, fa0
    csrwi fcsr, 0
    flt.d a0, ft0, ft1
    ecall
""")
        lines = ztl("--trace", "-", path).out.splitlines()[3:]
        status = "c768_mstatus 0x8000000200006000"
        self.assertEqual([line[line.index(")") + 2:] for line in lines[:7]], [
            "f10 0xffffffff40400000 " + status, "f0  0x4008000000000000",
            "f1  0x3ff0000000000000", "f0  0x3fd5555555555555 c1_fflags 0x0000000000000001",
            "c1_fflags 0x0000000000000001 f11 0xffffffff3fddb3d7",
            "c1_fflags 0x0000000000000000 c2_frm 0x0000000000000000",
            "x10 0x0000000000000001"])
        csv = ztl("--trace", "-", "--trace-format", "csv", path).out.splitlines()
        self.assertIn(",3,,f0=0x3fd5555555555555,fflags=0x0000000000000001,,,,,", csv[7])
        events = ztl("--trace", "-", "--trace-format", "json", path).out.splitlines()
        self.assertEqual(json.loads(events[7 - 1])["f"],
                         {"register": 0, "value": "0x3fd5555555555555"})
        result = ztl("--registers", "--stats", path)
        self.assertIn("fa0  0xffffffff40400000", result.err)
        self.assertRegex(result.err + result.out, r"float +6\b")

    def test_of_32_bits(self):
        lines = ztl("--isa", "rv32imac_zicsr_ztl", "--trace", "-",
                    source("trace.s")).out.splitlines()
        self.assertEqual(lines[0], "core   0: 3 0x80000000 (0x00000297) x5  0x80000000")
        self.assertEqual(lines[4], "core   0: 3 0x80000010 (0x00b32023) mem 0x80000100 0x12344fff")
        self.assertEqual(lines[7], "core   0: 3 0x8000001c (0x0605) x12 0x12345000")

    def test_sources_for_a_hart_without_ztl(self):
        for isa, bytes_of_long in ("rv32im_zicsr", 4), ("rv64imac_zicsr_zba", 8):
            path = os.path.join(self.folder, "long.c")
            with open(path, "w") as file:
                file.write("int main(void) { return sizeof(long); }")
            self.assertEqual(ztl("--isa", isa, path).status, bytes_of_long)

    def test_disassembly(self):
        lines = ztl("--trace", "-", "--trace-disasm", source("trace.s")).out.splitlines()
        self.assertEqual(lines[:5], [
            "core   0: >>>>  _start",
            "core   0: 0x0000000080000000 (0x00000297) auipc t0, 0x0",
            "core   0: 3 0x0000000080000000 (0x00000297) x5  0x0000000080000000",
            "core   0: 0x0000000080000004 (0x10028313) addi t1, t0, 256",
            "core   0: 3 0x0000000080000004 (0x10028313) x6  0x0000000080000100"])
        self.assertIn("core   0: >>>>  after", lines)
        self.assertTrue(any(line.endswith("tl.load tl3, 0(t1)") for line in lines))

    def test_csv(self):
        lines = ztl("--trace", "-", "--trace-format", "csv", "--trace-disasm",
                    source("trace.s")).out.splitlines()
        self.assertEqual(lines[0], "pc,word,privilege,x,f,csr,tl,loads,stores,trap,text,thread")
        self.assertEqual(lines[1], "0x0000000080000000,0x00000297,3,x5=0x0000000080000000"
                         ",,,,,,,\"auipc t0, 0x0\",")
        self.assertIn(",0x0605,3,x12=0x0000000012345000,,,,,,,", lines[8])
        self.assertIn(",3,,,mscratch=0x0000000012345000,,,,,", lines[9])
        self.assertIn(",3,x13=0x0000000012344fff,,,,0x0000000080000100:4,"
                      "0x0000000080000100:4=0x24689fff,,", lines[10])
        self.assertIn(",0x0000000080000100:8;0x0000000080000108:8,,,\"tl.load", lines[15])
        self.assertIn(",tl3=crc32:", lines[15])
        self.assertIn("environment call from machine mode:0x0", lines[18])

    def test_json(self):
        text = ztl("--trace", "-", "--trace-format", "json", "--trace-tl", "full",
                   source("trace.s")).out
        events = [json.loads(line) for line in text.splitlines()]
        self.assertEqual(events[0], {"pc": "0x0000000080000000", "word": "0x00000297",
                                     "privilege": 3,
                                     "x": {"register": 5, "value": "0x0000000080000000"}})
        self.assertEqual(events[8]["csr"], {"mscratch": "0x0000000012345000"})
        self.assertEqual(events[9]["loads"], [{"address": "0x0000000080000100", "size": 4}])
        self.assertEqual(events[9]["stores"], [{"address": "0x0000000080000100", "size": 4,
                                                "value": "0x24689fff"}])
        loaded = hand_checked([])[0]
        self.assertEqual(events[14]["tl"], [{"register": 3, "value": loaded.hex()}])
        self.assertEqual(events[17]["trap"]["cause"], 11)
        self.assertNotIn("text", events[0])

    def test_rvvi(self):
        """RVVI-TEXT 0.3: its grammar, and what the commit log says too."""
        text = ztl("--trace", "-", "--trace-format", "rvvi", source("trace.s")).out.splitlines()
        self.assertEqual(text[:2], ["VERSION 0 3", "VENDOR ztl 0 1"])
        self.assertEqual(text[2], "PARAMS 6 ILEN 32 XLEN 64 FLEN 64 VLEN 0 NHART 1 RETIRE 1")
        self.assertEqual(text[3], "RET 0x0000000080000000 0x00000297 MODE 0x3 X 5 0x0000000080000000")
        number = "0x[0-9a-f]+"
        element = (f" (MODE 0x[013]|[XF] \\d+ {number}|C {number} {number}|META 3 LOAD {number} \\d+|"
                   f"META 4 STORE {number} \\d+ {number}|META 5 STORE {number} \\d+ CRC32 {number}|"
                   f"META 4 TL \\d+ CRC32 {number}|META 3 TL \\d+ {number})")
        full = ztl("--trace", "-", "--trace-format", "rvvi", "--trace-tl", "full", "--trace-disasm",
                   source("trace.s")).out.splitlines()
        for line in text[3:] + full[3:]:
            bare = re.sub(" '[ -&(-~]*'", "", line)
            self.assertRegex(bare, f"^(RET|TRAP) {number} {number}({element})*$")
        self.assertRegex(full[3], "^RET 0x0000000080000000 '_start\\+0' 0x00000297 'auipc t0, 0x0' MODE")
        spike = ztl("--trace", "-", source("trace.s")).out.splitlines()
        for ours, theirs in zip(text[3:], [line for line in spike if "tval" not in line]):
            written = [int(value, 16) for value in re.findall(" X \\d+ (0x[0-9a-f]+)", ours)]
            self.assertEqual(written, [int(value, 16) for value in re.findall(" x\\d+ +(0x[0-9a-f]+)", theirs)])
            self.assertEqual(re.findall("CRC32 0x([0-9a-f]{8})", ours), re.findall("crc32:([0-9a-f]{8})", theirs))
        loaded = hand_checked([])[0]
        self.assertIn(f"META 3 TL 3 0x{loaded[::-1].hex()} META 3 LOAD 0x0000000080000100 8",
                      "\n".join(full))
        self.assertRegex(text[-1], "^TRAP 0x[0-9a-f]{16} 0x00000073 MODE 0x3$")  # it stops there
        taken = ztl("--trace", "-", "--trace-format", "rvvi", "--max-insns", "4", "--isa", "rv32i_zicsr",
                    self.write("taken.s", ".globl _start\n_start: la t0, 1f\ncsrw mtvec, t0\necall\n"
                               ".balign 4\n1: j 1b\n")).out.splitlines()
        self.assertEqual(taken[6], "TRAP 0x8000000c 0x00000073 MODE 0x3 C 0x0300 0x00001800 "
                         "C 0x0341 0x8000000c C 0x0342 0x0000000b C 0x0343 0x00000000")
        self.assertEqual(taken[2], "PARAMS 6 ILEN 32 XLEN 32 FLEN 0 VLEN 0 NHART 1 RETIRE 1")

    def test_trace_has_standard_output_for_itself(self):
        """The program then writes to standard error."""
        plain = ztl(source("hosted.c"), "--", "one")
        for name in "-", "/dev/stdout":
            for form in "spike", "csv", "json", "rvvi":
                result = ztl("--trace", name, "--trace-format", form, source("hosted.c"), "--",
                             "one")
                self.expect(result, plain.status, err=plain.out)
                start = {"spike": r"core +0: ", "csv": r"0x|pc,word", "json": r"\{.*\}$",
                         "rvvi": r"(RET|TRAP) 0x|VERSION |VENDOR |PARAMS "}[form]
                lines = result.out.splitlines()
                self.assertGreater(len(lines), 100)
                self.assertEqual([line for line in lines if not re.match(start, line)], [])
        self.assertEqual(ztl("--trace", "/dev/null", source("hosted.c"), "--", "one").out, plain.out)

    def test_trace_and_console_on_a_terminal(self):
        """One screen for both, and yet no line within another."""
        letters = "".join(f"li t1, 0x0101000000000000 + {ord(c)}\nsd t1, 0(t0)\n" for c in "HTIF!\n")
        program = self.write("letters.s", f".globl _start\n_start: la t0, tohost\n{letters}li t1, 1\n"
                             "sd t1, 0(t0)\n1: j 1b\n.data\n.balign 8\ntohost: .dword 0\n")
        lines = self.on_terminal("--trace", "-", program, NO_COLOR="1").replace("\r", "").splitlines()
        at = lines.index("HTIF!")
        self.assertRegex(lines[at - 1], "^core ")
        self.assertRegex(lines[at + 1], "^core ")
        others = [line for line in lines if not line.startswith(("core ", "ztl run: "))]
        self.assertEqual(others, ["HTIF!"])

    def test_stats(self):
        stats = self.path("stats")
        result = ztl(f"--stats={stats}", "--json", source("trace.s"))
        self.expect(result, 120)
        counts = json.loads(self.read("stats"))
        self.assertEqual(counts["instructions"], 17)
        self.assertEqual(counts["classes"], {"alu": 7, "load": 1, "store": 2, "branch": 1,
                                             "atomic": 1, "csr": 2, "ztl": 3})
        self.assertEqual(counts["ztl"], {"tl.load": 1, "tl.store": 1, "tl.addi": 1})
        self.assertEqual(counts["compressed"], 1)
        self.assertEqual(counts["bytes"], {"loaded": 8, "stored": 9, "ztl_loaded": 16,
                                           "ztl_stored": 16})
        self.assertEqual(counts["exceptions"], {"environment call from machine mode": 1})
        self.assertEqual(counts["exit_status"], 120)
        self.assertGreater(counts["seconds"], 0)
        result = ztl("--stats", source("trace.s"))
        self.assertRegex(result.err, r"instructions +17\n")
        self.assertRegex(result.err, r"tl\.load +1\n")
        self.assertRegex(result.err, r"bytes loaded by Ztl +16\n")

    def test_stats_by_objdump(self):
        """Each executed address has the class and the bytes of its mnemonic in objdump."""
        classes = {"load": r"c\.l[wd](sp)?|l[bhwd]u?", "store": r"c\.s[wd](sp)?|s[bhwd]",
                   "branch": r"c\.b(eq|ne)z|b(eq|ne|lt|ge)u?", "jump": r"c\.j(al|r|alr)?|jalr?",
                   "multiply": r"mul(h|hu|hsu|w)?|(div|rem)u?w?", "csr": r"csrr[wsc]i?",
                   "system": r"ebreak|ecall|c\.ebreak", "fence": r"fence(\.i)?"}
        sizes = {"b": 1, "h": 2, "w": 4, "d": 8}
        for march in TARGETS:
            elf, trace, stats = self.path(march), self.path("trace.csv"), self.path("stats")
            gcc_hosted(march, elf, "hosted.c")
            self.expect(ztl("--trace", trace, "--trace-format", "csv", f"--stats={stats}", "--json",
                            elf, "--", "3"), 3)
            text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", elf],
                                  check=True, capture_output=True, text=True).stdout
            mnemonics = dict(re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)", text, re.M))
            expected, moved = {}, {"load": 0, "store": 0}
            for line in self.read("trace.csv").splitlines()[1:]:
                mnemonic = mnemonics[line[2:line.index(",")].lstrip("0")]
                kind = next((name for name, pattern in classes.items()
                             if re.fullmatch(pattern, mnemonic)), "alu")
                expected[kind] = expected.get(kind, 0) + 1
                if kind in moved:
                    moved[kind] += sizes[re.search(r"[ls]([bhwd])", mnemonic)[1]]
            counts = json.loads(self.read("stats"))
            self.assertEqual(counts["classes"], expected)
            self.assertEqual(counts["instructions"], sum(expected.values()))
            self.assertEqual((counts["bytes"]["loaded"], counts["bytes"]["stored"]),
                             (moved["load"], moved["store"]))

    def test_observers_change_nothing(self):
        plain = ztl(source("hosted.c"), "--", "heap")
        seen = ztl("--stats", "--trace", "/dev/null", source("hosted.c"), "--", "heap")
        self.assertEqual(plain.out, seen.out)

    def test_signature(self):
        path = self.path("signature")
        self.expect(ztl("--signature", path, source("signature.s")), 0)
        self.assertEqual(self.read("signature"), "11223344\n55667788\n000099aa\n")
        ztl("--signature", path, "--signature-granularity", "8", source("signature.s"))
        self.assertEqual(self.read("signature"), "5566778811223344\n00000000000099aa\n")
        ztl("--signature", path, "--signature-granularity=1", source("signature.s"))
        self.assertEqual(self.read("signature").split()[:4], ["44", "33", "22", "11"])
        result = ztl("--signature", path, source("trace.s"))
        self.expect(result, 1, err="no symbol begin_signature")

    def test_signature_over_pieces_of_ram(self):
        program, path = self.path("program"), self.path("signature")
        gcc("rv64imac", program, "-nostdlib", "-nostartfiles", "-Wl,-Ttext=0x80000000",
            "-Wl,-Tdata=0x80001000", "-Wl,-n", "-Wl,--no-warn-rwx-segments", "-Wl,--no-relax",
            "-Wa,-march=rv64imac_zicsr", source("signature.s"))
        for cut in 0x1001, 0x1005, 0x1008, 0x100a:
            pieces = f"0x80000000:{cut:#x}", f"{0x80000000 + cut:#x}:{0x2000 - cut:#x}"
            for first, second in pieces, pieces[::-1]:
                self.expect(ztl("--mem", first, "--mem", second, "--signature", path, program), 0)
                self.assertEqual(self.read("signature"), "11223344\n55667788\n000099aa\n")

    def test_dump(self):
        result = ztl("--dump", "tl3:2x8", "--dump", "tl12:2x4:int16", source("trace.s"))
        self.expect(result, 120, "tl3 [2, 8] byte\n      0  1  2  3  4  5  6  7\n"
                    "  0: ff 9f 68 24 00 00 00 00\n  1: 00 ff 00 00 00 00 00 00\n"
                    "tl12 [2, 4] int16\n          0      1      2      3\n"
                    "  0: -24321   9577    257    257\n  1:   -255    257    257    257\n")
        result = ztl("--dump", "tl3:4", "--dump-at", "_start", source("trace.s"))
        self.assertEqual(result.out, "at 0x80000000 (_start)\ntl3 [4] byte\n     0  1  2  3\n"
                         "  : 00 00 00 00\n")
        result = ztl("--dump", "tl3:4", "--dump-at", "after", source("trace.s"))
        self.assertRegex(result.out, r"at 0x800000\w\w \(after\)\ntl3 \[4\] byte\n"
                         r"     0  1  2  3\n  : ff 9f 68 24\n")

    def test_dump_of_scalars(self):
        """Floating point by the ones above a value; bits are those of Python's struct."""
        text = """    .globl _start
_start:
    li t0, 0x2000
    csrs mstatus, t0
    li a0, -5
    li t1, 3
    fcvt.s.w fa0, a0
    fcvt.s.w ft0, t1
before:
    fdiv.s fs0, fa0, ft0
    .if DOUBLE
    fcvt.d.s fa0, fa0
    fcvt.d.s ft1, ft0
    fdiv.d ft11, ft1, fa0
    .endif
    csrwi frm, 2
    ecall
"""
        third = "%08x" % struct.unpack("I", struct.pack("f", -5 / 3))
        for isa, flen in ("rv64imafc_zicsr", 32), ("rv32imafc_zicsr", 32), ("rv64gc", 64), ("rv32gc", 64):
            path = self.write("scalars.s", f"    .set DOUBLE, {flen // 64}\n" + text)
            box = "ffffffff" * (flen == 64)
            result = ztl("--isa", isa, "--dump", "f10", "--dump-at", "before", "--dump", "fs0", "--dump",
                         "fcsr", "--dump", "a0", "--dump", "x6", "--dump", "ft11", path)
            place, at, *lines = result.out.splitlines()
            self.assertRegex(place, r"at 0x800000\w\w \(before\)")
            self.assertEqual(at, f"f10 0x{box}c0a00000 single -5")
            digits = int(isa[2:4]) // 4
            wide = "bfe3333333333333 double -0.59999999999999998"
            self.assertEqual(lines, [
                f"fs0 0x{box}{third} single -1.66666663", "fcsr 0x00000041",
                "a0 0x" + "f" * (digits - 1) + "b -5", "x6 0x" + "3".zfill(digits) + " 3",
                "ft11 0x" + (wide if flen == 64 else "00000000 single 0")])
            table = ztl("--isa", isa, "--dump", "f", "--dump", "x", path).out
            self.assertRegex(table, f"^f\n  ft0  0x{box}40400000  ft1 ")
            self.assertIn("fcsr 0x00000041\nx\n  pc   0x", table)
            self.assertEqual(len(re.findall(r" 0x", table)), 32 + 1 + 32 + 1)
        half = self.write("half.s", "    .globl _start\n_start: li t0, 0x2000\n csrs mstatus, t0\n"
                          " li t0, 0xc200\n .insn 0xf4028553\n ecall\n")  # fmv.h.x fa0, t0
        self.assertEqual(ztl("--isa", "rv64gc_zfh", "--dump", "fa0", half).out,
                         "fa0 0xffffffffffffc200 half -3\n")
        result = ztl("--dump", "tshape", "--dump", "tl_load_stride{5}", "--dump", "pc", source("trace.s"))
        self.assertRegex(result.out, r"^tshape 0x00020108\ntl_load_stride\{5\} 0x00000005\npc 0x800000\w\w\n$")
        plain = self.write("plain.s", "    .globl _start\n_start: ecall\n")
        for status, isa, what, message in ((1, "rv64imac_zicsr", "f1", "f1: the hart has no floating-point registers"),
                                           (1, "rv64imac_zicsr", "f", "no floating-point registers"),
                                           (1, "rv64imac_zicsr", "fcsr", "no register 'fcsr'"),
                                           (1, "rv64imac_zicsr", "tshape", "no register 'tshape'"),
                                           (1, "rv64gc_ztl", "f32", "no register 'f32'"),
                                           (2, "rv64gc_ztl", "f1:single", "'f1' is not tl0 to tl31"),
                                           (2, "rv64gc_ztl", "tl32", "'tl32' is not tl0 to tl31")):
            self.expect(ztl("--isa", isa, "--dump", what, plain), status, err=message)

    def test_dump_at_several_places(self):
        out = ztl("--dump", "tl3:2", "--dump", "tl12:2", "--dump-at", "after", "--dump", "tl3:4",
                  "--dump-at", "_start", "--dump", "tl0:1", source("trace.s")).out
        self.assertEqual(re.sub(r"0x\w+", "...", out),
                         "at ... (_start)\ntl3 [4] byte\n     0  1  2  3\n  : 00 00 00 00\n"
                         "at ... (after)\ntl3 [2] byte\n     0  1\n  : ff 9f\n"
                         "tl12 [2] byte\n     0  1\n  : ff a0\ntl0 [1] byte\n     0\n  : 00\n")
        loop = self.write("loop.s", ".globl _start\n_start: li t0, 3\nagain: addi t0, t0, -1\n"
                          "bnez t0, again\necall\n")
        self.assertEqual(ztl("--dump", "tl0:1", "--dump-at", "again", loop).out.count("(again)"), 3)

    def test_demo(self):
        demo = os.path.join(HERE, "../../../examples/demo.s")
        result = ztl("--dump", "tl1+tl2:2x16x16:int32", "--dump-at", "before", "--dump",
                     "tl1+tl2:2x16x16:int32", "--dump-at", "after", demo)
        self.expect(result, 0)
        self.assertLessEqual(max(map(len, result.out.splitlines())), 80)
        numbers = re.findall(r"^ +\d+:([\d ]+)$", result.out, re.M)
        rows = [[int(number) for number in row.split()] for row in numbers]
        self.assertEqual(rows[:32], [list(range(16 * i, 16 * i + 16)) for i in range(32)])
        self.assertEqual(rows[32:], [[256 * k + 16 * i + j for i in range(16)]
                                     for k in range(2) for j in range(16)])

    def on_terminal(self, *arguments, columns=0, **environment):
        return terminal.run([ZTL, "run", *arguments], columns, env={**os.environ, **environment})

    def widest(self, columns, **environment):
        """The longest line of a grid whose rows take 102 columns."""
        environment = {"COLUMNS": "", "NO_COLOR": "1", **environment}
        text = self.on_terminal("--dump", "tl3:32x32", source("trace.s"), columns=columns, **environment)
        return max(len(line.rstrip("\r\n")) for line in re.findall(r"^ +\d+:.*$", text, re.M))

    def test_width_of_the_terminal(self):
        self.assertEqual(self.widest(200), 5 + 32 * 3)
        self.assertEqual(self.widest(0), 5 + 16 * 3)  # not known: 80
        self.assertEqual(self.widest(40), 5 + 11 * 3)
        self.assertEqual(self.widest(200, COLUMNS="60"), 5 + 16 * 3)
        self.assertEqual(self.widest(40, COLUMNS="120"), 5 + 32 * 3)
        self.assertEqual(self.widest(200, COLUMNS="many"), 5 + 32 * 3)
        out = ztl("--dump", "tl3:32x32", source("trace.s"), env={**os.environ, "COLUMNS": "200"}).out
        self.assertEqual(max(map(len, out.splitlines())), 5 + 16 * 3)  # a file has 80

    def test_strange_names(self):
        """Names of files and symbols may hold escape sequences; a terminal gets none of them."""
        program = self.write("strange.s", ".globl _start, evil, after\n_start: j evil\n"
                             "evil: nop\nafter: ecall\n")
        elf = self.path("bad\033]0;title\007.elf")
        subprocess.run(["riscv64-unknown-elf-gcc", "-nostdlib", "-static", "-Wl,-Ttext=0x80000000",
                        "-Wl,-n", "-march=rv64i", "-mabi=lp64", "-x", "assembler", program, "-o", elf],
                       check=True)
        subprocess.run(["riscv64-unknown-elf-objcopy", "--redefine-sym", "evil=evil\033[2Jname",
                        "--redefine-sym", "after=after\007\u009bm\nztl run: all is well", elf],
                       check=True)
        results = [ztl("--trace", "-", "--trace-disasm", "--dump", "tl1:1", "--dump-at", "_start+4",
                       "--stats", "--registers", elf)]
        self.assertIn("evil\\x1b[2Jname", results[0].out)
        self.assertIn("(after\\x07\\xc2\\x9bm\\x0aztl run: all is well)", results[0].err)
        results += [ztl("--trace", "-", "--trace-disasm", f"--trace-format={form}", elf)
                    for form in ("csv", "json", "rvvi")]
        results += [ztl("--max-insns", "1", elf), ztl(elf + "\033[7m"), ztl("--\033[7m", elf),
                    ztl("--entry", "no\033[7m", elf), ztl("--trace", "/no/\033[7m", elf),
                    ztl("--dir", "/no/\033[7m", elf), ztl("--gdb", "\033[7m", elf),
                    ztl("--dump", "tl1:\033[7m", elf),
                    ztl("--isa", "rv64i\033[7m", elf), ztl("--signature", "/no/\033[7m", elf)]
        with open(elf, "r+b") as out:
            out.truncate(100)
        results.append(ztl(elf))
        for result in results:
            self.assertNotRegex(result.out + result.err, "[\0-\x08\x0b-\x1f\x7f-\x9f]")
            self.assertNotIn("\nztl run: all is well", result.err)

    def test_terminal(self):
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.assertNotIn("\033", self.on_terminal("--dump", "tl3:4", source("trace.s"),
                                                  NO_COLOR="1"))
        if "NO_COLOR" not in os.environ:
            self.assertIn("\033[38;5;", self.on_terminal("--dump", "tl3:4", source("trace.s"),
                                                         **environment))
        text = " ".join(self.on_terminal("--stats", source("trace.s")).split())
        self.assertRegex(text, r"ztl run: 17 instructions, of them 3 Ztl, 24 bytes loaded, 25 "
                               r"stored, \d+\.\d+ s, \d+\.\d+ million/s")
        text = self.on_terminal(source("trace.s"))
        self.assertRegex(text, r"ztl run: 17 instructions, of them 3 Ztl, \d+\.\d+ s, ")
        self.assertNotIn("million/s", ztl(source("trace.s")).err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
