#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The tables of README.md, of slimfly.csv and cost.csv beside this script."""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import read, unique  # noqa: E402

PATTERNS = ('uniform', 'adversarial', 'permutation', 'exchange', 'pair')


def shown(rows, pattern):
    row = next((row for row in rows if row['pattern'] == pattern), None)
    return '' if not row else ('~' if row['steady'] == 'no' else '') + f'{float(row["share"]):.3f}'


def main():
    rows = read(f'{here}/slimfly.csv')
    print('| switches, hosts | engine | LIDs | SLs, VLs | ' + ' | '.join(PATTERNS) + ' |')
    print('|---:|---|---:|---:|' + '---:|' * len(PATTERNS))
    for q, engine, lids in unique((row['q'], row['engine'], row['lids']) for row in rows):
        mine = [row for row in rows if (row['q'], row['engine'], row['lids']) == (q, engine, lids)]
        print(f'| {18 if q == "tree" else 2 * int(q) ** 2}, {int(mine[0]["hosts"]):,} | `{engine}`{', fat tree' if q == 'tree' else ''} | {lids} | {mine[0]["sls"]}, {mine[0]["vls"]} | '
              + ' | '.join(shown(mine, pattern) for pattern in PATTERNS) + ' |')
    print('\n| topology | hosts | switches | ports a host | cables a host | hops | VLs | uniform, at most |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|')
    for row in read(f'{here}/cost.csv'):
        hosts, cables = int(row['hosts']), int(row['cables'])
        print(f'| {row["name"]} | {hosts:,} | {int(row["switches"]):,} | {(2 * cables + hosts) / hosts:.2f} | '
              f'{(cables + hosts) / hosts:.2f} | {float(row["hops"]):.2f} | {row["vls"]} | {float(row["most"]):.2f} |')


main()
