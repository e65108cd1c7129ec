#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The site: every link within it leads somewhere, nothing of it is fetched from elsewhere, both
languages, the reference, charts, and search in Chromium.

    pages.py HTML ZTL [FOLDER-FOR-PICTURES]
"""
import html.parser
import pathlib
import sys
import urllib.parse

from browser import Browser
from served import served

ROOT, ZTL = pathlib.Path(sys.argv[1]), sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.fetched, self.anchors = [], [], set()

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        if tag == "a" and "href" in values:
            self.found.append(values["href"])
        fetched = {"link": "href", "script": "src", "img": "src", "iframe": "src"}.get(tag)
        if fetched and values.get("rel") not in ("index", "search", "next", "prev") and values.get(fetched):
            self.fetched.append(values[fetched])


def read_pages():
    pages = {}
    for path in ROOT.rglob("*.html"):
        links = Links()
        links.feed(path.read_text())
        pages[path.resolve()] = links
    return pages


def check_links(pages):
    dead, elsewhere = [], []
    for path, links in pages.items():
        for target in links.fetched:
            if not target.startswith("data:") and ("://" in target or target.startswith("//")):
                elsewhere.append((path.name, target))
        for target in links.found + links.fetched:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if there.is_dir():
                there /= "index.html"
            if not there.exists():
                dead.append((str(path.relative_to(ROOT.resolve())), target))
    assert not elsewhere, elsewhere
    assert not dead, (len(dead), dead[:20])


def check_browser():
    with served(ZTL) as address, Browser() as browser:
        browser.open(address + "index.html")
        browser.run("document.querySelector('a.play').click()")
        browser.wait("document.documentElement?.dataset.ready === 'yes'")
        for language, word, page in (("", "transpose", "guide"), ("zh/", "tl.xpose", "isa")):
            browser.open(f"{address}{language}search.html?q={word}")
            browser.wait("document.querySelectorAll('#search-results li').length > 0")
            found = browser.run("[...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))")
            assert any(page in target for target in found), (word, found)
        browser.open(address + "performance.html")
        assert browser.run("document.querySelectorAll('svg.chart rect').length") > 5
        browser.open(address + "reference/hart.html")
        assert browser.run("document.body.textContent.includes('ztl_hart_run')")
        browser.size(400, 900)
        for page in ("index", "guide", "isa", "performance", "zh/guide"):
            browser.open(f"{address}{page}.html")
            wide = browser.run("document.documentElement.scrollWidth")
            assert wide <= 400, (page, wide)
        elsewhere = [url for url in browser.requests if not url.startswith((address, "data:", "about:", "blob:"))]
        assert not elsewhere, elsewhere
        if PICTURES:
            for width, page in ((1280, "index"), (1280, "performance"), (400, "guide")):
                browser.size(width, 900)
                browser.open(f"{address}{page}.html")
                browser.picture(PICTURES / f"site-{page}-{width}.png")


def main():
    pages = read_pages()
    names = {str(path.relative_to(ROOT.resolve())) for path in pages}
    assert {"index.html", "guide.html", "isa.html", "zh/index.html", "zh/guide.html", "reference/ops.html",
            "examples.html", "search.html", "playground/index.html"} <= names, names
    check_links(pages)
    check_browser()


main()
