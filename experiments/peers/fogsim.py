#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Packets that choose their paths beside FOGSim (github.com/fuentesp/fogsim), 342 hosts, point by point.

fogsim.py [--fogsim PROGRAM [--record]] [--seeds N] [--only TEXT] [--commands] HEDDLE

PROGRAM is what FOGSim's own Makefile builds. Without it, FOGSim's values are those of fogsim-paths.csv, which --record
writes anew. Both simulate the same windows, with seeds 1 to N (3), a minute or more of CPU for a seed there, ten seconds
here. --commands prints FOGSim's settings and heddle's command. Exit 1 where accepted load or the links that a packet
crosses differ by more than 3%.

"off minimal" is what either counts. FOGSim's PB counts packets that ever tried to leave the minimal path; links between
groups do not depend on who counts.
"""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

RECORDED = HERE / 'fogsim-paths.csv'
VALUES = ('accepted', 'off_minimal', 'global', 'local')
H = 3

COMMON = {
    'P': H, 'A': 2 * H, 'H': H, 'Switch': 'IOQ_SW', 'XbarDelay': 5, 'InternalSpeedup': 2, 'ArbiterIterations': 2,
    'InputArbiter': 'LRS', 'OutputArbiter': 'LRS', 'InjectionQueueLength': 256, 'LocalQueueLength': 32,
    'GlobalQueueLength': 256, 'OutQueueLength': 32, 'RingInjectionBubble': 1, 'LocalLinkTransmissionDelay': 10,
    'GlobalLinkTransmissionDelay': 100, 'InjectionDelay': 1, 'PacketSize': 8, 'FlitSize': 8, 'PalmTreeConfiguration': 1,
    'InjectionChannels': 3, 'GlobalChannels': 2, 'deadlock_avoidance': 'DALLY', 'CongestionDetection': 'PER_VC',
    'piggybacking_coef': 200, 'ugal_global_threshold': 5, 'ugal_local_threshold': 0, 'AdvTrafficDistance': 2}
ADV2 = {'Traffic': 'ADV_RANDOM_NODE', 'Probability': 40}
CONTENTION = {'routing': 'OLM', 'LocalLinkChannels': 3, 'GlobalMisroutingPolicy': 'MM_L', 'MisroutingTrigger': 'CA',
              'ContentionThreshold': 4, 'increaseContentionAtHeader': 1}
CONTENTION_HERE = {'routing.adaptive': 'olm:policy=mm', 'routing.trigger': 'contention:4,reached=yes'}

# name: cycles of warm-up and as many that are measured, FOGSim's settings, heddle's keys
POINTS = {
    'PB, ADV+2': (8000, {**ADV2, 'routing': 'PB', 'LocalLinkChannels': 3},
                  {'routing.adaptive': 'pb:policy=rrg,to=group', 'routing.vcs': 'hop:3/2'}),
    'SRC_ADP RRG, ADV+2': (8000, {**ADV2, 'routing': 'SRC_ADP', 'GlobalMisroutingPolicy': 'RRG', 'LocalLinkChannels': 4},
                           {'routing.adaptive': 'pb:policy=rrg'}),
    'contention, ADV+2': (4000, {**ADV2, **CONTENTION}, CONTENTION_HERE),
    'contention, uniform': (4000, {**CONTENTION, 'Traffic': 'UN', 'Probability': 50},
                            {**CONTENTION_HERE, 'traffic.pattern': 'uniform', 'traffic.load': 0.5}),
}


def peer_run(program, settings):
    """What one run of FOGSim measured."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, 'out')
        with open(os.path.join(folder, 'in'), 'w', encoding='ascii') as file:
            file.write('[CONFIG]\n')
            file.writelines(f'{key}={value}\n' for key, value in {**settings, 'OutputFileName': output}.items())
        subprocess.run([os.path.abspath(program), file.name], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(output, encoding='ascii', errors='replace') as file:
            found = dict(line.split(': ', 1) for line in file if ': ' in line)
    number = {name: float(found[name].split()[0]) for name in
              ('Accepted Load', 'NonMinimal Accepted Load', 'Global Hops', 'Local Hops', 'Packets Received')}
    return {'accepted': number['Accepted Load'], 'off_minimal': number['NonMinimal Accepted Load'] / number['Accepted Load'],
            'global': number['Global Hops'] / number['Packets Received'], 'local': number['Local Hops'] / number['Packets Received']}


def peer_values(program, settings, seeds):
    rows = [peer_run(program, {**settings, 'Seed': seed}) for seed in range(1, seeds + 1)]
    return {value: runs.mean(rows, value) for value in VALUES}


def main():
    parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--fogsim')
    parser.add_argument('--record', action='store_true')
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('--only', default='')
    parser.add_argument('--commands', action='store_true')
    parser.add_argument('heddle')
    args = parser.parse_args()
    recorded = {row['point']: row for row in runs.read(RECORDED)}
    status = 0
    print('| point | accepted: FOGSim | here | | links between groups: FOGSim | here | | within groups: FOGSim | here | | off minimal: FOGSim | here |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
    for name, (cycles, settings, keys) in POINTS.items():
        if args.only not in name:
            continue
        settings = {**COMMON, 'WarmupCycles': cycles, 'MaxCycles': cycles, **settings}
        keys = {'fabric.topology': f'dragonfly:a={2 * H},p={H},h={H},global=palmtree', 'switch.arbiter': 'lrs',
                'traffic.pattern': 'adversarial:2', 'traffic.load': 0.4, 'run.warmup': cycles, 'run.measure': cycles,
                'run.seeds': f'1..{args.seeds}', **keys}
        scenario = HERE.parent / 'adaptive' / 'adaptive.ini'
        if args.commands:
            print(f'\n{name}\n    FOGSim: ' + ' '.join(f'{key}={value}' for key, value in settings.items()) + '\n    ' +
                  shlex.join(map(str, runs.sim_words(args.heddle, scenario, keys))))
            continue
        if args.fogsim:
            recorded[name] = {'point': name, **peer_values(args.fogsim, settings, args.seeds)}
        peer = {value: float(recorded[name][value]) for value in VALUES}
        rows = runs.sim(args.heddle, scenario, keys)
        here = dict(zip(VALUES, (runs.mean(rows, column) for column in ('accepted', 'misrouted', 'hops_global', 'hops_local'))))
        off = {value: here[value] / peer[value] - 1 for value in VALUES[:1] + VALUES[2:]}
        bad = any(abs(by) > 0.03 for by in off.values())
        status |= bad
        pairs = ' | '.join(f'{peer[value]:.4f} | {here[value]:.4f} | {by:+.1%}' for value, by in off.items())
        steady = '' if all(map(runs.is_steady, rows)) else ' ~'
        print(f'| {name}{steady} | {pairs} | {peer["off_minimal"]:.3f} | {here["off_minimal"]:.3f} |{" differs" if bad else ""}', flush=True)
    if args.record and args.fogsim:
        with open(RECORDED, 'w', encoding='ascii', newline='') as file:
            runs.write_short(file, ('point',) + VALUES, recorded.values())
    sys.exit(status)


main()
