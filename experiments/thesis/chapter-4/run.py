#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Chapter 4 of P. Fuentes' thesis (contention counters), as CSV beside this script: h = 6 has 5,256 hosts, and is the
smallest in which a threshold may be valid; h = 8 the thesis's 16,512. compare.py prints the tables of README.md.
"""
import argparse
import csv
import io
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

OLM = 'olm:policy=mm'
# routing, VC rule, trigger; the thresholds are the thesis's
ROUTINGS = {
    'MIN': ('minimal', 'hop:3/2', ''),
    'VAL': ('valiant:policy=rrg,exclude=source', '', ''),
    'PB': ('pb:policy=rrg', '', ''),
    'OLM': (OLM, '', 'credits'),
    'Base': (OLM, '', 'contention:6'),
    'Filtered': (OLM, '', 'filtered:6'),
    'Hybrid': (OLM, '', 'hybrid:8'),
    'ECtN': (OLM, '', 'ectn:6,10,period=100'),
    'Statistical': (OLM, '', 'probability:3,9'),
}
CHOOSING = [name for name in ROUTINGS if name not in ('MIN', 'VAL')]
LARGE = {'switch.buffer_local': '256 flits', 'switch.buffer_global': '2048 flits'}
COLUMNS = ['part', 'pattern', 'routing', 'load', 'accepted', 'latency_mean', 'misrouted', 'switch_variation', 'saturated',
           'steady', 'deadlock']


def base(threshold):
    return OLM, '', f'contention:{threshold}'


def wanted(h):
    """(part, name of the pattern, pattern, name of the routing, routing, loads, other keys)"""
    for threshold in (3, 4, 5, 6, 7, 8, 10, 12):
        for name, pattern, loads in ('UN', 'uniform', [.5, 1]), ('ADV+1', 'adversarial:1', [.2, .5]):
            yield 'thresholds', name, pattern, f'th {threshold}', base(threshold), loads, {}
    # the most needed first
    for un, adv in ([.5], [.2, 1]), ([.1, .3, .7, 1], [.01, .1, .4]):
        for name, routing in ROUTINGS.items():
            yield 'steady', 'UN', 'uniform', name, routing, un, {}
            yield 'steady', 'ADV+1', 'adversarial:1', name, routing, adv, {}
            yield 'steady', 'ADVc', 'adversarial-consecutive', name, routing, [.4], {}
    for name, routing in ROUTINGS.items():
        yield 'steady', 'ADV+h', f'adversarial:{h}', name, routing, [.2, 1], {}
    for name in CHOOSING:
        for percent in (0, 25, 50, 75, 100):
            pattern = {0: 'uniform', 100: 'adversarial:1'}.get(
                percent, f'mix:adversarial:1*{percent}%+uniform*{100 - percent}%')
            yield 'mixed', f'{percent}% ADV+1', pattern, name, ROUTINGS[name], [.35], {}


def small():
    """2 x 2.75 <= th <= p has no solution: what follows, by size."""
    for h in (2, 3, 4, 5):
        for threshold in range(2, 7):
            for name, pattern, loads in ('UN', 'uniform', [.5, 1]), ('ADV+1', 'adversarial:1', [.2, 1]):
                yield (f'small, h = {h}', name, pattern, f'th {threshold}', base(threshold), loads,
                       {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree'})
        for name, pattern, loads in ('UN', 'uniform', [.5, 1]), ('ADV+1', 'adversarial:1', [.2, 1]):
            yield (f'small, h = {h}', name, pattern, 'OLM', ROUTINGS['OLM'], loads,
                   {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree'})


def middle(heddle, resume):
    """ADV+h: in the group in the middle one local link is the minimal path of h global in-ports. Base and ECtN by size and threshold."""
    path = HERE / 'middle.csv'
    rows = runs.read(path) if resume else []
    columns = ['h', 'routing', 'th', 'seed', 'accepted', 'latency_mean', 'steady', 'window']
    done = {tuple(row[column] for column in columns[:4]) for row in rows}
    trigger = {'Base': 'contention:{}', 'ECtN': 'ectn:{},10,period=100', 'OLM': 'credits'}
    for h, routing, th, seeds in ((3, 'Base', 2, 3), (3, 'Base', 3, 3), (3, 'Base', 4, 3), (3, 'OLM', 0, 3), (2, 'Base', 1, 3), (2, 'Base', 2, 3),
                                  (2, 'Base', 3, 3), (2, 'OLM', 0, 3), (3, 'ECtN', 2, 3), (3, 'ECtN', 3, 3), (4, 'Base', 3, 3), (4, 'Base', 4, 3),
                                  (4, 'OLM', 0, 3), (3, 'ECtN', 4, 3), (6, 'Base', 5, 1)):
        for seed in range(1, seeds + 1):
            if (str(h), routing, str(th), str(seed)) in done:
                continue
            keys = keys_of(h, f'adversarial:{h}', (OLM, '', trigger[routing].format(th)), {'traffic.load': 1, 'run.seeds': seed})
            row, = runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof')
            row = {column: runs.short(value) for column, value in row.items()}
            rows.append(row | {'h': h, 'routing': routing, 'th': th, 'seed': seed})
            runs.write(path, columns, rows)
            print(f'middle h = {h} {routing} {th} seed {seed}', file=sys.stderr, flush=True)


def keys_of(h, pattern, routing, keys):
    adaptive, vcs, trigger = routing
    return {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree', 'routing.adaptive': adaptive,
            'routing.vcs': vcs, 'routing.trigger': trigger, 'traffic.pattern': pattern, **keys}


def steady(heddle, h, wanted_runs, path, resume):
    rows = runs.read(path) if resume else []
    done = {(r['part'], r['pattern'], r['routing'], float(r['load'])) for r in rows}
    for part, name, pattern, routing, how, loads, keys in wanted_runs:
        loads = [load for load in loads if (part, name, routing, load) not in done]
        if not loads:
            continue
        keys = keys_of(h, pattern, how, {'traffic.load': ', '.join(map(str, loads)), **keys})
        # the proofs are those of experiments/adaptive
        for row in runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof'):
            row.update(part=part, pattern=name, routing=routing, load=row['traffic.load'])
            row = {column: runs.short(value) for column, value in row.items()}
            rows.append(row)
            done.add((part, name, routing, float(row['load'])))
        runs.write(path, COLUMNS, rows)
        print(f'{part} {name} {routing} {loads}', file=sys.stderr, flush=True)


def transient(heddle, h, resume):
    """UN, then ADV+1, both at 0.2: latency and share off minimal of packets by when they were generated."""
    path = HERE / f'transient-h{h}.csv'
    rows = runs.read(path) if resume else []
    done = {(row['buffers'], row['routing']) for row in rows}
    for buffers, more, until in ('small', {}, 2000), ('large', LARGE, 4000):
        for name in CHOOSING:
            if (buffers, name) in done:
                continue
            keys = {'traffic.load': '0.2', 'run.warmup': 9900, 'run.measure': until + 100, 'run.series': 10,
                    'traffic.phases': 'uniform until=10000 then adversarial:1', 'run.seeds': '1..3', **more}
            words = runs.sim_words(heddle, HERE / 'router.ini', keys_of(h, 'uniform', ROUTINGS[name], keys),
                                   '--no-proof', '--series', '-', '--csv', '/dev/null')
            for row in csv.DictReader(io.StringIO(runs.run(*words))):
                rows.append({'buffers': buffers, 'routing': name, 'time': row['time'],
                             'latency_mean': f'{float(row["latency_mean"]):.0f}',
                             'misrouted': f'{float(row["misrouted"]):.2f}'})
            runs.write(path, list(rows[0]), rows)
            print(f'transient {buffers} {name}', file=sys.stderr, flush=True)


def main():
    parts = ['thresholds', 'transient', 'steady', 'mixed', 'small', 'middle']
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--resume', action='store_true', help='keep the rows that are there')
    parser.add_argument('--part', choices=parts, action='append', help='these only')
    parser.add_argument('--pattern', help='this one only, of thresholds, steady and mixed: UN, ADV+1, ADVc, ADV+h, 25%% ADV+1')
    parser.add_argument('--routing', help='this one only, of those: MIN, ECtN, th 6')
    parser.add_argument('--load', type=float, help='this one only, of those')
    parser.add_argument('h', type=int, nargs='?', default=6)
    arguments = parser.parse_args()
    heddle, h, resume = arguments.heddle, arguments.h, arguments.resume
    wanted_runs = {part: [] for part in arguments.part or parts}
    for part, name, pattern, routing, how, loads, keys in wanted(h):
        loads = [load for load in loads if arguments.load in (None, load)]
        if part in wanted_runs and loads and arguments.pattern in (None, name) and arguments.routing in (None, routing):
            wanted_runs[part].append((part, name, pattern, routing, how, loads, keys))
    given = [f'--{key} {value}' for key, value in (('pattern', arguments.pattern), ('routing', arguments.routing), ('load', arguments.load)) if value is not None]
    if given and not any(wanted_runs.values()):
        parser.error(f'{", ".join(wanted_runs)}: no run has {" ".join(given)}')
    for part in arguments.part or parts:
        if part == 'transient':
            transient(heddle, h, resume)
        elif part == 'middle':
            middle(heddle, resume)
        elif part == 'small':
            steady(heddle, h, small(), HERE / 'small.csv', resume)
        else:
            steady(heddle, h, wanted_runs[part], HERE / f'{part}-h{h}.csv', resume)


main()
