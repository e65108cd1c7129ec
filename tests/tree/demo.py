#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The packages that tools/packages.txt says the demo needs are enough for what `make demo` builds and
runs, and few: headers and libraries of `ztl` are theirs, and the demo runs where there are no other
programs than theirs.

usage: demo.py SOURCE-DIR BUILD-DIR"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MEBIBYTES = 900  # a third of what the tests take


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def read_packages():
    """{name or what is provided: (package, its size in KiB, what it depends on)} of what is installed"""
    known, essential = {}, set()
    form = r"${Package}\t${Essential}\t${Installed-Size}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    for line in run("dpkg-query", "-W", "-f", form).splitlines():
        name, is_essential, size, provides, depends = line.split("\t")
        row = name, int(size or 0), depends
        known[name] = row
        for provided in re.findall(r"[a-z0-9][a-z0-9+.-]+", re.sub(r"\(.*?\)", "", provides)):
            known.setdefault(provided, row)
        if is_essential == "yes":
            essential.add(name)
    return known, essential


def closure(names, known):
    """Those packages and all that they depend on: the first alternative that is there."""
    found, todo = {}, list(names)
    while todo:
        name, size, depends = known[todo.pop()]
        if name in found:
            continue
        found[name] = size
        for group in filter(None, (part.strip() for part in depends.split(","))):
            names = [re.split(r"[ :(]", one.strip())[0] for one in group.split("|")]
            todo += [one for one in names if one in known][:1]
    return found


def owners(paths):
    """{package: a file of it}; the loader's names for folders that are links are dpkg's too."""
    result = {}
    said = subprocess.run(["dpkg", "-S", *paths], capture_output=True, text=True).stdout
    for line in said.splitlines():
        packages, path = line.split(": ", 1)
        for package in packages.split(", "):
            result[package.split(":")[0]] = path
    return result


def used_files():
    """Of the machine, for `ztl`: headers of the objects for this machine, and libraries."""
    objects = {line for line in run("ninja", "-C", build, "-t", "inputs", "ztl").splitlines()
               if re.search(r"\.dir/.*\.o$", line)}
    paths, wanted = set(), False
    for line in run("ninja", "-C", build, "-t", "deps").splitlines():
        if not line.startswith(" "):
            wanted = line.split(":")[0] in objects
        elif wanted and line.strip().startswith("/usr/"):
            paths.add(os.path.realpath(line.strip()))
    headers = len(paths)
    for path in re.findall(r"=> (/\S+)", run("ldd", build / "ztl")):
        real = os.path.realpath(path)
        paths |= {real, real.removeprefix("/usr")}
    return paths, headers


known, essential = read_packages()
base = closure(essential, known)
level = re.findall(r"^(\S+) +(demo|build|test) +#", (source / "tools/packages.txt").read_text(), re.M)
demo = closure([name for name, purpose in level if purpose == "demo"], known)
size = sum(demo[name] for name in demo.keys() - base.keys()) // 1024
print(f"{len(demo.keys() - base.keys())} packages, {size} MiB")
assert size < MEBIBYTES, f"the demo's packages take {size} MiB"

paths, headers = used_files()
assert headers > 50, f"only {headers} headers of the machine found"
for package, path in owners(paths).items():
    assert package in demo or package in base, f"ztl needs {path}, of {package}: not a package of the demo"

with tempfile.TemporaryDirectory() as scratch:
    for path in run("dpkg", "-L", *(name for name in demo)).splitlines():
        if re.match(r"(/usr)?/bin/[^/]+$", path) and os.path.exists(path):
            link = pathlib.Path(scratch) / pathlib.Path(path).name
            link.exists() or link.symlink_to(path)
    for program in ("cmake", "ninja", "gcc", "pkg-config", "protoc-c"):
        assert (pathlib.Path(scratch) / program).exists(), f"there is no {program}"
    out = run(build / "ztl", "run", source / "examples/picture.s", env={"PATH": scratch})
assert "tl.xpose.01" in out
