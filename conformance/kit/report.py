# SPDX-License-Identifier: Apache-2.0
"""What a run has shown: as text, JUnit's XML, a page; and what tests each rule."""
import collections
import html as markup
import os
import pathlib
import sys

import yaml

from target import Problem


def summarise(name, programs, results):
    """The verdict on every bin."""
    listed, failed_programs = [], []
    for program, result in zip(programs, results):
        by_bin = {f["bin"]: f for f in result["failures"] if f["bin"]}
        problem = next((f["problem"] for f in result["failures"] if not f["bin"]), None)
        if problem:
            failed_programs.append({"program": program["name"], "problem": problem})
        for entry in program["bins"]:
            bin_name = f"{entry['rule']}/{entry['name']}"
            failure = by_bin.get(bin_name)
            listed.append({"bin": bin_name, "rule": entry["rule"], "program": program["name"],
                           "word": entry["word"], "text": entry["text"],
                           "verdict": "fail" if failure else "unknown" if problem else "pass",
                           "failure": failure})
    count = collections.Counter(entry["verdict"] for entry in listed)
    return {"target": name, "programs": len(programs), "bins": len(listed), "passed": count["pass"],
            "failed": count["fail"] + len(failed_programs), "unknown": count["unknown"],
            "seconds": round(sum(r["seconds"] for r in results), 2), "problems": failed_programs,
            "results": listed}


def say(entry):
    """A failure in one line."""
    f = entry["failure"]
    where = f" byte {int(f['byte'], 0)}" if f["byte"] else ""
    text = f" ({entry['text']})" if entry["text"] else ""
    return (f"pc {f['pc']}, {entry['word']}{text}: {f['what']}{where}: expected {f['expected']}, "
            f"actual {f['actual']}")


def text(summary):
    lines = []
    for entry in summary["results"]:
        if entry["verdict"] == "fail":
            lines.append(f"FAIL {entry['bin']}\n     {entry['program']}, {say(entry)}")
    lines += [f"FAIL {p['program']}: {p['problem']}" for p in summary["problems"]]
    rules = sorted({e["rule"] for e in summary["results"] if e["verdict"] == "fail"})
    if rules:
        lines.append("rules broken: " + ", ".join(rules))
    said = f"{summary['target']}: {summary['passed']} of {summary['bins']} bins in {summary['programs']} programs"
    lines.append(said + (" passed" if summary["failed"] else " passed: all"))
    return "\n".join(lines)


def junit(summary):
    e = markup.escape
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (f'<testsuite name="{e(summary["target"])}" tests="{summary["bins"]}" '
           f'failures="{summary["failed"]}" skipped="{summary["unknown"]}">')
    for entry in summary["results"]:
        head = f'<testcase classname="{e(entry["rule"])}" name="{e(entry["bin"])}" file="{e(entry["program"])}"'
        if entry["verdict"] == "pass":
            yield head + "/>"
        elif entry["verdict"] == "unknown":
            yield head + "><skipped/></testcase>"
        else:
            yield f'{head}><failure message="{e(say(entry))}"/></testcase>'
    for problem in summary["problems"]:
        yield (f'<testcase classname="program" name="{e(problem["program"])}"><error '
               f'message="{e(problem["problem"])}"/></testcase>')
    yield "</testsuite>"


def html(summary):
    e = markup.escape
    by_rule = collections.defaultdict(list)
    for entry in summary["results"]:
        by_rule[entry["rule"]].append(entry)
    yield "<!doctype html><meta charset=utf-8><title>Ztl conformance</title>"
    yield ("<style>body{font:15px sans-serif;margin:2em;max-width:70em}td,th{padding:.2em .8em;text-align:left;"
           "border-bottom:1px solid #ccc}.fail{background:#fdd}code{font-size:13px}</style>")
    yield f"<h1>{e(summary['target'])}: {summary['passed']} of {summary['bins']} bins passed</h1>"
    yield "<table><tr><th>rule<th>bins<th>passed<th>what failed</tr>"
    for rule, entries in sorted(by_rule.items()):
        passed = sum(entry["verdict"] == "pass" for entry in entries)
        failing = [f"<code>{e(x['bin'])}</code> in {e(x['program'])}, {e(say(x))}"
                   for x in entries if x["verdict"] == "fail"]
        mark = "" if passed == len(entries) else " class=fail"
        yield f"<tr{mark}><td>{e(rule)}<td>{len(entries)}<td>{passed}<td>{'<br>'.join(failing)}</tr>"
    yield "</table>"
    for problem in summary["problems"]:
        yield f"<p class=fail>{e(problem['program'])}: {e(problem['problem'])}</p>"


def save(path, lines):
    new = pathlib.Path(f"{path}.new")
    try:
        new.write_text("\n".join(lines) + "\n")
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise Problem(f"{path}: {error.strerror}") from None


# ---- What tests what ------------------------------------------------------------------------------


def print_list(programs, pattern):
    for program in programs:
        for entry in program["bins"]:
            name = f"{entry['rule']}/{entry['name']}"
            if not pattern or pattern.search(name) or pattern.search(program["name"]):
                print(f"{program['name']}  {name}  {entry['word']}  {entry['text']}".rstrip())


def coverage_of(path, programs):
    """Of each rule: the rule, and {coverpoint: {bin: programs}}."""
    rules = yaml.safe_load(pathlib.Path(path).read_text())
    bins = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for program in programs:
        for entry in program["bins"]:
            point, name = entry["name"].split("/", 1)
            bins[entry["rule"]][point][name].append(program["name"])
    return [(rule, bins.pop(rule["id"], {})) for rule in rules], bins


def print_cover(path, programs, pattern):
    covered, unknown = coverage_of(path, programs)
    if unknown:
        raise Problem(f"{path}: has no rule {min(unknown)}, which programs test")
    counts = collections.Counter()
    for rule, points in covered:
        counts["rules"] += 1
        counts["untestable"] += "untestable" in rule
        counts["none"] += not points and "untestable" not in rule
        counts["points"] += len(points)
        counts["bins"] += sum(map(len, points.values()))
        if pattern and not pattern.search(rule["id"]):
            continue
        print(f"{rule['id']}  {rule['text']}")
        if "untestable" in rule:
            print(f"  untestable: {rule['untestable']}")
        for point, bins in points.items():
            print(f"  {point}")
            for name, where in bins.items():
                print(f"    {name}  {' '.join(dict.fromkeys(where))}")
    print(f"{counts['rules']} rules: {counts['rules'] - counts['untestable'] - counts['none']} with programs, "
          f"{counts['untestable']} untestable, {counts['none']} with nothing; {counts['points']} coverpoints, "
          f"{counts['bins']} bins, {len(programs)} programs", file=sys.stdout)
