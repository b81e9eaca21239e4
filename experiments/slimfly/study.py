#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Slim Fly: what tables of several engines carry; run.sh says what is done. Rows that are there stay.

    study.py Q PATTERNS LONGEST ENGINE...

appends to slimfly.csv beside this script. Q "tree" is the fat tree of 216 hosts and 18 switches of 36 ports. "layered+2" has an LMC of 2, "opensm-nue:4" is OpenSM's engine nue
with at most four VLs. LONGEST is run.longest. Patterns, by commas:
uniform; adversarial (every host sends to the one half of the hosts further: all hosts of a switch to those of one other, of
the other half of the Slim Fly); permutation (mean of 3); exchange (each host sends 16 KiB to every other, in shifted order:
until all has arrived); pair (the hosts of one switch alone send 1 MiB each to those of another)."""
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import add, heddle_json, kept, run, short  # noqa: E402
from shares import exchange, finish, stream, tables_of  # noqa: E402

KEYS = ('q', 'engine', 'lids', 'pattern')
TREE_LEAF = 18
TREE = f'pgft:m={TREE_LEAF}x12,w=1x6,p=1x3'
COLUMNS = KEYS + ('hosts', 'sls', 'vls', 'share', 'steady', 'window_us')


def measure(tables, pattern, hosts, per_switch, longest):
    half = hosts // 2
    if pattern == 'pair' and not per_switch:
        leaf = TREE_LEAF
        return finish(tables, [(i, leaf + i) for i in range(leaf)], 1 << 20, 1)
    if pattern == 'exchange':
        return exchange(tables, hosts, 16384)
    if pattern == 'pair':
        # from the second column of one half: none of its switches is linked to the one in the same place of the other
        first = hosts // 2 // int(round((hosts / per_switch / 2) ** 0.5))
        return finish(tables, [(first + i, first + half + i) for i in range(per_switch)], 1 << 20, 1)
    if pattern == 'adversarial':
        return stream(tables, f'shift:{half}', longest)
    return stream(tables, pattern, longest, 3 if pattern == 'permutation' else 1)


def study(q, engine, patterns, longest, done):
    name, _, lmc = engine.partition('+')
    keys = {pattern: (q, name, str(1 << int(lmc or 0)), pattern) for pattern in patterns.split(',')}
    wanted = [pattern for pattern, key in keys.items() if key not in done]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as work:
        tables = f'{work}/tables'
        spec = TREE if q == 'tree' else f'slimfly:q={q}'
        tables_of(spec, name, lmc or '0', tables)
        told = heddle_json('check', '--scope', 'hosts', tables)
        fabric = heddle_json('topo', spec)
        for pattern in wanted:
            print(*keys[pattern], file=sys.stderr)
            share, steady, window = measure(tables, pattern, fabric['adapters'], fabric['shape'].get('p'), longest)
            add(f'{here}/slimfly.csv', COLUMNS, dict(zip(KEYS, keys[pattern])) | {
                'hosts': fabric['adapters'], 'sls': told['sls'], 'vls': told['vls'], 'share': short(share, 4), 'steady': steady,
                'window_us': f'{window:.0f}'})


def main():
    q, patterns, longest, *engines = sys.argv[1:]
    run('heddle', '--version')
    for engine in engines:
        study(q, engine, patterns, longest, kept(f'{here}/slimfly.csv', KEYS))


main()
