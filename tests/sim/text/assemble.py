#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The hart's assembler against GNU as: every instruction, with many operands, all compressed ones and
the pseudo-instructions; and dis(asm(text)) is the text again.

    assemble.py XLEN COUNT WORK_DIR HART_TOOL SOURCE_DIR
"""
import random
import re
import subprocess
import sys

from disassemble import EXACT, ISA, JUMPS, words

# Written as a person would.
PERSONS = """nop|ret|fence|mv a0, a1|li a0, -2048|li a0,2047|li s1 , 0x7ffff000|li a0, -4096
not a0, a1|neg a0, a1|zext.b a0, a1|seqz a0, a1|snez a0, a1|sltz a0, a1|sgtz a0, a1|sgt a0, a1, a2
sgtu a0, a1, a2|beqz a0, .+8|bnez a0, .-8|blez a0, .+4094|bgez a0, .-4096|bltz a0, .+2|bgtz t6, .+4
bgt a0, a1, .+8|ble a0, a1, .+8|bgtu a0, a1, .+8|bleu a0, a1, .+8|j .+8|j .|jal .-8|jal t0, .+1048574
jr a0|jalr a0|jalr ra, a0, 4|jalr x1, 4(x10)|csrr a0, mstatus|csrw mtvec, a0|csrs mie, a0|csrc mie, a0
csrw mscratch, 31|csrs mie, 8|csrc mie, 0|csrrw a0, mtvec, 4|csrrs a0, mie, 0|csrrc a0, mie, 31
csrwi mscratch, 31|csrsi mstatus, 8|csrci mstatus, 8|csrrw zero, 0x7c0, a0|csrr a0, hpmcounter31
rdcycle a0|rdtime a0|rdinstret a0|lw a0, (a1)|sw fp, 4 ( sp )|addi x31,x30,0b101|addi a0, a0, 017
addi a0, a0, +5|amoswap.w.aqrl a0, a1, (a2)|lr.w.aq a0, (a1)|sc.w.rl a0, a1, (a2)|fence.tso
fence r, w|fence iorw, rw|fence.i|ecall|ebreak|mret|wfi|c.nop|c.ebreak|c.lwsp a0, 4(sp)
c.swsp a0, (sp)|c.addi16sp sp, -512|c.addi4spn s0, sp, 1020|c.lui a0, 0xfffff|c.jr ra|c.j .-2048"""
PERSONS_64 = "negw a0, a1|sext.w a0, a1|zext.w a0, a1|ld a0, -8(s0)|c.ldsp a0, 504(sp)|slli a0, a0, 63"
PERSONS_32 = "rdcycleh a0|rdtimeh a0|rdinstreth a0|c.jal .+2|slli a0, a0, 31|csrr a0, mstatush"

# What GNU as of Debian 12 does not know, with the words that LLVM 19 gives.
NEWER = """
czero.eqz a0, a1, a2|0ec5d533
czero.nez t6, ra, s11|0fb0ffb3
fli.s ft1, -1.0|f01000d3
fli.d ft1, min|f21080d3
fli.h ft1, 0x1p-16|f41100d3
fli.s fa0, 0x1p-7|f0128553
fli.d fs11, 0.3125|f2148dd3
fli.h fa5, 65536.0|f41e87d3
fli.s ft1, inf|f01f00d3
fli.d ft1, nan|f21f80d3
fminm.s fa0, ft1, fs11|29b0a553
fmaxm.d fa0, ft1, fs11|2bb0b553
fmaxm.h fa0, ft1, fs11|2db0b553
fleq.s a0, ft1, fs11|a1b0c553
fltq.h a0, ft1, fs11|a5b0d553
fround.s fa0, ft1|4040f553
fround.d fa0, ft1, rne|42408553
froundnx.h fa0, ft1, rmm|4450c553
fcvtmod.w.d a0, fs11, rtz|c28d9553
c.lbu s0, 3(a5)|83e0
c.lbu a5, 2(s1)|80bc
c.lhu a0, 2(a1)|85a8
c.lh a5, 0(a0)|855c
c.sb s0, 1(a1)|89c0
c.sh a5, 2(s0)|8c3c
c.mul a0, s1|9d45
c.zext.b a0|9d61
c.sext.b s0|9c65
c.zext.h a5|9fe9
c.sext.h a1|9ded
c.not a0|9d75"""
NEWER_32 = """
fmvh.x.d a0, fs11|e21d8553
fmvp.d.x fs11, a0, t6|b3f50dd3"""
NEWER_64 = """
c.zext.w a0|9d71"""
NEWER_ISA = ISA + "_zicond_zfa_zcb"

# What is wrong, and a part of what is said.
MISTAKES = [
    ("", "nothing"), ("nonsense a0", "unknown mnemonic 'nonsense'"), ("add", "add rd, rs1, rs2"),
    ("add a0, a1", "add rd, rs1, rs2"), ("add a0, a1, a2, a3", "unexpected ', a3'"),
    ("add a0, a1, q2", "'q2' is not an integer register"), ("add a0, a1, 5", "'5' is not an integer"),
    ("add a0, a1, x32", "'x32' is not"), ("addi a0, a1, 2048", "must be -2048 to 2047"),
    ("addi a0, a1, -2049", "must be -2048 to 2047"), ("addi a0, a1, foo", "'foo' is not a number"),
    ("addi a0, a1, 99999999999999999999", "is not a number"), ("addi a0, a1, 4294967296", "2047"),
    ("addi a0, a1,", "addi rd, rs1, imm"), ("lw a0, 4", "lw rd, imm(rs1)"), ("lw a0, 4(a1", "(rs1)"),
    ("lui a0, 0x100000", "0 to 0xfffff"), ("lui a0, -1", "0 to 0xfffff"),
    ("beq a0, a1, .+4096", "a distance of -4096 to 4094"), ("beq a0, a1, .+3", "in steps of 2"),
    ("beq a0, a1, .x", "not a number"), ("jal ra, 0x100000", "-1048576 to 1048574"),
    ("csrr a0, nosuch", "'nosuch' is no CSR"), ("csrr a0, 0x1000", "0 to 4095"),
    ("csrwi mie, 32", "0 to 31"), ("csrw mie, 32", "0 to 31"),
    ("nop a0", "nop takes 0 operands"), ("li a0, 0x12345", "must be -2048 to 2047"),
    ("fence x, w", "'x' is not a set of iorw"), ("fence wr, w", "in this order"),
    ("c.lw t6, 4(a0)", "'t6' cannot stand in c.lw"), ("c.lw a0, 2(a0)", "0 to 124 in steps of 4"),
    ("c.addi a0, 32", "-32 to 31"), ("c.lwsp a0, 4(a0)", "'a0' cannot stand"),
    ("c.addi4spn a0, sp, 0", "no such operands"), ("c.jr zero", "no such operands"),
    ("amoadd.w.qa a0, a1, (a2)", "unknown mnemonic"), ("add.aq a0, a1, a2", "unknown mnemonic"),
    ("fli.s fa0, 0.3", "'0.3' is no constant of fli"), ("cbo.zero 4(a0)", "(rs1)"),
    ("czero.eqz a0, a1, a2", "'czero.eqz' is not in rv"),
    ("addi" + " " * 300 + "a0, a0, 1", "longer than"),
]
MISTAKES_32 = [("ld a0, (a1)", "'ld' is not in rv32i"), ("slli a0, a0, 32", "must be 0 to 31"),
               ("c.slli a0, 32", "must be 0 to 31"), ("c.addiw a0, 1", "'c.addiw' is not in rv32")]
MISTAKES_64 = [("slli a0, a0, 64", "must be 0 to 63"), ("c.jal .+4", "'c.jal' is not in rv64"),
               ("csrr a0, mstatush", "no CSR")]


def tool(path, what, isa, lines):
    done = subprocess.run([path, what, isa], input="\n".join(lines) + "\n", check=True, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def for_gnu(text, xlen):
    """GNU as takes a plain number as target for an address that only the linker knows."""
    mnemonic, _, operands = text.partition(" ")
    if mnemonic not in JUMPS or "." in operands:
        return text
    rest, comma, target = operands.rpartition(", ")
    distance = int(target, 16)
    distance -= (distance >> (xlen - 1)) << xlen
    return "%s %s%s.%+d" % (mnemonic, rest, comma, distance)


def gnu(xlen, stem, texts):
    """The words that GNU as makes of the texts, and which of these it refuses."""
    command = ["riscv64-unknown-elf-as", "-march=" + ISA % xlen,
               "-mabi=" + ("lp64" if xlen == 64 else "ilp32"), stem + ".s", "-o", stem + ".o"]
    refused = set()
    for _ in range(2):
        with open(stem + ".s", "w") as file:
            file.write(".option norelax; .skip 0x100000\n")  # room for jumps back
            for n, text in enumerate(texts):
                rvc = "rvc" if text.startswith("c.") else "norvc"
                line = ".option norvc; nop" if n in refused else for_gnu(text, xlen)
                file.write(".option %s; %s\n" % (rvc, line))
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        refused |= {int(n) - 2 for n in re.findall(r"\.s:(\d+): Error", done.stderr)}
        if done.returncode == 0:
            break
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", stem + ".o", stem + ".bin"], check=True)
    with open(stem + ".bin", "rb") as file:
        data = file.read()[0x100000:]
    found, at = [], 0
    while at < len(data):
        size = 4 if data[at] & 3 == 3 else 2
        found.append(int.from_bytes(data[at:at + size], "little"))
        at += size
    return found, refused


def may_refuse(text):
    """What GNU as has no text for: hints, a fence of nothing, a rounding mode that is not needed."""
    return re.match(r"c\.(addi|li|lui|slli|mv|add|slli64) zero,|c\.addi \w+, 0$|"
                    r"c\.(slli|srli|srai) \w+, 0x0$|fence .*unknown|" + EXACT, text)


def defined(source, xlen):
    """The mnemonics, fixed bits and mask of the lists, for this width, as far as GNU as knows them."""
    rows = []
    for name in "base.def", "float.def", "compressed.def":
        with open("%s/sim/decode/%s" % (source, name)) as file:
            text = re.sub(r".*\b(ZICOND|ZCB|\w*ZFA),.*", "", file.read())
            rows += re.findall(r'_INSN\(\w+, *"([^"]+)", +(\w+), (\w+),.*?(\d+)(?:, +\w+, +\w)?\)$', text, re.M)
    return [(row[0], int(row[1], 0), int(row[2], 0)) for row in rows if int(row[3]) in (0, xlen)]


def check_words(xlen, count, stem, path, source):
    """Every word that is an instruction: its text gives the word that GNU as gives."""
    isa = ISA % xlen
    rows, pick = defined(source, xlen), random.Random(xlen)
    everything = [w for w in range(1 << 16) if w & 3 != 3] + list(words(xlen, count))
    everything += [match | pick.getrandbits(32) & ~mask for _, match, mask in rows for _ in range(100) if match & 3 == 3]
    texts = sorted({t for t in tool(path, "dis", isa, ["%x" % w for w in everything]) if t[0] != "."})
    written = len(texts)
    texts += (PERSONS + "|" + (PERSONS_64 if xlen == 64 else PERSONS_32)).replace("\n", "|").split("|")
    ours = tool(path, "asm", isa, texts)
    theirs, refused = gnu(xlen, stem, texts)
    assert len(ours) == len(theirs) == len(texts), (len(ours), len(theirs), len(texts))
    wrong = [(t, o, "%x" % g) for n, (t, o, g) in enumerate(zip(texts, ours, theirs))
             if n not in refused and ("error" in o or int(o, 16) != g)]
    wrong += [(t, o) for t, o in zip(texts, ours) if o.startswith("error")]
    wrong += [(texts[n], "refused by GNU as") for n in refused if not may_refuse(texts[n])]
    again = tool(path, "dis", isa, ours)
    wrong += [(t, o, a) for t, o, a in zip(texts[:written], ours, again) if a != t]
    stems = {re.sub(r"\.(aqrl|aq|rl|tso)$", "", t.split(" ")[0]) for t in texts}
    missing = {mnemonic for mnemonic, _, _ in rows} - stems
    return len(texts), wrong + [("never seen", m) for m in sorted(missing)]


def check_newer(xlen, path):
    lines = (NEWER + (NEWER_32 if xlen == 32 else NEWER_64)).strip().splitlines()
    texts, expected = zip(*[line.split("|") for line in lines])
    isa = NEWER_ISA % xlen
    both = tool(path, "asm", isa, texts), tool(path, "dis", isa, expected)
    return [case for case in zip(texts, expected, *both) if case[0] != case[3] or case[1] != case[2]]


def check_mistakes(xlen, path):
    cases = MISTAKES + (MISTAKES_64 if xlen == 64 else MISTAKES_32)
    texts = [text for text, _ in cases]
    answers = [newer if text.startswith("fli") else known for text, known, newer in
               zip(texts, tool(path, "asm", ISA % xlen, texts), tool(path, "asm", NEWER_ISA % xlen, texts))]
    return [(text, answer, part) for (text, part), answer in zip(cases, answers)
            if not answer.startswith("error ") or part not in answer]


def main():
    xlen, count, work, path, source = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6]
    total, wrong = check_words(xlen, count, "%s/texts%d" % (work, xlen), path, source)
    wrong += check_newer(xlen, path) + check_mistakes(xlen, path)
    for case in wrong[:40]:
        print(case)
    print("rv%d: %d texts, %d differ" % (xlen, total, len(wrong)))
    sys.exit(bool(wrong) or total < 20000)


main()
