#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Published schemes of adaptive routing in InfiniBand switches, built and proved.

    experiments/ar/vendor/vendor.py [HEDDLE]

prints the first table of README.md, in a minute of one core. Schemes are built from their
descriptions: sets of engines, and AR tables that this program writes (private LFTs, subgroups,
VL2VL). Each is proved on the whole fabric, with what switches repair by themselves, and, with that
too, without each cable between switches and without each switch.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HEDDLE = sys.argv[1] if len(sys.argv) > 1 else "heddle"


def heddle(*arguments):
    return subprocess.run([HEDDLE, *arguments], capture_output=True, text=True)


class Fabric:
    """Switches of a netfile, by name: LID, GUID, ports to (name, port), hosts with their LIDs."""

    def __init__(self, text):
        self.text = text
        self.switches, self.guid, self.lid, self.n_ports = [], {}, {}, {}
        self.links, self.hosts = {}, {}
        names = dict(re.findall(r'^Switch\s+\d+ "(S-[0-9a-f]+)"\s+# "([^"]+)"', text, re.M))
        for block in text.split("\n\n"):
            head = re.search(r'^Switch\s+(\d+) "S-([0-9a-f]+)"\s+# "([^"]+)" base port 0 lid (\d+)', block, re.M)
            if not head:
                continue
            name = head[3]
            self.switches.append(name)
            self.n_ports[name], self.guid[name], self.lid[name] = int(head[1]), "0x" + head[2], int(head[4])
            self.links[name], self.hosts[name] = {}, {}
            for port, peer, far, rest in re.findall(r'^\[(\d+)\]\s+"([SH]-[0-9a-f]+)"\[(\d+)\](.*)$', block, re.M):
                if peer[0] == "S":
                    self.links[name][int(port)] = (names[peer], int(far))
                else:
                    self.hosts[name][int(port)] = int(re.search(r"lid (\d+)", rest)[1])

    def ports(self, a, b):
        return [port for port, (name, _) in self.links[a].items() if name == b]

    def cables(self):
        return sorted({tuple(sorted([(a, p), (b, q)])) for a in self.switches for p, (b, q) in self.links[a].items()})

    def without(self, cable):
        """The same fabric without a cable between two switches."""
        lines = []
        name = None
        for line in self.text.split("\n"):
            head = re.search(r'^Switch.*# "([^"]+)" base', line)
            name = head[1] if head else name if line.startswith("[") else None
            port = re.match(r"\[(\d+)\]", line)
            if not (name and port and (name, int(port[1])) in cable):
                lines.append(line)
        return Fabric("\n".join(lines))

    def without_switch(self, name):
        """The same fabric without a switch, and without the hosts at it."""
        key = f'"S-{self.guid[name][2:]}"'
        blocks = []
        for block in self.text.split("\n\n"):
            is_switch = re.search(r"^Switch", block, re.M)
            if key not in block:
                blocks.append(block)
            elif is_switch and not re.search(r"^Switch\s+\d+ " + key, block, re.M):
                blocks.append("\n".join(line for line in block.split("\n") if key not in line))
        return Fabric("\n\n".join(blocks))

    def destinations(self):
        """(LID, switch, its port) of every host and switch."""
        for name in self.switches:
            yield self.lid[name], name, 0
            for port, lid in self.hosts[name].items():
                yield lid, name, port


def open_fabric(spec):
    with tempfile.TemporaryDirectory() as directory:
        heddle("route", spec, "-e", "minhop", "--force", "--plain", "-o", directory + "/t")
        return Fabric(open(directory + "/t/fabric.net").read())


# A scheme gives, for each switch: the number of pLFTs, the map's key, plft(in-port, VL), and for each
# pLFT and destination a list of subgroups of ports; and vl(in-port, out-port, VL) or None.


def write(fabric, scheme, directory):
    lfts, tables = [], [f"AR tables of {len(fabric.switches)} switches"]
    for s in fabric.switches:
        at = scheme(fabric, s)
        groups, entries = [], [[] for _ in range(at["n"])]
        for lid, root, port in sorted(fabric.destinations()):
            for plft in range(at["n"]):
                parts = [[port]] if s == root else [sorted(part) for part in at["ports"](plft, root) if part]
                ports = [p for part in parts for p in part]
                if not ports:
                    continue
                if len(ports) > 1 and parts not in groups:
                    groups.append(parts)
                entries[plft].append((lid, ports[0], f"free {groups.index(parts)}" if len(ports) > 1 else "static"))
        lfts.append(f"Unicast lids [0-{max(lid for lid, _, _ in fabric.destinations())}] of switch Lid {fabric.lid[s]} "
                    f"guid {fabric.guid[s]} ('{s}'):")
        lfts += [f"0x{lid:04x} {port:03d} #" for lid, port, _ in entries[0]] + [f"{len(entries[0])} lids dumped"]
        lines = [f"group {i}: " + " / ".join(" ".join(map(str, part)) for part in group)
                 for i, group in enumerate(groups)]
        said = [[e for e in entries[0] if "free" in e[2]]] + entries[1:]
        ins = range(fabric.n_ports[s] + 1)
        for plft, listed in enumerate(said):
            if plft == 1:
                lines.append(f"plfts {at['n']} by VL")
                lines += [f"in {i}: " + " ".join(str(at["plft"](i, vl)) for vl in range(15)) for i in ins]
            if plft:
                lines.append(f"plft {plft}")
            lines += [f"0x{lid:04x} {port:03d} {state}" for lid, port, state in listed]
        if at["vl"]:
            lines.append("vl2vl")
            lines += [f"in {i} out {o}: " + " ".join(str(at["vl"](i, o, vl)) for vl in range(15)) for i in ins for o in ins]
        tables += ["", f'Switch {fabric.guid[s]}, base LID {fabric.lid[s]}, "{s}"', *lines,
                   f"{len(groups)} groups, {sum(map(len, said))} lids dumped"]
    os.makedirs(directory, exist_ok=True)
    for name, text in (("fabric.net", fabric.text), ("opensm-lfts.dump", "\n".join(lfts) + "\n"),
                       ("ar.dump", "\n".join(tables) + "\n")):
        with open(os.path.join(directory, name), "w") as stream:
            stream.write(text)


def hyperx(raises):
    """Dimension order; within a dimension straight, or by any other point of it first."""

    def scheme(fabric, s):
        def place(name):
            return tuple(map(int, name[1:].split(".")))

        def dimension(a, b):
            return next(d for d, (x, y) in enumerate(zip(place(a), place(b))) if x != y)

        def toward(a, root, d):
            target = list(place(a))
            target[d] = place(root)[d]
            return "S" + ".".join(map(str, target))

        own = {port: dimension(s, name) for port, (name, _) in fabric.links[s].items()}

        def ports(plft, root):
            d = dimension(s, root)
            aim = toward(s, root, d)
            # pLFT 1 + d: from a point of dimension d, where the detour is over
            straight = fabric.ports(s, aim)
            others = [p for p, (name, _) in fabric.links[s].items()
                      if own[p] == d and name != aim and fabric.ports(name, aim)]
            return [straight] if plft == 1 + d else [straight, others]

        return {"n": 1 + len(place(s)), "plft": lambda i, vl: 1 + own[i] if i in own else 0, "ports": ports,
                "vl": (lambda i, o, vl: min(vl + 1, 14) if i in own and own.get(o) == own[i] else 0) if raises else None}

    return scheme


def torus(raises):
    """Dimension order, the shorter way around a ring, either way where both are as short; VL + 1 over the end of a ring."""

    def scheme(fabric, s):
        def place(name):
            return tuple(map(int, name[1:].split(".")))

        size = [max(place(name)[d] for name in fabric.switches) + 1 for d in range(len(place(s)))]

        def neighbour(at, d, step):
            there = list(at)
            there[d] = (there[d] + step) % size[d]
            return tuple(there)

        def length(d, step, end):
            """Links from s along a ring to coordinate end; None: one is missing."""
            at, n = place(s), 0
            while at[d] != end:
                there = neighbour(at, d, step)
                if not fabric.ports("S" + ".".join(map(str, at)), "S" + ".".join(map(str, there))):
                    return None
                at, n = there, n + 1
            return n

        def ports(plft, root):
            d = next(d for d, (x, y) in enumerate(zip(place(s), place(root))) if x != y)
            ways = {step: length(d, step, place(root)[d]) for step in (1, -1)}
            least = min((n for n in ways.values() if n), default=0)
            return [[p for step, n in ways.items() if n and n == least
                     for p in fabric.ports(s, "S" + ".".join(map(str, neighbour(place(s), d, step))))]]

        def dimension(port):
            if port not in fabric.links[s]:
                return None
            there = place(fabric.links[s][port][0])
            return next(d for d, (x, y) in enumerate(zip(place(s), there)) if x != y)

        def crosses(port):
            d = dimension(port)
            return abs(place(s)[d] - place(fabric.links[s][port][0])[d]) > 1

        def vl(i, o, now):
            if dimension(o) is None or (dimension(i) == dimension(o) and not crosses(o)):
                return now
            return int(crosses(o))

        return {"n": 1, "plft": lambda i, vl: 0, "ports": ports, "vl": vl if raises else None}

    return scheme


def dragonfly_plus(top, by_in_port=False):
    """Minimal, or by another group first, decided at leaf and spine; the VL counts links between groups."""

    def scheme(fabric, s):
        def group(name):
            return re.match(r"G\d+", name)[0]

        spines = {name for name in fabric.switches if any(group(to) != group(name) for to, _ in fabric.links[name].values())}

        def joined(a, b):
            return bool(fabric.ports(a, b))

        def peers(a, wanted):
            return {name for name, _ in fabric.links[a].values() if wanted(name)}

        def crosses(u, root):
            """Spines of the root's group next to spine u from which packets fall to the root."""
            return peers(u, lambda v: v in spines and group(v) == group(root) != group(u) and joined(v, root))

        def later(u, root):
            """Where packets that have been in another group go on from u."""
            if u in spines:
                if group(u) == group(root):
                    return {root} if joined(u, root) else set()
                return crosses(u, root) or peers(u, lambda leaf: leaf not in spines and later(leaf, root))
            if group(u) == group(root):
                return peers(u, lambda v: joined(v, root))
            return peers(u, lambda v: crosses(v, root))

        def elsewhere(u, root):
            return peers(u, lambda v: v in spines and group(v) not in (group(u), group(root)) and later(v, root))

        def ports(plft, root):
            if root in spines:
                # not proved here: packets between switches themselves
                return []
            if plft or group(s) == group(root):
                steps = [later(s, root)]
            elif s in spines:
                steps = [crosses(s, root), elsewhere(s, root)]
            else:
                steps = [peers(s, lambda v: crosses(v, root)), peers(s, lambda v: not crosses(v, root) and elsewhere(v, root))]
            return [[p for p, (name, _) in fabric.links[s].items() if name in names] for names in steps]

        def is_global(port):
            return port in fabric.links[s] and group(fabric.links[s][port][0]) != group(s)

        def from_spine(port):
            return port in fabric.links[s] and fabric.links[s][port][0] in spines

        return {"n": 2, "ports": ports,
                "plft": (lambda i, vl: int(from_spine(i))) if by_in_port else (lambda i, vl: int(vl > 0)),
                "vl": None if by_in_port else lambda i, o, vl: min(vl + 1, top) if is_global(o) else vl}

    return scheme


ENGINES = [
    ("up*/down*, all legal ports", "updn:ar=yes", ["tree:k=4,n=2", "torus:4x4", "dragonfly:a=4,p=2,h=2", "hyperx:4x4"]),
    ("fat tree, all ports up", "dmodc:ar=yes", ["tree:k=4,n=2", "tree:k=3,n=3"]),
    ("up*/down*, the other legal ports stand in", "updn:ar=yes,ar_state=static", ["torus:4x4"]),
    ("dimension order, other shortest ports stand in", "hdor:ar=minimal,ar_state=static -l single", ["hyperx:4x4"]),
    ("Dragonfly+, 2 pLFTs by in-port and VL, VL + 1 up behind down", "dfplus:ar=valiant", ["dragonflyplus:leaves=3,g=4"]),
    ("all shortest ports, 1 VL", "minhop:ar=yes", ["tree:k=4,n=2", "torus:4x4", "hyperx:4x4"]),
]

TABLES = [
    ("dimension order with detours, VL + 1 within a dimension", hyperx(True), ["hyperx:4x4", "hyperx:3x3x3"]),
    ("the same on 1 VL", hyperx(False), ["hyperx:4x4"]),
    ("torus, dimension order, either way where both are as short, VL + 1 over a ring's end", torus(True), ["torus:4x4", "torus:5x4"]),
    ("the same on 1 VL", torus(False), ["torus:4x4"]),
    ("Dragonfly+, 2 pLFTs by VL, VL + 1 between groups", dragonfly_plus(2), ["dragonflyplus:leaves=3,g=4"]),
    ("the same, VLs 0 and 1 only", dragonfly_plus(1), ["dragonflyplus:leaves=3,g=4"]),
    ("the same, 1 VL, pLFT by in-port", dragonfly_plus(0, True), ["dragonflyplus:leaves=3,g=4"]),
]


def verdict(arguments, extra=()):
    done = heddle("check", *arguments, *extra, "--scope", "hosts", "--json")
    if done.returncode > 1 or not done.stdout:
        return "refused", None
    answer = json.loads(done.stdout)["hosts"]
    if answer["failure"] == "credit loop":
        return f"credit loop of {len(answer['witness'])}", answer
    return answer["failure"] or "sound", answer


def single_failures(fabrics, arguments_of):
    """Verdicts on the fabrics, which lack something, with what a switch does while a further port is down."""
    found = {}
    for fabric in fabrics:
        said = verdict(arguments_of(fabric), ("--local-repair", "1"))[0]
        found[said] = found.get(said, 0) + 1
    return ", ".join(f"{n} {said}" for said, n in sorted(found.items(), key=lambda item: -item[1]))


def stands_still(arguments):
    """Whether a run at load 1 with small buffers stops for good."""
    done = heddle("sim", *arguments, "-s", "routing.adaptive=ar", "-s", "routing.proof=off", "-s", "traffic.load=1",
                  "-s", "switch.buffer=1packets", "-s", "run.warmup=0", "-s", "run.measure=2ms", "--json", "-")
    if "deadlock:" in done.stderr:
        return f"yes, {done.stderr.count('->')} buffers"
    return "no"


def main():
    scratch = tempfile.mkdtemp()
    print("| scheme | fabric | VLs | whole | `--local-repair 2` | without each cable | without each switch | stands still |")
    print("|---|---|---:|---|---|---|---|---|")

    def row(scheme, spec, arguments, arguments_of, fabric, runs):
        whole, answer = verdict(arguments)
        repaired, _ = verdict(arguments, ("--local-repair", "2"))
        still = stands_still(runs) if whole.startswith("credit") and runs else "-"
        print(f"| {scheme} | `{spec}` | {answer['vls']} | {whole} | {repaired} | "
              f"{single_failures(map(fabric.without, fabric.cables()), arguments_of)} | "
              f"{single_failures(map(fabric.without_switch, fabric.switches), arguments_of)} | {still} |", flush=True)

    for scheme, engine, specs in ENGINES:
        for number, spec in enumerate(specs):
            fabric, name = open_fabric(spec), f"{scratch}/{number}"

            def by_engine(damaged):
                with open(name + ".net", "w") as stream:
                    stream.write(damaged.text)
                return [name + ".net", "-e", *engine.split()]

            heddle("route", spec, "-e", *engine.split(), "--force", "-o", name)
            row(scheme, spec, [spec, "-e", *engine.split()], by_engine, fabric, [name])
    for scheme, make, specs in TABLES:
        for spec in specs:
            fabric, name = open_fabric(spec), scratch + "/tables"

            def by_tables(damaged):
                write(damaged, make, scratch + "/damaged")
                return [scratch + "/damaged"]

            write(fabric, make, name)
            row(scheme, spec, [name], by_tables, fabric, [name])


if __name__ == "__main__":
    main()
