#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether two builds of heddle make the same tables: LFTs, SL2VL tables and path SLs, byte for byte
but for comments.

usage: same_tables.py [-n RUNS] [--seed SEED] [--vlarb] OLD-HEDDLE NEW-HEDDLE

Every engine on every fabric that it may serve, then RUNS random requests: queue rules, layer rules, VLs, LMCs, missing links. Both
builds route; the exit statuses and the dumps of the snapshots must be equal (--vlarb: VL arbitration, too). For changes that are to
leave tables alone. Exit status 0: all are equal, 1: some differ.
"""
import argparse
import collections
import pathlib
import random
import subprocess
import sys
import tempfile

DUMPS = ['opensm-lfts.dump', 'opensm-sl2vl.dump', 'path-sl.dump']
DRAGONFLIES = ['dragonfly:a=4,p=2,h=2', 'dragonfly:a=3,p=2,h=1', 'dragonfly:a=6,p=3,h=3', 'dragonfly:a=4,p=2,h=2,g=5', 'dragonfly:a=4,p=2,h=1,local=ring']
GRIDS = ['torus:4x4', 'torus:3x5', 'torus:3x3x3', 'mesh:4x3', 'mesh:3x3x2', 'kns:k=4,n=2', 'hyperx:3x3,p=2', 'hyperx:4x3x2']
TREES = ['tree:k=3,n=3', 'tree:k=4,n=2', 'tree:k=2,n=4']
PLUS = ['dragonflyplus:leaves=2,spines=2,hosts=2,h=2', 'dragonflyplus:leaves=4,spines=4,hosts=2,h=4,g=9']
ANY = DRAGONFLIES + GRIDS + TREES + PLUS
FABRICS = {
    'any': ANY, 'updn': ANY, 'minhop': ANY, 'heddle': ANY, 'df-minhop': ANY, 'df-sssp': ANY,
    'dla': DRAGONFLIES, 'd3r': DRAGONFLIES, 'dfval': DRAGONFLIES, 'dfplus': PLUS,
    'hdor': GRIDS, 'osha': GRIDS, 'sasha': GRIDS, 'dmodc': TREES,
}
QUEUES = [f'{rule}:{n}' for rule in ('dbbm', 'bbq', 'dbbq', 'xordet', 'iodet', 'voqsw') for n in (2, 3, 4)]


def every():
    for engine, fabrics in FABRICS.items():
        for fabric in fabrics:
            yield fabric, ['-e', engine]


def some(rng, n):
    for _ in range(n):
        engine = rng.choice(sorted(FABRICS))
        words = ['-e', engine]
        if rng.random() < .5:
            words += ['-q', rng.choice(QUEUES)]
        if rng.random() < .3:
            words += ['--max-vls', str(rng.choice([1, 2, 4, 8, 15]))]
        if rng.random() < .3:
            words += ['--lmc', str(rng.randrange(3))]
        if rng.random() < .2:
            words += ['--vlarb', rng.choice(['equal', 'flows'])]
        if rng.random() < .3:
            words += ['--fail-links', str(rng.randrange(1, 4))]  # of heddle topo
        yield rng.choice(FABRICS[engine]), words


def route(heddle, fabric, words, into):
    command = [heddle, 'route', fabric, '--quiet', '-o', into, '--force', *words]
    return subprocess.run(command, capture_output=True, check=False).returncode


def prepare(heddle, fabric, words, scratch):
    """The fabric, with links that fail, as a file that both builds read; None: there is no such fabric."""
    words, fail = list(words), []
    if '--fail-links' in words:
        at = words.index('--fail-links')
        fail, words[at:at + 2] = words[at:at + 2], []
    path = scratch / 'net'
    done = subprocess.run([heddle, 'topo', fabric, *fail, '--quiet', '-o', path], capture_output=True, check=False)
    return (path if done.returncode == 0 else None), words


def compare(args, fabric, words):
    """The exit status of the old build, and what differs."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        net, words = prepare(args.old, fabric, words, scratch)
        if not net:
            return 'no such fabric', []
        statuses = [route(heddle, net, words, scratch / side) for side, heddle in (('old', args.old), ('new', args.new))]
        if statuses[0] != statuses[1]:
            return statuses[0], [f'exit status {statuses[0]}, {statuses[1]}']

        def content(side, dump):
            path = scratch / side / dump
            if not path.exists():
                return None
            # newer builds say which port has which LIDs, in comments
            return [line for line in path.read_bytes().splitlines() if not line.startswith(b'# port ')]
        dumps = DUMPS + (['opensm-vlarb.dump'] if args.vlarb else [])
        return statuses[0], [dump for dump in dumps if content('old', dump) != content('new', dump)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-n', type=int, default=200, help='random requests (200)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--vlarb', action='store_true', help='compare VL arbitration, too')
    parser.add_argument('old')
    parser.add_argument('new')
    args = parser.parse_args()
    statuses, different = collections.Counter(), 0
    for fabric, words in [*every(), *some(random.Random(args.seed), args.n)]:
        status, what = compare(args, fabric, words)
        statuses[status] += 1
        if what:
            different += 1
            print(fabric, *words, 'differs:', ', '.join(what), flush=True)
    print(f'{sum(statuses.values())} requests,', ', '.join(f'{n} with exit status {s}' for s, n in sorted(statuses.items(), key=str)),
          f'; {different} differ')
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
