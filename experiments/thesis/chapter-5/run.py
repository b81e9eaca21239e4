#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Chapter 5 of P. Fuentes' thesis (FlexVC), as CSV beside this script. h = 4 has 1,056 hosts; the thesis has h = 8.
compare.py prints the tables of README.md.
"""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

COLUMNS = ['part', 'pattern', 'name', 'load', 'seed', 'accepted', 'latency_mean', 'misrouted', 'saturated', 'steady',
           'deadlock']
DAMQ = {'switch.damq': 'yes', 'switch.damq_reserved': 0.75}
ADV = {'traffic.pattern': 'adversarial:1'}
BURSTY = {'traffic.arrival': 'bursty:5'}
VALIANT = 'valiant:policy=rrg,exclude=both'
REDRAWN = 'valiant:policy=rrg,exclude=%s,recompute=yes'
LONG = {'run.warmup': 60000, 'run.measure': 60000}
PB = 'pb:policy=rrg'


def rule(vcs, adaptive='minimal', **keys):
    return {'routing.adaptive': adaptive, 'routing.vcs': vcs, **keys}


def port_memory(vcs, local, flits):
    """Buffers of ports that have so many flits for all VCs; @flits of global ports."""
    n_local, n_global = map(int, vcs.split(':')[1].split('/'))
    return {'switch.buffer_local': f'{local // n_local} flits', 'switch.buffer_global': f'{flits // n_global} flits'}


def oblivious():
    """Figures 5.6 and 5.7: VCs of 32 and 256 phits each."""
    ways = [('MIN', rule('hop:2/1')), ('MIN DAMQ', rule('hop:2/1', **DAMQ)), ('FlexVC 2/1', rule('flexvc:2/1')),
            ('FlexVC 4/2', rule('flexvc:4/2')), ('FlexVC 8/4', rule('flexvc:8/4'))]
    for name, keys in ways:
        yield 'oblivious', 'UN', name, [.5, 1], keys
        yield 'oblivious', 'BURSTY-UN', name, [.4, 1], {**keys, **BURSTY}
    ways = [('VAL', rule('hop:4/2', VALIANT)), ('VAL DAMQ', rule('hop:4/2', VALIANT, **DAMQ)),
            ('FlexVC 3/2', rule('flexvc:3/2', VALIANT)), ('FlexVC 4/2', rule('flexvc:4/2', VALIANT)),
            ('FlexVC 8/4', rule('flexvc:8/4', VALIANT))]
    for name, keys in ways:
        yield 'oblivious', 'ADV+1', name, [1], {**keys, **ADV}


def memory():
    """Figures 5.8 and 5.15: the same memory for all VCs of a port, with and without speed-up."""
    ways = [('MIN 2/1', 'hop:2/1', {}), ('DAMQ 2/1', 'hop:2/1', DAMQ), ('FlexVC 2/1', 'flexvc:2/1', {}),
            ('FlexVC 4/2', 'flexvc:4/2', {}), ('FlexVC 8/4', 'flexvc:8/4', {})]
    for local, flits in (64, 256), (192, 768), (128, 512), (256, 1024):
        for name, vcs, keys in ways:
            yield ('memory', f'{local}/{flits}', name, [1],
                   {**rule(vcs), **port_memory(vcs, local, flits), **keys})
    for local, flits in (64, 256), (256, 1024):
        for name, vcs, keys in ways:
            yield ('no speed-up', f'{local}/{flits}', name, [1],
                   {**rule(vcs), **port_memory(vcs, local, flits), **keys, 'switch.speedup': 1})


def replies():
    """Figure 5.9: requests and replies."""
    reply = {'traffic.reply': 'yes'}
    yield 'request-reply', 'UN', 'MIN 2/1+2/1', [.7, .8, .9, 1], rule('hop:2/1+2/1', **reply)
    yield 'request-reply', 'UN', 'MIN DAMQ', [.8, 1], rule('hop:2/1+2/1', **reply, **DAMQ)
    for vcs in '2/1+2/1', '3/2+2/1', '4/3+2/1', '2/1+3/2', '2/1+4/3', '3/2+3/2':
        yield 'request-reply', 'UN', f'FlexVC {vcs}', [.7, .8, .9, 1], rule(f'flexvc:{vcs}', **reply)
    yield 'request-reply', 'ADV+1', 'VAL 4/2+4/2', [1], rule('hop:4/2+4/2', VALIANT, **reply, **ADV)
    yield 'request-reply', 'ADV+1', 'FlexVC VAL 4/2+2/1', [1], rule('flexvc:4/2+2/1', VALIANT, **reply, **ADV)


def redrawn():
    """
    Figure 5.7c with section 5.3.2's VAL, which draws its intermediate router anew at each try of injection. 5.3.3.3 keeps
    it out of the destination's group alone; 'both' keeps it out of the source's, too.
    """
    for exclude in 'both', 'destination', 'source':
        for name, vcs, keys in (('FlexVC 4/2', 'flexvc:4/2', {}), ('VAL', 'hop:4/2', {}), ('FlexVC 8/4', 'flexvc:8/4', {}),
                                ('FlexVC 3/2', 'flexvc:3/2', {}), ('VAL DAMQ', 'hop:4/2', DAMQ)):
            yield 'redrawn', f'ADV+1, {exclude}', name, [1], {**rule(vcs, REDRAWN % exclude), **ADV, **keys}


def redrawn_long():
    """A row of it, measured for ten times as long."""
    yield ('redrawn, 40,000', 'ADV+1, both', 'FlexVC 4/2', [1],
           {**rule('flexvc:4/2', REDRAWN % 'both'), **ADV, 'run.measure': 40000})


def waiting_long():
    """
    Figure 5.9 where hosts take in a request only while no reply waits there, as FOGSim's do, in the thesis's window; hosts' links
    have three VCs for either. Rules that are proved so alone.
    """
    reply = {'traffic.reply': 'yes', 'host.replies': 1, 'switch.vcs_terminal': 6}
    for name, vcs, keys in (('MIN 2/1+2/1', 'hop:2/1+2/1', {}), ('FlexVC 2/1+2/1', 'flexvc:2/1+2/1', {}), ('MIN DAMQ', 'hop:2/1+2/1', DAMQ),
                            ('FlexVC 4/3+2/1', 'flexvc:4/3+2/1', {}), ('FlexVC 3/2+2/1', 'flexvc:3/2+2/1', {})):
        yield 'hosts wait, 60,000', 'UN', name, [1], {**rule(vcs), **keys, **reply, **LONG}


def waiting_longest():
    """A row of it, measured for ten times as long."""
    keys = {'traffic.reply': 'yes', 'host.replies': 1, 'switch.vcs_terminal': 6, **LONG, 'run.measure': 600000}
    yield 'hosts wait, 600,000', 'UN', 'FlexVC 3/2+2/1', [1], {**rule('flexvc:3/2+2/1'), **keys}


def source():
    """Figures 5.11 and 5.13: PB with requests and replies."""
    reply = {'traffic.reply': 'yes'}
    ways = [(f'PB {sense}', rule('hop:4/2+4/2', f'{PB},sense={sense},recompute=%s', **reply)) for sense in ('vc', 'port')]
    ways += [(f'FlexVC PB {sense}', rule('flexvc:4/2+2/1', f'{PB},sense={sense},recompute=%s', **reply))
             for sense in ('vc', 'port', 'vc-min', 'port-min')]

    def of(keys, recompute):
        return {**keys, 'routing.adaptive': keys['routing.adaptive'] % recompute}

    for name, keys in ways:
        yield 'source', 'UN', name, [1], of(keys, 'yes')
        yield 'source', 'ADV+1', name, [.2, .5], {**of(keys, 'yes'), **ADV}
    for name, keys in ways[0], ways[5]:
        yield 'source', 'ADV+1, no recompute', name, [.2, .5], {**of(keys, 'no'), **ADV}
    for name, keys in ways[:2]:
        yield 'source', 'ADV+1', f'{name} DAMQ', [.5], {**of(keys, 'yes'), **ADV, **DAMQ}


def in_transit():
    """Figure 5.14: in-transit adaptive routing; a threshold of 4, as FOGSim's h4 runs have."""
    reply = {'traffic.reply': 'yes'}
    ways = [('OLM 3/2+3/2', rule('hop:3/2+3/2', 'olm', **reply)),
            ('FlexVC OLM, credits', rule('flexvc:3/2+2/1', 'olm', **reply)),
            ('FlexVC OLM, contention', rule('flexvc:3/2+2/1', 'olm', **reply, **{'routing.trigger': 'contention:4'}))]
    for name, keys in ways:
        yield 'in transit', 'UN', name, [1], keys
        yield 'in transit', 'ADV+1', name, [.2, .3, .5], {**keys, **ADV}


def selections():
    """Figure 5.16: what takes the VC."""
    for select in 'jsq', 'random', 'highest', 'lowest':
        keys = {'routing.select': select}
        yield 'selections', 'UN, 4/2', select, [1], rule('flexvc:4/2', **keys)
        yield 'selections', 'UN, request-reply 4/3+2/1', select, [1], rule('flexvc:4/3+2/1', **keys, **{'traffic.reply': 'yes'})


def damq():
    """Figure 5.6's reserves: 128 and 512 phits a port, 2/1 VCs."""
    memory_of = port_memory('hop:2/1', 128, 512)
    for reserve in 0, 25, 50, 75:
        yield ('DAMQ', 'UN', f'{reserve}%', [1],
               {**rule('hop:2/1'), **memory_of, 'switch.damq': 'yes', 'switch.damq_reserved': reserve / 100})
    yield 'DAMQ', 'UN', 'static', [1], {**rule('hop:2/1'), **memory_of}


PARTS = {'oblivious': oblivious, 'memory': memory, 'replies': replies, 'source': source, 'in-transit': in_transit,
         'selections': selections, 'damq': damq, 'redrawn': redrawn, 'redrawn-long': redrawn_long, 'waiting-long': waiting_long,
         'waiting-longest': waiting_longest}


def sim(heddle, keys, load):
    """The row; of a run that deadlocks, which heddle tells, that it did."""
    try:
        return runs.sim(heddle, HERE / 'router.ini', keys, '--no-proof')
    except SystemExit as told:
        if 'heddle: deadlock: ' not in str(told):
            raise
        return [{'deadlock': 1}]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('--resume', action='store_true', help='keep the rows that are there')
    parser.add_argument('--part', choices=PARTS, action='append', help='these only')
    parser.add_argument('--row', help='rows of this name only')
    parser.add_argument('--pattern', help='rows of this pattern only')
    parser.add_argument('--load', type=float, help='rows of this load only')
    parser.add_argument('--seeds', default='1', help='as 1,2,3')
    parser.add_argument('h', type=int, nargs='?', default=4)
    arguments = parser.parse_args()
    h = arguments.h
    path = HERE / f'results-h{h}.csv'
    rows = runs.read(path) if arguments.resume else []
    done = {(row['part'], row['pattern'], row['name'], float(row['load']), row['seed']) for row in rows}
    is_any = False
    for part in arguments.part or PARTS:
        for kind, pattern, name, loads, keys in PARTS[part]():
            if arguments.row not in (None, name) or arguments.pattern not in (None, pattern) or arguments.load not in (None, *loads):
                continue
            is_any = True
            for seed in arguments.seeds.split(','):
                for load in loads:
                    if arguments.load not in (None, load) or (kind, pattern, name, load, seed) in done:
                        continue
                    keys = {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree', **keys,
                            'run.seeds': seed, 'traffic.load': load}
                    # the proofs are those of tests/unit/test_flexvc.c, by kinds of ways, which are the same in all sizes
                    for row in sim(arguments.heddle, keys, load):
                        row = {column: runs.short(value) for column, value in row.items()}
                        rows.append({**row, 'part': kind, 'pattern': pattern, 'name': name, 'load': load, 'seed': seed})
                    runs.write(path, COLUMNS, rows)
                    print(kind, pattern, name, load, seed, file=sys.stderr, flush=True)
    if not is_any:
        parser.error('no run has that row, pattern and load')


main()
