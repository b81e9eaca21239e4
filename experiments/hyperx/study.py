#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""HyperX: what tables of several engines carry; run.sh says what is done. Rows that are there stay.

    study.py FABRIC ENGINE...

appends to hyperx.csv beside this script. "parx+2/size" has an LMC of 2, and hosts with host.policy size. Patterns: uniform;
row (all hosts of a switch to those of the next one in its row); far (to those of the switch that is half the HyperX away in
both dimensions); permutation (mean of 3); exchange (each host sends 4 KiB to every other, in shifted order); dense (28 hosts,
of the first four switches, send 256 KiB to one another so); pair (the hosts of the first switch send 1 MiB each to those
of the second); latency (mean, in ns, of uniform packets of 256 bytes at load 0.1)."""
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import add, heddle_json, kept, short, sim  # noqa: E402
from shares import exchange, finish, stream, tables_of  # noqa: E402

KEYS = ('fabric', 'engine', 'lids', 'policy', 'pattern')
COLUMNS = KEYS + ('sls', 'vls', 'share', 'steady')
PATTERNS = ('uniform', 'row', 'far', 'permutation', 'exchange', 'dense', 'pair', 'latency')
EACH = 7  # hosts of a switch
LONGEST = '400us'


def measure(tables, pattern, hosts, keys):
    if pattern == 'exchange':
        return exchange(tables, hosts, 4096, keys)
    if pattern == 'dense':
        return exchange(tables, 4 * EACH, 1 << 18, keys)
    if pattern == 'pair':
        return finish(tables, [(host, EACH + host) for host in range(EACH)], 1 << 20, 1, keys)
    if pattern == 'latency':
        row = sim('heddle', tables, {'switch.voq': 'yes', 'traffic.load': 0.1, 'traffic.packet': '256B', 'run.warmup': '20us',
                                     'run.measure': '50us', **keys})[0]
        return float(row['latency_mean']), '', 0
    keys = {'run.warmup': '100us', **keys}
    if pattern == 'row':
        return stream(tables, f'shift:{EACH}', LONGEST, 1, keys)
    if pattern == 'far':
        # rows of 12 switches, of which six are half, and half of the eight rows
        return stream(tables, f'shift:{EACH * (12 * 4 + 6)}', LONGEST, 1, keys)
    return stream(tables, pattern, LONGEST, 3 if pattern == 'permutation' else 1, keys)


def study(fabric, engine, done):
    name, _, policy = engine.partition('/')
    name, _, lmc = name.partition('+')
    keys = {pattern: (fabric, name, str(1 << int(lmc or 0)), policy, pattern) for pattern in PATTERNS}
    wanted = [pattern for pattern, key in keys.items() if key not in done]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as work:
        tables = f'{work}/tables'
        tables_of(fabric, name, lmc or '0', tables)
        told = heddle_json('check', '--scope', 'hosts', tables)
        hosts = heddle_json('topo', fabric)['adapters']
        for pattern in wanted:
            print(*keys[pattern], file=sys.stderr)
            share, steady, _ = measure(tables, pattern, hosts, {'host.policy': policy} if policy else {})
            add(f'{here}/hyperx.csv', COLUMNS, dict(zip(KEYS, keys[pattern])) | {
                'sls': told['sls'], 'vls': told['vls'], 'share': short(share, 4), 'steady': steady})


def main():
    fabric, *engines = sys.argv[1:]
    for engine in engines:
        study(fabric, engine, kept(f'{here}/hyperx.csv', KEYS))


main()
