#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Groups of VCs for packets that choose their paths on dragonflies (groups:xordet,G with olm, valiant and minimal): throughput, and what is left
beside a hot spot, with as many flits of buffer a port. dragonfly.csv beside this script; the table of README.md is printed.
"""
import argparse
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

COLUMNS = ['hosts', 'routing', 'groups', 'traffic', 'accepted', 'latency', 'steady', 'deadlock']
UNITS = {'local': 384, 'global': 1024, 'terminal': 768}
# routing, trigger, local and global VCs of its sequence
ROUTINGS = {'minimal': ('minimal', '', 2, 1), 'valiant': ('valiant', '', 4, 2), 'olm, credits': ('olm', 'credits', 3, 2),
            'olm, contention': ('olm', 'contention:3', 3, 2)}
# groups, VCs of all of them; the last has as many VCs as four groups, and any packet may have any of them
GROUPS = {'1': (1, 1), '2': (2, 2), '4': (4, 4), '1, 4 VCs': (1, 4)}
TRAFFIC = {'UN 1': ('uniform', 1), 'ADV+1 0.5': ('adversarial:1', .5), 'ADV+1 1': ('adversarial:1', 1), 'hot spot': ('hotspot', .4)}


def keys_of(h, routing, groups, name):
    adaptive, trigger, n_locals, n_globals = ROUTINGS[routing]
    pattern, load = TRAFFIC[name]
    if pattern == 'hotspot':
        pattern = f'hotspot:form=osha,rate=0.5,at={h * h * (2 * h * h + 1)}'
    n_groups, n_vcs = GROUPS[groups]
    rule = 'single' if n_groups == 1 else 'xordet'
    vcs = f'groups:{rule},{n_groups} vcs={n_vcs} hop={n_locals}/{n_globals}' if n_vcs > 1 else f'hop:{n_locals}/{n_globals}'
    return {'fabric.topology': f'dragonfly:a={2 * h},p={h},h={h},global=palmtree', 'routing.adaptive': adaptive,
            'routing.trigger': trigger, 'routing.vcs': vcs, 'traffic.pattern': pattern, 'traffic.load': load,
            **{f'switch.buffer_{kind}': f'{units} flits per port' for kind, units in UNITS.items()}}


def measure(heddle, h, routing, groups, name):
    result = json.loads(runs.run(*runs.sim_words(heddle, HERE / 'dragonfly.ini', keys_of(h, routing, groups, name), '--json', '-')))
    one = result['points'][0]['runs'][0]
    result = one['results']
    accepted, latency = result['accepted'], result['latency_mean']
    if name == 'hot spot':
        background = next(c for c in one['details']['classes'] if c['name'] == 'background')
        accepted, latency = background['accepted'] / background['offered'], background['latency']['mean']
    return {'accepted': f'{accepted:.4f}', 'latency': f'{latency:.1f}', 'steady': int(result['steady']),
            'deadlock': int(bool(result['deadlock']))}


def show(rows):
    for hosts in runs.unique(row['hosts'] for row in rows):
        print(f'\n{hosts} hosts: accepted; beside the hot spot: share of what the others offer, latency in cycles\n')
        print('| routing | groups | ' + ' | '.join(TRAFFIC) + ' |')
        print('|---|---:|' + '---:|' * len(TRAFFIC))
        for routing, groups in ((routing, groups) for routing in ROUTINGS for groups in GROUPS):
            cells = []
            for name in TRAFFIC:
                row = next((row for row in rows if (row['hosts'], row['routing'], row['groups'], row['traffic']) ==
                            (hosts, routing, groups, name)), None)
                if not row:
                    cells.append('')
                    continue
                tilde = '' if int(row['steady']) else '~'
                more = f', {float(row["latency"]):.0f}' if name == 'hot spot' else ''
                cells.append(f'{tilde}{float(row["accepted"]):.3f}{more}' + (' deadlock' if int(row['deadlock']) else ''))
            print(f'| {routing} | {groups} | ' + ' | '.join(cells) + ' |')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--heddle', help='runs what is missing')
    parser.add_argument('h', type=int, nargs='*', default=[2, 3])
    arguments = parser.parse_args()
    path = HERE / 'dragonfly.csv'
    rows = runs.read(path)
    for h in arguments.h if arguments.heddle else []:
        hosts = str(2 * h * h * (2 * h * h + 1))
        for routing in ROUTINGS:
            for groups in GROUPS:
                for name in TRAFFIC:
                    key = {'hosts': hosts, 'routing': routing, 'groups': groups, 'traffic': name}
                    if not any(all(row[what] == key[what] for what in key) for row in rows):
                        rows.append({**key, **measure(arguments.heddle, h, routing, groups, name)})
                        runs.write(path, COLUMNS, rows)
    show(rows)


main()
