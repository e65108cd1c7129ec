#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A real gdb debugs a program on the hart: gdb.py ZTL ZTL_PY BUILD_DIR"""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

import processes

BUILD = sys.argv.pop()
SCRIPT = sys.argv.pop()
ZTL = sys.argv.pop()

PROGRAM = """
    .globl _start
_start:
    li a0, 0x01014020
    la a1, data
    li a2, 0x202001
    csrw 0x800, a2
    .insn r 0x5b, 0, 0, a1, x1, x0
    .insn r 0x5b, 0, 1, a1, x2, x0
here:
    .insn r 0x5b, 3, 1, a0, x1, x2
after:
    la t0, data
    sw a0, 4(t0)
watched:
    lw t1, 8(t0)
    csrw 0x840, zero
loop:
    addi t2, t2, 1
    j loop
    .data
    .balign 4
    .globl data
data:
    .set i, 0
    .rept 2048
    .byte i % 251
    .set i, i + 1
    .endr
"""


def image(n):
    """Byte n of the data above."""
    return n % 251


class Debugging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=BUILD)
        cls.elves = {}
        for xlen, abi in ((32, "ilp32"), (64, "lp64")):
            source = os.path.join(cls.folder.name, "p.s")
            elf = os.path.join(cls.folder.name, f"p{xlen}.elf")
            with open(source, "w") as out:
                out.write(PROGRAM)
            subprocess.run(
                ["riscv64-unknown-elf-gcc", "-g", "-nostdlib", "-static", "-Wl,-n,--no-warn-rwx-segments", "-Ttext=0x80000000",
                 f"-march=rv{xlen}imac_zicsr", f"-mabi={abi}", source, "-o", elf], check=True)
            cls.elves[xlen] = elf

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, xlen=64, where="unix:socket", arguments=(), base="imac_zicsr"):
        """The name of the socket is relative: the folder's may be too long for one."""
        server = subprocess.Popen(
            [ZTL, "run", "--isa", f"rv{xlen}{base}_ztl", "--gdb", where, *arguments,
             self.elves[xlen]],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        line = server.stderr.readline()
        self.assertIn("gdb", line, "the place to connect to is announced")
        place = next(word for word in line.split() if "socket" in word or ":" in word[:-1])
        return server, place.rstrip(".,;")

    def gdb(self, commands, xlen=64, **options):
        server, place = self.start(xlen, **options)
        self.server = server
        return self.gdb_at(place, commands, xlen)

    def gdb_at(self, place, commands, xlen=64):
        arguments = ["gdb-multiarch", "-q", "-nx", "-batch", self.elves[xlen],
                     "-ex", f"source {SCRIPT}", "-ex", f"target remote {place}"]
        for command in commands:
            arguments += ["-ex", command]
        run = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=300, stdin=subprocess.DEVNULL,
                             cwd=self.folder.name)
        self.server.wait(timeout=300)
        return run.stdout

    def test_registers_and_mnemonics(self):
        for xlen in (32, 64):
            text = self.gdb(["break here", "continue", "x/1i $pc", "p $tl1.u8[5]", "p $tl1.i16[5]",
                             "p/x $tshape", "p/x $a0", "stepi", "p $tl1.u8[1]",
                             "set $tl3.u8[0]=7", "p $tl3.u32[0]", "p/x $tl_load_stride5",
                             "set $ttype = 2", "p $ttype", "p/x $pc == &after", "p $tl2.u8",
                             "kill"], xlen)
            self.assertIn("tl.xpose.01 tl1, tl2, a0", text)
            self.assertIn(f"$1 = {image(5)}", text)
            self.assertIn(f"$2 = {image(10) | image(11) << 8}", text)
            self.assertIn("$3 = 0x202001", text)
            self.assertIn("$4 = 0x1014020", text)
            self.assertIn(f"$5 = {image(64)}", text)
            self.assertIn("$6 = 7", text)
            self.assertIn("$7 = 0x5", text)
            self.assertIn("$8 = 2", text)
            self.assertIn("$9 = 0x1", text)
            self.assertIn("$10 = {32, 96, 160, 224, 37, ", text)

    def test_floating_point(self):
        for xlen in (32, 64):
            text = self.gdb(["break here", "continue", "set $fa0.double = 2.5", "p $fa0.double",
                             "p/x $fa0", "set $ft11.float = -1.5", "p $ft11.float",
                             "set $frm = 3", "p $fcsr", "p $tl1.u8[5]", "p/x $mstatus & 0x6000",
                             "info registers float", "kill"], xlen, base="gc")
            self.assertIn("$1 = 2.5", text)
            self.assertIn("double = 0x4004000000000000", text)
            self.assertIn("$3 = -1.5", text)
            self.assertIn("$4 = 96", text)
            self.assertIn(f"$5 = {image(5)}", text)
            self.assertIn("$6 = 0x6000", text)
            self.assertIn("fa0            {float = 0, double = 2.5}", text)
            text = self.gdb(["break here", "continue", "set $fa0 = 2.5", "p $fa0", "set $fcsr = 0x41",
                             "p $frm", "p $fflags", "p/x $tshape", "kill"], xlen, base="imafc_zicsr")
            for line in "$1 = 2.5", "$2 = 2", "$3 = 1", "$4 = 0x202001":
                self.assertIn(line, text)

    def test_watchpoints(self):
        text = self.gdb(["watch *(int *)((char *)&data + 4)", "continue", "p $pc == &watched",
                         "delete", "rwatch *(int *)((char *)&data + 8)", "continue",
                         "p $t1 != 0", "kill"])
        self.assertIn("Hardware watchpoint", text)
        self.assertIn("$1 = 1", text)
        self.assertIn("$2 = 1", text)

    def test_csr_names_in_disassembly(self):
        text = self.gdb(["break watched", "continue", "x/2i $pc", "kill"])
        self.assertIn("tl_load_stride0", text)

    def test_what_is_ztl(self):
        """Words of the contract: the target says ztl and the text, or no."""
        for xlen in (32, 64):
            text = self.gdb(["monitor ztl 0x0220b55b", "monitor ztl 0x80001073", "monitor ztl 30001073",
                             "monitor ztl 0x00000013", "monitor ztl 7fffffffff", "kill"], xlen)
            self.assertIn("ztl tl.xpose.01 tl1, tl2, a0\nztl csrrw zero, tshape, zero\nno\nno\nusage", text)

    def test_load_and_step(self):
        text = self.gdb(["load", "stepi", "p/x $a0", "step", "info line", "detach"],
                        arguments=["--max-insns", "1000"])
        self.assertIn("Loading section .text", text)
        self.assertIn("$1 = 0x1014000", text)

    def test_port_on_loopback(self):
        text = self.gdb(["p $pc == &_start", "kill"], where="0")
        self.assertIn("$1 = 1", text)

    def test_grids(self):
        """The elements are those of gdb's own print."""
        text = self.gdb(["break here", "continue", "tlgrid $tl1 2x3", "tlgrid $tl1+$tl2 2x16x32 int16",
                         "tlgrid tl2", "tlgrid $tl1 0x3", "tlgrid $tl1 4 int9", "tlgrid", "tlgrid $a0",
                         "tlgrid $tl1 9 int8 x", "help tlgrid", "kill"])
        self.assertIn("tl1 [2, 3] byte\n      0  1  2\n  0: 00 01 02\n  1: 03 04 05\n", text)
        pair = text[text.index("tl1+tl2 [2, 16, 32] int16\n"):text.index("tl2 [32, 32] byte\n")]
        places = re.split(r"  \[\d, :, :\]\n", pair)
        self.assertEqual(len(places), 3)
        elements = {}
        for index, place in enumerate(places[1:]):
            for line in place.splitlines():
                label, _, values = line.rpartition(":")
                if not label:
                    columns = list(map(int, line.split()))
                    continue
                for column, value in zip(columns, values.split(), strict=True):
                    elements[index, int(label), column] = int(value)
        self.assertEqual(len(elements), 2 * 16 * 32)
        for (i, j, k), value in elements.items():
            n = 2 * (32 * (16 * i + j) + k)
            self.assertEqual(value & 0xffff, image(n) | image(n + 1) << 8, (i, j, k))
        self.assertLessEqual(max(map(len, pair.splitlines())), 80)
        for message in ("dimension 0 is '0'", "type 'int9' is not", "usage: tlgrid", "register 'a0'"):
            self.assertIn(message, text)
        self.assertIn("tlgrid $tl3 4x8", text)

    def test_reason_of_a_trap(self):
        text = self.gdb(["monitor explain", "set $a0 = 0x04080804", "break here", "continue",
                         "set $a0 = 0x04080804", "stepi", "monitor explain", "kill"])
        self.assertLess(text.index("no trap so far"), text.index("SIGILL"))
        self.assertRegex(text[text.index("SIGILL"):],
                         r"illegal instruction at 0x800000\w\w \(here\)\n"
                         r"(.*\n)* +tl.xpose.01 tl1, tl2, a0    # 0x0220b55b\n"
                         r"(.*\n)*.*SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048")

    def client(self, place):
        """A connection to the server that is no gdb's."""
        if ":" in place:
            client = socket.create_connection(("127.0.0.1", int(place.rpartition(":")[2])), timeout=300)
        else:
            client = socket.socket(socket.AF_UNIX)
            client.connect(os.path.relpath(os.path.join(self.folder.name, place)))
            client.settimeout(300)
        self.addCleanup(client.close)
        return client

    def test_strangers(self):
        """Browsers, scanners and those who say nothing do not keep gdb away, nor end the run."""
        for where in "0", "unix:socket":
            self.server, place = self.start(where=where)
            silent = [self.client(place) for _ in range(10)]
            for request in (b"POST / HTTP/1.1\r\nHost: x\r\n\r\n$Pa=2a00000000000000#c8$k#6b",
                            b"GET / HTTP/1.0\r\n\r\n", b"\x16\x03\x01", b"\0", b"k", b"#", b"\r\n", b""):
                client = self.client(place)
                try:
                    client.sendall(request)
                    client.shutdown(socket.SHUT_WR)
                    self.assertEqual(client.recv(100), b"", request)
                except OSError as error:  # hung up on already
                    self.assertNotIsInstance(error, TimeoutError)
            self.assertIsNone(self.server.poll())
            text = self.gdb_at(place, ["p $pc == &_start", "p $a0", "kill"])
            self.assertIn("$1 = 1", text)
            self.assertIn("$2 = 0", text)
            for client in silent:
                client.close()

    def test_only_the_loopback_interface(self):
        server, place = self.start(where="0")
        port = int(place.rpartition(":")[2])
        with open("/proc/net/tcp") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{port:04X}", listening)
        self.assertNotIn(f"00000000:{port:04X}", listening)

    def socket_path(self):
        return os.path.join(self.folder.name, "socket")

    def test_sockets_go_and_stale_ones_are_replaced(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL, signal.SIGTERM:
            server, _ = self.start()  # after SIGKILL in the place of a stale one
            self.assertEqual(os.stat(self.socket_path()).st_mode & 0o777 & ~0o600, 0)
            server.send_signal(number)
            status = server.wait(timeout=300)
            killed = number == signal.SIGKILL
            self.assertEqual(status, -number if killed else 128 + number)
            self.assertEqual(os.path.exists(self.socket_path()), killed)
        self.gdb(["kill"])
        self.assertFalse(os.path.exists(self.socket_path()))

    def refused(self, message):
        run = subprocess.run([ZTL, "run", "--gdb", "unix:socket", self.elves[64]], capture_output=True,
                             text=True, timeout=300, cwd=self.folder.name)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(message, run.stderr)

    def test_places_of_others_are_left_alone(self):
        self.server, place = self.start()
        self.refused("somebody listens already at socket")
        self.assertIn("$1 = 1", self.gdb_at(place, ["p $pc == &_start", "kill"]))
        with open(self.socket_path(), "w") as out:
            out.write("precious")
        self.refused("there is a file that is no socket at socket")
        with open(self.socket_path()) as text:
            self.assertEqual(text.read(), "precious")
        os.remove(self.socket_path())
        os.symlink("elsewhere", self.socket_path())
        self.refused("no socket at socket")
        os.remove(self.socket_path())
        server, _ = self.start()
        os.remove(self.socket_path())  # what came to its place meanwhile is not ours to remove
        with open(self.socket_path(), "w") as out:
            out.write("precious")
        server.terminate()
        server.wait(timeout=300)
        self.assertTrue(os.path.exists(self.socket_path()))
        os.remove(self.socket_path())

    def packet(self, client, text):
        client.sendall(b"$%s#%02x" % (text, sum(text) % 256))

    def test_limits(self):
        """They hold while nobody comes, while the debugger says nothing, and while it lets run."""
        for word in None, b"", b"c":
            server, place = self.start(arguments=["--timeout", "0.5"])
            if word is not None:
                client = self.client(place)
                client.sendall(b"+")
                if word:
                    self.packet(client, word)
            self.assertEqual(server.wait(timeout=300), 124)
            self.assertIn("stopped by --timeout at 0x800000", server.stderr.read())
            self.assertFalse(os.path.exists(self.socket_path()))
        text = self.gdb(["continue"], arguments=["--max-insns", "100000"])
        self.assertIn("SIGXCPU", text)
        self.assertEqual(self.server.returncode, 122)
        self.assertIn("stopped by --max-insns at 0x800000", self.server.stderr.read())

    def test_end_of_the_connection_while_running(self):
        server, place = self.start()
        client = self.client(place)
        self.packet(client, b"c")
        client.sendall(b"noise$more noise")
        processes.wait_until_busy(server.pid)
        client.close()
        self.assertEqual(server.wait(timeout=300), 1)
        self.assertIn("the debugger is gone", server.stderr.read())

    def test_interrupt(self):
        server, place = self.start()
        gdb = subprocess.Popen(
            ["gdb-multiarch", "-q", "-nx", self.elves[64], "-ex", "set confirm off",
             "-ex", f"target remote {place}", "-ex", "echo going\\n", "-ex", "continue",
             "-ex", "p $t2 > 0", "-ex", "kill", "-ex", "quit"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True, cwd=self.folder.name)
        seen = ""
        while "going" not in seen:
            seen = gdb.stdout.readline()
        processes.wait_until_busy(server.pid)  # the hart is running
        gdb.send_signal(signal.SIGINT)
        text, _ = gdb.communicate(timeout=300)
        self.assertIn("SIGINT", text)
        self.assertIn("$1 = 1", text)

    def test_bad_places(self):
        for where in ("nonsense", "70000", "unix:" + "x" * 200, "unix:/nonexistent/socket"):
            run = subprocess.run([ZTL, "run", "--gdb", where, self.elves[64]], capture_output=True,
                                 text=True, timeout=300)
            self.assertNotEqual(run.returncode, 0, where)
            self.assertIn("ztl run: ", run.stderr)


unittest.main(verbosity=1)
