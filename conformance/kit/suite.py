# SPDX-License-Identifier: Apache-2.0
"""The programs of a revision. A topic is a row of programs, each with as many bins as fit."""
import oracle
from program import Program


class Topic:
    def __init__(self, suite, name, **options):
        self.suite, self.name, self.options, self.count, self.program = suite, name, options, 0, None

    def bin(self, rule, name, word, **given):
        if not self.program or self.program.full():
            self.count += 1
            self.program = Program(f"{self.name}-{self.count}", self.suite.revision, **self.options)
            self.suite.programs.append(self.program)
        revision = self.suite.revision
        found = oracle.decode(revision, word) if revision and word & 0x7F == 0x5B else None
        self.program.needs |= {oracle.SUBSET_OF[found[0]]} if found else set()
        return self.program.bin(rule, name, word, text=given.pop("text", found[3] if found else ""),
                                **given)

    def fresh(self):
        """The next bin is the first after a reset."""
        self.program = None


class Suite:
    def __init__(self, revision):
        self.revision, self.programs = revision, []

    def topic(self, name, **options):
        return Topic(self, name, **options)
