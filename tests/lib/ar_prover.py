#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares `heddle check` with a proof by brute force, on random fabrics with AR tables.

    tests/lib/ar_prover.py [--seed SEED] [--keep DIRECTORY] [--only NUMBER] FABRICS

The fabrics are small. They have private LFTs chosen by in-port and SL or VL, groups of subgroups,
all states of entries, SL2VL and VL2VL tables, some of them mutated. The proof follows every packet
from every source on its own and shares no code with heddle. Verdict, number of states, length of
the shortest cycle, and the flows of the cycle must agree, for hosts and for all, also with local
repair. A mutation (a port added to a subgroup, a VL2VL entry moved, a pLFT swapped) must be found
by heddle, or be harmless by brute force.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

NO_PATH = 255
DROP = 15
VLS = 4
STATES = ("static", "bounded", "free", "hash")


class Switch:
    def __init__(self, number):
        self.number = number
        self.ports = {}  # number: ("switch", index, port) or ("host", index)
        self.lid = 0
        self.groups = []  # each a list of subgroups, each a list of ports
        self.plfts = [{}]  # number: {LID: (port, state, group or None)}
        self.by_vl = False
        self.map = {}  # (in-port, SL or VL): number
        self.sl2vl = {}  # (in, out): 16 VLs
        self.vl2vl = None  # (in, out): 15 VLs; None: by SL2VL

    def n_ports(self):
        return max(self.ports, default=1)

    def plft(self, port, sl, vl):
        return self.map.get((port, vl if self.by_vl else sl), 0)

    def out_vl(self, port, out, sl, vl):
        if self.vl2vl is not None:
            return self.vl2vl[port, out][vl]
        return self.sl2vl[port, out][sl]


class Fabric:
    def __init__(self):
        self.switches = []
        self.hosts = []  # (switch, port, LID)
        self.sls = {}  # (source, LID): SL; a source is ("switch", i) or ("host", i)
        self.host_vls = []  # 16 VLs each: what the host's SL2VL table says

    def owner(self, lid):
        for i, switch in enumerate(self.switches):
            if switch.lid == lid:
                return ("switch", i), i, 0
        for i, (s, port, own) in enumerate(self.hosts):
            if own == lid:
                return ("host", i), s, port
        return None

    def lids(self, hosts_only):
        found = [own for _, _, own in self.hosts]
        if not hosts_only:
            found += [switch.lid for switch in self.switches]
        return sorted(found)


# What a fabric may look like


def make_links(fabric, rng):
    n = rng.randint(2, 6)
    fabric.switches = [Switch(i) for i in range(n)]
    is_ring = n > 3 and rng.random() < 0.6
    pairs = [(i, (i + 1) % n) for i in range(n)] if is_ring else [(i, rng.randrange(i)) for i in range(1, n)]
    pairs += [tuple(rng.sample(range(n), 2)) for _ in range(rng.randint(0, 2 if is_ring else n))]
    rng.shuffle(pairs)
    used = [0] * n
    for a, b in pairs:
        used[a] += 1
        used[b] += 1
        fabric.switches[a].ports[used[a]] = ("switch", b, used[b])
        fabric.switches[b].ports[used[b]] = ("switch", a, used[a])
    for s in range(n):
        for _ in range(rng.randint(0 if s else 1, 2)):
            used[s] += 1
            fabric.switches[s].ports[used[s]] = ("host", len(fabric.hosts))
            fabric.hosts.append((s, used[s], 0))
    if len(fabric.hosts) < 2:
        used[n - 1] += 1
        fabric.switches[n - 1].ports[used[n - 1]] = ("host", len(fabric.hosts))
        fabric.hosts.append((n - 1, used[n - 1], 0))
    numbers = list(range(1, n + len(fabric.hosts) + 1))
    rng.shuffle(numbers)
    for switch in fabric.switches:
        switch.lid = numbers.pop()
    fabric.hosts = [(s, port, numbers.pop()) for s, port, _ in fabric.hosts]


def distances(fabric, root, may=lambda a, b: True):
    """Links from each switch to the root, by links that packets may take."""
    found = {root: 0}
    waiting = [root]
    for s in waiting:
        for t, switch in enumerate(fabric.switches):
            if t in found:
                continue
            if any(end[0] == "switch" and end[1] == s and may(t, s) for end in switch.ports.values()):
                found[t] = found[s] + 1
                waiting.append(t)
    return found


def legal_ports(fabric, s, root, came_down):
    """Ports by which an up*/down* path begins: switch 0 is on top."""
    rank = distances(fabric, 0)

    def is_up(a, b):
        return (rank[b], b) < (rank[a], a)

    down = distances(fabric, root, lambda a, b: not is_up(a, b))
    ports = []
    for port, end in fabric.switches[s].ports.items():
        if end[0] != "switch":
            continue
        if is_up(s, end[1]):
            if not came_down and s not in down:
                ports.append(port)
        elif end[1] in down and s in down and down[end[1]] < down[s]:
            ports.append(port)
    return ports


def ports_of_kind(fabric, kind, s, root, rng):
    switch = fabric.switches[s]
    links = [port for port, end in switch.ports.items() if end[0] == "switch"]
    if kind == "any":
        return [port for port in links if rng.random() < 0.6] or links[:1]
    if kind == "updown":
        return legal_ports(fabric, s, root, False)
    near = distances(fabric, root)
    return [port for port in links if near[switch.ports[port][1]] < near[s]]


def add_entry(switch, plft, lid, ports, rng):
    """An entry with these ports, in some state; the default port is one of them."""
    default = rng.choice(ports)
    state = rng.choice(STATES)
    if len(ports) < 2:
        entry = (default, "static", None)
    else:
        group = sorted(ports)
        rng.shuffle(group)
        cut = rng.randint(1, len(group)) if rng.random() < 0.5 else len(group)
        group = [sorted(part) for part in (group[:cut], group[cut:]) if part]
        if state == "static" and rng.random() < 0.5:
            entry = (default, state, None)
        else:
            if group not in switch.groups:
                switch.groups.append(group)
            entry = (default, state, switch.groups.index(group))
    switch.plfts[plft][lid] = entry


def make_tables(fabric, rng):
    kinds = rng.choice((["updown"], ["near"], ["near"], ["updown", "near"], ["near", "near"], ["any", "near"],
                        ["any", "updown"], ["near", "updown", "near"], ["any", "near", "updown", "near"]))
    repeated = rng.random() < 0.3
    for s, switch in enumerate(fabric.switches):
        n = len(kinds) if rng.random() < 0.8 or repeated else rng.randint(1, len(kinds))
        switch.plfts = [{} for _ in range(n)]
        for plft in range(n):
            for lid in fabric.lids(False):
                _, root, port = fabric.owner(lid)
                if root == s:
                    switch.plfts[plft][lid] = (port, "static", None)
                    continue
                ports = ports_of_kind(fabric, kinds[plft], s, root, rng)
                if ports:
                    add_entry(switch, plft, lid, ports, rng)
        make_map(switch, n, rng)
    make_lanes(fabric, len(kinds) > 1, rng)


def make_map(switch, n, rng):
    """From hosts pLFT 0, from switches the next; or what the VL or SL says; or at random."""
    how = rng.choice(("in", "key", "random"))
    switch.by_vl = rng.random() < 0.6
    for port in range(switch.n_ports() + 1):
        is_link = switch.ports.get(port, ("host",))[0] == "switch"
        for key in range(15 if switch.by_vl else 16):
            number = {"in": is_link * (n - 1), "key": min(key, n - 1), "random": rng.randrange(n)}[how]
            if number and n > 1:
                switch.map[port, key] = number


def make_lanes(fabric, private, rng):
    sls = rng.choice((1, 1, 2, 3))
    by_vl = rng.random() < (0.6 if private else 0.2)
    raised = rng.random() < 0.5
    for i in range(len(fabric.hosts)):
        fabric.host_vls.append([0 if by_vl and raised else sl % 2 for sl in range(16)])
    for switch in fabric.switches:
        ports = range(switch.n_ports() + 1)
        vl2vl = {}
        for a, b in itertools.product(ports, ports):
            from_switch = switch.ports.get(a, ("host",))[0] == "switch"
            step = 1 if raised and from_switch else 0
            switch.sl2vl[a, b] = [(sl + step) % VLS if sls > 1 else step for sl in range(16)]
            vl2vl[a, b] = [min(vl + step, VLS - 1) for vl in range(15)]
            if rng.random() < 0.004:
                switch.sl2vl[a, b][0] = DROP
        if by_vl and rng.random() < 0.9:
            switch.vl2vl = vl2vl
    sources = [("switch", i) for i in range(len(fabric.switches))]
    sources += [("host", i) for i in range(len(fabric.hosts))]
    for source in sources:
        for lid in fabric.lids(False):
            fabric.sls[source, lid] = rng.randrange(sls)


def is_plain(fabric):
    return all(len(switch.plfts) == 1 and switch.vl2vl is None for switch in fabric.switches)


def make_whole(fabric, rng):
    """LIDs that some pLFT leaves out: mostly it gets the way of another table."""
    for s, switch in enumerate(fabric.switches):
        for plft in switch.plfts:
            for lid in fabric.lids(False):
                if lid not in plft and (is_plain(fabric) or rng.random() < 0.97):
                    _, root, _ = fabric.owner(lid)
                    ports = ports_of_kind(fabric, "near", s, root, rng)
                    plft[lid] = (ports[0], "static", None)


def make_fabric(rng):
    fabric = Fabric()
    make_links(fabric, rng)
    make_tables(fabric, rng)
    make_whole(fabric, rng)
    return fabric


def mutate(fabric, rng):
    """One change; what it was, or None: there is nothing to change."""
    changes = []
    for switch in fabric.switches:
        for group in switch.groups:
            inside = {port for part in group for port in part}
            outside = [port for port, end in switch.ports.items() if port not in inside]
            for part in group:
                changes += [("port", part, port) for port in outside]
        if switch.vl2vl is not None:
            changes += [("vl2vl", row) for row in switch.vl2vl.values()]
        if len(switch.plfts) > 1:
            changes += [("plft", switch, key) for key in itertools.product(range(switch.n_ports() + 1), range(VLS))]
    kinds = sorted({change[0] for change in changes})
    if not kinds:
        return None
    kind = rng.choice(kinds)
    _, what, *rest = rng.choice([change for change in changes if change[0] == kind])
    if kind == "port":
        what.append(rest[0])
        what.sort()
    elif kind == "vl2vl":
        what[rng.randrange(VLS)] = rng.randrange(VLS)
    else:
        now = what.map.get(rest[0], 0)
        what.map[rest[0]] = rng.choice([i for i in range(len(what.plfts)) if i != now])
    # groups of a switch differ
    return kind if all(len(s.groups) == len({str(g) for g in s.groups}) for s in fabric.switches) else None


# The proof


def choices(switch, entry, down):
    port, state, group = entry
    up = [p for p in [port] if p not in down]
    if group is None:
        return set(up)
    parts = [[p for p in part if p not in down] for part in switch.groups[group]]
    if state != "static":
        return set(up).union(*parts)
    if up:
        return set(up)
    return set(next((part for part in parts if part), []))


def all_choices(switch, entry, n_down):
    found = set()
    ports = list(range(1, switch.n_ports() + 1))
    for n in range(n_down + 1):
        for down in itertools.combinations(ports, n):
            found |= choices(switch, entry, down)
    return found


class Proof:
    def __init__(self, fabric, hosts_only, n_down):
        self.fabric = fabric
        self.n_down = n_down
        self.single = all(len(switch.plfts) == 1 for switch in fabric.switches)
        self.no_path = self.loop = self.dropped = False
        self.n_states = 0
        self.edges = {}  # channel: channels; a channel is (switch, out-port, VL)
        self.sources = [("host", i) for i in range(len(fabric.hosts))]
        if not hosts_only:
            self.sources += [("switch", i) for i in range(len(fabric.switches))]
        for lid in fabric.lids(hosts_only):
            self.follow(lid, self.sources)

    def begin(self, source, lid, sl):
        """The state in which packets come to their first switch; None: the host drops them."""
        kind, i = source
        if kind == "switch":
            return (i, 0, 0, sl)
        s, port, _ = self.fabric.hosts[i]
        vl = self.fabric.host_vls[i][sl]
        return None if vl == DROP else (s, port, vl, sl)

    def steps(self, state, lid):
        """(out-port, next state or None) of each choice; the next VL may be DROP."""
        s, port, vl, sl = state
        switch = self.fabric.switches[s]
        _, root, last = self.fabric.owner(lid)
        entry = switch.plfts[switch.plft(port, sl, 0 if vl == DROP else vl)].get(lid, (NO_PATH, "static", None))
        for out in sorted(all_choices(switch, entry, self.n_down)):
            if s == root and out == last:
                arrives = out == 0 or switch.out_vl(port, out, sl, vl) != DROP if vl != DROP else True
                yield out, ("end", arrives)
                continue
            end = switch.ports.get(out)
            if not end or end[0] != "switch":
                yield out, None
                continue
            behind = DROP if vl == DROP else switch.out_vl(port, out, sl, vl)
            yield out, (end[1], end[2], behind, sl)

    def follow(self, lid, sources):
        """All states of packets to the LID; notes what goes wrong."""
        owner, _, _ = self.fabric.owner(lid)
        after, waiting = {}, []
        for source in sources:
            if source == owner:
                continue
            state = self.begin(source, lid, self.fabric.sls[source, lid])
            if state is None:
                self.dropped = True
            elif state not in after:
                after[state] = []
                waiting.append(state)
        for state in waiting:
            for out, behind in self.steps(state, lid):
                if behind is None:
                    self.no_path = True
                    continue
                if behind[0] == "end":
                    self.dropped |= not behind[1]
                    continue
                if behind[2] == DROP:
                    self.dropped = True
                    if not self.single:
                        continue
                else:
                    self.note_edge(state, out, behind)
                after[state].append(behind)
                if behind not in after:
                    after[behind] = []
                    waiting.append(behind)
        live = [state for state in after if state[2] != DROP]
        self.n_states += len({(s, port, vl, self.fabric.switches[s].plft(port, sl, vl)) for s, port, vl, sl in live})
        self.loop |= has_circle(after)

    def note_edge(self, state, out, behind):
        s, port, vl, _ = state
        end = self.fabric.switches[s].ports.get(port)
        if end and end[0] == "switch":
            self.edges.setdefault((end[1], end[2], vl), set()).add((s, out, behind[2]))
        self.edges.setdefault((s, out, behind[2]), set())

    def shortest(self):
        """The length of a shortest cycle of channels; 0: there is none."""
        best = 0
        for first in self.edges:
            seen, ring, length = {first}, [first], 0
            while ring and (not best or length + 1 < best):
                length += 1
                ring = [b for a in ring for b in sorted(self.edges[a])]
                if first in ring:
                    best = length
                    break
                ring = [b for b in dict.fromkeys(ring) if b not in seen]
                seen.update(ring)
        return best

    def verdict(self):
        if self.no_path:
            return "no path"
        if self.loop:
            return "forwarding loop"
        if self.dropped:
            return "dropped packets"
        return "credit loop" if self.shortest() else None

    def passes(self, source, lid, sl, first, second):
        """Whether packets of one flow may take one channel and then the other."""
        state = self.begin(source, lid, sl)
        seen, waiting = {state}, [state]
        for state in waiting:
            s, port, vl, _ = state
            end = self.fabric.switches[s].ports.get(port)
            came = (end[1], end[2], vl) if end and end[0] == "switch" else None
            for out, behind in self.steps(state, lid):
                if not behind or behind[0] == "end" or behind[2] == DROP:
                    continue
                if came == first and (s, out, behind[2]) == second:
                    return True
                if behind not in seen:
                    seen.add(behind)
                    waiting.append(behind)
        return False


def has_circle(after):
    degree = {state: 0 for state in after}
    for following in after.values():
        for behind in following:
            degree[behind] += 1
    ready = [state for state, n in degree.items() if not n]
    for state in ready:
        for behind in after[state]:
            degree[behind] -= 1
            if not degree[behind]:
                ready.append(behind)
    return len(ready) < len(after)


# The files


def guid(kind, i):
    return {"switch": 0x100, "host": 0x1000}[kind] + 16 * i


def write_fabric(fabric, stream):
    for s, switch in enumerate(fabric.switches):
        stream.write(f'switchguid={guid("switch", s):#x}({guid("switch", s):x})\n')
        stream.write(f'Switch {switch.n_ports()} "S-{guid("switch", s):016x}" # "S{s}" base port 0 lid {switch.lid} lmc 0\n')
        for port, end in sorted(switch.ports.items()):
            if end[0] == "switch":
                stream.write(f'[{port}] "S-{guid("switch", end[1]):016x}"[{end[2]}] # "S{end[1]}" '
                             f'lid {fabric.switches[end[1]].lid} 4xHDR\n')
            else:
                own = guid("host", end[1])
                stream.write(f'[{port}] "H-{own:016x}"[1]({own + 1:x}) # "H{end[1]}" lid {fabric.hosts[end[1]][2]} 4xHDR\n')
        stream.write("\n")
    for i, (s, port, lid) in enumerate(fabric.hosts):
        own = guid("host", i)
        stream.write(f'caguid={own:#x}\nCa 1 "H-{own:016x}" # "H{i}"\n')
        stream.write(f'[1]({own + 1:x}) "S-{guid("switch", s):016x}"[{port}] # lid {lid} lmc 0 "S{s}" '
                     f'lid {fabric.switches[s].lid} 4xHDR\n\n')


def write_lfts(fabric, stream):
    top = max(fabric.lids(False))
    for s, switch in enumerate(fabric.switches):
        stream.write(f"Unicast lids [0-{top}] of switch Lid {switch.lid} guid {guid('switch', s):#018x} ('S{s}'):\n")
        entries = sorted(switch.plfts[0].items())
        for lid, (port, _, _) in entries:
            stream.write(f"{lid:#06x} {port:03d} #\n")
        stream.write(f"{len(entries)} lids dumped\n")


def write_rows(stream, rows):
    stream.write("#in out : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n#---\n")
    for (a, b), row in rows:
        stream.write(f"{a:<3} {b:<3} : {' '.join(f'{vl:<2}' for vl in row)} \n")
    stream.write("#---\n\n")


def write_sl2vl(fabric, stream):
    for s, switch in enumerate(fabric.switches):
        stream.write(f'Switch {guid("switch", s):#018x}, base LID {switch.lid}, "S{s}"\n')
        write_rows(stream, [(key, row) for key, row in sorted(switch.sl2vl.items()) if key[1]])
    for i, (_, _, lid) in enumerate(fabric.hosts):
        stream.write(f'Channel Adapter {guid("host", i) + 1:#018x}, base LID {lid}, "H{i}"\n')
        write_rows(stream, [((0, 0), fabric.host_vls[i])])


def write_sls(fabric, stream):
    for (kind, i), lid in sorted(fabric.sls):
        stream.write(f"{guid(kind, i):#018x} {lid} {fabric.sls[(kind, i), lid]}\n")


def entry_line(lid, entry):
    port, state, group = entry
    return f"{lid:#06x} {port:03d} {state}{'' if group is None else f' {group}'}\n"


def write_section(fabric, s, stream):
    switch, n = fabric.switches[s], 0
    stream.write(f'\nSwitch {guid("switch", s):#018x}, base LID {switch.lid}, "S{s}"\n')
    for i, group in enumerate(switch.groups):
        stream.write(f"group {i}: {' / '.join(' '.join(map(str, part)) for part in group)}\n")
    for plft, entries in enumerate(switch.plfts):
        if plft == 1:
            stream.write(f"plfts {len(switch.plfts)} by {'VL' if switch.by_vl else 'SL'}\n")
            for port in range(switch.n_ports() + 1):
                row = [switch.map.get((port, key), 0) for key in range(15 if switch.by_vl else 16)]
                stream.write(f"in {port}: {' '.join(map(str, row))}\n")
        if plft:
            stream.write(f"plft {plft}\n")
        for lid, entry in sorted(entries.items()):
            if plft or entry[2] is not None:
                stream.write(entry_line(lid, entry))
                n += 1
    if switch.vl2vl is not None:
        stream.write("vl2vl\n")
        for (a, b), row in sorted(switch.vl2vl.items()):
            stream.write(f"in {a} out {b}: {' '.join(map(str, row))}\n")
    stream.write(f"{len(switch.groups)} groups, {n} lids dumped\n")


def write_ar(fabric, stream):
    with_more = [i for i, s in enumerate(fabric.switches) if s.groups or len(s.plfts) > 1 or s.vl2vl is not None]
    stream.write(f"AR tables of {len(with_more)} switches\n")
    for s in with_more:
        write_section(fabric, s, stream)


def write(fabric, directory):
    os.makedirs(directory, exist_ok=True)
    for name, function in (("fabric.net", write_fabric), ("opensm-lfts.dump", write_lfts),
                           ("opensm-sl2vl.dump", write_sl2vl), ("path-sl.dump", write_sls), ("ar.dump", write_ar)):
        with open(os.path.join(directory, name), "w") as stream:
            function(fabric, stream)


# The comparison


def ask(directory, n_down):
    command = ["heddle", "check", directory, "--json"]
    if n_down:
        command.append(f"--local-repair={n_down}")
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def flow_of(fabric, flow):
    """Source, LID and SL of a flow in JSON."""
    name = flow["source"]["name"] if isinstance(flow["source"], dict) else flow["source"]
    kind = "switch" if name[0] == "S" else "host"
    lid = flow["destination"]["lid"] if isinstance(flow.get("destination"), dict) else flow["lid"]
    return (kind, int(name[1:].split("[")[0])), lid, flow["sl"]


def compare_witness(fabric, proof, witness):
    channels = [(int(c["switch"][1:]), c["port"], c["vl"]) for c in witness]
    for i, channel in enumerate(witness):
        source, lid, sl = flow_of(fabric, channel["flow"])
        if fabric.sls[source, lid] != sl:
            return f"flow {source} to {lid} has SL {fabric.sls[source, lid]}, not {sl}"
        if not proof.passes(source, lid, sl, channels[i], channels[(i + 1) % len(channels)]):
            return f"flow {source} to LID {lid} does not take {channels[i]} and the next"
    return None


def compare(fabric, directory, n_down):
    """The verdict on all packets; raises AssertionError where the two differ."""
    answer = ask(directory, n_down)
    verdict = None
    for scope in ("hosts", "all"):
        proof = Proof(fabric, scope == "hosts", n_down)
        verdict = proof.verdict()
        given = answer[scope]
        assert given["failure"] == verdict, f"{scope}, {n_down} down: {given['failure']}, by brute force {verdict}"
        if verdict in (None, "credit loop"):
            assert given.get("states", 0) == proof.n_states, \
                f"{scope}, {n_down} down: {given.get('states')} states, by brute force {proof.n_states}"
            length = proof.shortest()
            assert len(given["witness"]) == length, f"cycle of {len(given['witness'])}, by brute force {length}"
            wrong = compare_witness(fabric, proof, given["witness"])
            assert not wrong, f"{scope}, {n_down} down: {wrong}"
    return verdict


def main():
    parser = argparse.ArgumentParser(description="Compares heddle check with brute force.")
    parser.add_argument("fabrics", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="DIRECTORY", help="where the last fabric's files stay")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only this fabric")
    arguments = parser.parse_args()
    verdicts, found, harmless = {}, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.keep or scratch
        for number in [arguments.only] if arguments.only is not None else range(arguments.fabrics):
            rng = random.Random(arguments.seed * 1000003 + number)
            fabric = make_fabric(rng)
            try:
                write(fabric, directory)
                verdict = compare(fabric, directory, 0)
                verdicts[verdict or "sound"] = verdicts.get(verdict or "sound", 0) + 1
                n_down = rng.choice((0, 1, 2))
                if n_down:
                    compare(fabric, directory, n_down)
                if rng.random() < 0.6 and mutate(fabric, rng):
                    write(fabric, directory)
                    after = compare(fabric, directory, 0)
                    found += after is not None and after != verdict
                    harmless += after is None or after == verdict
            except (AssertionError, RuntimeError) as error:
                print(f"fabric {number} of seed {arguments.seed}: {error}", file=sys.stderr)
                return 1
    kinds = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
    print(f"{sum(verdicts.values())} fabrics ({kinds}) and {found + harmless} mutations agree "
          f"({found} found, {harmless} harmless)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
