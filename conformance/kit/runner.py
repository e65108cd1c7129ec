# SPDX-License-Identifier: Apache-2.0
"""Programs are built and run, several at a time; what each printed becomes a verdict on each bin."""
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import time

from target import Problem

FAIL = re.compile(r"^ztl: FAIL pc (0x[0-9a-f]+) rule (\S+) bin (\S+) (\w+|trap at)(?: byte (0x[0-9a-f]+))? "
                  r"expected (0x[0-9a-f]+) actual (0x[0-9a-f]+)$", re.M)
END = re.compile(r"^ztl: END bins (0x[0-9a-f]+) failed (0x[0-9a-f]+)$", re.M)
MOST = 65536  # of a program's output


class Runner:
    def __init__(self, target, builder, programs, folder, ztl):
        self.target, self.builder, self.programs, self.folder = target, builder, programs, folder
        self.ztl, self.children = ztl, set()

    def command(self, elf):
        words = [word.replace("{elf}", str(elf)) for word in self.target.command]
        return [self.ztl, *words[1:]] if words[0] == "ztl" and self.ztl else words

    def start(self, program):
        """One program: what the report needs."""
        elf = self.builder.build(self.programs / (program["name"] + ".S"), program["name"])
        began = time.monotonic()
        try:
            child = subprocess.Popen(self.command(elf), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            raise Problem(f"{self.target.command[0]}: {error.strerror}") from None
        self.children.add(child)
        try:
            output, late = child.communicate(timeout=self.target.timeout)[0], False
        except subprocess.TimeoutExpired:
            self.kill(child)
            output, late = child.communicate()[0], True
        self.children.discard(child)
        text = output[:MOST].decode(errors="replace").replace("\r", "")
        return judge(program, text, child.returncode, late, self.target, time.monotonic() - began)

    @staticmethod
    def kill(child):
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def run(self, chosen, jobs, progress):
        """The results of all, in order; results that were there already are kept."""
        results = {}
        pool = concurrent.futures.ThreadPoolExecutor(jobs)
        try:
            waiting = {}
            for program in chosen:
                kept = self.kept(program)
                if kept:
                    results[program["name"]] = kept
                else:
                    waiting[pool.submit(self.start, program)] = program
            progress.show(len(results), len(chosen))
            for future in concurrent.futures.as_completed(waiting):
                result = future.result()
                results[result["name"]] = result
                self.keep(result)
                progress.show(len(results), len(chosen), sum(bool(r["failures"]) for r in results.values()))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(self.children):
                self.kill(child)
            raise
        pool.shutdown()
        return [results[program["name"]] for program in chosen]

    def place(self, name):
        return self.folder / (name.replace("/", "-") + ".json")

    def kept(self, program):
        try:
            result = json.loads(self.place(program["name"]).read_text())
        except (OSError, ValueError):
            return None
        return result if result.get("bins") == len(program["bins"]) else None

    def keep(self, result):
        new = self.place(result["name"]).with_suffix(".new")
        new.write_text(json.dumps(result))
        new.replace(self.place(result["name"]))


def judge(program, text, status, late, target, seconds):
    """Which bins failed, and why; a program that did not come to its end fails as a whole."""
    failures = [{"pc": pc, "bin": f"{rule}/{name}" if not name.startswith(rule) else name, "what": what,
                 "byte": byte, "expected": expected, "actual": actual}
                for pc, rule, name, what, byte, expected, actual in FAIL.findall(text)]
    end = END.search(text)
    problem = None
    if late:
        problem = f"no end after {target.timeout} seconds"
    elif target.console and not end:
        problem = f"no end, exit status {status}: " + " ".join(text.split()[-40:])
    elif end and (int(end[1], 0), int(end[2], 0)) != (len(program["bins"]), len(failures)):
        problem = f"says {end[1]} bins, {end[2]} failed; there are {len(program['bins'])}, {len(failures)} reported"
    elif status and not failures:
        problem = f"exit status {status}"
    if problem:
        failures.append({"bin": None, "problem": problem})
    return {"name": program["name"], "bins": len(program["bins"]), "seconds": round(seconds, 3), "failures": failures}


class Progress:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self):
        self.shown = sys.stderr.isatty()

    def show(self, done, total, failed=0):
        if self.shown:
            width = 30 * done // total if total else 30
            said = f", {failed} failed" if failed else ""
            print(f"\r[{'#' * width:<30}] {done}/{total} programs{said}\033[K", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
