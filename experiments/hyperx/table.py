#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The table of README.md, of hyperx.csv beside this script."""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import read, unique  # noqa: E402

PATTERNS = ('uniform', 'row', 'far', 'permutation', 'exchange', 'dense', 'pair', 'latency')


def shown(rows, pattern):
    row = next((row for row in rows if row['pattern'] == pattern), None)
    if not row:
        return ''
    if pattern == 'latency':
        return f'{float(row["share"]):.0f}'
    return ('~' if row['steady'] == 'no' else '') + f'{float(row["share"]):.3f}'


def main():
    rows = read(f'{here}/hyperx.csv')
    print('| tables | LIDs, hosts | SLs, VLs | ' + ' | '.join(PATTERNS) + ' |')
    print('|---|---|---:|' + '---:|' * len(PATTERNS))
    for key in unique((row['fabric'], row['engine'], row['lids'], row['policy']) for row in rows):
        mine = [row for row in rows if (row['fabric'], row['engine'], row['lids'], row['policy']) == key]
        fabric, engine, lids, policy = key
        where = '' if fabric.startswith('hyperx') else ', fat tree'
        print(f'| `{engine}`{where} | {lids}{", `" + policy + "`" if policy else ""} | {mine[0]["sls"]}, {mine[0]["vls"]} | '
              + ' | '.join(shown(mine, pattern) for pattern in PATTERNS) + ' |')


main()
