#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs examples/first.s: what its Ztl instructions wrote, the counts, and its cycles."""

import pathlib

import ztl

source = pathlib.Path(__file__).resolve().parent.parent / "first.s"
machine = ztl.Machine(source, stats=True, timing="four")
for event in machine.events():
    if event.tl:
        first = machine.tl[event.tl[0]][:4].tolist()
        print(f"{event.text:32}tl{event.tl[0]} = {first} ...")
print(f"status {machine.exit_code}, {machine.retired} instructions, {machine.stats['ztl']} of Ztl")
print(f"{machine.timing.cycles} cycles, {machine.timing.bound} of them at the {machine.timing.bound_by}")
