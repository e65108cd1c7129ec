#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the static site: the installed pages in both languages, charts under the tables of the
performance pages, the headers as a reference, and search. Sphinx writes the pages; nothing in them
is asked of another host.

usage: site.py SOURCE-DIR PAGES WORK-DIR OUTPUT VERSION"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import charts

SOURCE, PAGES, WORK, OUTPUT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
VERSION = sys.argv[5]
HERE = pathlib.Path(__file__).resolve().parent
CHARTED = ("performance.md", "speed.md", "worth.md")
LINK = re.compile(r"(!?)\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
TITLES = {"en": ("Playground", "API reference"), "zh": ("试验场", "API 参考")}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stdout[-4000:]}")
    return done.stdout


def page_text(text, here, stage):
    """Links to what the site has no page of become its text; files of examples are copied."""
    def link(match):
        picture, said, path, anchor = match.groups(default="")
        if "://" in path or path.startswith("mailto:"):
            return match[0]
        there = os.path.normpath(here / path)
        if (PAGES / there).is_file() and not there.startswith(".."):
            return match[0]
        example = re.fullmatch(r"(?:\.\./)+(?:share/)?ztl/examples/(.*)", there)
        if example and example[1].endswith(".md"):
            return f"{picture}[{said}]({os.path.relpath('examples.md', here)})"
        if example and (SOURCE / "examples" / example[1]).is_file():
            return f'<a href="{os.path.relpath("examples/" + example[1], here)}">{said.strip("`")}</a>'
        return said
    blocks = re.split(r"^(```+.*?^```+$)", text, flags=re.M | re.S)
    blocks[::2] = (LINK.sub(link, block) for block in blocks[::2])
    text = "".join(blocks)
    # a fence's language that no lexer knows is plain text
    return re.sub(r"^(```+)(asm|console|ebnf|mermaid)$", lambda m: m[1] + {"asm": "text", "console": "console"}
                  .get(m[2], "text"), text, flags=re.M)


def copy_pages(language, stage):
    """The pages of a language below the stage's root; their names."""
    folder = PAGES if language == "en" else PAGES / "zh"
    names = []
    for path in sorted(folder.rglob("*")):
        where = path.relative_to(folder)
        if path.is_dir() or (language == "en" and where.parts[0] == "zh") or path.name.endswith(".zh-CN.md"):
            continue
        (stage / where).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copy(path, stage / where)
            continue
        text = page_text(path.read_text(), path.parent.relative_to(PAGES), stage)
        if language == "zh":  # pages that are only in English are beside the folder
            text = re.sub(r"\]\((\.\./[\w./-]+)\.md(#[^)]*)?\)", r"](\1.html\2)", text)
        if path.name in CHARTED:
            text = charts.add(text)
        (stage / where).write_text(text)
        names.append(str(where)[:-3])
    return names


def add_examples(stage):
    text = (SOURCE / "examples/README.md").read_text().replace("](../doc/", "](")
    text = re.sub(r"\]\((?!\w+:)([\w./-]+)\)", lambda m: f"](examples/{m[1]})" if (SOURCE / "examples" / m[1]).is_file()
                  and not m[1].startswith("../") else f"]({m[1]})", text)
    text = re.sub(r"\[((?:[^][])*)\]\(\.\./[^)]*\)", r"\1", text)
    text = re.sub(r"\[([^][]*)\]\((examples/[^)]+)\)", lambda m: f'<a href="{m[2]}">{m[1].strip("`")}</a>', text)
    (stage / "examples.md").write_text(text)


def add_reference(stage):
    """The public headers by Doxygen, a page for each."""
    xml = WORK / "doxygen"
    xml.mkdir(parents=True, exist_ok=True)
    headers = sorted(path.name for path in (SOURCE / "include/ztl").glob("*.h"))
    settings = f"""
        INPUT = {SOURCE}/include/ztl
        OUTPUT_DIRECTORY = {xml}
        GENERATE_HTML = NO
        GENERATE_LATEX = NO
        GENERATE_XML = YES
        XML_PROGRAMLISTING = NO
        EXTRACT_ALL = YES
        OPTIMIZE_OUTPUT_FOR_C = YES
        ENABLE_PREPROCESSING = YES
        MACRO_EXPANSION = YES
        EXPAND_ONLY_PREDEF = YES
        PREDEFINED = ZTL_API= __cplusplus_not
        STRIP_FROM_PATH = {SOURCE}/include
        JAVADOC_AUTOBRIEF = YES
        QUIET = YES
        WARNINGS = NO
        FILTER_PATTERNS = *.h="{sys.executable} {HERE}/comments.py"
    """
    run("doxygen", "-", input=settings)
    folder = stage / "reference"
    folder.mkdir()
    for name in headers:
        title = f"<ztl/{name}>"
        (folder / f"{name[:-2]}.rst").write_text(
            f"{title}\n{'=' * len(title)}\n\n.. doxygenfile:: ztl/{name}\n   :project: ztl\n")
    title = "API reference"
    (folder / "index.rst").write_text(f"{title}\n{'=' * len(title)}\n\n.. toctree::\n   :maxdepth: 1\n\n"
                                      + "".join(f"   {name[:-2]}\n" for name in headers))
    return xml / "xml"


def write_index(stage, names, language):
    """The index lists every page, for the menu, and leads to the playground."""
    path, playground = stage / "index.md", TITLES[language][0]
    first = [name for name in ("guide", "isa", "operators", "worth", "performance", "speed") if name in names]
    rest = [name for name in names if name not in first and name != "index"]
    if language == "en":
        rest += ["examples", "reference/index"]
    up = "" if language == "en" else "../"
    other = "[中文](zh/index.html)" if language == "en" else "[English](../index.html)"
    links = f'<p><a class="play" href="{up}playground/index.html">{playground}</a></p>\n\n{other}\n'
    menu = "\n".join(first + rest)
    text = path.read_text()
    head, _, tail = text.partition("\n\n") if text.startswith("#") else ("", "", text)
    path.write_text(f"{head}\n\n{links}\n{tail}\n\n```{{toctree}}\n:hidden:\n\n{menu}\n```\n")


def build(language, output):
    stage = WORK / language
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    names = copy_pages(language, stage)
    extra = {}
    if language == "en":
        add_examples(stage)
        extra["ZTL_XML"] = str(add_reference(stage))
    write_index(stage, names, language)
    run(sys.executable, "-m", "sphinx", "-q", "-E", "-d", WORK / f"{language}-trees", "-c", HERE, stage, output,
        env=os.environ | extra | {"ZTL_LANGUAGE": language, "ZTL_VERSION": VERSION, "LC_ALL": "C.UTF-8",
                                  "PYTHONDONTWRITEBYTECODE": "1"})


def main():
    made = WORK / "html"
    shutil.rmtree(made, ignore_errors=True)
    build("en", made)
    build("zh", made / "zh")
    shutil.copytree(SOURCE / "examples", made / "examples", ignore=shutil.ignore_patterns("CMakeLists.txt", "*.md"))
    for stale in made.rglob(".*"):  # Sphinx's own notes
        if stale.is_file():
            stale.unlink()
    for path in sorted(OUTPUT.iterdir()) if OUTPUT.exists() else []:
        if path.name != "playground":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(made, OUTPUT, dirs_exist_ok=True)


main()
