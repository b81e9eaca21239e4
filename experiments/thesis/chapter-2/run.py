#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Chapter 2 of P. Fuentes' thesis (Graph500), as CSV beside this script: figures.csv, claims.csv, neighbour.csv. It goes on
where it stopped. compare.py prints the tables of README.md, and fails unless what they say still holds.

The thesis counts latencies in cycles, and a cycle is the time of a phit: what a run of one bandwidth and query time says
of the time in cycles is true of all pairs with that product. Runs have 40 Gb/s, and query times that stand for all six
bandwidths.
"""
import argparse
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

BANDWIDTHS = [5, 10, 20, 40, 100, 200]   # Gb/s
QUERIES = [.5, 1, 2, 4, 8, 16, 32]       # ns, of the figures
CLAIMED = [.5, 1, 1.5, 15]               # ns, of the text, at 40 and 100 Gb/s
ROOTS = [1, 5, 30, 200, 1000]            # edges of the root
KEYS = ['network', 'routing', 'speedup', 'delay', 'scale', 'query', 'root']
COLUMNS = KEYS + ['makespan', 'network_use', 'messages', 'levels']
H2 = 'dragonfly:a=4,p=2,h=2,global=palmtree'
H4 = 'dragonfly:a=8,p=4,h=4,global=palmtree'
NETWORKS = {'h2': (H2, '0..71'), '2-groups': (H4, '0..63'), '5-groups': (H4, '0..159')}
ROUTINGS = {'MIN': {'routing.adaptive': 'minimal', 'routing.vcs': 'hop:2/1'},
            'VAL': {'routing.adaptive': 'valiant:exclude=none', 'routing.vcs': 'hop:4/2'}}
TABLES = {'routing.adaptive': '', 'routing.vcs': '', 'switch.vcs_terminal': ''}   # as InfiniBand has it
BESIDE = {**ROUTINGS,
          'OLM': {'routing.adaptive': 'olm', 'routing.vcs': 'hop:3/2'},
          'OLM, contention counters': {'routing.adaptive': 'olm', 'routing.vcs': 'hop:3/2', 'routing.trigger': 'contention:4'},
          'OLM, FlexVC, contention counters': {'routing.adaptive': 'olm', 'routing.vcs': 'flexvc:3/2',
                                               'routing.trigger': 'contention:4'},
          'dla': TABLES,
          'dla, flex': {**TABLES, 'routing.layers': 'flex'},
          'dfval': {**TABLES, 'routing.engine': 'dfval'}}
NEIGHBOUR_LOAD = .3
NEIGHBOUR_SCALE = 17
IDLE = '1000us'   # a query time by which the application sends next to nothing


def all_queries():
    """Query times at 40 Gb/s that stand for the figures' and the text's."""
    figures = {query * bandwidth / 40 for query in QUERIES for bandwidth in BANDWIDTHS}
    return sorted(figures | claimed_queries())


def claimed_queries():
    return {query * bandwidth / 40 for query in CLAIMED for bandwidth in (40, 100)}


def figures():
    """Figures 2.13 to 2.24: every query time with one root; with the thesis's graph, and with one of a sixteenth."""
    for scale in 22, 26:
        for network in NETWORKS:
            for routing in ROUTINGS:
                for query in all_queries():
                    yield point(network, routing, query, scale=scale)


def figure_roots():
    """The same with the other roots, for 0.5 and 15 ns at 40 Gb/s."""
    for root in ROOTS[4], ROOTS[2], ROOTS[0], ROOTS[3]:
        for network in NETWORKS:
            for routing in ROUTINGS:
                for query in .5, 15:
                    yield point(network, routing, query, root, scale=22)


def point(network, routing, query, root=ROOTS[1], **more):
    return {'network': network, 'routing': routing, 'speedup': 1, 'delay': 1, 'scale': 26, 'query': query, 'root': root, **more}


def claims():
    """The text's claims with its graph of scale 26; those most at stake first."""
    yield point('h2', 'MIN', .5)
    yield point('h2', 'VAL', .5)
    yield point('2-groups', 'MIN', .5)
    yield point('h2', 'MIN', 1.25)
    yield point('h2', 'MIN', 15)
    yield point('h2', 'MIN', 37.5)
    yield point('h2', 'MIN', .5, delay=10)
    yield point('2-groups', 'VAL', .5)
    yield point('5-groups', 'MIN', .5)
    yield point('5-groups', 'VAL', .5)
    yield point('h2', 'MIN', .5, speedup=2)
    yield point('h2', 'VAL', .5, speedup=2)
    yield point('h2', 'MIN', 1)
    yield point('h2', 'MIN', 2.5)


def roots():
    """Whether the root's edges matter to the text's claims, with its graph."""
    for root in ROOTS:
        for network, routing in ('h2', 'MIN'), ('h2', 'VAL'), ('2-groups', 'MIN'):
            yield point(network, routing, .5, root)


def claim_roots():
    """Two claims of hardly more or less time, with other roots."""
    for root in ROOTS[2], ROOTS[3]:
        yield point('h2', 'MIN', .5, root, delay=10)
        for query in 15, 37.5:
            yield point('h2', 'MIN', query, root)


CLAIMS, FIGURES = HERE / 'claims.csv', HERE / 'figures.csv'
FILES = CLAIMS, FIGURES   # what is in one need not be run for the other
PARTS = {'claims': (CLAIMS, claims), 'roots': (CLAIMS, roots), 'claim-roots': (CLAIMS, claim_roots), 'figures': (FIGURES, figures), 'figure-roots': (FIGURES, figure_roots)}


def keys_of(one):
    topology, hosts = NETWORKS[one['network']]
    pattern = f'graph500:scale={one["scale"]},query={one["query"]:g}ns,hosts={hosts},root={one["root"]}'
    return {'fabric.topology': topology, 'switch.speedup': one['speedup'], 'traffic.pattern': pattern,
            'link.propagation_terminal': f'{50 * one["delay"]}ns', 'link.propagation_local': f'{50 * one["delay"]}ns',
            'link.propagation_global': f'{500 * one["delay"]}ns', **ROUTINGS[one['routing']]}


def key(one):
    return tuple(f'{float(one[name]):g}' if name == 'query' else str(one[name]) for name in KEYS)


def run_all(heddle, path, points):
    done = {key(row) for each in FILES for row in runs.read(each)}
    for one in points:
        if key(one) in done:
            continue
        row, = runs.sim(heddle, HERE / 'router.ini', keys_of(one), '--no-proof')
        runs.add(path, COLUMNS, {**row, **one})
        done.add(key(one))
        print(*key(one), row['makespan'], row['network_use'], row['wall_s'], file=sys.stderr, flush=True)


def beside(heddle, routing, hosts, query, load):
    """The application and its neighbour: what became of both."""
    keys = {'fabric.topology': H4, 'traffic.load': load, **BESIDE[routing],
            'traffic.pattern': f'graph500:scale={NEIGHBOUR_SCALE},query={query},hosts={hosts},root={ROOTS[1]},others=uniform'}
    if query == IDLE:
        keys |= {'run.warmup': '100us', 'run.measure': '300us'}
    result = json.loads(runs.run(*runs.sim_words(heddle, HERE / 'router.ini', keys, '--no-proof', '--json', '-')))
    one = result['points'][0]['runs'][0]
    makespan = one['results'].get('makespan')
    neighbour = next(part for part in one['details']['classes'] if part['name'] == 'neighbour')
    hosts_left = 1056 - 64
    time = 3e5 if query == IDLE else float(makespan)
    return {'makespan': makespan, 'latency': neighbour['latency']['mean'], 'p99': neighbour['latency']['p99'],
            'accepted': neighbour['packets'] * 4096 * 8 / (40 * time * hosts_left)}


def neighbour(heddle, path):
    columns = ['routing', 'placement', 'alone_makespan', 'makespan', 'alone_latency', 'latency', 'alone_p99', 'p99',
               'alone_accepted', 'accepted']
    done = runs.kept(path, ['routing', 'placement'])
    for placement, hosts in ('two groups', '0..63'), ('scattered', 'random:64'):
        for routing in BESIDE:
            if (routing, placement) in done:
                continue
            alone = beside(heddle, routing, hosts, '1.5ns', 0)
            idle = beside(heddle, routing, hosts, IDLE, NEIGHBOUR_LOAD)
            both = beside(heddle, routing, hosts, '1.5ns', NEIGHBOUR_LOAD)
            runs.add(path, columns, {'routing': routing, 'placement': placement, 'alone_makespan': alone['makespan'],
                                     'alone_latency': idle['latency'], 'alone_p99': idle['p99'],
                                     'alone_accepted': idle['accepted'], **both})
            print(routing, placement, alone, idle, both, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('part', nargs='*', help='claims, figures, neighbour, figure-roots, roots, claim-roots; all')
    parser.add_argument('--row', metavar='QUERY,DELAY,ROOT', help='this one only, of claim-roots')
    arguments = parser.parse_args()
    for part in arguments.part or ['claims', 'figures', 'neighbour', 'figure-roots', 'roots', 'claim-roots']:
        if part == 'neighbour':
            neighbour(arguments.heddle, HERE / 'neighbour.csv')
        elif part in PARTS:
            path, points = PARTS[part]
            found = [one for one in points() if arguments.row in (None, f'{one["query"]:g},{one["delay"]},{one["root"]}')]
            if not found:
                parser.error(f'part {part} has no row {arguments.row}')
            run_all(arguments.heddle, path, found)
        else:
            parser.error(f'no part {part}')


if __name__ == '__main__':
    main()
