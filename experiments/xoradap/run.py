#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
XORDET and XORADAP (Penaranda et al., 2017), Figures 7, 9, 12, 13, 15, 16 and 17: accepted load and latency of switches whose lanes
are chosen packet by packet, as CSV beside this script. compare.py prints the tables of README.md.
"""
import argparse
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

COLUMNS = ['fabric', 'pattern', 'system', 'load', 'seed', 'offered', 'accepted', 'latency_mean', 'network_latency_mean',
           'saturated', 'steady', 'deadlock']
# routing, VC rule
ADAPTIVE = {
    'FA 8+1': ('minimal', 'groups:single,1 vcs=8 escape'),
    'XORADAP-2': ('minimal', 'groups:xordet,2 vcs=8 escape'),
    'XORADAP-4': ('minimal', 'groups:xordet,4 vcs=8 escape'),
    'XORADAP-8': ('minimal', 'groups:xordet,8 vcs=8 escape'),
    'XORDET 8': ('', 'groups:xordet,8'),
}
SIXTEEN = {'XORDET 16': ('', 'groups:xordet,16')}
FIVE = {
    'FA 4+1': ('minimal', 'groups:single,1 vcs=4 escape'),
    'XORADAP-2, 4+1': ('minimal', 'groups:xordet,2 vcs=4 escape'),
    'XORADAP-4, 4+1': ('minimal', 'groups:xordet,4 vcs=4 escape'),
    'XORDET 4': ('', 'groups:xordet,4'),
}
TABLES = {'VOQsw 5': ('', 'groups:voqsw,5')}
for vcs in 4, 8:
    TABLES[f'OODET {vcs}'] = ('', f'groups:single,1 vcs={vcs}')
    for rule in 'dbbm', 'bbq', 'iodet', 'xordet':
        TABLES[f'{rule.upper()} {vcs}'] = ('', f'groups:{rule},{vcs}')
# a queue per destination and in-port, which needs no bubbles either (docs/lanes.md)
VOQNET = {'VOQnet': 'yes', 'VOQnet, no bubbles': 'no'}
# the same as a queue rule of the tables, to see that groups are what they are called after
STATIC = {'XORDET 8, tables': ('', '')}

LOADS = {
    ('16x16', 'uniform'): [.3, .4, .45, .5, .6],
    ('16x16', 'transpose'): [.1, .15, .25, .3, .4],
    ('16x16', 'bitreverse'): [.1, .25, .35, .4, .5],
    ('8x8', 'uniform'): [.6, .7, .8, .9, 1],
    ('8x8', 'transpose'): [.2, .3, .4, .5, .6, .8],
    ('8x8', 'bitreverse'): [.2, .3, .5, .7, .9],
}


def wanted(fabric):
    """(pattern, name of the system, system)"""
    for pattern in 'transpose', 'bitreverse', 'uniform':
        for name, system in {**ADAPTIVE, **SIXTEEN}.items():
            if pattern != 'uniform' or name != 'XORDET 16':
                yield pattern, name, system
    if fabric == '8x8':
        for name, system in FIVE.items():
            yield 'uniform', name, system
    for name, system in {**TABLES, **STATIC}.items():
        yield 'uniform', name, system
    for name in VOQNET:
        yield 'uniform', name, ('', '')


def run(heddle, fabric, seeds, resume):
    path = HERE / f'load-{fabric}.csv'
    rows = runs.read(path) if resume else []
    done = {(row['pattern'], row['system'], float(row['load']), row['seed']) for row in rows}
    for pattern, name, (adaptive, vcs) in wanted(fabric):
        loads = [load for load in LOADS[fabric, pattern]
                 if any((pattern, name, load, str(seed)) not in done for seed in range(1, seeds + 1))]
        if not loads:
            continue
        keys = {'fabric.topology': f'torus:{fabric}', 'traffic.pattern': pattern, 'routing.adaptive': adaptive,
                'routing.vcs': vcs, 'traffic.load': ', '.join(map(str, loads)), 'run.seeds': f'1..{seeds}'}
        if name in STATIC:
            keys['routing.queues'] = 'xordet:8'
        if name in VOQNET:
            keys.update({'switch.buffering': 'voqnet', 'switch.bubble': VOQNET[name]})
        for row in runs.sim(heddle, HERE / 'router.ini', keys):
            row.update(fabric=fabric, pattern=pattern, system=name, load=row['traffic.load'])
            if (pattern, name, float(row['load']), row['seed']) not in done:
                rows.append(row)
        runs.write(path, COLUMNS, rows)
        print(f'{fabric} {pattern} {name} {loads}', file=sys.stderr, flush=True)


# Rows whose seeds say how far one seed may be off
SEEDED = [('uniform', 'FA 8+1', .6), ('uniform', 'XORDET 8', .6), ('uniform', 'XORADAP-8', .9), ('uniform', 'FA 8+1', .9), ('uniform', 'XORDET 8', .9),
          ('uniform', 'BBQ 8', .9), ('uniform', 'DBBM 8', .8), ('uniform', 'IODET 8', .8), ('transpose', 'FA 8+1', .8), ('transpose', 'XORDET 8', .6),
          ('bitreverse', 'FA 8+1', .9), ('bitreverse', 'XORADAP-8', .9), ('bitreverse', 'XORDET 8', .7)]


def seeded(heddle, resume):
    """Seeds 2 and 3 of some rows of 8x8."""
    path = HERE / 'seeds-8x8.csv'
    rows = runs.read(path) if resume else []
    done = {(row['pattern'], row['system'], float(row['load'])) for row in rows}
    for pattern, name, load in SEEDED:
        if (pattern, name, load) in done:
            continue
        adaptive, vcs = {**ADAPTIVE, **TABLES}[name]
        keys = {'fabric.topology': 'torus:8x8', 'traffic.pattern': pattern, 'routing.adaptive': adaptive, 'routing.vcs': vcs,
                'traffic.load': load, 'run.seeds': '2, 3'}
        for row in runs.sim(heddle, HERE / 'router.ini', keys):
            row = {column: runs.short(value) for column, value in row.items()}
            rows.append(row | {'fabric': '8x8', 'pattern': pattern, 'system': name, 'load': load})
        runs.write(path, COLUMNS, rows)
        print(f'seeds {pattern} {name} {load}', file=sys.stderr, flush=True)


def direction(heddle, resume, seeds):
    """
    Figure 9: all of X+ Y+ before X- Y- instead of X before Y. At load 0.6 alone, where all have what they accept at most (Figure 7);
    IODET gets steady later than the others.
    """
    path = HERE / 'direction.csv'
    rows = runs.read(path) if resume else []
    keys_of = 'order', 'system', 'seed', 'warmup'
    done = {tuple(row[key] for key in keys_of) for row in rows}
    for seed in range(1, seeds + 1):
        for order in 'direction', 'dimension':
            for name in 'BBQ 4', 'XORDET 4', 'IODET 4', 'DBBM 4':
                what = {'order': order, 'system': name, 'seed': str(seed),
                        'warmup': '70000' if (order, name) == ('direction', 'IODET 4') else '20000'}
                if tuple(what.values()) in done or (order, seed) == ('dimension', 1):  # which is in load-16x16.csv
                    continue
                keys = {'routing.vcs': TABLES[name][1], 'traffic.load': .6, 'run.seeds': seed, 'run.warmup': what['warmup']}
                if order == 'direction':
                    keys['routing.options'] = 'order=x+y+x-y-'
                for row in runs.sim(heddle, HERE / 'router.ini', keys):
                    row = {column: runs.short(value) for column, value in row.items()}
                    rows.append(row | what)
                runs.write(path, [*what, 'accepted', 'latency_mean', 'steady', 'deadlock'], rows)
                print(*what.values(), file=sys.stderr, flush=True)


def late(heddle, seeds):
    """Rows of IODET in order of directions, ten times as late and ten times as long: those of direction() are not steady."""
    path = HERE / 'direction.csv'
    rows = runs.read(path)
    for seed in range(1, seeds + 1):
        what = {'order': 'direction', 'system': 'IODET 4', 'seed': str(seed), 'warmup': '700000'}
        if any(all(row[key] == value for key, value in what.items()) for row in rows):
            continue
        keys = {'routing.vcs': TABLES['IODET 4'][1], 'traffic.load': .6, 'run.seeds': seed, 'run.warmup': what['warmup'], 'run.measure': 500000,
                'routing.options': 'order=x+y+x-y-'}
        row, = runs.sim(heddle, HERE / 'router.ini', keys)
        rows.append({column: runs.short(value) for column, value in row.items()} | what)
        runs.write(path, [*what, 'accepted', 'latency_mean', 'steady', 'deadlock'], rows)
        print(*what.values(), file=sys.stderr, flush=True)


# Rows about saturation that claims are made of: fabric, pattern, system, load. Some are not steady, and of those that are called so
# fully adaptive routing on 8x8 at 0.9 accepts 0.896 in the short window, and 0.811 in this one: it collapses late.
LONGER = [('8x8', 'uniform', system, load) for system in ('FA 8+1', 'XORADAP-2', 'XORADAP-4', 'XORADAP-8') for load in (.9, 1)] + \
    [('16x16', 'uniform', 'FA 8+1', .6)] + \
    [('16x16', pattern, system, load) for pattern, load in (('uniform', .45), ('transpose', .4), ('bitreverse', .35))
     for system in ('FA 8+1', 'XORADAP-2', 'XORADAP-4', 'XORADAP-8')]


def longer(heddle, only):
    """Those rows ten times as long. @only: "FABRIC,PATTERN,SYSTEM,LOAD" of one."""
    path = HERE / 'longer.csv'
    rows = runs.read(path)
    done = {(row['fabric'], row['pattern'], row['system'], float(row['load'])) for row in rows}
    for fabric, pattern, system, load in LONGER:
        if only not in (None, f'{fabric},{pattern},{system},{load}') or (fabric, pattern, system, load) in done:
            continue
        adaptive, vcs = ADAPTIVE[system]
        keys = {'fabric.topology': f'torus:{fabric}', 'traffic.pattern': pattern, 'routing.adaptive': adaptive, 'routing.vcs': vcs, 'traffic.load': load,
                'run.seeds': 1, 'run.warmup': 200000, 'run.measure': 500000}
        row, = runs.sim(heddle, HERE / 'router.ini', keys)
        rows.append({column: runs.short(value) for column, value in row.items()} | {'fabric': fabric, 'pattern': pattern, 'system': system, 'load': load})
        runs.write(path, COLUMNS, rows)
        print(f'longer {fabric} {pattern} {system} {load}', file=sys.stderr, flush=True)


def hotspot(heddle, resume):
    """
    64 random hosts send to the middle alone, at the rate of its link, until it has 10,000 packets of them. When that is follows
    from what is generated behind it: nothing else in the window is of class "all".
    """
    load, begin, end = .34, 100000, 400000
    phases = (f'uniform until={begin} then hotspot:form=osha,sources=64,rate=0.015625,at=136 until=delivered:10000:hotspot '
              'then uniform')
    path = HERE / 'hotspot.csv'
    rows = runs.read(path) if resume else []
    for name, (adaptive, vcs) in {**ADAPTIVE, 'VOQnet': ('', '')}.items():
        if any(row['system'] == name for row in rows):
            continue
        keys = {'routing.adaptive': adaptive, 'routing.vcs': vcs, 'traffic.load': load, 'traffic.phases': phases,
                'run.warmup': begin, 'run.measure': end - begin, 'run.series': 5000, 'run.buffers': 'yes'}
        if name in VOQNET:
            keys['switch.buffering'] = 'voqnet'
        with tempfile.TemporaryDirectory() as scratch:
            words = runs.sim_words(heddle, HERE / 'router.ini', keys, '--json', f'{scratch}/json', '--series', f'{scratch}/csv')
            runs.run(*words)
            result = json.loads(pathlib.Path(f'{scratch}/json').read_text(encoding='ascii'))
            # of what is offered, while the hot spot is there
            shares = [float(row['accepted']) / (.75 * load + 1 / 256) for row in runs.read(f'{scratch}/csv')
                      if 10000 <= float(row['time']) < 150000]
            later = shares[len(shares) // 2:]
        point = result['points'][0] if 'points' in result else result
        classes = {c['name']: c for c in runs.find(point, 'classes')}
        row = {'system': name, 'load': load,
               'ends': f'{end - classes["all"]["offered"] * (end - begin) / load:.0f}',
               'packets': classes['hotspot']['packets'],
               'latency_mean': f'{classes["hotspot"]["latency"]["mean"]:.0f}',
               'network_latency_mean': f'{classes["hotspot"]["network_latency"]["mean"]:.0f}',
               'background_latency_mean': f'{classes["background"]["latency"]["mean"]:.0f}',
               'buffer_full': runs.find(point, 'buffer_full')['mean'], 'buffer_empty': runs.find(point, 'buffer_empty')['mean'],
               'least': min(shares), 'later': sum(later) / len(later)}
        rows.append(row)
        runs.write(path, list(rows[0]), rows)
        print(f'hotspot {name}', file=sys.stderr, flush=True)


# With a queue for each VC before every link: fabric, pattern, order, systems, loads
SOME = ['FA 8+1', 'XORDET 8', 'XORADAP-8']
ORDERED = ['BBQ 4', 'XORDET 4', 'IODET 4', 'DBBM 4']
QUEUED = [('16x16', 'uniform', 'dimension', [*ORDERED, 'OODET 4'], [.6]), ('16x16', 'uniform', 'direction', ORDERED, [.6]),
          ('16x16', 'uniform', 'dimension', [*TABLES, *SOME], [.6]), ('16x16', 'bitreverse', 'dimension', SOME, [.4, .5]),
          ('8x8', 'uniform', 'dimension', list(TABLES), [1]), ('8x8', 'uniform', 'dimension', SOME, [.6, 1])]


def queued(heddle, resume, seeds):
    """
    Where claims of Figures 7, 9, 12, 13 and 16 are judged, with a queue for each VC before every link.
    """
    path = HERE / 'queues.csv'
    rows = runs.read(path) if resume else []
    keys_of = 'fabric', 'pattern', 'order', 'system', 'load', 'seed'
    done = {tuple(row[key] for key in keys_of) for row in rows}
    for seed in range(1, seeds + 1):
        for what in ((fabric, pattern, order, name, str(load), str(seed)) for fabric, pattern, order, names, loads in QUEUED
                     for name in names for load in loads):
            if what in done:
                continue
            adaptive, vcs = {**ADAPTIVE, **TABLES}[what[3]]
            keys = {'fabric.topology': f'torus:{what[0]}', 'switch.model': 'cioq:queues=vl', 'traffic.pattern': what[1],
                    'routing.adaptive': adaptive, 'routing.vcs': vcs, 'traffic.load': what[4], 'run.seeds': what[5]}
            if what[2] == 'direction':
                keys['routing.options'] = 'order=x+y+x-y-'
            for row in runs.sim(heddle, HERE / 'router.ini', keys):
                row = {column: runs.short(value) for column, value in row.items()}
                rows.append(row | dict(zip(keys_of, what)))
            done.add(what)
            runs.write(path, [*keys_of, 'accepted', 'latency_mean', 'steady', 'deadlock'], rows)
            print('queues', *what, file=sys.stderr, flush=True)


OVERLOADED = ['FA 8+1', 'XORDET 8', 'XORADAP-8', 'VOQsw 5', 'OODET 8', 'IODET 8', 'BBQ 8', 'XORADAP-2', 'DBBM 8']


def overload(heddle, resume, queues='port', seeds=1):
    """
    Figures 10, 11 and 17 with a hot spot that is offered 1.25 times what its link carries, so that the link is always busy and
    10,000 packets take 160,000 cycles. Of the background, what is accepted as a share of what it offers: of what all accept, the
    hot link's share is taken off.
    """
    begin, length, step = 20000, 160000, 5000
    phases = (f'uniform until={begin} then hotspot:form=osha,sources=64,rate=0.01953125,at=136 until=delivered:10000:hotspot '
              'then uniform')
    path = HERE / ('overload.csv' if queues == 'port' else 'queues-overload.csv')
    rows = runs.read(path) if resume else []
    loads, systems = ((.28, .34), OVERLOADED) if queues == 'port' else ((.34,), ['FA 8+1', 'XORDET 8', 'OODET 8', 'VOQsw 5', 'XORADAP-8'])
    for seed in range(1, seeds + 1):
        for load, name in [(load, name) for load in loads for name in systems]:
            if any((row['system'], float(row['load']), row.get('seed', '1')) == (name, load, str(seed)) for row in rows):
                continue
            adaptive, vcs = {**ADAPTIVE, **TABLES}[name]
            keys = {'routing.adaptive': adaptive, 'routing.vcs': vcs, 'traffic.load': load, 'traffic.phases': phases,
                    'run.warmup': begin, 'run.measure': length, 'run.series': step, 'run.seeds': seed,
                    'switch.model': f'cioq:queues={queues}'}
            with tempfile.TemporaryDirectory() as scratch:
                runs.run(*runs.sim_words(heddle, HERE / 'router.ini', keys, '--no-proof', '--json', f'{scratch}/json', '--series', f'{scratch}/csv'))
                result = json.loads(pathlib.Path(f'{scratch}/json').read_text(encoding='ascii'))
                # the first steps fill the way to the hot spot
                shares = [(float(row['accepted']) - 1 / 256) / (.75 * load) for row in runs.read(f'{scratch}/csv')][2:]
            classes = {of['name']: of for of in runs.find(result, 'classes')}
            row = {'system': name, 'load': load} | ({'seed': str(seed)} if queues != 'port' else {}) | {
                   'hot': classes['hotspot']['packets'], 'mean': sum(shares) / len(shares),
                   'least': min(shares), 'last': sum(shares[-4:]) / 4, 'latency_mean': classes['background']['latency']['mean']}
            rows.append({column: runs.short(value) for column, value in row.items()})
            runs.write(path, list(rows[0]), rows)
            print(f'overload {name} {load}', file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--resume', action='store_true', help='keep the rows that are there')
    parser.add_argument('--seeds', type=int, default=1)
    parser.add_argument('--row', metavar='FABRIC,PATTERN,SYSTEM,LOAD', help='this one only, of longer')
    parser.add_argument('part', nargs='*', default=['8x8', '16x16', 'hotspot'])
    arguments = parser.parse_args()
    if arguments.row and arguments.row not in {','.join(map(str, one)) for one in LONGER}:
        parser.error(f'--row: longer has no {arguments.row}')
    for part in arguments.part:
        if part == 'hotspot':
            hotspot(arguments.heddle, arguments.resume)
        elif part == 'direction':
            direction(arguments.heddle, arguments.resume, arguments.seeds)
        elif part == 'longer':
            longer(arguments.heddle, arguments.row)
        elif part == 'late':
            late(arguments.heddle, arguments.seeds)
        elif part == 'overload':
            overload(arguments.heddle, arguments.resume)
        elif part == 'queues':
            queued(arguments.heddle, arguments.resume, arguments.seeds)
        elif part == 'queues-overload':
            overload(arguments.heddle, arguments.resume, 'vl', arguments.seeds)
        elif part == 'seeds':
            seeded(arguments.heddle, arguments.resume)
        else:
            run(arguments.heddle, part, arguments.seeds, arguments.resume)


main()
