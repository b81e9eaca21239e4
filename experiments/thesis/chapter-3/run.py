#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The runs of experiments/thesis/chapter-3/run.sh."""
import csv
import io
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# F, T and shares are not in the thesis: those of experiments/adaptive/constants.py, for all figures
ROUTINGS = {
    'MIN': ('minimal', 'hop:3/2'),
    'Obl-RRG': ('valiant:policy=rrg,exclude=source', ''),
    'Obl-CRG': ('valiant:policy=crg,exclude=source', ''),
    'Src-RRG': ('pb:policy=rrg', ''),
    'Src-CRG': ('pb:policy=crg', ''),
    'In-Trns-RRG': ('olm:policy=rrg', ''),
    'In-Trns-CRG': ('olm:policy=crg', ''),
    'In-Trns-MM': ('olm:policy=mm', ''),
}
ARBITERS = {
    'transit': {'switch.arbiter': 'roundrobin', 'switch.transit': 'yes'},
    'roundrobin': {'switch.arbiter': 'roundrobin'},
    'age': {'switch.arbiter': 'age'},
}
PATTERNS = {'UN': 'uniform', 'ADV+1': 'adversarial:1', 'ADVc': 'adversarial-consecutive'}
COLUMNS = ['arbiter', 'pattern', 'routing', 'load', 'seed', 'offered', 'accepted', 'latency_mean', 'misrouted',
           'misrouted_source', 'switch_min', 'switch_max_min', 'switch_variation', 'source_variation', 'saturated',
           'steady', 'deadlock']
# The loads of Tables 3.1 to 3.3: below saturation, and above
BELOW = {'MIN': .03, 'Obl-RRG': .35, 'Obl-CRG': .40, 'Src-RRG': .30, 'Src-CRG': .10, 'In-Trns-RRG': .40,
         'In-Trns-CRG': .40, 'In-Trns-MM': .40}


def wanted(h):
    """Runs, the most needed first: (arbiter, pattern, routing, loads, seeds)."""
    for arbiter in ARBITERS:
        for routing, below in BELOW.items():
            yield arbiter, 'ADVc', routing, [below], '1..5' if h < 8 else '1'
    for arbiter in ARBITERS:
        for routing in BELOW:
            yield arbiter, 'ADVc', routing, [.55], '1..5' if h < 8 else '1'
    if h < 8:
        for arbiter in ARBITERS:
            for pattern in PATTERNS:
                for routing in ROUTINGS:
                    yield arbiter, pattern, routing, [.1, .2, .3, .4, .5, .6], '1'


def main():
    heddle, h, resume = sys.argv[1], int(sys.argv[2]), '--resume' in sys.argv
    path = HERE / f'h{h}.csv'
    done, rows = set(), []
    if resume and path.exists():
        with open(path, encoding='ascii') as file:
            rows = list(csv.DictReader(file))
        done = {(r['arbiter'], r['pattern'], r['routing'], float(r['load']), r['seed']) for r in rows}
    for arbiter, pattern, routing, loads, seeds in wanted(h):
        first, _, last = seeds.partition('..')
        loads = [load for load in loads if any((arbiter, pattern, routing, load, str(seed)) not in done
                                               for seed in range(int(first), int(last or first) + 1))]
        if not loads:
            continue
        adaptive, vcs = ROUTINGS[routing]
        keys = {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree', 'routing.adaptive': adaptive,
                'routing.vcs': vcs, 'traffic.pattern': PATTERNS[pattern], 'run.seeds': seeds,
                'traffic.load': ', '.join(map(str, loads)), **ARBITERS[arbiter]}
        # the proof of such a fabric takes longer than some runs, and is made once in experiments/adaptive
        command = [heddle, 'sim', '--quiet', '--no-proof', HERE / 'router.ini', '--csv', '-', '-j',
                   os.environ.get('JOBS', '1')]
        for key, value in keys.items():
            command += ['-s', f'{key}={value}']
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f'heddle sim: {result.stderr.strip()}')
        for row in csv.DictReader(io.StringIO(result.stdout)):
            row = {'arbiter': arbiter, 'pattern': pattern, 'routing': routing, 'load': row['traffic.load'], **row}
            key = (arbiter, pattern, routing, float(row['load']), row['seed'])
            if key not in done:
                done.add(key)
                rows.append({column: row.get(column, '') for column in COLUMNS})
        with open(f'{path}.new', 'w', encoding='ascii', newline='') as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
            writer.writeheader()
            writer.writerows(rows)
        os.rename(f'{path}.new', path)
        print(f'{arbiter} {pattern} {routing} {loads}', file=sys.stderr, flush=True)


main()
