# SPDX-License-Identifier: Apache-2.0
"""`ztl serve` while a test runs, at a port that is free."""
import contextlib
import subprocess


@contextlib.contextmanager
def served(ztl, *options):
    """The address that it prints, without the playground."""
    process = subprocess.Popen([ztl, "serve", "--port", "0", *options], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip().removesuffix("playground/")
    finally:
        process.terminate()
        assert process.wait(10) == 0, "ztl serve ends with 0 when it is asked to"
        process.stdout.close()
