#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
"Providing quality of service in omni-path networks" (J. Supercomputing 2022), Figures 3 to 6, as CSV beside this script: a file for
each part, a row for each run. Rows that are there are kept, so that a run that was interrupted goes on. compare.py has the verdicts.
"""
import argparse
import concurrent.futures
import pathlib
import random
import shutil
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

CLASSES = ['VO', 'VI', 'CL', 'BE', 'BK', 'BB']
RESULTS = ['offered', 'accepted', 'latency_mean', 'makespan', 'steady', 'deadlock']
KEYS = ['fabric', 'scheduler', 'variant', 'load', 'warmup', 'measure', 'seed']
COLUMNS = KEYS + RESULTS + [f'{what}[{name}]' for name in CLASSES for what in ('accepted', 'latency_mean', 'latency_p99')]

# topology, engine, queue rule, classes
FABRICS = {
    '2D torus': ('torus:8x8,p=8,trunk=10', 'hdor', 'single:1', 'four'),
    '3D torus': ('torus:8x8x4,p=4,trunk=4', 'hdor', 'single:1', 'four'),
    '8-ary 3-tree': ('tree:k=8,n=3', 'dmodc', 'bbq:2', 'five'),
    '24-ary 2-tree': ('tree:k=24,n=2', 'dmodc', 'bbq:2', 'five'),
    'tiny tree': ('tree:k=4,n=2', 'dmodc', 'bbq:2', 'five'),
    'dragonfly 72': ('dragonfly:a=4,p=2,h=2', 'dla', 'single:1', 'five'),
    'dragonfly 342': ('dragonfly:a=6,p=3,h=3', 'dla', 'single:1', 'five'),
}
TREES = ['24-ary 2-tree', '8-ary 3-tree']
PAPER = ['2D torus', '3D torus', *reversed(TREES)]
DRAGONFLIES = ['dragonfly 72', 'dragonfly 342']

# What runs as which scheduler; vlarb with the tables of ports of 16 entries
SCHEDULERS = {
    'RR': {'switch.scheduler': 'rr'},
    'SBT literal': {'switch.scheduler': 'sbt-literal'},
    'SBT repaired': {'switch.scheduler': 'sbt'},
    'DTable 128': {'switch.scheduler': 'dtable'},
    'VLArb 16': {'switch.scheduler': 'vlarb'},
}
CAPACITY = 16
FIRST = ['DTable 128', 'RR']  # what the paper's claims are about
REST = [name for name in SCHEDULERS if name not in FIRST]


def packets_of(size, classes):
    """All classes in packets of one size."""
    shares = {'VO': '10%', 'VI': '30%', 'CL': '50%'} | ({'BB': '10%'} if classes == 'four' else {'BE': '5%', 'BK': '5%'})
    return ' then '.join(f'{name} share={share} packet={size} class={name}' for name, share in shares.items())


SMALL = 'packets: all 128 B'
SLOWER = 'slower links between switches'
SLOWER_TURNS = SLOWER + ', SBT of 20 packets each'
IN_TURN, AT_RANDOM = 'cables of a trunk: in turn', 'cables of a trunk: at random'
# A cost of each packet on links, and RR and SBT in packets of one size, as section 3.3.1 of the paper has them
HEADERS = [16, 24, 32]
HEADER = 24  # chosen on the 24-ary 2-tree alone, part header-choice
# One part turned off, or turned, at a time
VARIANTS = {
    '': {},
    'VLs: one a class': {'routing.queues': 'single:1'},
    'hosts: one queue': {'host.admittance': 'fifo'},
    SMALL: {'traffic.classes': lambda classes: packets_of('128B', classes)},
    'packets: all 1 KiB': {'traffic.classes': lambda classes: packets_of('1KiB', classes)},
    'weights: 20 packets each': {'switch.scheduler': 'sbt-literal',
                                 'switch.weights': lambda classes: '20 20 20 40' if classes == 'four' else '20 20 20 20 20'},
    'weights: 20 each, all 128 B': {'switch.scheduler': 'sbt-literal',
                                    'switch.weights': lambda classes: '20 20 20 40' if classes == 'four' else '20 20 20 20 20',
                                    'traffic.classes': lambda classes: packets_of('128B', classes)},
    'arrival: Poisson': {'traffic.arrival': 'poisson'},
    'speed: 1, centre 1': {'switch.model': 'hierarchical:speed=1,central_speed=1'},
    'speed: 2, centre 2': {'switch.model': 'hierarchical:speed=2,central_speed=2'},
    'links to the centre: 1': {'switch.model': 'hierarchical:links=1'},
    'no bypass: MPorts of 1': {'switch.model': 'hierarchical:mport=1', 'switch.central': '32KiB'},
    'no centre: MPorts of 48': {'switch.model': 'hierarchical:mport=48', 'switch.central': '1536KiB'},
    'input-queued switch': {'switch.model': 'iq', 'switch.output': None, 'switch.central': None},
    'input buffer: 16 KiB': {'switch.port_buffer': '16KiB'},
    'output buffer: 16 KiB': {'switch.output': '16KiB'},
    'all buffers: 8 KiB, centre 32 KiB': {'switch.port_buffer': '8KiB', 'switch.output': '8KiB', 'switch.central': '32KiB'},
    'output buffer: 1 MiB': {'switch.output': '1MiB'},
    'central buffer: 64 KiB': {'switch.central': '64KiB'},
    # so much that 0.8 is accepted
    SLOWER: {'link.bandwidth_local': lambda classes: '65Gbps' if classes == 'four' else '78Gbps'},
    SLOWER_TURNS: {'link.bandwidth_local': lambda classes: '65Gbps' if classes == 'four' else '78Gbps', 'switch.scheduler': 'sbt',
                   'switch.weights': lambda classes: '20 20 20 40' if classes == 'four' else '20 20 20 20 20'},
    SLOWER_TURNS + ', one VL a class': {'link.bandwidth_local': '78Gbps', 'switch.scheduler': 'sbt', 'switch.weights': '20 20 20 20 20',
                                        'routing.queues': 'single:1'},
    IN_TURN: {},
    AT_RANDOM: {},
    'damq_max: 1': {'switch.damq_max': '1'},
    'damq: no': {'switch.damq': 'no'},
    'all VLs alike: no classes': {'routing.classes': '', 'routing.queues': 'single:1', 'switch.scheduler': 'rr',
                                  'traffic.packet': '512B'},
}

for bytes_ in HEADERS:
    VARIANTS |= {f'header: {bytes_} B': {'traffic.header': bytes_},
                 f'header: {bytes_} B, all 128 B': {'traffic.header': bytes_,
                                                    'traffic.classes': lambda classes: packets_of('128B', classes)}}


def keys_of(point, tables):
    """What a point sets in opa.ini; @tables: of vlarb."""
    topology, engine, queues, classes = FABRICS[point['fabric']]
    variant = VARIANTS[point['variant']]
    keys = {'fabric.topology': topology, 'routing.engine': engine, 'routing.queues': queues,
            'routing.classes': HERE / f'{classes}.classes'}
    has_lanes = any(key.startswith('routing.') for key in variant)
    if point['variant'] in (IN_TURN, AT_RANDOM) or (point['scheduler'] == 'VLArb 16' and not has_lanes):
        keys = {'routing.snapshot': tables(point['fabric'], point['variant']), 'routing.classes': '',
                'routing.queues': 'single:1', 'routing.max_vls': 0}
    keys |= SCHEDULERS[point['scheduler']]
    keys |= {'traffic.load': point['load'], 'run.warmup': point['warmup'], 'run.measure': point['measure'], 'run.seeds': point['seed']}
    for key, value in variant.items():
        keys[key] = value(classes) if callable(value) else value
    return {key: '' if value is None else value for key, value in keys.items()}


def other_cables(snapshot, n_hosts, n_cables, how):
    """Has routes take the cables of a trunk in turn, by LID, or at random, instead of always the one with least flows."""
    path = snapshot / 'opensm-lfts.dump'
    lines, stream, turns = path.read_text(encoding='utf-8').splitlines(), random.Random(1), {}
    for i, line in enumerate(lines):
        words = line.split(maxsplit=2)
        if line.startswith('Unicast lids'):
            turns = {}
        if not line.startswith('0x') or not words[1].isdigit() or int(words[1]) <= n_hosts:
            continue
        trunk = (int(words[1]) - n_hosts - 1) // n_cables
        turns[trunk] = turns.get(trunk, -1) + 1 if how == IN_TURN else stream.randrange(n_cables)
        lines[i] = f'{words[0]} {n_hosts + 1 + trunk * n_cables + turns[trunk] % n_cables:03} {words[2]}'
    path.write_text('\n'.join(lines) + '\n', encoding='utf-8')


class Tables:
    """Snapshots of tables for ports with 16 entries of VL arbitration, made when first asked for."""

    def __init__(self, heddle, directory):
        self.heddle, self.directory, self.lock = heddle, pathlib.Path(directory), threading.Lock()

    def __call__(self, fabric, variant=''):
        topology, engine, queues, classes = FABRICS[fabric]
        path = self.directory / (fabric + variant).replace(' ', '-')
        with self.lock:
            if not path.exists():
                runs.run(self.heddle, 'route', topology, '-e', engine, '-q', queues, '--classes', HERE / f'{classes}.classes',
                         '--max-vls', 8, '--vlarb-cap', CAPACITY, '--quiet', '-o', path)
                if variant in (IN_TURN, AT_RANDOM):
                    sizes = dict(option.split('=') for option in topology.split(',')[1:])
                    other_cables(path, int(sizes['p']), int(sizes['trunk']), variant)
                    runs.run(self.heddle, 'check', path, '--quiet')
        return path


def point(fabric, scheduler, load=1, seed=1, variant='', window=20, warmup=None):
    return {'fabric': fabric, 'scheduler': scheduler, 'variant': variant, 'load': load, 'seed': seed,
            'warmup': f'{warmup or window}us', 'measure': f'{window}us'}


LOADS = [.9, .5, .7, .3, .1], [.8, .6, .4, .2]  # what is run first says most


def saturation(seeds):
    for seed in range(1, seeds + 1):
        for scheduler in FIRST + REST:
            for fabric in PAPER:
                yield point(fabric, scheduler, seed=seed)


def loads_of(fabrics):
    def points(seeds):
        for seed in range(1, seeds + 1):
            for loads in LOADS:
                for schedulers in FIRST, REST:
                    for fabric in fabrics:
                        for load in loads:
                            for scheduler in schedulers:
                                yield point(fabric, scheduler, load, seed)
    return points


def parts(_seeds):
    """What of the switch, of packets and of hosts decides, at load 1."""
    for fabric in '3D torus', '2D torus':
        for variant in IN_TURN, AT_RANDOM:
            for scheduler in FIRST:
                yield point(fabric, scheduler, variant=variant)
    for fabric in '24-ary 2-tree', '2D torus':
        for variant, keys in VARIANTS.items():
            is_same = keys.get('routing.queues') == FABRICS[fabric][2]
            if not variant or is_same or variant in (IN_TURN, AT_RANDOM) or variant.startswith((SLOWER, 'header')):
                continue
            for scheduler in ['RR'] if 'switch.scheduler' in keys else FIRST:
                yield point(fabric, scheduler, variant=variant)


def slower(seeds):
    """Links between switches so slow that 0.8 of load 1 is accepted: what schedulers do beyond saturation."""
    for seed in range(1, seeds + 1):
        for fabric in '24-ary 2-tree', '2D torus':
            for scheduler in FIRST + REST:
                yield point(fabric, scheduler, seed=seed, variant=SLOWER)
            yield point(fabric, 'RR', seed=seed, variant=SLOWER_TURNS)
        yield point('24-ary 2-tree', 'RR', seed=seed, variant=SLOWER_TURNS + ', one VL a class')


def small(seeds):
    """Section 3.3.1's packets, all of 128 bytes, for what has no MTUs; at load 0.7 for what is claimed before saturation."""
    for seed in range(1, seeds + 1):
        for fabric in *TREES, '2D torus', '3D torus':  # the quick ones first
            for load in .7, 1:
                for scheduler in 'RR', 'SBT literal':
                    yield point(fabric, scheduler, load, seed, variant=SMALL)


def late(seeds):
    """By RR and SBT the 3D torus gets steady late at load 1."""
    for seed in range(1, seeds + 1):
        for scheduler in 'SBT literal', 'RR':
            yield point('3D torus', scheduler, seed=seed, warmup=100)
        yield point('3D torus', 'SBT literal', seed=seed, variant=SMALL, warmup=100)
        for variant in f'header: {HEADER} B', f'header: {HEADER} B, all 128 B':
            yield point('3D torus', 'SBT literal', seed=seed, variant=variant, warmup=100)


def header_choice(_seeds):
    """Which cost of a packet makes the 24-ary 2-tree most like the paper's: the only fabric that is asked."""
    for header in HEADERS:
        yield point('24-ary 2-tree', 'RR', variant=f'header: {header} B, all 128 B')
        yield point('24-ary 2-tree', 'DTable 128', variant=f'header: {header} B')


def header(seeds):
    """That cost on all fabrics: RR and SBT in packets of one size, DTable with the classes' sizes; RR with those: the control."""
    small_ones = f'header: {HEADER} B, all 128 B'
    for seed in range(1, seeds + 1):
        for fabric in TREES:  # by SBT they get steady late
            yield point(fabric, 'SBT literal', seed=seed, variant=small_ones, warmup=60)
        for fabric in '2D torus', '24-ary 2-tree', '8-ary 3-tree', '3D torus':  # the quick ones first
            for scheduler in 'DTable 128', 'RR':
                yield point(fabric, scheduler, seed=seed, variant=f'header: {HEADER} B')
            for scheduler in 'RR', 'SBT literal':
                yield point(fabric, scheduler, seed=seed, variant=small_ones)


def steady(_seeds):
    """Longer and later windows."""
    for scheduler in 'DTable 128', 'RR':
        yield point('dragonfly 72', scheduler, window=200)
    yield point('24-ary 2-tree', 'DTable 128', window=60)
    for variant, scheduler in (SLOWER, 'DTable 128'), (SLOWER_TURNS, 'RR'):
        yield point('24-ary 2-tree', scheduler, variant=variant, window=60)
    for fabric, window in ('24-ary 2-tree', 200), ('2D torus', 100), ('3D torus', 60), ('8-ary 3-tree', 100):
        for scheduler in 'DTable 128', 'RR':
            yield point(fabric, scheduler, window=window)


def dragonflies(seeds):
    for fabric in DRAGONFLIES:
        for seed in range(1, seeds + 1):
            for load in [1, .6, .8, .4, .2]:
                for scheduler in SCHEDULERS:
                    yield point(fabric, scheduler, load, seed)


def tiny(_seeds):
    for scheduler in SCHEDULERS:
        yield point('tiny tree', scheduler)


PARTS = {
    'saturation': saturation,
    'parts': parts,
    'slower': slower,
    'steady': steady,
    'late': late,
    'small': small,
    'header-choice': header_choice,
    'header': header,
    'loads-2d': loads_of(['2D torus']),
    'loads-24': loads_of(['24-ary 2-tree']),
    'dla': dragonflies,
    'loads-8': loads_of(['8-ary 3-tree']),
    'loads-3d': loads_of(['3D torus']),
    'tiny': tiny,
    'traces': None,
    'traces-equal': None,
}


# Recorded programs, 16 tasks (gromacs: 8) on as many hosts, copies of each on all hosts. A hundredth of the recorded time between
# messages is left: else nearly all of the time is computation (../traces/README.md).
TRACES = {'hpl': 16, 'ptrans': 16, 'randomaccess': 16, 'gromacs': 8}
TRACED = {'2D torus 4x4': ('torus:4x4,p=8,trunk=10', 'hdor', 'single:1', 'four', 128),
          '8-ary 2-tree': ('tree:k=8,n=2', 'dmodc', 'bbq:2', 'five', 64)}
TRACE_KEYS = ['fabric', 'trace', 'scheduler', 'class', 'background', 'seed']
TRACE_COLUMNS = TRACE_KEYS + ['time', 'packets', 'all', 'latency_mean', 'window']
SIZES = {'CL': '512B', 'BK': '1KiB', 'BB': '1KiB'}
EQUAL = dict.fromkeys(SIZES, '512B')


def replay(heddle, row, window, sizes):
    """The trace in one class, the rest of the load in the other."""
    topology, engine, queues, classes, hosts = TRACED[row['fabric']]
    least = 'BB' if classes == 'four' else 'BK'
    app, other = ('CL', least) if row['class'] == 'CL' else (least, 'CL')
    file = HERE.parent / 'traces' / f'{row["trace"]}.trace.xz'
    traffic = (f'app load=0 class={app} packet={sizes[app]} '
               f'pattern=trace:{file},ticks=10,instances={hosts // TRACES[row["trace"]]},place=interleaved')
    if float(row['background']):
        traffic += f' then other load={row["background"]} class={other} packet={sizes[other]} pattern=uniform'
    keys = {'fabric.topology': topology, 'routing.engine': engine, 'routing.queues': queues,
            'routing.classes': HERE / f'{classes}.classes', 'traffic.classes': traffic, 'run.warmup': 0,
            'run.measure': f'{window:.0f}ns', 'run.seeds': row['seed']} | SCHEDULERS[row['scheduler']]
    found = runs.sim(heddle, HERE / 'opa.ini', keys, '--no-time')[0]
    return {**row, 'time': found['last_arrival[app]'], 'packets': found['packets[app]'], 'latency_mean': found['latency_mean[app]'],
            'window': f'{window:.0f}', 'makespan': found['makespan']}


def traces_alone(programs):
    for fabric in TRACED:
        for trace in programs:
            for class_ in 'CL', 'BK':
                yield {'fabric': fabric, 'trace': trace, 'scheduler': 'RR', 'class': class_, 'background': 0, 'seed': 1}


def traces_beside(programs, seeds):
    for trace in programs:
        for seed in range(1, seeds + 1):
            for fabric in reversed(TRACED):
                for load in .2, .1, .05, .01:
                    for class_ in 'CL', 'BK':
                        for scheduler in 'DTable 128', 'RR':
                            yield {'fabric': fabric, 'trace': trace, 'scheduler': scheduler, 'class': class_, 'background': load,
                                   'seed': seed}


def all_of_it(heddle, row, sizes, alone):
    """The row, with a window that is made longer until the whole trace has come."""
    before = alone.get((row['fabric'], row['trace'], row['class']))
    if not before:
        found = replay(heddle, row, 20e6, sizes)
        return found | {'all': int(bool(found['makespan']))}
    window, longest = 1.3 * float(before['time']), 10 * float(before['time'])
    found = replay(heddle, row, window, sizes)
    while found['packets'] != before['packets'] and window < longest:
        window *= 1.5
        found = replay(heddle, row, window, sizes)
    return found | {'all': int(found['packets'] == before['packets'])}


class Runner:
    """Makes rows that are not there yet, so many at a time; they are written in order."""

    def __init__(self, jobs):
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def add(self, path, keys, columns, points, simulate):
        done = runs.kept(path, keys)
        points = {tuple(str(point[key]) for key in keys): point for point in points}
        points = [point for key, point in points.items() if key not in done]
        try:
            for row in self.pool.map(simulate, points):
                runs.add(path, columns, row)
                print(path.stem, *(row[key] for key in keys), file=sys.stderr, flush=True)
        except BaseException:
            self.pool.shutdown(cancel_futures=True)
            raise


def traces(heddle, part, seeds, into, runner):
    """Figures 5 and 6; traces-equal: all packets of one size."""
    path = into / f'{part}.csv'
    programs, sizes = (['hpl'], EQUAL) if part == 'traces-equal' else (TRACES, SIZES)
    runner.add(path, TRACE_KEYS, TRACE_COLUMNS, traces_alone(programs), lambda row: all_of_it(heddle, row, sizes, {}))
    alone = {(row['fabric'], row['trace'], row['class']): row for row in runs.read(path) if row['background'] == '0'}
    runner.add(path, TRACE_KEYS, TRACE_COLUMNS, traces_beside(programs, seeds), lambda row: all_of_it(heddle, row, sizes, alone))


def simulate(heddle, point, tables):
    return runs.sim(heddle, HERE / 'opa.ini', keys_of(point, tables), '--no-time')[0] | point


def run(heddle, part, seeds, into, runner, where):
    points = [point for point in PARTS[part](seeds) if all(str(point[key]) == value for key, value in where.items())]
    if not points:
        print(f'run.py: {part} has no point with {" ".join(f"{key}={value}" for key, value in where.items())}', file=sys.stderr)
        sys.exit(2)
    with tempfile.TemporaryDirectory() as scratch:
        tables = Tables(heddle, scratch)
        runner.add(into / f'{part}.csv', KEYS, COLUMNS, points, lambda point: simulate(heddle, point, tables))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('-j', '--jobs', type=int, default=1, help='runs at a time')
    parser.add_argument('--into', type=pathlib.Path, default=HERE, help='where CSV files go')
    parser.add_argument('--where', action='append', default=[], metavar='KEY=VALUE', help=f'points of this alone; of {", ".join(KEYS)}; no traces')
    parser.add_argument('part', nargs='*', default=[part for part in PARTS if part != 'tiny'],
                        help=', '.join(PARTS))
    arguments = parser.parse_args()
    heddle = shutil.which(arguments.heddle) or sys.exit(f'{arguments.heddle}: no such command')
    where = dict(words.split('=', 1) for words in arguments.where)
    if set(where) - set(KEYS):
        parser.error(f'--where: {", ".join(set(where) - set(KEYS))} is none of {", ".join(KEYS)}')
    runner = Runner(arguments.jobs)
    for part in arguments.part:
        if part not in PARTS:
            sys.exit(f'{part} is none of {", ".join(PARTS)}')
        if not PARTS[part]:
            traces(heddle, part, arguments.seeds, arguments.into, runner)
        else:
            run(heddle, part, arguments.seeds, arguments.into, runner, where)


main()
