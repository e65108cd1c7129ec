# SPDX-License-Identifier: Apache-2.0
"""What the tests of ztl run share: the command, the compiler, and a folder of their own.

Their arguments are ZTL SOURCE_FOLDER.
"""
import os
import subprocess
import sys
import tempfile
import unittest

ZTL, HERE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
TARGETS = {"rv32imac": "ilp32", "rv64imac": "lp64"}


def source(name):
    return os.path.join(HERE, name)


def gcc(march, out, *arguments):
    """Debian's compiler itself, as a user would call it; march "" is its own default."""
    target = [f"-march={march}", f"-mabi={TARGETS[march[:8]]}"] if march else []
    subprocess.run(["riscv64-unknown-elf-gcc", "-O2", *target, *arguments, "-o", out], check=True)


def gcc_hosted(march, out, name, *options):
    gcc(march, out, "--specs=picolibc.specs", "--oslib=semihost", "--crt0=semihost",
        "-mcmodel=medany", "-Wl,--defsym=__flash=0x80000000", "-Wl,--defsym=__flash_size=0x400000",
        "-Wl,--defsym=__ram=0x80400000", "-Wl,--defsym=__ram_size=0x400000", source(name), *options)


class Result:
    def __init__(self, process):
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr


def ztl(*arguments, stdin=b"", **options):
    process = subprocess.run([ZTL, "run", *arguments], input=stdin, capture_output=True,
                             timeout=300, **options)
    result = Result(process)
    result.out, result.err = result.out.decode(), result.err.decode()
    return result


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as text:
            return text.read()

    def expect(self, result, status, out=None, err=None):
        message = f"status {result.status}\n{result.out}\n{result.err}"
        self.assertEqual(result.status, status, message)
        if out is not None:
            self.assertEqual(result.out, out, message)
        if err is not None:
            self.assertIn(err, result.err, message)
