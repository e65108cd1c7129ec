# SPDX-License-Identifier: Apache-2.0
"""Programs on a machine, from Python."""

import gc
import itertools
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
import weakref

import numpy

import ztl
from ztl import _library

SOURCE = pathlib.Path(os.environ["ZTL_SOURCE"])
LOOP = """
    .globl _start, loop, word
_start:
    li t0, 0
    la a0, word
loop:
    addi t0, t0, 1
    sd t0, 0(a0)
    j loop
    .data
    .balign 8
word:
    .dword 0
"""
GREET = r"""
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char line[100] = "";
    fgets(line, sizeof line, stdin);
    printf("%d %s %zu\n", argc, argc > 1 ? argv[1] : "-", strlen(line));
    fprintf(stderr, "to the side\n");
    return 42;
}
"""


def ztl_run(*arguments):
    done = subprocess.run([_library.find_command(), "run", *map(str, arguments)], capture_output=True)
    return json.loads(done.stderr)


class Running(unittest.TestCase):
    def test_first_example(self):
        machine = ztl.Machine(SOURCE / "examples/first.s")
        self.assertEqual((machine.run(), machine.exit_code), ("exit", 0))
        # README.md shows this grid
        self.assertEqual(machine.tl[3][:32].tobytes().hex(), "0001020304050607" "5051525354555657"
                         "6465666768696a6b" "fcfdfeffffffffff")

    def test_c_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "greet.c"
            path.write_text(GREET)
            heard = []
            machine = ztl.Machine(path, arguments=["ab", "c"], input=b"hello\n", output=heard.append)
            self.assertEqual((machine.run(), machine.exit_code), ("exit", 42))
            self.assertEqual((machine.output, machine.errors), (b"3 ab 6\nto the side\n", b""))
            self.assertEqual(b"".join(heard), machine.output)
            for bad in (["a b"], [""], [3], ["a\0b"]):
                self.assertRaises(ztl.Error, ztl.Machine, LOOP, arguments=bad)

    def test_memory_where_the_program_is(self):
        with tempfile.TemporaryDirectory() as folder:
            source, elf = pathlib.Path(folder) / "low.s", pathlib.Path(folder) / "low"
            source.write_text(".globl _start\n_start: li a0, 7\n ebreak\n")
            subprocess.run(["riscv64-unknown-elf-gcc", "-nostdlib", "-Wl,-Ttext=0x10000000", source,
                            "-o", elf], check=True)
            machine = ztl.Machine(elf)
            self.assertEqual(machine.pc, 0x10000000)
            machine.step()
            self.assertEqual(machine.x[10], 7)
            with self.assertRaisesRegex(ztl.Error, "outside RAM"):
                ztl.Machine(elf, memory=1 << 20)

    def test_rv32(self):
        machine = ztl.Machine(LOOP.replace("sd", "sw"), isa="rv32imac_zicsr_ztl")
        machine.run(100)
        self.assertEqual((machine.xlen, machine.retired), (32, 100))

    def test_floats(self):
        machine = ztl.Machine("""
            .globl _start
        _start:
            li t0, 0x2000
            csrs mstatus, t0
            fmul.d fa1, fa0, fa0
        stop:
            j stop
        """, isa="rv64imafdc_zicsr_ztl")
        machine.f["fa0"] = 1.25
        machine.break_at("stop")
        events = []
        machine.watch(events.append)
        self.assertEqual((machine.run(), machine.f["fa1"], machine.f[10]), ("breakpoint", 1.5625, 1.25))
        self.assertEqual((events[-1].f, events[-2].f), ((11, 0x3ff9000000000000), None))
        self.assertRegex(repr(events[-1]), "<0x8000000[0-9a-f]: fmul.d fa1, fa0, fa0>")

    def test_limits_and_breakpoints(self):
        machine = ztl.Machine(LOOP)
        machine.break_at("loop")
        for count in range(3):
            self.assertEqual((machine.run(), machine.where(), machine.x["t0"]),
                             ("breakpoint", "loop", count))
        machine.break_at("loop")
        machine.unbreak("loop")
        self.assertRaises(ztl.Error, machine.unbreak, "loop")
        before = machine.retired
        self.assertEqual(machine.run(1000), "limit")
        self.assertEqual(machine.retired - before, 1000)
        self.assertEqual(machine.run(0), "limit")
        for bad in (-1, 1.5, "x"):
            self.assertRaises(ztl.Error, machine.run, bad)
        for bad in ("nothing", -1, None, 1 << 64):
            self.assertRaises(ztl.Error, machine.break_at, bad)

    def test_watchpoints(self):
        machine = ztl.Machine(LOOP)
        machine.watch_memory("word", 8)
        self.assertEqual(machine.run(), "watchpoint")
        self.assertEqual(machine.watch_hit[0], machine.symbol("word"))
        self.assertEqual(machine.memory[machine.symbol("word")], 1)
        machine.unwatch_memory("word", 8)
        self.assertEqual(machine.run(50), "limit")
        self.assertRaises(ztl.Error, machine.watch_memory, "word", 0)
        self.assertRaises(ztl.Error, machine.watch_memory, "word", 8, "touch")

    def test_whole_numbers_of_numpy(self):
        machine = ztl.Machine(LOOP)
        word, size = numpy.uint64(machine.symbol("word")), numpy.int32(8)
        machine.watch_memory(word, size)
        self.assertEqual((machine.run(numpy.int64(50)), machine.where(word)), ("watchpoint", "word"))
        machine.unwatch_memory(word, size)
        machine.break_at(numpy.uint64(machine.pc))
        self.assertEqual(machine.run(50), "breakpoint")
        for bad in ("nothing", 1.5, -1):
            self.assertRaises(ztl.Error, machine.where, bad)

    def test_trap(self):
        machine = ztl.Machine(".globl _start\n_start:\n csrwi ttype, 3\n tl.addi tl1, tl1, 1\n")
        with self.assertRaises(ztl.Trap) as caught:
            machine.run()
        self.assertEqual((caught.exception.cause, caught.exception.reason), (2, "TYPE"))
        self.assertEqual(caught.exception.pc, 0x80000004)
        self.assertEqual(machine.pc, 0x80000004)


class Watching(unittest.TestCase):
    def test_events(self):
        machine = ztl.Machine(LOOP)
        machine.break_at("loop")
        machine.run()
        add, store, jump = machine.events(3)
        self.assertEqual((add.x, add.accesses), ((5, 1), ()))
        self.assertEqual(store.accesses, (ztl.Access(machine.symbol("word"), 8, 1, True),))
        self.assertEqual(jump.next_pc, machine.symbol("loop"))
        self.assertEqual(machine.step().x, (5, 2))

    def test_callback(self):
        machine, seen = ztl.Machine(LOOP), []
        machine.watch(lambda event: seen.append((event.pc, machine.x["t0"])))
        machine.run(200)
        self.assertEqual(len(seen), 200)
        self.assertEqual(seen[-1][1], machine.x["t0"])

    def test_registers_in_a_callback(self):
        machine = ztl.Machine(".globl _start\n_start: tl.addi tl1, tl1, 1\n j _start\n")
        machine.tl[1][:] = 100
        seen = []

        def look(event):
            if 1 in event.tl:
                seen.append(int(machine.tl[1][7]))
                with self.assertRaises(ValueError):
                    machine.tl[1][0] = 0
                with self.assertRaises(ztl.Error):
                    machine.tl[1] = bytes(1024)
                self.assertRaises(ztl.Error, machine.run)
                self.assertRaises(ztl.Error, machine.execute, 0x13)
                self.assertRaises(ztl.Error, machine.close)

        machine.watch(look)
        machine.run(6)
        self.assertEqual((seen, int(machine.tl[1][0])), ([101, 102, 103], 103))

    def test_an_exception_ends_the_run(self):
        machine = ztl.Machine(LOOP)

        def refuse(event):
            raise LookupError(event.pc)

        machine.watch(refuse)
        self.assertRaises(LookupError, machine.run)
        self.assertRaises(LookupError, machine.execute, "tl.addi tl1, tl1, 3")
        self.assertRaises(LookupError, machine.execute, 0)  # not the trap, which is in the event
        machine.unwatch(refuse)
        machine.execute("tl.addi tl1, tl1, 4")
        self.assertEqual(machine.tl[1][0], 7)
        self.assertRaises(ztl.Error, machine.unwatch, refuse)
        self.assertRaises(ztl.Error, machine.watch, 3)
        self.assertEqual(machine.run(10), "limit")

    def test_interrupt(self):
        """Wherever Python is when the signal comes: in a watching function, at its start, behind it."""
        machine = ztl.Machine(LOOP)
        before = signal.getsignal(signal.SIGINT)
        for watched in (True, False):
            count = itertools.count(1)
            machine.watch(lambda event: next(count)) if watched else None
            for delay in (0.01, 0.017, 0.029, 0.05):
                with self.assertRaises(KeyboardInterrupt):
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    machine.run()
                self.assertIs(signal.getsignal(signal.SIGINT), before)
                retired = machine.retired
                self.assertEqual((machine.run(10), machine.retired - retired), ("limit", 10))
        machine.watch(lambda event: signal.raise_signal(signal.SIGINT))
        self.assertRaises(KeyboardInterrupt, machine.run, 1)
        self.assertRaises(KeyboardInterrupt, machine.step)

    def setUp(self):
        handler = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        self.addCleanup(signal.signal, signal.SIGALRM, handler)

    def test_an_exception_in_output_ends_the_run(self):
        """Where the program wrote, not some instructions later; and what follows is not lost."""
        calls = []

        def refuse(data):
            calls.append(data)
            raise LookupError(data)

        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "twice.c"
            source.write_text("#include <stdio.h>\n"
                              "int main(void) { puts(\"one\"); puts(\"two\"); return 5; }\n")
            machine = ztl.Machine(source, output=refuse)
        for _ in range(100):
            try:
                stop = machine.run(1_000_000)
                break
            except LookupError as error:
                self.assertEqual(error.args[0], calls[-1])
        self.assertEqual((stop, machine.exit_code, machine.output), ("exit", 5, b"one\ntwo\n"))
        self.assertEqual(b"".join(calls), b"one\ntwo\n")
        self.assertGreater(len(calls), 1)


class Counting(unittest.TestCase):
    def test_stats_and_timing_are_those_of_ztl_run(self):
        path = SOURCE / "examples/first.s"
        right = ztl_run("--stats", "--json", "--timing", "four", path)
        machine = ztl.Machine(path, stats=True, timing="four")
        machine.run()
        self.assertEqual(machine.timing.cycles, right["timing"]["cycles"])
        expected = right["classes"] | right["ztl"] | right["bytes"] | {"compressed": right["compressed"]}
        self.assertEqual(machine.stats, {name: count for name, count in expected.items() if count})
        self.assertEqual((machine.stats["tl.merge.0"], machine.stats["ztl"]), (1, 3))
        alone = ztl.Machine(path, timing="four")
        alone.run()
        self.assertEqual(alone.timing.cycles, right["timing"]["cycles"])
        self.assertEqual(alone.timing.hart["cycles"], right["timing"]["hart"]["cycles"])
        self.assertIn("load port", alone.timing._repr_html_())
        self.assertIn("<svg", machine.timeline._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            machine.timeline.save(pathlib.Path(folder) / "t.svg")

    def test_not_counted(self):
        machine = ztl.Machine(LOOP)
        for name in ("stats", "timing", "timeline"):
            self.assertRaises(ztl.Error, getattr, machine, name)
        self.assertRaises(ztl.Error, ztl.Machine, LOOP, timing="nothing")


class Life(unittest.TestCase):
    def test_save_and_restore(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = ztl.Machine(LOOP)
            machine.run(100)
            machine.save(folder + "/state")
            then = machine.x["t0"], machine.pc
            machine.run(100)
            machine.restore(folder + "/state")
            self.assertEqual((machine.x["t0"], machine.pc), then)

    def test_after_the_end(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = ztl.Machine(SOURCE / "examples/first.s")
            machine.save(folder + "/state")
            for _ in range(2):
                self.assertEqual((machine.run(), machine.exit_code), ("exit", 0))
                retired = machine.retired
                self.assertEqual((machine.run(10), machine.step(), machine.retired),
                                 ("exit", None, retired))
                machine.restore(folder + "/state")
                self.assertEqual((machine.exit_code, machine.step().pc), (None, 0x80000000))

    def test_reset_goes_to_the_entry(self):
        machine = ztl.Machine("    .globl _start\nbefore: nop\n_start: addi t0, t0, 1\n j _start\n")
        machine.run(5)
        self.assertEqual((machine.where(), machine.x["t0"]), ("_start+0x2", 3))
        machine.reset()
        self.assertEqual((machine.where(), machine.x["t0"], machine.run(1)), ("_start", 0, "limit"))

    def test_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "text.elf"
            text.write_text("this is no program")
            bad_c = pathlib.Path(folder) / "bad.c"
            bad_c.write_text("int main(void) { return nothing; }\n")
            for program, why in ((text, "text.elf"), (folder + "/none.elf", "none.elf"),
                                 (bad_c, "nothing"), ("_start:\n tl.nothing\n", "tl.nothing"),
                                 (folder + "/none.c", "none.c")):
                with self.assertRaisesRegex(ztl.Error, why):
                    ztl.Machine(program)
            self.assertRaises(ztl.Error, ztl.Machine, LOOP, directory=folder + "/none")
            self.assertRaises(ztl.Error, ztl.Machine, text, options=["-O0"])
            for option in ({"input": "text"}, {"input": 5}, {"output": 5}, {"arguments": "ab"},
                           {"arguments": [5]}, {"options": "-O1"}, {"timing": 5}, {"directory": 5},
                           {"isa": 5}, {"base": "0"}, {"memory": "1M"}):
                with self.assertRaises(TypeError, msg=option) as caught:
                    ztl.Machine(LOOP, **option)
                self.assertIsInstance(caught.exception, ztl.Error)
            for program in (5, None):
                self.assertRaises(TypeError, ztl.Machine, program)
            with self.assertRaisesRegex(ztl.Error, "^program.s: Assembler messages:\nprogram.s:2: "):
                ztl.Machine("_start:\n nothing\n")
        machine = ztl.Machine(LOOP)
        for bad, kind in ((-1, ValueError), (1.5, TypeError), ("9", TypeError)):
            self.assertRaises(kind, machine.run, bad)
            self.assertRaises(kind, machine.events, bad)
            self.assertRaises(kind, machine.watch_memory, 0x80000000, bad)
        self.assertRaises(KeyError, machine.break_at, "nothing")
        self.assertRaises(TypeError, machine.break_at, None)

    def test_freed(self):
        machine = ztl.Machine(LOOP, stats=True, timing="four")
        machine.watch(lambda event: None)
        machine.run(10)
        handle, program = weakref.ref(machine._handle), weakref.ref(machine._program)
        view = machine.memory.view(0x80000000, 4)
        machine.close()
        self.assertRaises(ztl.Error, machine.run)
        self.assertRaises(ztl.Error, machine.step)
        self.assertRaises(ztl.Error, machine.watch, print)
        del machine
        gc.collect()
        self.assertIsNotNone(handle())
        del view
        gc.collect()
        self.assertIsNone(handle())
        self.assertIsNone(program())


class Onnx(unittest.TestCase):
    def test_report(self):
        # An independent model writer; the plan of this transpose is worked out in ops/README.md.
        from onnx import TensorProto, helper
        graph = helper.make_graph(
            [helper.make_node("Transpose", ["x"], ["y"], perm=[0, 2, 3, 1])], "g",
            [helper.make_tensor_value_info("x", TensorProto.INT8, [1, 64, 56, 56])],
            [helper.make_tensor_value_info("y", TensorProto.INT8, [1, 56, 56, 64])])
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)])
        made.ir_version = 8
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.onnx"
            path.write_bytes(made.SerializeToString())
            report = ztl.onnx.report(path)
        self.assertEqual((report["total"]["ztl"], report["total"]["lower_bound"]), (588, 392))

    def test_no_path(self):
        self.assertRaises(TypeError, ztl.onnx.report, 5)

    def test_no_model(self):
        with self.assertRaisesRegex(ztl.Error, "none.onnx"):
            ztl.onnx.report("none.onnx")


unittest.main()
