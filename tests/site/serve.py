#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`ztl serve`: what is in the folder and nothing else, for this machine and nobody else.

    serve.py ZTL
"""
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

from served import served

ZTL = sys.argv[1]


def ask(port, text, host="127.0.0.1"):
    with socket.create_connection((host, port), 10) as connection:
        connection.sendall(text)
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
        except ConnectionResetError:
            pass  # it was not read to its end
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), body


def get(port, path, method="GET", host="127.0.0.1"):
    return ask(port, f"{method} {path} HTTP/1.1\r\nAccept: */*\r\nHost: {host}:{port}\r\n\r\n".encode())


def check_files(folder, port):
    large = os.urandom(3 << 20)
    (folder / "a b.wasm").write_bytes(large)
    (folder / "sub").mkdir()
    (folder / "sub/index.html").write_text("<p>inside")
    (folder / ".hidden").write_text("secret")
    (folder.parent / "outside").write_text("secret")
    os.symlink(folder.parent / "outside", folder / "sub/link")
    status, head, body = get(port, "/a%20b.wasm?x=1")
    assert status == 200 and body == large and "Content-Type: application/wasm" in head, head
    assert f"Content-Length: {len(large)}" in head and "nosniff" in head
    assert get(port, "/sub/")[2] == b"<p>inside" and get(port, "/sub/")[1].count("text/html") == 1
    assert get(port, "/sub/index.html", "HEAD")[2] == b""
    assert get(port, "/sub/index.html", host="localhost")[0] == 200
    for path, status in (("/nothing", 404), ("/sub", 404), ("/../outside", 404), ("/sub/../../outside", 404),
                         ("/%2e%2e/outside", 404), ("/.hidden", 404), ("/sub/%2E./x", 404), ("//etc/passwd", 404),
                         ("/a%zz", 400), ("/a%00", 400), ("/" + "x" * 2000, 414), ("x", 400)):
        found = get(port, path)
        assert found[0] == status and b"secret" not in found[2], (path, found[:2])
    assert get(port, "/sub/", "POST")[0] == 405
    assert get(port, "/sub/", host="evil.example")[0] == 403
    assert ask(port, b"GET / HTTP/1.1\r\n\r\n")[0] == 403
    assert ask(port, b"nonsense\r\n\r\n")[0] == 400
    assert ask(port, b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 9000)[0] == 400


def check_loopback(port):
    """Not on the machine's other addresses."""
    rows = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    listening = {row.split()[1] for row in rows if row.split()[3] == "0A"}
    assert [each for each in listening if each.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"], listening


def check_idle(port):
    """Those who say nothing keep nobody waiting."""
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
    assert get(port, "/sub/")[0] == 200
    for each in idle:
        each.close()


def check_errors(folder, port):
    def said(*words):
        done = subprocess.run([ZTL, "serve", *words], capture_output=True, text=True, timeout=20)
        return done.returncode, done.stderr
    assert said("--port", str(port), "--folder", str(folder)) == (1, f"ztl serve: port {port} of 127.0.0.1: Address already in use\n")
    status, text = said("--folder", "/nowhere")
    assert status == 1 and "/nowhere: No such file" in text, text
    assert said("--port", "70000")[0] == 2 and said("word")[0] == 2
    assert "usage: ztl serve" in subprocess.run([ZTL, "serve", "--help"], capture_output=True, text=True).stdout


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "site"
        folder.mkdir()
        with served(ZTL, "--folder", str(folder)) as address:
            port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", address)[1])
            check_files(folder, port)
            check_loopback(port)
            check_idle(port)
            check_errors(folder, port)


main()
