#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares `heddle check --between` and `heddle diff --schedule` with brute force, on random changes of AR tables.

    tests/lib/ar_mixtures.py [--seed SEED] [--keep DIRECTORY] [--only NUMBER] [--mixtures N] [--stages TOOL] CHANGES
    tests/lib/ar_mixtures.py [--stages TOOL] --snapshots OLD NEW

The fabrics are those of ar_prover.py: private LFTs chosen by in-port and SL or VL, groups of subgroups, SL2VL and VL2VL.
New tables are mutated old ones, or made anew; some changes lose a link. Two proofs, which share no code with heddle:

- single mixtures: each entry, group, row of a map, row of SL2VL and VL2VL and path SL is old or new at random (all of them,
  if they are few). If one has a loop, heddle must not say "sound".
- all of both at once, as heddle defines it: verdict, states and length of the shortest cycle must agree.

With --stages TOOL (tests/tools/stages_tool) rounds are planned, too, and each is proved in both ways from the tables that
the tool writes.
"""
import argparse
import copy
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import ar_prover
import ar_tables
from ar_prover import DROP, NO_PATH, VLS


class Switch(ar_prover.Switch):
    """One that keeps its ports when it loses a link."""

    n = 0

    def n_ports(self):
        return self.n or super().n_ports()


def make_old(rng):
    fabric = ar_prover.make_fabric(rng)
    for switch in fabric.switches:
        switch.n = switch.n_ports()
        switch.__class__ = Switch
    return fabric


def make_again(fabric, rng):
    """Other tables on the same links."""
    for switch in fabric.switches:
        switch.groups, switch.map, switch.sl2vl, switch.vl2vl = [], {}, {}, None
    fabric.sls, fabric.host_vls = {}, []
    ar_prover.make_tables(fabric, rng)
    ar_prover.make_whole(fabric, rng)


def lose_link(fabric, rng):
    links = [(s, port) for s, switch in enumerate(fabric.switches) for port, end in switch.ports.items()
             if end[0] == "switch" and end[1] != s]
    if links:
        s, port = rng.choice(links)
        _, other, back = fabric.switches[s].ports.pop(port)
        fabric.switches[other].ports.pop(back)
        if len(ar_prover.distances(fabric, 0)) < len(fabric.switches):
            fabric.switches[s].ports[port] = ("switch", other, back)
            fabric.switches[other].ports[back] = ("switch", s, port)


def make_new(old, rng):
    new = copy.deepcopy(old)
    how = rng.choice(("mutated", "mutated", "again", "lanes", "link"))
    if how == "mutated":
        for _ in range(rng.randint(1, 4)):
            ar_prover.mutate(new, rng)
    elif how == "lanes":
        new.host_vls, new.sls = [], {}
        for switch in new.switches:
            switch.vl2vl = None
        ar_prover.make_lanes(new, any(len(s.plfts) > 1 for s in new.switches), rng)
    else:
        if how == "link":
            lose_link(new, rng)
        make_again(new, rng)
    # a group is written once: groups of a switch differ
    for switch in new.switches:
        if len(switch.groups) != len({str(group) for group in switch.groups}):
            return copy.deepcopy(old)
    return new


# Single mixtures


class Pick:
    """Says for each item whether it is new: at random, or by the bits of a number."""

    def __init__(self, rng=None, bits=0):
        self.rng, self.bits, self.n = rng, bits, 0
        self.by_kind = {} if rng and rng.random() < 0.3 else None

    def __call__(self, kind, a, b):
        if a == b:
            return a
        self.n += 1
        if not self.rng:
            return b if self.bits >> (self.n - 1) & 1 else a
        if self.by_kind is not None:
            return b if self.by_kind.setdefault(kind, self.rng.random() < 0.5) else a
        return b if self.rng.random() < 0.5 else a


def lanes_of(switch):
    """The rows of VLs that a switch has, of 16 each, whichever way it reads them."""
    return switch.sl2vl if switch.vl2vl is None else {
        key: row and [*row, DROP][:16] for key, row in switch.vl2vl.items()}


def mix_switch(old, new, pick):
    mixed = copy.copy(new)
    nothing = (NO_PATH, "static", None)
    mixed.plfts = []
    for plft in range(max(len(old.plfts), len(new.plfts))):
        a = old.plfts[plft] if plft < len(old.plfts) else {}
        b = new.plfts[plft] if plft < len(new.plfts) else {}
        mixed.plfts.append({})
        for lid in sorted(set(a) | set(b)):
            x, y = a.get(lid, nothing), b.get(lid, nothing)
            port = pick("entries", x[0], y[0])
            mixed.plfts[plft][lid] = (port, *pick("entries", x[1:], y[1:]))
    mixed.groups = [pick("groups", a, b) for a, b in itertools.zip_longest(old.groups, new.groups, fillvalue=[])]
    maps = [switch for switch in (old, new) if len(switch.plfts) > 1]
    if maps:
        mixed.by_vl = pick("map", maps[0].by_vl, maps[-1].by_vl)
    mixed.map = {}
    for port in range(new.n_ports() + 1):
        rows = [{k[1]: n for k, n in switch.map.items() if k[0] == port and n} if len(switch.plfts) > 1 else {}
                for switch in (old, new)]
        for key, number in pick("map", *rows).items():
            mixed.map[port, key] = number
    # one table: how a switch reads it, by SL or by VL, is sent by itself
    rows = [lanes_of(switch) for switch in (old, new)]
    mixed.sl2vl = {key: pick("lanes", rows[0][key], rows[1][key]) for key in new.sl2vl if key[1]}
    mixed.vl2vl = mixed.sl2vl if pick("lanes", old.vl2vl is not None, new.vl2vl is not None) else None
    return mixed


def mix(old, new, pick):
    mixed = copy.copy(new)
    mixed.switches = [mix_switch(a, b, pick) for a, b in zip(old.switches, new.switches)]
    mixed.host_vls = [pick("lanes", a, b) for a, b in zip(old.host_vls, new.host_vls)]
    mixed.sls = {key: pick("sls", old.sls[key], new.sls[key]) for key in new.sls}
    return mixed


class Mixture(ar_prover.Proof):
    """Of one mixture: packets that are lost are no failure."""

    def __init__(self, fabric, hosts_only):
        super().__init__(fabric, hosts_only, 0)

    def steps(self, state, lid):
        s, port, vl, sl = state
        switch = self.fabric.switches[s]
        if vl != DROP and switch.plft(port, sl, vl) < len(switch.plfts):
            yield from super().steps(state, lid)

    def loops(self):
        return self.loop or self.shortest() > 0


def find_mixture(old, new, hosts_only, rng, n):
    """A mixture with a loop among some that are made; None: none has. And how many were tried."""
    counter = Pick()
    mix(old, new, counter)
    few = counter.n <= 6
    for i in range(2 ** counter.n if few else n):
        mixed = mix(old, new, Pick(bits=i) if few else Pick(rng))
        if Mixture(mixed, hosts_only).loops():
            return i
    return None


# All mixtures at once


class Union(ar_prover.Proof):
    """Old and new of everything at once."""

    def __init__(self, old, new, hosts_only, n_down):
        self.fabric, self.n_down = new, n_down
        self.sides = (old, new)
        self.single = all(len(s.plfts) == 1 for side in self.sides for s in side.switches)
        self.loop = False
        self.n_states = 0
        self.edges = {}
        self.sources = [("host", i) for i in range(len(new.hosts))]
        if not hosts_only:
            self.sources += [("switch", i) for i in range(len(new.switches))]
        for lid in new.lids(hosts_only):
            self.follow(lid, self.sources)

    def begins(self, source, sl):
        kind, i = source
        if kind == "switch":
            return {(i, 0, 0, sl)}
        s, port, _ = self.fabric.hosts[i]
        return {(s, port, side.host_vls[i][sl], sl) for side in self.sides if side.host_vls[i][sl] != DROP}

    def begin_all(self, source, lid):
        return {state for side in self.sides for state in self.begins(source, side.sls[source, lid])}

    def plfts(self, state):
        s, port, vl, sl = state
        found = set()
        pair = [side.switches[s] for side in self.sides]
        for switch in pair:
            if len(switch.plfts) == 1:
                found.add(0)
                continue
            for other in pair:
                by_vl = other.by_vl if len(other.plfts) > 1 else switch.by_vl
                found.add(switch.map.get((port, (0 if vl == DROP else vl) if by_vl else sl), 0))
        return found

    def ports(self, s, plft, lid):
        found = set()
        pair = [side.switches[s] for side in self.sides]
        for switch in pair:
            nothing = (NO_PATH, "static", None)
            entry = switch.plfts[plft].get(lid, nothing) if plft < len(switch.plfts) else nothing
            found.add(entry[0])
            ports = {other.plfts[plft].get(lid, nothing)[0] if plft < len(other.plfts) else NO_PATH for other in pair}
            for other in pair:
                if entry[2] is not None and entry[2] < len(other.groups):
                    holder = copy.copy(switch)
                    holder.groups = other.groups
                    for port in ports:
                        found |= ar_prover.all_choices(holder, (port, *entry[1:]), self.n_down)
        return found

    def lanes(self, state, out):
        s, port, vl, sl = state
        pair = [side.switches[s] for side in self.sides]
        found = set()
        for switch in pair:
            for other in pair:
                found.add(lanes_of(other)[port, out][sl if switch.vl2vl is None else vl])
        return found

    def steps(self, state, lid):
        s = state[0]
        switch = self.fabric.switches[s]
        _, root, last = self.fabric.owner(lid)
        for out in {out for plft in self.plfts(state) for out in self.ports(s, plft, lid)}:
            end = switch.ports.get(out)
            if (s == root and out == last) or not end or end[0] != "switch":
                continue
            for vl in {DROP} if state[2] == DROP else self.lanes(state, out):
                yield out, (end[1], end[2], vl, state[3])

    def follow(self, lid, sources):
        owner, _, _ = self.fabric.owner(lid)
        after, waiting = {}, []
        for source in sources:
            for state in self.begin_all(source, lid) if source != owner else ():
                if state not in after:
                    after[state] = []
                    waiting.append(state)
        for state in waiting:
            for out, behind in self.steps(state, lid):
                if behind[2] != DROP:
                    self.note_edge(state, out, behind)
                elif not self.single:
                    continue
                after[state].append(behind)
                if behind not in after:
                    after[behind] = []
                    waiting.append(behind)
        self.n_states += len({(s, port, vl, plft) for s, port, vl, sl in after if vl != DROP
                              for plft in self.plfts((s, port, vl, sl))})
        self.loop |= ar_prover.has_circle(after)

    def verdict(self):
        if self.loop:
            return "forwarding loop"
        return "credit loop" if self.shortest() else None

    def passes(self, source, lid, sl, first, second):
        waiting = list(self.begins(source, sl))
        seen = set(waiting)
        for state in waiting:
            s, port, vl, _ = state
            end = self.fabric.switches[s].ports.get(port)
            came = (end[1], end[2], vl) if end and end[0] == "switch" else None
            for out, behind in self.steps(state, lid):
                if behind[2] == DROP:
                    continue
                if came == first and (s, out, behind[2]) == second:
                    return True
                if behind not in seen:
                    seen.add(behind)
                    waiting.append(behind)
        return False


# The comparison


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def compare_witness(proof, witness):
    channels = [(int(c["switch"][1:]), c["port"], c["vl"]) for c in witness]
    for i, channel in enumerate(witness):
        source, lid, sl = ar_prover.flow_of(proof.fabric, channel["flow"])
        assert sl in {side.sls[source, lid] for side in proof.sides}, f"flow {source} to {lid} has no SL {sl}"
        assert proof.passes(source, lid, sl, channels[i], channels[(i + 1) % len(channels)]), \
            f"flow {source} to LID {lid} does not take {channels[i]} and the next"


def compare(old, new, directory, rng, arguments, n_down):
    """(verdict, whether a single mixture loops) for all packets."""
    command = ["heddle", "check", "--quiet", "--between", f"{directory}/old", f"{directory}/new", "--json"]
    answer = run(*command, *([f"--local-repair={n_down}"] if n_down else []))
    verdict = found = None
    for scope in "hosts", "all":
        given, proof = answer[scope], Union(old, new, scope == "hosts", n_down)
        verdict = proof.verdict()
        assert given["failure"] == verdict, f"{scope}: {given['failure']}, by brute force {verdict}"
        if verdict != "forwarding loop":
            assert given.get("states", proof.n_states) == proof.n_states, \
                f"{scope}: {given.get('states')} states, by brute force {proof.n_states}"
            assert len(given["witness"]) == proof.shortest(), \
                f"{scope}: cycle of {len(given['witness'])}, by brute force {proof.shortest()}"
            compare_witness(proof, given["witness"])
        if n_down:
            continue
        found = find_mixture(old, new, scope == "hosts", rng, arguments.mixtures)
        assert found is None or verdict, f"{scope}: sound, and mixture {found} has a loop"
    return verdict, found is not None


def read(directory):
    """What heddle wrote, with the rows that dumps leave out; without AR tables there is no dump of them."""
    with open(os.path.join(directory, "ar.dump"), "a", encoding="ascii"):
        pass
    fabric = ar_tables.read(directory)
    for switch in fabric.switches:
        for key in itertools.product(range(switch.n_ports() + 1), repeat=2):
            switch.sl2vl.setdefault(key, list(range(16)))
            if switch.vl2vl is not None:
                switch.vl2vl.setdefault(key, list(range(15)))
    return fabric


def differ(old, new):
    """Whether anything differs that packets meet on the links of both."""
    pair = [copy.deepcopy(fabric) for fabric in (old, new)]
    for fabric in pair:
        for s, switch in enumerate(fabric.switches):
            ports = {0, *old.switches[s].ports} & {0, *new.switches[s].ports}
            for rows in switch.sl2vl, switch.vl2vl or {}:
                for key in rows:
                    rows[key] = rows[key] if ports.issuperset(key) else None
    counter = Pick()
    mix(*pair, counter)
    return counter.n > 0


def loops(old, new):
    """Whether all mixtures of both together have a loop."""
    return Union(old, new, False, 0).verdict() is not None


def compare_rounds(old, new, directory, rng, arguments):
    """What became of the plan, in a word; each of its rounds is proved."""
    stages = os.path.join(directory, "stages")
    shutil.rmtree(stages, ignore_errors=True)
    done = subprocess.run([arguments.stages, f"{directory}/old", f"{directory}/new", stages], capture_output=True, text=True,
                          check=False)
    assert done.returncode < 2, f"stages: {done.stderr.strip()}"
    told = run("heddle", "diff", "--quiet", "--schedule", f"{directory}/old", f"{directory}/new", "--json")
    assert told["scheduled"] == (done.returncode == 0), f"scheduled: {told['scheduled']}, {done.stdout.strip()}"
    if done.returncode:
        assert "by themselves" not in done.stdout or loops(new, new), "refused, but the new tables have no loop"
        return done.stdout.strip()
    n, loop = int(done.stdout.split()[0]), "loops" in done.stdout
    assert n == len(told["rounds"]), f"{n} rounds, told are {len(told['rounds'])}"
    assert loops(old, old) or not loop, "the old tables are said to have a loop"
    tables = [read(os.path.join(stages, str(r))) for r in range(n + 1)]
    assert not differ(tables[0], old) and not differ(tables[n], new), "rounds do not lead from old to new tables"
    for r in range(1, n + 1):
        assert (r == 1 and loop) or not loops(tables[r - 1], tables[r]), f"round {r} of {n} has a loop"
        found = None if r == 1 and loop else find_mixture(tables[r - 1], tables[r], False, rng, arguments.mixtures)
        assert found is None, f"round {r} of {n}: mixture {found} has a loop"
    if any(r["dropped_entries"] or r["dropped_rows"] for r in told["rounds"]):
        return "dropped first"
    return "nothing" if not n else "at once" if told["at_once"] else "rounds"


def try_change(old, new, directory, rng, arguments, result):
    ar_prover.write(old, os.path.join(directory, "old"))
    ar_prover.write(new, os.path.join(directory, "new"))
    verdict, found = compare(old, new, directory, rng, arguments, 0)
    result["verdicts"].append(verdict or "sound")
    result["shown"] += found
    if arguments.stages:
        result["plans"].append(compare_rounds(old, new, directory, rng, arguments))
    if rng.random() < 0.3:
        compare(old, new, directory, rng, arguments, rng.choice((1, 2)))


def make_changes(arguments, scratch):
    """Number, old and new tables, and random numbers, of each change."""
    if arguments.snapshots:
        for i, directory in enumerate(arguments.snapshots):
            shutil.copytree(directory, os.path.join(scratch, f"given{i}"))
        old, new = (read(os.path.join(scratch, f"given{i}")) for i in range(2))
        yield 0, old, new, random.Random(arguments.seed)
        return
    for number in [arguments.only] if arguments.only is not None else range(arguments.changes):
        rng = random.Random(arguments.seed * 1000003 + number)
        old = make_old(rng)
        yield number, old, make_new(old, rng), rng


def counts(words):
    return ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words)))


def main():
    parser = argparse.ArgumentParser(description="Compares heddle check --between with brute force.")
    parser.add_argument("changes", type=int, nargs="?", default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mixtures", type=int, default=20, help="how many mixtures of a change are made")
    parser.add_argument("--keep", metavar="DIRECTORY", help="where the last change's files stay")
    parser.add_argument("--stages", metavar="TOOL", help="also prove the rounds of schedules")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only this change")
    parser.add_argument("--snapshots", nargs=2, metavar=("OLD", "NEW"), help="the change from one to the other, in plain text")
    arguments = parser.parse_args()
    result = {"verdicts": [], "plans": [], "shown": 0}
    with tempfile.TemporaryDirectory() as scratch:
        for number, old, new, rng in make_changes(arguments, scratch):
            try:
                try_change(old, new, arguments.keep or scratch, rng, arguments, result)
            except (AssertionError, RuntimeError) as error:
                print(f"change {number} of seed {arguments.seed}: {error}", file=sys.stderr)
                return 1
    print(f"{len(result['verdicts'])} changes ({counts(result['verdicts'])}) agree; of {result['shown']} a single mixture "
          "has a loop")
    if result["plans"]:
        print(f"plans: {counts(result['plans'])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
