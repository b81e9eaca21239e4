#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""dmodc beside OpenSM's engines on fat trees, whole and degraded; run.sh says what is done. Rows that are there stay.

    study.py FABRIC FAILED SEEDS MORE SIMS [ENGINE...]

appends to trees.csv beside this script, for FABRIC with FAILED per cent (0,1,5,10) of its links between switches failed by
each of seeds 1 to SEEDS, and to one-more.csv what MORE further single links change with the first seed. SIMS: 1 to run
the tables of the first seed in the simulator, too."""
import json
import os
import random
import shutil
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from opensm import capture, entries_by, switch_links  # noqa: E402
from runs import add, heddle_json, judge, kept, mean, run, sim_tables  # noqa: E402

OURS = ('dmodc', 'heddle')
ENGINES = OURS + ('ftree', 'ftree+roots', 'updn', 'updn+roots', 'minhop', 'nue')
KEYS = ('fabric', 'failed', 'seed', 'engine')
COLUMNS = KEYS + ('links', 'used', 'route_s', 'as_offline', 'sound_hosts', 'sound_all', 'failure', 'lost', 'busiest', 'load', 'max_hops',
                  'shift_worst', 'shift_mean', 'shift_free', 'permutation_worst', 'permutation_mean',
                  'a2a_ms', 'permutations', 'permutations_min', 'permutations_steady', 'uniform', 'uniform_steady', 'deadlock')
MORE_KEYS = KEYS + ('link',)
MORE_COLUMNS = MORE_KEYS + ('used', 'entries', 'needed', 'pairs', 'route_s')
SIM = {'switch.voq': 'yes', 'run.warmup': '250us', 'run.measure': 'auto', 'run.longest': '16ms'}


def write_exchange(path, n, size):
    """All-to-all by shifts: in step s host i sends to i + s, as soon as what it gets in step s - 1 is there."""
    with open(path, 'w', encoding='ascii') as file:
        for step in range(1, n):
            for i in range(n):
                waits = '' if step == 1 else \
                    f' sent {(step - 2) * n + i} received {(step - 2) * n + (i - step + 1) % n}'
                print(0, i, (i + step) % n, f'{size}{waits}', file=file)


def simulate(directory, exchange):
    runs_of = {
        'a2a': {'switch.voq': 'yes', 'traffic.pattern': f'trace:{exchange}', 'run.warmup': '0', 'run.measure': '60ms'},
        'permutations': SIM | {'traffic.pattern': 'permutation', 'traffic.load': '1', 'run.seeds': '1..5'},
        'uniform': SIM | {'traffic.pattern': 'uniform', 'traffic.load': '1'},
    }
    row, deadlocks = {}, 0
    for name, keys in runs_of.items():
        rows, said = sim_tables(directory, keys)
        if not rows:
            return {'deadlock': said.splitlines()[-1]}
        deadlocks += sum(r['deadlock'] == '1' for r in rows)
        if name == 'a2a':
            row['a2a_ms'] = f'{float(rows[0]["makespan"]) / 1e6:.3f}' if rows[0]['makespan'] else ''
        else:
            row[name] = f'{mean(rows, "accepted"):.4f}'
            row[name + '_steady'] = sum(r['steady'] == '1' for r in rows)
            if len(rows) > 1:
                row[name + '_min'] = f'{min(float(r["accepted"]) for r in rows):.4f}'
    return row | {'deadlock': deadlocks}


def make_tables(net, engine, directory):
    """OpenSM's on that netfile; "+roots" tells the engine the switches of the top level."""
    name, _, roots = engine.partition('+')
    lines = []
    if roots:
        tops = sorted({end[:2] for link in switch_links(net) for end in link})
        top = max(label[:2] for label, _ in tops)
        with open(f'{directory}.roots', 'w', encoding='ascii') as file:
            file.writelines(f'0x{guid}\n' for label, guid in tops if label.startswith(top))
        lines = [f'root_guid_file {directory}.roots']
    return capture(net, name, directory, lines)


def as_offline(net, engine, directory):
    """Whether `heddle route` has the same tables."""
    run('heddle', 'route', '--quiet', net, '-e', engine, '-o', f'{directory}.offline')
    same = heddle_json('diff', f'{directory}.offline', directory)['same']
    shutil.rmtree(f'{directory}.offline')
    return int(same)


def study(key, net, engine, further, exchange, work):
    """The row of one engine on one fabric, and those of one more failure."""
    at = f'{work}/tables'
    used, seconds = make_tables(net, engine, at)
    rows = []
    row = dict(zip(KEYS, key)) | {'links': len(switch_links(net)), 'used': used, 'route_s': seconds}
    if used == engine.partition('+')[0]:
        row |= judge(at) | json.loads(run('bench_permutations', at))
        if engine in OURS:
            row['as_offline'] = as_offline(net, engine, at)
        if exchange:
            row |= simulate(at, exchange)
        for ends in further:
            after = f'{work}/after'
            name = f'{ends[0][0]}[{ends[0][2]}]'
            run('heddle', 'topo', '--quiet', net, '--fail-links', name, '-o', f'{work}/after.net')
            used_then, seconds = make_tables(f'{work}/after.net', engine, after)
            more = dict(zip(KEYS, key)) | {'link': name, 'used': used_then, 'route_s': seconds}
            if used_then:
                changes = heddle_json('diff', at, after)
                more |= {'entries': changes['lft_entries'], 'pairs': changes['pairs']['changed'],
                         'needed': entries_by(at, ends)}
            rows.append(more)
            shutil.rmtree(after)
    for more in rows:
        add(f'{here}/one-more.csv', MORE_COLUMNS, more)
    add(f'{here}/trees.csv', COLUMNS, row)
    shutil.rmtree(at)


def main():
    fabric, failed, seeds, more, sims, *engines = sys.argv[1:]
    done = kept(f'{here}/trees.csv', KEYS)
    links = heddle_json('topo', fabric)['switch_links']
    with tempfile.TemporaryDirectory() as work:
        exchange = ''
        if sims == '1':
            exchange = f'{work}/exchange'
            write_exchange(exchange, heddle_json('topo', fabric)['adapters'], 16384)
        run('heddle', 'topo', '--quiet', fabric, '--assign-lids', '-o', f'{work}/whole.net')
        for percent in map(int, failed.split(',')):
            for seed in range(1, int(seeds) + 1 if percent else 2):
                net = f'{work}/net'
                run('heddle', 'topo', '--quiet', f'{work}/whole.net', '--fail-links', round(links * percent / 100), '--seed', seed,
                    '-o', net)
                further = random.Random(seed).sample(sorted(switch_links(net)), int(more)) if seed == 1 else []
                for engine in engines or ENGINES:
                    key = (fabric, str(percent), str(seed), engine)
                    if key not in done:
                        print(*key, file=sys.stderr)
                        study(key, net, engine, further, exchange if seed == 1 else '', work)


main()
