#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether two builds of heddle print the same differences between snapshots, byte for byte.

usage: same_diffs.py [-n PAIRS] [--seed SEED] OLD-HEDDLE NEW-HEDDLE

PAIRS random pairs of snapshots: engines, queue rules, LMCs, subnet managers and missing links of one fabric, path SLs that are left
out, tables that are cut off. Both builds compare each pair, as text with --verbose, as JSON and pair by pair; outputs and exit
statuses must be equal. Exit status 0: all are equal, 1: some differ.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from same_tables import FABRICS, QUEUES

WAYS = [['--verbose'], ['--json'], ['--pairs', '-']]


def run(command):
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode, done.stdout, re.sub(rb'[\d.]+ s', b'', done.stderr)


def cut(rng, snapshot):
    """Damages a snapshot: a switch without a table, sources without path SLs, SLs that are gone."""
    lfts, sls = snapshot / 'opensm-lfts.dump', snapshot / 'path-sl.dump'
    if rng.random() < .3:
        tables = re.split(r'(?m)^(?=Unicast)', lfts.read_text())
        del tables[rng.randrange(1, len(tables))]
        lfts.write_text(''.join(tables))
    if rng.random() < .3:
        lines = sls.read_text().splitlines(keepends=True)
        sls.write_text(''.join(line for line in lines if rng.random() > .05))


def snapshot(heddle, rng, fabric, into):
    engines = sorted(engine for engine, fabrics in FABRICS.items() if fabric in fabrics)
    words = ['-e', rng.choice(engines)]
    if rng.random() < .4:
        words += ['-q', rng.choice(QUEUES)]
    if rng.random() < .2:
        words += ['--lmc', '1']
    if rng.random() < .2:
        words += ['--sm', f'H-{rng.randrange(8):05}']
    net = into.with_suffix('.net')
    failed = [] if rng.random() < .5 else ['--fail-links', str(rng.randrange(1, 4)), '--seed', str(rng.randrange(100))]
    subprocess.run([heddle, 'topo', fabric, '--quiet', '-o', net, *failed], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([heddle, 'route', net, '--quiet', '--force', '-o', into, *words], capture_output=True, check=False)
    if done.returncode > 1 or not into.is_dir():
        return False
    cut(rng, into)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('-n', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('old')
    parser.add_argument('new')
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    fabrics = sorted({fabric for some in FABRICS.values() for fabric in some})
    pairs = differ = 0
    while pairs < arguments.n:
        with tempfile.TemporaryDirectory() as directory:
            fabric = rng.choice(fabrics)
            sides = [pathlib.Path(directory) / name for name in ('before', 'after')]
            if not all(snapshot(arguments.old, rng, fabric, side) for side in sides):
                continue
            pairs += 1
            for words in WAYS:
                old, new = (run([heddle, 'diff', *sides, *words]) for heddle in (arguments.old, arguments.new))
                if old != new:
                    differ += 1
                    print(f'pair {pairs}, {fabric}, {" ".join(words)}: exit statuses {old[0]}, {new[0]}')
    print(f'{pairs} pairs, {pairs * len(WAYS)} outputs, {differ} differ')
    return 1 if differ else 0


if __name__ == '__main__':
    sys.exit(main())
