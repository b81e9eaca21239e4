#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from the CSV files: compare.py H"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402
from claims import shown  # noqa: E402

ORDER = 'MIN', 'VAL', 'PB', 'OLM', 'Base', 'Filtered', 'Hybrid', 'ECtN', 'Statistical'


def table(rows, title, cell):
    """Mechanisms down, patterns and loads across."""
    if not rows:
        return
    across = runs.unique((row['pattern'], row['load']) for row in rows)
    print(f'\n### {title}\n')
    print('| | ' + ' | '.join(f'{pattern} {float(load):g}' for pattern, load in across) + ' |')
    print('|---|' + '---:|' * len(across))
    for routing in runs.unique(row['routing'] for row in rows):
        cells = {(row['pattern'], row['load']): cell(row) for row in rows if row['routing'] == routing}
        print(f'| {routing} | ' + ' | '.join(cells.get(key, '') for key in across) + ' |')


def cell(row):
    tilde = '' if runs.is_steady(row) else '~'
    return f'{tilde}{float(row["accepted"]):.3f}, {float(row["latency_mean"]):.0f}'


def middle():
    """ADV+h by size and threshold."""
    rows = runs.read(HERE / 'middle.csv')
    if not rows:
        return
    print('\n### ADV+h at load 1: accepted by size and threshold\n')
    print('| h | th | Base | ECtN | OLM |\n|---:|---:|---:|---:|---:|')
    for h, th in sorted({(int(row['h']), int(row['th'])) for row in rows if row['th'] != '0'}):
        cells = []
        for routing in 'Base', 'ECtN', 'OLM':
            of = [row for row in rows if (row['h'], row['routing']) == (str(h), routing) and row['th'] in (str(th), '0')]
            cells.append(('' if all(map(runs.is_steady, of)) else '~') + shown([float(row['accepted']) for row in of]) if of else '')
        print(f'| {h} | {th} | ' + ' | '.join(cells) + ' |')


def settles(series, column, tolerance):
    """Cycles from the change until the value stays as near as that to its mean over the last quarter; that mean."""
    last = [row for row in series if float(row['time']) > 0.75 * float(series[-1]['time'])]
    end = sum(float(row[column]) for row in last) / len(last)
    at = 0
    for row in series:
        if float(row['time']) >= 0 and abs(float(row[column]) - end) > tolerance * end:
            at = float(row['time']) + 10
    return at, end


def first_near(series, column, tolerance):
    last = [row for row in series if float(row['time']) > 0.75 * float(series[-1]['time'])]
    end = sum(float(row[column]) for row in last) / len(last)
    return next((float(row['time']) for row in series if float(row['time']) >= 0
                 and abs(float(row[column]) - end) <= tolerance * end), -1)


def period(series):
    """Of the latency from 300 cycles after the change on: the lag of the first maximum of its autocorrelation."""
    values = [float(row['latency_mean']) for row in series if float(row['time']) >= 300]
    mean = sum(values) / len(values)
    values = [value - mean for value in values]
    power = sum(value * value for value in values)
    by_lag = [sum(a * b for a, b in zip(values, values[lag:])) / power for lag in range(len(values) // 2)]
    falls = next((lag for lag, value in enumerate(by_lag) if value < 0), None)
    if falls is None:
        return 0, 0
    best = max(range(falls, len(by_lag)), key=by_lag.__getitem__)
    return 10 * best, by_lag[best]


def transient(h):
    rows = runs.read(HERE / f'transient-h{h}.csv')
    if not rows:
        return
    print('\n### From UN to ADV+1 at 0.2: cycles after the change\n')
    print('| buffers | | before | highest | at | within 5% of the end from | stays so from | off minimal 90% from | end |')
    print('|---|---|---:|---:|---:|---:|---:|---:|---:|')
    for buffers in 'small', 'large':
        for routing in runs.unique(row['routing'] for row in rows):
            series = [row for row in rows if (row['buffers'], row['routing']) == (buffers, routing)]
            if not series:
                continue
            # the last steps have no packets that arrived
            before = [float(row['latency_mean']) for row in series if float(row['time']) < 0]
            after = [row for row in series if 0 <= float(row['time']) <= 1000]
            highest = max(after, key=lambda row: float(row['latency_mean']))
            stays, end = settles(series, 'latency_mean', 0.05)
            off = next((float(row['time']) for row in series if float(row['time']) >= 0
                        and float(row['misrouted']) >= 0.9), -1)
            print(f'| {buffers} | {routing} | {sum(before) / len(before):.0f} | {float(highest["latency_mean"]):.0f} | '
                  f'{float(highest["time"]):.0f} | {first_near(series, "latency_mean", 0.05):.0f} | {stays:.0f} | {off:.0f} | {end:.0f} |')
    print('\nPeriods (autocorrelation at it):', ', '.join(
        f'{routing} {p:.0f} ({c:.2f})' for routing in runs.unique(row['routing'] for row in rows) for p, c in
        [period([row for row in rows if (row['buffers'], row['routing']) == ('small', routing)])]))


def main():
    h = int(sys.argv[1])
    table(runs.read(HERE / f'thresholds-h{h}.csv'), 'Thresholds: accepted load, latency', cell)
    steady = sorted(runs.read(HERE / f'steady-h{h}.csv'), key=lambda row: float(row['load']))
    steady.sort(key=lambda row: list(ORDER).index(row['routing']))
    for pattern in runs.unique(row['pattern'] for row in steady):
        table([row for row in steady if row['pattern'] == pattern], f'{pattern}: accepted load, latency', cell)
    table([row for row in steady if row['pattern'] == 'UN'], 'Off minimal, UN',
          lambda row: f'{float(row["misrouted"]):.3f}')
    table(runs.read(HERE / f'mixed-h{h}.csv'), 'ADV+1 and UN mixed: accepted load, latency', cell)
    small = runs.read(HERE / 'small.csv')
    for part in runs.unique(row['part'] for row in small):
        table([row for row in small if row['part'] == part], part, cell)
    middle()
    transient(h)


if __name__ == '__main__':
    main()
