#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether two builds of heddle prove and refute the same, byte for byte.

usage: same_checks.py [-n SNAPSHOTS] [--seed SEED] [--threads N] OLD-HEDDLE NEW-HEDDLE

SNAPSHOTS random snapshots: engines, queue rules, LMCs and missing links; most are damaged: LFT entries that lead elsewhere or nowhere,
SL2VL rows with other VLs, path SLs of others or none, switches without a table. Both builds check each, as text, as JSON and with every
option that goes with it, and also the mixtures with the snapshot before; outputs and exit statuses must be equal. Exit status 0: all
are equal, 1: some differ.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from same_diffs import snapshot
from same_tables import FABRICS

WAYS = [[], ['--scope', 'hosts'], ['--json'], ['--json', '--all-sls'], ['--all-sls'], ['--json', '--reversed-sl'], ['--json', '--max-vls', '1'],
        ['--max-vls', '2', '--scope', 'hosts'], ['--bubble', '--json']]


def run(heddle, words, threads):
    done = subprocess.run([heddle, 'check', *words], capture_output=True, check=False, env=dict(os.environ, OMP_NUM_THREADS=str(threads)))
    return done.returncode, done.stdout, re.sub(rb'[\d.]+ s', b'', done.stderr)


def edit(path, rng, share, pattern, replace):
    """Replaces that share of the matches."""
    if path.exists():
        path.write_text(re.sub(pattern, lambda match: replace(match) if rng.random() < share else match[0], path.read_text()))


def damage(rng, at):
    few = rng.choice([.0005, .005, .05])
    if rng.random() < .3:  # holes
        edit(at / 'opensm-lfts.dump', rng, few, r'(?m)^0x\w+ \d+ #.*\n', lambda _: '')
    if rng.random() < .4:  # detours, loops, ports without a link
        edit(at / 'opensm-lfts.dump', rng, few, r'(?m)^(0x\w+) \d+', lambda match: f'{match[1]} {rng.randrange(1, 4):03}')
    if rng.random() < .3:  # other lanes, dropped packets
        vls = rng.choice(['0 ', '1 ', '15 '])
        edit(at / 'opensm-sl2vl.dump', rng, few, r'(?m)^(\d+ +\d+ +:) .*', lambda match: f'{match[1]} ' + ' '.join([vls.strip()] * 16))
    if rng.random() < .3:  # other path SLs
        edit(at / 'path-sl.dump', rng, few, r'(?m)^(0x\w+ \d+) \d+', lambda match: f'{match[1]} {rng.randrange(4)}')
    if rng.random() < .2:  # starved VLs
        edit(at / 'opensm-vlarb.dump', rng, few, r'(?m) \d+:64', lambda _: ' 0:0')


def make(heddle, rng, fabric, into):
    """A snapshot, some of them with AR port sets."""
    if rng.random() > .15:
        return snapshot(heddle, rng, fabric, into)
    failed = ['--fail-links', str(rng.randrange(3)), '--seed', str(rng.randrange(100))]
    net = into.with_suffix('.net')
    subprocess.run([heddle, 'topo', fabric, '--quiet', '-o', net, *failed], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([heddle, 'route', net, '-e', rng.choice(['minhop:ar=yes', 'updn:ar=yes']), '--quiet', '--force', '-o', into], capture_output=True, check=False)
    return done.returncode <= 1 and into.is_dir()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('-n', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=2, help='of the new build; the old one has one')
    parser.add_argument('old')
    parser.add_argument('new')
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    fabrics = sorted({fabric for some in FABRICS.values() for fabric in some})
    n = outputs = differ = 0
    statuses = collections.Counter()
    verdicts = collections.Counter()
    while n < arguments.n:
        with tempfile.TemporaryDirectory() as directory:
            fabric = rng.choice(fabrics)
            sides = [pathlib.Path(directory) / name for name in ('before', 'after')]
            if not all(make(arguments.old, rng, fabric, side) for side in sides):
                continue
            n += 1
            for side in sides:
                if rng.random() < .7:
                    damage(rng, side)
            ways = [[sides[1], *words] for words in WAYS]
            ways += [[sides[1], '--between', sides[0], *words] for words in ([], ['--json'], ['--scope', 'hosts'])]
            for words in ways:
                old, new = (run(heddle, words, threads)
                            for heddle, threads in ((arguments.old, 1), (arguments.new, arguments.threads)))
                outputs += 1
                statuses[old[0]] += 1
                if words[1:] == ['--json']:
                    verdicts.update(word.decode() for word in re.findall(rb'(?m)^  "failure": "?([^",]*)', old[1]))
                if old != new:
                    differ += 1
                    print(f'snapshot {n}, {fabric}, {" ".join(map(str, words[1:]))}: exit statuses {old[0]}, {new[0]}', flush=True)
    print('exit statuses:', ', '.join(f'{status}: {count}' for status, count in sorted(statuses.items())))
    print('failures in JSON:', ', '.join(f'{verdict}: {count}' for verdict, count in verdicts.most_common()))
    print(f'{n} snapshots, {outputs} outputs, {differ} differ')
    return 1 if differ else 0


if __name__ == '__main__':
    sys.exit(main())
