#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
What tables alone reach, beside switches that choose, as hH.csv beside this script. The same router and as many bytes of
buffer for all; README.md has the table.
"""
import argparse
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

# Of every port, whatever the lanes: what olm has with 3 local, 2 global and 3 terminal VCs
UNITS = {'local': 96, 'global': 512, 'terminal': 768}
PACKET = 8
# name: engine, its options, LMC, layer rule
TABLES = {'dla': ('dla', '', 0, '')}
for lmc in range(1, 5):
    TABLES[f'dfval, {1 << lmc} LIDs'] = ('dfval', '', lmc, '')
for lmc in 3, 4:
    TABLES[f'dfval, {1 << lmc} LIDs, not minimal'] = ('dfval', 'minimal=off', lmc, '')
TABLES['dfval, 8 LIDs, flex'] = ('dfval', '', 3, 'flex')
# name: routing, trigger, VCs of local, global and terminal links
CHOOSING = {'valiant': ('valiant:exclude=source', '', (4, 2, 3)), 'pb': ('pb', '', (4, 2, 3)),
            'olm': ('olm:policy=mm', 'credits', (3, 2, 3)), 'contention': ('olm:policy=mm', 'contention:{}', (3, 2, 3))}
THRESHOLD = {2: 3, 3: 3, 4: 4}
COLUMNS = ['fabric', 'mechanism', 'pattern', 'load', 'sls', 'vls', 'accepted', 'latency_mean', 'latency_p99', 'source_min',
           'switch_variation', 'saturated', 'steady', 'window', 'deadlock']


def patterns(h):
    return {'UN': 'uniform', 'ADV+1': 'adversarial:1', f'ADV+{h}': f'adversarial:{h}',
            'ADVc': 'adversarial-consecutive', 'half': 'mix:uniform*50%+adversarial:1*50%'}


def buffers(local, far, terminal):
    return {'switch.buffer_local': f'{UNITS["local"] // local // PACKET * PACKET} flits',
            'switch.buffer_global': f'{UNITS["global"] // far // PACKET * PACKET} flits',
            'switch.buffer_terminal': f'{UNITS["terminal"] // terminal // PACKET * PACKET} flits'}


def mechanisms(heddle, fabric, h):
    """(name, SLs, VLs, keys)"""
    for name, (engine, options, lmc, layers) in TABLES.items():
        words = [heddle, 'route', fabric, '-e', engine, '--lmc', lmc]
        keys = {'routing.engine': engine, 'routing.lmc': lmc}
        if options:
            words += ['-O', options]
            keys['routing.options'] = options
        if layers:
            words += ['-l', layers]
            keys['routing.layers'] = layers
        text = runs.run(*words)
        sls, vls = (int(re.search(rf'^{what} +(\d+)', text, re.M)[1]) for what in ('SLs', 'VLs'))
        yield name, sls, vls, {**keys, **buffers(vls, vls, vls)}
    for name, (adaptive, trigger, vcs) in CHOOSING.items():
        yield name, 1, vcs[0], {'routing.engine': 'dla', 'routing.adaptive': adaptive, 'host.vc': 'jsq',
                                'routing.trigger': trigger.format(THRESHOLD[h]), 'switch.vcs_terminal': vcs[2],
                                **buffers(*vcs)}


def global_link(heddle, spec):
    """The first link between two groups, as --fail-links has it."""
    with tempfile.TemporaryDirectory() as folder:
        runs.run(heddle, 'topo', spec, '-o', f'{folder}/net')
        at = None
        with open(f'{folder}/net', encoding='ascii') as file:
            for line in file:
                if head := re.match(r'Switch\s+\d+\s+"([^"]+)".*#\s*"?([^"\s]+)', line):
                    at = head[2]
                link = re.match(r'\[(\d+)\]\s+"S-[^"]+"\[(\d+)\].*#\s*"([^"]+)"', line)
                if at and link and at.split('S')[0] != link[3].split('S')[0]:
                    return f'{at}[{link[1]}]'
    return sys.exit('no link between groups')


def measure(heddle, h, folder, resume):
    path = HERE / f'h{h}.csv'
    rows = runs.read(path) if resume else []
    done = {(r['fabric'], r['mechanism'], r['pattern'], float(r['load'])) for r in rows}
    spec = f'dragonfly:a={2 * h},p={h},h={h},global=palmtree'
    failed = f'{folder}/failed.net'
    runs.run(heddle, 'topo', spec, '--fail-links', global_link(heddle, spec), '-o', failed)
    for name, fabric in ('whole', spec), ('one global link failed', failed):
        key = 'fabric.topology' if fabric == spec else 'fabric.file'
        for mechanism, sls, vls, keys in mechanisms(heddle, fabric, h):
            for pattern, value in patterns(h).items():
                loads = [load for load in (.5, 1) if (name, mechanism, pattern, load) not in done]
                if not loads:
                    continue
                keys = {key: fabric, **keys, 'traffic.pattern': value, 'traffic.load': ', '.join(map(str, loads))}
                for row in runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof'):
                    row.update(fabric=name, mechanism=mechanism, pattern=pattern, load=row['traffic.load'], sls=sls, vls=vls)
                    rows.append(row)
            runs.write(path, COLUMNS, rows)
            print(f'h = {h}: {name}, {mechanism}', file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--resume', action='store_true', help='keep the rows that are there')
    parser.add_argument('h', type=int, nargs='*', default=[2, 3, 4], help='dragonflies of h = H (2 3 4)')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for h in arguments.h:
            measure(arguments.heddle, h, folder, arguments.resume)


main()
