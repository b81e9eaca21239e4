#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Chapter 3 of P. Fuentes' thesis (throughput fairness), as CSV beside this script: h = 4 has 1,056 hosts and takes an
hour, h = 8 the thesis's 16,512 and takes hours. compare.py prints the tables of README.md. Parts: the loads of Tables
3.1 to 3.3 and the curves (hH.csv; long-hH.csv), latency by part (Figure 3.4, parts-hH.csv), sizes up to H (Figures 3.10 and 3.13,
sizes.csv), ADVc with h groups and with h - 1 (groups.csv).
"""
import argparse
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

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
COLUMNS = ['arbiter', 'pattern', 'routing', 'load', 'seed', 'accepted', 'latency_mean', 'switch_min', 'switch_max_min',
           'switch_variation', 'saturated', 'steady', 'deadlock']
# Cycles, where they are not those of router.ini
WINDOW = {h: {'run.warmup': 10000, 'run.measure': 10000} for h in (7, 8, 10)}
THESIS = {'run.warmup': 60000, 'run.measure': 60000}
# The loads of Tables 3.1 to 3.3: below saturation, and above
BELOW = {'MIN': [.03], 'Obl-RRG': [.35], 'Obl-CRG': [.35, .40], 'Src-RRG': [.25, .30], 'Src-CRG': [.10], 'In-Trns-RRG': [.40],
         'In-Trns-CRG': [.40], 'In-Trns-MM': [.40]}


def wanted(h, only):
    """Runs, the most needed first: (arbiter, pattern, routing, loads, seeds). @only: (arbiter, routing, load, seeds), instead."""
    if only:
        arbiter, routing, load, seeds = only
        yield arbiter, 'ADVc', routing, [load], seeds
        return
    for arbiter in ARBITERS:
        for routing, below in BELOW.items():
            yield arbiter, 'ADVc', routing, below, '1,2,3,4,5' if h < 8 else '1'
    for routing in reversed(BELOW):
        for arbiter in ARBITERS:
            yield arbiter, 'ADVc', routing, [.55], '1,2,3,4,5' if h < 8 else '1'
    if h < 8:
        for arbiter in ARBITERS:
            for pattern in PATTERNS:
                for routing in ROUTINGS:
                    yield arbiter, pattern, routing, [.2, .4, .6], '1'


PARTS = ['latency_minimal', 'latency_detour', 'latency_injection', 'latency_local', 'latency_global', 'latency_taking']


def keys_of(h, arbiter, pattern, routing, loads, **more):
    adaptive, vcs = ROUTINGS[routing]
    return {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree', 'routing.adaptive': adaptive,
            'routing.vcs': vcs, 'traffic.pattern': PATTERNS[pattern], 'traffic.load': ', '.join(map(str, loads)),
            **ARBITERS[arbiter], **WINDOW.get(h, {}), **more}


def tables(heddle, h, resume, only, window):
    path = HERE / (f'long-h{h}.csv' if window else f'h{h}.csv')
    rows = runs.read(path) if resume else []
    done = {(r['arbiter'], r['pattern'], r['routing'], float(r['load']), r['seed']) for r in rows}
    for arbiter, pattern, routing, loads, seeds in wanted(h, only):
        seeds = [seed for seed in seeds.split(',') if any((arbiter, pattern, routing, load, seed) not in done for load in loads)]
        loads = [load for load in loads if any((arbiter, pattern, routing, load, seed) not in done for seed in seeds)]
        if not loads:
            continue
        keys = keys_of(h, arbiter, pattern, routing, loads, **{'run.seeds': ','.join(seeds), **window})
        # the proofs are those of experiments/adaptive
        for row in runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof'):
            row.update(arbiter=arbiter, pattern=pattern, routing=routing, load=row['traffic.load'])
            key = (arbiter, pattern, routing, float(row['load']), row['seed'])
            if key not in done:
                done.add(key)
                rows.append({column: runs.short(value) for column, value in row.items()})
        runs.write(path, COLUMNS, rows)
        print(f'{arbiter} {pattern} {routing} {loads}', file=sys.stderr, flush=True)


def others(heddle, path, columns, wanted_runs, resume, only):
    """Runs: (h, arbiter, pattern, routing, loads, other keys); of one seed, but @only: (arbiter, routing, load, seeds) that are asked for."""
    rows = runs.read(path) if resume else []
    done = {(int(r['h']), r['arbiter'], r['routing'], float(r['load']), r['seed']) for r in rows}
    seeds = only[3].split(',') if only else ['1']
    for (h, arbiter, pattern, routing, loads, more), seed in itertools.product(list(wanted_runs), seeds):
        loads = [load for load in loads if (h, arbiter, routing, load, seed) not in done and (not only or only[:3] == (arbiter, routing, load))]
        if not loads:
            continue
        keys = keys_of(h, arbiter, pattern, routing, loads, **more, **{'run.seeds': seed})
        for row in runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof'):
            row.update(h=h, arbiter=arbiter, pattern=pattern, routing=routing, load=row['traffic.load'])
            rows.append({column: runs.short(value) for column, value in row.items()})
        runs.write(path, ['h', *columns], rows)
        print(f'h = {h}: {arbiter} {pattern} {routing} {loads}', file=sys.stderr, flush=True)


def by_part(h):
    for arbiter in 'transit', 'roundrobin':
        yield h, arbiter, 'ADVc', 'In-Trns-MM', [.05, .1, .2, .3, .4, .5, .6], {'run.parts': 'yes'}


def sizes(most):
    for h in (2, 3, 4, 5, 6, 7, 8, 10):
        for arbiter in 'roundrobin', 'age':
            for routing in ('Obl-RRG', 'Src-RRG', 'Src-CRG', 'In-Trns-MM'):
                if h <= most:
                    yield h, arbiter, 'ADVc', routing, [.4], {}


def groups(heddle, h, resume, only):
    """ADVc with as many groups as the chapter says, and with one less. @only: (arbiter, routing, load, seeds), instead of the usual rows."""
    path = HERE / 'groups.csv'
    rows = runs.read(path) if resume else []
    for count in h, h - 1:
        for arbiter, routing, load in [only[:3]] if only else [('transit', 'MIN', .55), ('transit', 'Src-RRG', .3), ('transit', 'Src-CRG', .1)]:
            keys = keys_of(h, arbiter, 'ADVc', routing, [load], **{'traffic.pattern': f'adversarial-consecutive:{count}'})
            one = {'h': str(h), 'groups': str(count), 'arbiter': arbiter, 'routing': routing, 'load': f'{load:g}'}
            if tuple(one.values()) not in {tuple(row[key] for key in one) for row in rows}:
                row = runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof')[0]
                rows.append({key: runs.short(value) for key, value in row.items()} | one)
                runs.write(path, GROUPS, rows)


GROUPS = ['h', 'groups', 'arbiter', 'routing', 'load', 'seed', 'accepted', 'switch_min', 'switch_max_min', 'switch_variation', 'steady']


def row_of(text):
    """(arbiter, routing, load, seeds) of what --row says."""
    try:
        arbiter, routing, load, *seeds = text.split(',')
        if arbiter in ARBITERS and routing in ROUTINGS and all(seed.isdigit() for seed in seeds):
            return arbiter, routing, float(load), ','.join(seeds) or '1'
    except ValueError:  # too few, or a load that is no number
        pass
    raise argparse.ArgumentTypeError(f'{text} is not ARBITER,ROUTING,LOAD[,SEED...], of {", ".join(ARBITERS)} and {", ".join(ROUTINGS)}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--resume', action='store_true', help='keep the rows that are there; --row does, too')
    parser.add_argument('--part', choices=['tables', 'parts', 'sizes', 'groups'], default='tables')
    parser.add_argument('--row', type=row_of, metavar='ARBITER,ROUTING,LOAD[,SEED...]', help='under ADVc, as transit,Obl-CRG,0.55,1,2,3: this one only')
    parser.add_argument('--long', action='store_true', help='rows in the thesis\'s window, 60,000 and 60,000 cycles, into long-hH.csv')
    parser.add_argument('h', type=int, nargs='?', default=4)
    arguments = parser.parse_args()
    heddle, h, only = arguments.heddle, arguments.h, arguments.row
    resume = arguments.resume or bool(only)
    points = {'parts': by_part(h), 'sizes': sizes(h)}.get(arguments.part)
    points = points and list(points)
    if only and points is not None and not any((arbiter, routing) == only[:2] and only[2] in loads for _, arbiter, _, routing, loads, _ in points):
        parser.error(f'part {arguments.part} has no row {",".join(map(str, only[:3]))}')
    if arguments.part == 'tables':
        tables(heddle, h, resume, only, THESIS if arguments.long else {})
    elif arguments.part == 'parts':
        others(heddle, HERE / f'parts-h{h}.csv', COLUMNS + PARTS, points, resume, only)
    elif arguments.part == 'groups':
        groups(heddle, h, resume, only)
    else:
        others(heddle, HERE / 'sizes.csv', COLUMNS, points, resume, only)


main()
