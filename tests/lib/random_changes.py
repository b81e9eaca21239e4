#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares what three judges say of one change after hosts and links have failed, on random ones of small fabrics.

    tests/lib/random_changes.py [--seed SEED] [--keep DIRECTORY] [--only NUMBER] CHANGES

All mixtures of old and new entries are judged by `heddle check --between`, on snapshots of before and after; by `heddle check
--history --life`, on a history in which nodes take the new entries one by one; and by tests/lib/judge.py, on the same history.
Hosts that have failed still get packets, by all three.
"""
import argparse
import contextlib
import copy
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import ar_prover
import judge
import random_histories

LIFE = judge.seconds('1000')


def fail(writer):
    """Hosts and links; returns the ends of their cables."""
    fabric, rng = writer.fabric, writer.rng
    hosts = [(writer.guid('host', i), 1) for i in range(len(fabric.hosts))]
    failed = rng.sample(hosts, rng.choice((1, 1, min(2, len(hosts) - 1))))
    trunks = [end for end, peer in sorted(writer.ports.items()) if end not in hosts and peer not in hosts]
    failed += rng.sample(trunks, rng.choice((0, 0, min(1, len(trunks)))))
    for end in failed:
        writer.time += 1_000_000
        writer.record(f'unplug {end[0]} {end[1]}', writer.link(end, False))
    return failed + [writer.ports[end] for end in failed]


def new_entries(writer, failed):
    """(switch, LID, port), each once, in the order in which nodes take them."""
    fabric, rng, entries = writer.fabric, writer.rng, []
    vacant = [lid for i, (_, _, lid) in enumerate(fabric.hosts) if (writer.guid('host', i), 1) in failed]
    part = rng.random()
    for s in range(len(fabric.switches)):
        for lid in fabric.lids(False):
            if lid in vacant:
                entries.append((s, lid, judge.NO_PATH))
            elif rng.random() < part:
                entries.append((s, lid, rng.choice(random_histories.best_ports(fabric, s, lid, writer.style, rng))))
    rng.shuffle(entries)
    return entries


def write_netfile(fabric, path, gone):
    """Without the ports of @gone, and the hosts that have none any more."""
    text = io.StringIO()
    ar_prover.write_fabric(fabric, text)
    with open(path, 'w', encoding='ascii') as net:
        for part in text.getvalue().split('\n\n'):
            guid = re.search(r'"[SH]-([0-9a-f]{16})"', part)
            lines = [line for line in part.splitlines(True)
                     if not any(guid and line.startswith(f'[{number}]') and node.endswith(guid[1]) for node, number in gone)]
            if any(line.startswith(('[', 'Switch')) for line in lines):
                net.write(''.join(lines) + '\n\n')


def write_snapshot(writer, directory, gone):
    fabric = copy.deepcopy(writer.fabric)
    os.makedirs(directory, exist_ok=True)
    for s, switch in enumerate(fabric.switches):
        node = writer.guid('switch', s)
        ports = range(switch.n_ports() + 1)
        entries = {lid: writer.lft.get((node, lid), judge.NO_PATH) for lid in fabric.lids(False)}
        switch.plfts[0] = {lid: (out, 'static', None) for lid, out in entries.items() if out != judge.NO_PATH}
        switch.sl2vl = {(port, out): writer.rows.get((node, out, port), (0,) * 16) for port in ports for out in ports}
    fabric.host_vls = [writer.rows.get((writer.guid('host', i), 1, 0), (0,) * 16) for i in range(len(fabric.hosts))]
    write_netfile(fabric, os.path.join(directory, 'fabric.net'), gone)
    with open(os.path.join(directory, 'opensm-lfts.dump'), 'w', encoding='ascii') as stream:
        ar_prover.write_lfts(fabric, stream)
    text = io.StringIO()
    ar_prover.write_sl2vl(fabric, text)
    adapters = [f'Channel Adapter {int(node, 16) + 1:#018x}' for node, _ in gone]
    with open(os.path.join(directory, 'opensm-sl2vl.dump'), 'w', encoding='ascii') as stream:
        stream.write('\n\n'.join(part for part in text.getvalue().split('\n\n') if not part.startswith(tuple(adapters))))


def write_change(fabric, directory, rng):
    """The snapshots old and new, and the history; returns the time of the last failure, after which the change begins."""
    with open(os.path.join(directory, 'history'), 'w', encoding='ascii') as stream:
        net = io.StringIO()
        ar_prover.write_fabric(fabric, net)
        lines = net.getvalue().splitlines(True)
        stream.write(f'heddle-history 1\nfabric {len(lines)}\n' + ''.join(lines))
        writer = random_histories.Writer(fabric, stream, rng)
        writer.style = rng.choice((('updown',), ('updown',), ('near',), ('updown',) * 7 + ('near', 'any')))
        random_histories.begin(writer)
        write_snapshot(writer, os.path.join(directory, 'old'), ())
        gone = fail(writer)
        begin = writer.time
        for s, lid, out in new_entries(writer, gone):
            writer.time += 1_000_000
            node = writer.guid('switch', s)
            writer.set(node, 'LinearForwardingTable', writer.entry(node, lid, out))
        write_snapshot(writer, os.path.join(directory, 'new'), gone)
    return begin


def ask(*arguments):
    command = ['heddle', 'check', '--quiet', '--json', '--scope', 'hosts', *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise AssertionError(f'{" ".join(command)}: {done.stderr.strip()}')
    return json.loads(done.stdout)


def compare(directory, begin):
    """Whether the change is unsound, if all three say the same."""
    path = os.path.join(directory, 'history')
    options = SimpleNamespace(silence=judge.seconds('0.05'), life=LIFE, since=begin, each=False)
    windows = judge.judge(path, None, options).counts
    of_judge = windows['unsound_windows'] > 0
    # heddle takes the state that ends at that time, too
    of_history = ask('--history', path, '--since', f'{begin + 1}ns', '--life', f'{LIFE}ns')
    mixtures = ask('--all-sls', '--between', os.path.join(directory, 'old'), os.path.join(directory, 'new'))
    assert not of_history['windows_third_value'], 'the history has third values'
    found = {'--between': not mixtures['sound'], '--history': of_history['windows_unsound'] > 0, 'the judge': of_judge}
    assert len(set(found.values())) == 1, f'unsound: {found}'
    return of_judge


def main():
    parser = argparse.ArgumentParser(description='Compares three judges of random changes.')
    parser.add_argument('changes', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', metavar='DIRECTORY', help='where the last change stays')
    parser.add_argument('--only', type=int, metavar='NUMBER', help='only this change')
    arguments = parser.parse_args()
    n_unsound = 0
    with contextlib.ExitStack() as stack:
        directory = arguments.keep or stack.enter_context(tempfile.TemporaryDirectory())
        for number in [arguments.only] if arguments.only is not None else range(arguments.changes):
            rng = random.Random(arguments.seed * 1000003 + number)
            fabric = ar_prover.Fabric()
            ar_prover.make_links(fabric, rng)
            try:
                n_unsound += compare(directory, write_change(fabric, directory, rng))
            except AssertionError as err:
                sys.exit(f'change {number} of seed {arguments.seed}: {err}')
    print(f'changes={arguments.changes} unsound={n_unsound}')


if __name__ == '__main__':
    main()
