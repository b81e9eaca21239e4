#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints the tables of README.md from figure-*.csv: accepted (others' beside a hot spot; us of execution for PTRANS). ~: not all steady."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import figures  # noqa: E402
import runs  # noqa: E402


def cell(rows):
    if not rows:
        return ''
    if rows[0]['makespan']:
        return f'{runs.mean(rows, "makespan") / 1000:.0f}'
    column = 'accepted[background]' if rows[0]['accepted[background]'] else 'accepted'
    values = [float(row[column]) for row in rows]
    spread = f' ({min(values):.3f}-{max(values):.3f})' if len(rows) > 1 else ''
    failed = ' deadlock' if any(row['deadlock'] == '1' for row in rows) else ''
    return f'{"" if all(map(runs.is_steady, rows)) else "~"}{sum(values) / len(values):.3f}{spread}{failed}'


print('| figure | network | pattern | VOQs | load | seeds | ' + ' | '.join(figures.TECHNIQUES) + ' |')
print('|---|---|---|---|---:|---:|' + '---:|' * len(figures.TECHNIQUES))
for path in sorted(HERE.glob('figure-*.csv'), key=lambda path: int(path.name.split('-')[1])):
    rows = runs.read(path)
    for key in runs.unique(tuple(row[column] for column in ('network', 'pattern', 'voq', 'load')) for row in rows):
        found = [row for row in rows if tuple(row[column] for column in ('network', 'pattern', 'voq', 'load')) == key]
        cells = [cell([row for row in found if row['technique'] == technique]) for technique in figures.TECHNIQUES]
        network, pattern, voq, load = key
        print(f'| {path.name.split("-")[1]} | {network} | `{pattern}` | {voq} | {load} | {len({row["seed"] for row in found})} | ' +
              ' | '.join(cells) + ' |')
