#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares `heddle check --history` with tests/lib/judge.py on random histories.

    tests/lib/random_histories.py [--seed SEED] [--keep DIRECTORY] [--only NUMBER] HISTORIES

The fabrics are small. Nodes take entries, rows and tops in any order; links and switches fail and return, LIDs move. Numbers of
states, of states with a loop and with a cycle must agree; so must windows, where nothing has a third value in one.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import ar_prover
import judge

LANES = 8


def row_text(row):
    return ''.join(f'{vl:x}' for vl in reversed(row))


class Writer:
    """A history, and what nodes hold in it."""

    def __init__(self, fabric, stream, rng):
        self.fabric, self.stream, self.rng, self.time = fabric, stream, rng, 0
        self.ports = {}  # (GUID, port): the same at the other end
        self.lft, self.rows, self.top = {}, {}, {}
        self.kinds = {}
        for s, switch in enumerate(fabric.switches):
            self.kinds[self.guid('switch', s)] = len(switch.ports)
            for number, end in switch.ports.items():
                peer = (self.guid('switch', end[1]), end[2]) if end[0] == 'switch' else (self.guid('host', end[1]), 1)
                self.ports[self.guid('switch', s), number] = peer
                self.ports[peer] = (self.guid('switch', s), number)
        self.up = dict.fromkeys(self.ports, False)
        self.state = dict.fromkeys(self.ports, 1)

    @staticmethod
    def guid(kind, i):
        return f'0x{ar_prover.guid(kind, i):016x}'

    def record(self, head, changes):
        """Changes are (node, text)."""
        lines, at = [], head.split()[1] if head.startswith('set') else None
        for node, text in changes:
            if node != at:
                lines.append(f'of {node}')
                at = node
            lines.append(text)
        word, _, rest = head.partition(' ')
        self.stream.write(f'{word} {self.time / 1e9:.9f}{" " + rest if rest else ""} {len(lines)}\n' + ''.join(f'{line}\n' for line in lines))

    def set(self, node, attribute, changes):
        self.record(f'set {node} {attribute} 0x0 0x0', [(node, text) for text in changes])

    def wait(self):
        self.time += self.rng.choice((0, 1, 1000, 3_000_000, 20_000_000, 90_000_000))

    # Changes

    def entry(self, node, lid, out):
        old = self.lft.get((node, lid), 255)
        self.lft[node, lid] = out
        return [f'lft {lid} {old} {out}'] if old != out else []

    def row(self, node, out, port, row):
        old = self.rows.get((node, out, port), (0,) * 16)
        self.rows[node, out, port] = row
        return [f'sl2vl {out} {port} {row_text(old)} {row_text(row)}'] if old != row else []

    def link(self, end, up):
        """Both ends."""
        changes = []
        for here, there in ((end, self.ports[end]), (self.ports[end], end)):
            if self.up[here] == up:
                continue
            self.up[here] = up
            new = f'{there[0]}:{there[1]}'
            changes.append((here[0], f'port {here[1]} link {"-" if up else new} {new if up else "-"}'))
            state = 4 if up else 1
            if self.state[here] != state:
                changes.append((here[0], f'port {here[1]} state {self.state[here]} {state}'))
                self.state[here] = state
        return changes


def random_row(rng):
    kind = rng.random()
    if kind < 0.45:
        return (rng.randrange(2),) * 16
    if kind < 0.9:
        shift = rng.randrange(3)
        return tuple((sl + shift) % 4 for sl in range(16))
    return tuple(rng.choice((0, 1, 2, judge.DROP, LANES)) for _ in range(16))


STYLES = [('updown',), ('near',), ('near', 'near', 'updown', 'any'), ('updown',) * 7 + ('near', 'near', 'any')]


def best_ports(fabric, s, lid, style, rng):
    _, root, port = fabric.owner(lid)
    if root == s:
        return [port]
    kind = rng.choice(style)
    return ar_prover.ports_of_kind(fabric, kind, s, root, rng) or [judge.NO_PATH]


def begin(writer):
    """All that nodes hold at first: in most histories sound tables."""
    fabric, rng, changes = writer.fabric, writer.rng, []
    top = max(fabric.lids(False))
    for s, switch in enumerate(fabric.switches):
        node = writer.guid('switch', s)
        changes.append((node, f'top 0 {top}'))
        writer.top[node] = top
        for lid in fabric.lids(False):
            out = best_ports(fabric, s, lid, writer.style, rng)
            changes += [(node, text) for text in writer.entry(node, lid, rng.choice(out))]
        changes += [(node, f'port 0 lid 0 {switch.lid}'), (node, f'port 0 vls 0 {LANES}')]
    for i, (_, _, lid) in enumerate(fabric.hosts):
        node = writer.guid('host', i)
        changes.append((node, f'port 1 lid 0 {lid}'))
    for end in sorted(writer.ports):
        changes.append((end[0], f'port {end[1]} vls 0 {LANES}'))
        changes += writer.link(end, True)
    rows_differ = rng.random() < 0.5
    for end in sorted(writer.ports):
        ins = range(writer.kinds.get(end[0], 0) + 1) if end[0] in writer.kinds else (0,)
        for port in ins if rows_differ else ():
            changes += [(end[0], text) for text in writer.row(*end, port, random_row(rng))]
    changes.sort(key=lambda change: change[0])
    writer.record('begin', changes)


def change_entries(writer):
    """A part of the entries of one or more LIDs, as a new table has them."""
    fabric, rng = writer.fabric, writer.rng
    s = rng.randrange(len(fabric.switches))
    node = writer.guid('switch', s)
    changes = []
    for lid in rng.sample(fabric.lids(False), rng.choice((1, 1, 2))):
        out = rng.choice(best_ports(fabric, s, lid, writer.style, rng)) if rng.random() < 0.9 else rng.choice((judge.NO_PATH, 0))
        changes += writer.entry(node, lid, out)
    writer.set(node, 'LinearForwardingTable', changes)


def change_row(writer):
    rng = writer.rng
    end = rng.choice(sorted(writer.ports))
    port = rng.randrange(writer.kinds[end[0]] + 1) if end[0] in writer.kinds else 0
    writer.set(end[0], 'SLtoVLMappingTable', writer.row(*end, port, random_row(rng)))


def change_link(writer):
    end = writer.rng.choice(sorted(writer.ports))
    up = not writer.up[end]
    writer.record(f'{"plug" if up else "unplug"} {end[0]} {end[1]}', writer.link(end, up))


def change_state(writer):
    """Of a port whose link is up."""
    rng = writer.rng
    ends = [end for end in sorted(writer.ports) if writer.up[end]]
    if not ends:
        return
    end = rng.choice(ends)
    old, new = writer.state[end], rng.choice((2, 3, 4))
    writer.state[end] = new
    writer.set(end[0], 'PortInfo', [f'port {end[1]} state {old} {new}'] if old != new else [])


def change_top(writer):
    rng = writer.rng
    node = rng.choice(sorted(writer.top))
    old, new = writer.top[node], rng.randrange(max(writer.fabric.lids(False)) + 2)
    writer.top[node] = new
    writer.set(node, 'SwitchInfo', [f'top {old} {new}'] if old != new else [])


def change_lid(writer):
    """Of a host: none, the one that it had, or a new one."""
    rng, fabric = writer.rng, writer.fabric
    i = rng.randrange(len(fabric.hosts))
    node = writer.guid('host', i)
    now = writer.lids.get(i, fabric.hosts[i][2])
    free = max(fabric.lids(False)) + 1 + i
    new = 0 if now else rng.choice((fabric.hosts[i][2], fabric.hosts[i][2], free))
    writer.lids[i] = new
    writer.set(node, 'PortInfo', [f'port 1 lid {now} {new}'])


CHANGES = [(change_entries, 30), (change_row, 4), (change_link, 3), (change_state, 2), (change_top, 1), (change_lid, 1)]


def write_history(fabric, path, rng):
    with open(path, 'w', encoding='ascii') as stream:
        netfile = path + '.net'
        with open(netfile, 'w', encoding='ascii') as net:
            ar_prover.write_fabric(fabric, net)
        with open(netfile, encoding='ascii') as net:
            lines = net.readlines()
        stream.write(f'heddle-history 1\nfabric {len(lines)}\n' + ''.join(lines))
        writer = Writer(fabric, stream, rng)
        writer.lids, writer.style = {}, rng.choice(STYLES)
        begin(writer)
        kinds, weights = zip(*CHANGES)
        for _ in range(rng.randint(1, 40)):
            writer.wait()
            rng.choices(kinds, weights)[0](writer)


def heddle(path, life):
    command = ['heddle', 'check', '--quiet', '--json', '--scope', 'hosts', '--history', path]
    command += ['--life', f'{life}ns'] if life else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise AssertionError(f'{" ".join(command)}: {done.stderr.strip()}')
    return json.loads(done.stdout)


def compare(path, life):
    given = heddle(path, life)
    options = SimpleNamespace(silence=judge.seconds('0.05'), life=life, since=0, each=True)
    found = judge.judge(path, None, options)
    for what in ('states', 'looping', 'unsound'):
        assert given[what] == found.counts[what], f'{what}: {given[what]}, by brute force {found.counts[what]}'
    if life and not given['windows_third_value']:
        for what, mine in ('windows', 'windows'), ('windows_unsound', 'unsound_windows'):
            assert given[what] == found.counts[mine], f'{what}: {given[what]}, by brute force {found.counts[mine]}'
    return found.counts


def main():
    parser = argparse.ArgumentParser(description='Compares heddle check --history with brute force.')
    parser.add_argument('histories', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', metavar='DIRECTORY', help='where the last history stays')
    parser.add_argument('--only', type=int, metavar='NUMBER', help='only this history')
    arguments = parser.parse_args()
    total = {}
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(arguments.keep or scratch, 'history')
        for number in [arguments.only] if arguments.only is not None else range(arguments.histories):
            rng = random.Random(arguments.seed * 1000003 + number)
            fabric = ar_prover.Fabric()
            ar_prover.make_links(fabric, rng)
            write_history(fabric, path, rng)
            try:
                counts = compare(path, rng.choice((0, judge.seconds('0.01'), judge.seconds('0.1'))))
            except AssertionError as err:
                sys.exit(f'history {number} of seed {arguments.seed}: {err}')
            for what, n in counts.items():
                total[what] = total.get(what, 0) + n
    print(' '.join(f'{what}={n}' for what, n in total.items()))


if __name__ == '__main__':
    main()
