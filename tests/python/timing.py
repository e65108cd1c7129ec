# SPDX-License-Identifier: Apache-2.0
"""Machines as objects, tables of many, networks, and how far a run is: the command says what is right."""

import io
import json
import os
import pathlib
import subprocess
import unittest
import unittest.mock
import xml.dom.minidom

import numpy

import ztl
from ztl import _library, _progress, ops, timing

ZTL = _library.find_command()
NODES = pathlib.Path("/usr/share/libonnx-testdata/data/node")


class Machines(unittest.TestCase):
    def test_texts(self):
        for machine, text in (
                (timing.Machine(), "four"), (timing.Machine("wide"), "wide"),
                (timing.Machine("four", engines_queue=8), "four,engines.queue=8"),
                (timing.Machine("four,engines.queue=8", csr_drain=True), "four,engines.queue=8,csr.drain=yes"),
                (timing.Machine("four", **{"l1m.bytes": 128}).replace(engines_by="kind", engines_count=4),
                 "kinds,l1m.bytes=128")):
            self.assertEqual(str(machine), text)
            right = json.loads(subprocess.check_output([ZTL, "timing", "--json", text]))
            right = right.get("parameters", right)
            self.assertEqual(machine.parameters, {name: str(right[name]) for name in timing.parameters})
            self.assertEqual(machine, timing.Machine(text))
            self.assertEqual(hash(machine), hash(timing.Machine(text)))
            self.assertIn(text, machine._repr_html_())
        self.assertEqual(len(timing.parameters), len(timing.Machine().parameters))

    def test_refused(self):
        for kind, call, words in (
                (KeyError, lambda: timing.Machine("four", engine_queue=8), "did you mean engines.queue"),
                (ValueError, lambda: timing.Machine("four", engines_queue=0), "engines.queue: '0' is not one of"),
                (ValueError, lambda: timing.Machine("fuor"), "fuor"),
                (TypeError, lambda: timing.sweep("four", "a.s"), "needs a parameter"),
                (KeyError, lambda: timing.sweep("four", "a.s", queue=1), "no parameter queue"),
                (ValueError, lambda: timing.sweep("four", "a.s", engines_queue=[]), "needs a value"),
                (ztl.Error, lambda: timing.sweep("four", "nothing.elf", engines_queue=1), "nothing.elf"),
                (TypeError, lambda: timing.sweep("four", "a.s", engines_queue=1, progress=3), "progress is 3")):
            with self.assertRaisesRegex(kind, words) as caught:
                call()
            self.assertIsInstance(caught.exception, ztl.Error)

    def test_where_machines_are_named(self):
        machine = timing.Machine("four", engines_queue=1)
        plan = ops.plan("transpose", numpy.zeros((40, 60), "i2"))
        self.assertEqual(plan.cycles(machine), plan.cycles("four,engines.queue=1"))
        self.assertIn("<svg", plan.timeline(machine).svg)
        source = pathlib.Path(os.environ["ZTL_SOURCE"]) / "examples/first.s"
        run = ztl.Machine(source, timing=machine)
        run.run()
        self.assertEqual(run.timing.machine, str(machine))


class Sweeps(unittest.TestCase):
    def test_plan(self):
        plan = ops.plan("transpose", numpy.zeros((40, 60), "i2"))
        table = timing.sweep("four", plan, engines_queue=[1, 4], l1m_bytes=(32, 64), csr_drain="no,yes")
        self.assertEqual(list(table)[:4], ["engines_queue", "l1m_bytes", "csr_drain", "cycles"])
        self.assertEqual(len(table.rows), 8)
        for row in table.rows:
            words = {name: row[name] for name in ("engines_queue", "l1m_bytes", "csr_drain")}
            self.assertEqual(plan.cycles(timing.Machine("four", **words)), row["cycles"])
        self.assertEqual(table["cycles"].dtype.kind, "i")
        xml.dom.minidom.parseString(f"<page>{table._repr_html_()}</page>")

    def test_program(self):
        source = pathlib.Path(os.environ["ZTL_SOURCE"]) / "examples/first.s"
        table = timing.sweep(timing.Machine("kinds"), source, engines_queue=range(1, 3))
        machine = ztl.Machine(source, timing="kinds,engines.queue=1")
        machine.run()
        self.assertEqual(table["cycles"][0], machine.timing.cycles)

    def test_as_others_read_it(self):
        """What pandas and matplotlib ask of a table: columns by name, all of one length."""
        table = timing.Table(a=numpy.array([1, 2]), b=numpy.array(["x", "y"]))
        self.assertEqual({len(table[name]) for name in table}, {2})
        self.assertEqual(table.rows, [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])


class Pictures(unittest.TestCase):
    def test_plans(self):
        for arguments in (("transpose", numpy.zeros((64, 60), "i2")), ("fill", numpy.zeros(5000, "u1"), 3),
                          ("where", numpy.zeros((40, 50)) > 0, 1, numpy.zeros((40, 50))),
                          ("identity", numpy.zeros(0))):
            plan = ops.plan(*arguments)
            xml.dom.minidom.parseString(f"<page>{plan._repr_html_()}</page>")
            self.assertEqual(plan.svg.count("font-weight"), plan.description.count("\n  pass "))
            if plan.counts:
                xml.dom.minidom.parseString(plan.svg)


class Progress(unittest.TestCase):
    def test_function(self):
        seen = []
        machine = ztl.Machine("    .globl _start\n_start:\n    j _start\n")
        self.assertEqual(machine.run(limit=5_000_000, progress=lambda *told: seen.append(told)), "limit")
        self.assertGreaterEqual(len(seen), 3)
        self.assertRegex(seen[0][0], r"^\d+ instructions, at _start")
        self.assertEqual(seen[-1][0], "")
        self.assertEqual(sorted(seconds for _, seconds in seen), [seconds for _, seconds in seen])
        self.assertRaises(TypeError, machine.run, progress="bar")

    def test_function_that_raises(self):
        def stop(step, seconds):
            raise KeyError(step)

        machine = ztl.Machine("    .globl _start\n_start:\n    j _start\n")
        self.assertRaises(KeyError, machine.run, progress=stop)

    def test_line(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        screen, line = Terminal(), _progress.of(True)
        with unittest.mock.patch("sys.stderr", screen):
            line("step one", 0)
            line("step two", 0.01)  # too soon
            line("", 1)
        self.assertEqual(screen.getvalue(), "\rstep one, 0 s\x1b[K\r\x1b[K")
        with unittest.mock.patch("sys.stderr", io.StringIO()) as screen:
            _progress.of(True)("step", 0)
        self.assertEqual(screen.getvalue(), "")
        self.assertIsNone(_progress.of(None))


@unittest.skipUnless(NODES.is_dir(), "there is no libonnx-testdata")
class Onnx(unittest.TestCase):
    def test_run(self):
        a = numpy.arange(24, dtype="f4").reshape(2, 3, 4)
        model = NODES / "test_transpose_all_permutations_3/model.onnx"
        right = a.transpose(1, 2, 0)
        for inputs in (a, {"data": a}):
            for engine in ("host", "sim"):
                got = ztl.onnx.run(model, inputs, engine=engine)
                self.assertEqual(list(got), ["transposed"])
                numpy.testing.assert_array_equal(got["transposed"], right)
        self.assertRaisesRegex(ztl.Error, "nothing", ztl.onnx.run, model, {"nothing": a})
        self.assertRaises(ztl.Error, ztl.onnx.run, "nothing.onnx")
        self.assertRaises(TypeError, ztl.onnx.run, model, {3: a})

    def test_report(self):
        seen = []
        report = ztl.onnx.report(NODES / "test_gather_0/model.onnx", "--timing", "four",
                                 progress=lambda *told: seen.append(told))
        self.assertEqual(report["nodes_in_graph"], 1)
        self.assertEqual(seen[-1][0], "")
        xml.dom.minidom.parseString(f"<page>{report._repr_html_()}</page>")


unittest.main()
