#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What run.sh runs: networks, techniques and traffic of Figures 5 to 11 of osha-sasha-dbbq."""
import argparse
import itertools
import math
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

KEYS = ['network', 'pattern', 'voq', 'turned', 'window', 'technique', 'load', 'seed']
COLUMNS = KEYS + ['accepted', 'latency_mean', 'accepted[background]', 'latency_mean[background]', 'makespan',
                  'steady', 'deadlock', 'wall_s']

# engine, queues
TECHNIQUES = {
    '1VC': ('hdor', 'single:1'), 'BBQ-4VC': ('hdor', 'bbq:4'), 'OSHA-2VC': ('osha', 'single:1'), 'OSHA-4VC-DBBQ': ('osha', 'dbbq:2'),
    'SASHA-2VC': ('sasha', 'single:1'), 'SASHA-4VC-DBBQ': ('sasha', 'dbbq:2'),
}
# of each size: nodes in a dimension of two and of three; seeds; warm-up and window of each; the grid of PTRANS's tasks
SIZES = {
    '64': {2: 8, 3: 4, 'seeds': '1,2,3,4,5', 'window': '1ms+2ms', 'grid': '4x4'},
    '512': {2: 24, 3: 8, 'seeds': '1,2,3', 'window': '1ms+2ms', 'grid': '12x12'},
    'full': {2: 48, 3: 24, 'seeds': '1', 'window': '300us+700us', 'grid': '24x24'},
}
LOADS = '1,0.6,0.8,0.4,0.2'     # what tells most comes first
ZIPF = ['zipf:1', 'zipf:3', 'zipf:3,ranking=shared']
HOTSPOT = ['hotspot:form=osha']
# shapes and dimensions, patterns
FIGURES = {
    '5': ([('kns', 2)], ZIPF), '6': ([('kns', 3)], ZIPF), '7': ([('torus', 2)], ZIPF), '8': ([('torus', 3)], ZIPF),
    '9': ([('kns', 2), ('kns', 3)], HOTSPOT), '10': ([('torus', 2), ('torus', 3)], HOTSPOT), '11': ([('kns', 2), ('torus', 2)], ['ptrans']),
}
# What the paper leaves open, decided otherwise: keys of the scenario, what is added to the pattern, and what tasks of PTRANS compute, in ns
TURNED = {
    'no': {}, 'arbiter=age': {'switch.arbiter': 'age'}, 'arbiter=lrs': {'switch.arbiter': 'lrs'},
    'arbiter=transit': {'switch.arbiter': 'transit'}, 'iterations=1': {'switch.iterations': '1'},
    'speedup=2': {'switch.model': 'cioq', 'switch.speedup': '2'}, 'latency=0': {'switch.latency': '0ns'}, 'admittance=vl': {'host.admittance': 'vl'},
    'ties=first': {'host.policy': 'leastoccupied:ties=first'}, 'choice=random': {'host.policy': 'random'}, 'exclude=no': {'pattern': ',exclude=no'},
    'rings=datelines': {'switch.bubble': 'no', 'routing.layers': ''},
    'reads=16': {'switch.reads': '16'},
    **{f'reads=16+arbiter={arbiter}': {'switch.reads': '16', 'switch.arbiter': arbiter} for arbiter in ('age', 'transit')},
    'place=interleaved': {'pattern': ',place=interleaved'}, 'place=random': {'pattern': ',place=random'},
}
PLACES = {'in blocks': '', 'interleaved': 'place=interleaved', 'at random': 'place=random'}   # of Figure 11: by their names in tables
COMPUTES = {'1 us': 1000, '30 us': 30000, '100 us': 100000, '1 ms': 1000000}


def place_and_compute(place, compute):
    """The name in TURNED: the first of COMPUTES has none."""
    pause = '' if COMPUTES[compute] == 1000 else f'pause={COMPUTES[compute]}'
    return '+'.join(filter(None, (PLACES[place], pause))) or 'no'


for _place, _compute in itertools.product(PLACES, list(COMPUTES)[1:]):
    TURNED[place_and_compute(_place, _compute)] = {**TURNED[PLACES[_place] or 'no'], 'pause': COMPUTES[_compute]}


def network(shape, dimensions, size):
    k = SIZES[size][dimensions]
    return f'kns:k={k},n={dimensions}' if shape == 'kns' else 'torus:' + 'x'.join([str(k)] * dimensions)


def traffic(pattern, size, pause=1000):
    """Keys of the pattern; a matrix of PTRANS with 64 blocks of each task in the mean, four of them at once."""
    if not pattern.startswith('ptrans'):
        return {'traffic.pattern': pattern}
    grid, _, more = pattern.removeprefix('ptrans').removeprefix(':').partition(',')
    grid = grid or SIZES[size]['grid']
    tasks = math.isqrt(math.prod(map(int, grid.split('x'))))
    return {'traffic.pattern': f'ptrans:{grid},n={tasks * 8 * 64},nb=64,repeat=2,ticks=1000,pause={pause},instances=4{"," + more if more else ""}',
            'run.warmup': '0', 'run.measure': '10s'}


def rings(where, engine):
    """Bubbles on tori; hdor would keep its datelines beside them."""
    if not where.startswith('torus'):
        return {}
    return {'switch.bubble': 'yes', **({'routing.layers': 'single'} if engine == 'hdor' else {})}


def plan(figure, given):
    """The points of a figure, without loads: network, pattern, voq, technique."""
    shapes, patterns = FIGURES[figure]
    for pattern in [given.pattern] if given.pattern else patterns:
        for shape, dimensions in shapes:
            if given.dimensions in (None, dimensions):
                for voq in [given.voq] if given.voq else ['no', 'yes']:
                    for technique in given.techniques.split(',') if given.techniques else TECHNIQUES:
                        yield network(shape, dimensions, given.size), pattern, voq, technique


def applies(turned, where, technique):
    """Whether what is decided otherwise is asked of a network and a technique."""
    return {'ties=first': technique.startswith('SASHA'), 'choice=random': technique.startswith('OSHA'),
            'rings=datelines': where.startswith('torus')}.get(turned, True)


def needed(row):
    """Without what no table, figure or claim reads: all packets' load beside that of the background, and latencies of what
    was decided otherwise."""
    row = dict(row)
    if row.get('accepted[background]'):
        row['accepted'] = ''
    if row['turned'] != 'no':
        row['latency_mean'] = row['latency_mean[background]'] = ''
    return row


def run(figure, load, given):
    path = given.out / f'figure-{figure}-{given.size}.csv'
    done = runs.kept(path, KEYS)
    for where, pattern, voq, technique in plan(figure, given):
        if given.network not in (None, where):
            continue
        ends = pattern.startswith('ptrans')
        if not applies(given.turned, where, technique) or ends and load != '1':
            continue
        window = 'all' if ends else given.window or SIZES[given.size]['window']
        seeds = given.seeds or ('1' if ends else SIZES[given.size]['seeds'])
        one = (where, pattern, voq, given.turned, window, technique, load)
        missing = [seed for seed in seeds.split(',') if (*one, seed) not in done]
        if not missing:
            continue
        engine, queues = TECHNIQUES[technique]
        warmup, _, measure = window.partition('+')
        turned = dict(TURNED[given.turned])
        keys = {'routing.engine': engine, 'routing.queues': queues, 'switch.voq': voq, 'run.warmup': warmup, 'run.measure': measure,
                'traffic.load': load, 'run.seeds': ','.join(missing), 'fabric.topology': where,
                **rings(where, engine), **traffic(pattern + turned.pop('pattern', ''), given.size, turned.pop('pause', 1000)), **turned}
        for row in runs.sim(given.heddle, HERE / 'osha.ini', keys):
            if row.get('accepted'):
                runs.add(path, COLUMNS, needed({**row, 'wall_s': runs.short(row['wall_s'], 2), **dict(zip(KEYS, (*one, row['seed'])))}))


def main():
    parser = argparse.ArgumentParser(prog='run.sh', description='Figures 5 to 11 of osha-sasha-dbbq.')
    parser.add_argument('-n', dest='size', default='64', choices=SIZES)
    parser.add_argument('-j', dest='jobs', default='1')
    parser.add_argument('-l', dest='loads', default=LOADS)
    parser.add_argument('-s', dest='seeds')
    parser.add_argument('-w', dest='window')
    parser.add_argument('-d', dest='dimensions', type=int, choices=[2, 3])
    parser.add_argument('--voq', choices=['no', 'yes'])
    parser.add_argument('-t', dest='techniques')
    parser.add_argument('-p', dest='pattern')
    parser.add_argument('--network', help='one alone, as kns:k=48,n=2')
    parser.add_argument('--turned', default='no', choices=TURNED)
    parser.add_argument('-o', dest='out', type=pathlib.Path, default=HERE)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('figures', nargs='*', metavar='FIGURE')
    given = parser.parse_args()
    for figure in given.figures:
        if figure not in FIGURES:
            parser.error(f'no figure {figure}')
    for technique in given.techniques.split(',') if given.techniques else []:
        if technique not in TECHNIQUES:
            parser.error(f'no technique {technique}')
    if not any(given.network in (None, where) for figure in given.figures or FIGURES for where, *_ in plan(figure, given)):
        parser.error(f'no network {given.network} of size {given.size} in figure {", ".join(given.figures or FIGURES)}')
    os.environ['JOBS'] = given.jobs
    given.out.mkdir(parents=True, exist_ok=True)
    for load in given.loads.split(','):
        for figure in given.figures or FIGURES:
            print(f'figure {figure}, load {load}', file=sys.stderr)
            run(figure, load, given)


if __name__ == '__main__':
    main()
