# SPDX-License-Identifier: Apache-2.0
"""The command line of `conform`."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import sys
import tempfile

import report
from build import TOP, Builder
from runner import Progress, Runner
from target import Problem, Target

EXAMPLES = """examples:
  ztl conform                             all programs on the simulator
  ztl conform --config my/dut.yaml --junit out.xml
  ztl conform --target 'my-sim {elf}' --filter concat
  ztl conform --shard 1/4 --resume one    a quarter; join them with --merge
  ztl conform --cover                     rule, coverpoint, bin, program
exit status: 0 all passed, 1 some failed, 2 a wrong command line or file"""


def shard_of(text):
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is not K/N with K from 1 to N")
    return int(found[1]), int(found[2])


def jobs_of(text):
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 1024")
    return int(text)


def pattern_of(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from None


def parser():
    p = argparse.ArgumentParser(prog=os.environ.get("ZTL_KIT_NAME", "conform"), epilog=EXAMPLES, description=(
        "Judges an implementation of Ztl by programs that check themselves."),
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    p.add_argument("--config", metavar="FILE", default="simulator",
                   help="the target's dut.yaml, or a shipped target: simulator (the default), simulator/rv32, qemu …")
    p.add_argument("--target", metavar="CMD", help="runs {elf}, instead of the target's own command")
    p.add_argument("--filter", metavar="REGEX", type=pattern_of,
                   help="only programs whose name, or one of whose bins, has it")
    p.add_argument("--jobs", metavar="N", type=jobs_of, default=len(os.sched_getaffinity(0)),
                   help="programs at a time (default: one for each CPU)")
    p.add_argument("--shard", metavar="K/N", type=shard_of, help="only the K-th of N parts")
    p.add_argument("--resume", metavar="DIR", help="keep programs and results there; go on where a run stopped")
    p.add_argument("--merge", metavar="DIR", nargs="+", help="report on runs that --resume kept")
    p.add_argument("--junit", metavar="FILE", help="write a report in JUnit's XML")
    p.add_argument("--html", metavar="FILE", help="write a report to look at")
    p.add_argument("--json", action="store_true", help="print the result as JSON")
    p.add_argument("--cc", metavar="NAME", default="gcc", help="gcc (the default), clang, or a path")
    p.add_argument("--cover", action="store_true", help="print what tests each rule, and run nothing")
    p.add_argument("--list", action="store_true", help="print the programs and their bins, and run nothing")
    p.add_argument("--programs", metavar="DIR", default=TOP / "programs", type=pathlib.Path, help=argparse.SUPPRESS)
    return p


def config_of(name):
    """A file, or the name of a shipped target: NAME, or NAME/VARIANT."""
    folder, _, variant = name.partition("/")
    shipped = TOP / "targets" / folder / f"{variant or 'dut'}.yaml"
    return shipped if not name.endswith(".yaml") and shipped.is_file() else pathlib.Path(name)


def all_programs(folder):
    try:
        return json.loads((folder / "programs.json").read_text())
    except OSError as error:
        raise Problem(f"{folder}/programs.json: {error.strerror}; kit/generate.py makes it") from None


def choose(options, target, programs):
    chosen = [p for p in programs if target.takes(p)]
    if options.filter:
        chosen = [p for p in chosen if options.filter.search(p["name"])
                  or any(options.filter.search(f"{b['rule']}/{b['name']}") for b in p["bins"])]
    if not chosen:
        raise Problem("no program is left" + (f" by --filter '{options.filter.pattern}'" if options.filter else ""))
    if options.shard:
        k, n = options.shard
        chosen = chosen[k - 1 :: n]
    return chosen


def merged(folders, programs):
    """The results that are in folders, and what they are results of."""
    results = {}
    for folder in map(pathlib.Path, folders):
        found = sorted(folder.glob("*.json"))
        if not found:
            raise Problem(f"{folder}: has no results")
        for path in found:
            try:
                result = json.loads(path.read_text())
                results[result["name"]] = result
            except (OSError, ValueError, KeyError, TypeError):
                raise Problem(f"{path}: is not a result") from None
    by_name = {p["name"]: p for p in programs}
    if unknown := sorted(set(results) - set(by_name)):
        raise Problem(f"{unknown[0]}: is no program of this suite")
    return [by_name[name] for name in results], list(results.values())


def run(options, programs):
    target = Target(config_of(options.config), options.target)
    chosen = choose(options, target, programs)
    with contextlib.ExitStack() as stack:
        if options.resume:
            folder = pathlib.Path(options.resume)
            folder.mkdir(parents=True, exist_ok=True)
        else:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ztl-conform-")))
        progress = Progress()
        runner = Runner(target, Builder(target, folder, options.cc), options.programs, folder,
                        os.environ.get("ZTL_KIT_ZTL"))
        try:
            return target.name, chosen, runner.run(chosen, options.jobs, progress)
        finally:
            progress.end()


def work(options):
    programs = all_programs(options.programs)
    if options.cover or options.list:
        report.print_cover(TOP / "rules.yaml", programs, options.filter) if options.cover else report.print_list(
            programs, options.filter)
        return 0
    if options.merge:
        name, (chosen, results) = "merged", merged(options.merge, programs)
    else:
        name, chosen, results = run(options, programs)
    summary = report.summarise(name, chosen, results)
    for path, write in ((options.junit, report.junit), (options.html, report.html)):
        if path:
            report.save(path, write(summary))
    print(json.dumps(summary, indent=1) if options.json else report.text(summary))
    return int(summary["failed"] > 0)


def main(arguments):
    options = parser().parse_args(arguments)
    try:
        return work(options)
    except (Problem, OSError) as error:
        print(f"{parser().prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
