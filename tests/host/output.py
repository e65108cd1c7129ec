# SPDX-License-Identifier: Apache-2.0
"""Files that commands write: complete or not at all, at the right place, with the right mode."""
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ZTL = sys.argv.pop(1)
A = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
FLIPPED = A[::-1, ::-1, ::-1]
SOURCE = "    .globl _start, begin_signature, end_signature, tohost\n" \
         "_start: li t0, 1\n    la t1, tohost\n    sd t0, 0(t1)\n1:  j 1b\n" \
         "    .data\n    .balign 8\ntohost: .dword 0\n" \
         "begin_signature: .dword 0x1122334455667788\nend_signature:\n"


def ztl(*arguments, **more):
    return subprocess.run([ZTL, *arguments], stderr=subprocess.PIPE, check=False, timeout=60,
                          **{"stdout": subprocess.PIPE, **more})


def flip(*arguments, **more):
    return ztl("op", "flip", "a.npy", *arguments, **more)


def split(*outputs, **more):
    return ztl("op", "split", "a.npy", *(word for name in outputs for word in ("-o", name)), **more)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def fill(path, text=b"before"):
    with open(path, "wb") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def restore_stdout(target):
    """If root's /dev/stdout was replaced, the next program shall have one again."""
    if not os.path.islink("/dev/stdout"):
        os.remove("/dev/stdout")
        os.symlink(target, "/dev/stdout")


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="ztl output ")
        os.chdir(self.folder.name)
        np.save("a.npy", A)
        with open("p.s", "w", encoding="utf-8") as source:
            source.write(SOURCE)

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()

    def good(self, run):
        self.assertEqual((run.returncode, run.stderr), (0, b""))

    def refused(self, run, status, *words):
        self.assertEqual(run.returncode, status, run)
        for word in words:
            self.assertIn(word, run.stderr.decode())

    def nothing_new(self, *names):
        """No temporary file stays."""
        self.assertEqual(set(os.listdir(".")), {"a.npy", "p.s", *names})

    def test_linked_program(self):
        """The linker would put a program in the place of the link."""
        with open("p.s", "w", encoding="utf-8") as source:
            source.write(SOURCE)
        fill("real")
        os.symlink("real", "link")
        os.symlink("nothing", "dangling")
        os.symlink("/dev/null", "device")
        for output in (["-o", "link"], ["-olink"]):
            fill("real")
            self.assertEqual(ztl("cc", "-nostdlib", "p.s", *output).returncode, 0)
            self.assertTrue(os.path.islink("link"))
            self.assertEqual(read("real")[:4], b"\x7fELF")
        for name in ("dangling", "device"):
            run = ztl("cc", "-nostdlib", "p.s", "-o", name)
            self.assertEqual(run.returncode, 1)
            self.assertIn(name.encode(), run.stderr)
            self.assertTrue(os.path.islink(name))

    def test_link(self):
        """The link stays, the file behind it gets the content; also through several, and where
        there is no file yet."""
        os.mkdir("below")
        os.symlink("below/second", "first")
        os.symlink("../target.npy", "below/second")
        for _ in "new", "there":
            self.good(flip("-o", "first"))
            self.assertTrue(os.path.islink("first") and os.path.islink("below/second"))
            self.assertTrue(np.array_equal(np.load("target.npy"), FLIPPED))
        self.nothing_new("below", "first", "target.npy")
        os.symlink("circle", "circle")
        self.refused(flip("-o", "circle"), 1, "circle: Too many levels")

    def test_names_beside(self):
        """Whatever lies beside the output is left alone."""
        fill("victim")
        os.symlink("victim", "y.npy.part")
        os.mkfifo("z.npy.part")
        self.good(flip("-o", "y.npy"))
        self.good(flip("-o", "z.npy"))
        self.assertEqual(read("victim"), b"before")
        self.good(split("x.npy.part", "x.npy"))
        self.assertTrue(np.array_equal(np.load("x.npy.part"), A[:1]))
        self.assertTrue(np.array_equal(np.load("x.npy"), A[1:]))
        long = "n" * 251 + ".npy"
        self.good(flip("-o", long))
        self.assertTrue(np.array_equal(np.load(long), FLIPPED))

    def test_mode(self):
        for start in 0o600, 0o664, 0o755:
            fill("y.npy")
            os.chmod("y.npy", start)
            self.good(flip("-o", "y.npy"))
            self.assertEqual(mode("y.npy"), start)
        for mask in 0o022, 0o077, 0o002:
            self.good(flip("-o", f"new{mask}", preexec_fn=lambda: os.umask(mask)))
            self.assertEqual(mode(f"new{mask}"), 0o666 & ~mask)
        fill("p.o")
        os.chmod("p.o", 0o600)
        self.good(ztl("as", "-march=rv64imac_zicsr", "p.s", "-o", "p.o"))
        self.assertEqual(mode("p.o"), 0o600)

    def test_owner(self):
        if os.geteuid():
            self.skipTest("only root gives files away")
        fill("y.npy")
        os.chown("y.npy", 1234, 4321)
        self.good(flip("-o", "y.npy"))
        self.assertEqual((os.stat("y.npy").st_uid, os.stat("y.npy").st_gid), (1234, 4321))

    def test_read_only(self):
        if not os.geteuid():
            self.skipTest("root may write anything")
        fill("y.npy")
        os.chmod("y.npy", 0o444)
        self.refused(flip("-o", "y.npy"), 1, "Permission denied")

    def test_all_or_none(self):
        fill("one.npy")
        self.refused(split("one.npy", "/dev/full"), 1, "/dev/full: No space left")
        self.refused(split("/dev/full", "one.npy"), 1, "/dev/full: No space left")
        self.assertEqual(read("one.npy"), b"before")
        self.refused(split("one.npy", "missing/two.npy"), 1, "missing/two.npy: No such file")
        self.refused(split("one.npy", "."), 1, "Is a directory")
        self.assertEqual(read("one.npy"), b"before")
        np.save("a.npy", np.zeros((2, 9000), np.uint8))
        small = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
        self.refused(split("one.npy", "two.npy", preexec_fn=small), 1, "one.npy: File too large")
        self.assertEqual(read("one.npy"), b"before")
        self.nothing_new("one.npy")

    def test_second_cannot_be_put_in_place(self):
        """A target that nobody can replace: the first is put back."""
        if os.geteuid() or subprocess.run(["mount", "--version"], check=False,
                                          capture_output=True).returncode:
            self.skipTest("needs a mount point, so root")
        fill("one.npy")
        fill("two.npy")
        fill("other")
        script = 'mount --bind other two.npy && "$0" op split a.npy -o new.npy -o two.npy;' \
                 's=$?; "$0" op split a.npy -o one.npy -o two.npy; exit $((s + 10 * $?))'
        run = subprocess.run(["unshare", "-m", "sh", "-c", script, ZTL], capture_output=True,
                             check=False)
        if b"permitted" in run.stderr or b"denied" in run.stderr:
            self.skipTest("no mounts here")
        self.assertEqual(run.returncode, 11, run)
        self.assertIn(b"two.npy: Device or resource busy", run.stderr)
        self.assertEqual(read("one.npy"), b"before")
        self.nothing_new("one.npy", "two.npy", "other")

    def test_same_file(self):
        fill("y.npy")
        os.link("y.npy", "hard.npy")
        os.symlink("y.npy", "soft.npy")
        os.symlink("new.npy", "dangling.npy")
        os.mkdir("below")
        for one, other in (("y.npy", "./y.npy"), ("y.npy", "hard.npy"), ("y.npy", "soft.npy"),
                           ("hard.npy", "soft.npy"), ("new.npy", "below/../new.npy"),
                           ("dangling.npy", "new.npy"), ("y.npy", os.path.abspath("y.npy"))):
            self.refused(split(one, other), 2, f"{other}: named twice as an output")
        with open("y.npy", "ab") as file:
            self.refused(split("y.npy", "/dev/stdout", stdout=file), 2, "named twice")
            self.refused(flip("-o", "y.npy", "--stats", stdout=file), 2,
                         "standard output goes there too")
        self.assertEqual(read("y.npy"), b"before")
        self.assertFalse(os.path.exists("new.npy"))

    def test_output_is_input(self):
        """All has been read by then."""
        self.good(flip("-o", "a.npy"))
        self.assertTrue(np.array_equal(np.load("a.npy"), FLIPPED))
        before = read("p.s")
        self.refused(ztl("as", "-march=rv64imac_zicsr", "p.s", "-o", "./p.s"), 1, "is an input")
        for option in "--trace", "--signature", "--stats":
            for engine in "sim", "qemu":
                words = [option + "=./p.s"] if option == "--stats" else [option, "./p.s"]
                run = ztl("run", "--engine", engine, *words, "p.s")
                self.assertIn(run.returncode, (1, 2), run)
        self.assertEqual(read("p.s"), before)

    def test_descriptors(self):
        """Written through, from where they are on; the names stay what they are."""
        before = os.lstat("/dev/stdout")
        self.addCleanup(restore_stdout, os.readlink("/dev/stdout"))
        for name in "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1":
            with open("out", "wb") as file:
                file.write(b"head")
                file.flush()
                inode = os.fstat(file.fileno()).st_ino
                self.good(flip("-o", name, stdout=file))
            self.assertEqual(os.stat("out").st_ino, inode)
            self.assertEqual(read("out"), b"head" + flip("-o", "/dev/stdout").stdout)
        self.assertEqual(os.lstat("/dev/stdout").st_ino, before.st_ino)
        self.refused(flip("-o", "/dev/fd/77"), 1, "/dev/fd/77: Bad file descriptor")
        with open("a.npy", "rb") as file:
            self.refused(flip("-o", f"/dev/fd/{file.fileno()}", pass_fds=[file.fileno()]), 1,
                         "Bad file descriptor")
        self.assertEqual(ztl("as", "-march=rv64imac_zicsr", "p.s", "-o", "/dev/stdout").stdout[:4],
                         b"\x7fELF")

    def test_pipes(self):
        os.mkfifo("pipe")
        with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as cat:
            self.good(split("one.npy", "pipe"))
            self.assertIn(b"NUMPY", cat.stdout.read())
        self.assertTrue(stat.S_ISFIFO(os.stat("pipe").st_mode))
        self.good(split("/dev/null", "/dev/null"))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_interrupted_by_a_pipe(self):
        """Nobody reads: the signal ends it, and nothing is left."""
        os.mkfifo("pipe")
        with subprocess.Popen([ZTL, "op", "split", "a.npy", "-o", "one.npy", "-o", "pipe"]) as run:
            with self.assertRaises(subprocess.TimeoutExpired):
                run.wait(0.3)
            run.send_signal(signal.SIGTERM)
        self.assertEqual(run.returncode, -signal.SIGTERM)
        self.nothing_new("pipe")

    def test_run(self):
        """ztl run's files, the same way; all that tell of its end or none."""
        self.good(ztl("run", "--signature", "s", "--stats=c", "--trace", "t", "p.s"))
        self.assertEqual(read("s"), b"55667788\n11223344\n")
        self.assertIn(b"instructions", read("c"))
        self.assertEqual(len(read("t").splitlines()) > 3, True)
        for name in "s", "c":
            fill(name + "2")
            os.chmod(name + "2", 0o640)
            os.symlink(name + "2", name + "3")
        self.good(ztl("run", "--signature", "s3", "--stats=c3", "p.s"))
        self.assertTrue(os.path.islink("s3") and os.path.islink("c3"))
        self.assertEqual((mode("s2"), mode("c2"), read("s2")), (0o640, 0o640, read("s")))
        fill("s")
        self.refused(ztl("run", "--signature", "s", "--stats=/dev/full", "p.s"), 1, "/dev/full")
        self.assertEqual(read("s"), b"before")
        for words in (["--signature", "s", "--stats=./s"], ["--trace", "s", "--signature", "s"],
                      ["--trace", "s", "--stats=s"]):
            self.refused(ztl("run", *words, "p.s"), 1, "the same file as")
        with open("s", "ab") as file:
            self.refused(ztl("run", "--stats=s", "p.s", stdout=file), 1, "the same file as")
            self.good(ztl("run", "--stats=/dev/stdout", "p.s", stdout=file))
        self.assertRegex(read("s").decode(), "^before *instructions")

    def test_trace_of_a_trap(self):
        """A trace grows in its place, and what it has stays."""
        with open("trap.s", "w", encoding="utf-8") as source:
            source.write("    .globl _start\n_start: nop\n    unimp\n")
        fill("t")
        os.chmod("t", 0o640)
        os.symlink("t", "link")
        self.assertEqual(ztl("run", "--trace", "link", "trap.s").returncode, 120)
        self.assertTrue(os.path.islink("link"))
        self.assertIn(b"0x0000000080000000", read("t"))
        self.assertEqual(mode("t"), 0o640)
        with open("t", "wb") as file:
            file.write(b"head\n")
            file.flush()
            ztl("run", "--trace", "/dev/stdout", "trap.s", stdout=file)
        self.assertTrue(read("t").startswith(b"head\n") and len(read("t")) > 20)


unittest.main()
