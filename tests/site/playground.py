#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The playground in Chromium: assembles, steps in both directions, shows registers and where elements
came from, breaks on mistakes, keeps what was typed; nothing is asked of another host.

    playground.py ZTL [FOLDER-FOR-PICTURES]
"""
import json
import pathlib
import sys

from browser import Browser
from served import served

ZTL = sys.argv[1]
PICTURES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
READY = "document.documentElement?.dataset.ready === 'yes'"
MATRIX = [[(4 * row + column // 16) & 255 for column in range(64)] for row in range(32)]
TRANSPOSED = [list(column) for column in zip(*MATRIX)]


class Page:
    def __init__(self, browser, address):
        self.browser, self.address = browser, address
        self.go(address + "playground/")

    def go(self, url):
        self.browser.open(url)
        self.browser.wait(READY)

    def text(self, name):
        return self.browser.run(f"document.getElementById('{name}').textContent")

    def click(self, name):
        self.browser.run(f"document.getElementById('{name}').click()")

    def choose(self, name, value):
        self.browser.run(f"{{const e = document.getElementById('{name}'); e.value = {json.dumps(value)};"
                         "e.dispatchEvent(new Event('change', {bubbles: true}))}")

    def write(self, text):
        """What a person types instead of the program."""
        self.browser.run("document.getElementById('source').focus(); document.getElementById('source').select()")
        self.browser.type(text)
        self.browser.wait("document.getElementById('status').textContent.match(/Assembled|mistakes/)")

    def program(self, text):
        self.browser.run("document.getElementById('status').textContent = ''")
        self.write(text)

    def grids(self):
        """[(caption, rows of texts)]"""
        return self.browser.run("""[...document.querySelectorAll('#grids figure')].map(f => [
            f.querySelector('figcaption').textContent,
            [...f.querySelectorAll('tr')].map(r => [...r.cells].slice(1).map(c => c.textContent))])""")

    def status(self):
        return self.text("status")


def check_first_look(page):
    """A newcomer sees a transposition: registers before and after, the picture of the instruction."""
    (before, was), (now, rows) = page.grids()
    assert before.startswith("Before tl.xpose.01 tl1, tl2, a1: tl1+tl2 [32, 64]"), before
    assert "tl1+tl2 [64, 32] byte" in now, now
    assert was == [["%02x" % value for value in row] for row in MATRIX]
    assert rows == [["%02x" % value for value in row] for row in TRANSPOSED]
    assert "10 instructions, 3 of Ztl" in page.status(), page.status()
    assert page.browser.run("document.querySelectorAll('#picture svg rect').length") > 20


def check_origins(page):
    """Pointing at an element tells where it came from, and marks it."""
    page.browser.run("document.querySelectorAll('#grids figure')[1].cells[5 * 32 + 7]"
                     ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))")
    said = page.text("origin")
    assert said.startswith("[5, 7] = 1c. Came from tl1 [7, 5]"), said
    marked = page.browser.run("[...document.querySelectorAll('#grids .mark')].map(c => Number(c.dataset.n))")
    assert marked == [7 * 64 + 5, 5 * 32 + 7], marked
    page.browser.run("document.querySelectorAll('#grids figure')[0].cells[20 * 64 + 9].focus()")
    assert "Went to tl1 [9, 20]" in page.text("origin"), page.text("origin")
    page.browser.key("ArrowRight", 39)
    assert "Went to tl1 [10, 20]" in page.text("origin"), page.text("origin")


def check_steps(page):
    for _ in range(3):
        page.browser.key("ArrowUp", 38, modifiers=1)
    assert "7 instructions, 2 of Ztl" in page.status(), page.status()
    assert "Came from" not in page.text("origin")
    page.browser.key("ArrowRight", 39, modifiers=1)
    assert "10 instructions, 3 of Ztl" in page.status(), page.status()
    page.click("run")
    page.browser.wait("document.getElementById('status').textContent.includes('has ended')")
    assert page.browser.run("ztl.state().exit") == 0
    page.click("back")
    assert not page.browser.run("ztl.state().ended")
    page.choose("address", "result")
    stored = bytes(value for row in TRANSPOSED for value in row)[:512]
    shown = "".join(line[10:58] for line in page.text("memory").split("\n"))
    assert bytes.fromhex(shown) == stored


def check_mistakes(page):
    page.program("_start:\n    nop\n    tl.lod tl1, 0(a0)\n    addi a0, a0, 5000\n")
    said = page.text("errors")
    assert "line 3: unknown mnemonic 'tl.lod', did you mean 'tl.load'?" in said, said
    assert "line 4: '5000' is out of range" in said, said
    assert page.browser.run("[...document.querySelectorAll('#gutter .bad')].map(e => e.textContent)") == ["3", "4"]
    page.browser.run("document.querySelector('#errors button').click()")
    assert page.browser.run("(s => s.value.slice(s.selectionStart, s.selectionEnd))(document.getElementById('source'))"
                            ) == "    tl.lod tl1, 0(a0)"
    page.program("li a0, 0x123\nli a1, 4\ncsrwi tmask_concat_1, 3\ntl.merge.0 tl3, tl1, tl2\n")
    assert not page.text("errors")
    page.click("run")
    page.browser.wait("document.getElementById('status').textContent.includes('traps')")
    assert "SHAPE" in page.status() and "D0 = 0" in page.status(), page.status()
    assert "a0" in page.text("state") and "0x123" in page.text("state")


def check_breakpoints(page):
    page.program("li a0, 1000\nloop:\naddi a0, a0, -1\nbnez a0, loop\nret\n")
    page.browser.run("(s => s.setSelectionRange(20, 20))(document.getElementById('source'))")
    page.browser.key("F9", 120)
    assert page.status() == "Breakpoint in line 3", page.status()
    page.browser.key("Enter", 13, modifiers=2)
    page.browser.wait("document.getElementById('status').textContent.startsWith('At the breakpoint in line 3')")
    page.browser.key("Enter", 13, modifiers=2)
    page.browser.wait("ztl.state().x[10] === '0x3e7'")
    page.browser.key("F9", 120)
    page.browser.key("Enter", 13, modifiers=2)
    page.browser.wait("document.getElementById('status').textContent.includes('has ended')")
    assert page.browser.run("ztl.state().count") == 2003, page.status()  # and the return, to where nothing is


def check_views(page):
    """Types and shapes; values by hand from the formats."""
    page.program("""
        la a0, data
        li t0, 1 << 16 | 2 << 8 | 4
        csrw tshape, t0
        csrwi ttype, 0
        tl.load tl7, 0(a0)
        .data
        data: .byte 0x7f, 0x80, 0xff, 0x38, 0x00, 0xc0, 0x80, 0xff
        """)
    page.click("next")
    assert page.grids()[-1][1] == [["7f", "80", "ff", "38"], ["00", "c0", "80", "ff"]], page.grids()
    for kind, shape, values in (("int8", "8", [["127", "-128", "-1", "56", "0", "-64", "-128", "-1"]]),
                                ("int4", "2x4", [["-1", "7", "0", "-8"], ["-1", "-1", "-8", "3"]]),
                                ("e4m3", "8", [["NaN", "0", "NaN", "1", "0", "-2", "0", "NaN"]]),
                                ("fp16", "2", [["-0.0000076" if 0 else "-0.00000757", "0.6245"]]),
                                ("fp32", "2", [["9.183e-41", "0"]])):
        page.choose("type", kind)
        page.choose("shape", shape)
        if kind in ("fp16", "fp32"):
            continue
        assert page.grids()[-1][1] == values, (kind, page.grids())
    page.choose("shape", "3x")
    assert "is no shape" in page.text("grids")
    page.choose("which", "tl40")
    assert "'tl40' is not tl0 to tl31" in page.text("grids")
    page.browser.run("document.getElementById('follow').click()")


def check_link(page):
    """Program and state travel in the link; without it, what was typed is there again."""
    page.program("li a0, 77\nli a1, 78\nli a2, 79\n")
    page.click("step")
    page.click("step")
    page.click("link")
    page.browser.wait("location.hash.length > 20")
    url = page.browser.run("location.href")
    page.program("nop\n")
    page.browser.run("new Promise(done => setTimeout(done, 200))")
    page.go(page.address + "playground/")
    assert page.browser.run("document.getElementById('source').value") == "nop\n"
    page.go("about:blank#") if False else page.browser.open("about:blank")
    page.browser.run("0")
    page.go(url)
    assert page.browser.run("ztl.state().x.slice(10, 13)") == ["0x4d", "0x4e", "0x0"]
    page.browser.open("about:blank")
    page.go(page.address + "playground/#damaged")
    assert "The link is damaged" in page.status(), page.status()


def check_panels(page):
    page.click("tab-plan")
    page.browser.run("document.getElementById('plan-form').requestSubmit()")
    page.browser.wait("document.getElementById('plan').textContent.includes('cycles')")
    plan = page.text("plan")
    assert "1 pass, 588 Ztl instructions, lower bound 392" in plan and "49 batches" in plan, plan
    assert "no program takes fewer than 3136" in plan, plan
    page.browser.run("document.getElementById('plan-text').value = 'transpos 4,4 int8';"
                     "document.getElementById('plan-form').requestSubmit()")
    page.browser.wait("document.getElementById('plan').textContent.includes('did you mean')")
    page.click("tab-cycles")
    page.browser.run("document.getElementById('timed').click()")
    page.choose("example", "0")
    page.browser.wait("ztl.state().count === 0")
    page.click("run")
    page.browser.wait("document.querySelector('#timeline svg') !== null")
    assert "cycles" in page.text("report") and page.browser.run("ztl.state().cycles") > 100
    page.browser.run("document.getElementById('timed').click()")
    page.click("tab-picture")


def check_examples(page):
    """Every example assembles; those that end do so as they should."""
    count = page.browser.run("document.getElementById('example').length")
    assert count >= 9, count
    for index in range(count):
        page.choose("example", str(index))
        name = page.browser.run("document.getElementById('example').selectedOptions[0].text")
        assert not page.text("errors"), (name, page.text("errors"))
        page.browser.run("ztl.run(3e6)")
        state = page.browser.run("ztl.state()")
        assert "trap" not in state and state["exit"] == 0, (name, state)
    page.choose("example", str(page.browser.run("[...document.getElementById('example').options].findIndex(o => o.text === 'picture')")))
    page.browser.run("ztl.run(3e6)")
    assert "@@@@" in page.text("console") and "32 rows" in page.text("console")


def check_access(page):
    """Every control has a name for a screen reader; both languages; nothing is cut off at 400 pixels."""
    nodes = page.browser.call("Accessibility.getFullAXTree")["nodes"]
    controls = [node for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in
                ("button", "textbox", "combobox", "checkbox", "tab", "link", "grid")]
    assert len(controls) > 20
    nameless = [node for node in controls if not node.get("name", {}).get("value")]
    assert not nameless, nameless
    page.click("language")
    assert page.browser.run("document.documentElement.lang") == "zh" and "运行" in page.text("run")
    missing = page.browser.run("[...document.querySelectorAll('[data-word]')].filter(e => !/[\\u4e00-\\u9fff]/.test(e.textContent)).map(e => e.dataset.word)")
    assert not missing, missing
    page.click("language")
    assert "Run" in page.text("run")
    page.browser.size(400, 900)
    assert page.browser.run("document.documentElement.scrollWidth") <= 400
    small = page.browser.run("""[...document.querySelectorAll('button:not(#errors *), select, input:not([type=checkbox])')]
        .filter(e => e.offsetParent && e.getBoundingClientRect().right > 400).map(e => e.id)""")
    assert not small, small


def take_pictures(address):
    for width, dark in ((1280, False), (1280, True), (400, False)):
        with Browser(width, 900, dark) as browser:
            Page(browser, address)
            browser.picture(PICTURES / f"playground-{width}{'-dark' if dark else ''}.png", True)


def main():
    with served(ZTL) as address, Browser() as browser:
        page = Page(browser, address)
        check_first_look(page)
        check_origins(page)
        check_steps(page)
        check_mistakes(page)
        check_breakpoints(page)
        check_views(page)
        check_panels(page)
        check_link(page)
        check_examples(page)
        check_access(page)
        elsewhere = [url for url in browser.requests if not url.startswith((address, "data:", "blob:", "about:"))]
        assert not elsewhere, elsewhere
        assert not browser.messages, browser.messages
        if PICTURES:
            take_pictures(address)


main()
