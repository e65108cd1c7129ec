#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whole sources, assembled without other tools, against GNU as and ld: every example, what gcc prints
for C programs, random programs, and what is wrong at its line.

    source.py WORK_DIR SOURCE_TOOL ZTL SOURCE_DIR COUNT
"""
import pathlib
import random
import re
import subprocess
import sys

WORK, TOOL, ZTL, SOURCE = (pathlib.Path(part) for part in sys.argv[1:5])
COUNT = int(sys.argv[5])
BASE = 0x80000000
TOOLS = "riscv64-unknown-elf-"
LAYOUT = """
SECTIONS {
  . = 0x%x;
  .text : { *(.text .text.*) }
  .rest : { *(.rodata .rodata.* .srodata .srodata.*) }
  .full : { *(.data .data.* .sdata .sdata.*) }
  .none : { *(.bss .bss.* .sbss .sbss.* COMMON) }
  /DISCARD/ : { *(.note* .comment .riscv.attributes .eh_frame*) }
}
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)


def gnu(path, isa, assembler, base):
    """{label: address} and the bytes by GNU as and ld, sections packed as ours are; or None."""
    stem = WORK / path.stem
    abi = "lp64" if "64" in isa else "ilp32"
    if "d" in isa.split("_")[0][4:]:
        abi += "d"
    done = run(*assembler, f"-march={isa}", f"-mabi={abi}", "-mno-relax", path, "-o", f"{stem}.o")
    if done.returncode:
        return None, done.stdout
    (WORK / "layout.ld").write_text(LAYOUT % base)
    linked = run(TOOLS + "ld", "-m", "elf64lriscv" if "64" in isa else "elf32lriscv", "--no-relax", "-N", "-e",
                 hex(base), "-T", WORK / "layout.ld", f"{stem}.o", "-o", f"{stem}.elf")
    if linked.returncode:
        return None, linked.stdout
    run(TOOLS + "objcopy", "-O", "binary", "--set-section-flags", ".none=alloc,load,contents",
        f"{stem}.elf", f"{stem}.bin")
    names = {}
    for line in run(TOOLS + "nm", f"{stem}.elf").stdout.splitlines():
        address, _, name = line.split()
        names[name] = int(address, 16)
    return names, pathlib.Path(f"{stem}.bin").read_bytes()


def ours(path, isa, base=BASE):
    done = run(TOOL, isa, hex(base), path)
    if done.returncode:
        return None, done.stdout
    lines = done.stdout.splitlines()
    labels = dict(reversed(line.split(" ", 1)) for line in lines[2:])
    return {name: int(address, 16) for name, address in labels.items()}, bytes.fromhex(lines[0])


def compare(path, isa, assembler=(TOOLS + "as",), base=BASE, our_isa=None):
    labels, found = ours(path, our_isa or isa, base)
    names, expected = gnu(path, isa, assembler, base)
    assert names is not None, f"{path}: GNU says {expected}"
    assert labels is not None, f"{path}: {found}"
    # the linker chooses the order of what .comm asks for
    common = {name: at for name, at in labels.items() if name in names and not name.startswith("space_")}
    assert {name: names[name] for name in common} == common, path
    first = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), None)
    assert first is None, f"{path}: byte {first}: {found[first:first + 8].hex()} for {expected[first:first + 8].hex()}"
    end = min(len(found), len(expected))  # what follows are zeros of .comm
    assert not any(found[end:]) and not any(expected[end:]), path
    return len(expected)


def check_examples():
    total = 0
    for path in sorted((SOURCE / "examples").rglob("*.s")):
        copy = WORK / path.name
        # GNU as compresses after .option rvc; ours keeps what is written
        copy.write_text(re.sub(r"\.option rvc", ".option norvc", path.read_text()))
        total += compare(copy, "rv64imafd_zicsr_zifencei_ztl", (ZTL, "as"))
    return total


def c_programs():
    programs = sorted((SOURCE / "tests/sim/source").glob("*.c"))
    return [path for path in programs if path.name != "source_tool.c"]


def check_compiler():
    """What gcc prints, at three levels of optimisation, for either width and either code model."""
    total = 0
    for path in c_programs():
        for isa, abi in (("rv64imafd_zicsr", "lp64d"), ("rv32imafd_zicsr", "ilp32d"), ("rv64imafd_zicsr_zba_zbb", "lp64d")):
            for more in (["-O0"], ["-O2"], ["-O3", "-mcmodel=medlow"], ["-Os", "-fdata-sections"]):
                text = WORK / f"{path.stem}.s"
                done = run(TOOLS + "gcc", f"-march={isa}", f"-mabi={abi}", "-S", "-ffreestanding", "-mcmodel=medany",
                           *more, path, "-o", text)
                assert not done.returncode, done.stdout
                total += compare(text, isa, base=0x10000)
    return total


class Program:
    """Random statements that GNU as takes: numbers, expressions, jumps, places, data."""
    def __init__(self, seed, xlen):
        self.pick, self.xlen, self.lines, self.labels = random.Random(seed), xlen, [], []
        self.count = self.pick.randrange(3, 30)
        for n in range(self.count):
            self.add(n)
        self.lines.append(".data")
        for n in range(self.count):
            self.data(n)

    def number(self):
        p = self.pick
        bits = p.choice([3, 8, 11, 12, 13, 20, 31, 32, 33, 40, 48, 63, 64] if self.xlen == 64 else
                        [3, 8, 11, 12, 13, 20, 31])
        value = p.getrandbits(bits) << p.choice([0, 0, 0, 4, 12, 20])
        value &= (1 << self.xlen) - 1
        if value >> (self.xlen - 1):
            value -= 1 << self.xlen
        return p.choice([value, -value if value > -(1 << (self.xlen - 1)) else value])

    def expression(self, depth=0):
        p = self.pick
        if depth > 3 or p.random() < 0.3:
            return p.choice([str(p.randrange(200)), hex(p.randrange(1 << 16)), "'%c'" % p.choice("ab~{"),
                             "SIZE", "0b101", "017"])
        if p.random() < 0.2:
            return p.choice("-~!") + self.expression(depth + 1)
        if p.random() < 0.4:
            return "(" + self.expression(depth + 1) + ")"
        operator = p.choice(["+", "-", "*", "<<", ">>", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&", "||"])
        right = str(p.randrange(8)) if operator in ("<<", ">>") else self.expression(depth + 1)
        return f"{self.expression(depth + 1)} {operator} {right}"

    def register(self):
        return self.pick.choice(["a0", "t1", "s11", "x7", "fp", "ra"])

    def add(self, n):
        p, label = self.pick, f"at_{self.pick.randrange(self.count)}"
        self.lines.append(f"at_{n}:" if p.random() < 0.7 else f"at_{n}: {p.randrange(3)}:")
        self.lines += [p.choice([
            f"li {self.register()}, {self.number()}", f"la {self.register()}, {label}",
            f"call {label}", f"tail {label} # away", f"j {label}", f"jal {label}", f"beqz a0, {label}; nop",
            f"bgtu a0, t1, {label}", f"lui a0, %hi({label})", f"addi a0, a0, %lo({label} + 4)",
            f"lw a0, %lo({label})(a1)", f"sw a0, %lo(d_{p.randrange(self.count)})(s1)",
            f".word {label} - at_0, d_{p.randrange(self.count)} - {label}" if p.random() < 0.3 else "nop",
            f"csrw mscratch, {p.randrange(32)}", f"csrrs a0, mtvec, {p.randrange(32)}", "csrc mie, t0",
            f"lw {self.register()}, d_{p.randrange(self.count)}", f"sw a0, {label}, t6", f"lla s2, d_{p.randrange(self.count)} + 3",
            f".insn r 0x5b, {p.randrange(8)}, {p.randrange(128)}, x{p.randrange(32)}, a0, t2",
            f".insn i CUSTOM_2, {p.randrange(8)}, x{p.randrange(32)}, a0, {p.randrange(-2048, 2048)}",
            f".insn i 0x13, 0, a0, {p.randrange(2048)}(a1)", f".insn s STORE, 2, a0, {p.randrange(-2048, 2048)}(sp)",
            f".insn r4 MADD, 1, 2, a0, a1, a2, a3", f".insn b BRANCH, 1, a0, a1, {label}", f".insn j JAL, a0, {label}",
            f".insn u LUI, a3, {hex(p.randrange(1 << 20))}", f".insn 0x0020d1db", f"ld a0, 8 * 3(sp)" if self.xlen == 64 else "ret",
            f"1: bnez a0, 1b", f"bnez a0, 2f; 2:", "/* a; comment */ fence # li", "mv a0, a1 ; ; not a1, a2",
            "rdcycle a0", "jr a0", "jalr a1", "ecall", "jal t0, 1f; 1:", f".balign {p.choice([4, 8, 16])}",
        ])]

    def data(self, n):
        p = self.pick
        size = p.choice(["byte", "half", "word", "dword", "short", "long", "2byte", "quad"])
        bits = {"byte": 8, "half": 16, "short": 16, "2byte": 16, "word": 32, "long": 32}.get(size, 64)
        # GNU as cuts what is too long; here that is an error
        self.lines += [f"d_{n}:", p.choice([
            f".{size} ({self.expression()}) & {hex((1 << bits - 1) - 1)}", f".dword {self.expression()}",
            f".balign {p.choice([1, 2, 8, 32])}", f".p2align {p.randrange(5)}, 0xaa", f".zero {p.randrange(20)}",
            f'.ascii "a\\n\\"\\x41\\101;#", "b"', ".asciz \"\"", f".fill 3, 2, {p.randrange(65536)}", f".skip 5, 0x7f",
            f".dword at_{p.randrange(self.count)} + 8" if self.xlen == 64 else f".word d_0 - 4",
            f".set VARIABLE, {self.expression()}\n.dword VARIABLE", "VARIABLE = 7 * SIZE\n.word VARIABLE & 0xff",
            ".rept 3\n.byte 1, 2\n.endr", ".irp x, 3, 4\n.byte \\x, \\x + 1\n.endr", ".irpc c, 123\n.byte 0x4\\c\n.endr",
            ".if SIZE > 5\n.byte 1\n.else\n.byte 2\n.endif", ".ifdef NOWHERE\n.byte 1\n.endif",
            ".if 0\n.if 1\n.byte 1\n.endif\n.elseif SIZE\n.byte 3\n.endif", "put 5, b=6", "put 7", ".float 1.5, -2e10", ".double 0.1",
            '.section .rodata.s,"a"\n.string "text"\n.data', ".section .note.x\n.byte 9\n.data",
            f".comm space_{n}, {p.randrange(1, 30)}, {p.choice([1, 4, 16])}",
        ])]

    def text(self):
        head = [".macro put a, b=3", "1: .byte \\a, \\b + \\@ - \\@, 'x'", ".endm", ".equ SIZE, 24", ".text"]
        return "\n".join(head + self.lines) + "\n"


def check_random(count):
    total = 0
    for seed in range(count):
        xlen = 64 if seed % 3 else 32
        program = Program(seed, xlen)
        path = WORK / f"random{seed}.s"
        path.write_text(program.text())
        # each half is in reach of %hi on either width
        total += compare(path, f"rv{xlen}imafd_zicsr_zifencei", base=0x10000)
        for stale in WORK.glob(f"random{seed}.*"):
            stale.unlink()
    return total


# A source, the line of the mistake and a part of what is said of it.
MISTAKES = [
    ("nop\nnonsense a0", 2, "unknown mnemonic 'nonsense'"), ("addi a0, a1, 5000", 1, "-2048 to 2047"),
    ("\n\n  add a0, a1", 3, "add rd, rs1, rs2"), ("j nowhere", 1, "no label or number 'nowhere'"),
    ("la a0, nowhere + 4", 1, "'nowhere'"), ("a: nop\na: nop", 2, "'a' is defined twice"),
    ("li a0", 1, "li rd, number"), ("li q0, 1", 1, "'q0' is not an integer register"),
    ("li a0, later\n.set later, 5", 1, "known here"), (".byte 256", 1, "does not fit 1 bytes"),
    (".ascii \"open", 1, "no end"), (".ascii open", 1, "double quotes"), (".zero -1", 1, "out of range"),
    (".nothing 5", 1, "unknown directive '.nothing'"), (".rept 5\nnop", 1, "there is no .endr"),
    (".macro m\nnop", 1, "there is no .endm"), (".if 1\nnop", 2, "no .endif"), (".endif", 1, ".endif without .if"),
    (".macro m a:req\nnop\n.endm\nm", 4, "needs 'a'"), (".macro m a\nnop\n.endm\nm 1, 2", 4, "only 1 param"),
    (".macro m\nm\n.endm\nm", 4, "nested too deeply"), (".balign 3", 1, "power of two"),
    ("beqz a0, far\n.zero 8192\nfar: nop", 1, "-4096 to 4094"), ("bnez a0, 1b", 1, "no label 1 before"),
    ("j 1f", 1, "no label 1 after"), (".word 1 / 0", 1, "division by zero"), (".word (1", 1, "')' is missing"),
    (".word 1 +", 1, "expression is missing"), ("lui a0, %hi(0x8000000000)", 1, "%hi"), (".word 08", 1, "not a number"),
    ("addi a0, a0, %lo", 1, "%hi( %lo("), (".insn q 1, 2", 1, "needs a form"), (".insn r 0x5a, 1, 1, a0, a0, a0", 1, "opcode"),
    (".insn r 0x5b, 8, 1, a0, a0, a0", 1, "0 to 7"), (".insn 0x1ffffffff", 1, "no instruction"), (".insn i 0x13, 0, a0", 1, "operands"),
    ("addi a0, a0, %pcrel_lo(a)\na: nop", 1, "no %pcrel_hi"), ("tl.load tl32, 0(a0)", 1, "tl32"),
    ("tl.addi tl1, tl2, 200", 1, "-128 to 127"), ("nop nop", 1, "nop takes 0 operands"), (".set x", 1, ".set name, value"),
    ("csrw tshape, 32", 1, "0 to 31"), (".rept 99999999\n.endr", 1, "out of range"), (",", 1, "unexpected"),
    (".zero 99999999", 1, "out of range"), ("ld a0, (a1", 1, "ld rd"), ("li a0, 0x10000000000000000", 1, "not a number"),
]


def check_mistakes():
    path = WORK / "mistake.s"
    for text, line, part in MISTAKES:
        path.write_text(text + "\n")
        labels, said = ours(path, "rv64gc_ztl")
        assert labels is None and said.startswith(f"{line}: ") and part in said, (text, said)
    path.write_text("".join(f"bad{n} a0\n" for n in range(5)))
    assert len(ours(path, "rv64gc")[1].splitlines()) == 5


def check_lines():
    path = WORK / "lines.s"
    path.write_text("# first\nnop; nop\nli a0, 0x12345678\n.macro m\nnop\nnop\n.endm\n\nm\nlast: c.nop\n.data\n.word 5\n")
    said = run(TOOL, "rv64gc", "0x1000", path, "lines").stdout.split("\n")[:-1]
    assert said == ["0 2", "4 2", "8 3", "10 9", "14 9", "18 10"], said


def main():
    WORK.mkdir(exist_ok=True)
    sizes = check_examples(), check_compiler(), check_random(COUNT)
    check_mistakes()
    check_lines()
    print("bytes of examples, C programs, random programs: %d, %d, %d" % sizes)


main()
