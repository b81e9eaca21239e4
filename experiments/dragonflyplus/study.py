#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""dfplus beside df-minhop and OpenSM's minhop and nue; run.sh says what is done. Rows that are there stay.

    study.py FABRIC LMC LONGEST ENGINE...

appends to dragonflyplus.csv beside this script: loads, lanes, and what is accepted at load 1, with tables of ENGINEs. "dfplus+lmc"
has LMC and two queues. LONGEST is run.longest. OpenSM's names begin with "opensm-"."""
import os
import shutil
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from opensm import capture  # noqa: E402
from runs import add, heddle_json, judge, kept, run, sim_tables  # noqa: E402

KEYS = ('fabric', 'engine', 'lids')
COLUMNS = KEYS + ('hosts', 'verdict', 'route_s', 'sls', 'vls', 'sound_hosts', 'sound_all', 'failure', 'busiest', 'load', 'max_hops',
                  'uniform', 'uniform_steady', 'uniform_window', 'adversarial', 'adversarial_steady', 'adversarial_window', 'longest')
LIMIT = 900


def make_tables(net, engine, lmc, at):
    """How that went, and the seconds that routing took: of OpenSM's by its log, of ours as `heddle route` says."""
    name = engine.removeprefix('opensm-')
    if name != engine:
        used, seconds = capture(net, name, at, limit=LIMIT)
        return ('' if used == name else f'became {used}' if seconds else used), seconds
    words = ['heddle', 'route', net, '-e', engine.partition('+')[0], '-o', at, '--force']
    if '+' in engine:
        words += ['--lmc', lmc, '-q', 'dbbm:2']
    told = heddle_json(*map(str, words[1:]))
    return ('' if told else 'refused'), told.get('route_seconds')


def study(fabric, engine, lmc, longest, work):
    at, net = f'{work}/tables', f'{work}/net'
    verdict, seconds = make_tables(net, engine, lmc, at)
    row = {'fabric': fabric, 'engine': engine, 'lids': 1 << lmc if '+' in engine else 1, 'verdict': verdict, 'route_s': seconds,
           'hosts': heddle_json('topo', net)['adapters'], 'longest': longest}
    if not verdict:
        row |= judge(at)
        for pattern in 'uniform', 'adversarial':
            rows, said = sim_tables(at, {
                'switch.voq': 'yes', 'traffic.pattern': pattern, 'traffic.load': 1, 'run.warmup': '250us', 'run.measure': 'auto',
                'run.longest': longest})
            if not rows:
                row['verdict'] = said.splitlines()[-1]
                break
            row |= {pattern: rows[0]['accepted'], pattern + '_steady': rows[0]['steady'], pattern + '_window': rows[0]['window']}
            if rows[0]['deadlock'] == '1':
                row['verdict'] = f'{row["verdict"]} deadlock under {pattern}'.strip()
    add(f'{here}/dragonflyplus.csv', COLUMNS, row)
    shutil.rmtree(at, ignore_errors=True)


def main():
    fabric, lmc, longest, *engines = sys.argv[1:]
    done = kept(f'{here}/dragonflyplus.csv', KEYS)
    for engine in engines:
        key = (fabric, engine, str(1 << int(lmc) if '+' in engine else 1))
        if key not in done:
            print(*key, file=sys.stderr)
            with tempfile.TemporaryDirectory() as work:
                run('heddle', 'topo', '--quiet', fabric, '--assign-lids', '-o', f'{work}/net')
                study(fabric, engine, int(lmc), longest, work)


main()
