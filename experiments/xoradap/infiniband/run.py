#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
How much of XORADAP tables can have: sets of ports with XORDET's queues on SLs and VLs, beside packets that choose their VCs too, on
meshes, HyperX and KNS. Writes load.csv and hotspot.csv beside this script; compare.py prints the tables of README.md.
"""
import argparse
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

COLUMNS = ['fabric', 'pattern', 'system', 'load', 'measure', 'seed', 'accepted', 'out_of_order', 'steady',
           'deadlock']
ROOM = 36 * 16  # flits a port, whatever the number of VLs

# patterns and loads
FABRICS = {
    'mesh:8x8': {'uniform': [.2, .35, .4, .45, .5], 'transpose': [.15, .2, .3, .4], 'bitreverse': [.15, .2, .3, .4]},
    'kns:k=8,n=2': {'uniform': [.5, .7, .85, 1], 'transpose': [.1, .15, .25, .4], 'bitreverse': [.1, .2, .25, .4]},
    'hyperx:8x8,p=4': {'uniform': [.5, .8, 1], 'transpose': [.25, .4, .6], 'bitreverse': [.3, .6, .9]},
    'mesh:16x16': {'uniform': [.12, .2, .26], 'transpose': [.07, .13, .2], 'bitreverse': [.08, .16, .25]},
}


def systems(fabric):
    """Names and keys."""
    layers = 2 if fabric.startswith('kns') else 1  # of negative-first
    # packets to line switches, of which there are none here, would have a layer of their own
    single = {'routing.layers': 'single'}
    for queues in 1, 2, 4, 8:
        yield 'DOR' if queues == 1 else f'XORDET {queues}', {**single, 'routing.queues': f'xordet:{queues}'}
    yield 'DBBM 8', {**single, 'routing.queues': 'dbbm:8'}
    for sets, label, layers in ('negative-first', 'NF', layers), ('minimal', 'minimal', 2):
        for queues in 1, 2, 4, 8:
            if queues * layers > 15:  # VLs that InfiniBand has for data
                continue
            yield label if queues == 1 else f'{label} + XORDET {queues}', {
                'routing.options': f'ar={sets}', 'routing.queues': f'xordet:{queues}', 'routing.adaptive': 'ar'}
    for name, rule in ('FA', 'single,1'), ('XORADAP-2', 'xordet,2'), ('XORADAP-4', 'xordet,4'), ('XORADAP-8', 'xordet,8'):
        yield name, {**single, 'routing.adaptive': 'minimal', 'routing.vcs': f'groups:{rule} vcs=8 escape'}


def wanted(fabric, pattern):
    """All of them with 64 hosts; with 256 not those with two queues."""
    for name, keys in systems(fabric):
        big = fabric in ('mesh:16x16', 'hyperx:8x8,p=4')
        if not big or not (name.endswith('2') or name == 'DBBM 8' and pattern != 'uniform'):
            yield name, keys


def keys_of(fabric, keys):
    return {'fabric.topology': fabric, 'switch.buffer': f'{ROOM} flits per port', **keys}


def load(heddle, fabric, pattern, loads, more, resume):
    """@more: keys of the run; rows that are there are kept."""
    path = HERE / 'load.csv'
    rows = runs.read(path) if resume else []
    measure = str(more.get('run.measure', 50000))
    for name, keys in wanted(fabric, pattern):
        done = {float(row['load']) for row in rows
                if (row['fabric'], row['pattern'], row['system'], row['measure']) == (fabric, pattern, name, measure)}
        missing = [at for at in loads if at not in done]
        if not missing:
            continue
        made = runs.sim(heddle, HERE / 'router.ini', {**keys_of(fabric, keys), 'traffic.pattern': pattern,
                                                      'traffic.load': ', '.join(map(str, missing)), **more}, '--no-time')
        for row in made:
            row.update(fabric=fabric, pattern=pattern, system=name, load=row['traffic.load'], measure=measure)
        rows += made
        runs.write(path, COLUMNS, rows)
        print(f'{fabric} {pattern} {name} {missing}', file=sys.stderr, flush=True)


def background(fabric):
    """0.9 of what DBBM accepts at most in uniform traffic."""
    of = [row for row in runs.read(HERE / 'load.csv')
          if (row['fabric'], row['pattern'], row['system']) == (fabric, 'uniform', 'DBBM 8')]
    return round(.9 * max(float(row['accepted']) for row in of), 3)


def middle(fabric):
    """A host in the middle."""
    hosts = {'mesh:8x8': 64, 'mesh:16x16': 256, 'hyperx:8x8,p=4': 256, 'kns:k=8,n=2': 64}[fabric]
    side = round((hosts // (4 if 'p=4' in fabric else 1)) ** .5)
    return hosts, (side // 2 * side + side // 2) * (4 if 'p=4' in fabric else 1)


def hotspot(heddle, fabric, resume):
    """
    A quarter of the hosts, as in the paper, send to the middle alone, together at the rate of its link, from cycle 20,000 on. The
    window begins when they have done so for 10,000 cycles. In the quiet run these hosts are as good as silent.
    """
    path = HERE / 'hotspot.csv'
    rows = runs.read(path) if resume else []
    hosts, at = middle(fabric)
    sources, rate = hosts // 4, background(fabric)
    for name, keys in wanted(fabric, 'hot spot'):
        for seed in range(1, 4 if hosts == 64 else 2):
            if any((row['fabric'], row['system'], row['seed']) == (fabric, name, str(seed)) for row in rows):
                continue
            row = {'fabric': fabric, 'system': name, 'load': rate, 'sources': sources, 'at': at, 'seed': seed}
            for label, share in ('quiet', 1e-6), ('spot', 1 / sources):
                phases = f'uniform until=20000 then hotspot:form=osha,sources={sources},rate={share:f},at={at}'
                more = {'traffic.load': rate, 'run.warmup': 30000, 'run.measure': 130000, 'run.buffers': 'yes',
                        'run.seeds': seed, 'traffic.phases': phases}
                with tempfile.TemporaryDirectory() as scratch:
                    runs.run(*runs.sim_words(heddle, HERE / 'router.ini', {**keys_of(fabric, keys), **more}, '--no-time',
                                             '--json', f'{scratch}/json'))
                    row.update(outcome(label, json.loads(pathlib.Path(f'{scratch}/json').read_text(encoding='ascii'))))
            rows.append(row)
            runs.write(path, list(rows[0]), rows)
        print(f'{fabric} hot spot {name}', file=sys.stderr, flush=True)


def outcome(label, result):
    """What a run says of the background, and of the hot spot."""
    point = result['points'][0] if 'points' in result else result
    classes = {c['name']: c for c in runs.find(point, 'classes')}
    of = classes.get('background', classes.get('all'))
    row = {f'{label}_latency': f'{of["latency"]["mean"]:.1f}', f'{label}_network': f'{of["network_latency"]["mean"]:.1f}',
           f'{label}_offered': of['offered'], f'{label}_accepted': of['accepted'],
           f'{label}_full': runs.find(point, 'buffer_full')['mean']}
    if label == 'spot':
        row['hot_packets'] = classes['hotspot']['packets']
        row['hot_network'] = f'{classes["hotspot"]["network_latency"]["mean"]:.1f}'
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--resume', action='store_true', help='keep the rows that are there')
    parser.add_argument('--long', action='store_true', help='the last load of uniform traffic again, in windows ten times as long')
    parser.add_argument('--loads', action='store_true', help='no hot spot')
    parser.add_argument('--spot', action='store_true', help='the hot spot alone')
    parser.add_argument('fabric', nargs='*', default=list(FABRICS))
    arguments = parser.parse_args()
    for fabric in arguments.fabric:
        for pattern, loads in FABRICS[fabric].items():
            if not arguments.long and not arguments.spot:
                load(arguments.heddle, fabric, pattern, loads, {}, arguments.resume)
                arguments.resume = True
        if arguments.long:
            load(arguments.heddle, fabric, 'uniform', FABRICS[fabric]['uniform'][-1:], {'run.measure': 500000}, True)
        elif not arguments.loads:
            hotspot(arguments.heddle, fabric, True)


main()
