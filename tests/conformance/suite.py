# SPDX-License-Identifier: Apache-2.0
"""Every program of the suite passes on the simulator as each of its descriptions, and on QEMU as a
sample; what it leaves as signature is what the contract says.

usage: suite.py ZTL SOURCE-DIR [part]        part: only the first program of each topic"""
import pathlib
import re
import subprocess
import sys
import tempfile

ZTL, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PART = ["^ztl[12]/[a-z-]+-1$"] if sys.argv[3:] else []
TARGETS = SOURCE / "conformance/targets/simulator"
PROGRAMS = pathlib.Path(ZTL).parent / "conformance/programs"
# What a description adds to those of its revision and XLEN; the others are run as a whole.
ONLY = {"without": "absent|status-1|reasons", "wraps": "wrap", "windows": "windows"}
problems, bins = [], 0


def conform(config, *options):
    done = subprocess.run([ZTL, "conform", "--jobs", "2", "--config", config, *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    last = done.stdout.splitlines()[-1] if done.stdout else ""
    found = re.search(r": (\d+) of (\d+) bins in (\d+) programs passed: all$", last)
    if done.returncode or not found:
        problems.append(f"{config}: exit status {done.returncode}\n{done.stdout}")
        return 0
    print(last)
    return int(found[1])


def signatures(folder, isa):
    """The memory that each program leaves, read by the simulator."""
    checked = 0
    for elf in sorted(folder.glob("*.elf")):
        revision, name = elf.stem.split("-", 1)
        left = folder / "signature"
        subprocess.run([ZTL, "run", "--isa", isa, "--mem", "0x80000000:64K", "--signature", left, elf],
                       stdout=subprocess.DEVNULL, check=True)
        if left.read_text() != (PROGRAMS / revision / f"{name}.signature").read_text():
            problems.append(f"{elf.name}: its signature is not {revision}/{name}.signature")
        checked += 1
    if not checked:
        problems.append("no signature was compared")


for path in sorted(TARGETS.glob("*.yaml")):
    variant = path.stem
    only = next((expression for word, expression in ONLY.items() if word in variant), None)
    filters = ["--filter", only] if only else ["--filter", *PART] if PART and variant != "none" else []
    name = "simulator" if variant == "dut" else f"simulator/{variant}"
    if variant in ("dut", "ztl1"):
        with tempfile.TemporaryDirectory() as folder:
            bins += conform(name, *filters, "--resume", folder)
            signatures(pathlib.Path(folder), "rv64i_zicsr_ztl" + "1p0" * (variant == "ztl1"))
    else:
        bins += conform(name, *filters)
bins += conform("qemu", "--filter", PART[0] if PART else "mload|addi-1|csr-1|mask-")
print(f"{bins} bins passed")
if bins < (2000 if PART else 11000):
    problems.append(f"only {bins} bins")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(bool(problems))
