# SPDX-License-Identifier: Apache-2.0
"""What a command prints on a terminal."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

END = b"\0the end\0"


def run(command, columns=0, **options):
    """Standard output and errors of a command on a terminal of so many columns (0: not known).

    The terminal stays open here until an end mark has come through it: a kernel may drop what is
    on its way when the last one closes a terminal."""
    options.setdefault("env", {"TERM": "xterm", **os.environ})
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                               **options)
    text, marked, deadline = b"", False, time.monotonic() + 300
    while not text.endswith(END):
        if select.select([master], [], [], 60 if marked else 0.01)[0]:
            text += os.read(master, 65536)
        elif marked:
            raise TimeoutError(f"the terminal lost its end: {text[-200:]}")
        elif process.poll() is not None:
            os.write(slave, END)
            marked = True
        elif time.monotonic() > deadline:
            process.kill()
            raise TimeoutError(f"{command} does not end: {text[-200:]}")
    os.close(slave)
    os.close(master)
    return text.removesuffix(END).decode().replace("\r", "")
