#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The exports of the table: each is read by the tool that it is for, where Debian has it, else by the
rules that its project documents, and says of every encoding what ztl isa --json says.

usage: export.py ZTL [unittest's arguments]
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

ZTL = sys.argv.pop(1)
LLVM = next((path for path in ("/usr/include/llvm-14", "/usr/lib/llvm-14/include")
             if pathlib.Path(path, "llvm/Target/Target.td").exists()), None)


def ztl(form, revision):
    return subprocess.run([ZTL, "isa", "--format", form, "--revision", str(revision)], check=True,
                          capture_output=True, text=True).stdout


class Table:
    """A revision's table, as JSON has it."""

    def __init__(self, revision):
        self.revision = revision
        isa = json.loads(ztl("json", revision))
        self.rows, self.csrs, self.types = isa["instructions"], isa["csrs"], isa["types"]
        self.encodings = [(row["mnemonic"], row["match"], row["mask"]) for row in self.rows]
        self.aliases = [(row["mnemonic"], alias["match"], alias["mask"]) for row in self.rows
                        for alias in row["aliases"]]
        self.addresses = {name: csr["address"] + i for csr in self.csrs for i in range(csr["count"])
                          for name in [csr["name"] + (str(i) if csr["count"] > 1 else "")]}

    def what(self, word):
        return next((name for name, match, mask in self.encodings + self.aliases
                     if word & mask == match), None)


TABLES = [Table(1), Table(2)]


def of_pattern(pattern):
    """match and mask of 0, 1 and anything else for a bit that is free."""
    match = int("".join("1" if bit == "1" else "0" for bit in pattern), 2)
    return match, int("".join("1" if bit in "01" else "0" for bit in pattern), 2)


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_tool(self, *command):
        run = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(run.returncode, 0, (command, run.stdout[-2000:], run.stderr[-2000:]))
        return run.stdout

    def test_decodetree(self):
        """Fixed bits and NAME:WIDTH, sWIDTH if signed; one set of names for each instruction."""
        for table in TABLES:
            found, names = [], {}
            for line in ztl("decodetree", table.revision).splitlines():
                name, *fields = line.split("#")[0].split() or [None]
                if not name:
                    continue
                bits = "".join(re.sub(r"^\w+:s?(\d+)$", lambda m: "." * int(m[1]), field) for field in fields)
                self.assertEqual(len(bits), 32, line)
                found.append((name.replace("_", ".", 1).replace("_", "."), *of_pattern(bits)))
                arguments = {field.split(":")[0] for field in fields if ":" in field}
                self.assertEqual(names.setdefault(name, arguments), arguments)
            self.assertCountEqual(found, table.encodings + table.aliases)

    def test_udb(self):
        for table in TABLES:
            documents = [d for d in yaml.safe_load_all(ztl("udb", table.revision)) if d]
            kinds = {kind: [d for d in documents if d["kind"] == kind]
                     for kind in ("extension", "instruction", "csr")}
            self.assertEqual(sum(map(len, kinds.values())), len(documents))
            self.assertEqual([(d["name"], *of_pattern(d["encoding"]["match"])) for d in kinds["instruction"]],
                             table.encodings)
            for d, row in zip(kinds["instruction"], table.rows):
                places = {v["name"]: (v["location"], v.get("sign_extend", False))
                          for v in d["encoding"]["variables"]}
                self.assertEqual(places, {
                    o["name"]: (f"{o['low'] + o['width'] - 1}-{o['low']}", o["kind"] in ("imm", "offset"))
                    for o in row["operands"]})
                self.assertEqual(set(re.findall(r"\w+", d["assembly"])), set(places))
                self.assertEqual(d["definedBy"]["extension"]["name"].lower(), row["subset"])
            self.assertEqual({d["name"]: d["address"] for d in kinds["csr"]}, table.addresses)
            defined = {d["name"] for d in kinds["extension"]}
            self.assertEqual({d["definedBy"]["extension"]["name"] for d in kinds["instruction"]},
                             defined - {"Ztl"})

    @unittest.skipUnless(LLVM, "LLVM's Target.td is not there")
    def test_tablegen(self):
        """A decoder without a conflict, an encoder, an assembler; and the bits of each record."""
        for table in TABLES:
            source = ztl("tablegen", table.revision)
            path = self.file("ztl.td", source)
            tblgen = ["llvm-tblgen-14", "-D", "ZTL_ALONE", "-I", LLVM, str(path), "-o", "out"]
            for generator in ("-gen-disassembler", "-gen-emitter", "-gen-asm-matcher", "-gen-asm-writer",
                              "-gen-instr-info"):
                self.run_tool(*tblgen, generator)
            self.run_tool(*tblgen, "-dump-json")
            records = json.loads((self.folder / "out").read_text())
            found = []
            for name in records["!instanceof"]["RVInst"]:
                bits = "".join(str(bit) if isinstance(bit, int) else "." for bit in records[name]["Inst"][::-1])
                text = records[name]["AsmString"].split("\t")
                found.append((text[0], *of_pattern(bits)))
                row = next(row for row in table.rows if row["mnemonic"] == text[0])
                self.assertEqual(re.findall(r"\$\{(\w+)\}", text[1]), [o["name"] for o in row["operands"]])
                self.assertEqual((records[name]["mayLoad"], records[name]["mayStore"]),
                                 (int("load" in name.lower()), int("store" in name.lower())))
            self.assertCountEqual(found, table.encodings)
            twice = source + re.search(r"\ndef TL_ADDI .*?\n}\n", source, re.S)[0].replace("TL_ADDI", "TWICE")
            self.file("ztl.td", twice)
            run = subprocess.run([*tblgen, "-gen-disassembler"], cwd=self.folder, capture_output=True, text=True)
            self.assertIn("Decoding Conflict", run.stdout + run.stderr)

    def test_systemverilog(self):
        """No warning of Verilator; decode() in Icarus Verilog says what a word is."""
        for table in TABLES:
            source = self.file("ztl_isa.sv", ztl("systemverilog", table.revision))
            self.run_tool("verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM", str(source))
            rng = random.Random(table.revision)
            words = [match | rng.getrandbits(32) & ~mask & 0xffffffff
                     for _, match, mask in (table.encodings + table.aliases) * 3]
            words += [rng.getrandbits(25) << 7 | 0x5b for _ in range(300)] + [rng.getrandbits(32) for _ in range(50)]
            lines = "".join(f'i = ztl_isa::decode(32\'h{word:08x}); $display("%0d", i);\n' for word in words)
            lines += "".join(f'$display("%0d", ztl_isa::bits_of(12\'h{t["ttype"]:x}));\n' for t in table.types)
            self.file("bench.sv", f"module bench;\ninteger i;\ninitial begin\n{lines}end\nendmodule\n")
            self.run_tool("iverilog", "-g2012", "-o", "bench", str(source), "bench.sv")
            out = list(map(int, self.run_tool("vvp", "bench").split()))
            numbers = {name: i + 1 for i, (name, _, _) in enumerate(table.encodings)} | {None: 0}
            self.assertEqual(out[:len(words)], [numbers[table.what(word)] for word in words])
            self.assertEqual(out[len(words):], [t["bits"] for t in table.types])
            parameters = dict(re.findall(r"CSR_(\w+) = 12'h(\w+);", source.read_text()))
            self.assertEqual({name: int(value, 16) for name, value in parameters.items()},
                             {csr["name"].upper(): csr["address"] for csr in table.csrs})

    def test_binutils(self):
        """Compiled as binutils uses it, and printed; an entry takes what its text can say."""
        harness = """
            #include <stdio.h>
            #include "ztl.h"
            enum { C, A, X, M, P };
            #define match_opcode 0
            #define INSN_DREF 1
            #define INSN_ALIAS 2
            #define INSN_CLASS_ZTLC 'c'
            #define INSN_CLASS_ZTLA 'a'
            #define INSN_CLASS_ZTLX 'x'
            #define INSN_CLASS_ZTLM 'm'
            #define INSN_CLASS_ZTLP 'p'
            static const struct { const char *name; int xlen, subset; const char *args; unsigned match, mask;
                                  int function, flags; } table[] = {
            #define ZTL_OPCODES
            #include "ztl.h"
            };
            int main(void) {
                for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
                    printf("%s %c %s %u %u %d\\n", table[i].name, table[i].subset, table[i].args, table[i].match,
                           table[i].mask, table[i].flags);
            #undef ZTL_OPCODES
            #define DECLARE_INSN(name, match, mask) printf("insn %s %u %u\\n", #name, match, mask);
            #define DECLARE_CSR(name, address, ...) printf("csr %s %d\\n", #name, address);
            #include "ztl.h"
            }
            """
        for table in TABLES:
            self.file("ztl.h", ztl("binutils", table.revision))
            self.file("main.c", harness)
            self.run_tool("gcc", "-w", "main.c", "-o", "main")
            rows = [line.split() for line in self.run_tool("./main").splitlines()]
            self.assertEqual({row[1]: int(row[2]) for row in rows if row[0] == "csr"}, table.addresses)
            self.assertEqual([(row[1].replace("_", "."), int(row[2]), int(row[3])) for row in rows
                              if row[0] == "insn"], table.encodings)
            entries = [row for row in rows if row[0].startswith("tl.")]
            whole = [(row[0], int(row[3]), int(row[4])) for row in entries
                     if table.revision == 1 or row[2].endswith("Ze")]
            self.assertCountEqual(whole, table.encodings + table.aliases)
            short = [(row[0], int(row[3]), int(row[4])) for row in entries if not row[2].endswith("Ze")]
            if table.revision == 2:
                self.assertCountEqual(short, [(n, match, mask | 3 << 30)
                                              for n, match, mask in table.encodings + table.aliases])
            for row in entries:
                wanted = next(r for r in table.rows if r["mnemonic"] == row[0])
                self.assertEqual(row[1], wanted["subset"][-1])
                self.assertEqual(int(row[5]) & 1, int("load" in row[0] or "store" in row[0]))

    def test_latex(self):
        """Each row spans 32 columns and names the instruction; braces match, no character is bare."""
        for table in TABLES:
            text = ztl("latex", table.revision)
            rows = re.findall(r"^(\\multicolumn.*) & \\texttt\{(.*)\} \\\\$", text, re.M)
            self.assertEqual([name.replace("\\_", "_") for _, name in rows], [row["mnemonic"] for row in table.rows])
            for (row, _), (_, match, mask) in zip(rows, table.encodings):
                cells = re.findall(r"\\multicolumn\{(\d+)\}\{\|c\|\}\{([\w\\]+)\}", row)
                bits = "".join(cell if set(cell) <= {"0", "1"} else "." * int(width) for width, cell in cells)
                self.assertEqual(of_pattern(bits), (match, mask))
            self.assertNotRegex(text.split("\n", 1)[1], r"(?<!\\)[_#$^~]")
            self.assertEqual(text.replace("\\{", "").count("{"), text.replace("\\}", "").count("}"))

    def test_sail(self):
        for table in TABLES:
            text = ztl("sail", table.revision)
            found = []
            for name, names, parts in re.findall(
                    r"mapping clause encdec = (\w+)\((.*?)\)\n  <-> (.*)\n", text):
                row = next(r for r in table.rows if r["mnemonic"].replace(".", "_").upper() == name)
                widths = {o["name"]: o["width"] for o in row["operands"]}
                self.assertEqual(names.split(", "), list(widths))
                bits = "".join(part[2:] if part.startswith("0b") else
                               "." * widths[re.sub(r"encdec_reg\((\w+)\)", r"\1", part)]
                               for part in parts.split(" @ "))
                found.append((row["mnemonic"], *of_pattern(bits)))
            self.assertEqual(found, table.encodings)
            for clause in ("union clause ast", "mapping clause assembly", "function clause execute"):
                self.assertEqual(text.count(clause), len(table.rows))


if __name__ == "__main__":
    unittest.main()
