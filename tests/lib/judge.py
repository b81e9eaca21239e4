#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Judges what the switches of an emulated fabric held, from its history alone, by brute force.

    tests/lib/judge.py [--path-sls FILE] [--silence SECONDS] [--each] [--life SECONDS] [--since SECONDS] HISTORY

A second opinion on `heddle check --history`, and on the rounds in which the plug-in changes tables. It shares no code with
heddle, follows every packet on its own, and keeps no state between two proofs. It judges

- every round: no forwarding loop, no cycle of channel dependencies. A round is all that nodes took without a silence of
  --silence seconds (default 0.05) between two changes that packets see. The Sets of a round may come in any order, so every
  mixture of what a node held before, in, and after the round is judged at once;
- with --each: every single state;
- with --life: the mixtures of all states that packets of that life can meet.

A round that begins in an unsound state is "inherited": what the fabric held before was no work of rounds. All that follows
a sound state has to be sound. Hosts send to hosts, by the path SLs of FILE (path-sl.dump), or by all SLs.

The result is a JSON object. Exit status: 0 no round is unsound, 1 some is, 2 the history cannot be read.
"""
import argparse
import bisect
import json
import re
import sys
from collections import defaultdict

NO_PATH = 255
DROP = 15
DOWN, ACTIVE = 1, 4
SLS = range(16)
NANOSECONDS = 1_000_000_000


class BadHistory(Exception):
    pass


class Port:
    def __init__(self):
        self.link = None  # (node, port) at the other end while the link is up
        self.cable = None  # the same, also while it is down
        self.state = DOWN
        self.lid = self.lmc = self.vls = 0
        self.seen_lid = self.seen_lmc = 0


class Node:
    def __init__(self, is_switch):
        self.is_switch = is_switch
        self.ports = defaultdict(Port)
        self.lft = defaultdict(lambda: NO_PATH)
        self.top = 0
        self.rows = defaultdict(lambda: (0,) * 16)  # (out, in): VL of each SL; of an adapter (port, 0)


def row_of(digits):
    return tuple(int(digit, 16) for digit in reversed(digits))


class Fabric:
    """What nodes hold, and what packets see of that."""

    def __init__(self, netfile):
        self.nodes = {}
        self.read_netfile(netfile)
        self.active = {}  # (node, port)
        self.peers = {}  # (node, port): the same at the other end of its cable
        self.lids = {}  # LID: (node, port)
        self.touched = set()  # items that packets may see otherwise
        self.is_stale = True  # LIDs or cables are others
        self.has_moved = False  # LIDs were set

    def read_netfile(self, lines):
        node = None
        for line in lines:
            head = re.match(r'(Switch|Ca|Hca|Rt)\s+(\d+)\s+"[^"]*?([0-9a-f]{16})"', line)
            if head:
                node = f'0x{head.group(3)}'
                self.nodes[node] = Node(head.group(1) == 'Switch')
                for number in range(int(head.group(2)) + 1):
                    if number or head.group(1) == 'Switch':
                        self.nodes[node].ports[number] = Port()
            link = re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"[^"]*?([0-9a-f]{16})"\[(\d+)\]', line)
            if link and node:
                self.nodes[node].ports[int(link.group(1))].cable = (f'0x{link.group(2)}', int(link.group(3)))

    def port(self, end):
        return self.nodes[end[0]].ports[end[1]]

    # What nodes hold

    def expect(self, held, said):
        if held != said:
            raise BadHistory(f'the node held {held}, but the record says {said}')

    def apply(self, guid, words):
        node = self.nodes[guid]
        if words[0] == 'lft':
            lid, old, new = map(int, words[1:4])
            self.expect(node.lft[lid], old)
            node.lft[lid] = new
            if lid <= max(self.lids, default=0):
                self.touched.add(('entry', guid, lid))
        elif words[0] == 'top':
            self.expect(node.top, int(words[1]))
            node.top = int(words[2])
            self.touch_entries(guid)
        elif words[0] == 'sl2vl':
            self.apply_rows(guid, node, words)
        elif words[0] == 'port':
            self.apply_port((guid, int(words[1])), node.ports[int(words[1])], words)

    def apply_rows(self, guid, node, words):
        outs = list(node.ports) if words[1] == '*' else [int(words[1])]
        for out in outs:
            ins = node.ports if node.is_switch and words[2] == '*' else [int(words[2]) if node.is_switch else 0]
            for port in ins:
                self.expect(node.rows[out, port], row_of(words[3]))
                node.rows[out, port] = row_of(words[4])
        self.touch_lanes(guid, outs)

    def apply_port(self, end, port, words):
        kind, old, new = words[2:5]
        if kind == 'link':
            self.expect(port.link and f'{port.link[0]}:{port.link[1]}', None if old == '-' else old)
            peer, _, number = new.partition(':')
            port.link = None if new == '-' else (peer, int(number))
            self.is_stale |= port.link is not None and port.link != port.cable
            self.touch_link(end)
            return
        self.expect(getattr(port, kind), int(old))
        setattr(port, kind, int(new))
        if kind in ('lid', 'lmc'):
            self.has_moved = True
        elif kind == 'vls':
            for guid, number in (end, self.peers.get(end)) if end in self.peers else (end,):
                self.touch_lanes(guid, (number,))
        else:
            self.touch_link(end)

    def end_ports(self):
        for guid, node in self.nodes.items():
            for number, port in node.ports.items():
                if (number == 0) == node.is_switch:
                    yield (guid, number), port

    def compare_lids(self, ends):
        """A port without a LID keeps its last one until another port takes it."""
        self.is_stale |= any(self.is_other(self.port(end)) for end in ends)

    def is_other(self, port):
        if port.lid:
            return (port.lid, port.lmc) != (port.seen_lid, port.seen_lmc)
        mine = set(range(port.seen_lid, port.seen_lid + (1 << port.seen_lmc))) if port.seen_lid else set()
        return any(other is not port and other.lid and mine & set(range(other.lid, other.lid + (1 << other.lmc)))
                   for _, other in self.end_ports())

    # What packets see

    def is_active(self, end):
        port = self.port(end)
        peer = port.link and self.port(port.link)
        return bool(peer and peer.link == end and port.state == peer.state == ACTIVE)

    def seen_entry(self, guid, lid):
        node = self.nodes[guid]
        out = node.lft[lid] if lid <= node.top else NO_PATH
        return out if out == 0 or out in node.ports and self.active[guid, out] else NO_PATH

    def seen_lanes(self, guid, out, port):
        node = self.nodes[guid]
        for number in (out, port) if node.is_switch else (out,):
            if number and not self.active[guid, number]:
                return (DROP,) * 16
        vls = node.ports[out].vls
        peer = self.peers.get((guid, out))
        if peer:
            vls = min(vls, self.port(peer).vls)
        return tuple(vl if vl < vls else DROP for vl in node.rows[out, port])

    def begin(self):
        """All that packets see anew, as LIDs or cables are others now: {item: value}."""
        for _, port in self.ends():
            port.cable = port.link or port.cable
        self.peers = {end: port.cable for end, port in self.ends() if port.cable and self.port(port.cable).cable == end}
        self.lids = {}
        for end, port in self.end_ports():
            port.seen_lid, port.seen_lmc = port.lid, port.lmc
            for lid in range(port.lid, port.lid + (1 << port.lmc)) if port.lid else ():
                self.lids.setdefault(lid, end)
        self.touched = set()
        for guid, node in self.nodes.items():
            self.touched.update(('link', guid, number) for number in node.ports)
            self.touch_lanes(guid, node.ports)
            self.touch_entries(guid)
        return self.see()

    def touch_lanes(self, guid, outs, ins=None):
        node = self.nodes[guid]
        if not node.is_switch:
            ins = (0,)
        self.touched.update(('lanes', guid, out, port) for out in outs for port in (node.ports if ins is None else ins))

    def touch_entries(self, guid):
        if self.nodes[guid].is_switch:
            self.touched.update(('entry', guid, lid) for lid in range(1, max(self.lids, default=0) + 1))

    def touch_link(self, end):
        """Whether its link is active may have changed: so have entries and lanes there."""
        for guid, number in (end, self.peers.get(end)) if end in self.peers else (end,):
            self.touched.add(('link', guid, number))
            self.touch_lanes(guid, (number,))
            if self.nodes[guid].is_switch:
                self.touch_lanes(guid, self.nodes[guid].ports, (number,))
                self.touch_entries(guid)

    def see(self):
        """What packets see of all that was touched since the last call: {item: value}."""
        values = {}
        for item in self.touched:
            if item[0] == 'link':
                values[item] = self.active[item[1:]] = self.is_active(item[1:])
        for item in self.touched:
            if item[0] == 'lanes':
                values[item] = self.seen_lanes(*item[1:])
            elif item[0] == 'entry':
                values[item] = self.seen_entry(*item[1:])
        self.touched = set()
        self.is_stale = self.has_moved = False
        return values

    def ends(self):
        for guid, node in self.nodes.items():
            for number, port in node.ports.items():
                yield (guid, number), port


class Mixture:
    """What packets may meet: each item has one of several values."""

    def __init__(self, fabric, path_sls, values):
        self.fabric, self.path_sls, self.values = fabric, path_sls, values
        self.edges = defaultdict(set)  # channel: channels; a channel is (node, port, VL)

    def sources(self):
        """Ports of hosts that may send."""
        for end, port in self.fabric.end_ports():
            if not self.fabric.nodes[end[0]].is_switch and port.seen_lid and True in self.values['link', *end]:
                yield end

    def sls(self, guid, lid):
        if self.path_sls is None:
            return SLS
        sl = self.path_sls.get((guid, lid))
        return () if sl is None else (sl,)

    def behind(self, switch, out):
        """(switch, in-port) that the out-port leads to; None: a host, or nothing."""
        peer = self.fabric.peers.get((switch, out)) if out not in (0, NO_PATH) else None
        return peer if peer and self.fabric.nodes[peer[0]].is_switch else None

    def first_hops(self, lid):
        """(port of the host, switch, in-port) of all that send to the LID."""
        for end in self.sources():
            peer = self.fabric.peers.get(end)
            if peer and self.fabric.nodes[peer[0]].is_switch and self.fabric.lids[lid] != end:
                yield end, *peer

    def goes_round(self, lid):
        """Whether LFTs alone may send packets to the LID round in a circle."""
        waiting, hops = [switch for _, switch, _ in self.first_hops(lid)], {}
        while waiting:
            switch = waiting.pop()
            if switch not in hops:
                ends = {self.behind(switch, out) for out in self.values['entry', switch, lid]}
                hops[switch] = {end[0] for end in ends if end}
                waiting += hops[switch]
        return has_cycle(hops)

    def follow(self, lid):
        """All packets to a LID, from all hosts, with all their SLs, by all lanes: what they hold while they wait for what."""
        waiting, met = [], set()
        for end, switch, port in self.first_hops(lid):
            for sl in self.sls(end[0], lid):
                waiting += [(switch, port, sl, (*end, row[sl])) for row in self.values['lanes', *end, 0] if row[sl] != DROP]
        while waiting:
            state = waiting.pop()
            if state in met:
                continue
            met.add(state)
            switch, port, sl, channel = state
            for out in self.values['entry', switch, lid]:
                if out in (0, NO_PATH):
                    continue
                peer = self.behind(switch, out)
                for row in self.values['lanes', switch, out, port]:
                    if row[sl] != DROP:
                        following = (switch, out, row[sl])
                        self.edges[channel].add(following)
                        if peer:
                            waiting.append((*peer, sl, following))

    def judge(self):
        """(whether LFTs loop, whether the channels of packets that do not go round depend on one another in a cycle)"""
        loops = False
        for lid, end in self.fabric.lids.items():
            if self.fabric.nodes[end[0]].is_switch:
                continue
            if self.goes_round(lid):
                loops = True
            else:
                self.follow(lid)
        return loops, has_cycle(self.edges)


def has_cycle(edges):
    """Nodes without an edge from another are taken away until none is left, or only cycles and what follows them."""
    into = defaultdict(int)
    for ends in edges.values():
        for end in ends:
            into[end] += 1
    free = [node for node in edges if not into[node]]
    n_left = len(set(edges) | set(into))
    while free:
        node = free.pop()
        n_left -= 1
        for end in edges.get(node, ()):
            into[end] -= 1
            if not into[end]:
                free.append(end)
    return n_left > 0


def records(file, fabric_lines):
    """Each record: (time in ns, words of its line, [(node, words)]). The last one may be cut."""
    if file.readline() != 'heddle-history 1\n':
        raise BadHistory('no history')
    words = file.readline().split()
    if len(words) != 2 or words[0] != 'fabric' or not words[1].isdigit():
        raise BadHistory('no fabric')
    for _ in range(int(words[1])):
        fabric_lines.append(file.readline())
    while True:
        line = file.readline()
        if not line.endswith('\n'):
            return
        words = line.split()
        node = words[2] if words[0] in ('set', 'unplug', 'plug', 'off', 'on', 'console') else None
        time = round(float(words[1]) * NANOSECONDS)
        changes = []
        for _ in range(int(words[-1])):
            line = file.readline()
            if not line.endswith('\n'):
                return
            change = line.split()
            if change[0] == 'of':
                node = change[1]
            else:
                changes.append((node, change))
        yield time, words, changes


class State:
    def __init__(self, time, what, changed, has_packets):
        self.time, self.what = time, what
        self.changed = changed  # item: new value
        self.has_packets = has_packets  # some link is active


class Judge:
    """All states of a history, judged as they come."""

    def __init__(self, path_sls, options):
        self.path_sls, self.options = path_sls, options
        self.counts = dict.fromkeys(('states', 'looping', 'cyclic', 'unsound', 'rounds', 'unsound_rounds', 'inherited_rounds',
                                     'windows', 'unsound_windows'), 0)
        self.unsound = []  # rounds: (ns of their first and last change, the first change)
        self.periods = []  # [ns, ns]: from the first change of an unsound round on, until the fabric is sound again
        self.was_sound = True  # at the end of the round before
        self.now = self.before = {}  # all that packets see; the same before the round
        self.round = []  # its states
        self.window = []  # states with the same LIDs and cables, with --life
        self.window_base = {}  # before the first of them
        self.unseen = {}  # what changed since the last of them
        self.n_active = 0

    def find(self, fabric, base, states):
        """(loops, cyclic) of the mixtures of @base and what @states changed."""
        values = {item: {value} for item, value in base.items()}
        for state in states:
            for item, value in state.changed.items():
                values[item].add(value)
        return Mixture(fabric, self.path_sls, values).judge()

    def take(self, fabric, time, what):
        """What the fabric is after a record."""
        has_moved, is_anew = fabric.has_moved, fabric.is_stale
        if is_anew:
            self.end(fabric)
            if not any(fabric.is_active(end) for end, _ in fabric.ends()):
                return
            self.now = fabric.begin()
            self.before, self.window_base, self.unseen = dict(self.now), dict(self.now), {}
            self.n_active = sum(fabric.active.values())
            changed = {}
        else:
            changed = {item: value for item, value in fabric.see().items() if self.now[item] != value}
            self.n_active += sum(1 if value else -1 for item, value in changed.items() if item[0] == 'link')
            self.now.update(changed)
            if not changed and not has_moved:
                return
            if self.round and time - self.round[-1].time >= self.options.silence:
                self.end_round(fabric)
        self.add_state(fabric, State(time, what, changed, self.n_active > 0))

    def add_state(self, fabric, state):
        is_early = state.time < self.options.since
        if self.options.each and state.has_packets and not is_early:
            loops, is_cyclic = self.find(fabric, self.now, ())
            self.counts['states'] += 1
            self.counts['looping'] += loops
            self.counts['cyclic'] += is_cyclic
            self.counts['unsound'] += loops or is_cyclic
        if is_early:
            self.before.update(state.changed)
        else:
            self.round.append(state)
        if self.options.life:
            if is_early:
                self.window_base = dict(self.now)
            else:
                self.unseen.update(state.changed)
            if state.has_packets and not is_early:
                self.window.append(State(state.time, state.what, self.unseen, True))
                self.unseen = {}

    def end_round(self, fabric):
        """Judges the mixtures of the round, and what is left of it if they are not sound."""
        if not self.round:
            return
        self.counts['rounds'] += 1
        is_sound = not any(self.find(fabric, self.before, self.round))
        if not is_sound:
            # a round that begins with other LIDs or cables goes on from what was there before
            begins_sound = self.was_sound and (not self.round[0].changed or not any(self.find(fabric, self.before, ())))
            self.counts['unsound_rounds' if begins_sound else 'inherited_rounds'] += 1
            if begins_sound:
                self.unsound.append((self.round[0].time, self.round[-1].time, self.round[0].what))
            if begins_sound or not self.periods:
                self.periods.append([self.round[0].time, 0])
            self.periods[-1][1] = self.round[-1].time
            is_sound = not any(self.find(fabric, self.now_at_end(), ()))
        self.was_sound = is_sound
        self.before = self.now_at_end()
        self.round = []

    def now_at_end(self):
        held = dict(self.before)
        for state in self.round:
            held.update(state.changed)
        return held

    def end(self, fabric):
        """No packet meets what comes next: other LIDs or cables, or the end."""
        self.end_round(fabric)
        self.end_windows(fabric)

    def end_windows(self, fabric):
        """The states by which packets under way at one moment were sent on; windows that are part of another are left out."""
        states, last_first = self.window, None
        overs = [state.time for state in states[1:]]
        bases = [dict(self.window_base)]
        for state in states:
            bases.append({**bases[-1], **state.changed})
        for last in reversed(range(len(states))):
            # the first state that was over at most `life` before the last one began
            first = bisect.bisect_left(overs, states[last].time - self.options.life, 0, last)
            if first != last_first:
                last_first = first
                self.counts['windows'] += 1
                self.counts['unsound_windows'] += any(self.find(fabric, bases[first + 1], states[first + 1:last + 1]))
        self.window = []


def read_path_sls(name):
    with open(name, encoding='ascii') as file:
        lines = [line.split('#')[0].split() for line in file]
    return {(words[0], int(words[1])): int(words[2]) for words in lines if words}


def judge(history, path_sls, options):
    lines = []
    with open(history, encoding='utf-8', errors='replace') as file:
        verdict, fabric = Judge(path_sls, options), None
        for time, words, changes in records(file, lines):
            fabric = fabric or Fabric(lines)
            for node, change in changes:
                fabric.apply(node, change)
            if fabric.has_moved and not fabric.is_stale:
                fabric.compare_lids((node, int(change[1])) for node, change in changes if change[2] in ('lid', 'lmc'))
            verdict.take(fabric, time, ' '.join(words[:-1]))
        if fabric:
            verdict.end(fabric)
    return verdict


def seconds(text):
    return round(float(text) * NANOSECONDS)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument('--path-sls', metavar='FILE')
    parser.add_argument('--silence', type=seconds, default=seconds('0.05'), metavar='SECONDS')
    parser.add_argument('--life', type=seconds, default=0, metavar='SECONDS')
    parser.add_argument('--each', action='store_true')
    parser.add_argument('--since', type=seconds, default=0, metavar='SECONDS')
    parser.add_argument('history', metavar='HISTORY')
    return parser.parse_args()


def main():
    options = arguments()
    try:
        verdict = judge(options.history, options.path_sls and read_path_sls(options.path_sls), options)
    except (BadHistory, OSError, ValueError, IndexError, KeyError) as err:
        print(f'{options.history}: {err}', file=sys.stderr)
        sys.exit(2)
    unsound = [(begin / NANOSECONDS, end / NANOSECONDS, what) for begin, end, what in verdict.unsound]
    print(json.dumps(verdict.counts | {'unsound': unsound}))
    sys.exit(bool(verdict.counts['unsound_rounds']))


if __name__ == '__main__':
    main()
