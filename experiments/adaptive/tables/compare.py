#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from hH.csv: compare.py H"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402


def main():
    rows = runs.read(HERE / f'h{sys.argv[1]}.csv')
    patterns = runs.unique(row['pattern'] for row in rows)
    for fabric in runs.unique(row['fabric'] for row in rows):
        print(f'\n{fabric}: accepted at load 0.5, at load 1; least served host, and p99 in cycles, of ADV+1 at 0.5\n')
        print('| | SLs | VLs or VCs | ' + ' | '.join(patterns) + ' | least | p99 |')
        print('|---|---:|---:|' + '---:|' * (len(patterns) + 2))
        for mechanism in runs.unique(row['mechanism'] for row in rows):
            cells = []
            mine = {(row['pattern'], float(row['load'])): row for row in rows
                    if row['fabric'] == fabric and row['mechanism'] == mechanism}
            for pattern in patterns:
                at = [mine.get((pattern, load)) for load in (.5, 1)]
                cells.append(', '.join(f'{"" if runs.is_steady(row) else "~"}{float(row["accepted"]):.3f}'
                                       for row in at if row))
            adv = mine.get(('ADV+1', .5))
            if not adv:
                continue
            print(f'| {mechanism} | {adv["sls"]} | {adv["vls"]} | ' + ' | '.join(cells)
                  + f' | {float(adv["source_min"]):.3f} | {float(adv["latency_p99"]):.0f} |')


main()
