#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints the table of README.md from dragonflyplus.csv. ~: not shown to be steady within run.longest."""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import read  # noqa: E402

NAMES = {'dfplus+lmc': '`dfplus`, `dbbm:2`', 'opensm-minhop': 'OpenSM `minhop`', 'opensm-nue': 'OpenSM `nue`'}


def sound(row):
    return ', '.join('sound' if row[f'sound_{scope}'] == '1' else row['failure'] for scope in ('hosts', 'all'))


def accepted(row, pattern):
    if not row[pattern]:
        return ''
    return ('' if row[f'{pattern}_steady'] == '1' else '~') + f'{float(row[pattern]):.3f}'


print('| hosts | engine | LIDs | SLs | VLs | hosts, all | busiest link | over the mean | hops | uniform | adversarial | route, s |')
print('|---:|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|')
for row in sorted(read(f'{here}/dragonflyplus.csv'), key=lambda row: int(row['hosts'])):
    cells = [f'{int(row["hosts"]):,}', NAMES.get(row['engine'], f'`{row["engine"]}`'), row['lids']]
    if row['busiest']:
        cells += [row['sls'], row['vls'], sound(row), f'{int(row["busiest"]):,}', f'{float(row["load"]):.2f}', row['max_hops'],
                  accepted(row, 'uniform'), accepted(row, 'adversarial'), f'{float(row["route_s"]):.3f}']
    else:
        cells += ['', '', row['verdict'], '', '', '', '', '', '']
    print('|', ' | '.join(cells), '|')
