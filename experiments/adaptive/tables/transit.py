#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
d3r's lanes with and without packets from switches first (switch.transit), as transit.csv beside this script: its own layers, VLs that
packets choose up to them (routing.vcs = flexvc), and VLs in front (flexvc:vcs=8). Prints the table of README.md.
"""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402
from claims import shown  # noqa: E402
from engines import DRAGONFLY, buffers  # noqa: E402

COLUMNS = ['h', 'engine', 'lanes', 'transit', 'load', 'seed', 'accepted', 'steady']
LANES = {'per packet': 'flexvc', 'plain': '', 'in front': 'flexvc:vcs=8'}
LOADS = [1, .4, .7]


ENGINES = {'d3r': 2, 'dla': 2, 'df-minhop': 3, 'df-sssp': 3}  # and their VLs


def wanted():
    for load in LOADS:
        for lanes in LANES:
            for engine in ENGINES:
                for transit in 'no', 'yes':
                    if engine == 'd3r' or (lanes, load) == ('per packet', 1):
                        yield engine, lanes, transit, load


def show(rows):
    print('| hosts | engine | lanes | first | ' + ' | '.join(f'{load:g}' for load in sorted(LOADS)) + ' |')
    print('|---:|---|---|---|' + '---:|' * len(LOADS))
    for h, engine, lanes, transit in runs.unique((row['h'], row['engine'], row['lanes'], row['transit']) for row in rows):
        cells = []
        for load in sorted(LOADS):
            of = [row for row in rows if (row['h'], row['engine'], row['lanes'], row['transit'], float(row['load'])) == (h, engine, lanes, transit, load)]
            cells.append(('' if all(map(runs.is_steady, of)) else '~') + shown([float(row['accepted']) for row in of]) if of else '')
        hosts = 2 * int(h) ** 2 * (2 * int(h) ** 2 + 1)
        print(f'| {hosts:,} | {engine} | {lanes} | {"switches" if transit == "yes" else "in turn"} | ' + ' | '.join(cells) + ' |')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', help='runs what is missing')
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('--lanes', choices=LANES, help='these only')
    parser.add_argument('--load', type=float, choices=LOADS, help='this one only')
    parser.add_argument('h', type=int, nargs='*')
    arguments = parser.parse_args()
    path = HERE / 'transit.csv'
    rows = runs.read(path)
    done = {tuple(row[key] for key in COLUMNS[:6]) for row in rows}
    for h in arguments.h:
        for engine, lanes, transit, load in wanted():
            if arguments.lanes not in (None, lanes) or arguments.load not in (None, load):
                continue
            for seed in range(1, arguments.seeds + 1):
                if (str(h), engine, lanes, transit, str(load), str(seed)) in done:
                    continue
                rule = LANES[lanes]
                vls = 8 if lanes == 'in front' else ENGINES[engine]
                keys = {'fabric.topology': DRAGONFLY.format(2 * h, h, h), 'routing.engine': engine, 'traffic.pattern': 'uniform',
                        'traffic.load': load, 'run.seeds': seed, 'switch.transit': transit, **buffers(vls)}
                if rule:
                    keys |= {'routing.adaptive': 'minimal', 'routing.vcs': rule, 'host.vc': 'jsq'}
                row, = runs.sim(arguments.heddle, HERE / 'engines.ini', keys, '--no-proof')
                row = {column: runs.short(value) for column, value in row.items()}
                rows.append(row | {'h': str(h), 'engine': engine, 'lanes': lanes, 'transit': transit, 'load': str(load), 'seed': str(seed)})
                runs.write(path, COLUMNS, rows)
    show(sorted(rows, key=lambda row: (int(row['h']), list(ENGINES).index(row['engine']), list(LANES).index(row['lanes']), row['transit'])))


if __name__ == '__main__':
    main()
