#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A word of an extension that the hart lacks: the message names the extension. GNU as makes the words,
and so says which extension each is of; what it does not know is written as a number, from LLVM 19.

    illegal.py HART_TOOL WORK_DIR
"""
import subprocess
import sys

TOOL, WORK = sys.argv[1:]

# ISA of the hart; what the message starts with; instructions of GNU as, with what they need to be known
KNOWN = """
rv64i|mul needs M|m|mul a0, a1, a2
rv64i|amoadd.w needs A|a|amoadd.w a0, a1, (a2)
rv64i|c.addi needs C|c|c.addi a0, 1
rv64i|fadd.s needs F|f|fadd.s fa0, fa1, fa2
rv64if|fadd.d needs D|d|fadd.d fa0, fa1, fa2
rv64ic|c.fld needs D|d_c|c.fld fa0, 0(a0)
rv64if|fmv.x.h needs Zfhmin|zfh|fmv.x.h a0, fa0
rv64if_zfhmin|fadd.h needs Zfh|zfh|fadd.h fa0, fa1, fa2
rv64i|csrrs needs Zicsr|zicsr|csrr a0, mstatus
rv64i|sh1add needs Zba|zba|sh1add a0, a1, a2
rv64i|clz needs Zbb|zbb|clz a0, a1
rv64i|andn needs Zbb or Zbkb|zbb|andn a0, a1, a2
rv64i|clmulr needs Zbc|zbc|clmulr a0, a1, a2
rv64i_zbs|clmul needs Zbc or Zbkc|zbc|clmul a0, a1, a2
rv64i|pack needs Zbkb|zbkb|pack a0, a1, a2
rv64i|xperm8 needs Zbkx|zbkx|xperm8 a0, a1, a2
rv64i|bset needs Zbs|zbs|bset a0, a1, a2
rv64i|cbo.zero needs Zicboz|zicboz|cbo.zero (a0)
rv64i|cbo.flush needs Zicbom|zicbom|cbo.flush (a0)
rv64i|this encoding needs V|v|vsetvli a0, a1, e8, m1; vadd.vv v0, v1, v2; vle8.v v0, (a0); vse64.v v0, (a0); vle16.v v1, (a1), v0.t
rv64gc|this encoding needs Q|q|flq fa0, (a0); fsq fa0, (a0); fadd.q fa0, fa1, fa2; fmadd.q fa0, fa1, fa2, fa3; fcvt.s.q fa0, fa1; fcvt.d.q fa0, fa1; fcvt.q.d fa0, fa1
rv64gc|this encoding needs Zawrs|zawrs|wrs.nto; wrs.sto
rv64gc|this encoding needs Zknd|zk|aes64im a0, a1; aes64ds a0, a1, a2; aes64dsm a0, a1, a2
rv64gc|this encoding needs Zknd or Zkne|zk|aes64ks1i a0, a1, 3; aes64ks2 a0, a1, a2
rv64gc|this encoding needs Zkne|zk|aes64es a0, a1, a2; aes64esm a0, a1, a2
rv64gc|this encoding needs Zknh|zk|sha256sum0 a0, a1; sha256sig1 a0, a1; sha512sum0 a0, a1; sha512sig1 a0, a1
rv64gc|this encoding needs Zksed|zks|sm4ed a0, a1, a2, 3; sm4ks a0, a1, a2, 1
rv64gc|this encoding needs Zksh|zks|sm3p0 a0, a1; sm3p1 a0, a1
rv64gc|this encoding needs supervisor mode|i|sret; sfence.vma
rv64gc|this encoding needs H|h|hfence.vvma; hfence.gvma; hlv.w a0, (a1); hsv.d a0, (a1)
rv32gc|this encoding needs Zkne|zk|aes32esi a0, a1, a2, 2; aes32esmi a0, a1, a2, 2
rv32gc|this encoding needs Zknd|zk|aes32dsi a0, a1, a2, 3; aes32dsmi a0, a1, a2, 3
rv32gc|this encoding needs Zknh|zk|sha512sum0r a0, a1, a2; sha512sig1h a0, a1, a2; sha512sig0l a0, a1, a2
rv64gc_zbkb|zip needs RV32|zbkb|.insn i 0x13, 1, a0, a1, 143
rv32gc|lwu needs RV64|i|.insn i 0x03, 6, a0, a1, 0
rv32i|addiw needs RV64|i|.insn i 0x1b, 0, a0, a1, 0
rv64gc|this encoding needs a vendor's extension in custom-0|i|.insn r 0x0b, 0, 0, a0, a1, a2
"""
NUMBERS = """
rv64gc|czero.eqz needs Zicond|0ec5d533
rv64gc|fli.s needs Zfa|f01000d3
rv64i|fli.d needs D and Zfa|f21080d3
rv64gc_zfa|fli.h needs Zfh|f41100d3
rv64gc|c.lbu needs Zcb|83e0
rv64gc|c.sext.b needs Zcb and Zbb|9c65
rv64gc|this encoding needs Zabha|00c5852f
rv64gc|this encoding needs Zacas|28c5a52f
rv64gc|this encoding needs Zimop|81c5c573
rv64gc|this encoding needs Zimop|82c5c573
rv64gc|this encoding needs Zcmop|6081
rv64gc|this encoding needs Zfbfmin|44858553
rv64gc|this encoding needs Zfbfmin|40658553
rv64gc|this encoding needs Zvk|a220a077
rv64gc_zicond|0|0ec5d533
rv64gc||00000000
"""


def words_of(xlen, extension, text):
    stem = f"{WORK}/illegal"
    with open(stem + ".s", "w") as file:
        file.write(".option norelax\n" + ("" if text.startswith("c.") else ".option norvc\n") + text + "\n")
    march = f"rv{xlen}imaf_" + extension
    subprocess.run(["riscv64-unknown-elf-as", "-march=" + march, "-mabi=" + ("lp64" if xlen == 64 else "ilp32"), stem + ".s",
                    "-o", stem + ".o"], check=True)
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", stem + ".o", stem + ".bin"], check=True)
    with open(stem + ".bin", "rb") as file:
        data = file.read()
    if len(data) == 2:
        return [int.from_bytes(data, "little")]
    return [int.from_bytes(data[k:k + 4], "little") for k in range(0, len(data), 4)]


def main():
    asked = []
    for line in KNOWN.strip().splitlines():
        isa, message, extension, text = line.split("|")
        found = words_of(int(isa[2:4]), extension, text)
        assert len(found) == text.count(";") + 1
        asked += [(isa, message, word) for word in found]
    asked += [(isa, message, int(word, 16)) for isa, message, word in (line.split("|") for line in NUMBERS.strip().splitlines())]
    wrong = 0
    for isa, message, word in asked:
        answer = subprocess.run([TOOL, "why", isa], input="%x\n" % word, text=True, check=True,
                                stdout=subprocess.PIPE).stdout.strip()
        good = answer.startswith(message + ", which is not in the hart's ISA, " + isa[:4]) if message not in ("", "0") else answer == ""
        if not good:
            wrong += 1
            print("%s, 0x%08x: '%s' must start with '%s'" % (isa, word, answer, message))
    print("%d words, %d wrong" % (len(asked), wrong))
    sys.exit(wrong != 0)


main()
