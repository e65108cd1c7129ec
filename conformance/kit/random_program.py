# SPDX-License-Identifier: Apache-2.0
"""A random program: its steps as bins that follow each other without a reset between them. Each compares
the trap and the sums of what it wrote; a bit of a sum often decides which way the program goes on."""
import copy
import json

import oracle
from oracle import GPR
from program import AREAS, PLACES, Program, At, words_of
from random_steps import Steps
from words import Numbers, addi, addi1

RULES = {"load": "ztl.load.1", "store": "ztl.store.1", "concat": "ztl.concat.3", "merge": "ztl.merge.1",
         "addi": "ztl.addi.1", "xpose": "ztl.xpose.3", "permute": "ztl.permute.1"}  # fmt: skip
# Of an illegal instruction, by its reason; what is not here is the first of the instruction's.
REASONS = {"load": {2: "ztl.load.9", 3: "ztl.load.10", 4: "ztl.load.12", 5: "ztl.mload.6"},
           "store": {2: "ztl.store.4", 3: "ztl.store.4", 4: "ztl.store.4", 5: "ztl.mstore.3"},
           "concat": {2: "ztl.concat.5", 3: "ztl.concat.7", 5: "ztl.concat.9", 6: "ztl.concat.10"},
           "merge": {2: "ztl.merge.3", 3: "ztl.merge.3", 5: "ztl.merge.3"}, "addi": {2: "ztl.addi.10"},
           "xpose": {2: "ztl.xpose.8", 3: "ztl.xpose.11"}, "permute": {3: "ztl.permute.3"}}  # fmt: skip
FIRST = tuple(Numbers(100 + k).block() for k in range(4))


def sum_of(block):
    total = 0
    for word in words_of(block):
        total = (3 * total + word) & 0xFFFFFFFF
    return total


class RandomProgram(Program):
    def __init__(self, name, revision, xlen, subsets):
        super().__init__(name, revision, xlen, subsets, bare=True)
        self.kept = []
        self.ways = 0

    def begin(self):
        """Registers tl1 to tl4, the scratch memory and the end of RAM have known bytes."""
        if "m" in self.subsets:
            self.emit("jal ztl_plain")
            self.plain()
            for n, content in enumerate(FIRST, 1):
                self.put(n, content)
        memory = FIRST[0] + FIRST[1]
        self.emit(f"lla a1, {self.block(memory)}", "jal ztl_fill")
        self.hart.memory[PLACES["scratch"]][:] = memory
        self.fill_area("end")

    def attempt(self, step):
        """What a step does, tried on a copy of the hart: (cause or 0, mtval, reason)."""
        hart = copy.deepcopy(self.hart)
        for address, value in step["csr"]:
            hart.write_csr(address, value)
        for n, value in step["x"].items():
            hart.x[int(n)] = self.value_of(value)
        answer = hart.execute(step["word"])
        return tuple(int(n, 0) for n in answer.split()[1:]) if answer != "ok" else (0, 0, 0)

    def tame(self, step):
        """Whether it leaves alone what only the target knows: memory that is the program's own."""
        cause, tval, _ = self.attempt(step)
        return cause not in (5, 7) or any(PLACES[place] <= tval < PLACES[place] + 4096 for place in ("fault", "end"))

    @staticmethod
    def rule_of(name, cause, _, reason):
        """The rule that a step is about."""
        if reason == 1 or not name:
            return "ztl.insn.4"
        if cause in (4, 5):
            return "ztl.load.13" if cause == 4 else "ztl.load.14"
        return "ztl.store.4" if cause in (6, 7) else REASONS[name].get(reason, RULES[name])

    def value_of(self, value):
        if isinstance(value, list):
            return (PLACES[value[0]] + value[1]) % (1 << self.xlen)
        return value

    def add(self, step):
        self.kept.append(step)
        word = step["word"]
        found = oracle.decode(self.revision, word)
        rule = self.rule_of(found[0] if found else None, *self.attempt(step))
        number = len(self.bins)
        label = self.rules.setdefault(rule, f"rule_{len(self.rules)}")
        self.bins.append((rule, f"step/{number}", f"{word:#010x}", found[3] if found else ""))
        self.total = 0
        self.text.append(f'\n    bin {number}, {label}, "{rule}/step/{number}", ztl_begin_bare')
        self.size += 110
        for address, value in step["csr"]:
            self.set_csr(address, value)
        place = "scratch"
        for n, value in step["x"].items():
            if isinstance(value, list):
                place = value[0]
            self.set_register(int(n), At(*value) if isinstance(value, list) else value)
        self.text.append(f"insn_{number}:")
        self.emit(f".4byte {word:#010x}" + (f"          # {found[3]}" if found else ""))
        answer = self.hart.execute(word)
        if answer != "ok" and answer.split()[1] in "567":
            tval = int(answer.split()[2], 0)
            place = min(PLACES, key=lambda name: abs(PLACES[name] - tval))
        noted = self.expect(word, answer, place)
        self.compare(step)
        if step["branch"]:
            self.branch()
        self.signature.append([*noted, self.total])

    def compare(self, step):
        if step["memory"]:
            self.sum(sum_of(self.hart.memory[PLACES["scratch"]]), "memory")
        if step["show"] and "m" in self.subsets:
            self.emit("jal ztl_plain")
            self.plain()
            for n in dict.fromkeys(step["show"]):
                self.sum(sum_of(self.hart.tl[n]), n)
                if self.revision == 1:
                    self.hart.write_csr(oracle.STORE_MASK, 15)

    def sum(self, due, what):
        self.emit(f"li a0, {due:#x}", f"jal ztl_sum_{what}")
        self.note([due])
        self.last = due

    def branch(self):
        """Which of two ways it goes depends on what was compared last."""
        bit, way = self.ways % 32, self.ways
        self.ways += 1
        taken = getattr(self, "last", 0) >> bit & 1
        word = addi if self.revision == 2 else addi1
        ways = [word(5, 5, 1), word(6, 6, 1)]
        if "a" not in self.subsets:
            return
        self.emit("jal ztl_plain")
        self.plain()
        self.emit("lla t0, ztl_last_sum", "lw t0, 0(t0)", f"srli t0, t0, {bit}", "andi t0, t0, 1",
                  f"bnez t0, way_{way}", f".4byte {ways[0]:#010x}", f"j after_{way}")
        self.text.append(f"way_{way}:")
        self.emit(f".4byte {ways[1]:#010x}")
        self.text.append(f"after_{way}:")
        assert self.hart.execute(ways[taken]) == "ok"

    def lines(self):
        yield from super().lines()
        text = json.dumps({"name": self.name, "revision": self.revision, "xlen": self.xlen, "subsets": self.subsets,
                           "steps": self.kept})
        yield '    .section .ztl.gen, "", @progbits'
        for n in range(0, len(text), 100):
            escaped = text[n : n + 100].replace("\\", "\\\\").replace('"', '\\"')
            yield f'    .ascii "{escaped}"'


def make(name, revision, xlen, subsets, steps):
    """The program of given steps."""
    program = RandomProgram(name, revision, xlen, subsets)
    program.begin()
    for step in steps:
        program.add(step)
    return program


def draw(name, seed, revision, xlen, subsets, profile, most):
    """A program of as many steps as fit, at the most `most`."""
    source = Steps(seed, revision, subsets, profile)
    program = RandomProgram(name, revision, xlen, subsets)
    program.begin()
    while len(program.bins) < most and not program.full():
        step = source.draw()
        if program.tame(step):
            program.add(step)
    return program
