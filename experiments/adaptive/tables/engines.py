#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
FlexVC with every engine, as engines.csv beside this script: static lanes (layer rule flex), lanes that packets choose
(routing.vcs = flexvc, up to the tables' VL), both, and the engine's own layers behind other VLs (flexvc:vcs=V), with as many bytes of
buffer a port. Prints the tables of README.md.
"""
import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

UNITS = {'local': 128, 'global': 512, 'terminal': 768}
PACKET = 8
DRAGONFLY = 'dragonfly:a={},p={},h={},global=palmtree'
# engine, its LMC
ENGINES = [('dla', 0), ('df-minhop', 0), ('df-sssp', 0), ('d3r', 0), ('dfval', 3)]
PATTERNS = [('UN 1', 'uniform', 1, 'bernoulli:1'), ('UN, bursts 0.7', 'uniform', .7, 'bursty:5'), ('UN, bursts 1', 'uniform', 1, 'bursty:5'),
            ('ADV+1 1', 'adversarial:1', 1, 'bernoulli:1')]
GRID_PATTERNS = [('bit reversal 0.5', 'bitreverse', .5, 'bernoulli:1'), ('UN 0.8', 'uniform', .8, 'bernoulli:1')]
# lanes: layers, VC rule, with all VLs that there may be
LANES = {'plain': ('', ''), 'static': ('flex', ''), 'per packet': ('', 'flexvc'), 'both': ('flex', 'flexvc'),
         'in front': ('', 'flexvc:vcs={}')}
COLUMNS = ['fabric', 'engine', 'lanes', 'vls', 'traffic', 'seed', 'accepted', 'latency_mean', 'steady', 'deadlock']


def vls_of(heddle, fabric, engine, lmc, layers, most):
    words = [heddle, 'route', fabric, '-e', engine, '--lmc', lmc, '--max-vls', most]
    if layers:
        words += ['-l', layers]
    return int(re.search(r'^VLs +(\d+)', runs.run(*words), re.M)[1])


def buffers(vls):
    return {f'switch.buffer_{kind}': f'{units // vls // PACKET * PACKET} flits' for kind, units in UNITS.items()}


def cases():
    for h in (2, 3):
        for engine, lmc in ENGINES:
            yield DRAGONFLY.format(2 * h, h, h), engine, lmc, PATTERNS
    for fabric in 'torus:8x8', 'kns:k=8,n=2':
        yield fabric, 'hdor', 0, PATTERNS[:3] + GRID_PATTERNS


def show(rows):
    names = runs.unique(row['traffic'] for row in rows)
    print(f'\n{rows[0]["fabric"]}\n\n| engine | VLs | lanes | ' + ' | '.join(names) + ' |\n|---|---:|---|' + '---:|' * len(names))
    for engine in runs.unique(row['engine'] for row in rows):
        of = [row for row in rows if row['engine'] == engine]
        for vls, lanes in sorted({(int(row['vls']), list(LANES).index(row['lanes'])) for row in of}):
            lanes = list(LANES)[lanes]
            cells = [('' if int(row['steady']) else '~') + f'{float(row["accepted"]):.3f}' for name in names for row in of
                     if (int(row['vls']), row['lanes'], row['traffic']) == (vls, lanes, name)]
            print(f'| {engine} | {vls} | {lanes} | ' + ' | '.join(cells) + ' |')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', help='runs what is missing')
    heddle = parser.parse_args().heddle
    path = HERE / 'engines.csv'
    rows = runs.read(path)
    done = {(row['fabric'], row['engine'], row['lanes'], row['vls'], row['traffic']) for row in rows}
    for fabric, engine, lmc, patterns in cases() if heddle else []:
        for most in (4, 8):
            for lanes, (layers, rule) in LANES.items():
                try:
                    vls = most if '{' in rule else vls_of(heddle, fabric, engine, lmc, layers, most)
                except SystemExit as refused:
                    print(refused, file=sys.stderr)
                    continue
                for name, pattern, load, arrival in patterns:
                    if (fabric, engine, lanes, str(vls), name) in done:
                        continue
                    keys = {'fabric.topology': fabric, 'routing.engine': engine, 'routing.lmc': lmc,
                            'routing.layers': layers, 'routing.max_vls': most, 'traffic.pattern': pattern,
                            'traffic.load': load, 'traffic.arrival': arrival, **buffers(vls)}
                    if rule:
                        keys.update({'routing.adaptive': 'minimal', 'routing.vcs': rule.format(vls), 'host.vc': 'jsq'})
                    for row in runs.sim(heddle, HERE / 'engines.ini', keys):
                        rows.append({**row, 'fabric': fabric, 'engine': engine, 'lanes': lanes, 'vls': vls, 'traffic': name})
                    done.add((fabric, engine, lanes, str(vls), name))
                runs.write(path, COLUMNS, rows)
    for fabric in runs.unique(row['fabric'] for row in rows):
        show([row for row in rows if row['fabric'] == fabric])


if __name__ == '__main__':
    main()
