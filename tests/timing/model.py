# SPDX-License-Identifier: Apache-2.0
"""The machine of doc/timing.md once more, written from that page, slow and plain: lists that only
grow, and every maximum taken over everything."""

FOUR = {
    "engines.count": 4, "engines.by": "id", "engines.queue": 4, "engines.issue": 1,
    "l1m.bytes": 64, "l1m.slices": 1, "l1m.latency": 8,
    "l0m.bytes": 64, "l0m.slices": 1, "l0m.latency": 8,
    "ports.shared": "no", "move.bytes": 64, "move.latency": 4, "add.bytes": 64, "add.latency": 4,
    "hart.load": 1, "hart.jump": 1, "hart.divide": 16, "hart.trap": 4, "csr.drain": "no",
}
CAUSES = ["issue", "engine", "port", "raw", "war", "memory"]


class Event:
    """An instruction that ran: pc, word, length, trapped, accesses (address, size, is a store), CSRs
    written."""

    def __init__(self, pc, word, length, trapped, accesses, csrs):
        self.pc, self.word, self.length = pc, word, length
        self.trapped, self.accesses, self.csrs = trapped, accesses, csrs


def ceil(a, b):
    return -(-a // b)


class Ztl:
    """A Ztl instruction taken apart by sections 3 and 4 of the contract."""

    def __init__(self, revision, word):
        field = [word >> 7 & 31, word >> 15 & 31, word >> 20 & 31]
        funct3 = word >> 12 & 7
        engine = word >> 30
        if revision == 1:
            self.kind = ["xpose", "concat", "addi", "load", "store"][funct3]
            operands = {"xpose": ([field[0], field[1]], [field[0], field[1]]),
                        "concat": (field, [field[0]]), "addi": ([field[1]], [field[0]]),
                        "load": ([], [field[0]]), "store": ([field[1]], [])}
            self.reads, self.writes = operands[self.kind]
        else:
            store = word >> 29 & 1
            if funct3 == 0 or (funct3 == 2 and store):
                self.kind = "store" if store else "load"
                self.reads, self.writes = ([field[1]], []) if store else ([], [field[1]])
            elif funct3 == 1:
                self.kind = "merge" if word >> 25 & 0x1c else "concat"
                self.reads = field if self.kind == "concat" else field[1:]
                self.writes = [field[0]]
            elif funct3 == 2:
                self.kind, self.reads, self.writes = "addi", [field[1]], [field[0]]
            else:
                self.kind = "xpose"
                self.reads = self.writes = field[1:]
        by_kind = {"load": 0, "addi": 1, "store": 2}.get(self.kind, 3)
        self.engine_kind = by_kind
        self.engine_id = by_kind if revision == 1 else engine
        self.reads = [r for r in self.reads if r]
        self.writes = [r for r in self.writes if r]


def run(machine, revision, events):
    """The counts, in the order of tests/timing/tool.c."""
    t = 0
    waits = {"queue": 0, "memory": 0, "drain": 0}
    issuing = 0
    starts = {e: [] for e in range(4)}
    free = {e: 0 for e in range(4)}
    port_free = [0, 0]
    written, read = [0] * 32, [0] * 32
    accesses = []  # (low, high, done, is a store)
    latest = 0
    engines = [{"instructions": 0, "busy": 0, "idle": dict.fromkeys(CAUSES, 0)} for _ in range(4)]
    ports = [{"instructions": 0, "busy": 0, "idle": dict.fromkeys(CAUSES, 0)} for _ in range(2)]

    def conflicts(low, high, is_store):
        return [done for a, b, done, stored in accesses
                if (stored or is_store) and a <= high and low <= b]

    for n, event in enumerate(events):
        before = t
        if event.trapped:
            t += 1 + machine["hart.trap"]
            issuing += t - before
            continue
        opcode = event.word & 0x7f if event.word & 3 == 3 else None
        jumps = n + 1 < len(events) and events[n + 1].pc != event.pc + event.length
        extra = machine["hart.jump"] if jumps else 0
        if opcode != 0x5b:
            is_store = any(stored for _, _, stored in event.accesses)
            is_load = any(not stored for _, _, stored in event.accesses)
            for address, size, stored in event.accesses:
                t = max([t] + conflicts(address, address + size - 1, stored))
            waits["memory"] += t - before
            before = t
            if machine["csr.drain"] == "yes" and any(0x800 <= c < 0x880 for c in event.csrs):
                t = max([t] + [s for e in range(4) for s in starts[e]])
                waits["drain"] += t - before
                before = t
            if opcode == 0x0f and event.word >> 12 & 7 == 0:
                t = max([t] + [done for _, _, done, _ in accesses])
                waits["memory"] += t - before
                before = t
            extra += machine["hart.load"] if is_load else 0
            if opcode in (0x33, 0x3b) and event.word >> 25 == 1 and event.word >> 12 & 4:
                extra += machine["hart.divide"]
            t += 1 + extra
            issuing += t - before
            continue
        ztl = Ztl(revision, event.word)
        e = ztl.engine_kind if machine["engines.by"] == "kind" else ztl.engine_id
        e = 0 if machine["engines.count"] == 1 else e
        while sum(s > t for s in starts[e]) >= machine["engines.queue"]:
            t = min(s for s in starts[e] if s > t)
        waits["queue"] += t - before
        p = None
        low = min((a for a, _, _ in event.accesses), default=None)
        high = max((a + s - 1 for a, s, _ in event.accesses), default=None)
        if event.accesses:
            p = 1 if ztl.kind == "store" and machine["ports.shared"] == "no" else 0
        terms = [("issue", t + machine["engines.issue"]), ("engine", free[e])]
        if p is not None:
            terms.append(("port", port_free[p]))
        terms += [("raw", written[r]) for r in ztl.reads]
        terms += [("war", max(written[r], read[r])) for r in ztl.writes]
        if p is not None:
            terms += [("memory", d) for d in conflicts(low, high, ztl.kind == "store")]
        start = max(time for _, time in terms)
        cause = next(name for name, time in terms if time == start)
        memory = {"load": "l1m", "store": "l0m"}.get(ztl.kind)
        if memory:
            total = sum(s for _, s, _ in event.accesses)
            busy = max(ceil(total, machine[memory + ".bytes"]),
                       ceil(len(event.accesses), machine[memory + ".slices"]), 1)
            latency = machine[memory + ".latency"]
        else:
            unit = "add" if ztl.kind == "addi" else "move"
            busy = ceil(2048 if ztl.kind == "xpose" else 1024, machine[unit + ".bytes"])
            latency = machine[unit + ".latency"]
        if starts[e]:
            engines[e]["idle"][cause] += start - free[e]
        end = start + busy
        starts[e].append(start)
        free[e] = end
        engines[e]["instructions"] += 1
        engines[e]["busy"] += busy
        if p is not None:
            port_free[p] = end
            ports[p]["instructions"] += 1
            ports[p]["busy"] += busy
            accesses.append((low, high, end if ztl.kind == "load" else end + latency,
                             ztl.kind == "store"))
        for r in ztl.reads:
            read[r] = max(read[r], end)
        for r in ztl.writes:
            written[r] = end + latency
        latest = max(latest, end + latency)
        t += 1
        issuing += 1
    counts = [max(t, latest), t, waits["queue"], waits["memory"], waits["drain"], issuing]
    for unit in engines + ports:
        counts += [unit["instructions"], unit["busy"]] + list(unit["idle"].values())
    return counts
