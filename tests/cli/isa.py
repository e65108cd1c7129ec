#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ztl isa: every form is checked against values copied from the contract, or by a real tool."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ZTL = sys.argv.pop(1)


def ztl(*args, status=0):
    run = subprocess.run([ZTL, "isa", *args], capture_output=True, text=True)
    assert run.returncode == status, (args, run.returncode, run.stderr)
    return run.stdout if status == 0 else run.stderr


def one(rows, **wanted):
    found = [row for row in rows if all(row[key] == wanted[key] for key in wanted)]
    assert len(found) == 1, (wanted, found)
    return found[0]


class Json(unittest.TestCase):
    isa = json.loads(ztl("--json"))

    def insn(self, mnemonic, revision):
        return one(self.isa["instructions"], mnemonic=mnemonic, revision=revision)

    def test_counts(self):
        variants = {
            1: {"xpose": "01 02 03 12 13 23 00 11 33", "concat": "0 1 2", "addi": "", "mload": "",
                "mstore": ""},
            2: {"load": "", "mload": "", "store": "", "mstore": "", "concat": "0 1 2",
                "merge": "0 1 2", "addi": "", "xpose": "01 02 03 12 13 23 00 11 33",
                "permute": "b h w d"}}
        for revision, names in variants.items():
            expected = {f"tl.{name}.{variant}".rstrip(".") for name in names
                        for variant in names[name].split(" ")}
            found = {row["mnemonic"] for row in self.isa["instructions"]
                     if row["revision"] == revision}
            self.assertLessEqual(expected, found)
        self.assertEqual(len(self.isa["types"]), 12)
        self.assertEqual(len(self.isa["reasons"]), 7)
        self.assertEqual(sum(row["count"] for row in self.isa["csrs"]), 12 + 64)
        self.assertEqual([row["name"] for row in self.isa["engines"]],
                         ["load", "comp", "store", "reshape"])
        self.assertEqual([row["name"] for row in self.isa["subsets"]],
                         ["ztlx", "ztlc", "ztla", "ztlm", "ztlp"])

    def test_encodings_of_the_contract(self):
        store = self.insn("tl.store", 2)
        self.assertEqual((store["match"], store["mask"]), (0x2000005B, 0x3000707F))
        self.assertEqual([alias["match"] for alias in store["aliases"]], [0x2000205B])
        self.assertEqual(self.insn("tl.xpose.13", 2)["match"], 0b1010 << 25 | 0x305B)
        self.assertEqual(self.insn("tl.xpose.13", 1)["match"], 0b0111010 << 25 | 0x5B)
        self.assertEqual(self.insn("tl.permute.h", 2)["match"], 0b10011 << 25 | 0x305B)
        self.assertEqual(self.insn("tl.mstore", 1)["match"], 0b1010001 << 25 | 0x405B)

    def test_operands_of_the_contract(self):
        operands = self.insn("tl.mload", 1)["operands"]
        self.assertEqual([(o["name"], o["low"]) for o in operands],
                         [("tlrd", 7), ("rshape", 15), ("rbase", 20)])

    def test_effects_of_the_contract(self):
        memory = {"ttype", "tshape"}
        expected = {
            "load": ({"loads"}, memory | {"tl_load_width", "tl_load_stride"}),
            "mload": ({"loads", "masked"},
                      memory | {"tl_load_width", "tl_load_stride", "tl_load_mask"}),
            "store": ({"stores"}, memory | {"tl_store_width", "tl_store_stride"}),
            "mstore": ({"stores", "masked"},
                       memory | {"tl_store_width", "tl_store_stride", "tl_store_mask"}),
            "concat": ({"moves"}, memory | {"tmask_concat_1", "tmask_concat_2"}),
            "merge": ({"moves"}, memory | {"tmask_concat_1"}),
            "addi": (set(), {"ttype"}),
            "xpose": ({"moves", "pair"}, {"ttype"}),
            "permute": ({"moves", "pair"}, {"tl_transpose_perm"}),
        }
        found = {op["name"]: (set(op["effects"]), set(op["reads"]))
                 for op in self.isa["operations"]}
        self.assertEqual({name: found[name] for name in expected}, expected)

    def test_fields_cover_the_word(self):
        for row in self.isa["instructions"]:
            bits = [bit for field in row["fields"]
                    for bit in range(field["high"], field["low"] - 1, -1)]
            self.assertEqual(bits, list(range(31, -1, -1)), row["mnemonic"])
            fixed = sum(field["value"] << field["low"]
                        for field in row["fields"] if "value" in field)
            self.assertEqual(fixed, row["match"], row["mnemonic"])

    def test_csrs_of_the_contract(self):
        perm = one(self.isa["csrs"], name="tl_transpose_perm")
        self.assertEqual((perm["address"], perm["reset"], perm["writable"]), (0x801, 0xE4, 0xFF))
        width = one(self.isa["csrs"], name="tl_load_width")
        self.assertEqual(width["spellings"],
                         ["tl_load_width", "tl_load_width_csr", "tmask_load_width"])
        self.assertEqual(width["first_revision"], 2)

    def test_types_of_the_contract(self):
        self.assertEqual({row["name"]: row["ttype"] for row in self.isa["types"]},
                         {"byte": 0, "int4": 1, "int8": 2, "int16": 4, "int32": 8, "fp4": 0x10,
                          "e4m3": 0x40, "e5m2": 0x80, "e3m4": 0xC0, "fp16": 0x100,
                          "bf16": 0x200, "fp32": 0x400})

    def test_one_revision(self):
        isa = json.loads(ztl("--json", "--revision", "1"))
        self.assertEqual({row["revision"] for row in isa["instructions"]}, {1})
        self.assertFalse([row for row in isa["csrs"] if row["name"] == "ttype"])
        self.assertFalse(isa["engines"])


class RiscvOpcodes(unittest.TestCase):
    """Reads the form by the rules that riscv-opcodes documents for it."""

    def rows(self, revision):
        text = ztl("--format", "riscv-opcodes", "--revision", str(revision))
        places = {}
        for line in text.splitlines():
            known = re.fullmatch(r'#   "(\w+)", (\d+), (\d+)', line)
            if known:
                self.assertNotIn(known[1], places)
                places[known[1]] = (int(known[2]), int(known[3]))
            elif line and not line.startswith("#"):
                yield self.row(line, places)

    def row(self, line, places):
        name, *fields = line.split()
        match = mask = seen = 0
        for field in fields:
            fixed = re.fullmatch(r"(\d+)(?:\.\.(\d+))?=(\w+)", field)
            high, low = (int(fixed[1]), int(fixed[2] or fixed[1])) if fixed else places[field]
            bits = (2 << high) - (1 << low)
            self.assertFalse(seen & bits, line)
            seen |= bits
            if fixed:
                mask |= bits
                match |= int(fixed[3], 0) << low
                self.assertFalse(match & ~mask, line)
        self.assertEqual(seen, 0xFFFFFFFF, line)
        return name, match, mask

    def test_says_the_same_as_json(self):
        for revision in 1, 2:
            insns = json.loads(ztl("--json", "--revision", str(revision)))["instructions"]
            self.assertEqual(list(self.rows(revision)),
                             [(row["mnemonic"], row["match"], row["mask"]) for row in insns])

    def test_known_row(self):
        self.assertIn(("tl.merge.2", 0b110 << 25 | 0x105B, 0x3E00707F), list(self.rows(2)))


class Gdb(unittest.TestCase):
    NAMES = ("zero ra sp gp tp t0 t1 t2 fp s1 a0 a1 a2 a3 a4 a5 a6 a7 "
             "s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6 pc").split()

    def gdb(self, feature, *commands):
        cpu = "".join(f'<reg name="{name}" bitsize="64" type="int"/>' for name in self.NAMES)
        body = feature.split("\n", 2)[2]
        target = ('<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd">'
                  '<target version="1.0"><architecture>riscv:rv64</architecture>'
                  f'<feature name="org.gnu.gdb.riscv.cpu">{cpu}</feature>{body}</target>')
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(target)
            file.flush()
            script = ["-ex", f"set tdesc filename {file.name}"]
            for command in commands:
                script += ["-ex", command]
            run = subprocess.run(["gdb-multiarch", "-nx", "-q", "-batch", *script],
                                 capture_output=True, text=True,
                                 env={**os.environ, "HOME": "/nonexistent"})
        return run.stdout.splitlines(), run.stderr

    def test_gdb_takes_it(self):
        out, errors = self.gdb(ztl("--format", "gdb-xml"), "whatis $tl3.i16[5]",
                               "whatis $tl31.f32[255]", "print sizeof($tl0)",
                               "print sizeof($tl0.u64) / sizeof($tl0.u64[0])",
                               "whatis $tl_load_stride31", "print sizeof($tshape)",
                               "whatis $tl32")
        self.assertEqual(out, ["type = int16_t", "type = builtin_type_ieee_single", "$1 = 1024", "$2 = 128",
                               "type = uint32_t", "$3 = 4", "type = void"], errors)
        self.assertNotIn("warning", errors)

    def test_revision_1_has_no_ttype(self):
        out, errors = self.gdb(ztl("--format", "gdb-xml", "--revision", "1"),
                               "whatis $ttype", "whatis $tl_load_mask")
        self.assertEqual(out, ["type = void", "type = uint32_t"], errors)


class Tables(unittest.TestCase):
    def test_text_is_aligned(self):
        lines = ztl("--table", "csr").splitlines()
        column = lines[0].index("meaning")
        for line in lines[1:]:
            self.assertEqual(line[column - 1], " ", line)
            self.assertNotEqual(line[column], " ", line)

    def test_every_table_in_markdown(self):
        tables = "insn encoding csr type reason rule subset engine op".split()
        for table in tables:
            lines = ztl("--format", "md", "--table", table).splitlines()
            self.assertGreater(len(lines), 3, table)
            self.assertEqual({line.count("|") for line in lines}, {lines[0].count("|")}, table)

    def test_entry(self):
        text = ztl("tl.addi", "--revision", "2")
        self.assertIn("| engine | 00  |      imm       |   tlrs   | 010  |   tlrd   |   1011011    |",
                      text)
        self.assertIn("-128 to 127", text)
        self.assertIn("-2048 to 2047", ztl("tl.addi", "--revision", "1"))
        self.assertLessEqual(max(map(len, ztl("xpose").splitlines())), 80)
        self.assertEqual(ztl("tl.xpose"), ztl("xpose"))
        self.assertIn("did you mean 'tl.load'", ztl("tl.lood", status=2))

    def test_wrong_usage(self):
        for args, word in ((["--nonsense"], "--nonsense"), (["--table", "x"], "'x'"),
                           (["--format", "yaml"], "yaml"), (["--revision", "3"], "'3'"),
                           (["--table"], "--table"), (["tl.nothing"], "tl.nothing"),
                           (["tl.merge.0", "--revision", "1"], "tl.merge.0"),
                           (["tl.load", "tl.store"], "tl.store"),
                           (["--json", "tl.load"], "json")):
            self.assertIn(word, ztl(*args, status=2))
        run = subprocess.run([ZTL, "isa", "--table", "x"], capture_output=True, text=True)
        self.assertEqual(run.stdout, "")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([ZTL, "isa"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("No space left", run.stderr)

    def test_help(self):
        self.assertIn("ztl isa tl.xpose.01", ztl("--help"))


if __name__ == "__main__":
    unittest.main()
