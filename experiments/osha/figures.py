#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What run.sh runs: networks, techniques and traffic of Figures 5 to 11 of osha-sasha-dbbq."""
import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

KEYS = ['network', 'pattern', 'voq', 'technique', 'load', 'seed']
COLUMNS = KEYS + ['accepted', 'latency_mean', 'latency_p99', 'accepted[background]', 'latency_mean[background]', 'makespan',
                  'lid_changes', 'steady', 'deadlock']

# engine, queues
TECHNIQUES = {
    '1VC': ('hdor', 'single:1'), 'BBQ-4VC': ('hdor', 'bbq:4'), 'OSHA-2VC': ('osha', 'single:1'), 'OSHA-4VC-DBBQ': ('osha', 'dbbq:2'),
    'SASHA-2VC': ('sasha', 'single:1'), 'SASHA-4VC-DBBQ': ('sasha', 'dbbq:2'),
}
# of each size: nodes in a dimension of two and of three; loads, seeds, warm-up and window of each; tasks of PTRANS in a dimension
SIZES = {
    '64': {2: (8, '0.2,0.4,0.6,0.8,1', '1,2,3,4,5', '1ms', '2ms'), 3: (4, '0.2,0.4,0.6,0.8,1', '1,2,3,4,5', '1ms', '2ms'), 'tasks': 4},
    '512': {2: (24, '0.2,0.4,0.6,0.8,1', '1,2,3,4,5', '1ms', '2ms'), 3: (8, '0.2,0.4,0.6,0.8,1', '1,2,3,4,5', '1ms', '2ms'), 'tasks': 12},
    'full': {2: (48, '0.1,0.3,0.5,0.6,0.8,1', '1', '1ms', '2ms'), 3: (24, '0.3,0.6,1', '1', '300us', '700us'), 'tasks': 24},
}
ZIPF = ['zipf:1', 'zipf:3', 'zipf:3,ranking=shared']
HOTSPOT = ['hotspot:form=osha']
# shapes and dimensions, patterns
FIGURES = {
    '5': ([('kns', 2)], ZIPF), '6': ([('kns', 3)], ZIPF), '7': ([('torus', 2)], ZIPF), '8': ([('torus', 3)], ZIPF),
    '9': ([('kns', 2), ('kns', 3)], HOTSPOT), '10': ([('torus', 2), ('torus', 3)], HOTSPOT), '11': ([('kns', 2), ('torus', 2)], ['ptrans']),
}


def network(shape, dimensions, size):
    k = SIZES[size][dimensions][0]
    return f'kns:k={k},n={dimensions}' if shape == 'kns' else 'torus:' + 'x'.join([str(k)] * dimensions)


def traffic(pattern, size):
    """Keys of the pattern; a matrix of PTRANS with 64 blocks of each task, four of them at once."""
    if pattern != 'ptrans':
        return {'traffic.pattern': pattern}
    tasks = SIZES[size]['tasks']
    return {'traffic.pattern': f'ptrans:{tasks}x{tasks},n={tasks * 8 * 64},nb=64,repeat=2,ticks=1000,pause=1000,instances=4',
            'run.warmup': '0', 'run.measure': '1s'}


def run(heddle, figure, size, given):
    shapes, patterns = FIGURES[figure]
    path = given.out / f'figure-{figure}-{size}.csv'
    done = runs.kept(path, KEYS)
    for shape, dimensions in shapes:
        _, loads, seeds, warmup, window = SIZES[size][dimensions]
        where = network(shape, dimensions, size)
        for pattern in [given.pattern] if given.pattern else patterns:
            points = ['1'] if pattern == 'ptrans' else (given.loads or loads).split(',')
            for voq in [given.voq] if given.voq else ['no', 'yes']:
                for technique in [given.technique] if given.technique else TECHNIQUES:
                    engine, queues = TECHNIQUES[technique]
                    one = (where, pattern, voq, technique)
                    missing = [(load, seed) for load in points for seed in ((given.seeds or seeds).split(',') if pattern != 'ptrans' else ['1'])
                               if (*one, load, seed) not in done]
                    if not missing:
                        continue
                    keys = {'routing.engine': engine, 'routing.queues': queues, 'switch.voq': voq, 'run.warmup': warmup,
                            'run.measure': window, 'traffic.load': ', '.join(runs.unique(load for load, _ in missing)),
                            'run.seeds': ', '.join(runs.unique(seed for _, seed in missing)), 'fabric.topology': where,
                            'switch.bubble': 'yes' if shape == 'torus' else 'no', **traffic(pattern, size)}
                    for row in runs.sim(heddle, HERE / 'osha.ini', keys):
                        load = row.get('traffic.load') or missing[0][0]
                        if row.get('accepted') and (load, row['seed']) in missing:
                            runs.add(path, COLUMNS, {**row, **dict(zip(KEYS, (*one, load, row['seed'])))})


def main():
    parser = argparse.ArgumentParser(prog='run.sh', description='Figures 5 to 11 of osha-sasha-dbbq.')
    parser.add_argument('-n', dest='size', default='64', choices=SIZES)
    parser.add_argument('-j', dest='jobs', default='1')
    parser.add_argument('-l', dest='loads')
    parser.add_argument('-s', dest='seeds')
    parser.add_argument('--voq', choices=['no', 'yes'])
    parser.add_argument('-t', dest='technique', choices=TECHNIQUES)
    parser.add_argument('-p', dest='pattern')
    parser.add_argument('-o', dest='out', type=pathlib.Path, default=HERE)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('figures', nargs='*', metavar='FIGURE')
    given = parser.parse_args()
    for figure in given.figures:
        if figure not in FIGURES:
            parser.error(f'no figure {figure}')
    os.environ['JOBS'] = given.jobs
    for figure in given.figures or FIGURES:
        print(f'figure {figure}', file=sys.stderr)
        run(given.heddle, figure, given.size, given)


if __name__ == '__main__':
    main()
