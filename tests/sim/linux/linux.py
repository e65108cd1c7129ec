#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linux programs on the simulator: their system calls answer what QEMU's do, and reach nothing that
was not handed over.

usage: linux.py ZTL SOURCE_FOLDER [TEST...]"""
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

ZTL, HERE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BARE = ["-static", "-O1", "-nostdlib", "-ffreestanding", "-fno-builtin", "-march=rv64imac",
        "-mabi=lp64"]


def build(out, *arguments):
    subprocess.run(["riscv64-linux-gnu-gcc", "-Wall", "-Werror", *arguments, "-o", out], check=True)
    return out


def execute(*command, stdin=b"", cwd=None):
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def run(*arguments, stdin=b"", cwd=None):
    return execute(ZTL, "run", *arguments, stdin=stdin, cwd=cwd)


class Linux(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.calls = build(str(cls.folder / "calls"), *BARE, os.path.join(HERE, "calls.c"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def make_directory(self, name):
        top = self.folder / name
        (top / "sub").mkdir(parents=True)
        (top / "data").write_text("hello, file\n")
        (self.folder / "secret").write_text("secret\n")
        (top / "link").symlink_to("../secret")
        (top / "sub/link").symlink_to("../../secret")
        (top / "away").symlink_to("..")
        os.mkfifo(top / "pipe")
        return str(top)

    def test_answers_as_qemu(self):
        """Wild pointers, numbers of no file, memory, time: call by call the same results."""
        for what in "pm":
            status, out, err = execute("qemu-riscv64", self.calls, what)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual(run(self.calls, "--", what), (0, out, ""))
            self.assertGreater(out.count("\n"), 30)

    def test_files_as_qemu(self):
        there, here = self.make_directory("there"), self.make_directory("here")
        status, out, _ = execute("qemu-riscv64", self.calls, "f", cwd=there)
        self.assertEqual(status, 0)
        self.assertEqual(run("--dir", here, self.calls, "--", "f"), (0, out, ""))
        for top in there, here:
            self.assertEqual(sorted(os.listdir(top + "/sub")), ["link"])

    def test_changes_of_files_as_qemu(self):
        """Rights, times, links, sizes, locks and devices; what is followed stays below the root."""
        program = build(str(self.folder / "files"), "-static", "-O1", os.path.join(HERE, "files.c"))
        outs = []
        for place, command in ("qemu", ["qemu-riscv64"]), ("here", [ZTL, "run", "--dir", "."]):
            top = self.folder / f"files-{place}"
            top.mkdir()
            status, out, err = execute(*command, program, cwd=top)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual(os.listdir(top), [])
            outs.append(out)
        self.assertEqual(outs[1].splitlines(), outs[0].splitlines())
        self.assertGreater(outs[0].count("\n"), 100)
        numbers = [run(*options, program, "--", "/dev/random")[1].splitlines()[-1]
                   for options in ([], [], ["--seed", "5"])]
        self.assertEqual(numbers[0], numbers[1])
        self.assertNotEqual(numbers[0], numbers[2])

    def test_filesystem_of_cpp(self):
        program = str(self.folder / "folders")
        subprocess.run(["riscv64-linux-gnu-g++", "-static", "-O1", "-std=c++17", os.path.join(HERE, "folders.cpp"), "-o",
                        program], check=True)
        outs = []
        for place, command in ("qemu", ["qemu-riscv64"]), ("here", [ZTL, "run", "--dir", "."]):
            top = self.folder / f"folders-{place}"
            top.mkdir()
            status, out, err = execute(*command, program, cwd=top)
            self.assertEqual((status, err, os.listdir(top)), (0, "", []))
            outs.append(out)
        self.assertEqual(outs[1].splitlines(), outs[0].splitlines())

    def test_links_lead_nowhere_else(self):
        """Links that somebody else made: absolute ones start at the root, others end there."""
        top = self.folder / "jail"
        (top / "etc").mkdir(parents=True)
        (top / "etc/passwd").write_text("of the root\n")
        (self.folder / "outside").write_text("secret\n")
        (top / "absolute").symlink_to("/etc/passwd")
        (top / "above").symlink_to("../outside")
        (top / "etc/deep").symlink_to("../../outside")
        (top / "host").symlink_to(str(self.folder / "outside"))
        (top / "folder").symlink_to("..")
        source = self.folder / "cat.c"
        source.write_text("#include <stdio.h>\n#include <errno.h>\nint main(int n, char **w) {\n"
                          "    for (int i = 1; i < n; i++) {\n        char line[80];\n"
                          "        FILE *f = fopen(w[i], \"r+\");\n        errno = f ? 0 : errno;\n"
                          "        printf(\"%s %d %s\\n\", w[i], errno, f ? fgets(line, 80, f) : \"\");\n"
                          "    }\n}\n")
        program = build(str(self.folder / "cat"), "-static", str(source))
        _, out, _ = run("--dir", str(top), program, "--", "absolute", "above", "etc/deep", "host", "folder/outside")
        self.assertEqual(out, "absolute 0 of the root\n\nabove 13 \netc/deep 13 \nhost 2 \nfolder/outside 13 \n")
        self.assertEqual((self.folder / "outside").read_text(), "secret\n")

    def test_rv32(self):
        """The calls that RV32 has its own of, and structures of its words."""
        program = build(str(self.folder / "narrow"), "-static", "-O1", "-nostdlib", "-ffreestanding", "-fno-builtin",
                        "-march=rv32imac_zicsr", "-mabi=ilp32", "-Wl,-melf32lriscv,--no-relax",
                        os.path.join(HERE, "narrow.c"))
        outs = []
        for place, command in ("qemu", ["qemu-riscv32", program]), ("here", [ZTL, "run", "--dir", ".", program, "--"]):
            top = self.folder / f"narrow-{place}"
            top.mkdir()
            status, out, err = execute(*command, "a", "word", cwd=top)
            self.assertEqual((status, err, os.listdir(top)), (9, "", []))
            outs.append(out)
        self.assertEqual(outs[1].splitlines(), outs[0].splitlines())
        self.assertGreater(outs[0].count("\n"), 50)

    def test_huge_sizes_as_linux(self):
        """Sizes near 2^64 move nothing and unmap nothing. Where QEMU 7.2 has checks of its own before
        it asks the kernel, Linux's answer is written down."""
        top = self.make_directory("huge")
        status, expected, _ = execute("qemu-riscv64", self.calls, "h", cwd=top)
        self.assertEqual(status, 0)
        for qemu, linux in ((r"^(mremap[\w, ]*) -12$", r"\1 -22"), ("^madvise 0$", "madvise -12"),
                            ("^readlinkat -14$", "readlinkat -22"), ("^getcwd 0$", "getcwd 1"),
                            ("^not moved\nwritev 10$", "writev -14")):
            expected, count = re.subn(qemu, linux, expected, flags=re.M)
            self.assertGreater(count, 1)
        self.assertEqual(run("--dir", top, self.calls, "--", "h"), (0, expected, ""))

    def test_nothing_without_a_directory(self):
        _, out, err = run(self.calls, "--", "f", cwd=self.make_directory("none"))
        self.assertEqual(err, "")
        self.assertIn("open -13\n", out)
        self.assertIn("create -13\n", out)
        self.assertEqual(os.listdir(self.folder / "none/sub"), ["link"])

    def test_cannot_leave(self):
        top = self.make_directory("confined")
        status, out, err = run("--dir", top, self.calls, "--", "l")
        self.assertEqual(status, 0)
        places = out.split("cwd")[0]
        for line in places.splitlines()[1:]:
            words = line.rsplit(" ", 1)
            if len(words) == 2 and words[0] in ("open", "unlink"):
                self.assertLess(int(words[1]), 0, out)
            elif len(words) == 2:
                self.assertEqual(words[1], "1", out)
        self.assertEqual((self.folder / "secret").read_text(), "secret\n")
        self.assertIn("/sub out -13\nshared -19\n", out)
        self.assertIn("pieces end 1\nno hole can be made -12\nso all is there 7\n", out)
        self.assertEqual(err.count("(clone with flags 0x100) is not served: ENOSYS"), 1, err)
        for name in "5000 (unknown)", "6000 (unknown)", "-1 (unknown)", "0 (io_setup)":
            self.assertEqual(err.count(f"system call {name} is not served: ENOSYS"), 1, err)
        self.assertEqual(err.count("\n"), 5, err)

    def test_limit_of_the_size_of_files(self):
        """That of the shell is an error of the call; the run goes on, and its counts are written."""
        top = self.make_directory("limited")
        most = 100000
        done = subprocess.run([ZTL, "run", "--dir", top, "--stats", self.calls, "--", "g"],
                              capture_output=True, text=True, timeout=120, preexec_fn=lambda:
                              resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        self.assertEqual((done.returncode, done.stdout.split("\n", 1)[1]),
                         (0, f"size {most}\nthen -27\ntruncate -27\n"), done.stderr)
        self.assertIn("system", done.stderr)

    def test_environment_is_by_option(self):
        self.assertEqual(run(self.calls, "--", "e"), (0, "arguments 2\n", ""))
        self.assertEqual(run("--env", "A=b c", "--env=D=", self.calls, "--", "e", "with a space"),
                         (0, "arguments 3\nA=b c\nD=\n", ""))

    def test_deaths(self):
        for what, status, message in (("s", 139, "trap: store access fault (SIGSEGV) at 0x"),
                                      ("n", 139, "trap: load access fault (SIGSEGV) at 0x"),
                                      ("j", 139, "instruction access fault (SIGSEGV) at 0x"),
                                      ("a", 134, "ended by SIGABRT at 0x"), ("x", 77, "")):
            got, out, err = run(self.calls, "--", what)
            self.assertEqual((got, out), (status, "arguments 2\n"), err)
            self.assertIn(message, err)
            self.assertEqual(execute("qemu-riscv64", self.calls, what)[0], -(status - 128)
                             if status > 128 else status)

    def test_signals(self):
        """Handlers are called as QEMU's are; a signal without one ends the program."""
        program = build(str(self.folder / "signals"), "-static", "-O2", os.path.join(HERE, "signals.c"))
        status, out, err = execute("qemu-riscv64", program)
        self.assertEqual((status, err), (5, ""))
        self.assertIn("call 4: signal 12 code -6, mine 1, blocked 0 before 0\n", out)
        for options in [], ["--stats=/dev/null"], ["--engine", "qemu"]:
            self.assertEqual(run(*options, program), (5, out, ""))
        for number, name in (1, "SIGHUP"), (9, "SIGKILL"), (15, "SIGTERM"), (13, "SIGPIPE"):
            status, said, err = run(program, "--", str(number))
            self.assertEqual((status, said), (128 + number, out))
            self.assertIn(f"ended by {name} at 0x", err)
            self.assertEqual(execute("qemu-riscv64", program, str(number))[0], -number)

    def test_frames_without_room(self):
        """A handler that cannot have its frame, or may not be called, is not waited for. QEMU 7.2 goes
        its own way with faults of instructions; of them, what Linux does is written down."""
        source = os.path.join(HERE, "frames.c")
        program = build(str(self.folder / "frames"), "-static", "-O1", "-fno-optimize-sibling-calls", source)
        caught = (6, "signal 11 code 128\n")
        of_linux = {"illegal": (-11, ""), "illegal, caught": caught, "illegal, caught once": caught}
        cases = re.findall(r'CASE\("(.*)"\)', pathlib.Path(source).read_text())
        self.assertGreater(len(cases), 15)
        for case in cases:
            with self.subTest(case):
                expected = of_linux.get(case) or execute("qemu-riscv64", program, case)[:2]
                status, out, err = run("--max-insns", "10000000", program, "--", case)
                self.assertEqual((status if status < 128 else 128 - status, out), expected, err)
                self.assertEqual("SIGSEGV" in err, expected[0] < 0, err)
        for case, message in (("own stack, not deferred", "room on the stack for the frame of SIGSEGV's handler,"),
                              ("sent", "frame of SIGUSR1's handler, which ends it by SIGSEGV: sp is 0x40\n"),
                              ("illegal", "frame of SIGILL's handler, which ends it by SIGSEGV: sp is 0x40\n"),
                              ("return", "no frame on the stack for a signal handler to return by, which ")):
            self.assertIn(message, run(program, "--", case)[2])

    def test_unmarked(self):
        """What as and ld make alone could be a program of bare metal: the trap says what marks it."""
        source = self.folder / "bare.s"
        source.write_text(".globl _start\n_start: li a0, 42\n li a7, 93\n ecall\n")
        objects, program = str(self.folder / "bare.o"), str(self.folder / "bare")
        subprocess.run(["riscv64-linux-gnu-as", source, "-o", objects], check=True)
        subprocess.run(["riscv64-linux-gnu-ld", objects, "-o", program], check=True)
        status, _, err = run(program)
        self.assertEqual(status, 120)
        self.assertIn("environment call from machine mode", err)
        self.assertIn("link it with -z noexecstack\n", err)
        subprocess.run(["riscv64-linux-gnu-ld", "-z", "noexecstack", objects, "-o", program], check=True)
        for engine in "sim", "qemu":
            self.assertEqual(run("--engine", engine, program), (42, "", ""))

    def test_code_on_the_stack(self):
        """A function within a function is called through code on the stack, where its file asks."""
        source = self.folder / "nested.c"
        source.write_text("static int twice(int (*get)(void)) { return 2 * get(); }\n"
                          "int main(int count, char **word)\n{\n    (void)word;\n"
                          "    int inner(void) { return count + 2; }\n"
                          "    int (*volatile get)(void) = inner;\n    return twice(get);\n}\n")
        program = build(str(self.folder / "nested"), "-static", "-Wl,-z,execstack", str(source))
        for command in ["qemu-riscv64"], [ZTL, "run"], [ZTL, "run", "--engine", "qemu"]:
            self.assertEqual(execute(*command, program), (6, "", ""))
        program = build(str(self.folder / "plain"), "-static", "-Wl,-z,noexecstack", str(source))
        status, _, err = run(program)
        self.assertEqual(status, 139)
        self.assertIn("instruction access fault (SIGSEGV)", err)

    def test_position_independent(self):
        """A program that relocates itself, by what the kernel tells it; a library is none."""
        options = ["-static-pie", "-Wl,--no-dynamic-linker", "-g", "-fno-stack-protector", *BARE[1:]]
        program = build(str(self.folder / "pie"), *options, os.path.join(HERE, "pie.c"))
        said = "these texts are found by relocation\nmoved\nentry\nno interpreter\n"
        self.assertEqual(execute("qemu-riscv64", program), (5, said, ""))
        for engine in "sim", "qemu":
            self.assertEqual(run("--engine", engine, program), (5, said, ""))
            status, out, err = run("--engine", engine, program, "--", "fault")
            self.assertEqual((status, out), (139, said))
        status, out, err = run("--dump", "pc", "--dump-at", "begin", program, "--", "fault")
        self.assertRegex(out, r"^at 0x2aaaa00\w\w\w \(begin\)\npc 0x0000002aaaa00\w\w\w\nthese texts")
        self.assertRegex(err, r"store access fault \(SIGSEGV\) at 0x2aaaa00\w\w\w \(begin\+0x")
        self.assertRegex(err, r"#0 begin at .*pie.c:\d+\n")
        server = subprocess.Popen([ZTL, "run", "--gdb", "unix:pie-socket", program], cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with server:
            server.stderr.readline()
            _, out, _ = execute("gdb-multiarch", "-q", "-nx", "-batch", program, "-ex", "target remote pie-socket",
                                "-ex", "break relocate", "-ex", "continue", "-ex", "backtrace", "-ex", "kill",
                                cwd=self.folder)
        self.assertRegex(out, r"#0  relocate .*pie.c:\d+\n#1  begin .*pie.c:\d+\n")
        image = bytearray(pathlib.Path(program).read_bytes())
        start, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
        last = [at for at in range(start, start + 56 * count, 56) if image[at] == 1][-1]
        struct.pack_into("<QQ", image, last + 16, 2**64 - 0x3000, 2**64 - 0x3000)
        (self.folder / "high").write_bytes(image)
        self.assertIn("leaves the address space", run(str(self.folder / "high"))[2])
        library = build(str(self.folder / "library.so"), "-shared", "-fPIC", "-x", "c", "-nostdlib", os.devnull)
        for engine in "sim", "qemu":
            self.assertEqual(run("--engine", engine, library)[::2],
                             (1, f"ztl run: {library}: is a shared library; programs are run\n"))

    def test_of_libraries(self):
        """What C and C++ libraries ask of a system; one answer for all engines."""
        c = build(str(self.folder / "library"), "-static", "-O1", os.path.join(HERE, "library.c"), "-lm")
        cpp = str(self.folder / "sorted")
        subprocess.run(["riscv64-linux-gnu-g++", "-static", "-O1", os.path.join(HERE, "sorted.cpp"), "-o", cpp],
                       check=True)
        text = b"some words and some more words\nin two lines"
        for program, status in (c, 7), (cpp, 134):
            outs = []
            for place in "alone", "sim", "qemu":
                top = self.folder / f"{os.path.basename(program)}-{place}"
                (top / "tmp").mkdir(parents=True)
                command = {"alone": ["env", "-i", "WORD=one", "qemu-riscv64"],
                           "sim": [ZTL, "run", "--dir", str(top), "--env", "WORD=one"],
                           "qemu": [ZTL, "run", "--engine", "qemu", "--env=WORD=one"]}[place]
                got, out, err = execute(*command, program, stdin=text, cwd=top)
                self.assertIn(got, (status, 128 - status), err)
                outs.append(out)
                self.assertEqual(os.listdir(top), ["tmp"])
            self.assertEqual(outs, outs[:1] * 3)

    def test_threads(self):
        """Threads that take turns: what QEMU prints, and the same trace in every run."""
        program = str(self.folder / "threads")
        subprocess.run(["riscv64-linux-gnu-g++", "-static", "-O1", "-Wall", "-Werror", os.path.join(HERE, "threads.cpp"),
                        "-o", program], check=True)
        status, out, err = execute("qemu-riscv64", program)
        self.assertEqual((status, err), (0, ""))
        for options in [], ["--stats=/dev/null"], ["--mem", "256M", "--seed", "3"]:
            self.assertEqual(run(*options, program), (0, out, ""))
        source = self.folder / "turns.cpp"
        source.write_text("#include <thread>\n#include <cstdio>\nint main()\n{\n    volatile int n = 0;\n"
                          "    auto work = [&] { for (int i = 0; i < 40000; i++) n = n + 1; };\n"
                          "    std::thread a(work), b(work);\n    a.join();\n    b.join();\n    printf(\"%d\\n\", n);\n}\n")
        racing = str(self.folder / "turns")
        subprocess.run(["riscv64-linux-gnu-g++", "-static", "-O1", str(source), "-o", racing], check=True)
        plain = run(racing)
        self.assertNotEqual(plain[1], "80000\n")  # they do take turns while they count
        traces = []
        for number in "12":
            trace = self.folder / f"trace{number}"
            self.assertEqual(run("--trace", str(trace), racing), plain)
            traces.append(trace.read_bytes())
        self.assertEqual(traces[0], traces[1])
        self.assertEqual(set(re.findall(rb"^core +(\d+): ", traces[0], re.M)), {b"0", b"1", b"2"})
        run("--trace", str(self.folder / "json"), "--trace-format", "json", racing)
        self.assertIn('"thread":2}\n', (self.folder / "json").read_text())
        run("--trace", str(self.folder / "csv"), "--trace-format", "csv", racing)
        self.assertEqual({line.rsplit(",", 1)[1] for line in (self.folder / "csv").read_text().splitlines()},
                         {"thread", "", "1", "2"})

    def test_own_tensor_registers(self):
        """Each thread has its own tensor registers and CSRs of Ztl."""
        source = self.folder / "tensors.c"
        source.write_text("""
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
static pthread_barrier_t barrier;
static void *work(void *argument)
{
    uint8_t in[8], out[8];
    uintptr_t number = (uintptr_t)argument;
    for (int i = 0; i < 8; i++)
        in[i] = (uint8_t)(16 * number + i);
    uintptr_t shape = 1 << 16 | 1 << 8 | (4 + number % 4), told;
    __asm__ volatile("csrw tshape, %1; tl.load tl1, 0(%0)" : : "r"(in), "r"(shape) : "memory");
    pthread_barrier_wait(&barrier);
    for (int k = 0; k < 10; k++) {
        __asm__ volatile("tl.addi tl1, tl1, 1");
        sched_yield();
    }
    __asm__ volatile("tl.store tl1, 0(%1); csrr %0, tshape" : "=r"(told) : "r"(out) : "memory");
    return (void *)(uintptr_t)(out[0] == (uint8_t)(in[0] + 10) && out[3] == (uint8_t)(in[3] + 10) && told == shape);
}
int main(void)
{
    pthread_t thread[5];
    pthread_barrier_init(&barrier, NULL, 5);
    for (uintptr_t i = 0; i < 5; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < 5; i++) {
        void *good;
        pthread_join(thread[i], &good);
        printf("%d", good != NULL);
    }
    puts("");
    return 0;
}
""".replace("#include <pthread.h>", "#include <pthread.h>\n#include <sched.h>"))
        program = str(self.folder / "tensors")
        subprocess.run([ZTL, "cc", "--linux", "-static", "-O1", str(source), "-o", program], check=True)
        for options in [], ["--stats=/dev/null"]:
            self.assertEqual(run(*options, program), (0, "11111\n", ""))

    def test_waits_for_ever(self):
        """Who waits for what never comes is told so, instead of waiting."""
        program = build(str(self.folder / "waits"), "-static", "-O1", os.path.join(HERE, "waits.c"))
        for what, message in (("locks", r"thread 0 waits for a futex at 0x\w+, as 1 other waits for what never comes"),
                              ("pause", "thread 0 waits for a signal"),
                              ("signal", "thread 0 waits for a signal"),
                              ("pipe", "thread 0 waits for a pipe that nothing is written to")):
            status, out, err = run(program, "--", what)
            self.assertEqual((status, out), (121, "waits\n"), err)
            self.assertRegex(err, "^ztl run: " + message + ": nobody is left to end that\nztl run: asleep for ever at .*")
            if what != "locks":  # in code of the C library that has no table
                self.assertRegex(err, r"#\d+ main\+")
        self.assertEqual(run(program, "--", "alarm")[0], 128 + 14)
        status, out, err = run(program, "--", "process")
        self.assertEqual((status, out), (0, "waits\nfork -1\n"))
        self.assertIn("a process that makes another one (clone with flags 0x1200011) is not served: ENOSYS", err)

    def test_debugger_lists_threads(self):
        program = str(self.folder / "listed")
        source = self.folder / "listed.c"
        source.write_text("#include <pthread.h>\nstatic pthread_barrier_t all;\nstatic int here(int n) { return n + 1; }\n"
                          "static void *work(void *n)\n{\n    pthread_barrier_wait(&all);\n"
                          "    return (void *)(long)here((int)(long)n);\n}\nint main(void)\n{\n    pthread_t t[2];\n"
                          "    pthread_barrier_init(&all, 0, 3);\n    pthread_create(&t[0], 0, work, (void *)10);\n"
                          "    pthread_create(&t[1], 0, work, (void *)20);\n    pthread_barrier_wait(&all);\n"
                          "    pthread_join(t[0], 0);\n    pthread_join(t[1], 0);\n    return 3;\n}\n")
        build(program, "-static", "-O0", "-g", str(source))
        server = subprocess.Popen([ZTL, "run", "--gdb", "unix:threads-socket", program], cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with server:
            server.stderr.readline()
            _, out, _ = execute("gdb-multiarch", "-q", "-nx", "-batch", program, "-ex", "target remote threads-socket",
                                "-ex", "break here", "-ex", "continue", "-ex", "info threads", "-ex", "print n",
                                "-ex", "thread 1", "-ex", "backtrace", "-ex", "continue", "-ex", "print n", "-ex", "step",
                                "-ex", "delete", "-ex", "continue", cwd=self.folder)
        self.assertEqual(len(re.findall(r"^[* ] +\d+ +Thread \d+", out, re.M)), 3, out)
        self.assertEqual(sorted(re.findall(r"^\$\d = (\d+)", out, re.M)), ["10", "20"], out)
        self.assertRegex(out, r"#\d+ .* main \(\) at .*listed.c:1[45]")
        self.assertIn("exited with code 03", out)

    def test_limits_and_views(self):
        self.assertEqual(run("--max-insns", "100", self.calls, "--", "p")[0], 122)
        status, _, err = run("--stats", "--timing", "four", self.calls, "--", "e")
        self.assertEqual(status, 0)
        self.assertIn("instructions", err)
        status, _, _ = run("--trace", str(self.folder / "trace"), self.calls, "--", "e")
        self.assertEqual(status, 0)
        first = (self.folder / "trace").read_text().splitlines()[0]
        self.assertRegex(first, r"^core +0: 0 0x000000000001\w")

    def test_ordinary_program(self):
        """As the compiler makes it by default; both engines, and QEMU alone."""
        program = build(str(self.folder / "program"), "-static", "-O2",
                        os.path.join(HERE, "program.c"), "-lm")
        top, said = self.folder / "ordinary", "to standard error\n"
        top.mkdir()
        status, out, err = execute("qemu-riscv64", "-U", "WORD", program, "an argument",
                                   stdin=b"one\ntwo\n", cwd=top)
        self.assertEqual((status, err), (42, said))
        self.assertIn("read two\n", out)
        self.assertEqual(run("--dir", str(top), program, "--", "an argument", stdin=b"one\ntwo\n"),
                         (42, out, said))
        self.assertEqual(run("--engine", "qemu", program, "--", "an argument", stdin=b"one\ntwo\n",
                             cwd=top), (42, out, said))
        self.assertEqual(os.listdir(top), [])
        status, out, _ = run(program, cwd=top)
        self.assertEqual((status, out.splitlines()[-1]), (3, "kept.txt: Permission denied"))
        status, out, err = run("--dir", str(top), "--env", "WORD=given", program, "--", "a", "b")
        self.assertEqual(status, 134)
        self.assertIn("given on\n", out)
        self.assertRegex(err, r"ended by SIGABRT at 0x\w+\n(.*\n)*.*#\d+ abort")

    def test_stripped_and_others(self):
        """A program of Linux is found as one whatever was taken out of it, on both engines."""
        hello = self.folder / "hello.cpp"
        hello.write_text("#include <iostream>\n#include <stdexcept>\nint main()\n{\n"
                         "    try { throw std::runtime_error(\"caught\"); }\n"
                         "    catch (const std::exception &e) { std::cout << e.what() << 1.5; }\n}\n")
        for options in [], ["-s"], ["-Wl,--build-id=none"], ["-Wl,-z,noseparate-code", "-s"]:
            out = str(self.folder / "hello")
            subprocess.run(["riscv64-linux-gnu-g++", "-static", "-O1", *options, str(hello), "-o",
                            out], check=True)
            for engine in "sim", "qemu":
                self.assertEqual(run("--engine", engine, out), (0, "caught1.5", ""))
        image = bytearray(pathlib.Path(out).read_bytes())  # now only a section has the note
        start, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
        for at in range(start, start + 56 * count, 56):
            if struct.unpack_from("<I", image, at)[0] in (4, 0x6474e551):
                struct.pack_into("<I", image, at, 0)
        pathlib.Path(out).write_bytes(image)
        self.assertEqual(run(out), (0, "caught1.5", ""))

    def test_tensor_instructions(self):
        """Ztl loads and stores go by the rights of pages, by pointer and one by one."""
        source = self.folder / "tensor.s"
        source.write_text(".globl _start\n_start:\n    la a0, data\n    li t0, 1 << 16 | 1 << 8 | 8\n"
                          "    csrw tshape, t0\n    tl.load tl1, 0(a0)\n    tl.addi tl1, tl1, 1\n"
                          "    addi a2, a0, 32\n    tl.store tl1, 0(a2)\n    lbu a0, 33(a0)\n    ld t1, 0(sp)\n"
                          "    li t2, 1\n    beq t1, t2, 1f\n    la a1, fixed\n"
                          "    tl.store tl1, 0(a1)\n1:  li a7, 93\n    ecall\n"
                          "    .section .rodata\nfixed: .zero 64\n"
                          "    .data\ndata: .byte 5, 6, 7, 8\n    .zero 60\n")
        program = str(self.folder / "tensor")
        subprocess.run([ZTL, "cc", "--linux", "-static", "-nostdlib", str(source), "-o", program],
                       check=True)
        for options in [], ["--stats"]:
            self.assertEqual(run(*options, program)[0], 7)
            status, _, err = run(*options, program, "--", "more")
            self.assertEqual(status, 139)
            self.assertRegex(err, r"store access fault \(SIGSEGV\) at 0x\w+ \(_start")

    def test_manual_lists_the_calls(self):
        top = pathlib.Path(HERE).parents[2]
        served = re.findall(r"^SERVED\(\d+, (\w+)\)", (top / "sim/linux/syscalls.def").read_text(),
                            flags=re.M)
        section = (top / "doc/linux.md").read_text().split("## System calls\n")[1].split("\n\n")[0]
        listed = [name for row in section.splitlines()[2:] for name in row.split("|")[2].split()]
        self.assertEqual(sorted(listed), sorted(served))

    def test_same_every_time(self):
        self.assertEqual(run(self.calls, "--", "m"), run(self.calls, "--", "m"))

    def test_refusals(self):
        for arguments, message in (
                (["--env", "A", self.calls], "--env: 'A' is not NAME=VALUE"),
                (["--seed", "x", self.calls], "--seed: 'x' is not a number"),
                (["--clock", "x", self.calls], "'x' is not insns or host"),
                (["--mem", "0x1000:1G", self.calls], "its memory has only a size, as in --mem 1G"),
                (["--mem", "1M", self.calls], "needs more memory than 0x100000 bytes"),
                (["--engine", "qemu", "--env", "A=b,c", self.calls], "'A=b,c' has a comma"),
                (["--engine", "qemu", "--clock", "host", self.calls], "programs on the simulator; QEMU's have"),
                (["--engine", "qemu", "--seed", "5", self.calls], "Linux programs on the simulator")):
            status, out, err = run(*arguments)
            self.assertIn(status, (1, 2))
            self.assertIn(message, err)
            self.assertEqual(out, "")
        source = self.folder / "bare.s"
        source.write_text(".globl _start\n_start: j _start\n")
        status, _, err = run("--env", "A=b", str(source))
        self.assertIn("--env is for Linux programs", err)
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
